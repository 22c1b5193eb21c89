// Buffers that use overlapping host memory.
#include "hooks/opencl/objects/host_storage.h"

#include <algorithm>

#include "tracker/rules/faults/faulty_call.h"

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
  rules::OnFaultyCall(
      {rules::CallFault::kHostStorageShared, {{"shared_bytes", uint64_t{end - begin}}}, &b, &a},
      call);
}

}  // namespace gpusan::opencl
