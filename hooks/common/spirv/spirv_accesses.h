// Reads summaries (tracker/model/kernel_summary.h) of buffer accesses from SPIR-V modules: those of
// compute, vertex and fragment shaders and of kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hooks/common/spirv/spirv_code.h"
#include "tracker/model/kernel_summary.h"

namespace gpusan {

// A buffer that a shader accesses by a variable, or by an address in its push constants.
struct SpirvBuffer {
  uint32_t set = 0, binding = 0;  // of the variable
  bool array = false;             // one of an array of buffers
  bool by_address = false;        // the address is the 8 bytes at `address_offset`
  uint64_t address_offset = 0;    // [bytes]
  ParameterSummary summary;
};

// A number in the formulas of a shader that is known only at the dispatch. In the formulas it is
// kArgument + its index in SpirvKernel::numbers. In the formulas of kernels, kArgument + i is the
// value of the integer parameter i.
struct SpirvNumber {
  // kArrayLength: the number of elements of the array at the end of a buffer,
  // (bytes of the buffer - offset) / bytes of an element.
  // kPushConstant: the integer of `bytes` bytes at `offset` in the push constants.
  enum class Kind : uint8_t { kArrayLength, kPushConstant };
  Kind kind = Kind::kArrayLength;
  uint32_t set = 0, binding = 0;  // of the buffer
  uint64_t offset = 0;            // [bytes]
  uint64_t bytes = 0;             // of an element, or of the integer

  friend bool operator==(const SpirvNumber&, const SpirvNumber&) = default;
};

// kVertex: the work items are the vertices and, in the second dimension, the instances. kFragment:
// formulas name no work items.
enum class SpirvStage : uint8_t { kCompute, kVertex, kFragment };

struct SpirvKernel {
  std::string name;
  SpirvStage stage = SpirvStage::kCompute;
  uint32_t local_size[3] = {};       // 0: unknown until the launch, or unknown
  KernelSummary summary;             // kernels: of the parameters
  std::vector<SpirvBuffer> buffers;  // shaders: each set and binding once
  std::vector<SpirvNumber> numbers;  // shaders
};

// Returns the compute, vertex and fragment shaders and the kernels of the module. Accesses that the
// reader does not understand are unknown in the summaries. Returns an empty list for a damaged
// module. Never reads outside of `words`.
std::vector<SpirvKernel> AnalyseSpirv(absl::Span<const uint32_t> words,
                                      absl::Span<const SpirvSpecialization> specialized);

}  // namespace gpusan
