// What gpusan keeps of buffers, images and device memory beside the tracker's resource.
#pragma once

#include <vulkan/vulkan_core.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/objects/device_writes.h"
#include "hooks/vulkan/objects/formats.h"
#include "tracker/base/slab.h"
#include "tracker/scopes/layouts.h"
#include "tracker/scopes/scoped_history.h"

namespace gpusan::vulkan {

// An object's part that is kept in a slab: `Self` has Reset(), which brings it to what it was when
// new.
template <typename Self, typename Base = ObjectPart>
class Pooled : public Base {
 public:
  Self* next_free = nullptr;
  static Self* New() { return Pool().New(); }
  void Recycle() final {
    Self* self = static_cast<Self*>(this);
    self->Reset();
    Pool().Delete(self);
  }

 private:
  static Slab<Self>& Pool() {
    static Slab<Self>* const slab = new Slab<Self>;
    return *slab;
  }
};

// The last submissions that use something, one a queue.
struct PendingUses {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;
  // The one that was noted last; may be read without the lock that guards the others.
  std::atomic<Epoch> last{};
  // Those of other queues that were not known to be complete then; nullptr: none. That it is not
  // may be read without the lock.
  std::atomic<Clock*> others{nullptr};

  PendingUses() = default;
  PendingUses(const PendingUses&) = delete;
  PendingUses& operator=(const PendingUses&) = delete;
  ~PendingUses() { delete others.load(std::memory_order_relaxed); }

