// The binds of vkQueueBindSparse: their checks, and the ranges that pending calls bind.
#include "hooks/vulkan/memory/sparse_binds.h"

#include <map>
#include <mutex>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hooks/common/base/process_state.h"
#include "hooks/vulkan/objects/resources.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::vulkan {
namespace {

// Adds a finding if the range is not inside of `all` bytes of the object. `vuids`: for the offset,
// and for the size.
void CheckRange(VkCall& call, const Object& object, uint64_t offset, uint64_t bytes, uint64_t all,
                const char* const (&vuids)[2]) {
  const bool begin = offset >= all;
  if (!begin && bytes <= all - offset) [[likely]]
    return;
  ReportSync(call, object, rules::SyncStateUse::Fault::kSparseRange,
             absl::StrCat(bytes, " B from byte ", offset, " of the ", all, " B"), vuids[!begin]);
}

// Adds what a bind names to the list.
void Add(Resource* resource, std::vector<WeakRef<Resource>>* bound) {
  if (resource != nullptr && resource->live()) bound->emplace_back(resource);
}

void CheckMemory(VkCall& call, const VkSparseMemoryBind& bind,
                 std::vector<WeakRef<Resource>>* bound) {
  if (bind.memory == VK_NULL_HANDLE) return;
  Resource* memory = UseMemory(call, bind.memory, "pBinds[].memory");
  if (memory == nullptr) return;
  Add(memory, bound);
  constexpr const char* kVuids[] = {"memoryOffset-01101", "size-01102"};
  CheckRange(call, *memory, bind.memoryOffset, bind.size, memory->bytes, kVuids);
}

ImagePart PartOf(const ImageState& image, const VkSparseImageMemoryBind& bind) {
  const VkImageSubresource& of = bind.subresource;
  ImagePart part =
      PartOf(image, VkImageSubresourceLayers{of.aspectMask, of.mipLevel, of.arrayLayer, 1});
  part.origin[0] = static_cast<uint32_t>(bind.offset.x);
  part.origin[1] = static_cast<uint32_t>(bind.offset.y);
  part.origin[2] = static_cast<uint32_t>(bind.offset.z);
  part.extent[0] = bind.extent.width;
  part.extent[1] = bind.extent.height;
  part.extent[2] = bind.extent.depth;
  return part;
}

}  // namespace

std::vector<WeakRef<Resource>> CheckSparseBinds(VkCall& call, const VkBindSparseInfo& info) {
  std::vector<WeakRef<Resource>> bound;
  for (uint32_t i = 0; i < info.bufferBindCount; ++i) {
    const VkSparseBufferMemoryBindInfo& binds = info.pBufferBinds[i];
    Resource* buffer = UseBuffer(call, binds.buffer, "pBufferBinds[].buffer");
    Add(buffer, &bound);
    VkMemoryRequirements needs = {};
    if (buffer != nullptr) {
      GPUSAN_VK_NEXT(&call.device(), vkGetBufferMemoryRequirements)
      (call.device().handle, binds.buffer, &needs);
    }
    for (uint32_t j = 0; j < binds.bindCount; ++j) {
      const VkSparseMemoryBind& bind = binds.pBinds[j];
      CheckMemory(call, bind, &bound);
      constexpr const char* kVuids[] = {"resourceOffset-01099", "size-01100"};
      if (buffer == nullptr) continue;
      CheckRange(call, *buffer, bind.resourceOffset, bind.size, needs.size, kVuids);
      NoteSparseRange(*buffer, Region::Linear(bind.resourceOffset, bind.size));
    }
  }
  // The offsets of images may be those of their mip tail.
  for (uint32_t i = 0; i < info.imageOpaqueBindCount; ++i) {
    const VkSparseImageOpaqueMemoryBindInfo& binds = info.pImageOpaqueBinds[i];
    Add(UseImage(call, binds.image, "pImageOpaqueBinds[].image"), &bound);
    for (uint32_t j = 0; j < binds.bindCount; ++j) CheckMemory(call, binds.pBinds[j], &bound);
  }
  for (uint32_t i = 0; i < info.imageBindCount; ++i) {
    const VkSparseImageMemoryBindInfo& binds = info.pImageBinds[i];
    Resource* image = UseImage(call, binds.image, "pImageBinds[].image");
    Add(image, &bound);
    for (uint32_t j = 0; j < binds.bindCount; ++j) {
      if (image != nullptr) NoteSparseRange(*image, PartOf(ImageOf(*image), binds.pBinds[j]));
      if (const VkDeviceMemory memory = binds.pBinds[j].memory; memory != VK_NULL_HANDLE)
        Add(UseMemory(call, memory, "pBinds[].memory"), &bound);
    }
  }
  return bound;
}

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
