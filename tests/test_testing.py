"""The kits find what they claim to find."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbench.core.errors import ConfigError
from kbench.testing import BackendConformance, GeneratorConformance

HERE = Path(__file__).parent

GENERATOR_FAULTS = {
    "Scripted": set(),
    "OldApi": {"test_api_version"},
    "NotAName": {"test_name"},
    "UsageNotJson": {"test_returns_a_completion"},
    "IgnoresSample": {"test_each_sample_is_a_request_of_its_own"},
    "AsciiOnly": {"test_unicode_is_preserved"},
    "ChangesRequest": {"test_request_is_untouched"},
    "LosesOneOfABatch": {"test_a_batch_is_answered_in_its_order"},
    "SortsItsBatch": {"test_a_batch_is_answered_in_its_order"},
    "IdentityNotJson": {"test_identity_is_json_and_tells_no_key"},
    "AnotherIdentityEachTime": {"test_identity_is_json_and_tells_no_key"},
    "TellsItsKey": {"test_identity_is_json_and_tells_no_key"},
    "EmptyWhenMissing": {"test_missing_answer_is_a_harness_error"},
    "KeyErrorWhenMissing": {"test_missing_answer_is_a_harness_error"},
    "ClosesOnce": {"test_close_may_be_called_twice"},
    "SharedState": {"test_concurrent_requests"},
}


def test_each_fault_of_a_generator_is_caught_by_one_test(run_kit):
    # One test, so that parallel workers do not each run the kit on every fault.
    failures = run_kit(HERE / "faulty_generators.py")
    caught = {name.removeprefix("Test"): set(tests) for name, tests in failures.items()}
    assert caught == GENERATOR_FAULTS, failures


def test_a_generator_that_imports_a_backend_is_told(tmp_path, run_kit):
    module = tmp_path / "greedy.py"
    module.write_text(
        "import kbench.backends.ascend.targets\nfrom kbench.core.generator import Completion, Generator\n"
        "class Greedy(Generator):\n    name = 'greedy'\n    def generate(self, request): return Completion('x')\n"
    )
    test = tmp_path / "test_greedy.py"
    test.write_text(
        "import pytest\nfrom greedy import Greedy\nfrom kbench.testing import GeneratorConformance\n"
        "class TestGreedy(GeneratorConformance):\n    @pytest.fixture\n    def generator(self): return Greedy()\n"
    )
    failed = run_kit(test, tmp_path)["TestGreedy"]
    assert "a generator knows no backend" in failed["test_knows_no_backend"]


@pytest.mark.parametrize("kit", [BackendConformance, GeneratorConformance])
def test_an_unknown_gap_is_refused(kit):
    with pytest.raises(ConfigError, match="no test in Mine named 'test_api_versio'; did you mean 'test_api_version'"):
        type("Mine", (kit,), {"known_gaps": {"test_api_versio": "because"}})


def test_a_known_gap_is_expected_to_fail_and_told_when_it_does_not(tmp_path, run_kit):
    test = tmp_path / "test_gaps.py"
    test.write_text(
        "import pytest\nfrom kbench.core.generator import Completion, Generator\n"
        "from kbench.testing import ANSWERS, GeneratorConformance\n"
        "class Old(Generator):\n    name, api_version = 'old', 0\n"
        "    def generate(self, request): return Completion(ANSWERS[request.sample])\n"
        "class TestGaps(GeneratorConformance):\n"
        "    known_gaps = {'test_api_version': 'written for kbench 0', 'test_name': 'mended since',\n"
        "                  'test_missing_answer_is_a_harness_error': 'answers everything'}\n"
        "    @pytest.fixture\n    def generator(self): return Old()\n"
    )
    failed = run_kit(test, tmp_path)["TestGaps"]
    assert set(failed) == {"test_name"}
    assert "mended since" in failed["test_name"]
