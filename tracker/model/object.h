// The shadow of what an API's handles name: contexts, queues, memory, kernels, events.
//
// Objects live in slabs (type-stable, never unmapped); a handle that is used again is a new object
// with a new generation. Fields that change after creation are guarded by `lock` unless they are
// atomic or said otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "tracker/base/spin_lock.h"
#include "tracker/memory/init_map.h"
#include "tracker/model/clock.h"
#include "tracker/model/event_record.h"
#include "tracker/model/ids.h"
#include "tracker/model/region.h"
#include "tracker/order/access.h"
#include "tracker/order/busy_queues.h"
#include "tracker/order/command_run.h"

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

// What API flags say about who may access a resource, in neutral terms.
enum ResourceFlag : uint16_t {
  kKernelReadOnly = 1 << 0,
  kKernelWriteOnly = 1 << 1,
  kHostNoAccess = 1 << 2,
  kHostReadOnly = 1 << 3,
  kHostWriteOnly = 1 << 4,
  kUsesHostMemory = 1 << 5,    // lives in the program's host block
  kCopiedHostMemory = 1 << 6,  // was filled from a host block at creation
  kHostVisible =
      1 << 7,          // fine-grained SVM, managed, mapped for good: host accesses cannot be seen
  kImported = 1 << 8,  // content and accesses from elsewhere
  // The host writes it unseen, and running kernels share it with the host on purpose; transfers are
  // exact.
  kMappedHost = 1 << 9,
  kStreamOrdered = 1 << 10,  // allocated in the order of a stream
  kFreedInOrder = 1 << 11,   // ... and freed in it
  kOutlivesContext = 1 << 12,
  kSynchronous = 1 << 13,  // calls that may return early wait for what they do to it
  kBoundMemory = 1 << 14,  // its memory is another resource, which it is bound to
  // Released, and nothing had happened to it but what its part says (Tracker::Renew).
  kRenewable = 1 << 15,
};

// Extent and format of an image.
struct ImageInfo {
  uint64_t extent[3] = {1, 1, 1};  // texels; array layers count as the last used dimension
  uint8_t dimensions = 1;          // how many of extent[] regions address, layers included
  bool array = false;
  bool in_part = false;      // belongs to the ObjectPart of its resource
  uint32_t texel_bytes = 0;  // 0: format unknown, nothing is judged
  uint32_t channels = 0;
  uint32_t native_type = 0;
  uint32_t native_order = 0;  // format as the API spells it, two numbers
  uint32_t native_data_type = 0;
  // Layout used for regions: tight, or that of the buffer the image was made from.
  uint64_t row_pitch = 0;
  union {
    uint64_t slice_pitch = 0;
    ImageInfo* next_free;  // while it is nobody's
  };
};
static_assert(sizeof(ImageInfo) == 64);

// A region that the program has mapped.
struct Mapping {
  uintptr_t pointer = 0;
  Region region;  // of the root resource
  SiteId site = kUnknownSite;
  bool write = false;
  bool read = false;
};

// What few resources have: kept apart, so that each live resource costs less. Guarded by the root's
// lock unless said otherwise.
struct ResourceExtra {
  ResourceExtra* next_free = nullptr;
  std::vector<Mapping> mappings;  // of a root resource
  // A call that should have written this resource failed; cleared by the next write that succeeds.
  // Read without the lock.
  std::atomic<const CallInfo*> failed_write_call{nullptr};
  SiteId failed_write_site = kUnknownSite;
  int32_t failed_write_code = 0;
};

// A stretch of device, image, shared or imported memory. 192 bytes.
struct Resource : Object {
  uint32_t unseen_writes = 0;  // Tracker::NoteUnseenWrites so far when it was created
  uint64_t bytes = 0;
  union {
    uint64_t native_flags = 0;
    Resource* next_free;  // while it is nobody's
  };
  uint16_t flags = 0;          // ResourceFlag
  bool partial_noted = false;  // one partially-initialized finding a resource is enough
  uint8_t grave = 0;           // where it lies in the graveyard of a thread
  uint32_t parent_generation = 0;
  // A sub-resource's accesses are kept by its root, at this offset.
  Resource* root = nullptr;  // itself when it has no parent
  Resource* parent = nullptr;
  uint64_t root_offset = 0;
  uintptr_t address = 0;  // SVM base, or the host block that it lives in
  ImageInfo* image = nullptr;
  std::atomic<uint32_t> children{0};  // live sub-resources
  // Itself and sub-resources whose memory still refers to it: it is not recycled before they are.
  std::atomic<uint32_t> holders{1};
  AccessHistory history;
  InitMap init;
  // nullptr until it is needed; set under the root's lock, and gone only with the resource.
  std::atomic<ResourceExtra*> extra{nullptr};
  ObjectPart* part = nullptr;  // nullptr: the API keeps nothing

  // Of its own: parts share their parent's, and mapped memory counts where it was created.
  bool holds_memory() const {
    return parent == nullptr && kind != ObjectKind::kMappedMemory && !has(kBoundMemory);
  }
  bool has(ResourceFlag flag) const { return (flags & flag) != 0; }
  const ResourceExtra* more() const { return extra.load(std::memory_order_acquire); }
  const CallInfo* failed_write_call() const {
    const ResourceExtra* kept = more();
    return kept == nullptr ? nullptr : kept->failed_write_call.load(std::memory_order_relaxed);
  }
};
static_assert(sizeof(Resource) == 192);

