"""Iterators, buffer streams and tensor descriptors: which vectors they reach, in which order."""

from __future__ import annotations

import numpy as np

from tests.backends.aie.snippets import run

A = np.arange(256, dtype=np.int16)


def vectors(numbers: list[int], lanes: int = 16) -> np.ndarray:
    return A.reshape(-1, lanes)[numbers].ravel()


def test_iterators_step_by_vectors() -> None:
    body = """
    auto in = aie::cbegin_vector<16>(in0);
    auto out = aie::begin_restrict_vector<16>(out0);
    *out++ = *in++;
    *out++ = *++in;
    in += 3;
    *out++ = in[-1];
    *out++ = *(in - 2);
    --in;
    *out++ = *in--;
    *out++ = *in;
    auto ring = aie::cbegin_vector_circular<16>(in0, 48);
    for (int i = 0; i < 5; ++i) *out++ = *ring++;
    auto either = aie::cbegin_vector_random_circular<16, 64>(in0);
    either -= 1;
    *out++ = *either;
    either += 2;
    *out++ = *either;
    aie::store_v(out0 + 13 * 16, aie::add(*in, *either));
    auto pattern = aie::cbegin_pattern<4>(in0, 2, -1, 2, 1);
    for (int i = 0; i < 16; ++i) out1[i] = *pattern++;
    auto elements = aie::cbegin_circular<5>(in0 + 10);
    for (int i = 16; i < 24; ++i) out1[i] = *elements++;
    auto unaligned = aie::cbegin_unaligned_vector<8>(in0 + 3);
    auto to = aie::begin_unaligned_vector<8>(out1 + 24 + 1);
    out1[24] = 0;
    *to++ = *unaligned++;
    *to++ = *unaligned++;
    for (int i = 41; i < 48; ++i) out1[i] = 0;
    """
    got, scalars = run(body, [A], [("int16", 14 * 16), ("int16", 48)])
    assert np.array_equal(got[: 13 * 16], vectors([0, 2, 4, 3, 4, 3, 0, 1, 2, 0, 1, 3, 1]))
    assert np.array_equal(got[13 * 16 :], vectors([3]) + vectors([1]))
    assert scalars[:16].tolist() == [0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15]
    assert scalars[16:24].tolist() == [10, 11, 12, 13, 14, 10, 11, 12]
    assert scalars[25:41].tolist() == list(range(3, 19))


def test_streams_take_and_give_the_next_vector() -> None:
    body = """
    auto in = aie::make_vector_input_buffer_stream<16>(in0);
    auto out = aie::make_vector_output_buffer_stream<16>(out0);
    aie::vector<int16, 16> a, b;
    in >> a >> b;
    out << b << a;
    out.push(in.pop());
    auto shifted = aie::make_unaligned_vector_input_buffer_stream<16>(in0 + 1);
    shifted >> a >> b;
    out << b;
    """
    (got,) = run(body, [A], [("int16", 64)])
    assert np.array_equal(got, np.concatenate([vectors([1, 0, 2]), A[17:33]]))


def test_tensor_streams_walk_their_dimensions() -> None:
    """The examples of the page on tensor buffer streams."""
    body = """
    using aie::tensor_dim;
    auto cube = aie::make_tensor_descriptor<int16, 16>(tensor_dim(2u, 4), tensor_dim(2u, 2), tensor_dim(2u, 1));
    auto walk = aie::make_tensor_buffer_stream(in0, cube);
    auto out = aie::begin_vector<16>(out0);
    for (int i = 0; i < 8; ++i) *out++ = walk.pop();
    auto native = aie::make_tensor_descriptor_from_native<int16, 16>(aie::dim_3d(1u, 1, 1u, 1, 1));
    auto same = aie::make_tensor_buffer_stream(in0, native);
    for (int i = 0; i < 8; ++i) {
        aie::vector<int16, 16> v;
        same >> v;
        *out++ = v;
    }
    auto columns = aie::make_tensor_descriptor<int16, 16>(tensor_dim(2u, 0), tensor_dim(3u, 1), tensor_dim(2u, 4));
    auto down = aie::make_restrict_tensor_buffer_stream(in0, columns);
    for (int i = 0; i < 12; ++i) *out++ = down.pop();
    """
    (got,) = run(body, [A], [("int16", 28 * 16)])
    eight = list(range(8))
    assert np.array_equal(got, vectors(eight + eight + [0, 4, 1, 5, 2, 6] * 2))


def test_tensor_streams_nest_beyond_three_dimensions() -> None:
    body = """
    using aie::tensor_dim;
    auto desc = aie::make_tensor_descriptor<int16, 16>(tensor_dim(2u, 4), tensor_dim(2u, 0), tensor_dim(2u, 2),
                                                       tensor_dim(2u, 1));
    auto outer = aie::make_tensor_buffer_stream(in0, desc);
    auto back = aie::make_tensor_descriptor<int16, 16>(aie::tensor_dim(16u, 1));
    auto out = aie::make_tensor_buffer_stream(out0, back);
    for (int i = 0; i < 8; ++i) {
        auto inner = outer.pop();
        aie::vector<int16, 16> a, b;
        inner >> a >> b;
        out << a << b;
    }
    """
    (got,) = run(body, [A], [("int16", 256)])
    assert np.array_equal(got, vectors([0, 1, 2, 3] * 2 + [4, 5, 6, 7] * 2))
