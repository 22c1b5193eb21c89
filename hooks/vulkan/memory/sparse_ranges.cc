// The ranges of sparse resources that pending calls of vkQueueBindSparse bind.
#include "hooks/vulkan/memory/sparse_ranges.h"

#include <map>
#include <mutex>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::vulkan {
namespace {

struct BoundRange {
  WeakRef<const Resource> resource;
  Extent range;
  SparseBind bind;  // without an epoch: the batch has no place yet
};

// Older ranges are dropped.
constexpr size_t kMaxRanges = 1024;

struct Table {
  SpinLock lock;
  std::vector<BoundRange> ranges;
  std::map<TimelineId, Clock> waited;  // by queue: what its semaphores have waited for
};

constinit ProcessState<Table> g_table;
const ForkReset g_reset([] { g_table.Forget(); });

}  // namespace

void NoteSparseRange(const Resource& resource, const Extent& range) {
  Table& table = g_table.Get();
  std::lock_guard lock(table.lock);
  if (table.ranges.size() >= kMaxRanges) table.ranges.erase(table.ranges.begin());
  table.ranges.push_back({WeakRef<const Resource>(&resource), range, {}});
  sparse_ranges_known.store(true, std::memory_order_relaxed);
}

void PlaceSparseRanges(const Resource& resource, const SparseBind& bind, const HostClock& host) {
  Table& table = g_table.Get();
  std::lock_guard lock(table.lock);
  std::erase_if(table.ranges, [&](const BoundRange& one) {
    return one.bind.epoch.valid() && host.Completed(one.bind.epoch);
  });
  for (BoundRange& one : table.ranges) {
    if (!one.bind.epoch.valid() && one.resource.get() == &resource) one.bind = bind;
  }
}

void DropSparseRanges() {
  Table& table = g_table.Get();
  std::lock_guard lock(table.lock);
  table.ranges.clear();
}

void NoteSparseWait(TimelineId queue, const Clock& clock) {
  Table& table = g_table.Get();
  std::lock_guard lock(table.lock);
  table.waited[queue].Join(clock);
}

std::optional<SparseBind> FindUnorderedBind(const Resource& resource, const Extent& extent,
                                            TimelineId queue, const HostClock& host) {
  Table& table = g_table.Get();
  std::lock_guard lock(table.lock);
  const auto waited = table.waited.find(queue);
  for (const BoundRange& one : table.ranges) {
    if (!one.bind.epoch.valid() || one.resource.get() != &resource ||
        !Overlaps(one.range, extent) || host.Completed(one.bind.epoch) ||
        (waited != table.waited.end() && waited->second.Covers(one.bind.epoch)))
      continue;
    return one.bind;
  }
  return std::nullopt;
}

}  // namespace gpusan::vulkan
