from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from kbench.generators import sampling  # noqa: E402
from kbench.generators.sampling import Draw  # noqa: E402

LOGITS = torch.log(torch.tensor([0.5, 0.25, 0.125, 0.0625, 0.0625]))


def drawn(logits=LOGITS, temperature=1.0, top_k=0, top_p=1.0, times=4000):
    draw = Draw(temperature, top_k, top_p, torch.Generator().manual_seed(1))
    counts = torch.bincount(torch.tensor([draw.token(logits) for _ in range(times)]), minlength=len(logits))
    return [float(c) / times for c in counts]


def test_greedy_takes_the_likeliest():
    assert drawn(temperature=0.0, top_p=0.1, times=5) == [1.0, 0, 0, 0, 0]


def test_draws_follow_the_probabilities():
    assert drawn() == pytest.approx([0.5, 0.25, 0.125, 0.0625, 0.0625], abs=0.03)


def test_temperature():
    squares = torch.tensor([0.5, 0.25, 0.125, 0.0625, 0.0625]) ** 2
    assert drawn(temperature=0.5) == pytest.approx((squares / squares.sum()).tolist(), abs=0.03)


def test_top_k():
    assert drawn(top_k=2) == pytest.approx([2 / 3, 1 / 3, 0, 0, 0], abs=0.03)


@pytest.mark.parametrize(("top_p", "kept"), [(0.4, 1), (0.5, 1), (0.51, 2), (0.75, 2), (0.8, 3), (0.999, 5), (1e-9, 1)])
def test_top_p_keeps_the_token_that_crosses_it(top_p, kept):
    assert sum(share > 0 for share in drawn(top_p=top_p)) == kept


@pytest.mark.parametrize(("top_k", "top_p"), [(0, 0.9), (50, 0.9), (1500, 0.9), (1500, 1.0), (3000, 0.999)])
def test_the_head_is_enough_or_all_is_sorted(monkeypatch, top_k, top_p):
    logits = torch.randn(2000, generator=torch.Generator().manual_seed(3))
    short = Draw(1.0, top_k, top_p, torch.Generator())._kept(logits)
    monkeypatch.setattr(sampling, "_HEAD", 10**6)
    whole = Draw(1.0, top_k, top_p, torch.Generator())._kept(logits)
    assert short[1].tolist() == whole[1].tolist()
