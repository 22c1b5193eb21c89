// Fuzz target: the reader of PTX and the analysis of its kernels.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hooks/cuda/ptx/module.h"
#include "hooks/cuda/ptx/ptx_access.h"
#include "tests/unit/cuda/access_ranges.h"

using namespace gpusan::cuda;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // A copy, so that the sanitizer sees an access behind the end.
  const std::vector<char> text(data, data + size);
  const PtxModule module = ReadPtxModule({text.data(), text.size()});
  for (const PtxModule::Kernel& one : module.kernels) {
    const PtxKernel kernel = ReadPtxKernel(module, one);
    const KernelAccess access = Summarize(module, kernel);
    if (!access.known()) continue;
    const std::vector<unsigned char> parameters(kernel.parameter_bytes, 0x7f);
    RangesFor(access, {{3, 2, 1}, {64, 2, 1}}, parameters);
    RangesFor(access, {{UINT32_MAX, 65535, 65535}, {1024, 1, 1}}, parameters);
  }
  return 0;
}
