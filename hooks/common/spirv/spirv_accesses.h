// What the compute shaders, vertex shaders and kernels of a SPIR-V module access in buffers, as
// summaries (tracker/model/kernel_summary.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hooks/common/spirv/spirv_code.h"
#include "tracker/model/kernel_summary.h"

namespace gpusan {

// A buffer that a shader reaches by a variable, or by an address in its push constants.
struct SpirvBuffer {
  uint32_t set = 0, binding = 0;  // of the variable
  bool array = false;             // one of an array of buffers
  bool by_address = false;        // the address is the 8 bytes at `address_offset`
  uint64_t address_offset = 0;    // [bytes]
  ParameterSummary summary;
};

// A number in formulas of a shader that the dispatch decides: kArgument + its index. In formulas of
// kernels, kArgument + i is the value of the integer parameter i.
struct SpirvNumber {
  // kArrayLength: the number of elements that an array at the end of a buffer has,
  // (bytes of the buffer - offset) / bytes of an element.
  // kPushConstant: the integer of so many bytes at the offset in the push constants.
  enum class Kind : uint8_t { kArrayLength, kPushConstant };
  Kind kind = Kind::kArrayLength;
  uint32_t set = 0, binding = 0;  // of the buffer
  uint64_t offset = 0;            // [bytes]
  uint64_t bytes = 0;             // of an element, or of the integer

  friend bool operator==(const SpirvNumber&, const SpirvNumber&) = default;
};

struct SpirvKernel {
  std::string name;
  // A vertex shader: its work items are the vertices and, in the second dimension, the instances.
  bool vertices = false;
  uint32_t local_size[3] = {};       // 0: the launch decides, or not known
  KernelSummary summary;             // kernels: of the parameters
  std::vector<SpirvBuffer> buffers;  // shaders: each set and binding once
  std::vector<SpirvNumber> numbers;  // shaders
};

// Reads the entry points for compute, shaders or kernels, and those of vertex shaders.
// Conservative: what is not understood is unknown. A module that cannot be read has none. Never
// reads outside of `words`.
std::vector<SpirvKernel> AnalyseSpirv(absl::Span<const uint32_t> words,
                                      absl::Span<const SpirvSpecialization> specialized);

}  // namespace gpusan
