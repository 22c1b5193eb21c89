// Puts a recording into the order of a queue: checks layouts, owners, hazards and lifetimes.
#include <algorithm>
#include <mutex>

#include "hooks/vulkan/mapped/host_access.h"
#include "hooks/vulkan/objects/aliases.h"
#include "hooks/vulkan/objects/query_pools.h"
#include "hooks/vulkan/recording/event_checks.h"
#include "hooks/vulkan/recording/queries.h"
#include "hooks/vulkan/recording/render_passes.h"
#include "hooks/vulkan/shaders/set_checks.h"
#include "hooks/vulkan/shaders/shader_uses.h"
#include "hooks/vulkan/submission/content.h"
#include "hooks/vulkan/submission/submits.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

// Whether the aspects are some of several: depth, stencil and planes may each have a layout and a
// content of their own, which gpusan does not track separately.
bool IsOneOfSeveral(const ImageState& image, uint32_t aspects) {
  constexpr uint32_t kApart = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT |
                              VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT |
                              VK_IMAGE_ASPECT_PLANE_2_BIT;
  return (aspects & kApart) != 0 && (image.aspects & kApart & ~aspects) != 0;
}
// Whether the layout is for one aspect, and the image has both depth and stencil.
bool IsForOneAspect(const ImageState& image, Layout layout) {
  constexpr uint32_t kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  return (image.aspects & kBoth) == kBoth &&
         (layout == VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL ||
          layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL ||
          layout == VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL ||
          layout == VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL);
}

bool IsOutside(uint32_t family) {
  return family == VK_QUEUE_FAMILY_EXTERNAL || family == VK_QUEUE_FAMILY_FOREIGN_EXT;
}

// A copy of a conflict, which is valid after the lock is released.
struct FoundConflict {
  ScopedAccess earlier, later;
  ScopedConflict conflict;
  const Resource* alias = nullptr;  // the resource of the earlier access
};

class Replayer {
 public:
  Replayer(VkCall& call, QueueState& queue, const Command& command)
      : call_(call),
        tracker_(call.tracker()),
        queue_(queue),
        command_(command),
        recent_(queue.recent[(queue.recent_count - 1) % QueueState::kRecent]),
        place_{queue.order, command.before, tracker_.ordering().host()},
        begin_(queue.order.now() + 1),
        events_(call) {}

  void Run(const Recording& recording) {
    recording.ForEach([&](const Recorded& record) {
      if (record.first) {
        position_ = queue_.order.Next();
        limit_ = kNoLimit;
        if (record.call != last_call_) {
          last_call_ = record.call;
          recent_.Note(record.call, record.site);
        }
      }
      switch (record.kind) {
        case RecordKind::kUse:
          Use(static_cast<const RecordedUse&>(record));
          break;
        case RecordKind::kBarrier:
          queue_.order.Add(*static_cast<const RecordedBarrier&>(record).barrier, record.call,
                           record.site, kNoLimit, position_);
          break;
        case RecordKind::kResourceBarrier:
          Barrier(static_cast<const RecordedResourceBarrier&>(record));
          if (static_cast<const RecordedResourceBarrier&>(record).orders_all)
            OrderAll(static_cast<const RecordedResourceBarrier&>(record));
          break;
        case RecordKind::kSetEvent:
          Set(static_cast<const RecordedSetEvent&>(record));
          break;
        case RecordKind::kResetEvent:
          Reset(static_cast<const RecordedResetEvent&>(record));
          break;
        case RecordKind::kEventWait:
          CheckWait(static_cast<const RecordedEventWait&>(record));
          break;
        case RecordKind::kWaitEvent:
          Wait(static_cast<const RecordedWaitEvent&>(record));
          break;
        case RecordKind::kExecute:
          Execute(static_cast<const RecordedExecute&>(record), recording);
          break;
        case RecordKind::kHold:
          Hold(static_cast<const RecordedHold&>(record));
          break;
        case RecordKind::kSet:
          UseSet(static_cast<const RecordedSet&>(record));
          break;
        case RecordKind::kLabel:
          label_ = static_cast<const RecordedLabel&>(record).label;
          break;
        case RecordKind::kSubpass:
          Enter(static_cast<const RecordedSubpass&>(record).index);
          break;
        case RecordKind::kEventScope:
          Limit(static_cast<const RecordedEventScope&>(record));
          break;
        case RecordKind::kQuery:
          EndQueries(static_cast<const RecordedQuery&>(record));
          break;
        case RecordKind::kScopes:
          break;
      }
    });
  }

