// Checks accesses of the host to mapped memory against accesses of the device.
#include "hooks/vulkan/mapped/host_access.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "hooks/vulkan/mapped/map_guards.h"
#include "hooks/vulkan/objects/queues.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::MappedUse::Fault;

// The maximum number of bytes of one access whose content is compared.
constexpr uint64_t kMaxLook = 1 << 20;

// A defect that is reported when no lock is held.
struct Found {
  rules::MappedUse use;
  DeviceUse device;
};

Found FaultOf(Fault fault, const Resource& memory, const MemoryState& state,
              const DeviceUse& device, uint64_t begin, uint64_t end) {
  Found found;
  found.device = device;
  found.use.fault = fault;
  // A shader need not access what is bound to it, and the host's access is only inferred here.
  found.use.certain = (fault == Fault::kUnflushed || fault == Fault::kNeverFlushed)
                          ? device.exact
                          : fault == Fault::kWriteInFlight;
  found.use.memory = &memory;
  found.use.resource = device.resource.get();
  found.use.offset = begin;
  found.use.bytes = end - begin;
  found.use.device = device.call;
  found.use.device_site = device.site;
  found.use.device_label = device.label;
  found.use.device_writes = device.write;
  found.use.stages = device.stage;
  found.use.accesses = device.access;
  found.use.map_site = state.map_site;
  return found;
}

// The memory of a lost device has unknown content.
bool Lost(VkCall& call) { return call.device().lost.load(std::memory_order_relaxed); }

void Report(VkCall& call, const std::optional<Found>& found) {
  if (found && !Lost(call)) rules::OnMappedUse(found->use, call);
}

// Reports the defect only if no barrier made the write visible to the host.
void ReportIfInvisible(VkCall& call, const std::optional<Found>& found) {
  if (found && !Lost(call) && !HostSees(call.device(), found->device))
    rules::OnMappedUse(found->use, call);
}

HostView& ViewOf(VkCall& call, const Resource& memory, MemoryState& state) {
  if (state.view == nullptr) {
    state.view = std::make_unique<HostView>();
    state.view->agreed.Reset(memory.bytes, call.device().limits.nonCoherentAtomSize);
  }
  return *state.view;
}

// The address of the memory object's first byte, by the current mapping.
uintptr_t BaseOf(const MemoryState& state) {
  return reinterpret_cast<uintptr_t>(state.mapped) - state.mapped_range.offset;
}

bool Pending(VkCall& call, const DeviceUse& use) {
  return !call.tracker().ordering().host().Completed(use.epoch);
}

// Whether the device may write to the memory in a way that gpusan does not see.
bool MayChangeUnseen(VkCall& call, const Resource& memory) {
  return MemoryOf(memory).addressed || call.tracker().shadow().MayHoldUnseenWrites(memory);
}

// Whether no pending work writes to [begin, end).
bool OnlyHostChanges(VkCall& call, const Resource& memory, uint64_t begin, uint64_t end) {
  const MemoryState& state = MemoryOf(memory);
  const HostClock& host = call.tracker().ordering().host();
  return !MayChangeUnseen(call, memory) &&
         (!state.unknown_write.valid() || host.Completed(state.unknown_write)) &&
         !state.view->WritePending(begin, end, host);
}

// Whether the mapping covers only the buffer, which `use` writes as a whole.
bool IsReadback(const MemoryState& state, const DeviceUse& use) {
  const Resource* resource = use.resource.get();
  if (!use.write || resource == nullptr || !resource->live()) return false;
  const ScopedState& bound = ScopedOf(*resource);
  return state.mapped_range.offset >= bound.memory_offset &&
         state.mapped_range.end() <= bound.memory_offset + bound.memory_bytes &&
         use.begin <= bound.memory_offset && use.end >= bound.memory_offset + resource->bytes;
}

