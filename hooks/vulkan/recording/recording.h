// What a command buffer holds: the accesses, barriers and events of its commands, as small plain
// records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hooks/vulkan/objects/render_pass_info.h"
#include "hooks/vulkan/objects/sync_masks.h"
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
};

struct Recorded {
  RecordKind kind;
  bool first;  // of its command
  uint16_t bytes;
  SiteId site;
  const CallInfo* call;
};

// How a record keeps an extent behind itself: in as few bytes as it needs, since most are whole.
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

// `tail`: of a record with an extent, right behind its fields. Written where it is needed: a copy
// would wait for the writes.
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

// A command uses a part of a buffer or image.
struct RecordedUse : Recorded {
  static constexpr RecordKind kKind = RecordKind::kUse;
  ExtentForm form;
  Resource* resource;
  uint32_t generation;
  Layout layout;  // that the image must be in; kNoLayout for buffers
  uint64_t stage, access;
  bool write;
  bool shader = false;
  bool discards = false;   // what was there before is not needed
  bool unordered = false;  // counts for lifetime and content alone: nobody knows whether it happens
  // What a subpass does with its attachments is in order, load and draws: it counts as one command.
  bool of_subpass = false;

  void Read(Extent* extent) const { ReadExtent(form, this + 1, extent); }
};

// What barriers of the recording mean, which point here; nothing to do by itself.
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
  Layout old_layout, new_layout;          // equal: stays what it is
  uint32_t source_family, target_family;  // equal: stays whose it is
  // An execution dependency of the whole queue as well, which has no record of its own.
  bool orders_all = false;

  void Read(Extent* extent) const { ReadExtent(form, this + 1, extent); }
};

struct RecordedSetEvent : Recorded {
  static constexpr RecordKind kKind = RecordKind::kSetEvent;
  PlainObject* event;
  uint32_t generation;
};
struct RecordedResetEvent : Recorded {
  static constexpr RecordKind kKind = RecordKind::kResetEvent;
  PlainObject* event;
  uint32_t generation;
};
// In front of the resource barriers of a wait, for each of its events: what comes behind where they
// were set is not in the first scope of those.
struct RecordedEventScope : Recorded {
  static constexpr RecordKind kKind = RecordKind::kEventScope;
  PlainObject* event;
  uint32_t generation;
};
// Behind the resource barriers of the wait.
struct RecordedWaitEvent : Recorded {
  static constexpr RecordKind kKind = RecordKind::kWaitEvent;
  PlainObject* event;
  uint32_t generation;
  const ScopeBarrier* barrier;
};

// A secondary command buffer, as it was recorded then.
struct RecordedExecute : Recorded {
  static constexpr RecordKind kKind = RecordKind::kExecute;
  PlainObject* commands;
  uint32_t generation;
  uint32_t child;  // index into Recording::children()
};

// The command uses an object that has to live until it is done.
struct RecordedHold : Recorded {
  static constexpr RecordKind kKind = RecordKind::kHold;
  PlainObject* object;
  uint32_t generation;
};

// The shaders of a pipeline use what a bound descriptor set names, as the set says when the command
// runs: until then it may not be changed (Vulkan 1.3 §14.2.2). The command holds the set.
struct RecordedSet : Recorded {
  static constexpr RecordKind kKind = RecordKind::kSet;
  static constexpr size_t kMaxOffsets = 64;
  PlainObject* set;
  uint32_t generation, pipeline_generation;
  PlainObject* pipeline;
  uint32_t index;         // of the set, in the pipeline
  uint32_t offset_count;  // of dynamic offsets, right behind

  const uint32_t* offsets() const { return reinterpret_cast<const uint32_t*>(this + 1); }
};

// A subpass begins; kNone: the render pass has ended.
struct RecordedSubpass : Recorded {
  static constexpr RecordKind kKind = RecordKind::kSubpass;
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t index;
};

