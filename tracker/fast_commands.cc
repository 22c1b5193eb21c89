// Tracker: fast paths of the most frequent commands. A fast path rejects each command that it
// cannot check completely; the slow path (state/accesses.cc) handles that command. Both give the
// same findings.
#include <mutex>

#include "tracker/calls/refine_launch.h"
#include "tracker/memory/heap_chunks.h"
#include "tracker/memory/protected_memory.h"
#include "tracker/memory/read_only_memory.h"
#include "tracker/memory/small_uses.h"
#include "tracker/rules/rules.h"
#include "tracker/state/launch_patterns.h"
#include "tracker/tracker.h"

namespace gpusan {
namespace {

uintptr_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

Transfer TransferOf(const HostCopy& copy) {
  Transfer transfer;
  transfer.kind = copy.write ? TransferKind::kWrite : TransferKind::kRead;
  Side& device = copy.write ? transfer.destination : transfer.source;
  Side& host = copy.write ? transfer.source : transfer.destination;
  device.resource = copy.resource;
  device.region = copy.region;
  host.pointer = copy.pointer;
  host.region = Region::Linear(0, copy.bytes);
  transfer.blocking = copy.blocking;
  return transfer;
}

// Records an access of the root if all earlier accesses belong to its queue. Returns false, without
// side effects, otherwise. Requires that the lock of the root is held.
[[gnu::noinline]] bool RecordAlone(Ordering& ordering, Resource& root, uint64_t begin,
                                   uint64_t bytes, const AccessKind& kind,
                                   const AccessOrigin& origin) {
  Access access;
  static_cast<AccessOrigin&>(access) = origin;
  static_cast<AccessKind&>(access) = kind;
  access.region = Region::Linear(begin, bytes);
  int dropped = 0;
  if (!root.history.RecordAlone(access, ordering.host(), &dropped)) return false;
  ordering.NoteDropped(dropped);
  return true;
}

// Records the access of index `use` of a launch if no access of another queue can conflict with it.
// Otherwise returns false, without side effects.
[[gnu::always_inline]] inline bool RecordUse(Accesses& accesses, Ordering& ordering,
                                             const Kernel& kernel, const LaunchPattern& pattern,
                                             size_t use, const AccessOrigin& origin) {
  const auto& [memory, kind, bytes] = pattern.uses[use];
  const Resource& resource = pattern.ResourceOf(pattern.uses[use], kernel);
  Resource& root = *resource.root;
  if (kind.sureness == Sureness::kHeld) [[unlikely]] {
    accesses.Hold(root, origin);
    return true;
  }
  const uint64_t begin = resource.root_offset + bytes.begin, count = bytes.end - bytes.begin;
  std::lock_guard lock(root.lock);
  return root.history.RepeatRow(begin, count, kind, origin) ||
         RecordAlone(ordering, root, begin, count, kind, origin);
}

}  // namespace

bool Tracker::BeginHostCopy(Call& call, HostCopy& copy) {
  Resource& resource = *copy.resource;
  Resource& root = *resource.root;
  const uintptr_t address = AddressOf(copy.pointer);
  uint64_t in_storage = 0;
  // The slow path handles resources with an extra, which may have mappings, and memory that the
  // host or other processes share, which has rules of its own.
  if (address == 0 || copy.region.empty() || !rules::IsPlain(copy) || root.more() != nullptr ||
      resource.has(kHostVisible) || resource.has(kImported) || !objects_.addresses().unused() ||
      !host_side_.memory().MayHold(address, copy.bytes) ||
      (!copy.write && MayBeReadOnly(address)) ||
      FindProtected(address, copy.bytes, !copy.write) != 0 ||
      host_side_.FindStorage(address, copy.bytes, &in_storage) != nullptr) {
    return false;
  }
  AccessOrigin origin = OriginOf(call);
  if (!ordering_.TakeEpoch(*copy.queue, &origin)) return false;
  copy.epoch = origin.epoch;
  copy.gates = origin.gates;
  const AccessKind on_resource{copy.write, !copy.write};
  const AccessKind on_host{!copy.write, copy.write};
  bool resource_done, host_done;
  if (copy.blocking) {
    const TimelineId timeline = origin.epoch.timeline();
    {
      std::lock_guard lock(root.lock);
      resource_done = root.history.OnlyOf(timeline);
    }
    host_done = host_side_.shadow().OnlyOf(address, copy.bytes, timeline);
  } else {
    {
      std::lock_guard lock(root.lock);
      resource_done = root.history.Repeat(copy.region, resource.root_offset, on_resource, origin);
    }
    host_done = host_side_.shadow().Repeat(address, copy.bytes, on_host, origin);
    if (MayBeUnrecorded(copy.bytes)) NoteSmallUse(address);
  }
  if (resource_done && host_done) [[likely]]
    return true;
  RecordHostCopy(call, copy, origin, !resource_done, !host_done);
  return true;
}

void Tracker::RecordHostCopy(Call& call, const HostCopy& copy, const AccessOrigin& origin,
                             bool resource, bool host) {
  Command command;
  SetOrigin(&command, copy.queue, origin);
  command.blocking = copy.blocking;
  const Transfer transfer = TransferOf(copy);
  const bool host_first = copy.write;
  if (host && host_first) accesses_.RecordHostAccess(call, command, transfer.source, false);
  if (resource) {
    Access access;
    access.region = copy.region.Shifted(copy.resource->root_offset);
    access.write = copy.write;
    access.read = !copy.write;
    accesses_.RecordAccess(call, command, copy.resource, access);
  }
  if (host && !host_first) accesses_.RecordHostAccess(call, command, transfer.destination, true);
}

void Tracker::EndHostCopy(Call& call, const HostCopy& copy, int64_t code) {
  Resource& resource = *copy.resource;
  Resource& root = *resource.root;
  if (code != 0) [[unlikely]] {
    ordering_.Withdraw(copy.epoch);
    {
      std::lock_guard lock(root.lock);
      root.history.Remove(copy.epoch);
    }
    host_side_.shadow().Remove(Region::Linear(AddressOf(copy.pointer), copy.bytes), copy.epoch);
    accesses_.NoteFailedWrite(call, TransferOf(copy), code);
    return;
  }
  if (copy.write && (resource.more() != nullptr ||
                     !root.init.SurelyCovered(copy.region.Shifted(resource.root_offset)))) {
    accesses_.CommitTransfer(TransferOf(copy));
  }
  if (copy.blocking) ordering_.CommitBlocking(copy.epoch, copy.gates);
}

bool Tracker::BeginPlainLaunch(Call& call, PlainLaunch& launch) {
  const Kernel& kernel = *launch.kernel;
  if (kernel.summary != nullptr) return BeginRepeatedLaunch(call, launch);
  if (!kernel.indirect.empty()) return false;
  bool may_offset = launch.may_offset;
  launch.writes_new = false;
  int writable = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    const Resource* resource = argument.resource.get();
    if (resource == nullptr) {
      if (argument.resource.object != nullptr) return false;  // released and recycled
      may_offset |= argument.MayBeOffset();
      continue;
    }
    // The slow path handles held accesses, and addresses that several streams may share
    // (shared_pointers.h).
    constexpr uint16_t kHeld = kHostVisible | kImported | kMappedHost;
    const Resource& root = *resource->root;
    if (!resource->live() || resource->context != launch.queue->context ||
        (resource->flags & kHeld) != 0 || resource->kind == ObjectKind::kDeviceMemory ||
        resource->more() != nullptr || root.more() != nullptr ||
        argument.direction == Direction::kNone ||
        !rules::IsPlainUse(*resource, argument.direction, argument.element_bytes, launch.work_items,
                           false)) {
      return false;
    }
    if (argument.direction != Direction::kRead) {
      ++writable;
      launch.writes_new |= !root.init.SurelyCovered(Accesses::WrittenByKernel(*resource));
    }
  }
  AccessOrigin origin = OriginOf(call);
  if (!ordering_.TakeEpoch(*launch.queue, &origin)) return false;
  launch.epoch = origin.epoch;
  launch.gates = origin.gates;
  launch.kernel->launches.Note(origin.epoch);
  const KindWords& kinds = KindWordsOf(writable, may_offset);
  uint32_t index = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    const uint8_t noted = NotedArgument(index++);
    Resource* resource = argument.resource.get();
    if (resource == nullptr) continue;
    const uint64_t kind = KindWordOf(kinds, argument.direction);
    const Region reached = ReachedBy(*resource, argument.offset);
    Resource& root = *resource->root;
    bool done;
    {
      std::lock_guard lock(root.lock);
      done = root.history.RepeatRow(reached.offset, reached.width, kind, noted, origin) ||
             RecordAlone(ordering_, root, reached.offset, reached.width,
                         AccessKind::Of(kind, noted), origin);
    }
    if (!done) [[unlikely]] {
      Command command;
      SetOrigin(&command, launch.queue, origin);
      // Not `reached`, which then stays in registers.
      RecordArgument(call, command, *resource, AccessKind::Of(kind, noted),
                     ReachedBy(*resource, argument.offset));
    }
  }
  return true;
}

