// Shadow state of buffers, images and device memory, beside the tracker's Resource.
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
#include "hooks/vulkan/objects/partial_content.h"
#include "hooks/vulkan/words/formats.h"
#include "tracker/base/slab.h"
#include "tracker/rules/rules.h"
#include "tracker/scopes/layouts.h"
#include "tracker/scopes/scoped_history.h"

namespace gpusan::vulkan {

// Base of an object's state that is allocated from a slab. `Self` has Reset(), which restores the
// state of a new object.
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

// The last submission on each queue that uses an object.
struct PendingUses {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;
  // The last noted submission. May be read without the lock that guards the other members.
  std::atomic<Epoch> last{};
  // Submissions on other queues that were not known to be complete at that time; nullptr: none.
  // Whether it is nullptr may be read without the lock.
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
  // No submission uses the object.
  bool none() const { return !last.load(std::memory_order_relaxed).valid(); }
  // Needs no lock. False: no submission that uses the object is pending. True: call Pending.
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
  // Drops completed submissions from `others`, and adds `epoch` if it is valid.
  [[gnu::noinline]] void KeepOthers(Epoch epoch, const HostClock& host);
  [[gnu::noinline]] void DropOthers();
};

// Base of the state of objects without memory that the program describes when it creates them. The
// description becomes unknown when an object with another description gets the same handle: a
// driver shares handles between equal objects only, so the new one belongs to another device, or
// the destruction of this one was not seen. Thread-safe: the description itself does not change.
struct Described : ObjectPart {
  bool known() const { return known_.load(std::memory_order_relaxed); }
  void Forget() { known_.store(false, std::memory_order_relaxed); }
  // Precondition: no other thread has the state.
  void Know() { known_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> known_{true};
};

// Base of the state of objects without memory that commands use. Such an object must live until
// these commands are complete.
struct HeldState : Described {
  SpinLock held_lock;
  PendingUses used;  // guarded by held_lock

  void NoteUse(const Command& command, const HostClock& host) {
    if (used.Has(command)) return;
    std::lock_guard guard(held_lock);
    used.Note(command, host);
  }
};
// The state of objects that need no other state.
struct PlainHeldState final : Pooled<PlainHeldState, HeldState> {
  void Reset() { used.Clear(); }
};

// Resources that were bound to the same bytes of memory at the same time (aliases.h).
struct Aliases {
  std::vector<WeakRef<Resource>> others;
  // The command whose write to an alias made the content of this image undefined; nullptr: the
  // content is not known to be undefined.
  const CallInfo* lost_call = nullptr;
  SiteId lost_site = kUnknownSite;
  WeakRef<Resource> lost_to;
  TimelineId lost_on = 0;  // the queue of that command
};

// The common state of buffers and images. `lock` guards the fields that change after creation.
struct ScopedState : ObjectPart {
  SpinLock lock;
  // gpusan does not see all accesses to its memory: imported, sparse, or of a swapchain.
  bool foreign = false;
  // Bound to memory that may be exported, or is imported: other APIs of the process may access it.
  bool exported = false;
  bool concurrent = false;      // VK_SHARING_MODE_CONCURRENT: queue families share it
  bool owned_in_parts = false;  // queue families own parts of it; ownership is not tracked
  bool bound = false;
  bool host_visible = false;
  bool sparse = false;               // created for sparse binding
  std::atomic<bool> aliased{false};  // has or had aliases; needs no lock
  // An image of a swapchain that the presentation engine owns. Needs no lock.
  std::atomic<bool> not_acquired{false};
  // The driver's memory requirements: binary logarithm of the alignment, one bit for each allowed
  // memory type. memory_types == 0: not queried. Images with equal descriptions have equal
  // requirements.
  uint8_t memory_alignment = 0;
  uint32_t memory_types = 0;
  WeakRef<Resource> memory;
  uint64_t memory_offset = 0;
  uint64_t memory_bytes = 0;  // its requirement, which is the number of bytes that it is bound to
  ScopedHistory history;
  PendingUses used;
  Ownership ownership;
  uint32_t usage = 0;  // VkBufferUsageFlags or VkImageUsageFlags
  // Types of handles of the external memory that it was created for.
  VkExternalMemoryHandleTypeFlags external = 0;
  std::unique_ptr<Aliases> aliases;  // nullptr: none

