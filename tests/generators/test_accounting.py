from __future__ import annotations

import pytest

from kbench.generators.accounting import Prices, tokens

OPENAI = {
    "prompt_tokens": 100,
    "completion_tokens": 50,
    "total_tokens": 150,
    "prompt_tokens_details": {"cached_tokens": 60},
    "completion_tokens_details": {"reasoning_tokens": 30},
}
ANTHROPIC = {
    "input_tokens": 10,
    "cache_read_input_tokens": 60,
    "cache_creation_input_tokens": 30,
    "output_tokens": 50,
}


def test_openai_counts_the_cached_share_within():
    assert tokens(OPENAI) == {
        "input_tokens": 100,
        "output_tokens": 50,
        "reasoning_tokens": 30,
        "cached_input_tokens": 60,
    }


def test_anthropic_counts_the_cached_share_apart():
    assert tokens(ANTHROPIC) == {
        "input_tokens": 100,
        "output_tokens": 50,
        "cached_input_tokens": 60,
        "cache_written_tokens": 30,
    }


@pytest.mark.parametrize("raw", [None, [], "many", {"prompt_tokens": "10"}, {"prompt_tokens": -1, "other": True}])
def test_what_is_not_counted_is_absent(raw):
    assert tokens(raw) == {}


def test_cost():
    prices = Prices(input=2.0, output=10.0, cached=0.5)
    assert prices.cost(tokens(OPENAI)) == pytest.approx((40 * 2 + 60 * 0.5 + 50 * 10) / 1e6)
    assert Prices(input=2.0, output=10.0).cost(tokens(OPENAI)) == pytest.approx((100 * 2 + 50 * 10) / 1e6)


def test_no_price_or_no_count_no_cost():
    assert Prices().cost(tokens(OPENAI)) is None
    assert Prices(1.0, 1.0).cost({"input_tokens": 3}) is None
