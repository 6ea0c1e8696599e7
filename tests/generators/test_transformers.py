"""The `transformers` generator on tiny models made here: folders of weights, a GGUF file, a LoRA adapter.

Where torch alone is installed, test_decoding.py covers how rows are drawn; this file needs the library.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import pytest

from kbench.core.errors import ConfigError, GenerateError, ServerError, ToolMissing
from kbench.core.generator import Message, Request, Sampling
from kbench.generators import weights
from kbench.generators.transformers import Transformers

ASKED = Request(
    [Message("system", "a b"), Message("user", "c d e")], suite="s", task="T", sampling=Sampling(0, 0.0, max_tokens=12)
)
WORDS = [chr(97 + i) for i in range(26)]
TEMPLATE = (
    "{% for m in messages %}<|im_start|> {{ m['role'][0] }} {{ m['content'] }} <|im_end|> {% endfor %}<|im_start|> a"
)


def test_what_is_missing_is_told(monkeypatch):
    monkeypatch.setattr(weights.importlib.util, "find_spec", lambda name: None if name == "peft" else object())
    source = weights.Source("m", adapter="a")
    with pytest.raises(ToolMissing, match="needs peft: pip install"):
        source.check_library()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "needs a model"),
        ({"model": "/nowhere/at.gguf"}, "no model at"),
        ({"model": "/nowhere"}, "no model at"),
        ({"model": "m", "adapter": "/nowhere"}, "no adapter"),
        ({"model": "m", "batch": "0"}, "batch 0"),
        ({"model": "m", "chat_template": "/nowhere"}, "no chat template"),
    ],
)
def test_options_that_are_none(options, told):
    with pytest.raises(ConfigError, match=told):
        Transformers(**options)


def test_a_folder_with_a_gguf_file_is_told_how(tmp_path):
    (tmp_path / "m.gguf").touch()
    with pytest.raises(ConfigError, match=r"model=.*m\.gguf"):
        Transformers(model=str(tmp_path))


def test_identity_is_the_content_of_the_weights(tmp_path):
    one, other = tmp_path / "one.gguf", tmp_path / "other.gguf"
    one.write_bytes(b"x" * 300_000)
    other.write_bytes(b"x" * 300_000)
    assert Transformers(model=str(one)).identity() == Transformers(model=str(other)).identity()
    other.write_bytes(b"x" * 299_999 + b"y")
    assert Transformers(model=str(one)).identity() != Transformers(model=str(other)).identity()


# --- with the library ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def library():
    torch = pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what the library itself imports
        library = pytest.importorskip("transformers")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield library
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def folder(library, tmp_path_factory):
    """A Llama of two layers with random weights, and a tokenizer of single letters."""
    import tokenizers
    import torch

    path = tmp_path_factory.mktemp("model")
    vocabulary = {w: i for i, w in enumerate(["<unk>", "<|im_start|>", "<|im_end|>", *WORDS])}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer = library.PreTrainedTokenizerFast(
        tokenizer_object=made, unk_token="<unk>", eos_token="<|im_end|>", pad_token="<|im_end|>"
    )
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(path)
    torch.manual_seed(0)
    config = library.LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=64, eos_token_id=2, bos_token_id=1, tie_word_embeddings=False,
        initializer_range=0.6,
    )  # fmt: skip
    library.LlamaForCausalLM(config).save_pretrained(path)
    return path


@pytest.fixture
def generator(folder):
    made = Transformers(model=str(folder), batch="4")
    yield made
    made.close()


def of_the_library(library, path, request, **more):
    """What the library's own greedy search says."""
    import torch

    model = library.AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32)
    tokenizer = library.AutoTokenizer.from_pretrained(path)
    asked = [{"role": m.role, "content": m.content} for m in request.messages]
    text = tokenizer.apply_chat_template(asked, tokenize=False)
    ids = tokenizer(text, add_special_tokens=False, return_tensors="pt")
    out = model.generate(**ids, max_new_tokens=request.sampling.max_tokens, do_sample=False, **more)
    return tokenizer.decode(out[0, ids["input_ids"].shape[1] :], skip_special_tokens=True)


def test_greedy_is_the_librarys(library, folder, generator):
    completion = generator.generate(ASKED)
    assert completion.text == of_the_library(library, folder, ASKED)
    assert completion.usage == {"input_tokens": 13, "output_tokens": len(completion.text.split())}
    assert completion.text


def test_an_attention_of_another_kind_is_left_to_the_library(library, folder, monkeypatch):
    monkeypatch.setattr(weights.shared_prefix, "fits", lambda config: False)
    alone = Transformers(model=str(folder))
    assert alone.generate(ASKED).text == of_the_library(library, folder, ASKED)
    assert not alone._loaded.decoder.shared


def test_samples_are_drawn_by_their_seeds(generator):
    requests = [replace(ASKED, sample=i, sampling=Sampling(temperature=1.0, max_tokens=12)) for i in range(6)]
    together = [c.text for c in generator.generate_batch(requests)]
    assert len(set(together)) > 3
    assert together == [generator.generate(r).text for r in requests]


def test_a_prompt_that_does_not_fit_fails_alone(generator):
    long = replace(ASKED, messages=[Message("user", "a " * 60)])
    first, second = generator.generate_batch([long, ASKED])
    assert isinstance(first, GenerateError)
    assert first.outcome == "context_limit"
    assert "has room for 64" in str(first)
    assert second.text


def test_a_template_that_refuses(folder, tmp_path):
    refusing = tmp_path / "template.jinja"
    refusing.write_text("{{ raise_exception('no system prompt here') }}")
    with pytest.raises(ConfigError, match=r"no system prompt here.*system=no"):
        Transformers(model=str(folder), chat_template=str(refusing)).generate(ASKED)


def test_the_system_prompt_may_go_to_the_user(generator, folder):
    folded = Transformers(model=str(folder), system="no")
    folded.generate(ASKED)
    asked = replace(ASKED, messages=[Message("user", "a b\n\nc d e")])
    assert folded._loaded.tokens(ASKED) == folded._loaded.tokens(asked)


def test_an_adapter_changes_answers(library, folder, generator, tmp_path):
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peft = pytest.importorskip("peft")
        model = library.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
        adapted = peft.get_peft_model(
            model, peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")
        )
        torch.manual_seed(1)
        for name, weight in adapted.named_parameters():
            if "lora_B" in name:
                torch.nn.init.normal_(weight, std=2.0)
        adapted.save_pretrained(tmp_path / "adapter")
        expected = of_the_library_with(adapted, library, folder)
        with_adapter = Transformers(model=str(folder), adapter=str(tmp_path / "adapter"))
        text = with_adapter.generate(ASKED).text
    assert text == expected != generator.generate(ASKED).text
    assert with_adapter.identity() != generator.identity()


def of_the_library_with(model, library, folder):
    tokenizer = library.AutoTokenizer.from_pretrained(folder)
    asked = [{"role": m.role, "content": m.content} for m in ASKED.messages]
    ids = tokenizer(tokenizer.apply_chat_template(asked, tokenize=False), add_special_tokens=False, return_tensors="pt")
    out = model.generate(**ids, max_new_tokens=12, do_sample=False)
    return tokenizer.decode(out[0, ids["input_ids"].shape[1] :], skip_special_tokens=True)


def test_weights_that_are_none(tmp_path, library):
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    with pytest.raises(ServerError, match="does not load"):
        Transformers(model=str(tmp_path)).generate(ASKED)
