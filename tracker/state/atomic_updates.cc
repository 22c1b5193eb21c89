// Atomic updates of memory that nothing has written, for example counters that are never zeroed.
#include "tracker/state/atomic_updates.h"

#include <mutex>

#include "tracker/rules/unwritten_update.h"

namespace gpusan {
namespace {

// Whether another parameter may write the memory first.
bool OthersMayWrite(const Launch& launch, const LaunchArgument& argument) {
  for (const LaunchArgument& other : launch.arguments) {
    if (other.index != argument.index && other.resource->root == argument.resource->root &&
        other.direction != Direction::kRead && other.direction != Direction::kNone)
      return true;
  }
  return false;
}

}  // namespace

bool MayWriteUnwritten(const Launch& launch) {
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.direction != Direction::kRead && !argument.resource->root->init.all()) return true;
  }
  return false;
}

void CheckUpdates(Call& call, const Launch& launch,
                  const std::function<Region(const LaunchArgument&)>& updated) {
  constexpr uint16_t kWrittenUnseen = kImported | kHostVisible | kMappedHost;
  if (launch.recorded || launch.recorder != nullptr) return;
  for (const LaunchArgument& argument : launch.arguments) {
    const Resource& resource = *argument.resource;
    if (argument.indirect || argument.direction == Direction::kRead || resource.image != nullptr ||
        (resource.flags & kWrittenUnseen) != 0 || resource.root->init.all() ||
        resource.failed_write_call() != nullptr || argument.offset > resource.bytes ||
        call.shadow().MayHoldUnseenWrites(resource) || OthersMayWrite(launch, argument))
      continue;
    const Region bytes = updated(argument);
    if (bytes.empty()) continue;
    {
      std::lock_guard lock(resource.root->lock);
      if (!resource.root->init.Untouched(bytes.Shifted(resource.root_offset))) continue;
    }
    rules::OnUnwrittenUpdate({launch.kernel, argument.index, &resource, bytes.offset}, call);
    return;
  }
}

}  // namespace gpusan
