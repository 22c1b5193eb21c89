// The push constants and the parts of uniform buffers that an entry point of a SPIR-V module reads.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/common/spirv/spirv_code.h"

namespace gpusan::vulkan {

// Sets of push constants, or of words of a uniform block: bit N stands for the bytes
// [4 * N, 4 * N + 4).
using PushWords = uint64_t;

// A constant that is read by an index that is not constant, or in a copy of a structure, may be
// unused: only `all` and `some` count it.
struct PushReads {
  PushWords all = 0;            // statically used
  PushWords sure = 0;           // of them, those that each invocation reads
  std::vector<PushWords> some;  // at least one constant of each set is statically used
};

// Reads what `function` and the functions that it calls use. Reads that are not understood, and
// those after the first 256 bytes, are left out.
PushReads ReadPushes(const SpirvCode& code, uint32_t function);

struct UniformReads {
  uint32_t variable = 0;
  PushWords sure = 0;  // those that each invocation reads
};

// The variables of uniform blocks of which each invocation of the entry point `function` reads a
// word. Reads that are not understood, and those after the first 256 bytes, are left out.
std::vector<UniformReads> ReadUniforms(const SpirvCode& code, uint32_t function);

}  // namespace gpusan::vulkan
