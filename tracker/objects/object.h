// The shadow of an API object: the part that all kinds have in common.
//
// Objects live in slabs (type-stable, never unmapped). A reused handle names a new object with a
// new generation. `lock` guards fields that change after creation, unless they are atomic or their
// comment says otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "tracker/base/sampled.h"
#include "tracker/base/spin_lock.h"
#include "tracker/model/apis.h"
#include "tracker/model/call_info.h"
#include "tracker/model/ids.h"

namespace gpusan {

class HostClock;

enum class ObjectKind : uint8_t {
  kNone,
#define GPUSAN_OBJECT_KIND(symbol, name) k##symbol,
#include "tracker/objects/object_kinds.def"
#undef GPUSAN_OBJECT_KIND
};
inline constexpr int kObjectKinds = static_cast<int>(ObjectKind::kUserObject) + 1;
static_assert(kObjectKinds <= 64, "kinds are bits of a KindMask");

// Set of kinds, such as the kinds that a handle argument may name.
using KindMask = uint64_t;
constexpr KindMask MaskOf(ObjectKind kind) { return KindMask{1} << static_cast<int>(kind); }
template <typename... Kinds>
constexpr KindMask AnyOf(Kinds... kinds) {
  return (MaskOf(kinds) | ...);
}

// Kinds that the program names by any address inside the object. The handle is the first address.
inline constexpr KindMask kAddressKinds =
    AnyOf(ObjectKind::kSvm, ObjectKind::kDeviceMemory, ObjectKind::kPinned, ObjectKind::kManaged,
          ObjectKind::kMappedMemory);
// Kinds of kAddressKinds whose addresses the host may access.
inline constexpr KindMask kHostAddressKinds =
    AnyOf(ObjectKind::kSvm, ObjectKind::kPinned, ObjectKind::kManaged);
// Kinds whose objects are of type Resource.
inline constexpr KindMask kMemoryKinds =
    kAddressKinds | AnyOf(ObjectKind::kBuffer, ObjectKind::kImage, ObjectKind::kPipe,
                          ObjectKind::kMipmap, ObjectKind::kPhysicalMemory);

// Returns the look-up key of a handle. Where handles are unique only among the objects of one kind,
// the key includes the kind. No driver uses these bits in its handles.
constexpr uintptr_t KeyOf(Api api, ObjectKind kind, uintptr_t handle) {
  return HandlesAreUniqueInKind(api) ? handle ^ static_cast<uintptr_t>(kind) << 57 : handle;
}

// "buffer", "image", "command queue", ...
const char* ObjectKindName(ObjectKind kind);

// A text about a kind of objects.
struct KindText {
  ObjectKind kind;
  const char* text;
};
// Returns the text of the row of the kind, or `otherwise` if there is no row.
const char* TextOfKind(ObjectKind kind, absl::Span<const KindText> rows, const char* otherwise);

enum class ObjectState : uint8_t {
  kFree,      // unused storage in the slab
  kLive,      // the program holds at least one reference
  kReleased,  // the program released its last reference; retained for findings about later uses
};

struct Object {
  mutable SpinLock lock;
  std::atomic<uint32_t> generation{1};
  std::atomic<ObjectState> state{ObjectState::kFree};
  ObjectKind kind = ObjectKind::kNone;
  Api api = Api::kNone;
  // First seen in use: creation and references are unknown, so no leak is reported. The sampler
  // reads this field and the next one: set them by MarkAdopted and MarkOwned.
  bool adopted = false;
  // Released with its parent, not by the program: no leak is reported.
  bool owned = false;
  // True once a look-up returned the object since its creation: references to exactly this object
  // may exist.
  std::atomic<bool> named{false};
  // The lower half of `generation` if a newer object has the same handle. Look-ups no longer return
  // this object then.
  std::atomic<uint16_t> replaced{0};
  // The reference count of the program: creation and retains minus releases.
  std::atomic<int32_t> references{0};
  uint32_t context_generation = 0;
  uintptr_t handle = 0;
  Object* context = nullptr;
  const CallInfo* creator = nullptr;
  SiteId created = kUnknownSite;
  SiteId released = kUnknownSite;
  std::atomic<SiteId> retained{kUnknownSite};  // call site of the last retain

  bool live() const { return state.load(std::memory_order_relaxed) == ObjectState::kLive; }
  void MarkAdopted(bool value = true) { StoreSampled(adopted, value); }
  void MarkOwned(bool value = true) { StoreSampled(owned, value); }
  void MarkNamed() {
    if (!named.load(std::memory_order_relaxed)) named.store(true, std::memory_order_relaxed);
  }
  bool is_memory() const { return (MaskOf(kind) & kMemoryKinds) != 0; }
  bool by_address() const { return (MaskOf(kind) & kAddressKinds) != 0; }
  bool host_addressable() const { return (MaskOf(kind) & kHostAddressKinds) != 0; }
};

// A pointer that detects whether its object was recycled.
template <typename T>
struct WeakRef {
  T* object = nullptr;
  uint32_t generation = 0;

  WeakRef() = default;
  explicit WeakRef(T* target)
      : object(target),
        generation(target ? target->generation.load(std::memory_order_relaxed) : 0) {}
  // Returns nullptr if the object was recycled. Returns released objects: check `state`.
  [[gnu::always_inline]] T* get() const {
    return object != nullptr && object->generation.load(std::memory_order_acquire) == generation
               ? object
               : nullptr;
  }

  friend bool operator==(const WeakRef&, const WeakRef&) = default;
};

// Data of the hooks of an API for an object. Recycle() is called when the object is recycled.
class ObjectPart {
 public:
  virtual void Recycle() = 0;
  // Whether submitted work that the host has not observed to be complete uses the object. False if
  // the part does not count such work. Thread-safe.
  virtual bool IsPending(const HostClock& /*host*/) { return false; }

 protected:
  ~ObjectPart() = default;
};

// An object without a type of its own. Two cache lines; look-ups touch only the first one.
struct alignas(64) PlainObject : Object {
  std::atomic<uint32_t> mark{0};  // for the hooks' most frequent queries; 0 in a new object
  PlainObject* next_free = nullptr;
  void* native = nullptr;      // data of the hooks; not owned
  ObjectPart* part = nullptr;  // data of the hooks; owned
  std::string text;            // programs: build options
  bool from_source = false;    // programs: builds take compiler options
  // Contexts: whether kernels may use any host pointer. -1: not queried yet, 0: no, 1: yes.
  std::atomic<int8_t> shares_all_host_memory{-1};
  // Contexts: the program has ended a user event of the context with a negative status.
  std::atomic<bool> abandoned{false};
  // Contexts: how often the host has waited for all work of the context.
  std::atomic<uint32_t> full_waits{0};
};
static_assert(sizeof(PlainObject) == 128);

}  // namespace gpusan
