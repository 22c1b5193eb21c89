// Tracker: construction, and events that concern all objects.
#include "tracker/tracker.h"

#include <algorithm>
#include <mutex>

#include "tracker/memory/protected_memory.h"
#include "tracker/rules/rules.h"

namespace gpusan {

Tracker::Tracker(FindingSink& sink, HostMemory& host_memory, const TrackerOptions& options)
    : ordering_(options.command_log),
      host_side_(host_memory, options),
      objects_(ordering_, host_side_, options),
      pointers_(objects_, host_side_),
      accesses_(ordering_, host_side_, objects_, pointers_),
      block_pools_(ordering_, objects_, accesses_),
      shadow_(sink, options, ordering_.host(), host_memory, objects_.unseen_writes(),
              accesses_.launch_bases()) {}

Snapshot Tracker::SnapAll() {
  Snapshot all;
  objects_.ForEachQueue([&](Queue& queue) { ordering_.JoinPoint(&all, ordering_.Snap(queue)); });
  return all;
}

namespace {

// Returns whether the release takes memory from the pending access. A range that is unmapped or
// mapped again may be a reservation without memory, which the program commits before the command
// runs.
bool TakesMemory(const HostBlock& block, const Access& pending) {
  if (block.kind != HostBlockKind::kMapping) return true;
  const uintptr_t begin = std::max<uintptr_t>(block.begin, pending.region.offset);
  const uintptr_t end = std::min<uintptr_t>(block.end(), pending.region.end());
  return begin < end && IsAnyAccessible(begin, end - begin);
}

}  // namespace

void Tracker::OnHostFree(Call& call, const HostBlock& block) {
  rules::HostFree free{block};
  MappedRegion mapped;
  if (host_side_.mapped().Find(block.begin, &mapped)) {
    free.mapped = &mapped;
    rules::OnHostFree(free, call);
    if (host_side_.mapped().Remove(block.begin)) host_side_.UnwatchFreed();
    return;
  }
  Resource* shared = objects_.addresses().Find(block.begin);
  if (shared != nullptr && shared->handle != block.begin) shared = nullptr;
  if (shared != nullptr && shared->has(kUsesHostMemory)) {
    free.pinned = shared;  // a block of the program, which the program has registered
  } else if (shared != nullptr && block.kind == HostBlockKind::kHeap) {
    // Only heap blocks: drivers unmap their own allocations when a pool shrinks or a context ends.
    free.shared = shared;
    rules::OnHostFree(free, call);
    objects_.Release(call, shared, true);
    host_side_.UnwatchFreed();
    return;
  }
  Access pending;
  if (host_side_.shadow().busy() &&
      host_side_.shadow().FindPending(Region::Linear(block.begin, block.bytes), ordering_.host(),
                                      &pending) &&
      TakesMemory(block, pending)) {
    free.pending = &pending;
  }
  if (const Resource* pinned = host_side_.FindPinned(block); pinned != nullptr)
    free.pinned = pinned;
  if (free.pending != nullptr || free.pinned != nullptr) rules::OnHostFree(free, call);
  NoteStorageFreed(call, block);
}

void Tracker::CheckReleaseOrder(Call& call, Object& object) {
  if (object.references.load(std::memory_order_relaxed) != 1) return;
  const Event* event = nullptr;
  if (object.is_memory()) {
    const auto& resource = static_cast<const Resource&>(object);
    const Region own = Region::Linear(resource.root_offset, resource.bytes);
    absl::InlinedVector<GateSet, 4> gates;
    {
      std::lock_guard lock(resource.root->lock);
      for (const Access& access : resource.root->history) {
        if (access.gates != 0 && gates.size() < 4 && Overlaps(access.region, own))
          gates.push_back(access.gates);
      }
    }
    for (GateSet set : gates) event = event != nullptr ? event : ordering_.UnsetEvent(set);
  } else if (object.kind == ObjectKind::kQueue) {
    auto& queue = static_cast<Queue&>(object);
    GateSet gates;
    {
      std::lock_guard lock(queue.lock);
      gates = queue.in_order ? queue.gates : queue.all_gates;
    }
    event = ordering_.UnsetEvent(gates);
  } else if (object.kind == ObjectKind::kContext) {
    objects_.ForEachOther([&](Object& other) {
      if (other.kind != ObjectKind::kUserEvent || other.context != &object) return;
      const auto& found = static_cast<const Event&>(other);
      if (found.status.load(std::memory_order_relaxed) == 1 &&
          found.waiters.load(std::memory_order_relaxed) != 0)
        event = &found;
    });
  }
  if (event == nullptr || event == &object) return;
  SyncMisuse misuse;
  misuse.fault = SyncMisuse::Fault::kReleasedBeforeSignal;
  misuse.object = event;
  misuse.name = ObjectText(object, call.words());
  misuse.waiter = event->first_waiter_call;
  misuse.waiter_site = event->first_waiter;
  rules::OnSyncMisuse(misuse, call);
}

void Tracker::NoteStorageFreed(Call& call, const HostBlock& block) {
  Resource* pinned = host_side_.FindPinned(block);
  // Memory that is named by its address is unregistered, not released: its use is checked there.
  if (pinned != nullptr && !pinned->by_address()) accesses_.NoteStorageFreed(call, *pinned);
}

void Tracker::OnSharedFree(Call& call, const Resource& shared) {
  rules::HostFree free{{shared.handle, shared.bytes, HostBlockKind::kHeap, shared.created}};
  free.pinned = host_side_.FindPinned(free.block);
  if (free.pinned == nullptr) return;
  rules::OnHostFree(free, call);
  NoteStorageFreed(call, free.block);
}

}  // namespace gpusan
