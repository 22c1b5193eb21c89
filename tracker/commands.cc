// Tracker: order of commands, checks and recording of their accesses, waits, mappings, host memory.
#include <algorithm>
#include <utility>

#include "tracker/objects/command_log.h"
#include "tracker/rules/rules.h"
#include "tracker/tracker.h"

namespace gpusan {
namespace {

constexpr size_t kMaxLanes = 256;
constexpr TimelineId kSharedTimeline = kMaxTimelines - 1;

Region InRoot(const Resource& resource, const Region& region) {
  return region.Shifted(resource.root_offset);
}

uintptr_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// The approximate name of the pointer argument in the APIs.
const char* PointerName(const Transfer& transfer, const Side& side) {
  if (transfer.kind != TransferKind::kCopy) return "ptr";
  return &side == &transfer.source ? "src_ptr" : "dst_ptr";
}

}  // namespace

// --- Timelines

TimelineId Tracker::NewTimeline(uint64_t* tick) {
  std::lock_guard lock(timelines_lock_);
  // Reuse an idle timeline whose commands are all known to be complete; its ticks continue. Other
  // timelines move to the end of the list, so that one which never completes does not block the
  // rest.
  for (size_t look = 0; look < idle_timelines_.size() && look < 16; ++look) {
    const Lane lane = idle_timelines_.front();
    idle_timelines_.pop_front();
    if (host_.Completed(Epoch(lane.timeline, lane.tick))) {
      *tick = lane.tick;
      return lane.timeline;
    }
    idle_timelines_.push_back(lane);
  }
  if (timelines_used_ < kSharedTimeline) {
    *tick = 0;
    return static_cast<TimelineId>(timelines_used_++);
  }
  // All timelines are in use: the host never waited for the commands of about 16,000 queues. Treat
  // the commands of a queue that was released long ago as complete; without a released queue, use
  // the shared timeline. Both add order that does not exist, which hides findings and causes no
  // false positive.
  dropped_.fetch_add(1, std::memory_order_relaxed);
  if (!idle_timelines_.empty()) {
    const Lane lane = idle_timelines_.front();
    idle_timelines_.pop_front();
    host_.Join(Epoch(lane.timeline, lane.tick));
    *tick = lane.tick;
    return lane.timeline;
  }
  *tick = uint64_t{1} << 40;
  return kSharedTimeline;
}

void Tracker::RetireTimelines(Queue& queue) {
  if (log_ != nullptr) log_->Forget(queue);
  std::lock_guard lock(timelines_lock_);
  for (const Lane& lane : queue.lanes) {
    if (lane.timeline != kSharedTimeline) idle_timelines_.push_back(lane);
  }
  queue.lanes.clear();
}

Lane& Tracker::PickLane(Queue& queue, const Clock& before) {
  for (Lane& lane : queue.lanes) {
    const Epoch last(lane.timeline, lane.tick);
    if (lane.tick == 0 || host_.Completed(last) || before.Covers(last)) return lane;
  }
  if (queue.lanes.size() >= kMaxLanes) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return queue.lanes.front();
  }
  Lane lane;
  lane.timeline = NewTimeline(&lane.tick);
  return queue.lanes.emplace_back(lane);
}

void Tracker::JoinEverything(Queue& queue, Clock* clock) {
  for (const Lane& lane : queue.lanes) {
    const Epoch last(lane.timeline, lane.tick);
    if (lane.tick != 0 && !host_.Completed(last)) clock->Join(last);
  }
  if (!queue.waited.empty()) clock->Join(queue.waited);
  if (!queue.behind.empty()) clock->Join(queue.behind);
}

// --- Commands