 private:
  static bool IsLive(const Resource* resource, uint32_t generation) {
    return resource->generation.load(std::memory_order_relaxed) == generation && resource->live();
  }
  // The recorded resource; nullptr if it is destroyed, whose finding is added.
  Resource* Live(Resource* resource, uint32_t generation, const Recorded& record) {
    const bool same = resource->generation.load(std::memory_order_relaxed) == generation;
    if (same && resource->live()) [[likely]]
      return resource;
    StaleUse use;
    if (same) use.resource = resource;
    use.address = resource->handle;
    use.call = record.call;
    use.site = record.site;
    use.label = label_;
    use.resource = tracker_.objects().FindReleased(use.address);
    rules::OnStaleUse(use, call_);
    return nullptr;
  }

  // An access without an extent.
  ScopedAccess AccessOf(const Recorded& record) const {
    ScopedAccess access;
    access.epoch = command_.epoch;
    access.position = position_;
    access.call = record.call;
    access.site = record.site;
    access.label = label_;
    access.pass = pass_;
    access.subpass = subpass_;
    return access;
  }

  ContentPlace Here() const { return {call_, label_, queue_.timeline()}; }

  void Enter(uint32_t subpass) {
    if (subpass == RecordedSubpass::kNone) {
      pass_ = 0;
      return;
    }
    subpass_position_ = position_;
    if (subpass == 0) pass_ = static_cast<uint32_t>(position_);
    subpass_ = static_cast<uint8_t>(std::min(subpass, 255u));
  }

  void Use(const RecordedUse& use) {
    if (use.by_address && !IsLive(use.resource, use.generation)) [[unlikely]]
      return;
    Resource* resource = Live(use.resource, use.generation, use);
    if (resource == nullptr) return;
    ScopedAccess access = AccessOf(use);
    use.Read(&access.extent);
    Use(*resource, use, access);
  }
  // `access`: filled in except for the stages, accesses and flags of `use`.
  void Use(Resource& used, const RecordedUse& use, ScopedAccess& access) {
    Resource* resource = &used;
    ScopedState& state = ScopedOf(used);
    access.stage = use.stage;
    access.access = use.access;
    access.write = use.write;
    access.shader = use.shader;
    access.rasterized = use.rasterized;
    access.loads = use.loads;
    access.sure_part = use.sure_part;
    if (use.of_subpass) access.position = subpass_position_;
    {
      std::lock_guard lock(state.lock);
      NoteUsed(state);
      if (!state.foreign && !state.concurrent && queue_.device.families.size() > 1 &&
          !CheckOwner(*resource, state, use.write || use.discards, access.extent)) [[unlikely]] {
        if (!use.unordered) FindRaces(state, access);
        ForgetUses(*resource, state);
      }
      if (use.layout != kNoLayout) CheckLayout(*resource, access.extent.part, use.layout, use, "");
      if (!use.unordered) {
        state.history.Use(access, place_, [&](const ScopedConflict& conflict) {
          found_.push_back({*conflict.earlier, access, conflict});
        });
      }
    }
    if (state.aliased.load(std::memory_order_relaxed)) [[unlikely]] {
      if (!use.unordered) UseAliases(*resource, access, nullptr);
      NoteLostContent(Here(), *resource, use);
    }
    Flush(*resource);
    CheckMemory(*resource, state, use);
    if (state.foreign && !use.unordered) [[unlikely]]
      UseExported(*resource, state, access);
    if (state.host_visible) NoteHostVisible(*resource, state, use, access.extent.region);
    UseContent(Here(), *resource, use, access.extent);
  }

