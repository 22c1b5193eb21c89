// Accesses of kernels to images in summaries.
//
// The summary of a parameter that is an image may list calls of functions that read or write
// texels, as accesses of unknown bytes, while the parameter is not known: there may be more
// accesses. SummaryAccess::bytes is the type of the numbers instead.
#pragma once

#include <cstdint>
#include <optional>

#include "tracker/model/kernel_summary.h"

namespace gpusan {

// The numbers that a kernel reads from an image or writes into it.
enum class TexelType : uint8_t { kFloat, kSigned, kUnsigned };

inline void SetTexelType(TexelType type, SummaryAccess* access) {
  access->bytes = static_cast<uint32_t>(type) + 1;
}
// nullopt: the access is no access to texels.
inline std::optional<TexelType> TexelTypeOf(const SummaryAccess& access) {
  if (access.ranged || access.bytes == 0 || access.bytes > 3) return std::nullopt;
  return static_cast<TexelType>(access.bytes - 1);
}

}  // namespace gpusan
