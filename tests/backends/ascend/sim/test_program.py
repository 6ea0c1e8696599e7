"""Programs: kernels and the host code that launches them, run as a whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kbench.backends.ascend.rewrite import rewrite_program
from kbench.backends.ascend.sim import program as sim_program
from kbench.backends.ascend.targets import DEFAULT_TARGET, TARGETS
from kbench.core.errors import RunError
from kbench.core.hostcc.sandbox import sandbox
from kbench.core.program import Program, ProgramRun

_SOURCE = """#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>
#include "acl/acl.h"
#include "kernel_operator.h"
#include "sizes.h"
#include "tiling/tiling_api.h"

struct Tiling { uint32_t n; float by; };
// both sides of the library in one file
static_assert(sizeof(AscendC::tiling::SoftMaxTiling) == sizeof(SoftMaxTiling) && !AscendC::NLCFG_NORM.isNoBeta);
static_assert(std::is_same_v<decltype(memcpy_s(nullptr, 0, nullptr, 0)), errno_t>);

// a template, launched with its arguments; the structure travels by value
template <typename T>
__global__ __vector__ void scale(__gm__ uint8_t* x, __gm__ uint8_t* y, Tiling t) {
    AscendC::TPipe pipe;
    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, t.n * sizeof(T));
    AscendC::GlobalTensor<T> from, to;
    from.SetGlobalBuffer((__gm__ T*)x + t.n * AscendC::GetBlockIdx(), t.n);
    to.SetGlobalBuffer((__gm__ T*)y + t.n * AscendC::GetBlockIdx(), t.n);
    auto a = queue.AllocTensor<T>();
    AscendC::DataCopy(a, from, t.n);
    queue.EnQue(a);
    a = queue.template DeQue<T>();
    AscendC::PipeBarrier<PIPE_ALL>();  // this queue's events make MTE3 wait, not V
    AscendC::Muls(a, a, (T)t.by, t.n);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(to, a, t.n);
    queue.FreeTensor(a);
    if (AscendC::GetBlockIdx() == 0) AscendC::printf("by %f of %d\\n", t.by, (int)AscendC::GetBlockNum());
}

extern "C" __global__ __mix__(1, 2) void cores(__gm__ uint8_t* y) {
    AscendC::GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float*)y, 256);
    const int at = 16 * (AscendC::GetBlockIdx() + (g_coreType == AscendC::AIC ? 8 : 0));
    to.SetValue(at, (float)(AscendC::GetTaskRatio() * 10 + AscendC::GetSubBlockIdx()));
    using namespace AscendC;
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(to[at]);
    AscendC::SyncAll<false>();
}

__global__ __aicore__ void dump(__gm__ uint8_t* x) {
    AscendC::GlobalTensor<float> from;
    from.SetGlobalBuffer((__gm__ float*)x, 4);
    AscendC::DumpTensor(from, 7, 3);
}

bool read_all(const std::string& path, void* into, size_t bytes) {
    struct stat status;
    std::ifstream file(path, std::ios::binary);
    if (stat(path.c_str(), &status) != 0 || !file.is_open()) return false;
    std::filebuf* buffer = file.rdbuf();
    const size_t size = buffer->pubseekoff(0, std::ios::end, std::ios::in);
    buffer->pubseekpos(0, std::ios::in);
    return size == bytes && buffer->sgetn(static_cast<char*>(into), size) == (std::streamsize)size;
}

