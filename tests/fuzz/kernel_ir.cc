// Fuzz target: the text of LLVM IR from which summaries of OpenCL kernels are made.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/ir/ir_kernels.h"
#include "tracker/model/kernel_summary.h"

using namespace gpusan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string written = EncodeSummaries(SummarizeIr(text));
  // What is written can be read.
  std::vector<KernelSummary> read;
  if (DecodeSummaries(written, &read) && EncodeSummaries(read) != written) __builtin_trap();
  return 0;
}
