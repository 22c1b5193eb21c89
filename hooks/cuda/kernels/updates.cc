// Atomic updates of memory that nothing has written, for example counters that are never zeroed.
#include "hooks/cuda/kernels/updates.h"

#include <algorithm>
#include <mutex>

#include "absl/strings/str_cat.h"

namespace gpusan::cuda {
namespace {

// The bytes through `argument` that the launch surely updates before it may write them otherwise;
// empty: none are known. The first one is surely updated, and the code may update fewer than all.
Region SurelyUpdated(const Function& function, const LaunchArgument& argument,
                     const std::vector<LaunchUses>& uses) {
  const int16_t number = function.whole_pointers[argument.index];
  if (number < 0 || uses[static_cast<size_t>(number)].writes.possible) return {};
  const LaunchUse& update =
      uses[function.uses->pointers().size() + static_cast<size_t>(number)].reads;
  const uint64_t room = argument.resource->bytes - argument.offset;
  if (!update.sure || !update.has_core() || update.core_first < 0 ||
      static_cast<uint64_t>(update.core_first) >= room)
    return {};
  const uint64_t first = static_cast<uint64_t>(update.core_first);
  return Region::Linear(argument.offset + first,
                        std::min(static_cast<uint64_t>(update.core_last), room) - first);
}

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

void CheckUpdates(CuCall& call, const Function& function, const Launch& launch,
                  const std::vector<LaunchUses>& uses) {
  constexpr uint16_t kWrittenUnseen = kImported | kHostVisible | kMappedHost;
  if (launch.recorded || launch.recorder != nullptr) return;
  for (const LaunchArgument& argument : launch.arguments) {
    const Resource& resource = *argument.resource;
    if (argument.indirect || argument.direction == Direction::kRead || resource.image != nullptr ||
        (resource.flags & kWrittenUnseen) != 0 || resource.root->init.all() ||
        resource.failed_write_call() != nullptr || argument.offset > resource.bytes ||
        call.tracker().shadow().MayHoldUnseenWrites(resource) || OthersMayWrite(launch, argument))
      continue;
    const Region updated = SurelyUpdated(function, argument, uses);
    if (updated.empty()) continue;
    {
      std::lock_guard lock(resource.root->lock);
      if (!resource.root->init.Untouched(updated.Shifted(resource.root_offset))) continue;
    }
    const Vocabulary& words = call.words();
    call.Add(RuleId::kUninitializedRead)
        .Severe(Severity::kWarning)
        .What(absl::StrCat(ObjectText(*function.kernel, words), " updates argument ",
                           argument.index, ", ", ObjectText(resource, words),
                           ", atomically from byte ", updated.offset,
                           " on, but nothing has written these bytes"))
        .Why(absl::StrCat("the result of an atomic update depends on the value before, and the "
                          "content of bytes that nothing wrote is undefined (",
                          words.Cite(Clause::kContentUndefined), ")"))
        .Fix("set the memory before the launch, for example to 0 with a memset in the same stream")
        .CreatedBy(resource)
        .About(resource)
        .About(*function.kernel)
        .Fact("argument", uint64_t{argument.index})
        .Fact("kernel", function.kernel->name);
    return;
  }
}

}  // namespace gpusan::cuda
