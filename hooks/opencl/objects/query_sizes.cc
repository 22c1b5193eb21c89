// Queries whose param_value is smaller than the value, or than the memory at param_value.
#include "hooks/opencl/objects/query_sizes.h"

#include "absl/strings/str_cat.h"
#include "tracker/memory/heap_chunks.h"
#include "tracker/rules/events/host_argument.h"

namespace gpusan::opencl {

bool ExplainShortValue(ClCall& call, size_t size, size_t needed) {
  constexpr size_t kLongestNumber = 8;
  if (size >= needed || needed > kLongestNumber) return false;
  call.FailureReason(absl::StrCat("param_value_size is ", size, ", but the value has ", needed,
                                  " bytes (OpenCL 3.0, ", call.info().name, ", CL_INVALID_VALUE)"));
  return true;
}

bool FindShortBlock(ClCall& call, const void* value, size_t size, HostBlock* block) {
  const auto begin = reinterpret_cast<uintptr_t>(value);
  if (value == nullptr) return false;
  if (call.shadow().host_memory().FindSpan(begin, size, block)) return block->end() - begin < size;
  if (!MayExceedChunk(begin, size)) return false;
  *block = {begin, FindChunk(begin), HostBlockKind::kHeap, kUnknownSite};
  return block->bytes != 0 && block->bytes < size;
}

void ReportShortBlock(ClCall& call, const void* value, size_t needed, const HostBlock& block) {
  rules::HostArgument use;
  use.fault = rules::HostArgument::Fault::kQueryValue;
  use.argument = "param_value";
  use.block = block;
  use.available = block.end() - reinterpret_cast<uintptr_t>(value);
  use.needed = needed;
  rules::OnHostArgument(use, call);
}

}  // namespace gpusan::opencl
