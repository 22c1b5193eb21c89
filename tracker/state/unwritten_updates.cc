// Updates of memory that nothing has written, for example counters that are never zeroed.
#include "tracker/state/unwritten_updates.h"

#include <mutex>

#include "tracker/rules/events/unwritten_update.h"
#include "tracker/rules/shared/unwritten_argument.h"

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

// Whether the launch updates all of the resource in place, and a part that cannot be padding was
// never written. Requires the lock of the resource.
bool FindGap(const LaunchArgument& argument, const UpdatedBytes& update,
             rules::UnwrittenUpdate* unwritten) {
  constexpr uint64_t kLargestPadding = 8;  // one part in so many
  const Resource& resource = *argument.resource;
  if (!update.in_place || update.anywhere || resource.root != &resource ||
      update.bytes.offset != 0 || update.bytes.width != resource.bytes ||
      !resource.init.FirstGap(resource.bytes, &unwritten->begin, &unwritten->end))
    return false;
  const uint64_t missing = unwritten->end - unwritten->begin;
  const uint64_t element_bytes = argument.element_bytes != 0 ? argument.element_bytes : 1;
  unwritten->written = resource.init.WrittenBytes(resource.bytes);
  return missing >= resource.bytes / kLargestPadding && unwritten->end == resource.bytes &&
         !rules::CanBePadding(resource, element_bytes, unwritten->begin, unwritten->end);
}

}  // namespace

bool MayWriteUnwritten(const Launch& launch) {
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.direction != Direction::kRead && !argument.resource->root->init.all()) return true;
  }
  return false;
}

void CheckUpdates(Call& call, const Launch& launch,
                  const std::function<UpdatedBytes(const LaunchArgument&)>& updated) {
  constexpr uint16_t kWrittenUnseen = kImported | kHostVisible | kMappedHost;
  if (launch.recorded || launch.recorder != nullptr) return;
  for (const LaunchArgument& argument : launch.arguments) {
    const Resource& resource = *argument.resource;
    if (argument.indirect || argument.direction == Direction::kRead || resource.image != nullptr ||
        (resource.flags & kWrittenUnseen) != 0 || resource.root->init.all() ||
        resource.failed_write_call() != nullptr || argument.offset > resource.bytes ||
        call.shadow().MayHoldUnseenWrites(resource) || OthersMayWrite(launch, argument))
      continue;
    const UpdatedBytes update = updated(argument);
    if (update.bytes.empty()) continue;
    rules::UnwrittenUpdate unwritten = {launch.kernel, argument.index, &resource};
    unwritten.anywhere = update.anywhere;
    unwritten.in_place = update.in_place;
    unwritten.begin = update.bytes.offset;
    unwritten.end = update.bytes.end();
    {
      std::lock_guard lock(resource.root->lock);
      if (!resource.root->init.Untouched(update.bytes.Shifted(resource.root_offset)) &&
          !FindGap(argument, update, &unwritten))
        continue;
    }
    rules::OnUnwrittenUpdate(unwritten, call);
    return;
  }
}

}  // namespace gpusan
