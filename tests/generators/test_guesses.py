"""Guesses come from what stood there before."""

from __future__ import annotations

from kbench.generators.guesses import AHEAD, Guesses


def test_nothing_is_guessed_of_what_is_new() -> None:
    assert Guesses(range(40)).next() == ()
    assert Guesses([]).next() == ()


def test_what_followed_before_follows_again() -> None:
    seen = Guesses([*range(20), 99, *range(4, 10)])
    assert seen.next() == list(range(10, 18))
    assert seen.next(3) == [10, 11, 12]
    seen.add([50])
    assert seen.next() == ()


def test_the_latest_place_counts() -> None:
    head = [1, 2, 3, 4, 5, 6]
    assert Guesses([*head, 7, 7, *head, 8, 9, *head]).next(2) == [8, 9]


def test_a_short_period_goes_on() -> None:
    assert Guesses([5] * 7).next() == [5] * AHEAD
    assert Guesses([1, 2, 3] * 3).next(7) == [1, 2, 3, 1, 2, 3, 1]
