// The replay of one recording in the order of a queue. Only the replay*.cc files include it.
#pragma once

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "hooks/vulkan/memory/aliases.h"
#include "hooks/vulkan/recording/event_checks.h"
#include "hooks/vulkan/shaders/pipelines.h"
#include "hooks/vulkan/shaders/shader_uses.h"
#include "hooks/vulkan/submission/content.h"
#include "hooks/vulkan/submission/submits.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

// A copy of a conflict, which is valid after the lock is released.
struct FoundConflict {
  ScopedAccess earlier, later;
  ScopedConflict conflict;
  const Resource* alias = nullptr;  // the resource of the earlier access
};

// Precondition of all functions: the queue is locked, and, unless the comment of the function says
// otherwise, no resource is locked.
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

  void Run(const Recording& recording);

 private:
  static constexpr Position kNoLimit = ~Position{0};

  static bool IsLive(const Resource* resource, uint32_t generation) {
    return resource->generation.load(std::memory_order_relaxed) == generation && resource->live();
  }
  // Returns the recorded resource. Adds a finding and returns nullptr if it was destroyed.
  Resource* Live(Resource* resource, uint32_t generation, const Recorded& record);
  // Adds the finding that the recorded object was destroyed. `same`: no newer object uses the
  // storage of `object`. `pushed_address`: see StaleUse.
  [[gnu::noinline, gnu::cold]] void ReportStale(const Object& object, bool same,
                                                const Recorded& record,
                                                bool pushed_address = false);
  // Returns an access whose extent is not set.
  ScopedAccess AccessOf(const Recorded& record) const {
    ScopedAccess access;
    access.epoch = command_.epoch;
    access.position = position_;
    access.call = record.call;
    access.site = record.site;
    access.label = label_;
    access.pass = pass_;
    access.subpass = subpass_;
    access.rendering = rendering_;
    return access;
  }

  ContentPlace Here() const { return {call_, label_, queue_.timeline()}; }
  void Enter(const RecordedSubpass& record);

  // replay.cc: uses, secondary command buffers, queries, objects.
  void Use(const RecordedUse& use);
  // Reports an access by the address of a destroyed buffer.
  [[gnu::noinline, gnu::cold]] void CheckAddress(const RecordedUse& use);
  // `access`: filled in except for the stages, accesses and flags of `use`.
  void Use(Resource& used, const RecordedUse& use, ScopedAccess& access);
  // Checks an access to memory that another API of the process may have imported.
  [[gnu::noinline, gnu::cold]] void UseExported(const Resource& resource, const ScopedState& state,
                                                const ScopedAccess& scoped);
  // Checks an access to a sparse resource against pending binds.
  [[gnu::noinline, gnu::cold]] void CheckSparse(Resource& resource, const RecordedUse& use,
                                                const ScopedAccess& access);
  void CheckAcquired(const Resource& resource, const ScopedState& state, const Recorded& record);
  void CheckMemory(Resource& resource, const ScopedState& state, const Recorded& record);
  // Checks an access to a buffer's region whose memory the host may access.
  void NoteHostVisible(Resource& resource, const ScopedState& state, const RecordedUse& use,
                       const Region& region);
  void UseQuery(const RecordedQuery& record);
  void ResetQueries(const RecordedQueryReset& record);
  void Execute(const RecordedExecute& record, const Recording& recording);
  void Hold(const RecordedHold& record) { Hold(record.object, record.generation, record); }
  // Adds a finding and returns false if the object was destroyed.
  bool Hold(PlainObject* object, uint32_t generation, const Recorded& record);

  // replay_findings.cc: findings.

  // Reports the defects that were found under the lock of the resource. Call it after the release.
  [[gnu::always_inline]] void Flush(Resource& resource) {
    if (!mismatches_.empty() || !owners_.empty() || !found_.empty()) [[unlikely]]
      FlushAll(resource);
  }
  [[gnu::noinline, gnu::cold]] void FlushAll(Resource& resource);
  // Whether nothing has written the buffer. Another queue family may then take ownership without a
  // transfer: no content is lost (Vulkan 1.3 7.7.4), and uninitialized-read reports a read. The
  // caller holds no lock of the resource.
  bool HoldsNothing(const Resource& resource) const;
  void Race(Resource& resource, const FoundConflict& found,
            AccessRole earlier_role = AccessRole::kAccess);
  // Finds the accesses of other queues that no semaphore orders with this one. A finding about the
  // owner of the resource does not cover them.
  void FindRaces(ScopedState& state, const ScopedAccess& access);

  // replay_barriers.cc: barriers, layouts, ownership, aliases.
  struct ResourceBarrier;
  void Barrier(const RecordedResourceBarrier& record);
  // One half of a transfer between queue families. Sets `acquired` and `other_layouts`.
  // Precondition of this and the next one: the resource's state is locked.
  void TransferOwnership(Resource& resource, ScopedState& state, ResourceBarrier* barrier);
  void ChangeLayout(Resource& resource, const ResourceBarrier& barrier);  // of an image
  void ReportTransferLayouts(const Resource& resource, const ResourceBarrier& barrier);
  void ApplyToAliases(Resource& resource, ScopedState& state, const ResourceBarrier& barrier);
  // Records that the host may read this region of the memory, if the barrier makes it visible to
  // the host.
  static void NoteHostReads(const Resource& resource, const ScopedState& state,
                            const RecordedResourceBarrier& record, const Region& region);
  // Adds the access to the aliases whose memory it touches. `transition`: the barrier if the access
  // is its layout transition, otherwise nullptr. Does not check the order between queues.
  [[gnu::noinline, gnu::cold]] void UseAliases(const Resource& resource, const ScopedAccess& access,
                                               const ScopeBarrier* transition);
  // Adds the execution dependency only: availability and visibility concern the resource.
  void OrderAll(const RecordedResourceBarrier& record);
  void NoteUsed(ScopedState& state) { state.used.Note(command_, tracker_.ordering().host()); }
  // Precondition: the resource's state is locked.
  void CheckLayout(Resource& resource, const ImagePart& part, Layout expected,
                   const Recorded& record);
  static bool IsWhole(const Resource& resource, const Extent& extent);
  // Call it when parts of the resource belong to different queue families. Ownership is not tracked
  // until the whole resource is transferred.
  static void SplitUp(ScopedState& state);
  // Forgets earlier accesses and layouts: they are uncertain if a half of an ownership transfer is
  // missing. The finding about the owner covers the consequences.
  static void ForgetUses(Resource& resource, ScopedState& state);
  // Returns false, after adding a finding, if the queue family does not own the resource.
  bool CheckOwner(Resource& resource, ScopedState& state, bool discards,
                  const ScopedAccess& access);
  // Returns whether it is a misuse. `owner`, `released_to`: before the access.
  bool NoteMisuse(const Resource& resource, Ownership::Misuse misuse, uint32_t owner,
                  uint32_t released_to, const ScopedAccess& access);

  // replay_events.cc: commands that set, reset and wait for events.

  // Returns the state of the event that a command uses, and copies its last signal before the
  // command to `*signal`. Adds a finding and returns nullptr if the event was destroyed.
  template <typename Record>
  EventState* UseEvent(const Record& record, EventSignal* signal);
  void Set(const RecordedSetEvent& record);
  void Reset(const RecordedResetEvent& record);
  void CheckWait(const RecordedEventWait& record);
  // Limits the first scopes of barriers by the events of the command: the event that was set last
  // is the limit. An event that the host sets is no limit.
  void Limit(const RecordedEventScope& record);
  void Wait(const RecordedWaitEvent& record);

  // replay_sets.cc: what the shaders of a dispatch or draw access through descriptor sets.
  void UseSet(const RecordedSet& record);
  void UseDescriptor(const RecordedSet& record, const PipelineBinding& used,
                     const LayoutBinding& binding, const Descriptor& descriptor, uint64_t offset,
                     const DispatchUses& uses);
  // Returns a use of the descriptor by the shader. Its resource and access are not set.
  RecordedUse UseThrough(const RecordedSet& record, const PipelineBinding& used,
                         const Descriptor& descriptor) const;
  // Adds a finding if the shader surely accesses bytes outside of the descriptor.
  [[gnu::cold]] void CheckOverrun(const RecordedSet& record, const PipelineBinding& used,
                                  const LayoutBinding& binding, const Descriptor& descriptor,
                                  const DispatchUses& uses) const;
  // Adds the accesses to the texels that the dispatch surely writes. `use`: of the image.
  [[gnu::noinline]] void UseTexels(const PipelineBinding& used, const Descriptor& descriptor,
                                   const RecordedUse& use);
  // Adds the finding that the descriptor was written after the end of the recording.
  [[gnu::noinline, gnu::cold]] void ReportLateWrite(const RecordedSet& record, uint32_t binding);

  struct Mismatch {
    rules::LayoutUse use;
    const CallInfo* call;
    SiteId site;
    std::string vuid;
  };

  VkCall& call_;
  Tracker& tracker_;
  QueueState& queue_;
  const Command& command_;
  RecentBatch& recent_;
  const CallInfo* last_call_ = nullptr;
  const ScopedPlace place_;

  const Position begin_;  // position of the recording's first command
  EventChecks events_;
  Position position_ = 0;
  Position last_position_ = 0;  // position_ before the records of the current position
  // Limits the first scopes of the command's barriers, if it waits for events.
  Position limit_ = kNoLimit;
  Position subpass_position_ = 0;  // position at which the current subpass began
  uint32_t pass_ = 0;              // as in ScopedAccess
  uint8_t subpass_ = 0;
  bool rendering_ = false;
  uint64_t ended_at_ = 0;          // Recording::ended_at
  bool late_write_known_ = false;  // one finding for a submission is enough
  LabelId label_ = kNoLabel;
  DispatchInputs inputs_;  // of the next dispatch
  const CallInfo* last_dispatch_ = nullptr;
  bool runs_surely_ = false;  // last_dispatch_ runs its shader
  // A read of coherent memory that the host may access.
  struct HostRead {
    const Resource* resource = nullptr;
    uint64_t begin = 0, end = 0;  // [bytes]
    uint64_t stage = 0, access = 0;
    SiteId site = kUnknownSite;
    LabelId label = kNoLabel;
    bool operator==(const HostRead&) const = default;
  };
  // The last one of the submission. Programs record equal reads in loops. No resource: the device
  // may have written since.
  HostRead last_host_read_;
  Region sure_read_;  // of the buffer that a shader uses now: bytes that it surely reads
  absl::InlinedVector<FoundConflict, 1> found_;
  absl::InlinedVector<Mismatch, 1> mismatches_;
  absl::InlinedVector<rules::OwnershipUse, 1> owners_;
};

}  // namespace gpusan::vulkan