// What the program calls the commands behind it.
struct RecordedLabel : Recorded {
  static constexpr RecordKind kKind = RecordKind::kLabel;
  LabelId label;
};

// What a secondary command buffer does with attachments that it does not know: who executes it
// does.
struct DeferredUses {
  AttachmentUses uses = 0;
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  bool shader = false;  // as of RecordedUse
};

// Not thread-safe while it is recorded; only read afterwards.
class Recording {
 public:
  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // The next record belongs to another command.
  void NextCommand() { first_ = true; }
  // `fields`: of a T behind what all records have.
  template <typename T, typename... Fields>
  T& Append(const CallInfo& call, SiteId site, Fields&&... fields) {
    static_assert(std::is_trivially_destructible_v<T>);
    const bool first = first_;
    first_ = false;
    return *new (Take(sizeof(T)))
        T{{T::kKind, first, sizeof(T), site, &call}, std::forward<Fields>(fields)...};
  }
  // The same where HasRoom says so.
  template <typename T, typename... Fields>
  [[gnu::always_inline]] void AppendFitting(const CallInfo& call, SiteId site, Fields... fields) {
    new (at_) T{{T::kKind, first_, sizeof(T), site, &call}, fields...};
    first_ = false;
    at_ += sizeof(T);
  }
  // ... by somebody who keeps the place where the next one goes, and gives it back by FillTo.
  // `first`: of its command, whatever NextCommand said.
  std::byte* Fill() const { return at_; }
  template <typename T, typename... Fields>
  [[gnu::always_inline]] static std::byte* FillIn(std::byte* at, bool first, const CallInfo& call,
                                                  SiteId site, Fields... fields) {
    new (at) T{{T::kKind, first, sizeof(T), site, &call}, fields...};
    return at + sizeof(T);
  }
  void FillTo(std::byte* at) { at_ = at; }
  // Records of so many bytes in all fit in without another chunk.
  bool HasRoom(size_t bytes) const { return static_cast<size_t>(end_ - at_) >= bytes; }
  // Append of a T with an extent.
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
  // At most RecordedSet::kMaxOffsets of them.
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
  // What the masks mean; valid until Clear. Barriers of a command buffer are few kinds: equal ones
  // that follow each other closely share one copy.
  const ScopeBarrier* Scopes(const GivenMasks& masks) {
    const KnownScopes& last = recent_[last_];
    if (last.masks == masks && last.barrier != nullptr) [[likely]]
      return last.barrier;
    return FindScopes(masks);
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
  // What a secondary command buffer held when it was executed.
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
  // The first command that does something stands for all.
  void Defer(const DeferredUses& uses) {
    if ((uses.uses & ~deferred_uses_) == 0) return;
    deferred_uses_ |= uses.uses;
    deferred_.push_back(uses);
  }
  const std::vector<DeferredUses>& deferred() const { return deferred_; }
  bool empty() const { return chunks_.empty() || (chunk_ == 0 && at_ == chunks_[0].get()); }
  // Keeps the memory for what is recorded next.
  void Clear() {
    chunk_ = 0;
    at_ = end_ = nullptr;
    if (!chunks_.empty()) Enter(0);
    children_.clear();
    deferred_.clear();
    deferred_uses_ = 0;
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

  struct KnownScopes {
    GivenMasks masks;
    const ScopeBarrier* barrier = nullptr;
  };
  std::byte* at_ = nullptr;   // in the current chunk: where the next record goes
  std::byte* end_ = nullptr;  // ... and where the chunk ends
  bool first_ = true;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::vector<size_t> ends_;  // of the chunks before the current one
  size_t chunk_ = 0;
  KnownScopes recent_[4];
  size_t oldest_ = 0, last_ = 0;
  std::vector<Child> children_;
  std::vector<DeferredUses> deferred_;
  AttachmentUses deferred_uses_ = 0;
};

}  // namespace gpusan::vulkan
