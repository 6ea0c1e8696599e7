"""Host sides compiled, linked and run in the sandbox: what the tiling function sees and what it may decide."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from kbench.backends.ascend.sim.host import HostArgument, HostCase, HostProgram, run_tiling
from kbench.backends.ascend.sim.tiling_header import tiling_header
from kbench.backends.ascend.targets import TARGETS
from kbench.core.errors import CompileError, HarnessError, RunError, UnsupportedApi
from kbench.core.hostcc.sandbox import sandbox

from .host_demo import SUCCESS, build, host_source, tile

TALKATIVE = r"""
    const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    uint64_t ub = 0, l1 = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L1, l1);
    printf("cores %u %u %u %u\n", platform.GetCoreNum(), platform.GetCoreNumAic(), platform.GetCoreNumAiv(),
           platform.GetCoreNumVector());
    printf("memory %lu %lu workspace %u\n", ub, l1, platform.GetLibApiWorkSpaceSize());
    std::cout << "soc " << (platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND910B) << std::endl;
    std::cout << context->GetNodeName() << " " << context->GetNodeType() << " "
              << context->GetComputeNodeInputNum() << " " << context->GetComputeNodeOutputNum() << std::endl;
    for (size_t i = 0; i < context->GetComputeNodeInputNum(); ++i) {
        const gert::Shape& shape = context->GetInputShape(i)->GetStorageShape();
        printf("input %zu: %d dims, %ld elements, dtype %d\n", i, int(shape.GetDimNum()), shape.GetShapeSize(),
               context->GetInputDesc(i)->GetDataType());
    }
    printf("list %d %d\n", context->GetDynamicInputTensor(1, 0) != nullptr,
           context->GetDynamicInputTensor(1, 2) != nullptr);
    printf("absent %d\n", context->GetOptionalInputDesc(2) == nullptr);
    const gert::Tensor* n = context->GetRequiredInputTensor(3);
    printf("values %ld %ld; none %d\n", n->GetData<int64_t>()[0], n->GetData<int64_t>()[1],
           context->GetInputTensor(0)->GetData<float>() == nullptr);
    const auto* attrs = context->GetAttrs();
    printf("attrs %zu: %ld %.2f %d %s", attrs->GetAttrNum(), *attrs->GetInt(0), *attrs->GetFloat(1), *attrs->GetBool(2),
           attrs->GetStr(3));
    for (size_t i = 0; i < attrs->GetListInt(4)->GetSize(); ++i) printf(" %ld", attrs->GetListInt(4)->GetData()[i]);
    printf(" %d\n", attrs->GetAttrPointer<int64_t>(5) == nullptr);
    DemoData data;
    data.set_flag(1);
    data.set_length(-2);
    uint16_t steps[3] = {3, 4, 5};
    data.set_steps(steps);
    data.part.set_small(6);
    data.part.set_wide(7);
    data.set_scale(0.5f);
    DemoData copy = data;
    copy.set_length(context->GetInputShape(0)->GetStorageShape().GetDim(0));
    copy.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(copy.GetDataSize());
    context->SetTilingKey(7);
    context->SetScheduleMode(1);
    context->GetWorkspaceSizes(2)[1] = 4096;
    context->SetBlockDim(platform.GetCoreNumAiv());
    return ge::GRAPH_SUCCESS;
"""
ARGUMENTS = """
        const std::vector<ge::DataType> types = {ge::DT_INT32, ge::DT_INT32};
        this->Input("list").ParamType(DYNAMIC).DataType(types).AutoContiguous();
        this->Input("maybe").ParamType(OPTIONAL).DataType({ge::DT_FLOAT, ge::DT_FLOAT});
        this->Input("n").ParamType(REQUIRED).DataType({ge::DT_INT64, ge::DT_INT64}).ValueDepend(REQUIRED);
        this->Attr("axis").AttrType(OPTIONAL).Int(-1);
        this->Attr("eps").AttrType(OPTIONAL).Float(0.25);
        this->Attr("keep").AttrType(OPTIONAL).Bool(true);
        this->Attr("mode").AttrType(OPTIONAL).String("mean");
        this->Attr("dims").AttrType(OPTIONAL).ListInt({4, 5});
