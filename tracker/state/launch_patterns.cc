// The accesses of launches without findings, for launches that repeat them.
#include "tracker/state/launch_patterns.h"

#include <algorithm>
#include <mutex>

#include "tracker/state/accesses.h"

namespace gpusan {
namespace {

// Whether the checks of a launch read more of the resource than its size, its format and what was
// written.
[[gnu::always_inline]] inline bool NeedsChecks(const Resource& resource) {
  constexpr uint16_t kChecked =
      kHostVisible | kImported | kMappedHost | kUsesHostMemory | kKernelReadOnly | kKernelWriteOnly;
  const Resource& root = *resource.root;
  return ((resource.flags | root.flags) & kChecked) != 0 ||
         resource.kind == ObjectKind::kDeviceMemory || root.kind == ObjectKind::kSvm ||
         resource.more() != nullptr || root.more() != nullptr;
}

// Returns the bytes of the resource that the launch may access through the argument.
ByteRange TouchedBytes(const LaunchUses& uses, const LaunchArgument& argument) {
  const auto bytes = static_cast<int64_t>(argument.resource->bytes);
  const auto offset = static_cast<int64_t>(argument.offset);
  int64_t first = bytes, last = 0;
  for (const LaunchUse* use : {&uses.reads, &uses.writes, &uses.atomics}) {
    if (!use->possible) continue;
    if (!use->ranged) return {0, argument.resource->bytes};
    first = std::min(first, std::max<int64_t>(use->first + offset, 0));
    last = std::max(last, std::min(use->last + offset, bytes));
  }
  if (first >= last) return {};
  return {static_cast<uint64_t>(first), static_cast<uint64_t>(last)};
}

}  // namespace

void KeepPattern(Kernel& kernel, const LaunchShape& shape, const Launch& launch) {
  if (kernel.summary == nullptr || !kernel.indirect.empty() || launch.recorded) return;
  std::lock_guard lock(kernel.lock);
  KeptLaunch& kept = UsesOfLaunch(kernel, shape);
  if (!kept.repeated() || kept.pattern() != nullptr) return;
  LaunchPattern pattern;
  pattern.samplers = kernel.samplers;
  for (uint32_t i = 0; i < kernel.arguments.size(); ++i) {
    const KernelArgument& argument = kernel.arguments[i];
    const Resource* resource = argument.resource.get();
    if (resource == nullptr) {
      if (argument.kind == ArgumentKind::kMemory || argument.resource.object != nullptr) return;
      continue;
    }
    if (NeedsChecks(*resource) || resource->bytes > INT64_MAX / 2) return;
    LaunchPattern::Memory& memory = pattern.memories.emplace_back();
    memory.argument = i;
    memory.bytes = resource->bytes;
    memory.offset = argument.offset;
    if (resource->image != nullptr) memory.image = *resource->image;
  }
  for (const LaunchArgument& argument : launch.arguments) {
    const auto memory = std::find_if(
        pattern.memories.begin(), pattern.memories.end(),
        [&](const LaunchPattern::Memory& one) { return one.argument == argument.index; });
    if (memory == pattern.memories.end() || argument.indirect) return;
    const bool known =
        argument.index < kept.uses.size() && kernel.summary->parameters[argument.index].known;
    memory->touched = known ? TouchedBytes(kept.uses[argument.index], argument)
                            : ByteRange{0, argument.resource->bytes};
    memory->read |= argument.direction == Direction::kRead;
    const Access access = AccessOf(launch, argument);
    const uint64_t begin = access.region.offset - argument.resource->root_offset;
    pattern.uses.push_back({static_cast<uint32_t>(memory - pattern.memories.begin()),
                            access,
                            {begin, begin + access.region.width}});
  }
  kept.SetPattern(std::move(pattern));
}

namespace {

// Whether the argument is memory like that of the pattern, all of which was written if that
// matters. `context` is that of the queue.
bool IsLike(const KernelArgument& argument, const LaunchPattern::Memory& memory,
            const Object* context) {
  const Resource* resource = argument.resource.get();
  if (resource == nullptr || !resource->live() || resource->context != context ||
      resource->bytes != memory.bytes || argument.offset != memory.offset || NeedsChecks(*resource))
    return false;
  if (memory.image.has_value() != (resource->image != nullptr) ||
      (memory.image && !memory.image->Resembles(*resource->image)))
    return false;
  const InitMap& init = resource->root->init;
  if (init.all()) return true;
  const Region touched = Region::Linear(resource->root_offset + memory.touched.begin,
                                        memory.touched.end - memory.touched.begin);
  return !memory.read && init.SurelyCovered(touched);
}

}  // namespace

const KeptLaunch* FindRepeated(const Kernel& kernel, const LaunchShape& shape,
                               const Object* context) {
  if (!kernel.indirect.empty() || kernel.kept == nullptr) return nullptr;
  const KeptLaunch* launch = kernel.kept->FindRepeated(shape, kernel.arguments);
  if (launch == nullptr) return nullptr;
  const LaunchPattern& pattern = *launch->pattern();
  if (pattern.samplers != kernel.samplers) return nullptr;
  auto memory = pattern.memories.begin();
  for (uint32_t i = 0; i < kernel.arguments.size(); ++i) {
    if (kernel.arguments[i].resource.object == nullptr) continue;
    if (memory == pattern.memories.end() || memory->argument != i ||
        !IsLike(kernel.arguments[i], *memory, context))
      return nullptr;
    ++memory;
  }
  return memory == pattern.memories.end() ? launch : nullptr;
}

std::shared_ptr<const KeptLaunch> HoldRepeated(const Kernel& kernel, const LaunchShape& shape,
                                               const Object* context) {
  std::lock_guard lock(kernel.lock);
  const KeptLaunch* launch = FindRepeated(kernel, shape, context);
  return launch != nullptr ? launch->shared_from_this() : nullptr;
}

}  // namespace gpusan
