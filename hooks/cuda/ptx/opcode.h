// The properties of a PTX instruction that the data flow needs: operation, type, state space and
// modifiers.
#pragma once

#include <cstdint>
#include <string_view>

#include "hooks/cuda/ptx/module.h"

namespace gpusan::cuda {

enum class PtxOperation : uint8_t {
  kUnknown,  // may do anything
  kNothing,  // writes no register, and no global memory
  kNumber,   // the results are computed from no pointer
  kOpaque,   // the results are an unknown function of the operands
  kFetch,    // the results come from shared memory
  kMove,
  kAdd,
  kSubtract,
  kNegate,
  kMultiply,
  kMultiplyAdd,
  kShiftLeft,
  kShiftRight,
  kBitField,  // some bits of an operand
  kLogic,
  kMinMax,
  kSelect,
  kConvert,
  kConvertAddress,
  kCompare,
  kLoad,
  kStore,
  kAtomic,
  kReduction,
  kCopyToShared,
  kReadTexels,   // through a texture or surface object
  kWriteTexels,  // through a surface object
  kBranch,
  kEnd  // of the thread
};

struct PtxOpcode {
  PtxOperation operation = PtxOperation::kUnknown;
  std::string_view head;   // "ld"
  std::string_view type;   // the last modifier that is a type: "f32"; empty: none
  std::string_view other;  // the type in front of it: of a conversion, its source is `type`
  unsigned bits = 0;       // of `type`
  bool is_signed = false;
  bool is_float = false;
  unsigned vector = 1;  // elements of a load or store
  PtxSpace space = PtxSpace::kUnknown;
  bool generic = true;  // names no state space
  bool strong = false;  // volatile, or ordered with other threads

  // Whether the opcode has the modifier, for example "wide".
  bool Has(std::string_view modifier) const;
  std::string_view text;
};

PtxOpcode ReadPtxOpcode(std::string_view text);

}  // namespace gpusan::cuda
