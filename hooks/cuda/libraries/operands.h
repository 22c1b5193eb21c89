// The parameters by which the functions of libraries get memory (operands.def).
#pragma once

#include <cstdint>

namespace gpusan::cuda {

// Values are AccessKind::argument.
enum class Operand : uint8_t {
  kNone,
#define GPUSAN_OPERAND(symbol, name) symbol,
#include "hooks/cuda/libraries/operands.def"
};

// CallInfo::operands of all functions of libraries.
inline constexpr const char* kOperandNames[] = {
#define GPUSAN_OPERAND(symbol, name) name,
#include "hooks/cuda/libraries/operands.def"
};

inline const char* NameOf(Operand operand) { return kOperandNames[static_cast<int>(operand) - 1]; }

}  // namespace gpusan::cuda
