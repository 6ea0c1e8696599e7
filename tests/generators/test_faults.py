from __future__ import annotations

import json
import time
from email.utils import formatdate

import pytest

from kbench.generators.faults import event_fault, fault_of, retry_after_s, words_of


@pytest.mark.parametrize(
    ("status", "text", "kind", "again"),
    [
        (429, '{"error": {"message": "slow down", "code": "rate_limit_exceeded"}}', "overloaded", True),
        (429, '{"error": {"message": "no money", "code": "insufficient_quota"}}', "quota", False),
        (402, "Payment required", "quota", False),
        (408, "", "overloaded", True),
        (529, '{"type": "error", "error": {"type": "overloaded_error"}}', "overloaded", True),
        (500, "oops", "server_error", True),
        (503, "<html><h1>Down</h1></html>", "server_error", True),
        (401, '{"error": "bad key"}', "unauthorised", False),
        (404, '{"object": "error", "message": "no such model", "code": 404}', "not_found", False),
        (400, '{"error": {"message": "…", "code": "context_length_exceeded"}}', "too_long", False),
        (400, '{"error": {"message": "prompt is too long: 9 tokens > 8 maximum"}}', "too_long", False),
        (400, '{"error": {"message": "the request exceeds the available context size"}}', "too_long", False),
        (400, '{"error": {"message": "bad"}}', "refused", False),
        (301, "", "refused", False),
    ],
)
def test_kinds(status, text, kind, again):
    fault = fault_of(status, {}, text)
    assert (fault.kind, fault.again, fault.status) == (kind, again, status)


def test_the_server_may_say_whether_to_ask_again():
    assert not fault_of(503, {"x-should-retry": "false"}, "").again
    assert fault_of(400, {"x-should-retry": "true"}, "").again
    assert fault_of(503, {"x-should-retry": "perhaps"}, "").again


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "7", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": formatdate(0, usegmt=True)}, 0.0),
    ],
)
def test_retry_after(headers, seconds):
    assert retry_after_s(headers) == seconds


def test_retry_after_as_a_date():
    wait_s = retry_after_s({"retry-after": formatdate(time.time() + 100, usegmt=True)})
    assert wait_s == pytest.approx(100, abs=30)


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ({"error": {"message": "no", "param": "temperature"}}, "temperature"),
        ({"error": {"message": "Unsupported parameter: 'max_tokens' is not supported."}}, "max_tokens"),
        ({"error": {"message": "`temperature` may only be set to 1", "type": "invalid_request_error"}}, "temperature"),
        ({"error": {"message": "top_k: must be positive", "type": "invalid_request_error"}}, "top_k"),
        ({"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}, "seed"),
        ({"error": {"message": "no"}}, ""),
        ("a page", ""),
    ],
)
def test_the_parameter_that_is_refused(body, parameter):
    assert fault_of(400, {}, json.dumps(body)).parameter == parameter


def test_only_a_refusal_names_a_parameter():
    assert fault_of(500, {}, '{"error": {"param": "temperature"}}').parameter == ""


def test_words_are_one_short_line():
    assert words_of({"error": {"message": "a\n b\x1b[31m", "code": "c"}}) == "c: a b�[31m"
    assert words_of([{"error": {"message": "in a list"}}]) == "in a list"
    assert len(words_of("x" * 10_000)) < 600


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"error": {"code": 429, "message": "slow"}}, "overloaded"),
        ({"error": {"code": 400, "message": "bad"}}, "refused"),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}, "overloaded"),
        ({"error": "broken"}, "server_error"),
    ],
)
def test_errors_within_a_stream(body, kind):
    assert event_fault(body).kind == kind