bool Tracker::BeginRepeatedLaunch(Call& call, PlainLaunch& launch) {
  const Kernel& kernel = *launch.kernel;
  AccessOrigin origin = OriginOf(call);
  std::shared_ptr<const KeptLaunch> kept;
  size_t recorded = 0;
  {
    std::lock_guard lock(kernel.lock);
    const KeptLaunch* repeated = FindRepeated(kernel, launch.shape, launch.queue->context);
    if (repeated == nullptr || !ordering_.TakeEpoch(*launch.queue, &origin)) return false;
    launch.epoch = origin.epoch;
    launch.gates = origin.gates;
    launch.writes_new = false;
    launch.kernel->launches.Note(origin.epoch);
    const LaunchPattern& pattern = *repeated->pattern();
    const size_t count = pattern.uses.size();
    while (recorded < count && RecordUse(accesses_, ordering_, kernel, pattern, recorded, origin))
      ++recorded;
    if (recorded < count) [[unlikely]]
      kept = repeated->shared_from_this();
  }
  if (kept != nullptr) [[unlikely]] {
    Command command;
    SetOrigin(&command, launch.queue, origin);
    accesses_.RecordRepeated(call, command, kernel, *kept->pattern(), recorded);
  }
  return true;
}

[[gnu::noinline]] void Tracker::RecordArgument(Call& call, Command& command, Resource& resource,
                                               const AccessKind& kind, const Region& region) {
  Access access;
  access.region = region;
  static_cast<AccessKind&>(access) = kind;
  accesses_.RecordAccess(call, command, &resource, access);
}

