// The shadow of what an API's handles name: the part that all kinds have in common.
//
// Objects live in slabs (type-stable, never unmapped); a handle that is used again is a new object
// with a new generation. Fields that change after creation are guarded by `lock` unless they are
// atomic or said otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "tracker/base/spin_lock.h"
#include "tracker/model/call_info.h"
#include "tracker/model/ids.h"

namespace gpusan {

enum class ObjectKind : uint8_t {
  kNone,
  kContext,
  kQueue,
  kBuffer,
  kImage,
  kPipe,
  kSvm,
  kSampler,
  kProgram,
  kKernel,
  kEvent,
  kUserEvent,
  kCommandBuffer,
  kSemaphore,
  kDeviceMemory,   // an allocation of a device, found by its address
  kPinned,         // host memory that devices reach: allocated by the API, or registered with it
  kManaged,        // moves between host and devices by itself
  kRecordedEvent,  // stands for the point of its last record
  kMipmap,         // an array with levels, each of which is an image made from it
  kTexture,
  kSurface,
  kGraph,
  kGraphExec,
  kMemoryPool,
  kReservation,  // a range of addresses without memory
  kExternalMemory,
  kExternalSemaphore,
  kPhysicalMemory,  // memory without addresses
  kMappedMemory,    // ... and the addresses it was mapped to
  kInstance,
  kFence,
  kCommandPool,
  kBufferView,
  kImageView,
  kQueryPool,
  kDescriptorPool,
  kDescriptorSet,
  kDescriptorSetLayout,
  kDescriptorTemplate,
  kPipeline,
  kPipelineCache,
  kPipelineLayout,
  kRenderPass,
  kFramebuffer,
  kSwapchain,
  kPresentationSurface,
  kYcbcrConversion,
};
inline constexpr int kObjectKinds = static_cast<int>(ObjectKind::kYcbcrConversion) + 1;
static_assert(kObjectKinds <= 64, "kinds are bits of a KindMask");

// Who may be meant by a handle argument.
using KindMask = uint64_t;
constexpr KindMask MaskOf(ObjectKind kind) { return KindMask{1} << static_cast<int>(kind); }
template <typename... Kinds>
constexpr KindMask AnyOf(Kinds... kinds) {
  return (MaskOf(kinds) | ...);
}

// The program names it by any address inside it: its handle is its first byte.
inline constexpr KindMask kAddressKinds =
    AnyOf(ObjectKind::kSvm, ObjectKind::kDeviceMemory, ObjectKind::kPinned, ObjectKind::kManaged,
          ObjectKind::kMappedMemory);
// ... and the host may use that address.
inline constexpr KindMask kHostAddressKinds =
    AnyOf(ObjectKind::kSvm, ObjectKind::kPinned, ObjectKind::kManaged);
// Those that are a Resource.
inline constexpr KindMask kMemoryKinds =
    kAddressKinds | AnyOf(ObjectKind::kBuffer, ObjectKind::kImage, ObjectKind::kPipe,
                          ObjectKind::kMipmap, ObjectKind::kPhysicalMemory);

// Under what a handle is found again. Vulkan's are unique only among the objects of one type
// (Vulkan 1.3 §3.3), so that the kind goes in; no driver's handles have these bits.
constexpr uintptr_t KeyOf(Api api, ObjectKind kind, uintptr_t handle) {
  return api == Api::kVulkan ? handle ^ static_cast<uintptr_t>(kind) << 57 : handle;
}

// "buffer", "image", "command queue", ...
const char* ObjectKindName(ObjectKind kind);

enum class ObjectState : uint8_t {
  kFree,      // memory waits in the slab
  kLive,      // the program holds at least one reference
  kReleased,  // the program gave its last reference back; kept for a while to explain later uses
};

struct Object {
  mutable SpinLock lock;
  std::atomic<uint32_t> generation{1};
  std::atomic<ObjectState> state{ObjectState::kFree};
  ObjectKind kind = ObjectKind::kNone;
  Api api = Api::kNone;
  bool adopted = false;  // first seen when used: its creation and references are not known, so no
                         // leak is claimed
  bool owned = false;    // goes with its parent: nobody releases it, and no leak is claimed
  // It was looked up since it was made: others may refer to it, and mean this very object.
  std::atomic<bool> named{false};
  // The lower half of `generation` where another object has its handle: nobody finds it any more.
  std::atomic<uint16_t> replaced{0};
  std::atomic<int32_t> references{
      0};  // as the program sees them: creation and retains less releases
  uint32_t context_generation = 0;
  uintptr_t handle = 0;
  Object* context = nullptr;
  const CallInfo* creator = nullptr;
  SiteId created = kUnknownSite;
  SiteId released = kUnknownSite;
  std::atomic<SiteId> retained{kUnknownSite};  // the last retain

  bool live() const { return state.load(std::memory_order_relaxed) == ObjectState::kLive; }
  void MarkNamed() {
    if (!named.load(std::memory_order_relaxed)) named.store(true, std::memory_order_relaxed);
  }
  bool is_memory() const { return (MaskOf(kind) & kMemoryKinds) != 0; }
  bool by_address() const { return (MaskOf(kind) & kAddressKinds) != 0; }
  bool host_addressable() const { return (MaskOf(kind) & kHostAddressKinds) != 0; }
};

// A pointer that knows whether the object behind it is still the same one.
template <typename T>
struct WeakRef {
  T* object = nullptr;
  uint32_t generation = 0;

  WeakRef() = default;
  explicit WeakRef(T* target)
      : object(target),
        generation(target ? target->generation.load(std::memory_order_relaxed) : 0) {}
  // nullptr when the object has been recycled. A released object is still returned: look at its
  // state.
  T* get() const {
    return object != nullptr && object->generation.load(std::memory_order_acquire) == generation
               ? object
               : nullptr;
  }
};

// What the hooks of an API keep beside an object. Goes when the object is recycled.
class ObjectPart {
 public:
  virtual void Recycle() = 0;

 protected:
  ~ObjectPart() = default;
};

// Two lines; what look-ups touch is in the first one.
struct alignas(64) PlainObject : Object {
  std::atomic<uint32_t> mark{0};  // the hooks' own, of what is asked most often; 0 when it is new
  PlainObject* next_free = nullptr;
  void* native = nullptr;      // the hooks' own part; not owned
  ObjectPart* part = nullptr;  // the same, owned
  std::string text;            // a program's build options
  bool from_source = false;    // a program whose builds take compiler options
  // Whether kernels of this context may use any host pointer: -1 not asked yet, 0 no, 1 yes.
  std::atomic<int8_t> shares_all_host_memory{-1};
  // How often the host has waited for all that was in this context.
  std::atomic<uint32_t> full_waits{0};
};
static_assert(sizeof(PlainObject) == 128);

}  // namespace gpusan
