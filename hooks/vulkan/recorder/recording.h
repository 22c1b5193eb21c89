// The content of a command buffer: the accesses, barriers and events of its commands, as small
// plain records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hooks/vulkan/objects/recording_clock.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recorder/suspended_renderings.h"
#include "hooks/vulkan/shaders/render_pass_info.h"
#include "hooks/vulkan/spirv/dispatch_ranges.h"
#include "hooks/vulkan/words/sync_masks.h"
#include "tracker/objects/object.h"
#include "tracker/objects/resource.h"
#include "tracker/scopes/layouts.h"
#include "tracker/scopes/scoped_history.h"

namespace gpusan::vulkan {

enum class RecordKind : uint8_t {
  kUse,
  kBarrier,
  kResourceBarrier,
  kSetEvent,
  kResetEvent,
  kWaitEvent,
  kExecute,
  kHold,
  kSet,
  kLabel,
  kScopes,
  kSubpass,
  kEventScope,
  kEventWait,
  kQuery,
  kQueryReset,
  kQueryCopy,
  kInputs,
};

struct Recorded {
  RecordKind kind;
  bool first;  // of its command
  uint16_t bytes;
  SiteId site;
  const CallInfo* call;
};

// The format of the extent that follows a record. The shortest format is used; most extents are
// whole subresources or ranges.
enum class ExtentForm : uint8_t { kBytes, kRegion, kSubresources, kPart };

struct Bytes {
  static constexpr ExtentForm kForm = ExtentForm::kBytes;
  uint64_t offset, width;
};
struct Subresources {
  static constexpr ExtentForm kForm = ExtentForm::kSubresources;
  uint32_t aspects, first_mip, mips, first_layer, layers;
};
struct WholeRegion {
  static constexpr ExtentForm kForm = ExtentForm::kRegion;
  Region region;
};
struct WholePart {
  static constexpr ExtentForm kForm = ExtentForm::kPart;
  ImagePart part;
};

// Reads the extent that follows a record. `tail`: right after the record's fields. The result is
// written in place, since a copy would wait for the stores.
inline void ReadExtent(ExtentForm form, const void* tail, Extent* extent) {
  extent->is_image = form == ExtentForm::kSubresources || form == ExtentForm::kPart;
  switch (form) {
    case ExtentForm::kBytes: {
      const auto& bytes = *static_cast<const Bytes*>(tail);
      extent->region = Region::Linear(bytes.offset, bytes.width);
      break;
    }
    case ExtentForm::kRegion:
      extent->region = static_cast<const WholeRegion*>(tail)->region;
      break;
    case ExtentForm::kSubresources: {
      const auto& all = *static_cast<const Subresources*>(tail);
      extent->part = {all.aspects, all.first_mip, all.mips, all.first_layer, all.layers, {}, {}};
      break;
    }
    case ExtentForm::kPart:
      extent->part = static_cast<const WholePart*>(tail)->part;
      break;
  }
}

// An access of a command to a part of a buffer or image.
struct RecordedUse : Recorded {
  static constexpr RecordKind kKind = RecordKind::kUse;
  ExtentForm form;
  Resource* resource;
  uint32_t generation;
  Layout layout;  // the layout that the image must have; kNoLayout for buffers
  uint64_t stage, access;
  bool write;
  bool shader = false;
  bool discards = false;   // the previous content is not needed
  bool unordered = false;  // may not happen: counts for lifetime and content only
  // Accesses of a subpass to its attachments, loads and draws, are ordered: they count as one
  // command. So do those of fragment shaders with an interlock.
  bool of_subpass = false;
  // The program named the resource by an address, which may belong to another one when the command
  // runs.
  bool by_address = false;
  // With by_address: the access is a defect if the resource is destroyed and no other resource has
  // its bytes.
  bool needs_buffer = false;
  bool rasterized = false, loads = false;  // as in ScopedAccess
  bool sure_part = false, maybe = false;   // as in ScopedAccess
  bool drops = false;                      // makes the content undefined: a store operation
  bool content_used = false;               // by a shader, as in PipelineBinding

  void Read(Extent* extent) const { ReadExtent(form, this + 1, extent); }
};

// The expanded masks that barriers of the recording point to. The replay skips this record.
struct RecordedScopes : Recorded {
  static constexpr RecordKind kKind = RecordKind::kScopes;
  ScopeBarrier barrier;
};

// An execution dependency with its global memory dependency.
struct RecordedBarrier : Recorded {
  static constexpr RecordKind kKind = RecordKind::kBarrier;
  const ScopeBarrier* barrier;
};

// The part of a barrier that names a resource.
struct RecordedResourceBarrier : Recorded {
  static constexpr RecordKind kKind = RecordKind::kResourceBarrier;
  ExtentForm form;
  Resource* resource;
  const ScopeBarrier* barrier;
  uint32_t generation;
  Layout old_layout, new_layout;          // equal: no transition
  uint32_t source_family, target_family;  // equal: no transfer
  // Also an execution dependency of the whole queue, without a record of its own.
  bool orders_all = false;