  void Note(const Command& command, const HostClock& host) {
    if (Has(command)) [[likely]]
      return;
    const Epoch before = last.load(std::memory_order_relaxed);
    const bool keeps = before.timeline() != command.epoch.timeline() && !host.Completed(before);
    if (keeps || others.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
      KeepOthers(keeps ? before : Epoch(), host);
    last.store(command.epoch, std::memory_order_relaxed);
    call = command.call;
    site = command.site;
    label = command.label;
  }
  bool Has(const Command& command) const {
    return last.load(std::memory_order_relaxed) == command.epoch;
  }
  // Nothing ever used it.
  bool none() const { return !last.load(std::memory_order_relaxed).valid(); }
  // Without the lock: false means that it is not pending.
  bool MayBePending(const HostClock& host) const {
    return others.load(std::memory_order_relaxed) != nullptr ||
           !host.Completed(last.load(std::memory_order_relaxed));
  }
  bool Pending(const HostClock& host) const {
    if (!host.Completed(last.load(std::memory_order_relaxed))) return true;
    const Clock* earlier = others.load(std::memory_order_relaxed);
    if (earlier == nullptr) return false;
    for (Epoch epoch : earlier->epochs()) {
      if (!host.Completed(epoch)) return true;
    }
    return false;
  }
  void Clear() {
    if (others.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
      DropOthers();
    last.store(Epoch(), std::memory_order_relaxed);
    call = nullptr;
    site = kUnknownSite;
    label = kNoLabel;
  }

 private:
  // `epoch`: one more, or none.
  [[gnu::noinline]] void KeepOthers(Epoch epoch, const HostClock& host);
  [[gnu::noinline]] void DropOthers();
};

// Of objects without memory that commands use: they must live until those are done.
struct HeldState : ObjectPart {
  SpinLock held_lock;
  PendingUses used;  // guarded by it

  void NoteUse(const Command& command, const HostClock& host) {
    if (used.Has(command)) return;
    std::lock_guard guard(held_lock);
    used.Note(command, host);
  }
};
// Where nothing else is kept.
struct PlainHeldState final : Pooled<PlainHeldState, HeldState> {
  void Reset() { used.Clear(); }
};

// Others that were bound to some of the same bytes while it was (aliases.h).
struct Aliases {
  std::vector<WeakRef<Resource>> others;
  // What a command wrote to one of them has made the content of this image undefined; nullptr: not
  // known to be so.
  const CallInfo* lost_call = nullptr;
  SiteId lost_site = kUnknownSite;
  WeakRef<Resource> lost_to;
  TimelineId lost_on = 0;  // the queue of that
};

// Of buffers and images. Fields that change after creation are guarded by `lock`.
struct ScopedState : ObjectPart {
  SpinLock lock;
  // Nobody here sees all that happens to its memory: imported, sparse, of a swapchain.
  bool foreign = false;
  bool concurrent = false;      // VK_SHARING_MODE_CONCURRENT: families share it
  bool owned_in_parts = false;  // ... or each has some of it, and nobody keeps count
  bool bound = false;
  bool host_visible = false;
  std::atomic<bool> aliased{false};  // has aliases, or had; without the lock
  // Of a swapchain, and the presentation engine has it; without the lock.
  std::atomic<bool> not_acquired{false};
  // What the driver says that its memory must be like, where it was asked: a bit a memory type, and
  // the binary logarithm of the alignment. 0: not known. Images that are described alike need the
  // same.
  uint8_t memory_alignment = 0;
  uint32_t memory_types = 0;
  WeakRef<Resource> memory;
  uint64_t memory_offset = 0;
  uint64_t memory_bytes = 0;  // that it needs, which are those that it was bound to
  ScopedHistory history;
  PendingUses used;
  Ownership ownership;
  uint32_t usage = 0;                // VkBufferUsageFlags or VkImageUsageFlags
  std::unique_ptr<Aliases> aliases;  // nullptr: none

  // It was bound to memory of its own, at most, and nothing uses it.
  [[gnu::always_inline]] bool BoundAtMost() const {
    return !foreign && !aliased.load(std::memory_order_relaxed) && used.none();
  }
  [[gnu::always_inline]] void ResetBinding() {
    bound = host_visible = false;
    memory = WeakRef<Resource>();
  }
  void ResetScoped() {
    ResetBinding();
    memory_offset = memory_bytes = 0;
    memory_types = 0;
    foreign = concurrent = owned_in_parts = false;
    history.Clear();
    ownership = Ownership();
    used.Clear();
    if (aliases != nullptr) [[unlikely]]
      aliases.reset();
    aliased.store(false, std::memory_order_relaxed);
    not_acquired.store(false, std::memory_order_relaxed);
  }
};

struct BufferState final : Pooled<BufferState, ScopedState> {
  void Reset() { ResetScoped(); }
};

// Which subresources of an image hold what something wrote. What a command writes in part counts as
// written.
class ContentMap {
 public:
  ContentMap() = default;
  ContentMap(const ContentMap&) = delete;
  ContentMap& operator=(const ContentMap&) = delete;
  ~ContentMap() { Free(); }
  // Everything holds something, until the next Reset().
  void Free() {
    if (!one_word()) [[unlikely]]
      delete[] more_;
    all_ = true;
  }
  // `all`: everything holds something, for good.
  [[gnu::always_inline]] void Reset(uint32_t mips, uint32_t layers, bool all) {
    Free();
    mips_ = static_cast<uint16_t>(mips);
    layers_ = layers;
    all_ = all;
    bits_ = 0;
    if (!one_word()) [[unlikely]]
      more_ = new uint64_t[(uint64_t{mips} * layers + 63) / 64]();
  }
  void Set(const ImagePart& part, bool holds) {
    if (part.mips == 1 && part.layers == 1 && part.first_mip < mips_ && part.first_layer < layers_)
        [[likely]] {
      SetOne(part.first_mip, part.first_layer, holds);
    } else {
      SetEach(part, holds);
    }
  }
  bool Holds(uint32_t mip, uint32_t layer) const {
    if (all_) return true;
    const uint64_t bit = Bit(mip, layer);
    return (words()[bit / 64] >> bit % 64 & 1) != 0;
  }
  bool all() const { return all_; }

 private:
  void SetOne(uint32_t mip, uint32_t layer, bool holds) {
    if (all_) return;
    const uint64_t bit = Bit(mip, layer);
    const uint64_t mask = uint64_t{1} << bit % 64;
    uint64_t& word = words()[bit / 64];
    word = holds ? word | mask : word & ~mask;
  }
  void SetEach(const ImagePart& part, bool holds);
  uint64_t Bit(uint32_t mip, uint32_t layer) const { return uint64_t{layer} * mips_ + mip; }
  bool one_word() const { return all_ || uint64_t{mips_} * layers_ <= 64; }
  uint64_t* words() { return one_word() ? &bits_ : more_; }
  const uint64_t* words() const { return one_word() ? &bits_ : more_; }

  union {
    uint64_t bits_ = 0;
    uint64_t* more_;  // owned
  };
  uint32_t layers_ = 1;
  uint16_t mips_ = 1;
  bool all_ = true;
};

struct ImageState final : Pooled<ImageState, ScopedState> {
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageCreateFlags flags = 0;
  VkExtent3D extent = {};
  uint32_t mips = 1, layers = 1;
  uint32_t aspects = 0;  // VkImageAspectFlags that it has
  FormatBlock block;     // of the color aspect
  bool is_3d = false;
  bool optimal = true;  // its tiling: nobody but commands reads and writes it
  ImageInfo info;       // of its resource
  LayoutMap layouts;
  ContentMap content;
  void Reset() {
    ResetScoped();
    layouts.Free();
    content.Free();
  }

  [[gnu::always_inline]] VkExtent3D ExtentOf(uint32_t mip) const {
    const uint32_t shift = std::min(mip, 31u);
    return {std::max(extent.width >> shift, 1u), std::max(extent.height >> shift, 1u),
            std::max(extent.depth >> shift, 1u)};
  }
};

struct MemoryState final : Pooled<MemoryState> {
  SpinLock lock;
  uint32_t type = 0;
  bool host_visible = false;
  bool coherent = false;
  bool foreign = false;  // imported or exported: others use it too
  bool ever_mapped = false;
  bool addressed = false;  // shaders may write it by address, where nobody sees it
  bool shared = false;  // what is bound to it has bytes in common, and was not told of each other
  SiteId map_site = kUnknownSite;
  // Where the program has it mapped; nullptr: nowhere.
  void* mapped = nullptr;
  struct {
    uint64_t offset = 0, width = 0;  // bytes
    uint64_t end() const { return offset + width; }
  } mapped_range;
  Epoch unknown_write;  // the last submission that writes there, and nobody knows which bytes
  // What of it was ever bound to something: a second binding of the same bytes is an alias.
  InitMap bound;
  // What is bound to it, as far as aliases.h keeps it: mostly there is one.
  WeakRef<Resource> first_bound;
  std::unique_ptr<std::vector<WeakRef<Resource>>> more_bound;
  bool crowded = false;            // ... which it does not any more
  std::unique_ptr<HostView> view;  // made when the host and the device both can have used it
  PendingUses used;
  // One resource was bound to it, at most, and is gone; nothing used it, by that or by its handle.
  [[gnu::always_inline]] bool BoundAtMost() const {
    const Resource* resource = first_bound.object;
    return !foreign && !crowded && more_bound == nullptr && view == nullptr && used.none() &&
           (resource == nullptr || !resource->live() ||
            resource->generation.load(std::memory_order_relaxed) != first_bound.generation);
  }
  [[gnu::always_inline]] void ResetBinding() {
    addressed = shared = false;
    bound.Reset();
    first_bound = WeakRef<Resource>();
    unknown_write = Epoch();
  }
  void Reset() {
    ResetBinding();
    mapped = nullptr;
    ever_mapped = foreign = false;
    if (more_bound != nullptr) [[unlikely]]
      more_bound.reset();
    crowded = false;
    if (view != nullptr) [[unlikely]]
      view.reset();
    used.Clear();
  }
};

// Views: what they show of what.
struct BufferViewState final : Pooled<BufferViewState, HeldState> {
  WeakRef<Resource> buffer;
  Region region;
  void Reset() { used.Clear(); }
};
struct ImageViewState final : Pooled<ImageViewState, HeldState> {
  WeakRef<Resource> image;
  ImagePart part;
  VkFormat format = VK_FORMAT_UNDEFINED;
  void Reset() { used.Clear(); }
};

// Grows with each buffer, image, pipeline and descriptor set that is destroyed: what was found to
// live may not any more. Odd, so never 0. Only a hint: two threads may count one for both, and what
// is found dead later is told later.
inline constinit std::atomic<uint32_t> released_objects{1};
inline void NoteReleasedObject() {
  released_objects.store(released_objects.load(std::memory_order_relaxed) + 2,
                         std::memory_order_relaxed);
}

inline BufferState& BufferOf(const Resource& buffer) {
  return *static_cast<BufferState*>(buffer.part);
}
inline ImageState& ImageOf(const Resource& image) { return *static_cast<ImageState*>(image.part); }
inline MemoryState& MemoryOf(const Resource& memory) {
  return *static_cast<MemoryState*>(memory.part);
}
inline ScopedState& ScopedOf(const Resource& resource) {
  return *static_cast<ScopedState*>(resource.part);
}

// What a thread made or named last of a kind: it does so again and again. Two buffers, one of any
// other kind: there is little thread storage for a library that is loaded late.
template <ObjectKind kind>
[[gnu::always_inline]] inline Object*& RecentOf(uintptr_t handle) {
  if constexpr (kind == ObjectKind::kBuffer) {
    static constinit thread_local Object* recent[2] = {};
    return recent[handle * 0x9e3779b97f4a7c15u >> 63];
  } else {
    static constinit thread_local Object* recent = nullptr;
    return recent;
  }
}
// What had the handle last, live or not, if it is among these; nullptr says nothing.
template <ObjectKind kind>
[[gnu::always_inline]] inline Object* LastOf(uintptr_t handle) {
  Object* last = RecentOf<kind>(handle);
  return last != nullptr && last->handle == handle && last->kind == kind &&
                 last->api == Api::kVulkan
             ? last
             : nullptr;
}
// The live object behind a handle if it is among these; nullptr says nothing. Whoever keeps it, or
// has commands use it, wants FindRecent.
template <ObjectKind kind>
[[gnu::always_inline]] inline Object* PeekRecent(uintptr_t handle) {
  Object* last = LastOf<kind>(handle);
  return last != nullptr && last->live() ? last : nullptr;
}
template <ObjectKind kind>
[[gnu::always_inline]] inline Object* FindRecent(uintptr_t handle) {
  Object* last = PeekRecent<kind>(handle);
  if (last != nullptr) [[likely]]
    last->MarkNamed();
  return last;
}
// The live object behind a handle; nullptr if it is not known or not usable, then the finding has
// been added.
template <ObjectKind kind, typename T>
T* UseRecent(VkCall& call, uintptr_t handle, const char* argument) {
  Object* object = FindRecent<kind>(handle);
  if (object == nullptr) [[unlikely]] {
    object = call.tracker().Use(call, kind, handle, argument);
    if (object != nullptr) RecentOf<kind>(handle) = object;
  }
  return static_cast<T*>(object);
}
// The same for memory, of which one of another device is said to be so, and returned.
inline Resource* OfDevice(VkCall& call, Resource* resource, const char* argument) {
  if (resource != nullptr && resource->context != call.device().object) [[unlikely]]
    call.tracker().CheckOwner(call, resource, call.device().object, argument);
  return resource;
}
inline Resource* UseBuffer(VkCall& call, VkBuffer buffer, const char* argument) {
  return OfDevice(call, UseRecent<ObjectKind::kBuffer, Resource>(call, HandleOf(buffer), argument),
                  argument);
}
inline Resource* UseImage(VkCall& call, VkImage image, const char* argument) {
  return OfDevice(call, UseRecent<ObjectKind::kImage, Resource>(call, HandleOf(image), argument),
                  argument);
}
inline Resource* UseMemory(VkCall& call, VkDeviceMemory memory, const char* argument) {
  return OfDevice(
      call, UseRecent<ObjectKind::kPhysicalMemory, Resource>(call, HandleOf(memory), argument),
      argument);
}

// The subresources of an image that a range names, clipped to it. VK_REMAINING_* counts to the end.
// Inline, as all that makes an extent is: what is handed over in memory is read in greater words
// than it was written in, which waits for the writes.
[[gnu::always_inline]] inline ImagePart PartOf(const ImageState& image,
                                               const VkImageSubresourceRange& range) {
  // VK_REMAINING_* is the greatest number.
  auto remaining = [](uint32_t count, uint32_t first, uint32_t all) {
    return std::min(count, all > first ? all - first : 0);
  };
  // Slices of a 3D image can be layers of a view; barriers count them as the one layer they are in.
  const bool slices = image.is_3d;
  ImagePart part;
  part.aspects = range.aspectMask;
  part.first_mip = range.baseMipLevel;
  part.mips = remaining(range.levelCount, range.baseMipLevel, image.mips);
  part.first_layer = slices ? 0 : range.baseArrayLayer;
  part.layers = slices ? 1 : remaining(range.layerCount, range.baseArrayLayer, image.layers);
  return part;
}
[[gnu::always_inline]] inline ImagePart PartOf(const ImageState& image,
                                               const VkImageSubresourceLayers& layers) {
  return PartOf(image, VkImageSubresourceRange{layers.aspectMask, layers.mipLevel, 1,
                                               layers.baseArrayLayer, layers.layerCount});
}
inline SubresourceRange RangeOf(const ImagePart& part) {
  return {part.first_mip, part.mips, part.first_layer, part.layers};
}

}  // namespace gpusan::vulkan
