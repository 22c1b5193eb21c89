// The sizes of recent launches.
#include "hooks/opencl/kernels/launch_sizes.h"

#include <algorithm>
#include <atomic>

namespace gpusan::opencl {
namespace {

constexpr cl_uint kMaxDimensions = 3;
constexpr uint8_t kLocal = 1, kOffset = 2;

// Written by a launching thread, while others may read: `epoch` is not valid during the change.
struct Sizes {
  std::atomic<Epoch> epoch;
  std::atomic<uint32_t> dimensions;
  std::atomic<uint8_t> given;  // kLocal, kOffset
  std::atomic<uint64_t> global[kMaxDimensions], local[kMaxDimensions], offset[kMaxDimensions];
};
constexpr size_t kKept = 256;
constinit Sizes recent[kKept] = {};

Sizes& SlotOf(Epoch epoch) {
  return recent[(epoch.tick() + epoch.timeline() * uint64_t{37}) % kKept];
}

std::string RecentSizeText(Epoch epoch) {
  const Sizes& slot = SlotOf(epoch);
  if (!epoch.valid() || !(slot.epoch.load(std::memory_order_acquire) == epoch)) return "";
  size_t global[kMaxDimensions], local[kMaxDimensions], offset[kMaxDimensions];
  for (cl_uint i = 0; i < kMaxDimensions; ++i) {
    global[i] = slot.global[i].load(std::memory_order_relaxed);
    local[i] = slot.local[i].load(std::memory_order_relaxed);
    offset[i] = slot.offset[i].load(std::memory_order_relaxed);
  }
  LaunchSizes sizes;
  sizes.dimensions = slot.dimensions.load(std::memory_order_relaxed);
  sizes.global = global;
  const uint8_t given = slot.given.load(std::memory_order_relaxed);
  if ((given & kLocal) != 0) sizes.local = local;
  if ((given & kOffset) != 0) sizes.offset = offset;
  std::atomic_thread_fence(std::memory_order_acquire);
  const bool same = slot.epoch.load(std::memory_order_relaxed) == epoch;
  return same && sizes.dimensions != 0 ? SizeText(sizes) : "";
}

}  // namespace

std::string SizeText(const LaunchSizes& sizes) {
  const bool moved =
      sizes.offset != nullptr &&
      std::any_of(sizes.offset, sizes.offset + std::min(sizes.dimensions, kMaxDimensions),
                  [](size_t offset) { return offset != 0; });
  return absl::StrCat(
      "global size ", SizesText(sizes.dimensions, sizes.global), ", local size ",
      SizesText(sizes.dimensions, sizes.local),
      moved ? absl::StrCat(", global offset ", SizesText(sizes.dimensions, sizes.offset)) : "");
}

void NoteSize(Epoch epoch, const LaunchSizes& sizes) {
  Sizes& slot = SlotOf(epoch);
  slot.epoch.store(Epoch(), std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  const cl_uint dimensions = std::min(sizes.dimensions, kMaxDimensions);
  slot.dimensions.store(sizes.global != nullptr ? dimensions : 0, std::memory_order_relaxed);
  const int given = (sizes.local != nullptr ? kLocal : 0) | (sizes.offset != nullptr ? kOffset : 0);
  slot.given.store(static_cast<uint8_t>(given), std::memory_order_relaxed);
  for (cl_uint i = 0; i < dimensions; ++i) {
    if (sizes.global != nullptr) slot.global[i].store(sizes.global[i], std::memory_order_relaxed);
    if (sizes.local != nullptr) slot.local[i].store(sizes.local[i], std::memory_order_relaxed);
    if (sizes.offset != nullptr) [[unlikely]]
      slot.offset[i].store(sizes.offset[i], std::memory_order_relaxed);
  }
  slot.epoch.store(epoch, std::memory_order_release);
}

constinit thread_local const StartingLaunch* StartingLaunch::of_thread_ = nullptr;

std::string SizeTextAt(Epoch epoch) {
  const StartingLaunch* starting = StartingLaunch::of_thread_;
  if (starting != nullptr && starting->epoch_ == epoch) return SizeText(starting->sizes_);
  return RecentSizeText(epoch);
}

}  // namespace gpusan::opencl
