"""Rows drawn together say what each says alone; prefixes are read once."""

from __future__ import annotations

import random

import pytest

torch = pytest.importorskip("torch")

from kbench.generators import decoding, shared_prefix  # noqa: E402
from kbench.generators.decoding import Decoder, Row  # noqa: E402
from kbench.generators.guesses import AHEAD, Guesses  # noqa: E402
from kbench.generators.sampling import Draw  # noqa: E402
from tests.generators.toy_model import VOCABULARY, ToyModel  # noqa: E402

END = 1


def decoder(shared: bool = True, **options) -> Decoder:
    model = ToyModel(shared_prefix.attend if shared else None)
    text = lambda tokens: "".join(chr(97 + t % 26) for t in tokens)  # noqa: E731
    return Decoder(model, frozenset([END]), text, shared, **options)


def row(prompt, seed=0, temperature=0.0, most=24, **options) -> Row:
    draw = Draw(temperature, options.pop("top_k", 0), options.pop("top_p", 1.0), torch.Generator().manual_seed(seed))
    return Row(prompt, draw, most, **options)


def words(length: int, seed: int) -> list[int]:
    draw = torch.Generator().manual_seed(seed)
    return torch.randint(2, VOCABULARY, (length,), generator=draw).tolist()


def written(rows, most_rows=8, shared=True):
    decoder(shared).run(rows, most_rows)
    return [(r.written, r.finish_reason) for r in rows]


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(decoding, "BLOCK", 16)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait for each other are slow on a machine that is in use
    yield
    torch.set_num_threads(threads)


#: Prompts with nothing in common, with a common beginning, equal ones, one of a single token, one that is a block.
PROMPTS = [
    words(5, 1),
    words(40, 2),
    words(40, 2),
    words(40, 2) + words(30, 3),
    words(40, 2) + words(9, 4),
    words(70, 5),
    [7],
    words(16, 6),
    words(33, 7),
]


@pytest.mark.parametrize("temperature", [0.0, 0.9])
@pytest.mark.parametrize("most_rows", [1, 3, 16])
def test_together_as_alone(temperature, most_rows):
    def rows():
        return [row(p, seed=i, temperature=temperature, most=10 + i) for i, p in enumerate(PROMPTS)]

    assert written(rows(), most_rows) == written(rows(), shared=False)


@pytest.mark.parametrize("right", [0.0, 0.5, 1.0])
def test_what_is_guessed_changes_nothing(right, monkeypatch):
    """Each row's guesses are its own later tokens, each with a chance of being another one."""
    rows = lambda: [row(p, seed=i, temperature=0.9, most=10 + 3 * i) for i, p in enumerate(PROMPTS)]  # noqa: E731
    alone = written(rows(), shared=False)
    whole = [p + w for p, (w, _) in zip(PROMPTS, alone, strict=True)]
    doubt = random.Random(7)

    def next_(self, most):
        seen = self._tokens
        later = next(tokens[len(seen) :] for tokens in whole if tokens[: len(seen)] == seen)
        return [t if doubt.random() < right else (t + 1) % VOCABULARY for t in later[: doubt.randint(0, most)]]

    monkeypatch.setattr(Guesses, "next", next_)
    made = decoder()
    guessed = rows()
    made.run(guessed, 16)
    assert [(r.written, r.finish_reason) for r in guessed] == alone


def test_text_that_repeats_is_read_in_few_passes():
    class Parrot(ToyModel):
        """Says the token that stands three places back."""

        passes = 0

        def __call__(self, input_ids, **given):
            self.passes += 1
            out = super().__call__(input_ids, **given)
            spots = given["position_ids"]
            out.logits = 50.0 * torch.nn.functional.one_hot(2 + (spots[:, -out.logits.shape[1] :] + 1) % 3, VOCABULARY)
            return out

    made = decoder()
    made.model = Parrot(shared_prefix.attend)
    only = row([2, 3, 4] * 6, temperature=1.0, most=81)
    made.run([only], 1)
    assert only.written == [2, 3, 4] * 27
    assert made.model.passes <= 2 + 81 / (1 + AHEAD)


def test_rows_end_one_by_one():
    rows = [row(p, seed=i, temperature=3.0, most=60) for i, p in enumerate(PROMPTS)]
    ends = written(rows)
    assert {reason for _, reason in ends} == {"stop", "length"}
    assert len({len(w) for w, _ in ends}) > 3
    assert all(END not in w for w, _ in ends)
    again = [row(p, seed=i, temperature=3.0, most=60) for i, p in enumerate(PROMPTS)]
    assert written(again, shared=False) == ends


def test_a_common_beginning_is_read_once():
    made = decoder()
    made.run([row(words(160, 1), seed=i, most=1) for i in range(4)], 4)
    read = made.model.tokens_read
    assert read < 160 + 4 * (16 + 1)
    made.run([row([*words(160, 1), *words(5, 9)], most=1)], 4)
    assert made.model.tokens_read - read < 16 + 5 + 1


def test_what_was_read_before_changes_nothing():
    long = words(100, 3)
    fresh = decoder()
    first = row([*long, 5], temperature=0.8)
    fresh.run([first], 1)
    used = decoder()
    used.run([row(long, most=3), row(words(50, 8), most=3)], 2)
    second = row([*long, 5], temperature=0.8)
    used.run([second], 1)
    assert first.written == second.written


def test_what_is_kept_is_bounded():
    made = decoder(kept_bytes=40_000)
    for seed in range(6):
        made.run([row(words(64, seed), most=1)], 1)
        assert sum(k.bytes for k in made._kept.values()) <= 40_000
    assert made._kept


def test_seeds_draw_differently_and_repeatably():
    rows = [row(PROMPTS[1], seed=i, temperature=1.0) for i in (1, 2, 3, 1)]
    texts = [w for w, _ in written(rows)]
    assert texts[0] == texts[3]
    assert len({tuple(t) for t in texts}) == 3


@pytest.mark.parametrize("shared", [True, False])
def test_a_stop_text_ends_a_row(shared):
    whole = row(PROMPTS[1], most=20)
    made = decoder(shared)
    made.run([whole], 1)
    stop = made.decode(whole.written[5:7])
    stopped = row(PROMPTS[1], most=20, stop=(stop,))
    made.run([stopped], 1)
    text = made.decode(stopped.written)
    assert text.endswith(stop)
    assert text.count(stop) == 1
    assert stopped.finish_reason == "stop"


def test_the_limit():
    (only,) = [row(PROMPTS[0], most=3)]
    written([only])
    assert (len(only.written), only.finish_reason) == (3, "length")


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize(("opened", "closes"), [(True, True), (False, False)])
def test_a_thought_is_ended(shared, opened, closes):
    thinking = decoding.Thinking(6, opened, (9, 10))
    rows = [row(PROMPTS[1], temperature=1.0, seed=4, most=12, thinking=t) for t in (None, thinking)]
    for one in rows:
        decoder(shared).run([one], 1)
    free, limited = (r.written for r in rows)
    assert limited[:6] == free[:6]
    assert (limited[6:8] == [9, 10]) == closes
    assert len(limited) == 12


def test_an_attention_of_another_kind_is_refused():
    with pytest.raises(NotImplementedError, match="sliding_window"):
        shared_prefix.attend(None, None, None, None, sliding_window=4)