int main(int argc, char* argv[]) {
    const std::string what = argc > 1 ? argv[1] : "";
    constexpr size_t bytes = kBlocks * kEach * sizeof(float);
    std::vector<float> host(kBlocks * kEach);
    if (!read_all("in/x.bin", host.data(), bytes) || read_all("../x.bin", host.data(), bytes)) return 3;
    std::random_device one, other;  // every run draws the same numbers
    if (one() != other() || one() == other.max()) return 6;
    aclInit(nullptr);
    if (what != "no device") aclrtSetDevice(0);
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    uint8_t *x = nullptr, *y = nullptr;
    if (aclrtMalloc((void**)&x, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 4;
    aclrtMalloc((void**)&y, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    const aclrtMemcpyKind kind = what == "wrong way" ? ACL_MEMCPY_DEVICE_TO_HOST : ACL_MEMCPY_HOST_TO_DEVICE;
    aclrtMemcpy(x, bytes, host.data(), bytes, kind);
    if (what == "host pointer") scale<float><<<kBlocks, nullptr, stream>>>((uint8_t*)host.data(), y, Tiling{kEach, 2});
    if (what == "touch") host[0] = *(float*)x;
    scale<float>
        <<<kBlocks, nullptr, stream>>>(x, y, Tiling{kEach, 2.5f});
    if (what != "no wait") aclrtSynchronizeStream(stream);
    aclrtMemcpy(host.data(), bytes, y, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    mkdir("out", 0755);
    std::ofstream("out/y.bin", std::ios::binary).write((const char*)host.data(), bytes);
    cores<<<3, 0, stream>>>(y);
    dump<<<1, 0, stream>>>(x);
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(host.data(), bytes, y, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    int fd = open("out/cores.bin", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (write(fd, host.data(), bytes) != (ssize_t)bytes) return 5;
    close(fd);
    std::cout << "done " << what << std::endl;
    aclrtFree(x);
    aclrtFree(y);
    return what == "code" ? 9 : 0;
}
"""
_SIZES = "constexpr uint32_t kBlocks = 4, kEach = 64;\n"
TARGET = TARGETS[DEFAULT_TARGET]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("program")
    (place / "scale.asc").write_text(_SOURCE)
    (place / "sizes.h").write_text(_SIZES)
    (place / "in").mkdir()
    np.arange(256, dtype=np.float32).tofile(place / "in/x.bin")
    return place


@pytest.fixture(scope="module")
def built(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = sim_program.read_program(folder / "scale.asc", folder)
    assert set(program.files) == {"scale.asc", "sizes.h"}
    return sim_program.build_program(program, sandbox("auto"), 120, tmp_path_factory.mktemp("built"))[0]


def _run(built: Path, folder: Path, *words: str) -> ProgramRun:
    program = Program({}, "scale.asc", folder, ("scale.asc", *words))
    return sim_program.run_program(built, program, TARGET, sandbox=sandbox("auto"), timeout_s=30)


def test_a_program_reads_launches_and_writes(built: Path, folder: Path) -> None:
    run = _run(built, folder)
    assert np.array_equal(np.fromfile(folder / "out/y.bin", np.float32), np.arange(256, dtype=np.float32) * 2.5)
    cores = np.fromfile(folder / "out/cores.bin", np.float32)[::16]
    assert list(cores[:6]) == [20, 21] * 3  # two vector cores for each of three blocks …
    assert list(cores[8:11]) == [10] * 3  # … and a cube core
    assert run.written == ("out/y.bin", "out/cores.bin")
    assert [(one.kernel, one.block_dim) for one in run.launches] == [("scale<float>", 4), ("cores", 3), ("dump", 1)]
    assert run.launches[0].counters["MTE3"]["bytes"] == 1024
    assert (run.code, run.findings) == (0, ())
    first, header, values, last = run.stdout.splitlines()
    assert (first, values, last) == ("[AIV Block 0/4] by 2.500000 of 4", "[0.000000, 1.000000, 2.000000]", "done ")
    assert header.startswith("DumpTensor: desc=7, addr=0x")
    assert header.endswith("data_type=float32, position=GM, dump_size=3")


def test_the_exit_code_is_the_programs(built: Path, folder: Path) -> None:
    assert _run(built, folder, "code").code == 9


@pytest.mark.parametrize(
    ("word", "line", "words"),
    [
        ("host pointer", "if (what == \"host pointer\")", "argument 1: expected an address of aclrtMalloc"),
        ("touch", "if (what == \"touch\")", "host code reads device memory"),
        ("no wait", "aclrtMemcpy(host.data(), bytes, y", "expected aclrtSynchronizeStream between the launch"),
    ],
)  # fmt: skip
def test_what_a_device_would_not_bear_is_an_error(built: Path, folder: Path, word: str, line: str, words: str) -> None:
    with pytest.raises(RunError, match=words) as caught:
        _run(built, folder, word)
    number = next(i for i, text in enumerate(_SOURCE.splitlines(), 1) if line in text)
    assert (caught.value.findings[-1].file, caught.value.findings[-1].line) == ("scale.asc", number)


def test_calls_that_fail_on_the_device_return_their_error(built: Path, folder: Path) -> None:
    run = _run(built, folder, "wrong way")
    assert "expected addresses on the sides that the kind names" in run.findings[0].message
    run = _run(built, folder, "no device")
    assert run.code == 4
    assert "expected aclrtSetDevice before it" in run.findings[-1].message


def test_launches_are_rewritten_line_by_line() -> None:
    source = 'f<T, 4>\n  <<<n, 0, s>>>(a);\n// g<<<1, 0, s>>>()\n"h<<<1, 0, s>>>()"; space::k<<<8, nullptr, s>>>(x);'
    assert rewrite_program(source).splitlines() == [
        "::kb::Launch<f<T, 4>",
        '  >("f<T, 4>", n, 0, s)(a);',
        "// g<<<1, 0, s>>>()",
        '"h<<<1, 0, s>>>()"; ::kb::Launch<space::k>("space::k", 8, nullptr, s)(x);',
    ]
