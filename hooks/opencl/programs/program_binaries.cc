// Host memory that programs hand over for the text and the binaries of OpenCL programs.
#include "hooks/opencl/programs/program_binaries.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hooks/opencl/programs/binary_formats.h"
#include "tracker/rules/events/host_argument.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::opencl {

void CheckBinaryBlocks(ClCall& call, cl_program program, unsigned char* const* pointers,
                       size_t count) {
  const auto info = GPUSAN_NEXT(call, clGetProgramInfo);
  cl_uint devices = 0;
  if (info == nullptr || count == 0 ||
      info(program, CL_PROGRAM_NUM_DEVICES, sizeof(devices), &devices, nullptr) != CL_SUCCESS)
    return;
  std::vector<size_t> sizes(devices);
  if (devices == 0 || info(program, CL_PROGRAM_BINARY_SIZES, devices * sizeof(size_t), sizes.data(),
                           nullptr) != CL_SUCCESS)
    return;
  for (size_t i = 0; i < std::min<size_t>(count, devices); ++i) {
    HostBlock block;
    const auto begin = reinterpret_cast<uintptr_t>(pointers[i]);
    if (begin == 0 || !call.shadow().host_memory().FindSpan(begin, sizes[i], &block) ||
        block.end() - begin >= sizes[i])
      continue;
    rules::HostArgument use;
    use.fault = rules::HostArgument::Fault::kProgramBinary;
    use.argument = absl::StrCat("param_value[", i, "]");
    use.block = block;
    use.available = block.end() - begin;
    use.needed = sizes[i];
    rules::OnHostArgument(use, call);
  }
}

void CheckBinaries(ClCall& call, cl_uint count, const size_t* lengths,
                   const unsigned char* const* binaries) {
  if (lengths == nullptr || binaries == nullptr) return;
  for (cl_uint i = 0; i < count; ++i) {
    if (lengths[i] == 0 || binaries[i] == nullptr) {
      call.FailureReason(absl::StrCat(lengths[i] == 0 ? "lengths[" : "binaries[", i, "] is ",
                                      lengths[i] == 0 ? "0" : "NULL", " (OpenCL 3.0 §5.8.1)"));
      continue;
    }
    const std::string_view binary(reinterpret_cast<const char*>(binaries[i]), lengths[i]);
    const std::optional<BinaryLength> missing = FindMissingEnd(binary);
    if (!missing) continue;
    rules::OnFaultyCall({rules::CallFault::kBinaryCut,
                         {{"index", uint64_t{i}},
                          {"image", missing->format},
                          {"missing", missing->missing},
                          {"length", lengths[i]}}},
                        call);
  }
}

void CheckSourceStrings(ClCall& call, cl_uint count, const char* const* strings,
                        const size_t* lengths) {
  for (cl_uint i = 0; i < count; ++i) {
    if (strings[i] == nullptr || (lengths != nullptr && lengths[i] != 0)) continue;
    HostBlock block;
    const auto begin = reinterpret_cast<uintptr_t>(strings[i]);
    // The page after a mapped file has NUL characters.
    if (!call.shadow().host_memory().Find(begin, &block) || block.kind != HostBlockKind::kHeap ||
        std::memchr(strings[i], 0, block.end() - begin) != nullptr)
      continue;
    rules::HostArgument use;
    use.fault = rules::HostArgument::Fault::kSourceString;
    use.argument = absl::StrCat("strings[", i, "]");
    use.block = block;
    use.available = block.end() - begin;
    rules::OnHostArgument(use, call);
  }
}

}  // namespace gpusan::opencl