void Tracker::Begin(Call& call, Command& command, Queue* queue, absl::Span<Event* const> waits,
                    bool after_all, bool barrier) {
  command.queue = queue;
  command.call = &call.info();
  command.site = call.site();
  if (queue == nullptr) return;
  std::lock_guard lock(queue->lock);
  queue->NoteWork();
  GateSet gates = 0;
  if (queue->gates != 0) [[unlikely]] {
    // Closed gates stay closed until the version changes, when some gate opens.
    const uint32_t version = gates_.version();
    if (queue->gates_version != version) {
      queue->gates = gates_.Settle(queue->gates, &queue->waited);
      queue->gates_version = version;
    }
    gates = queue->gates;
  }
  if (!queue->waited.empty()) {
    queue->waited.Prune(host_);
    command.before.Join(queue->waited);
  }
  for (Event* event : waits) {
    if (event->kind == ObjectKind::kUserEvent) {
      if (event->status.load(std::memory_order_acquire) == 1) {
        if (event->waiters.fetch_add(1, std::memory_order_relaxed) == 0) {
          event->first_waiter = command.site;
          event->first_waiter_call = command.call;
        }
        gates = gates_.JoinEvent(gates, event);
      }
      continue;
    }
    if (event->gates != 0) [[unlikely]]
      gates = gates_.Join(gates, gates_.Settle(event->gates, &command.before));
    if (event->epoch.valid() && !host_.Completed(event->epoch)) {
      command.before.Join(event->epoch);
      if (!event->before.empty()) command.before.Join(event->before);
    }
  }
  command.gates = gates;
  if (queue->in_order) {
    Lane& lane = queue->lanes.front();
    command.epoch = Epoch(lane.timeline, ++lane.tick);
    if (log_ != nullptr && !queue->unlogged) [[unlikely]]
      Log(command, waits, false);
    if (!waits.empty()) queue->waited.Join(command.before);
    if (queue->gates != gates) [[unlikely]] {
      queue->gates = gates;
      queue->gates_version = 0;
    }
    return;
  }
  if (after_all) {
    JoinEverything(*queue, &command.before);
    if (queue->all_gates != 0) [[unlikely]] {
      command.gates = gates = gates_.Join(gates, gates_.Settle(queue->all_gates, &command.before));
    }
  }
  if (gates != 0) [[unlikely]]
    queue->all_gates = gates_.Join(queue->all_gates, gates);
  if (!command.before.empty()) {
    queue->behind.Prune(host_);
    queue->behind.Join(command.before);
  }
  Lane& lane = PickLane(*queue, command.before);
  command.epoch = Epoch(lane.timeline, ++lane.tick);
  if (log_ != nullptr) [[unlikely]]
    Log(command, waits, after_all);
  if (barrier) {
    queue->waited.Join(command.before);
    queue->waited.Join(command.epoch);
    queue->gates = gates_.Join(queue->gates, gates);
    queue->gates_version = 0;
  }
}

void Tracker::Log(const Command& command, absl::Span<Event* const> waits, bool after_all) {
  if (waits.empty() && !after_all)
    return log_->Command(*command.queue, command.epoch, *command.call, command.site);
  Clock behind;
  if (after_all) behind = command.before;
  for (const Event* event : waits) {
    if (event->kind != ObjectKind::kUserEvent && event->epoch.valid()) behind.Join(event->epoch);
  }
  log_->Command(*command.queue, command.epoch, *command.call, command.site, behind);
}

void Tracker::Judge(Call& call, Resource* resource, const Access& earlier, const Access& later) {
  if (earlier.gates != 0 || later.gates != 0) [[unlikely]] {
    const ParkedPair pair{earlier, later, WeakRef<Resource>(resource), resource == nullptr};
    if (gates_.Ask(pair) != Gates::Verdict::kJudge) return;
  }
  rules::OnConflict({resource, &earlier, &later}, call);
}

void Tracker::JudgeOpened(Call& call, const std::vector<ParkedPair>& pairs) {
  for (const ParkedPair& pair : pairs) {
    // Commands for which the host waited before it opened the gate are ordered before all commands
    // behind the gate.
    if (host_.Completed(pair.earlier.epoch) || host_.Completed(pair.later.epoch)) continue;
    Resource* resource = pair.resource.get();
    if (resource == nullptr && !pair.host_memory) continue;
    rules::OnConflict({resource, &pair.earlier, &pair.later}, call);
  }
}