  void Read(Extent* extent) const { ReadExtent(form, this + 1, extent); }
};

struct RecordedSetEvent : Recorded {
  static constexpr RecordKind kKind = RecordKind::kSetEvent;
  PlainObject* event;
  uint32_t generation;
  EventDependency dependency;
};
struct RecordedResetEvent : Recorded {
  static constexpr RecordKind kKind = RecordKind::kResetEvent;
  PlainObject* event;
  uint32_t generation;
  uint64_t stages;  // expanded to the stages that follow
};
// A command waits for the event. One for each event of the command, before its other records.
struct RecordedEventWait : Recorded {
  static constexpr RecordKind kKind = RecordKind::kEventWait;
  PlainObject* event;
  uint32_t generation;
  // The dependency describes all events of the command together; this record is the last one.
  bool last;
  EventDependency dependency;
  uint64_t target_stages;  // expanded to the stages that follow
};
// Precedes the resource barriers of a wait, once for each of its events: commands after the set
// operation are not in the first scope of these barriers.
struct RecordedEventScope : Recorded {
  static constexpr RecordKind kKind = RecordKind::kEventScope;
  PlainObject* event;
  uint32_t generation;
};
// Follows the resource barriers of the wait.
struct RecordedWaitEvent : Recorded {
  static constexpr RecordKind kKind = RecordKind::kWaitEvent;
  PlainObject* event;
  uint32_t generation;
  const ScopeBarrier* barrier;
};

// The execution of a secondary command buffer, with its recording at that time.
struct RecordedExecute : Recorded {
  static constexpr RecordKind kKind = RecordKind::kExecute;
  PlainObject* commands;
  uint32_t generation;
  uint32_t child;  // index into Recording::children()
};

// The command uses an object that must live until the command is complete.
struct RecordedHold : Recorded {
  static constexpr RecordKind kKind = RecordKind::kHold;
  PlainObject* object;
  uint32_t generation;
};

// The shaders of a pipeline access the resources that a bound descriptor set names when the command
// runs; the set must not change until then (Vulkan 1.3 §14.2.2). The command also holds the set.
struct RecordedSet : Recorded {
  static constexpr RecordKind kKind = RecordKind::kSet;
  static constexpr size_t kMaxOffsets = 64;
  PlainObject* set;
  uint32_t generation, pipeline_generation;
  PlainObject* pipeline;
  uint32_t index;         // of the set, in the pipeline
  uint32_t offset_count;  // number of dynamic offsets, which follow the record

