// Elements and parts of registers: their bytes move as they are.
#include "lanes.h"

using namespace kbrt;

namespace {

// The byte where part `index` of `part` bytes lies in `whole` bytes.
size_t part_at(const Desc* d, int index, int part, int whole) {
  if (index < 0 || (index + 1) * part > whole) broken_rule(d, "takes a part that lies outside the register");
  return static_cast<size_t>(index * part);
}

int element_index(const Desc* d, int index) {
  if (index < 0 || index >= elements_in(d, 0)) broken_rule(d, "takes an element that lies outside the vector");
  return index;
}

Cells cells;

}  // namespace

KB_OP(broadcast) {
  const int n = result_elements(d);
  operand_cells(d, a, 0, n, cells);
  result_cells(d, r, cells);
}

KB_OP(elem_get) {
  const int n = elements_in(d, 0), at = element_index(d, in_int(a, 1));
  operand_cells(d, a, 0, n, cells);
  __builtin_memset(r, 0, static_cast<size_t>(d->ret.bytes()));
  store_cells(bits_of(d->kind(1)), &cells[at], 1, r);
}

KB_OP(elem_set) {
  const int n = elements_in(d, 0), at = element_index(d, in_int(a, 1));
  operand_cells(d, a, 0, n, cells);
  load_cells(bits_of(d->kind(0)), a[2], 1, &cells[at]);
  result_cells(d, r, cells);
}

// Every element moves up by one, and a scalar enters at the bottom.
KB_OP(push) {
  const int n = elements_in(d, 0);
  load_cells(bits_of(d->kind(1)), a[0], n - 1, &cells[1]);
  load_cells(bits_of(d->kind(1)), a[1], 1, &cells[0]);
  result_cells(d, r, cells);
}

KB_OP(extract) {
  const size_t at = part_at(d, in_int(a, 1), d->ret.bytes(), d->args[0].bytes());
  __builtin_memcpy(r, in<char>(a, 0) + at, static_cast<size_t>(d->ret.bytes()));
}

KB_OP(insert) {
  const size_t at = part_at(d, in_int(a, 1), d->args[2].bytes(), d->ret.bytes());
  __builtin_memcpy(r, a[0], static_cast<size_t>(d->ret.bytes()));
  __builtin_memcpy(static_cast<char*>(r) + at, a[2], static_cast<size_t>(d->args[2].bytes()));
}

KB_OP(replicate) {
  const int part = d->args[0].bytes();
  for (int at = 0; at < d->ret.bytes(); at += part) {
    __builtin_memcpy(static_cast<char*>(r) + at, a[0], static_cast<size_t>(part));
  }
}

KB_OP(concat) {
  char* out = static_cast<char*>(r);
  for (int i = 0; i < d->nargs; ++i) {
    __builtin_memcpy(out, a[i], static_cast<size_t>(d->args[i].bytes()));
    out += d->args[i].bytes();
  }
}
