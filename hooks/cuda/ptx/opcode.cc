// The properties of a PTX instruction that the data flow needs.
#include "hooks/cuda/ptx/opcode.h"

#include <algorithm>
#include <unordered_map>

namespace gpusan::cuda {
namespace {

PtxOperation OperationOf(std::string_view head) {
  static const auto* const operations = new std::unordered_map<std::string_view, PtxOperation>{
#define GPUSAN_PTX(name, operation) {#name, PtxOperation::operation},
#include "hooks/cuda/ptx/operations.def"
#undef GPUSAN_PTX
  };
  const auto found = operations->find(head);
  return found != operations->end() ? found->second : PtxOperation::kUnknown;
}

struct Type {
  std::string_view name;
  unsigned bits;
  bool is_signed, is_float;
};
constexpr Type kTypes[] = {
    {"pred", 1, false, false},   {"b8", 8, false, false},     {"u8", 8, false, false},
    {"s8", 8, true, false},      {"b16", 16, false, false},   {"u16", 16, false, false},
    {"s16", 16, true, false},    {"f16", 16, false, true},    {"bf16", 16, false, true},
    {"b32", 32, false, false},   {"u32", 32, false, false},   {"s32", 32, true, false},
    {"f32", 32, false, true},    {"f16x2", 32, false, true},  {"bf16x2", 32, false, true},
    {"tf32", 32, false, true},   {"b64", 64, false, false},   {"u64", 64, false, false},
    {"s64", 64, true, false},    {"f64", 64, false, true},    {"f32x2", 64, false, true},
    {"b128", 128, false, false}, {"u16x2", 32, false, false}, {"s16x2", 32, true, false},
    {"e4m3x2", 16, false, true}, {"e5m2x2", 16, false, true}};

const Type* TypeOf(std::string_view modifier) {
  const auto* found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                   [&](const Type& one) { return one.name == modifier; });
  return found != std::end(kTypes) ? found : nullptr;
}

PtxSpace SpaceOf(std::string_view modifier) {
  if (modifier == "global") return PtxSpace::kGlobal;
  if (modifier == "const") return PtxSpace::kConst;
  if (modifier == "local") return PtxSpace::kLocal;
  if (modifier == "shared" || modifier.substr(0, 8) == "shared::") return PtxSpace::kShared;
  if (modifier == "param" || modifier.substr(0, 7) == "param::") return PtxSpace::kParameter;
  return PtxSpace::kUnknown;
}

// cp.async reads global memory and commits; the other copies are not known.
PtxOperation CopyOperation(const PtxOpcode& opcode) {
  const std::string_view text = opcode.text;
  if (text.substr(0, 21) == "cp.async.commit_group" ||
      text.substr(0, 19) == "cp.async.wait_group" || text.substr(0, 17) == "cp.async.wait_all")
    return PtxOperation::kNothing;
  if (text.substr(0, 12) == "cp.async.ca." || text.substr(0, 12) == "cp.async.cg.")
    return PtxOperation::kCopyToShared;
  return PtxOperation::kUnknown;
}

}  // namespace

bool PtxOpcode::Has(std::string_view modifier) const {
  for (size_t at = text.find('.'); at != std::string_view::npos;) {
    const size_t end = text.find('.', at + 1);
    if (text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1) == modifier)
      return true;
    at = end;
  }
  return false;
}

PtxOpcode ReadPtxOpcode(std::string_view text) {
  PtxOpcode opcode;
  opcode.text = text;
  size_t at = text.find('.');
  opcode.head = text.substr(0, at);
  while (at != std::string_view::npos) {
    const size_t end = text.find('.', at + 1);
    const std::string_view modifier =
        text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    at = end;
    if (const Type* type = TypeOf(modifier)) {
      opcode.other = opcode.type;
      opcode.type = type->name;
      opcode.bits = type->bits;
      opcode.is_signed = type->is_signed;
      opcode.is_float = type->is_float;
    } else if (const PtxSpace space = SpaceOf(modifier); space != PtxSpace::kUnknown) {
      if (opcode.generic) opcode.space = space;
      opcode.generic = false;
    } else if (modifier == "v2" || modifier == "v4" || modifier == "v8") {
      opcode.vector = static_cast<unsigned>(modifier[1] - '0');
    } else if (modifier == "volatile" || modifier == "relaxed" || modifier == "acquire" ||
               modifier == "release" || modifier == "mmio") {
      opcode.strong = true;
    }
  }
  opcode.operation = opcode.head == "cp" ? CopyOperation(opcode) : OperationOf(opcode.head);
  // Asynchronous stores, and loads and reductions of several devices, have other operands.
  const bool other_form =
      (opcode.head == "st" || opcode.head == "red") && (opcode.Has("async") || opcode.Has("bulk"));
  if (other_form) opcode.operation = PtxOperation::kUnknown;
  return opcode;
}

}  // namespace gpusan::cuda