  const uint32_t* offsets() const { return reinterpret_cast<const uint32_t*>(this + 1); }
};

// The workgroups and push constants of the following dispatches. Precedes the sets of a dispatch.
struct RecordedInputs : Recorded {
  static constexpr RecordKind kKind = RecordKind::kInputs;
  DispatchInputs inputs;
};

// A subpass begins; kNone: the render pass ends.
struct RecordedSubpass : Recorded {
  static constexpr RecordKind kKind = RecordKind::kSubpass;
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t index;
  bool rendering;  // of dynamic rendering
  bool suspends = false;
};

// The command begins a query, or makes its result available, or both.
struct RecordedQuery : Recorded {
  static constexpr RecordKind kKind = RecordKind::kQuery;
  PlainObject* pool;
  uint32_t generation;
  uint32_t query;
  bool begins, ends;
};

// The command resets queries.
struct RecordedQueryReset : Recorded {
  static constexpr RecordKind kKind = RecordKind::kQueryReset;
  PlainObject* pool;
  uint32_t generation;
  uint32_t first, count;
};

// The command copies the results of queries, which must be available.
struct RecordedQueryCopy : Recorded {
  static constexpr RecordKind kKind = RecordKind::kQueryCopy;
  PlainObject* pool;
  uint32_t generation;
  uint32_t first, count;
};

// The program's label for the following commands.
struct RecordedLabel : Recorded {
  static constexpr RecordKind kKind = RecordKind::kLabel;
  LabelId label;
};

// The accesses of a secondary command buffer to attachments that the primary command buffer
// provides.
struct DeferredUses {
  AttachmentUses uses = 0;
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  bool shader = false;  // as in RecordedUse
  // The accessed rectangle and layers, counted from the first layer of the attachment; layerCount
  // 0: all that is drawn.
  VkClearRect area = {};
};

// Not thread-safe while it is recorded; immutable afterwards.
class Recording {
 public:
  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // The next record belongs to another command.
  void NextCommand() { first_ = true; }
  // Appends a T. `fields`: its members after those of Recorded.
  template <typename T, typename... Fields>
  T& Append(const CallInfo& call, SiteId site, Fields&&... fields) {
    static_assert(std::is_trivially_destructible_v<T>);
    const bool first = first_;
    first_ = false;
    return *new (Take(sizeof(T)))
        T{{T::kKind, first, sizeof(T), site, &call}, std::forward<Fields>(fields)...};
  }
  // The same for a caller that keeps the write position itself: starts at Fill(), passes each
  // result to the next FillIn, and ends with FillTo(). `first`: whether it is the first record of
  // its command. Precondition: HasRoom for all of its records.
  std::byte* Fill() const { return at_; }
  template <typename T, typename... Fields>
  [[gnu::always_inline]] static std::byte* FillIn(std::byte* at, bool first, const CallInfo& call,
                                                  SiteId site, Fields... fields) {
    new (at) T{{T::kKind, first, sizeof(T), site, &call}, fields...};
    return at + sizeof(T);
  }
  void FillTo(std::byte* at) { at_ = at; }
  // Whether records of `bytes` bytes in total fit into the current chunk.
  bool HasRoom(size_t bytes) const { return static_cast<size_t>(end_ - at_) >= bytes; }
  // Appends a T with an extent.
  template <typename T, typename... Fields>
  [[gnu::always_inline]] T& AppendWith(const CallInfo& call, SiteId site, const Region& extent,
                                       Fields&&... fields) {
    if (extent.linear()) [[likely]]
      return AppendTail<T>(call, site, Bytes{extent.offset, extent.width}, fields...);
    return AppendTail<T>(call, site, WholeRegion{extent}, fields...);
  }
  template <typename T, typename... Fields>
  [[gnu::always_inline]] T& AppendWith(const CallInfo& call, SiteId site, const Bytes& extent,
                                       Fields&&... fields) {
    return AppendTail<T>(call, site, extent, fields...);
  }
  template <typename T, typename... Fields>
  [[gnu::always_inline]] T& AppendWith(const CallInfo& call, SiteId site, const ImagePart& extent,
                                       Fields&&... fields) {
    if (extent.whole()) [[likely]] {
      const Subresources all{extent.aspects, extent.first_mip, extent.mips, extent.first_layer,
                             extent.layers};
      return AppendTail<T>(call, site, all, fields...);
    }
    return AppendTail<T>(call, site, WholePart{extent}, fields...);
  }
  template <typename T, typename... Fields>
  T& AppendWith(const CallInfo& call, SiteId site, const Extent& extent, Fields&&... fields) {
    return extent.is_image ? AppendWith<T>(call, site, extent.part, fields...)
                           : AppendWith<T>(call, site, extent.region, fields...);
  }
  // Appends a RecordedSet with its dynamic offsets, at most RecordedSet::kMaxOffsets.
  template <typename... Fields>
  void AppendSet(const CallInfo& call, SiteId site, absl::Span<const uint32_t> offsets,
                 Fields&&... fields) {
    const size_t bytes = sizeof(RecordedSet) + (offsets.size() + 1) / 2 * sizeof(uint64_t);
    const bool first = first_;
    first_ = false;
    void* place = Take(bytes);
    auto* record = new (place) RecordedSet{
        {RecordedSet::kKind, first, static_cast<uint16_t>(bytes), site, &call}, fields...};
    if (!offsets.empty()) [[unlikely]]
      std::memcpy(static_cast<void*>(record + 1), offsets.data(),
                  offsets.size() * sizeof(uint32_t));
  }
  // The expanded masks; valid until Clear. A command buffer has few different barriers: equal masks
  // that follow each other closely share one copy.
  // Inline, so that the masks are compared in registers.
  [[gnu::always_inline]] const ScopeBarrier* Scopes(const GivenMasks& masks) {
    const KnownScopes& last = recent_[last_];
    if (last.masks == masks && last.barrier != nullptr) [[likely]]
      return last.barrier;
    return FindScopes(masks);
  }
  // Whether Scopes(masks) appends no record.
  [[gnu::always_inline]] bool KnowsScopes(const GivenMasks& masks) {
    const KnownScopes& last = recent_[last_];
    return (last.masks == masks && last.barrier != nullptr) || FindKnown(masks);
  }
  template <typename Visitor>
  void ForEach(Visitor visit) const {
    for (size_t i = 0; i <= chunk_ && i < chunks_.size(); ++i) {
      const std::byte* at = chunks_[i].get();
      const std::byte* end = i == chunk_ ? at_ : at + ends_[i];
      while (at < end) {
        const auto& record = *reinterpret_cast<const Recorded*>(at);
        visit(record);
        at += record.bytes;
      }
    }
  }
  // The recording of a secondary command buffer when it was executed.
  struct Child {
    std::shared_ptr<const Recording> recording;
    WeakRef<PlainObject> commands;
  };
  uint32_t AddChild(Child child) {
    children_.push_back(std::move(child));
    return static_cast<uint32_t>(children_.size() - 1);
  }
  const Recording& child(uint32_t index) const { return *children_[index].recording; }
  const std::vector<Child>& children() const { return children_; }
  // Adds accesses for the primary command buffer. Only the first command with each access is kept,
  // and some of those that access a part.
  void Defer(const DeferredUses& uses) {
    if ((uses.uses & ~deferred_uses_) == 0) return;
    if (uses.area.layerCount != 0) {
      constexpr size_t kMostDeferred = 256;
      if (deferred_.size() < kMostDeferred) deferred_.push_back(uses);
      return;
    }
    deferred_uses_ |= uses.uses;
    deferred_.push_back(uses);
  }
  const std::vector<DeferredUses>& deferred() const { return deferred_; }
  SuspendedRenderings& renderings() { return renderings_; }
  const SuspendedRenderings& renderings() const { return renderings_; }
  bool empty() const { return chunks_.empty() || (chunk_ == 0 && at_ == chunks_[0].get()); }
  // The end of the recording among those of the process (recording_clock.h). 0: not ended.
  uint64_t ended_at() const { return ended_at_; }
  void NoteEnd() { ended_at_ = ended_recordings.fetch_add(1, std::memory_order_relaxed) + 1; }
  // Discards all records, and keeps the memory for the next recording.
  void Clear() {
    chunk_ = 0;
    at_ = end_ = nullptr;
    if (!chunks_.empty()) Enter(0);
    children_.clear();
    deferred_.clear();
    deferred_uses_ = 0;
    renderings_.Clear();
    ended_at_ = 0;
    for (KnownScopes& known : recent_) known.barrier = nullptr;
    first_ = true;
  }