void Tracker::EndPlainLaunch(const PlainLaunch& launch, bool success) {
  if (success && !launch.writes_new) [[likely]]
    return;
  if (!success) ordering_.Withdraw(launch.epoch);
  for (const KernelArgument& argument : launch.kernel->arguments) {
    Resource* resource = argument.resource.get();
    if (resource == nullptr) continue;
    Resource& root = *resource->root;
    if (!success) {
      std::lock_guard lock(root.lock);
      root.history.Remove(launch.epoch);
    } else if (argument.direction != Direction::kRead && !root.init.all()) {
      std::lock_guard lock(root.lock);
      root.init.Mark(Accesses::WrittenByKernel(*resource), root.bytes);
    }
  }
}

[[gnu::always_inline]] inline void Tracker::RecordRow(Call& call, Command& command,
                                                      Resource& resource, const AccessKind& kind,
                                                      uint64_t begin, uint64_t bytes,
                                                      const AccessOrigin& origin) {
  bool done;
  {
    std::lock_guard lock(resource.root->lock);
    done =
        resource.root->history.RepeatRow(begin, bytes, kind, origin) ||
        (!command.blocking && RecordAlone(ordering_, *resource.root, begin, bytes, kind, origin));
  }
  if (!done) [[unlikely]]
    RecordArgument(call, command, resource, kind, Region::Linear(begin, bytes));
}

namespace {

// Whether the kernel reads nothing but written bytes through the argument.
bool ReadsWritten(const LaunchArgument& argument) {
  const Resource& resource = *argument.resource;
  return argument.direction == Direction::kRead && argument.ranged &&
         (resource.flags & (kKernelReadOnly | kKernelWriteOnly)) == 0 &&
         resource.root->init.SurelyCovered(
             Region::Linear(resource.root_offset + argument.offset + argument.first,
                            argument.last - argument.first));
}

}  // namespace