  // Checks an access to memory that another API of the process may have imported.
  [[gnu::noinline, gnu::cold]] void UseExported(const Resource& resource, const ScopedState& state,
                                                const ScopedAccess& scoped) {
    Resource* memory = state.memory.get();
    if (memory == nullptr || !memory->live()) return;
    const MemoryRange range = RangeInMemory(resource, scoped.extent);
    if (range.begin == range.end) return;
    Access access;
    access.region = Region::Linear(range.begin, range.end - range.begin);
    access.call = scoped.call;
    access.site = scoped.site;
    access.write = scoped.write;
    access.read = !scoped.write;
    if (scoped.sure_part) {
      access.sureness = Sureness::kDerived;
    } else if (scoped.shader) {
      access.sureness = Sureness::kPossible;
      access.may_offset = true;
    }
    tracker_.accesses().RecordByExporter(call_, command_, *memory, access);
  }

  void Barrier(const RecordedResourceBarrier& record) {
    Resource* resource = Live(record.resource, record.generation, record);
    if (resource == nullptr) return;
    ScopedState& state = ScopedOf(*resource);
    ScopedAccess access = AccessOf(record);
    record.Read(&access.extent);
    const Extent& extent = access.extent;
    const uint32_t family = queue_.family;
    // Transfers to and from external families are ordered outside of gpusan's view.
    const bool outside = IsOutside(record.source_family) || IsOutside(record.target_family);
    const bool transfer =
        record.source_family != record.target_family && !outside && !state.concurrent;
    const bool releases = transfer && record.source_family == family;
    const bool acquires = transfer && record.target_family == family;
    const bool changes = record.old_layout != record.new_layout;
    {
      std::lock_guard lock(state.lock);
      NoteUsed(state);
      const bool whole = IsWhole(*resource, extent);
      bool acquired = false;
      if ((releases || acquires) && !state.foreign) {
        acquired = acquires && state.ownership.released();
        if (whole) {
          state.owned_in_parts = false;
          const uint32_t owner = state.ownership.owner();
          const bool misused = NoteMisuse(
              *resource,
              releases ? state.ownership.Release(record.source_family, record.target_family)
                       : state.ownership.Acquire(record.source_family, record.target_family),
              owner);
          if (misused) {
            access.write = true;
            FindRaces(state, access);
            ForgetUses(*resource, state);
          }
        } else {
          SplitUp(state);
          acquired = acquires;  // whether it was released is unknown
        }
      } else if (record.old_layout == VK_IMAGE_LAYOUT_UNDEFINED && whole && changes) {
        state.ownership.Use(family, true);
      }
      if (changes && record.old_layout == VK_IMAGE_LAYOUT_UNDEFINED && resource->image != nullptr &&
          !outside && !acquired && !IsOneOfSeveral(ImageOf(*resource), extent.part.aspects))
        ImageOf(*resource).content.Set(extent.part, false);
      if ((changes || transfer) && resource->image != nullptr) {
        // The second half of the transfer finds the layout that the first half set.
        // The layouts of slices of one level are not tracked.
        if (record.old_layout != VK_IMAGE_LAYOUT_UNDEFINED && !acquired && extent.part.whole())
          CheckLayout(*resource, extent.part, record.old_layout, record,
                      "VUID-VkImageMemoryBarrier-oldLayout-01197");
        ImageState& image = ImageOf(*resource);
        const bool known = !outside && extent.part.whole() &&
                           !IsOneOfSeveral(image, extent.part.aspects) &&
                           !IsForOneAspect(image, record.new_layout);
        image.layouts.Set(RangeOf(extent.part), known ? record.new_layout : kNoLayout, record.call,
                          record.site);
      }
      if (changes || transfer) {
        access.write = true;
        access.transition = true;
        state.history.Transition(
            *record.barrier, access, place_,
            [&](const ScopedConflict& conflict) {
              found_.push_back({*conflict.earlier, access, conflict});
            },
            limit_);
      } else {
        state.history.Apply(*record.barrier, extent, queue_.timeline(), place_, limit_, position_);
      }
    }
    CheckAcquired(*resource, state, record);
    if (state.aliased.load(std::memory_order_relaxed)) [[unlikely]] {
      if (changes || transfer) UseAliases(*resource, access, record.barrier);
      for (Resource* alias : AliasesOf(state)) {
        ScopedState& other = ScopedOf(*alias);
        std::lock_guard lock(other.lock);
        other.history.ApplyToAll(*record.barrier, queue_.timeline(), place_, position_);
      }
    }
    Flush(*resource);
    if ((record.barrier->target_stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0 &&
        (record.barrier->target_access & VK_ACCESS_2_HOST_READ_BIT) != 0 && state.host_visible &&
        resource->image == nullptr) {
      Resource* memory = state.memory.get();
      const Region& region = extent.region;
      if (memory != nullptr && memory->live())
        NoteHostBarrier(*memory, state.memory_offset + region.offset,
                        state.memory_offset + region.end());
    }
  }

  // Adds the access to the aliases whose memory it touches. `transition`: the barrier whose layout
  // transition writes; or nullptr. Order between queues is not checked here. Precondition: no
  // resource is locked.
  [[gnu::noinline, gnu::cold]] void UseAliases(const Resource& resource, const ScopedAccess& access,
                                               const ScopeBarrier* transition) {
    const MemoryRange range = RangeInMemory(resource, access.extent);
    if (range.begin == range.end) return;
    const bool surely_written = access.write && !access.shader && transition == nullptr;
    for (Resource* alias : AliasesOf(ScopedOf(resource))) {
      using Overlap = ScopedHistory::Overlap;
      ScopedState& other = ScopedOf(*alias);
      std::lock_guard lock(other.lock);
      other.history.UseAlias(
          access, transition, place_,
          [&](const Extent& extent) {
            const MemoryRange touched = RangeInMemory(*alias, extent);
            if (!range.Overlaps(touched)) return Overlap::kUnknown;
            return range.Contains(touched) ? Overlap::kAll : Overlap::kSome;
          },
          [&](const ScopedConflict& conflict) {
            if (!conflict.other_queue)
              found_.push_back({*conflict.earlier, access, conflict, alias});
          });
      if (surely_written && LosesContent(*alias, resource, range)) {
        Aliases& lost = *other.aliases;
        lost.lost_call = access.call;
        lost.lost_site = access.site;
        lost.lost_to = WeakRef<Resource>(const_cast<Resource*>(&resource));
        lost.lost_on = queue_.timeline();
      }
    }
  }
  // Adds the execution dependency only: availability and visibility concern the resource.
  void OrderAll(const RecordedResourceBarrier& record) {
    ScopeBarrier execution = *record.barrier;
    execution.source_access = execution.target_access = 0;
    queue_.order.Add(execution, record.call, record.site, kNoLimit, position_);
  }

  void NoteUsed(ScopedState& state) { state.used.Note(command_, tracker_.ordering().host()); }

  // Precondition: the resource's state is locked.
  void CheckLayout(Resource& resource, const ImagePart& part, Layout expected,
                   const Recorded& record, const char* vuid) {
    const auto mismatch = ImageOf(resource).layouts.Check(RangeOf(part), expected);
    if (!mismatch || layouts_unknown.load(std::memory_order_relaxed)) [[likely]]
      return;
    if (IsOneOfSeveral(ImageOf(resource), part.aspects) ||
        IsForOneAspect(ImageOf(resource), expected))
      return;
    rules::LayoutUse use;
    use.resource = &resource;
    use.mismatch = *mismatch;
    use.vuid = vuid;
    mismatches_.push_back({use, record.call, record.site});
  }

  static bool IsWhole(const Resource& resource, const Extent& extent) {
    if (resource.image == nullptr)
      return extent.region.offset == 0 && extent.region.end() >= resource.bytes;
    const ImageState& image = ImageOf(resource);
    return extent.part.whole() && extent.part.mips == image.mips &&
           extent.part.layers == image.layers && (image.aspects & ~extent.part.aspects) == 0;
  }

  // Parts of the resource belong to different queue families from here on. Ownership is not tracked
  // until the whole resource is transferred.
  static void SplitUp(ScopedState& state) {
    state.ownership = Ownership();
    state.owned_in_parts = true;
  }

  // Finds the accesses of other queues that no semaphore orders with this one: a finding about the
  // owner does not cover them.
  void FindRaces(ScopedState& state, const ScopedAccess& access) {
    state.history.Look(access, place_, [&](const ScopedConflict& conflict) {
      if (conflict.other_queue) found_.push_back({*conflict.earlier, access, conflict});
    });
  }

  // Forgets earlier accesses and layouts, which a missing half of an ownership transfer leaves in
  // doubt: the finding about the owner covers what follows from it.
  static void ForgetUses(Resource& resource, ScopedState& state) {
    state.history.Clear();
    if (resource.image == nullptr) return;
    ImageState& image = ImageOf(resource);
    image.layouts.Set({0, image.mips, 0, image.layers}, kNoLayout);
  }

  // Returns false, after adding a finding, if the queue family does not own the resource.
  bool CheckOwner(Resource& resource, ScopedState& state, bool discards, const Extent& extent) {
    if (state.owned_in_parts) return true;
    const uint32_t owner = state.ownership.owner();
    // The rest keeps its owner.
    if (discards && owner != Ownership::kNobody && owner != queue_.family &&
        !IsWhole(resource, extent)) [[unlikely]] {
      SplitUp(state);
      return true;
    }
    const Ownership::Misuse misuse = state.ownership.Use(queue_.family, discards);
    if (misuse == Ownership::Misuse::kNone) [[likely]]
      return true;
    NoteMisuse(resource, misuse, owner);
    state.ownership = Ownership();
    return false;
  }
  // Returns whether it is a misuse.
  bool NoteMisuse(const Resource& resource, Ownership::Misuse misuse, uint32_t owner) {
    if (misuse == Ownership::Misuse::kNone) return false;
    owners_.push_back({&resource, misuse, owner, queue_.family});
    return true;
  }

  // Reports the defects that were found under the lock, after its release.
  [[gnu::always_inline]] void Flush(Resource& resource) {
    if (!mismatches_.empty() || !owners_.empty() || !found_.empty()) [[unlikely]]
      FlushAll(resource);
  }
  [[gnu::noinline, gnu::cold]] void FlushAll(Resource& resource) {
    if (!mismatches_.empty()) {
      for (const Mismatch& mismatch : mismatches_) {
        Call made(tracker_, *mismatch.call, call_.words(), nullptr, nullptr, mismatch.site, label_);
        rules::OnLayoutUse(mismatch.use, made);
      }
      mismatches_.clear();
    }
    if (!owners_.empty()) {
      for (const rules::OwnershipUse& use : owners_) rules::OnOwnershipUse(use, call_);
      owners_.clear();
    }
    for (FoundConflict& found : found_) {
      found.conflict.earlier = &found.earlier;
      found.conflict.later = &found.later;
      if (found.conflict.other_queue) {
        Race(resource, found);
      } else {
        rules::ScopeViolation violation;
        violation.resource = &resource;
        violation.conflict = &found.conflict;
        violation.submit_label = command_.label;
        violation.alias = found.alias;
        violation.nearest = queue_.order.Nearest(found.earlier.position,
                                                 found.earlier.stage | found.conflict.reach.chain,
                                                 found.later.stage);
        rules::OnScopeViolation(violation, call_);
      }
    }
    found_.clear();
  }

  void Race(Resource& resource, const FoundConflict& found) {
    if (found.earlier.sure_part != found.later.sure_part) return;
    auto plain = [](const ScopedAccess& scoped) {
      Access access;
      access.region = scoped.extent.is_image ? Region::Linear(0, 1) : scoped.extent.region;
      access.epoch = scoped.epoch;
      access.call = scoped.call;
      access.site = scoped.site;
      access.write = scoped.write;
      access.read = !scoped.write;
      if (scoped.shader) access.sureness = Sureness::kPossible;
      return access;
    };
    const Access earlier = plain(found.earlier), later = plain(found.later);
    gpusan::Conflict conflict;
    conflict.resource = &resource;
    conflict.earlier = &earlier;
    conflict.later = &later;
    conflict.earlier_label = found.earlier.label;
    conflict.later_label = found.later.label;
    rules::OnConflict(conflict, call_);
  }

  void CheckAcquired(const Resource& resource, const ScopedState& state, const Recorded& record) {
    if (!state.not_acquired.load(std::memory_order_relaxed)) [[likely]]
      return;
    SyncMisuse misuse;
    misuse.object = &resource;
    misuse.fault = SyncMisuse::Fault::kUsesUnacquired;
    Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
    rules::OnSyncMisuse(misuse, made);
  }

  void CheckMemory(Resource& resource, const ScopedState& state, const Recorded& record) {
    if (state.foreign || !state.bound) return CheckAcquired(resource, state, record);
    const Resource* memory = state.memory.get();
    if (memory != nullptr && memory->live()) [[likely]] {
      MemoryState& held = MemoryOf(*memory);
      if (held.used.Has(command_)) return;
      std::lock_guard lock(held.lock);
      held.used.Note(command_, tracker_.ordering().host());
      return;
    }
    rules::MemoryUse use;
    use.fault = rules::MemoryUse::Fault::kFreed;
    use.resource = &resource;
    use.memory = memory;
    use.argument = "what it uses";
    Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
    rules::OnMemoryUse(use, made);
  }

  // Checks an access to a buffer's region whose memory the host may access.
  void NoteHostVisible(Resource& resource, const ScopedState& state, const RecordedUse& use,
                       const Region& region) {
    Resource* memory = state.memory.get();
    if (memory == nullptr || !memory->live() || state.foreign) return;
    const uint64_t offset = state.memory_offset;
    if (resource.image != nullptr) {
      if (use.write)
        NoteUnknownWrite(call_, *memory, offset, offset + state.memory_bytes, command_.epoch);
      return;
    }
    if (use.unordered) {
      if (use.write)
        NoteUnknownWrite(call_, *memory, offset, offset + resource.bytes, command_.epoch);
      return;
    }
    DeviceUse made;
    made.begin = offset + std::min(region.offset, resource.bytes);
    made.end = offset + std::min(region.end(), resource.bytes);
    if (made.begin >= made.end) return;
    made.resource = WeakRef<Resource>(&resource);
    made.queue = &queue_;
    made.epoch = command_.epoch;
    made.position = position_;
    made.stage = use.stage;
    made.access = use.access;
    made.call = use.call;
    made.site = use.site;
    made.label = label_;
    made.write = use.write;
    made.exact = !use.shader && region.linear();
    made.gated =
        queue_.host_gate.valid() && !tracker_.ordering().host().Completed(queue_.host_gate);
    constexpr uint64_t kInputs = VK_ACCESS_2_UNIFORM_READ_BIT |
                                 VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT;
    const bool fixed = !use.write && (made.exact || (use.access & kInputs) != 0) &&
                       !tracker_.shadow().MayHoldUnseenWrites(resource);
    NoteDeviceUse(call_, *memory, made, fixed);
  }

  // A command uses the event. Returns its state, and its signal before the command in `*signal`;
  // nullptr if the event is destroyed, whose finding is added.
  template <typename Record>
  EventState* UseEvent(const Record& record, EventSignal* signal) {
    if (!Hold(record.event, record.generation, record)) return nullptr;
    auto& event = static_cast<EventState&>(*record.event->part);
    std::lock_guard lock(event.lock);
    if (event.used_on != &queue_) {
      // Commands of another queue that are not known to be complete may set or reset it.
      if (!tracker_.ordering().host().Completed(event.used_epoch)) event.signal = EventSignal();
      event.signal.known_since = 0;
      event.signal.waiter = nullptr;
    }
    event.used_on = &queue_;
    event.used_epoch = command_.epoch;
    *signal = event.signal;
    return &event;
  }

  void Set(const RecordedSetEvent& record) {
    EventSignal signal;
    EventState* event = UseEvent(record, &signal);
    if (event == nullptr) return;
    events_.Set(signal, record);
    std::lock_guard lock(event->lock);
    event->signal = signal;
    event->queue = &queue_;
    event->setter = record.call;
    event->setter_site = record.site;
    event->position = position_;
    event->epoch = command_.epoch;
  }

  void Reset(const RecordedResetEvent& record) {
    EventSignal signal;
    EventState* event = UseEvent(record, &signal);
    if (event == nullptr) return;
    // A recording reports the order behind its own waits.
    const bool report = signal.waiter != nullptr && event->waited_at < begin_ &&
                        !tracker_.ordering().host().Completed(event->waited_epoch);
    uint64_t ordered = signal.ordered;
    if (report) {
      Reach reach;
      reach.chain = ordered;
      ordered = queue_.order.CatchUp(event->waited_at, event->waited_at, event->waited_epoch,
                                     ordered, 0, false, &reach)
                    ? ordered | reach.chain
                    : ~uint64_t{0};
    }
    events_.Reset(signal, record, position_, ordered, report, label_);
    std::lock_guard lock(event->lock);
    event->signal = signal;
    event->queue = nullptr;
    event->position = position_;
    event->epoch = command_.epoch;
  }

  void CheckWait(const RecordedEventWait& record) {
    // The command of another queue that set the event last.
    const CallInfo* other_setter = nullptr;
    SiteId other_site = kUnknownSite;
    if (record.event->generation.load(std::memory_order_relaxed) == record.generation) {
      auto& used = static_cast<EventState&>(*record.event->part);
      std::lock_guard lock(used.lock);
      if (used.queue != nullptr && used.queue != &queue_) {
        other_setter = used.setter;
        other_site = used.setter_site;
      }
    }
    EventSignal signal;
    EventState* event = UseEvent(record, &signal);
    if (event == nullptr) return;
    // With the host stage the host may set it, too.
    if (other_setter != nullptr && (record.dependency.stages & VK_PIPELINE_STAGE_2_HOST_BIT) == 0)
        [[unlikely]] {
      events_.WaitForOtherQueue(*other_setter, other_site, record, label_);
      signal = EventSignal();
    }
    // A recording reports waits for what it resets and sets itself.
    events_.Wait(signal, record, signal.known_since < begin_, label_);
    std::lock_guard lock(event->lock);
    event->signal = signal;
    event->waited_at = position_;
    event->waited_epoch = command_.epoch;
  }

  // Of several events the one that was set last limits the scope; an event that the host sets does
  // not.
  void Limit(const RecordedEventScope& record) {
    Position set_at = kNoLimit;
    if (record.event->generation.load(std::memory_order_relaxed) == record.generation) {
      auto& event = static_cast<EventState&>(*record.event->part);
      std::lock_guard lock(event.lock);
      if (event.queue == &queue_) set_at = event.position;
    }
    limit_ = record.first ? set_at : std::max(limit_, set_at);
  }

  void Wait(const RecordedWaitEvent& record) {
    if (record.event->generation.load(std::memory_order_relaxed) != record.generation) return;
    auto& event = static_cast<EventState&>(*record.event->part);
    Position limit;
    {
      std::lock_guard lock(event.lock);
      // Set by the host: no command of the queue precedes it.
      if (event.queue != &queue_) {
        queue_.host_gate = command_.epoch;
        return;
      }
      limit = event.position;
    }
    queue_.order.Add(*record.barrier, record.call, record.site, limit, position_);
  }

  void EndQueries(const RecordedQuery& record) {
    if (record.pool->generation.load(std::memory_order_relaxed) != record.generation) return;
    CheckQueryReset(record, call_, label_);
    static_cast<QueryPoolState&>(*record.pool->part).End(record.query, command_.epoch);
  }

  void Execute(const RecordedExecute& record, const Recording& recording) {
    if (record.commands->generation.load(std::memory_order_relaxed) != record.generation ||
        !record.commands->live()) {
      StaleUse use;
      use.address = record.commands->handle;
      use.call = record.call;
      use.site = record.site;
      use.resource = tracker_.objects().FindReleased(use.address);
      rules::OnStaleUse(use, call_);
      return;
    }
    auto& state = static_cast<CommandBufferState&>(*record.commands->part);
    {
      std::lock_guard lock(state.lock);
      state.submitted.Note(command_, tracker_.ordering().host());
    }
    const LabelId label = label_;
    Run(recording.child(record.child));
    label_ = label;
  }

  void Hold(const RecordedHold& record) { Hold(record.object, record.generation, record); }
  // Returns false if the object is destroyed.
  bool Hold(PlainObject* object, uint32_t generation, const Recorded& record) {
    // Another object has its memory by now: no finding is possible.
    if (object->generation.load(std::memory_order_relaxed) != generation) return false;
    if (object->live()) [[likely]] {
      auto* held = static_cast<HeldState*>(object->part);
      if (held != nullptr) held->NoteUse(command_, tracker_.ordering().host());
      return true;
    }
    rules::HandleUse use;
    use.object = object;
    use.expected = MaskOf(object->kind);
    use.argument = "what a recorded command uses";
    Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
    rules::OnHandleUse(use, made);
    return false;
  }

  void UseSet(const RecordedSet& record) {
    if (!Hold(record.set, record.generation, record)) return;
    const auto& set = static_cast<const DescriptorSetState&>(*record.set->part);
    if (record.pipeline->generation.load(std::memory_order_relaxed) != record.pipeline_generation)
      return;
    const PipelineState& pipeline = PipelineOf(*record.pipeline);
    if (IsIncompatible(pipeline, record.index, *set.layout)) [[unlikely]] {
      Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
      return ReportIncompatible(made, *record.pipeline, *record.set, record.index);
    }
    ForEachUsed(
        pipeline, record.index, *set.layout, set.descriptors,
        {record.offsets(), record.offset_count},
        [&](const PipelineBinding& used, const LayoutBinding& binding, const Descriptor& descriptor,
            uint64_t offset) { UseDescriptor(record, used, binding, descriptor, offset); });
  }
  void UseDescriptor(const RecordedSet& record, const PipelineBinding& used,
                     const LayoutBinding& binding, const Descriptor& descriptor, uint64_t offset) {
    if (descriptor.seen_through && !used.array) {
      for (const WeakRef<PlainObject>& held : {descriptor.view, descriptor.sampler}) {
        if (held.object != nullptr) Hold(held.object, held.generation, record);
      }
    }
    if (descriptor.resource.object == nullptr) {
      if (IsNeverWritten(used, binding, descriptor)) [[unlikely]] {
        Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
        ReportNeverWritten(made, *record.set, binding.binding);
      }
      return;
    }
    // Which descriptors of an array are used is unknown: they count for lifetime only.
    Resource* resource =
        used.array ? descriptor.resource.get()
                   : Live(descriptor.resource.object, descriptor.resource.generation, record);
    if (resource == nullptr || !resource->live()) return;
    const ShaderAccess shader = ShaderAccessOf(used, binding.type);
    RecordedUse use{record};
    use.resource = resource;
    use.generation = descriptor.resource.generation;
    use.layout = used.array ? kNoLayout : descriptor.layout;
    use.stage = used.stages;
    use.shader = true;
    use.unordered = used.array;
    // First: the access to all that the shader may write stands for earlier ones.
    if (!used.written.empty() && RunsSurely(*record.call)) [[unlikely]] {
      RecordedUse sure = use;
      sure.access = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
      sure.write = sure.sure_part = true;
      sure.shader = false;
      ForEachWritten(used, descriptor, offset, [&](const Region& region) {
        ScopedAccess access = AccessOf(sure);
        access.extent = region;
        Use(*resource, sure, access);
      });
    }
    for (const bool write : {false, true}) {
      if (!(write ? shader.writes : shader.reads)) continue;
      use.access = write ? VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT : shader.read;
      use.write = write;
      ScopedAccess access = AccessOf(use);
      access.extent = descriptor.extent;
      if (offset != 0) access.extent.region.offset += offset;
      Use(*resource, use, access);
    }
  }

  struct Mismatch {
    rules::LayoutUse use;
    const CallInfo* call;
    SiteId site;
  };

  VkCall& call_;
  Tracker& tracker_;
  QueueState& queue_;
  const Command& command_;
  RecentBatch& recent_;
  const CallInfo* last_call_ = nullptr;
  const ScopedPlace place_;
  static constexpr Position kNoLimit = ~Position{0};

  const Position begin_;  // position of the recording's first command
  EventChecks events_;
  Position position_ = 0;
  // Limits the first scopes of the command's barriers, if it waits for events.
  Position limit_ = kNoLimit;
  Position subpass_position_ = 0;  // position at which the current subpass began
  uint32_t pass_ = 0;              // as in ScopedAccess
  uint8_t subpass_ = 0;
  LabelId label_ = kNoLabel;
  absl::InlinedVector<FoundConflict, 1> found_;
  absl::InlinedVector<Mismatch, 1> mismatches_;
  absl::InlinedVector<rules::OwnershipUse, 1> owners_;
};

}  // namespace

void Replay(VkCall& call, QueueState& queue, const Command& command, const Recording& recording) {
  Replayer(call, queue, command).Run(recording);
}

}  // namespace gpusan::vulkan
