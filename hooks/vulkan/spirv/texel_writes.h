// The texels of storage images that a compute shader surely writes.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/common/spirv/spirv_code.h"

namespace gpusan::vulkan {

// A box of texels: each texel of it is written by an invocation, whatever the shader reads.
struct ShaderTexels {
  // One coordinate: `first`, or as many values from `first` on as there are workgroups along `axis`
  // times `size`. The first workgroup has the first values.
  struct Coordinate {
    static constexpr uint8_t kConstant = 3;
    uint32_t first = 0;
    uint32_t size = 1;
    uint8_t axis = kConstant;  // 0 to 2: x, y and z of the workgroups
  };
  uint8_t coordinates = 0;  // used ones
  Coordinate at[3];
};

struct TexelWrite {
  uint32_t variable = 0;  // the image, which is no array
  ShaderTexels texels;
};

// Reads the image stores of the first block of an entry point, which every invocation runs, as far
// as their coordinates are constants, or identifiers of the invocation or workgroup with a constant
// added. At most 8.
std::vector<TexelWrite> ReadTexelWrites(const SpirvCode& code, uint32_t function);

}  // namespace gpusan::vulkan