  // Nothing but a binding to memory of its own happened to it.
  [[gnu::always_inline]] bool BoundAtMost() const {
    return !foreign && !aliased.load(std::memory_order_relaxed) && used.none();
  }
  [[gnu::always_inline]] void ResetBinding() {
    bound = host_visible = exported = false;
    memory = WeakRef<Resource>();
  }
  void ResetScoped() {
    ResetBinding();
    memory_offset = memory_bytes = 0;
    memory_types = 0;
    external = 0;
    foreign = exported = concurrent = owned_in_parts = false;
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

// The subresources of an image with written content. A partly written subresource counts as
// written; PartialContent has its texels.
class ContentMap {
 public:
  ContentMap() = default;
  ContentMap(const ContentMap&) = delete;
  ContentMap& operator=(const ContentMap&) = delete;
  ~ContentMap() { Free(); }
  // All subresources count as written until the next Reset().
  void Free() {
    if (!one_word()) [[unlikely]]
      delete[] more_;
    all_ = true;
  }
  // `all`: all subresources count as written.
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

// Data that few images need, allocated separately to keep ImageState small.
struct ImageExtra {
  // The layouts that the last release to another queue family named.
  Layout released_from = kNoLayout, released_to = kNoLayout;
  // The last command whose store operation made the content of a part undefined; nullptr: none.
  const CallInfo* dropped_call = nullptr;
  SiteId dropped_site = kUnknownSite;
  ImagePart dropped_part;
  PartialContent partial;
  // VkImageFormatListCreateInfo: the formats that views may have. Empty: none was given.
  std::vector<VkFormat> view_formats;
  // Of stencil, once a command has changed the layout of one aspect alone. ImageState::layouts are
  // then those of depth. nullptr: both have the same.
  std::unique_ptr<LayoutMap> stencil_layouts;
};

struct ImageState final : Pooled<ImageState, ScopedState> {
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageCreateFlags flags = 0;
  uint32_t mips = 1, layers = 1;
  FormatBlock block;    // of the color aspect
  uint8_t samples = 1;  // VkSampleCountFlagBits
  uint8_t aspects = 0;  // VkImageAspectFlags of its format
  bool is_3d = false;
  bool optimal = true;  // its tiling: only commands access it
  ImageInfo info;       // of its Resource
  LayoutMap layouts;
  ContentMap content;
  std::unique_ptr<ImageExtra> extra;  // nullptr: none
  void Reset() {
    ResetScoped();
    layouts.Free();
    content.Free();
    if (extra != nullptr) [[unlikely]]
      extra.reset();
  }
  ImageExtra& MakeExtra() {
    if (extra == nullptr) [[unlikely]]
      extra = std::make_unique<ImageExtra>();
    return *extra;
  }

  VkExtent3D Extent() const {
    const auto of = [&](uint8_t axis) {
      // The last dimension of an array is its layers.
      return info.array && axis == info.dimensions - 1 ? 1
                                                       : static_cast<uint32_t>(info.extent[axis]);
    };
    return {of(0), of(1), of(2)};
  }
  [[gnu::always_inline]] VkExtent3D ExtentOf(uint32_t mip) const {
    const VkExtent3D extent = Extent();
    const uint32_t shift = std::min(mip, 31u);
    return {std::max(extent.width >> shift, 1u), std::max(extent.height >> shift, 1u),
            std::max(extent.depth >> shift, 1u)};
  }
};

// Whether the aspects are some of several: depth, stencil and planes may each have a content of
// their own, and planes a layout, which gpusan does not track separately.
inline bool IsOneOfSeveral(const ImageState& image, uint32_t aspects) {
  constexpr uint32_t kApart = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT |
                              VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT |
                              VK_IMAGE_ASPECT_PLANE_2_BIT;
  return (aspects & kApart) != 0 && (image.aspects & kApart & ~aspects) != 0;
}

struct MemoryState final : Pooled<MemoryState> {
  SpinLock lock;
  uint32_t type = 0;
  bool host_visible = false;
  bool coherent = false;
  bool foreign = false;  // imported, or a handle was exported: others access it
  bool ever_mapped = false;
  bool addressed = false;    // shaders may write it by address, which gpusan does not see
  bool addressable = false;  // VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT
  VkExternalMemoryHandleTypeFlags exports = 0;  // types of handles that it may be exported as
  VkExternalMemoryHandleTypeFlags import = 0;   // type of the handle that it was imported from
  WeakRef<Resource> exporter;  // of imported memory, if the device exported it itself
  bool shared = false;  // resources that overlap are bound to it, and are not recorded as aliases
  SiteId map_site = kUnknownSite;
  // Address of the mapping; nullptr: not mapped.
  void* mapped = nullptr;
  struct {
    uint64_t offset = 0, width = 0;  // bytes
    uint64_t end() const { return offset + width; }
  } mapped_range;
  Epoch unknown_write;  // the last submission that writes to unknown bytes
  // Bytes that were ever bound: a second binding of the same bytes is an alias.
  InitMap bound;
  // Bound resources, as aliases.h keeps them. Most memory objects have one.
  WeakRef<Resource> first_bound;
  LastUser user;  // by vkMapMemory and vkUnmapMemory
  // The handle of the buffer or image that it is dedicated to (VkMemoryDedicatedAllocateInfo); 0:
  // none.
  uintptr_t dedicated = 0;
  std::unique_ptr<std::vector<WeakRef<Resource>>> more_bound;
  bool crowded = false;            // too many resources are bound: they are not kept
  std::unique_ptr<HostView> view;  // created when both the host and the device may have accessed it
  PendingUses used;
  bool IsPending(const HostClock& host) override {
    if (!used.MayBePending(host)) return false;
    std::lock_guard guard(lock);
    return used.Pending(host);
  }
  // At most one resource was bound to it and is destroyed, and no submission used the memory.
  [[gnu::always_inline]] bool BoundAtMost() const {
    const Resource* resource = first_bound.object;
    return !foreign && !crowded && more_bound == nullptr && view == nullptr && used.none() &&
           (resource == nullptr || !resource->live() ||
            resource->generation.load(std::memory_order_relaxed) != first_bound.generation);
  }
  [[gnu::always_inline]] void ResetBinding() {
    addressed = shared = false;
    exporter = WeakRef<Resource>();
    bound.Reset();
    first_bound = WeakRef<Resource>();
    unknown_write = Epoch();
  }
  void Reset() {
    ResetBinding();
    user.Reset();
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

template <typename T>
bool Same(const WeakRef<T>& a, const WeakRef<T>& b) {
  return a.object == b.object && a.generation == b.generation;
}
// Views: the resource, and the part of it that they show.
struct BufferViewState final : Pooled<BufferViewState, HeldState> {
  WeakRef<Resource> buffer;
  Region region;
  bool Equals(const BufferViewState& other) const {
    return Same(buffer, other.buffer) && region.offset == other.region.offset &&
           region.width == other.region.width;
  }
  void Reset() { used.Clear(); }
};
struct ImageViewState final : Pooled<ImageViewState, HeldState> {
  WeakRef<Resource> image;
  ImagePart part;
  VkFormat format = VK_FORMAT_UNDEFINED;
  uint32_t usage = 0;  // VkImageUsageFlags
  bool swizzled = false;
  uint8_t type = 0;  // VkImageViewType
  // The format has integers; the numbers of other formats are read as floating-point numbers.
  bool integers = false;
  bool Equals(const ImageViewState& other) const {
    return Same(image, other.image) && Contains(part, other.part) && Contains(other.part, part) &&
           format == other.format && usage == other.usage && swizzled == other.swizzled &&
           type == other.type;
  }
  void Reset() { used.Clear(); }
};

// Changes with each buffer, image, pipeline and descriptor set that is destroyed: cached liveness
// is valid while it is unchanged. Odd, so never 0. A hint only: two threads may make one change
// together, and the use of a destroyed object is then reported at submission.
inline constinit std::atomic<uint32_t> released_objects{1};
inline void NoteReleasedObject() {
  released_objects.store(released_objects.load(std::memory_order_relaxed) + 2,
                         std::memory_order_relaxed);
}

// The same for all other kinds of objects that commands use.
inline constinit std::atomic<uint32_t> released_others{0};
// Changes with each object that commands use and that is destroyed.
inline uint64_t ReleasedSoFar() {
  return uint64_t{released_others.load(std::memory_order_relaxed)} << 32 |
         released_objects.load(std::memory_order_relaxed);
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
// Whether the host may have written the buffer by a pointer, or another resource by its memory.
inline bool MayBeWrittenUnseen(const Resource& buffer) {
  const Resource* memory = ScopedOf(buffer).memory.get();
  return memory == nullptr || MemoryOf(*memory).ever_mapped || MemoryOf(*memory).shared;
}

// The last object of a kind that a thread created or named: programs name the same object
// repeatedly. Two buffers, one object of any other kind: a library that is loaded late has little
// thread-local storage. Variables of a namespace: GCC's undefined behaviour sanitizer takes
// references to thread-local variables of inline functions for null.
inline constinit thread_local Object* recent_buffers[2] = {};
template <ObjectKind kind>
inline constinit thread_local Object* recent_object = nullptr;

[[gnu::always_inline]] inline size_t RecentBuffer(uintptr_t handle) {
  return handle * 0x9e3779b97f4a7c15u >> 63;
}
template <ObjectKind kind>
[[gnu::always_inline]] inline Object* RecentOf(uintptr_t handle) {
  if constexpr (kind == ObjectKind::kBuffer) {
    return recent_buffers[RecentBuffer(handle)];
  } else {
    return recent_object<kind>;
  }
}
template <ObjectKind kind>
[[gnu::always_inline]] inline void SetRecent(uintptr_t handle, Object* object) {
  if constexpr (kind == ObjectKind::kBuffer) {
    recent_buffers[RecentBuffer(handle)] = object;
  } else {
    recent_object<kind> = object;
  }
}
// The cached object that had the handle last, live or not; nullptr: not cached.
template <ObjectKind kind>
[[gnu::always_inline]] inline Object* LastOf(uintptr_t handle) {
  Object* last = RecentOf<kind>(handle);
  return last != nullptr && last->handle == handle && last->kind == kind &&
                 last->api == Api::kVulkan
             ? last
             : nullptr;
}
// The live object behind a handle; nullptr: not cached. For callers that neither keep the object
// nor have commands use it; others call FindRecent.
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
// The live object behind a handle. nullptr for a handle that is unknown or unusable; the finding is
// added then.
template <ObjectKind kind, typename T>
T* UseRecent(VkCall& call, uintptr_t handle, const char* argument) {
  Object* object = FindRecent<kind>(handle);
  if (object == nullptr) [[unlikely]] {
    object = UseHandle(call, kind, handle, argument);
    if (object != nullptr) SetRecent<kind>(handle, object);
  }
  return static_cast<T*>(object);
}
// Adds a finding if the resource belongs to another device. Returns the resource.
inline Resource* OfDevice(VkCall& call, Resource* resource, const char* argument) {
  if (resource != nullptr && resource->context != call.device().object) [[unlikely]]
    rules::CheckOwner(call, resource, call.device().object, argument);
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

// The subresources of an image that a range names, clipped to the image. VK_REMAINING_* extends to
// the end. Inline, like all functions that return extents: an extent that is passed through memory
// is read in larger words than it was written in, and such loads wait for the stores.
[[gnu::always_inline]] inline ImagePart PartOf(const ImageState& image,
                                               const VkImageSubresourceRange& range) {
  // VK_REMAINING_* is the largest number.
  auto remaining = [](uint32_t count, uint32_t first, uint32_t all) {
    return std::min(count, all > first ? all - first : 0);
  };
  // Slices of a 3D image can be layers of a view; for barriers they belong to the image's one
  // layer.
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
