// Fuzz target: the decoder of machine code and the analysis of kernels. The first byte is the
// architecture, the second one the size of the parameters; the rest is code.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hooks/cuda/machine_code/cubin.h"
#include "hooks/cuda/machine_code/cubin_access.h"
#include "hooks/cuda/machine_code/first_thread.h"
#include "hooks/cuda/machine_code/instruction.h"
#include "tests/unit/cuda/access_ranges.h"

using namespace gpusan::cuda;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  constexpr unsigned kArchitectures[] = {75, 80, 86, 90, 100, 120, 121, 42};
  CubinKernel kernel;
  kernel.name = "kernel";
  kernel.architecture = kArchitectures[data[0] % std::size(kArchitectures)];
  kernel.parameter_base = kernel.architecture < 90 ? 0x160 : data[0] < 128 ? 0x210 : 0x380;
  kernel.parameter_bytes = data[1];
  for (unsigned at = 0; at + 8 <= kernel.parameter_bytes; at += 8)
    kernel.parameters.push_back({at / 8, at, 8});
  // A copy, so that the sanitizer sees an access behind the end.
  const std::vector<unsigned char> code(data + 2, data + size - (size - 2) % kInstructionBytes);
  kernel.code = code;
  for (size_t at = 0; at + kInstructionBytes <= code.size(); at += kInstructionBytes)
    Decode(code, at, kernel.architecture);
  const std::vector<unsigned char> block(kernel.parameter_bytes, data[0]);
  ThreadInput input;
  input.parameters = block;
  const uint32_t pointers[] = {0, 16};
  if (block.size() >= 24) input.pointers = pointers;
  ThreadCode(kernel).Execute(input);
  const KernelAccess access = Summarize(kernel);
  if (!access.known()) return 0;
  const std::vector<unsigned char> parameters(kernel.parameter_bytes, 0x7f);
  RangesFor(access, {{3, 2, 1}, {64, 2, 1}}, parameters);
  RangesFor(access, {{UINT32_MAX, 65535, 65535}, {1024, 1, 1}}, parameters);
  return 0;
}
