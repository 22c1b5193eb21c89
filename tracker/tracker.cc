// Tracker: construction, and events that concern all objects.
#include "tracker/tracker.h"

#include "tracker/rules/rules.h"

namespace gpusan {

Tracker::Tracker(FindingSink& sink, HostMemory& host_memory, const TrackerOptions& options)
    : ordering_(options.command_log),
      host_side_(host_memory, options),
      objects_(ordering_, host_side_, options),
      pointers_(objects_, host_side_),
      accesses_(ordering_, host_side_, objects_, pointers_),
      shadow_(sink, options, ordering_.host(), host_memory, objects_.unseen_writes(),
              accesses_.launch_bases()) {}

Snapshot Tracker::SnapAll() {
  Snapshot all;
  objects_.ForEachQueue([&](Queue& queue) { ordering_.JoinPoint(&all, ordering_.Snap(queue)); });
  return all;
}

void Tracker::OnHostFree(Call& call, const HostBlock& block) {
  rules::HostFree free{block};
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
                                      &pending)) {
    free.pending = &pending;
  }
  if (const Resource* pinned = host_side_.FindPinned(block); pinned != nullptr)
    free.pinned = pinned;
  if (free.pending != nullptr || free.pinned != nullptr) rules::OnHostFree(free, call);
}

}  // namespace gpusan
