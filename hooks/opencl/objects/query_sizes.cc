// Queries whose param_value is smaller than the value.
#include "hooks/opencl/objects/query_sizes.h"

#include "absl/strings/str_cat.h"

namespace gpusan::opencl {

bool ExplainShortValue(ClCall& call, size_t size, size_t needed) {
  constexpr size_t kLongestNumber = 8;
  if (size >= needed || needed > kLongestNumber) return false;
  call.FailureReason(absl::StrCat("param_value_size is ", size, ", but the value has ", needed,
                                  " bytes (OpenCL 3.0, ", call.info().name, ", CL_INVALID_VALUE)"));
  return true;
}

}  // namespace gpusan::opencl