// Whether the host reads the memory fast.
bool IsFast(const Device& device, const MemoryState& state) {
  const VkMemoryPropertyFlags flags = device.memory.memoryTypes[state.type].propertyFlags;
  return (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0 ||
         (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) == 0;
}

HostView::Watch WatchOf(const MemoryState& state, const DeviceUse& use, uint64_t most) {
  HostView::Watch watch;
  watch.use = use;
  watch.begin = std::max(use.begin, state.mapped_range.offset);
  watch.end = std::min({use.end, state.mapped_range.end(), watch.begin + most});
  if (const DeviceUse* write = state.view->LastWrite(watch.begin, watch.end); write != nullptr)
    watch.last_write = write->epoch;
  watch.hash =
      HashOf(reinterpret_cast<const void*>(BaseOf(state) + watch.begin), watch.end - watch.begin);
  return watch;
}

bool Unchanged(const MemoryState& state, const HostView::Watch& watch) {
  return watch.hash == HashOf(reinterpret_cast<const void*>(BaseOf(state) + watch.begin),
                              watch.end - watch.begin);
}

// Checks a read that the program seems to have made, through the mapping or after an invalidation,
// of the device's last write.
void CheckRead(VkCall& call, const Resource& memory, const MemoryState& state, const DeviceUse& use,
               uint64_t begin, uint64_t end, std::optional<Found>* early,
               std::optional<Found>* unseen) {
  if (Pending(call, use)) {
    *early = FaultOf(Fault::kReadInFlight, memory, state, use, begin, end);
    return;
  }
  *unseen = FaultOf(Fault::kNoHostBarrier, memory, state, use, begin, end);
}

}  // namespace