void Tracker::RecordAccess(Call& call, Command& command, Resource* resource, Access& access) {
  Resource* root = resource->root;
  access.epoch = command.epoch;
  access.gates = command.gates;
  access.call = command.call;
  access.site = command.site;
  command.touched.push_back(root);
  absl::InlinedVector<Access, 1> conflicts;
  {
    std::lock_guard lock(root->lock);
    if (!command.blocking && root->history.Repeat(access.region, 0, access, access)) [[likely]]
      return;
    const int dropped =
        root->history.Record(access, command.before, host_, !command.blocking,
                             [&](const Access& earlier) { conflicts.push_back(earlier); });
    if (dropped != 0) [[unlikely]]
      dropped_.fetch_add(dropped, std::memory_order_relaxed);
  }
  for (const Access& earlier : conflicts) Judge(call, resource, earlier, access);
}

void Tracker::Record(Call& call, Command& command, Resource* resource, const Access& access) {
  if (command.queue == nullptr) return;
  Access placed = access;
  if (access.sureness != Sureness::kCertain && resource->kind == ObjectKind::kDeviceMemory) {
    launch_bases_.Note(resource->root->handle + access.region.offset, command.epoch.timeline(),
                       FullWaits(*resource));
  }
  RecordAccess(call, command, resource, placed);
}

void Tracker::RecordHost(Call& call, Command& command, const Access& access) {
  if (command.queue == nullptr || access.region.empty()) return;
  Side side;
  side.region = access.region;
  RecordHostAccess(call, command, side, access.write);
}

void Tracker::RecordHostAccess(Call& call, Command& command, const Side& side, bool write) {
  Access access;
  access.region = side.region.Shifted(AddressOf(side.pointer));
  access.epoch = command.epoch;
  access.gates = command.gates;
  access.call = command.call;
  access.site = command.site;
  access.write = write;
  access.read = !write;
  absl::InlinedVector<Access, 1> conflicts;
  const int dropped =
      host_shadow_.Record(access, command.before, host_, !command.blocking,
                          [&](const Access& earlier) { conflicts.push_back(earlier); });
  if (dropped != 0) [[unlikely]]
    dropped_.fetch_add(dropped, std::memory_order_relaxed);
  command.host_regions.push_back(access.region);
  for (const Access& earlier : conflicts) Judge(call, nullptr, earlier, access);
}

// Device work on a mapped region is undefined if it *begins* while the region is mapped. A command
// behind a gate may begin after a later unmap, so it is no finding.
void Tracker::CheckMappings(Call& call, const Command& command, Resource& resource,
                            const Region& region, bool writes, bool unsure, bool kernel) {
  Resource* root = resource.root;
  if (root->more() == nullptr || command.gates != 0) return;
  Mapping overlapping;
  bool found = false;
  {
    std::lock_guard lock(root->lock);
    const ResourceExtra* extra = root->more();
    if (extra == nullptr) return;
    for (const Mapping& mapping : extra->mappings) {
      if ((mapping.write || writes) && Overlaps(mapping.region, region)) {
        overlapping = mapping;
        found = true;
      }
    }
  }
  if (found)
    rules::OnMappingUse(
        {&resource, nullptr, &overlapping, kernel, writes, unsure && !overlapping.write}, call);
}

void Tracker::RecordTransfer(Call& call, Command& command, const Transfer& transfer) {
  if (command.queue == nullptr) return;
  command.blocking = transfer.blocking;
  auto record = [&](const Side& side, bool write) {
    if (side.region.empty()) return;
    if (side.is_host()) {
      if (side.pointer != nullptr && !side.complete_on_return)
        RecordHostAccess(call, command, side, write);
      return;
    }
    if (side.resource->has(kHostVisible) || side.resource->has(kImported)) return;
    Access access;
    access.region = InRoot(*side.resource, side.region);
    CheckMappings(call, command, *side.resource, access.region, write, false, false);
    access.write = write;
    access.read = !write;
    RecordAccess(call, command, side.resource, access);
  };
  if (transfer.kind == TransferKind::kMap) {
    Access access;
    access.region = InRoot(*transfer.source.resource, transfer.source.region);
    // The host may write to a region mapped for writing only after the map has completed. The map
    // command itself reads.
    access.read = true;
    access.write = transfer.map_write;
    RecordAccess(call, command, transfer.source.resource, access);
    return;
  }
  if (transfer.kind == TransferKind::kUnmap) {
    Access access;
    access.region = InRoot(*transfer.source.resource, transfer.source.region);
    access.write = transfer.map_write;
    access.read = !transfer.map_write;
    RecordAccess(call, command, transfer.source.resource, access);
    return;
  }
  if (transfer.reads_source()) record(transfer.source, false);
  record(transfer.destination, true);
}

