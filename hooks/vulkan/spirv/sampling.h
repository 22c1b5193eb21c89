// How instructions of a shader sample an image.
#pragma once

#include <spirv/unified1/spirv.hpp>

#include <cstdint>

namespace gpusan::vulkan {

// Bits.
enum Sampling : uint8_t {
  kSamples = 1 << 0,
  kSamplesWithoutLod = 1 << 1,  // implicit level of detail, depth comparison or projection
  kSamplesMoved = 1 << 2,       // with a bias of the level of detail, or an offset
};

// Returns the Sampling bits of an instruction, 0 for one that does not sample. `operand`: returns
// an operand of the instruction, and 0 for one that it lacks.
template <typename Operand>
uint8_t SamplingOf(spv::Op op, Operand operand) {
  const bool sparse = op >= spv::OpImageSparseSampleImplicitLod;
  const uint32_t kind =
      op - (sparse ? spv::OpImageSparseSampleImplicitLod : spv::OpImageSampleImplicitLod);
  if (kind > spv::OpImageSampleProjDrefExplicitLod - spv::OpImageSampleImplicitLod) return 0;
  uint32_t bits = kSamples;
  if (kind != spv::OpImageSampleExplicitLod - spv::OpImageSampleImplicitLod)
    bits |= kSamplesWithoutLod;
  // Pairs of instructions without and with a reference depth take turns.
  const bool depth = (kind & 2) != 0;
  constexpr uint32_t kMoved =
      1u << spv::ImageOperandsBiasShift | 1u << spv::ImageOperandsConstOffsetShift |
      1u << spv::ImageOperandsOffsetShift | 1u << spv::ImageOperandsConstOffsetsShift;
  if ((operand(depth ? 5 : 4) & kMoved) != 0) bits |= kSamplesMoved;
  return static_cast<uint8_t>(bits);
}

}  // namespace gpusan::vulkan