bool HostSees(Device& device, const DeviceUse& use) {
  if (use.host_visible) return true;
  std::vector<QueueState*> queues;
  {
    std::lock_guard lock(device.queues_lock);
    queues = device.queues;
  }
  for (QueueState* queue : queues) {
    std::lock_guard lock(queue->lock);
    Reach reach;
    const bool known =
        queue == use.queue
            ? queue->order.CatchUp(use.position, use.position, use.epoch, use.stage, use.access,
                                   true, &reach)
            : queue->order.CatchUpForeign(use.epoch, use.stage, use.access, true, &reach);
    if (!known || ((reach.visible_stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0 &&
                   (reach.visible_access & VK_ACCESS_2_HOST_READ_BIT) != 0))
      return true;
  }
  return false;
}

namespace {

// Finds defects of an access to memory that is not coherent. Precondition: the memory is locked.
void CheckIncoherent(VkCall& call, const Resource& memory, MemoryState& state, HostView& view,
                     const DeviceUse& use, bool reads_fixed, std::optional<Found>* found) {
  const Region range = Region::Linear(use.begin, use.end - use.begin);
  if (use.write) {
    view.written.Mark(range, memory.bytes);
    view.agreed.Forget(use.begin, use.end);
  } else if (MayChangeUnseen(call, memory)) {
    view.agreed.Forget(use.begin, use.end);
  } else if (reads_fixed && !use.gated && state.ever_mapped && view.flushed.Untouched(range) &&
             view.written.Untouched(range)) {
    *found = FaultOf(Fault::kNeverFlushed, memory, state, use, use.begin, use.end);
  } else if (use.exact && !use.gated) {
    const bool mapped = state.mapped != nullptr;
    uint64_t from = 0, to = 0;
    if (view.agreed.Changed(mapped ? BaseOf(state) : 0, use.begin,
                            std::min(use.end, use.begin + kMaxLook),
                            mapped ? state.mapped_range.offset : 0,
                            mapped ? state.mapped_range.end() : 0, &from, &to)) {
      *found = FaultOf(Fault::kUnflushed, memory, state, use, from, to);
      view.agreed.Forget(from, to);
    } else if (mapped && view.written.Untouched(range)) {
      view.agreed.KeepUnknown(BaseOf(state), std::max(use.begin, state.mapped_range.offset),
                              std::min({use.end, use.begin + kMaxLook, state.mapped_range.end()}));
    }
    // The content of bytes that were not compared is unknown now.
    if (use.end - use.begin > kMaxLook) view.agreed.Forget(use.begin + kMaxLook, use.end);
  }
}

[[gnu::noinline]] void NoteIncoherentUse(VkCall& call, Resource& memory, const DeviceUse& use,
                                         bool reads_fixed) {
  MemoryState& state = MemoryOf(memory);
  std::optional<Found> found;
  {
    std::lock_guard lock(state.lock);
    if (state.foreign) return;
    HostView& view = ViewOf(call, memory, state);
    CheckIncoherent(call, memory, state, view, use, reads_fixed, &found);
    view.Add(use, call.tracker().ordering().host());
    GuardUse(call, memory, state, use);
  }
  Report(call, found);
}

}  // namespace

void NoteDeviceUse(VkCall& call, Resource& memory, const DeviceUse& use, bool reads_fixed) {
  MemoryState& state = MemoryOf(memory);
  if (!state.coherent) [[unlikely]]
    return NoteIncoherentUse(call, memory, use, reads_fixed);
  std::lock_guard lock(state.lock);
  // For memory that was never mapped only writes matter, which a later mapping can show.
  if (state.foreign || (!state.ever_mapped && !use.write)) return;
  ViewOf(call, memory, state).Add(use, call.tracker().ordering().host());
  GuardUse(call, memory, state, use);
}

void NoteUnknownWrite(VkCall& call, Resource& memory, uint64_t begin, uint64_t end, Epoch epoch) {
  MemoryState& state = MemoryOf(memory);
  std::lock_guard lock(state.lock);
  state.unknown_write = epoch;
  if (state.coherent || state.foreign) return;
  HostView& view = ViewOf(call, memory, state);
  view.written.Mark(Region::Linear(begin, end - begin), memory.bytes);
  view.agreed.Forget(begin, end);
}

void NoteHostBarrier(Resource& memory, uint64_t begin, uint64_t end) {
  MemoryState& state = MemoryOf(memory);
  std::lock_guard lock(state.lock);
  if (state.view == nullptr) return;
  for (DeviceUse& use : state.view->uses) {
    if (use.write && use.Overlaps(begin, end)) use.host_visible = true;
  }
  NoteGuardedBarrier(memory, begin, end);
}

void OnMap(VkCall& call, Resource& memory) {
  MemoryState& state = MemoryOf(memory);
  constexpr size_t kMaxWatched = 4;
  constexpr uint64_t kSample = 512, kMaxReadback = 256 << 10;
  absl::InlinedVector<DeviceUse, 1> readbacks;
  {
    std::lock_guard lock(state.lock);
    if (state.view == nullptr || state.foreign) return;
    HostView& view = *state.view;
    view.watched.clear();
    for (const DeviceUse& use : view.uses) {
      if (!use.Overlaps(state.mapped_range.offset, state.mapped_range.end())) continue;
      if (use.write) {
        // One report for each call site of a mapping.
        if (IsReadback(state, use) && use.end - use.begin <= kMaxReadback &&
            state.map_site != view.reported_site && IsFast(call.device(), state))
          readbacks.push_back(use);
      } else if (use.exact && !use.gated && Pending(call, use) &&
                 view.watched.size() < kMaxWatched &&
                 OnlyHostChanges(call, memory, use.begin, use.end)) {
        view.watched.push_back(WatchOf(state, use, kSample));
      }
    }
  }
  for (const DeviceUse& use : readbacks) {
    // No defect is possible.
    if (state.coherent && !Pending(call, use) && HostSees(call.device(), use)) continue;
    std::lock_guard lock(state.lock);
    if (state.view == nullptr || state.mapped == nullptr) return;
    state.view->watched.push_back(WatchOf(state, use, kMaxReadback));
  }
  if (!GuardsMaps()) return;
  std::lock_guard lock(state.lock);
  if (state.view == nullptr) return;
  for (const DeviceUse& use : state.view->uses) {
    if (Pending(call, use)) GuardUse(call, memory, state, use);
  }
}

namespace {

[[gnu::noinline]] void CheckUnmap(VkCall& call, Resource& memory, MemoryState& state) {
  std::optional<Found> changed, early, stale, unseen;
  {
    std::lock_guard lock(state.lock);
    if (state.view == nullptr || state.mapped == nullptr || state.foreign) return;
    HostView& view = *state.view;
    for (const HostView::Watch& watch : view.watched) {
      const bool same = Unchanged(state, watch);
      const DeviceUse* write = view.LastWrite(watch.begin, watch.end);
      if (!watch.use.write) {
        // Bytes that the device did not write since were changed by the host.
        if (!same && Pending(call, watch.use) &&
            OnlyHostChanges(call, memory, watch.begin, watch.end) &&
            watch.last_write == (write != nullptr ? write->epoch : Epoch()))
          changed =
              FaultOf(Fault::kWriteInFlight, memory, state, watch.use, watch.begin, watch.end);
        continue;
      }
      if (write == nullptr || !IsReadback(state, *write)) continue;
      // While the device writes, a change may be its own; afterwards it is the host's.
      if (!same && !Pending(call, *write)) continue;
      CheckRead(call, memory, state, *write, watch.begin, watch.end, &early, &unseen);
      if (!early && !state.coherent && !write->invalidated)
        stale = FaultOf(Fault::kUninvalidated, memory, state, *write, watch.begin, watch.end);
      view.reported_site = state.map_site;
    }
    view.watched.clear();
    if (!state.coherent)
      view.agreed.Close(BaseOf(state), state.mapped_range.offset, state.mapped_range.end());
  }
  Report(call, changed);
  Report(call, early);
  Report(call, stale);
  if (!stale) ReportIfInvisible(call, unseen);
}

}  // namespace

void OnUnmap(VkCall& call, Resource& memory) {
  MemoryState& state = MemoryOf(memory);
  // The memory is externally synchronized, so that no other thread maps it now (Vulkan 1.3
  // §11.2.1).
  if (state.mapped == nullptr) [[likely]]
    return;
  DropGuards(call, state);
  CheckUnmap(call, memory, state);
}

void OnFlush(VkCall& call, Resource& memory, uint64_t begin, uint64_t end) {
  SettleGuards(call);
  MemoryState& state = MemoryOf(memory);
  std::optional<Found> found;
  {
    std::lock_guard lock(state.lock);
    if (state.coherent || state.mapped == nullptr) return;
    HostView& view = ViewOf(call, memory, state);
    for (const DeviceUse& use : view.uses) {
      if (found || use.write || !use.exact || use.gated || !use.Overlaps(begin, end) ||
          !Pending(call, use))
        continue;
      if (!OnlyHostChanges(call, memory, use.begin, use.end)) continue;
      uint64_t from = 0, to = 0;
      if (view.agreed.Changed(BaseOf(state), std::max(begin, use.begin), std::min(end, use.end),
                              state.mapped_range.offset, state.mapped_range.end(), &from, &to))
        found = FaultOf(Fault::kWriteInFlight, memory, state, use, from, to);
    }
    view.flushed.Mark(Region::Linear(begin, end - begin), memory.bytes);
    view.agreed.Agree(BaseOf(state), begin, end);
  }
  Report(call, found);
}

void OnInvalidate(VkCall& call, Resource& memory, uint64_t begin, uint64_t end) {
  MemoryState& state = MemoryOf(memory);
  const uint64_t atom = std::max<uint64_t>(call.device().limits.nonCoherentAtomSize, 1);
  std::optional<Found> early, unseen;
  {
    std::lock_guard lock(state.lock);
    if (state.coherent || state.mapped == nullptr || state.foreign) return;
    HostView& view = ViewOf(call, memory, state);
    view.agreed.Agree(BaseOf(state), begin, end);
    for (DeviceUse& use : view.uses) {
      if (use.write && use.Overlaps(begin, end) && !Pending(call, use)) use.invalidated = true;
    }
    // If the range is larger than the write, the program may need the other bytes only.
    const DeviceUse* write = view.LastWrite(begin, end);
    if (write != nullptr && begin + atom > write->begin && end < write->end + atom)
      CheckRead(call, memory, state, *write, begin, end, &early, &unseen);
  }
  NoteGuardedInvalidation(memory, begin, end);
  Report(call, early);
  ReportIfInvisible(call, unseen);
}

}  // namespace gpusan::vulkan