namespace {

[[gnu::always_inline]] inline Access MakeAccess(const Launch& launch,
                                                const LaunchArgument& argument) {
  const Resource* resource = argument.resource;
  Access access;
  access.region = ReachedBy(*resource, argument.offset);
  static_cast<AccessKind&>(access) = KindOf(argument.direction, launch.writable_arguments,
                                            launch.may_offset || argument.may_offset);
  // The host or other devices may access this memory at any time: sharing it with a running kernel
  // is deliberate, so the access is not certain.
  if (argument.indirect || resource->has(kHostVisible) || resource->has(kImported) ||
      resource->has(kMappedHost))
    access.sureness = Sureness::kHeld;
  return access;
}

}  // namespace

Access AccessOf(const Launch& launch, const LaunchArgument& argument) {
  return MakeAccess(launch, argument);
}

void Tracker::RecordLaunch(Call& call, Command& command, const Launch& launch) {
  if (command.queue == nullptr) return;
  for (const LaunchArgument& argument : launch.arguments) {
    Resource* resource = argument.resource;
    if (argument.direction == Direction::kNone) continue;
    Access access = MakeAccess(launch, argument);
    if (access.sureness == Sureness::kHeld && resource->kind == ObjectKind::kDeviceMemory) {
      launch_bases_.Note(resource->root->handle + access.region.offset, command.epoch.timeline(),
                         FullWaits(*resource));
      Hold(command, *resource->root);
      continue;
    }
    if (!argument.indirect && resource->root->more() != nullptr) [[unlikely]] {
      const bool likely_writes =
          argument.direction == Direction::kWrite ||
          (argument.direction != Direction::kRead && launch.writable_arguments == 1);
      CheckMappings(call, command, *resource, access.region, likely_writes,
                    argument.direction != Direction::kWrite, true);
    }
    if (resource->kind == ObjectKind::kDeviceMemory) {
      launch_bases_.Note(resource->root->handle + access.region.offset, command.epoch.timeline(),
                         FullWaits(*resource));
    }
    RecordAccess(call, command, resource, access);
  }
}

void Tracker::Hold(Command& command, Resource& root) {
  command.touched.push_back(&root);
  AccessOrigin origin;
  origin.epoch = command.epoch;
  origin.gates = command.gates;
  origin.call = command.call;
  origin.site = command.site;
  int dropped;
  {
    std::lock_guard lock(root.lock);
    dropped = root.history.Hold(root.bytes, origin, host_);
  }
  if (dropped != 0) [[unlikely]]
    dropped_.fetch_add(dropped, std::memory_order_relaxed);
}

void Tracker::RecordLifetime(Call& call, Command& command, Resource* resource, AccessRole role) {
  if (command.queue == nullptr) return;
  Access access;
  access.region = Region::Linear(resource->root_offset, resource->bytes);
  access.write = true;
  access.role = role;
  RecordAccess(call, command, resource, access);
}

void Tracker::CommitTransfer(Command& command, const Transfer& transfer) {
  const Side& side = transfer.destination;
  if (transfer.kind == TransferKind::kMap || side.resource == nullptr ||
      !transfer.has_destination())
    return;
  Resource* resource = side.resource;
  Resource* root = resource->root;
  if (resource->failed_write_call() == nullptr &&
      root->init.SurelyCovered(InRoot(*resource, side.region)))
    return;
  std::lock_guard lock(root->lock);
  root->init.Mark(InRoot(*resource, side.region), root->bytes);
  if (resource->more() != nullptr)
    ExtraOf(*resource).failed_write_call.store(nullptr, std::memory_order_relaxed);
  (void)command;
}

void Tracker::CommitLaunch(Command&, const Launch& launch) {
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.direction == Direction::kRead) continue;
    Resource* root = argument.resource->root;
    if (root->init.all()) continue;
    std::lock_guard lock(root->lock);
    root->init.MarkAll();
  }
}

