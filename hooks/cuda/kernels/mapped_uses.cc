// The accesses of a launch to physical memory that is mapped behind other mappings.
#include <algorithm>

#include "hooks/cuda/kernels/launch_arguments.h"

namespace gpusan::cuda {
namespace {

// Returns the end of the bytes that the code surely accesses, from the pointer; 0: it is not known.
int64_t SureEnd(const LaunchUse& use) {
  if (!use.sure || use.unwaited) return 0;
  return std::max({use.has_core() ? use.core_last : 0, use.has_ends() ? use.end_last : 0,
                   use.ranged && use.exact ? use.last : 0, int64_t{0}});
}

}  // namespace

void LaunchArguments::AddDeniedMapping(CuCall& call, const LaunchUses& use,
                                       LaunchArgument argument) {
  const int64_t written = SureEnd(use.writes);
  const auto end = static_cast<uint64_t>(std::max(written, SureEnd(use.reads)));
  if (end == 0 || SaturatingAdd(argument.offset, end) <= argument.resource->bytes) return;
  uint64_t offset = 0;
  Resource* last = call.tracker().objects().FindAddress(
      argument.resource->handle + argument.offset + end - 1, &offset);
  if (last == nullptr || last == argument.resource || last->kind != ObjectKind::kMappedMemory ||
      !last->has(kKernelReadOnly) || !last->has(kKernelWriteOnly))
    return;
  LaunchArgument& added = arguments_.emplace_back();
  added.resource = last;
  added.index = argument.index;
  added.direction = static_cast<uint64_t>(written) == end ? Direction::kWrite : Direction::kRead;
  added.derived = added.sure = added.somewhere = added.may_offset = true;
}

}  // namespace gpusan::cuda
