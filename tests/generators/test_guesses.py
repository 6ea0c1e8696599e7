"""Guesses come from what stood there before."""

from __future__ import annotations

from kbench.generators.guesses import AHEAD, Guesses

TEXT = range(100, 140)


def test_nothing_is_guessed_of_what_is_new() -> None:
    assert Guesses(TEXT).next() == ()
    assert Guesses([]).next() == ()


def test_what_followed_before_follows_again() -> None:
    seen = Guesses([*TEXT, 1, *TEXT[4:18]])
    assert seen.next() == list(TEXT[18:26])
    assert seen.next(3) == list(TEXT[18:21])
    seen.add([TEXT[18]])
    assert seen.next(2) == list(TEXT[19:21])
    seen.add([50])
    assert seen.next() == ()


def test_a_likeness_that_did_not_last_is_no_ground() -> None:
    assert Guesses([*TEXT, 1, *TEXT[4:12]]).next() == ()
    assert Guesses([*TEXT, 1, *TEXT[4:14], 2, *TEXT[20:28]]).next() == ()


def test_the_latest_place_counts() -> None:
    head = TEXT[:14]
    assert Guesses([*head, 7, 7, *head, 8, 9, *head]).next(2) == [8, 9]


def test_a_short_period_goes_on() -> None:
    assert Guesses([5] * 20).next() == [5] * AHEAD
    assert Guesses([1, 2, 3] * 6).next(7) == [1, 2, 3, 1, 2, 3, 1]