void Tracker::MarkWritten(Resource* resource, const Region& in_root) {
  Resource* root = resource->root;
  if (resource->failed_write_call() == nullptr && root->init.SurelyCovered(in_root)) return;
  std::lock_guard lock(root->lock);
  root->init.Mark(in_root, root->bytes);
  if (resource->more() != nullptr)
    ExtraOf(*resource).failed_write_call.store(nullptr, std::memory_order_relaxed);
}

void Tracker::MarkAllWritten(const Object* context) {
  resources_.ForEach([&](Resource& resource) {
    if (!resource.live() || resource.context != context || resource.init.all()) return;
    std::lock_guard lock(resource.lock);
    resource.init.MarkAll();
  });
}

void Tracker::CommitBlocking(Command& command) {
  if (command.queue == nullptr) return;
  if (log_ != nullptr) [[unlikely]]
    log_->HostWait(command.epoch);
  host_.Join(command.epoch);
  for (Epoch epoch : command.before.epochs()) host_.Join(epoch);
  JoinHost(command.gates);
}

void Tracker::Rollback(Command& command) {
  if (log_ != nullptr && command.queue != nullptr) [[unlikely]]
    log_->Failed(command.epoch);
  for (Resource* root : command.touched) {
    std::lock_guard lock(root->lock);
    root->history.Remove(command.epoch);
  }
  for (const Region& region : command.host_regions) host_shadow_.Remove(region, command.epoch);
}

void Tracker::NoteFailedWrite(Call& call, const Transfer& transfer, int64_t code) {
  Resource* resource = transfer.destination.resource;
  if (resource == nullptr || !transfer.has_destination()) return;
  std::lock_guard lock(resource->root->lock);
  // Only for bytes that were never written: a program may deliberately ignore a failed update of
  // existing content, but it cannot use content that was never written.
  if (!resource->root->init.Untouched(InRoot(*resource, transfer.destination.region))) return;
  ResourceExtra& extra = ExtraOf(*resource);
  extra.failed_write_site = call.site();
  extra.failed_write_code = static_cast<int32_t>(code);
  extra.failed_write_call.store(&call.info(), std::memory_order_release);
}

// --- Waiting

void Tracker::WaitEvent(const Event& event) {
  if (!event.epoch.valid()) return;
  if (log_ != nullptr && !host_.Completed(event.epoch)) [[unlikely]]
    log_->HostWait(event.epoch);
  host_.Join(event.epoch);
  for (Epoch epoch : event.before.epochs()) host_.Join(epoch);
  JoinHost(event.gates);
}

