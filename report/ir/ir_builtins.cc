// Names of the built-in functions of OpenCL C.
#include "report/ir/ir_builtins.h"

#include <algorithm>

namespace gpusan {

std::string_view BuiltinName(std::string_view mangled, std::string_view* rest) {
  if (mangled.substr(0, 2) != "_Z") return {};
  mangled.remove_prefix(2);
  size_t length = 0;
  while (!mangled.empty() && mangled[0] >= '0' && mangled[0] <= '9' && length < 1000) {
    length = length * 10 + static_cast<size_t>(mangled[0] - '0');
    mangled.remove_prefix(1);
  }
  if (length == 0 || length > mangled.size()) return {};
  *rest = mangled.substr(length);
  return mangled.substr(0, length);
}

uint64_t MangledBytes(std::string_view rest) {
  if (rest.size() >= 2 && rest.substr(rest.size() - 2) == "Dh") return 2;
  switch (rest.empty() ? ' ' : rest.back()) {
    case 'a':
    case 'c':
    case 'h':
      return 1;
    case 's':
    case 't':
      return 2;
    case 'i':
    case 'j':
    case 'f':
      return 4;
    case 'l':
    case 'm':
    case 'd':
      return 8;
    default:
      return 0;
  }
}

uint64_t AtomicBytes(std::string_view rest) {
  if (!rest.starts_with("P")) return 0;
  rest.remove_prefix(1);
  constexpr std::string_view kSpace = "U3AS", kAtomic = "U7_Atomic";
  if (rest.starts_with(kSpace)) rest.remove_prefix(std::min(rest.size(), kSpace.size() + 1));
  if (rest.starts_with("V")) rest.remove_prefix(1);
  if (rest.starts_with(kAtomic)) rest.remove_prefix(kAtomic.size());
  return MangledBytes(rest.substr(0, 1));
}

bool IsUpdate(std::string_view name) {
  for (const std::string_view prefix : {"atomic_", "atom_"}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  if (name.starts_with("fetch_")) return true;
  for (const std::string_view update :
       {"add", "sub", "inc", "dec", "min", "max", "and", "or", "xor"}) {
    if (name == update) return true;
  }
  return false;
}

std::optional<Extreme> ExtremeOf(std::string_view function) {
  static constexpr struct {
    std::string_view name;
    Extreme extreme;
  } kFunctions[] = {
      {"@_Z3minii", {true, true}},       {"@_Z3maxii", {false, true}},
      {"@_Z3minll", {true, true}},       {"@_Z3maxll", {false, true}},
      {"@_Z3minjj", {true, false}},      {"@_Z3maxjj", {false, false}},
      {"@_Z3minmm", {true, false}},      {"@_Z3maxmm", {false, false}},
      {"@llvm.smin.i32", {true, true}},  {"@llvm.smax.i32", {false, true}},
      {"@llvm.smin.i64", {true, true}},  {"@llvm.smax.i64", {false, true}},
      {"@llvm.umin.i32", {true, false}}, {"@llvm.umax.i32", {false, false}},
      {"@llvm.umin.i64", {true, false}}, {"@llvm.umax.i64", {false, false}},
  };
  for (const auto& one : kFunctions) {
    if (one.name == function) return one.extreme;
  }
  return std::nullopt;
}

bool IsClamp(std::string_view function, bool* is_signed) {
  const bool with_sign = function == "@_Z5clampiii" || function == "@_Z5clamplll";
  if (!with_sign && function != "@_Z5clampjjj" && function != "@_Z5clampmmm") return false;
  *is_signed = with_sign;
  return true;
}

}  // namespace gpusan