// One totally ordered sequence of commands: all of an in-order queue, or a lane of an out-of-order
// one.
struct Lane {
  TimelineId timeline = 0;
  uint64_t tick = 0;
};

class StreamGroup;

struct Queue : Object {
  Queue* next_free = nullptr;
  void* native = nullptr;                  // the hooks' own part; not owned
  StreamGroup* group = nullptr;            // that it belongs to (stream_group.h)
  std::atomic<uint64_t> group_version{0};  // of the group, up to which it is ordered behind
  std::atomic<bool> group_news{false};     // has commands that the group's first has not joined
  // Where it is listed while the host has not waited for all of it; nullptr: nowhere. Both under
  // the lock.
  BusyQueues* busy = nullptr;
  bool listed = false;
  bool in_order = true;
  bool unlogged = false;  // whoever enqueues tells the command log
  CommandRun run;         // the command log's; under the lock
  uintptr_t device = 0;
  Clock waited;  // what every later command of the queue is ordered behind, beyond its own lanes
  Clock behind;  // what any command so far was ordered behind; only out-of-order queues
  uint32_t gates = 0;          // unsignalled user events in front of every later command
  uint32_t gates_version = 0;  // of Gates, at which `gates` was settled last
  uint32_t all_gates = 0;      // in front of any command so far; only out-of-order queues
  std::vector<Lane> lanes;     // exactly one when in order
  // Grows with everything that a wait of the host has to join; written under the lock.
  std::atomic<uint32_t> work{0};
  std::atomic<uint32_t> waited_work{0};  // as far as the host has waited

  // The host has waited for everything in it: another wait would change nothing. Without the lock.
  bool idle() const {
    return work.load(std::memory_order_acquire) == waited_work.load(std::memory_order_relaxed);
  }
  // Under the lock.
  void NoteWork() {
    work.store(work.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    if (!listed && busy != nullptr) [[unlikely]]
      List();
  }
  void List() {
    listed = true;
    busy->Add(this);
  }
  // These take the lock.
  void ListIn(BusyQueues* queues) {
    std::lock_guard guard(lock);
    if (listed) busy->Remove(this);
    listed = false;
    busy = queues;
    if (busy != nullptr && !idle()) List();
  }
  void Taken() {  // out of the list, by somebody who waits for it now
    std::lock_guard guard(lock);
    listed = false;
  }
  void ListUnlessIdle() {
    if (idle()) [[likely]]
      return;
    std::lock_guard guard(lock);
    if (!listed && busy != nullptr) List();
  }
};

struct Event : Object {
  Event* next_free = nullptr;
  Epoch epoch;   // of the command; invalid for user events
  Clock before;  // what the command was ordered behind when it was recorded
  uint32_t gates = 0;
  const CallInfo* call = nullptr;  // the command
  SiteId command_site = kUnknownSite;
  // User events: 1 = submitted (no status set), 0 = complete, < 0 = error. Commands: < 0 once known
  // to have failed.
  std::atomic<int32_t> status{1};
  std::atomic<uint32_t> waiters{
      0};  // commands that were enqueued behind a user event before its status was set
  SiteId first_waiter = kUnknownSite;
  const CallInfo* first_waiter_call = nullptr;
};

enum class Direction : uint8_t { kUnknown, kRead, kWrite, kReadWrite, kNone };
enum class ArgumentKind : uint8_t { kUnknown, kValue, kMemory, kLocal, kSampler, kQueue };

// One parameter of a kernel and what is set for it.
struct KernelArgument {
  // From the program's parameter information; kUnknown without it.
  ArgumentKind kind = ArgumentKind::kUnknown;
  Direction direction = Direction::kUnknown;
  bool integral = false;       // a scalar integer of at most 8 bytes
  uint16_t element_bytes = 0;  // of a pointer's element type; 0 unknown
  bool set = false;
  bool svm = false;
  WeakRef<Resource> resource;  // of the last value set, when it is a memory object or SVM pointer
  uint64_t offset = 0;         // bytes from the resource's start (SVM pointers)
  uint64_t value = 0;          // of integral scalars

  // Set by value to what may carry an offset: an integer that is not 0, or a structure.
  bool MayBeOffset() const {
    return set && (kind == ArgumentKind::kValue || kind == ArgumentKind::kUnknown) &&
           (value != 0 || !integral);
  }
};

struct Kernel : Object {
  Kernel* next_free = nullptr;
  std::string name;
  WeakRef<Object> program;
  std::vector<KernelArgument> arguments;
  std::vector<std::string> argument_names;
  std::vector<WeakRef<Resource>> indirect;  // SVM named by execution information
  bool has_argument_info = false;
};

// An event that is recorded again and again, as CUDA's are (event_record.h).
struct RecordedEvent : Object {
  RecordedEvent* next_free = nullptr;
  EventRecord record;
  uint32_t native_flags = 0;
  // The hooks' own: what the last record went into instead of a queue, and its number; not owned.
  std::atomic<void*> native{nullptr};
  uint64_t native_id = 0;
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