void Tracker::WaitQueue(Queue& queue) {
  std::lock_guard lock(queue.lock);
  for (const Lane& lane : queue.lanes) {
    if (lane.tick == 0) continue;
    const Epoch last(lane.timeline, lane.tick);
    if (log_ != nullptr && !host_.Completed(last)) [[unlikely]]
      log_->HostWait(last);
    host_.Join(last);
  }
  for (Clock* clock : {&queue.waited, &queue.behind}) {
    for (Epoch epoch : clock->epochs()) host_.Join(epoch);
    clock->Clear();
  }
  // The gates of the queue have opened or failed, and order nothing any more.
  for (GateSet* gates : {&queue.gates, &queue.all_gates}) {
    if (*gates == 0) [[likely]]
      continue;
    JoinHost(*gates);
    if (!gates_.Closed(*gates)) *gates = 0;
  }
  if (queue.gates == 0 && queue.all_gates == 0)
    queue.waited_work.store(queue.work.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

void Tracker::SignalUserEvent(Call& call, Event& event, int32_t status) {
  event.status.store(status < 0 ? status : 0, std::memory_order_release);
  JudgeOpened(call, gates_.Open(&event, 0, status < 0));
}

// --- Checks

void Tracker::CheckTransfer(Call& call, Transfer& transfer) {
  for (Side* side : {&transfer.source, &transfer.destination}) {
    if (side->is_host() && side->pointer != nullptr) {
      const uint64_t needed = side->region.empty() ? 0 : side->region.end();
      side->block_known = host_memory_.FindSpan(AddressOf(side->pointer), needed, &side->block);
      if (!side->block_known && host_memory_.MayHaveReleased(AddressOf(side->pointer))) [[unlikely]]
        CheckReleasedBlock(call, *side, PointerName(transfer, *side));
    }
  }
  rules::OnTransfer(transfer, call);
}

void Tracker::CheckLaunch(Call& call, const Launch& launch) {
  const size_t before = call.finding_count();
  rules::OnLaunch(launch, call);
  if (call.finding_count() != before) [[unlikely]]
    NoteUnwritten(call, before, launch);
}

void Tracker::NoteUnwritten(const Call& call, size_t first, const Launch& launch) {
  const std::vector<Finding>* findings = call.findings();
  if (findings == nullptr) return;
  // A call with too many findings emits the earlier ones: then all findings that it holds are new.
  if (first > findings->size()) first = 0;
  for (size_t i = first; i < findings->size(); ++i) {
    const Finding& finding = (*findings)[i];
    if (finding.rule != RuleId::kPartiallyInitialized && finding.rule != RuleId::kUninitializedRead)
      continue;
    for (const LaunchArgument& argument : launch.arguments) {
      Resource& resource = *argument.resource;
      for (const FindingResource& named : finding.resources) {
        if (named.handle == resource.handle && named.kind == ObjectKindName(resource.kind))
          resource.unwritten_reported = true;
      }
    }
  }
}

void Tracker::CheckStaleUse(Call& call, StaleUse use) {
  use.resource = FindReleased(use.address);
  rules::OnStaleUse(use, call);
}

// --- Mappings

void Tracker::AddMapping(Call& call, Resource* resource, const Side& side, const void* pointer,
                         bool read, bool write) {
  Resource* root = resource->root;
  std::lock_guard lock(root->lock);
  ExtraOf(*root).mappings.push_back(
      {AddressOf(pointer), InRoot(*resource, side.region), call.site(), write, read});
  // The writes of the program through the pointer are not visible: treat all bytes as written.
  if (write) root->init.MarkAll();
}

bool Tracker::RemoveMapping(Call& call, Resource* resource, const void* pointer, Mapping* removed) {
  Resource* root = resource->root;
  {
    std::lock_guard lock(root->lock);
    if (root->more() != nullptr) {
      std::vector<Mapping>& mappings = ExtraOf(*root).mappings;
      for (size_t i = mappings.size(); i-- > 0;) {
        if (mappings[i].pointer != AddressOf(pointer)) continue;
        *removed = mappings[i];
        mappings.erase(mappings.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
    }
  }
  rules::OnMappingUse({resource, pointer, nullptr}, call);
  return false;
}

void Tracker::RestoreMapping(Resource* resource, const Mapping& mapping) {
  Resource* root = resource->root;
  std::lock_guard lock(root->lock);
  ExtraOf(*root).mappings.push_back(mapping);
}

// --- Host memory

void Tracker::OnHostFree(Call& call, const HostBlock& block) {
  rules::HostFree free{block};
  Resource* shared = addresses_.Find(block.begin);
  if (shared != nullptr && shared->handle != block.begin) shared = nullptr;
  if (shared != nullptr && shared->has(kUsesHostMemory)) {
    free.pinned = shared;  // a block of the program, which the program has registered
  } else if (shared != nullptr && block.kind == HostBlockKind::kHeap) {
    // Only heap blocks: drivers unmap their own allocations when a pool shrinks or a context ends.
    free.shared = shared;
    rules::OnHostFree(free, call);
    Release(call, shared, true);
    shared_blocks_.fetch_sub(1, std::memory_order_relaxed);
    if (options_.host_users != nullptr)
      options_.host_users->fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  Access pending;
  if (host_shadow_.busy() &&
      host_shadow_.FindPending(Region::Linear(block.begin, block.bytes), host_, &pending)) {
    free.pending = &pending;
  }
  if (pinned_count_.load(std::memory_order_relaxed) != 0) {
    std::lock_guard lock(pinned_lock_);
    for (auto it = pinned_.lower_bound(block.end()); it != pinned_.begin();) {
      --it;
      if (it->first + longest_pinned_ <= block.begin) break;
      if (it->second.end <= block.begin) continue;
      Resource* resource = it->second.resource.get();
      if (resource != nullptr && resource->live()) free.pinned = resource;
    }
  }
  if (free.pending != nullptr || free.pinned != nullptr) rules::OnHostFree(free, call);
}

}  // namespace gpusan