"""


@pytest.fixture(scope="module")
def talkative(tmp_path_factory: pytest.TempPathFactory) -> HostProgram:
    return build(host_source(TALKATIVE, ARGUMENTS), tmp_path_factory.mktemp("talkative"))


def talkative_case(*attrs: object) -> HostCase:
    inputs = [
        HostArgument.of(np.zeros((8, 33), np.float16), "float16"),
        HostArgument.of([np.zeros(4, np.int32), np.zeros((2, 3), np.int32)], "int32"),
        HostArgument.of(None, "float32"),
        HostArgument.of(np.array([5, -6]), "int64"),
    ]
    return HostCase(inputs, [HostArgument.shaped((8, 33), "float16")], attrs)


def test_the_tiling_function_sees_chip_case_and_attributes(talkative: HostProgram) -> None:
    said = tile(talkative, talkative_case(3, None, False)).stdout.splitlines()
    assert said == [
        "cores 48 24 48 0",
        "memory 196352 524032 workspace 16777216",  # 256 bytes of each memory belong to the system
        "soc 1",
        "Demo Demo 4 1",
        "input 0: 2 dims, 264 elements, dtype 1",
        "input 1: 1 dims, 4 elements, dtype 3",
        "input 2: 2 dims, 6 elements, dtype 3",
        "input 3: 1 dims, 2 elements, dtype 9",
        "list 1 0",
        "absent 1",
        "values 5 -6; none 1",
        "attrs 5: 3 0.25 0 mean 4 5 1",
    ]


def test_the_target_decides_the_core_counts(talkative: HostProgram) -> None:
    tiling = run_tiling(talkative, talkative_case(), TARGETS["ascend910b4"], sandbox=sandbox("auto"), timeout_s=10)
    assert tiling.stdout.splitlines()[0] == "cores 40 20 40 0"
    assert tiling.block_dim == 40


def test_the_launch_comes_back(talkative: HostProgram) -> None:
    tiling = tile(talkative, talkative_case())
    assert (tiling.block_dim, tiling.key, tiling.schedule_mode) == (48, 7, 1)
    assert tiling.workspaces == (0, 4096)
    assert tiling.workspace_bytes == 4096


def test_tiling_data_lies_as_in_c(talkative: HostProgram) -> None:
    # flag, 7 bytes, length, steps[3], 2 bytes, part {small, 3 bytes, wide}, scale, to a multiple of 8
    data = tile(talkative, talkative_case()).data
    assert data == struct.pack("<B7xq3H2xB3xIf4x", 1, 8, 3, 4, 5, 6, 7, 0.5)


def test_structures_are_registered_nested_ones_first(talkative: HostProgram) -> None:
    registry = talkative.registry
    assert [s.name for s in registry.structs] == ["PartData", "DemoData"]
    assert registry.default_struct == "DemoData"
    assert registry.key_structs == {7: "PartData"}
    assert "struct DemoData { uint8_t flag; int64_t length; uint16_t steps[3]; PartData part; float scale; };" in (
        tiling_header(registry.tiling_json())
    )


def test_the_definition_is_registered(talkative: HostProgram) -> None:
    registry = talkative.registry
    assert [(p.name, p.kind, p.host_read) for p in registry.inputs] == [
        ("x", "required", False),
        ("list", "dynamic", False),
        ("maybe", "optional", False),
        ("n", "required", True),
    ]
    assert [(a.name, a.type, a.default) for a in registry.attrs] == [
        ("axis", "int", -1),
        ("eps", "float", 0.25),
        ("keep", "bool", True),
        ("mode", "str", "mean"),
        ("dims", "list_int", [4, 5]),
    ]
    assert registry.rows[1] == ("float32", "int32", "float32", "int64", "float32")


def test_a_value_of_the_wrong_type_is_told(talkative: HostProgram) -> None:
    with pytest.raises(RunError, match="attribute mode is declared as str, the case gives 3") as caught:
        tile(talkative, talkative_case(1, 1.0, True, 3))
    assert caught.value.outcome == "tiling_failed"


def test_a_case_of_another_operator_is_our_mistake(talkative: HostProgram) -> None:
    with pytest.raises(HarnessError, match="the case gives 1 inputs, the definition has 4"):
        tile(talkative)


PLAIN = """
    struct Plain { int64_t length; float scale; };
    Plain* plain = context->GetTilingData<Plain>();
    plain->length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    plain->scale = static_cast<const Info*>(context->GetCompileInfo())->scale;
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
"""
INFO = """
struct Info { float scale = 0; };
static ge::graphStatus Parse(gert::TilingParseContext* context) {
    context->GetCompiledInfo<Info>()->scale = 1.5f;
    return context->GetPlatformInfo() == nullptr ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
}
static ge::graphStatus TilingFunc(gert::TilingContext* context);
IMPL_OP_OPTILING(Demo).Tiling(TilingFunc).TilingParse<Info>(Parse);
"""


def test_a_plain_structure_and_compile_information(tmp_path: Path) -> None:
    tiling = tile(build(host_source(PLAIN, before=INFO), tmp_path))
    assert tiling.data == struct.pack("<qf4x", 264, 1.5)


CLASSES = """
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    return TilingRegistry::GetInstance().DoTilingImpl(context);
}
IMPL_OP_OPTILING(Demo).Tiling(TilingFunc);
class Base : public TilingBaseClass {
public:
    explicit Base(gert::TilingContext* context) : TilingBaseClass(context) {}
protected:
    bool IsCapable() override { return true; }
    ge::graphStatus GetPlatformInfo() override { return ge::GRAPH_SUCCESS; }
    ge::graphStatus GetShapeAttrsInfo() override { return ge::GRAPH_SUCCESS; }
    ge::graphStatus DoOpTiling() override { return ge::GRAPH_SUCCESS; }
    ge::graphStatus DoLibApiTiling() override { return ge::GRAPH_SUCCESS; }
    ge::graphStatus GetWorkspaceSize() override { return ge::GRAPH_SUCCESS; }
    ge::graphStatus PostTiling() override { context_->SetBlockDim(3); return ge::GRAPH_SUCCESS; }
    uint64_t GetTilingKey() const override { return 20; }
};
class First : public Base {
public:
    using Base::Base;
protected:
    bool IsCapable() override { return false; }
    uint64_t GetTilingKey() const override { return 10; }
};
REGISTER_TILING_TEMPLATE("Demo", Base, 2000);
REGISTER_TILING_TEMPLATE("Demo", First, 1000);
"""


def test_several_sources_and_tiling_by_classes(tmp_path: Path) -> None:
    definition = host_source(SUCCESS).replace("this->AICore().SetTiling(optiling::TilingFunc);", "")
    header = '#include "register/op_impl_registry.h"\n#include "tiling/tiling_templates_registry.h"\n'
    shared = "\nint Shared() { return 1; }\n"  # in two sources, as operators do that are built into two libraries
    program = build(
        definition + shared,
        tmp_path,
        classes__cpp=f"{header}{shared}namespace optiling {{{CLASSES}}}",
        api__cpp='#include "opdev/op_log.h"\n',
    )
    assert program.skipped == ("op_host/api.cpp",)
    assert tile(program).key == 20


def test_failing_and_impossible_launches(tmp_path: Path) -> None:
    choices = """
    switch (context->GetInputShape(0)->GetStorageShape().GetDim(0)) {
        case 1: std::cout << "x is too small" << std::endl; return ge::GRAPH_FAILED;
        case 2: return ge::GRAPH_SUCCESS;
        case 3: context->SetBlockDim(65536); return ge::GRAPH_SUCCESS;
        case 4: context->GetRawTilingData()->SetDataSize(1 << 20); break;
        case 5: *reinterpret_cast<volatile int*>(16) = 1; break;
        case 6: for (volatile int i = 0; i < 2; i = 0) {} break;
        case 7: DemoData().SaveToBuffer(context->GetRawTilingData()->GetData(), 8); break;
    }
    """
    program = build(host_source(choices + SUCCESS), tmp_path)
    said = {}
    for size in range(1, 8):
        x = HostArgument.shaped((size,), "float16")
        with pytest.raises(RunError) as caught:
            run_tiling(program, HostCase([x], [x]), TARGETS["ascend910b1"], sandbox=sandbox("auto"), timeout_s=1)
        said[size] = (caught.value.outcome, str(caught.value))
    assert said[1] == (
        "tiling_failed",
        "the tiling function of Demo returned GRAPH_FAILED; it last printed: x is too small",
    )
    assert said[2] == ("tiling_failed", "SetBlockDim: expected 1 to 65535 blocks, got 0")
    assert said[3] == ("tiling_failed", "SetBlockDim: expected 1 to 65535 blocks, got 65536")
    assert said[4] == ("tiling_failed", "SetDataSize: 1048576 bytes of tiling data, 16384 fit")
    assert said[5][0] == "crash"
    assert said[5][1].startswith("op_host/demo.cpp:")
    assert said[6][0] == "timeout"
    assert said[7][0] == "tiling_failed"
    assert said[7][1].endswith(": SaveToBuffer: the buffer has 8 bytes, DemoData needs 40")
    assert said[7][1].startswith("op_host/demo.cpp:")


def test_an_operator_without_tiling(tmp_path: Path) -> None:
    source = host_source(SUCCESS).replace("this->AICore().SetTiling(optiling::TilingFunc);", "")
    with pytest.raises(RunError, match="Demo has no tiling function"):
        tile(build(source, tmp_path))


def test_unmodelled_names_are_not_the_candidate_s_fault(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedApi, match="unsupported: BatchMatmulGetTmpBufSize"):
        build(host_source("AscendC::BatchMatmulGetTmpBufSize(8);" + SUCCESS), tmp_path)


def test_invented_names_are(tmp_path: Path) -> None:
    with pytest.raises(CompileError) as caught:
        build(host_source("context->SetBlockDimension(1);" + SUCCESS), tmp_path)
    assert caught.value.outcome == "unknown_api"
    assert "SetBlockDim" in str(caught.value)


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("this is no C++;", "compile_error"),
        ('system("ls");' + SUCCESS, "forbidden_symbol"),
        ('#include "no_such_header.h"\n' + SUCCESS, "missing_include"),
    ],
)
def test_sources_that_do_not_build(body: str, outcome: str, tmp_path: Path) -> None:
    source = host_source(body)
    if "system" in body:
        source = 'extern "C" int system(const char*);\n' + source
    with pytest.raises(CompileError) as caught:
        build(source, tmp_path)
    assert caught.value.outcome == outcome


def test_the_library_s_own_state_is_out_of_reach(tmp_path: Path) -> None:
    stolen = "namespace kbhost { struct Registry; Registry& registry(); }\n"
    with pytest.raises(CompileError) as caught:
        build(stolen + host_source("kbhost::registry();" + SUCCESS), tmp_path)
    assert caught.value.outcome == "forbidden_symbol"


def test_a_definition_that_dies(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="died while it registered") as caught:
        build(host_source(SUCCESS, "*reinterpret_cast<volatile int*>(16) = 1;"), tmp_path)
    assert caught.value.outcome == "registration_error"


INFERRED = """
static ge::graphStatus Shapes(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    if (context->GetInputShape(0)->GetDim(1) == 33) context->GetOutputShape(0)->SetDim(1, 34);
    return context->GetInputShape(0)->GetDim(1) == 7 ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
}
static ge::graphStatus Types(gert::InferDataTypeContext* context) {
    return context->SetOutputDataType(0, ge::DT_FLOAT16);
}
"""


def test_what_is_inferred_of_the_outputs_is_compared_with_the_case(tmp_path: Path) -> None:
    definition = "this->SetInferShape(optiling::Shapes).SetInferDataType(optiling::Types);"
    program = build(host_source(SUCCESS, definition, INFERRED), tmp_path)

    def told(shape: tuple[int, ...], dtype: str) -> list[str]:
        x = HostArgument.shaped(shape, dtype)
        return [f"{f.severity}: {f.message}" for f in tile(program, HostCase([x], [x])).findings]

    assert told((8, 32), "float16") == []
    assert told((8, 33), "float16") == ["warning: InferShape: y: expected (8, 33), got (8, 34)"]
    assert told((8, 32), "float32") == ["warning: InferDataType: y: expected float32, got float16"]
    assert told((8, 7), "float16") == ["warning: InferShape: expected GRAPH_SUCCESS, got GRAPH_FAILED"]