 private:
  static constexpr size_t kChunkBytes = 16 * 1024;

  template <typename T, typename Tail, typename... Fields>
  [[gnu::always_inline]] T& AppendTail(const CallInfo& call, SiteId site, const Tail& tail,
                                       const Fields&... fields) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_destructible_v<Tail>);
    constexpr size_t kBytes = (sizeof(T) + sizeof(Tail) + alignof(T) - 1) / alignof(T) * alignof(T);
    const bool first = first_;
    first_ = false;
    void* place = Take(kBytes);
    new (static_cast<std::byte*>(place) + sizeof(T)) Tail(tail);
    return *new (place) T{{T::kKind, first, kBytes, site, &call}, Tail::kForm, fields...};
  }
  [[gnu::always_inline]] void* Take(size_t bytes) {
    if (static_cast<size_t>(end_ - at_) < bytes) [[unlikely]]
      Grow();
    void* place = at_;
    at_ += bytes;
    return place;
  }
  void Enter(size_t chunk) {
    chunk_ = chunk;
    at_ = chunks_[chunk].get();
    end_ = at_ + kChunkBytes;
  }
  void Grow();
  [[gnu::noinline]] const ScopeBarrier* FindScopes(const GivenMasks& masks);
  // Sets last_ to the known scopes with the masks. Returns false, without side effects, if there
  // are none.
  [[gnu::noinline]] bool FindKnown(const GivenMasks& masks);

  struct KnownScopes {
    GivenMasks masks;
    const ScopeBarrier* barrier = nullptr;
  };
  uint64_t ended_at_ = 0;
  std::byte* at_ = nullptr;   // position of the next record in the current chunk
  std::byte* end_ = nullptr;  // end of the current chunk
  bool first_ = true;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::vector<size_t> ends_;  // ends of the records in the chunks before the current one
  size_t chunk_ = 0;
  KnownScopes recent_[4];
  size_t oldest_ = 0, last_ = 0;
  std::vector<Child> children_;
  std::vector<DeferredUses> deferred_;
  AttachmentUses deferred_uses_ = 0;
  SuspendedRenderings renderings_;
};

}  // namespace gpusan::vulkan
