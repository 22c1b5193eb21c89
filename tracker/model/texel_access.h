// Accesses of kernels to images in summaries.
//
// The summary of a parameter that is an image may list calls of functions that read or write
// texels, as accesses of unknown bytes, while the parameter is not known: there may be more
// accesses. SummaryAccess::bytes holds a TexelAccess instead. A call whose coordinates are formulas
// has one access for each of them, whose SummaryAccess::offset is the coordinate.
#pragma once

#include <cstdint>
#include <optional>

#include "tracker/model/kernel_summary.h"

namespace gpusan {

// The numbers that a kernel reads from an image or writes into it.
enum class TexelType : uint8_t { kFloat, kSigned, kUnsigned };

struct TexelAccess {
  TexelType type = TexelType::kFloat;
  // The dimension (0 to 2) of the coordinate; nullopt: the offset is not known.
  std::optional<uint32_t> dimension;
  // The call has a sampler, which is a parameter, a constant of the code, or not known.
  bool sampled = false;
  bool integer_coordinates = false;           // of a call with a sampler
  std::optional<uint32_t> sampler_parameter;  // index
  std::optional<uint32_t> sampler_constant;   // CLK_* values, less than 255
};

inline void SetTexelAccess(const TexelAccess& texel, SummaryAccess* access) {
  access->bytes = static_cast<uint32_t>(texel.type) + 1;
  access->bytes |= (texel.dimension ? *texel.dimension + 1 : 0) << 2;
  access->bytes |= uint32_t{texel.sampled} << 4 | uint32_t{texel.integer_coordinates} << 5;
  access->bytes |= (texel.sampler_constant ? *texel.sampler_constant + 1 : 0) << 8;
  access->bytes |= (texel.sampler_parameter ? *texel.sampler_parameter + 1 : 0) << 16;
}

// Returns nullopt for an access to bytes.
inline std::optional<TexelAccess> TexelAccessOf(const SummaryAccess& access) {
  if (access.ranged || (access.bytes & 3) == 0) return std::nullopt;
  TexelAccess texel;
  texel.type = static_cast<TexelType>((access.bytes & 3) - 1);
  const uint32_t dimension = access.bytes >> 2 & 3;
  const uint32_t constant = access.bytes >> 8 & 0xff;
  const uint32_t parameter = access.bytes >> 16;
  if (dimension != 0) texel.dimension = dimension - 1;
  texel.sampled = (access.bytes >> 4 & 1) != 0;
  texel.integer_coordinates = (access.bytes >> 5 & 1) != 0;
  if (constant != 0) texel.sampler_constant = constant - 1;
  if (parameter != 0) texel.sampler_parameter = parameter - 1;
  return texel;
}

inline std::optional<TexelType> TexelTypeOf(const SummaryAccess& access) {
  const std::optional<TexelAccess> texel = TexelAccessOf(access);
  return texel ? std::optional<TexelType>(texel->type) : std::nullopt;
}

}  // namespace gpusan
