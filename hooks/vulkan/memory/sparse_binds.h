// The binds of vkQueueBindSparse: their checks, and the ranges that pending calls bind.
//
// Nothing but a semaphore or the host orders a bind before commands, also on its own queue (Vulkan
// 1.3 §31.7, vkQueueBindSparse). Thread-safe.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "hooks/vulkan/call/call.h"
#include "tracker/model/clock.h"
#include "tracker/objects/resource.h"
#include "tracker/scopes/scoped_history.h"

namespace gpusan::vulkan {

// Adds findings for binds that name bytes past the end of a buffer or of device memory. Returns
// the buffers, images and device memory that the queue uses while it binds.
std::vector<WeakRef<Resource>> CheckSparseBinds(VkCall& call, const VkBindSparseInfo& info);

struct SparseBind {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  Epoch epoch;
};

// True once a range was bound.
inline std::atomic<bool> sparse_ranges_known{false};

// Records that a call binds the range. Its batch has no position in queue order yet.
void NoteSparseRange(const Resource& resource, const Extent& range);
// Gives the new ranges of the resource the position of the batch that binds them, `bind`.
void PlaceSparseRanges(const Resource& resource, const SparseBind& bind, const HostClock& host);
// Drops all ranges. Call it after a failed bind, because it is unknown which of its batches run.
void DropSparseRanges();
// Records that the queue waits for a semaphore whose signal is ordered after `clock`.
void NoteSparseWait(TimelineId queue, const Clock& clock);
// Returns the bind of a range that overlaps `extent` and that nothing orders before the next
// commands of the queue.
std::optional<SparseBind> FindUnorderedBind(const Resource& resource, const Extent& extent,
                                            TimelineId queue, const HostClock& host);

}  // namespace gpusan::vulkan
