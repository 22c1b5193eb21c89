// Buffers that use overlapping host memory.
#include "hooks/opencl/objects/host_storage.h"

#include <algorithm>

namespace gpusan::opencl {
namespace {

// Whether the root is a buffer in host memory that gpusan knows.
bool UsesHost(const Resource& root) {
  return root.kind == ObjectKind::kBuffer && root.has(kUsesHostMemory) && !root.adopted &&
         root.address != 0 && root.bytes <= UINTPTR_MAX - root.address;
}

}  // namespace

void CheckHostStorage(ClCall& call, const Resource* other, const Resource* written) {
  if (other == nullptr || written == nullptr || other->root == written->root) [[likely]]
    return;
  const Resource& a = *other->root;
  const Resource& b = *written->root;
  if (!UsesHost(a) || !UsesHost(b)) [[likely]]
    return;
  const uintptr_t begin = std::max(a.address, b.address);
  const uintptr_t end = std::min(a.address + a.bytes, b.address + b.bytes);
  if (begin >= end) return;
  const Vocabulary& words = call.words();
  call.Add(RuleId::kUsageMissing)
      .What(absl::StrCat(call.info().name, " writes ", ObjectText(b, words), " and uses ",
                         ObjectText(a, words), ", whose host memory overlaps: ", end - begin,
                         " B belong to both"))
      .Why(
          "the result of a command that operates on several buffers created with "
          "CL_MEM_USE_HOST_PTR for overlapping host memory is undefined (OpenCL 3.0 §5.2.1)")
      .Fix(
          "create one buffer for all of the host memory and sub-buffers for its parts, or give "
          "each buffer host memory of its own")
      .CreatedBy(b)
      .About(b)
      .About(a)
      .Fact("shared_bytes", uint64_t{end - begin});
}

}  // namespace gpusan::opencl