bool Tracker::BeginPlainLaunch(Call& call, Command& command, Queue& queue, const Launch& launch,
                               bool* writes_new) {
  const bool integers = !launch.integers.empty();
  bool new_content = false;
  for (const LaunchArgument& argument : launch.arguments) {
    const Resource& resource = *argument.resource;
    const Resource& root = *resource.root;
    // The slow path handles memory outside of the device and mapped memory, whose accesses are
    // held.
    constexpr uint16_t kHeld = kHostVisible | kImported | kMappedHost;
    if ((resource.flags & kHeld) != 0 || resource.kind == ObjectKind::kMappedMemory ||
        resource.more() != nullptr || root.more() != nullptr ||
        ((argument.indirect || argument.direction == Direction::kNone) &&
         resource.kind != ObjectKind::kDeviceMemory) ||
        (!(rules::IsPlainRead(argument) &&
           rules::IsPlainUse(resource, argument.direction, argument.element_bytes,
                             launch.work_items, integers)) &&
         !ReadsWritten(argument))) {
      return false;
    }
    if (argument.direction != Direction::kRead && argument.direction != Direction::kNone)
      new_content |= !root.init.all();
  }
  AccessOrigin origin;
  if (!ordering_.BeginPlain(call, command, queue, &origin)) return false;
  *writes_new = new_content;
  const TimelineId timeline = origin.epoch.timeline();
  for (const LaunchArgument& argument : launch.arguments) {
    Resource& resource = *argument.resource;
    Resource& root = *resource.root;
    const uint64_t offset = resource.image != nullptr ? 0 : argument.offset;
    uint64_t begin = resource.root_offset + offset;
    uint64_t bytes = resource.bytes - offset;
    if (argument.ranged) {
      begin += argument.first;
      bytes = argument.last - argument.first;
    }
    accesses_.NoteLaunchBase(resource, root.handle + begin, timeline);
    if (argument.indirect || argument.direction == Direction::kNone) {
      accesses_.Hold(root, origin);
      continue;
    }
    AccessKind kind = KindOf(argument.direction, launch.writable_arguments,
                             launch.may_offset || argument.may_offset, argument.index);
    ApplySummary(argument, &kind);
    RecordRow(call, command, resource, kind, begin, bytes, origin);
  }
  return true;
}

bool Tracker::BeginLinearTransfer(Call& call, Command& command, Queue& queue,
                                  LinearTransfer& transfer) {
  const auto is_simple = [](const Resource& resource) {
    return (resource.flags & (kHostVisible | kImported)) == 0 && resource.more() == nullptr &&
           resource.root->more() == nullptr;
  };
  Resource* source = transfer.source;
  Resource& destination = *transfer.destination;
  if (transfer.bytes == 0 || (source != nullptr && !is_simple(*source)) ||
      !is_simple(destination) || !rules::IsPlain(transfer))
    return false;
  AccessOrigin origin;
  if (!ordering_.BeginPlain(call, command, queue, &origin)) return false;
  const Region written = transfer.written();
  transfer.writes_new = !destination.root->init.SurelyCovered(written);
  if (source != nullptr) {
    RecordRow(call, command, *source, {false, true}, source->root_offset + transfer.source_offset,
              transfer.bytes, origin);
  }
  RecordRow(call, command, destination, {true, false}, written.offset, transfer.bytes, origin);
  ordering_.NoteTransfer(origin.call->api, transfer.bytes, origin.epoch);
  if (MaySignal(destination, transfer.bytes)) [[unlikely]]
    ordering_.NoteSignals(origin.epoch);
  return true;
}

void Tracker::CommitFirstWrite(const LinearTransfer& transfer) {
  Transfer whole;
  whole.kind = transfer.source != nullptr ? TransferKind::kCopy : TransferKind::kFill;
  whole.source.resource = transfer.source;
  whole.source.region = Region::Linear(transfer.source_offset, transfer.bytes);
  whole.destination.resource = transfer.destination;
  whole.destination.region = Region::Linear(transfer.destination_offset, transfer.bytes);
  whole.pattern_bytes = transfer.pattern_bytes;
  accesses_.CommitTransfer(whole);
}

void Tracker::RollbackLinearTransfer(Call& call, Command& command, const LinearTransfer& transfer,
                                     int64_t code) {
  if (transfer.source != nullptr) command.touched.push_back(transfer.source->root);
  command.touched.push_back(transfer.destination->root);
  accesses_.Rollback(command);
  if (code == 0) return;
  Transfer failed;
  failed.kind = TransferKind::kFill;
  failed.destination.resource = transfer.destination;
  failed.destination.region = Region::Linear(transfer.destination_offset, transfer.bytes);
  accesses_.NoteFailedWrite(call, failed, code);
}

}  // namespace gpusan
