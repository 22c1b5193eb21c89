// The bytes that a launch may write, by the machine code or PTX of its kernel.
#include "hooks/cuda/kernels/written_bytes.h"

#include "tracker/calls/refine_launch.h"

namespace gpusan::cuda {
namespace {

// Whether only commands that gpusan sees write the memory. Libraries make memory synchronous that
// other devices access directly (CU_POINTER_ATTRIBUTE_SYNC_MEMOPS).
bool IsWrittenSeen(const Resource& resource) {
  constexpr uint16_t kShared = kHostVisible | kImported | kMappedHost | kSynchronous;
  return resource.kind == ObjectKind::kDeviceMemory && (resource.flags & kShared) == 0 &&
         !resource.adopted;
}

bool WritesOutside(const LaunchUses& uses, const LaunchArgument& argument) {
  const auto before = -static_cast<int64_t>(argument.offset);
  const auto room = static_cast<int64_t>(argument.resource->bytes - argument.offset);
  const auto outside = [&](const LaunchUse& use) {
    return use.possible && use.ranged && (use.first >= room || use.last <= before);
  };
  return outside(uses.writes) || outside(uses.atomics);
}

}  // namespace

bool BoundWritten(const KernelUses& kernel, const LaunchUses& uses, LaunchArgument* argument,
                  Launch* launch) {
  if (!kernel.writes_unseen() && !argument->resource->root->init.all() &&
      IsWrittenSeen(*argument->resource))
    BoundWrites(uses, argument, launch);
  return WritesOutside(uses, *argument);
}

}  // namespace gpusan::cuda
