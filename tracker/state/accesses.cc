// Accesses: checks and histories of commands, written bytes, mappings.
#include "tracker/state/accesses.h"

#include <mutex>
#include <vector>

#include "tracker/calls/kept_launches.h"
#include "tracker/calls/refine_launch.h"
#include "tracker/memory/heap_chunks.h"
#include "tracker/memory/small_uses.h"
#include "tracker/rules/rules.h"
#include "tracker/state/host_uses.h"
#include "tracker/state/transfer_checks.h"

namespace gpusan {
namespace {

Region InRoot(const Resource& resource, const Region& region) {
  return region.Shifted(resource.root_offset);
}

uintptr_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

}  // namespace

// --- Checks

void Accesses::CheckTransfer(Call& call, Transfer& transfer) {
  CheckTransferArguments(host_side_, pointers_, call, transfer, CheckTime::kAnyTime);
}

void Accesses::CheckLaunch(Call& call, const Launch& launch) {
  const size_t before = call.finding_count();
  rules::OnLaunch(launch, call);
  if (call.finding_count() != before) [[unlikely]]
    NoteUnwritten(call, before, launch);
}

void Accesses::NoteUnwritten(const Call& call, size_t first, const Launch& launch) {
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

// --- Accesses

void Accesses::RecordAccess(Call& call, Command& command, Resource* resource, Access& access) {
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
        root->history.Record(access, command.before, ordering_.host(), !command.blocking,
                             [&](const Access& earlier) { conflicts.push_back(earlier); });
    ordering_.NoteDropped(dropped);
  }
  for (const Access& earlier : conflicts) ordering_.OnConflict(call, resource, earlier, access);
}

void Accesses::NoteImport(Resource& exporter, Resource& imported, uint64_t offset) {
  std::lock_guard lock(exporter.lock);
  std::vector<ImportedPart>& imports = objects_.ExtraOf(exporter).imports;
  std::erase_if(imports, [&](const ImportedPart& part) {
    const Resource* known = part.resource.get();
    return known == nullptr || !known->live() || known == &imported;
  });
  imports.push_back({WeakRef<Resource>(&imported), offset});
}

void Accesses::RecordByExporter(Call& call, const Command& command, Resource& exporter,
                                const Access& access) {
  if (exporter.more() == nullptr) return;
  std::vector<ImportedPart> imports;
  {
    std::lock_guard lock(exporter.lock);
    if (const ResourceExtra* extra = exporter.more(); extra != nullptr) imports = extra->imports;
  }
  for (const ImportedPart& part : imports) {
    Resource* imported = part.resource.get();
    if (imported == nullptr || !imported->live()) continue;
    const uint64_t begin = std::max(access.region.offset, part.offset);
    const uint64_t end = std::min(access.region.end(), part.offset + imported->bytes);
    if (begin >= end) continue;
    Access own = access;
    own.region = Region::Linear(begin - part.offset + imported->root_offset, end - begin);
    own.epoch = command.epoch;
    own.gates = command.gates;
    own.by_exporter = true;
    absl::InlinedVector<Access, 1> conflicts;
    {
      std::lock_guard lock(imported->root->lock);
      ordering_.NoteDropped(imported->root->history.Record(own, command.before, ordering_.host(),
                                                           true, [&](const Access& earlier) {
                                                             // The exporting API checks its own
                                                             // accesses.
                                                             if (!earlier.by_exporter)
                                                               conflicts.push_back(earlier);
                                                           }));
    }
    for (const Access& earlier : conflicts) ordering_.OnConflict(call, imported, earlier, own);
  }
}

void Accesses::Record(Call& call, Command& command, Resource* resource, const Access& access) {
  if (command.queue == nullptr) return;
  Access placed = access;
  if (access.sureness != Sureness::kCertain) {
    NoteLaunchBase(*resource, resource->root->handle + access.region.offset,
                   command.epoch.timeline());
  }
  RecordAccess(call, command, resource, placed);
}

void Accesses::RecordHost(Call& call, Command& command, const Access& access) {
  if (command.queue == nullptr || access.region.empty()) return;
  Side side;
  side.region = access.region;
  RecordHostAccess(call, command, side, access.write);
}

namespace {

// Returns whether the access to host memory is a map that waits for an unset user event.
bool IsWaitingMap(HostSide& host_side, Ordering& ordering, const Access& access) {
  MappedRegion region;
  return host_side.mapped().Find(access.region.offset, &region) &&
         region.bytes == access.region.end() - region.begin && region.mapped == access.site &&
         ordering.UnsetEvent(access.gates) != nullptr;
}

}  // namespace

void Accesses::RecordHostAccess(Call& call, Command& command, const Side& side, bool write) {
  Access access;
  access.region = side.region.Shifted(AddressOf(side.pointer));
  access.epoch = command.epoch;
  access.gates = command.gates;
  access.call = command.call;
  access.site = command.site;
  access.write = write;
  access.read = !write;
  absl::InlinedVector<Access, 1> conflicts;
  const int dropped = host_side_.shadow().Record(access, command.before, ordering_.host(),
                                                 !command.blocking, [&](const Access& earlier) {
                                                   if (earlier.sureness != Sureness::kHeld)
                                                     conflicts.push_back(earlier);
                                                 });
  ordering_.NoteDropped(dropped);
  if (!command.blocking && MayBeUnrecorded(access.region.bytes()))
    NoteSmallUse(access.region.offset);
  command.host_regions.push_back(access.region);
  for (const Access& earlier : conflicts) {
    // The program has no other memory there, so a command that runs before the map is no order.
    if (earlier.gates != 0 && access.gates == 0 && IsWaitingMap(host_side_, ordering_, earlier))
        [[unlikely]] {
      rules::OnConflict({nullptr, &earlier, &access}, call);
    } else {
      ordering_.OnConflict(call, nullptr, earlier, access);
    }
  }
}

void Accesses::HoldHost(const Command& command, const void* data) {
  Access access;
  access.region = Region::Linear(AddressOf(data), 1);
  access.epoch = command.epoch;
  access.gates = command.gates;
  access.call = command.call;
  access.site = command.site;
  access.read = true;
  access.sureness = Sureness::kHeld;
  ordering_.NoteDropped(host_side_.shadow().Record(access, command.before, ordering_.host(), true,
                                                   [](const Access&) {}));
  NoteSmallUse(access.region.offset);
}

void Accesses::LetGoOfHost(const Command& command, const void* data) {
  host_side_.shadow().Remove(Region::Linear(AddressOf(data), 1), command.epoch);
}

void Accesses::CheckHostRead(Call& call, const void* pointer, uint64_t bytes) {
  const uintptr_t address = AddressOf(pointer);
  Access pending;
  if (FindConflictWithHost(host_side_, ordering_, address, bytes, false, &pending))
    ReportHostUse(call, pending, address, bytes, false);
}

void Accesses::NoteStorageFreed(Call& call, Resource& resource) {
  Resource* root = resource.root;
  std::lock_guard lock(root->lock);
  ResourceExtra& extra = objects_.ExtraOf(*root);
  extra.storage_freed_site = call.site();
  extra.storage_freed.store(&call.info(), std::memory_order_release);
}

// Device work on a mapped region is undefined if it *begins* while the region is mapped. A command
// behind a gate may begin after a later unmap, so it is no finding.
void Accesses::CheckMappings(Call& call, const Command& command, Resource& resource,
                             const Region& region, bool writes, bool unsure, const Kernel* kernel,
                             uint32_t argument) {
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
        {&resource, nullptr, &overlapping, kernel, argument, writes, unsure && !overlapping.write},
        call);
}

// A read of an object into its own host memory requires that the object is not mapped. A write from
// there is a use of a mapped region, as any write.
void Accesses::CheckOwnMemory(Call& call, const Command& command, Resource& resource,
                              const Resource& storage) {
  const Resource* root = resource.root;
  if (root != storage.root || root->more() == nullptr || command.gates != 0) [[likely]]
    return;
  Mapping mapping;
  {
    std::lock_guard lock(root->lock);
    const ResourceExtra* extra = root->more();
    if (extra == nullptr || extra->mappings.empty()) return;
    mapping = extra->mappings.back();
  }
  rules::MappingUse use{&resource, nullptr, &mapping};
  use.own_memory = true;
  rules::OnMappingUse(use, call);
}

void Accesses::CheckMap(Call& call, const Command& command, Resource& resource,
                        const Region& region) {
  Resource* root = resource.root;
  // Shared memory that is not an object, and memory that needs no map, may be mapped at will.
  if (root->more() == nullptr || command.gates != 0 || root->by_address() ||
      root->has(kHostVisible))
    return;
  Mapping overlapping;
  {
    std::lock_guard lock(root->lock);
    const ResourceExtra* extra = root->more();
    if (extra == nullptr) return;
    for (const Mapping& mapping : extra->mappings) {
      if (mapping.write && Overlaps(mapping.region, region)) overlapping = mapping;
    }
  }
  if (!overlapping.write) return;
  rules::MappingUse use{&resource, nullptr, &overlapping};
  use.map = true;
  rules::OnMappingUse(use, call);
}

void Accesses::RecordTransfer(Call& call, Command& command, const Transfer& transfer) {
  if (command.queue == nullptr) return;
  command.blocking = transfer.blocking;
  auto record = [&](const Side& side, bool write) {
    if (side.region.empty()) return;
    if (side.is_host()) {
      if (side.pointer == nullptr || side.complete_on_return) return;
      const uintptr_t address = AddressOf(side.pointer);
      // The memory of an object: commands that use the object must not run at the same time.
      uint64_t offset = 0;
      if (Resource* storage = host_side_.FindStorage(address, side.region.end(), &offset);
          storage != nullptr) {
        if (write && transfer.source.resource != nullptr)
          CheckOwnMemory(call, command, *transfer.source.resource, *storage);
        Access access;
        access.region = side.region.Shifted(offset);
        access.write = write;
        access.read = !write;
        return RecordAccess(call, command, storage, access);
      }
      RecordHostAccess(call, command, side, write);
      return;
    }
    if (side.resource->has(kHostVisible) || side.resource->has(kImported)) return;
    Access access;
    access.region = InRoot(*side.resource, side.region);
    CheckMappings(call, command, *side.resource, access.region, write, false, nullptr, 0);
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
    if (transfer.map_write) CheckMap(call, command, *transfer.source.resource, access.region);
    RecordAccess(call, command, transfer.source.resource, access);
    return;
  }
  if (transfer.kind == TransferKind::kUnmap) {
    Access access;
    access.region = InRoot(*transfer.source.resource, transfer.source.region);
    access.write = transfer.map_write;
    access.read = !transfer.map_write;
    access.role = AccessRole::kUnmap;
    RecordAccess(call, command, transfer.source.resource, access);
    return;
  }
  if (transfer.reads_source()) record(transfer.source, false);
  record(transfer.destination, true);
  const Side& to = transfer.destination;
  if (to.resource == nullptr) return;
  ordering_.NoteTransfer(command.call->api, to.region.bytes(), command.epoch);
  if (MaySignal(*to.resource, to.region.bytes())) ordering_.NoteSignals(command.epoch);
}

namespace {

// Whether the host may follow the kernel through this access while the kernel runs. Managed memory
// of which the code surely accesses more than a word, without volatile or atomic accesses and
// fences, is no flag.
[[gnu::always_inline]] inline bool IsSharedWithHost(const LaunchArgument& argument) {
  const Resource& resource = *argument.resource;
  constexpr int64_t kWord = 8;
  return resource.has(kMappedHost) && !(resource.kind == ObjectKind::kManaged && argument.certain &&
                                        argument.ranged && argument.last - argument.first > kWord);
}

[[gnu::always_inline]] inline Access MakeAccess(const Launch& launch,
                                                const LaunchArgument& argument) {
  const Resource* resource = argument.resource;
  Access access;
  access.region = ReachedBy(*resource, argument.offset);
  static_cast<AccessKind&>(access) =
      KindOf(argument.direction, launch.writable_arguments,
             launch.may_offset || argument.may_offset, argument.index);
  if (argument.ranged) {
    access.region.offset += argument.first;
    access.region.width = argument.last - argument.first;
  }
  ApplySummary(argument, &access);
  // The host or other devices may access this memory at any time: sharing it with a running kernel
  // is deliberate, so the access is not certain. A range of mapped memory may be a part of what the
  // program treats as one block, so that only a kernel's code says which bytes it accesses.
  if (argument.indirect || argument.direction == Direction::kNone || resource->has(kHostVisible) ||
      resource->has(kImported) || IsSharedWithHost(argument) ||
      (resource->kind == ObjectKind::kMappedMemory && access.sureness != Sureness::kDerived))
    access.sureness = Sureness::kHeld;
  return access;
}

}  // namespace

Access AccessOf(const Launch& launch, const LaunchArgument& argument) {
  return MakeAccess(launch, argument);
}

void Accesses::RecordLaunch(Call& call, Command& command, const Launch& launch) {
  if (command.queue == nullptr) return;
  for (const LaunchArgument& argument : launch.arguments) {
    Resource* resource = argument.resource;
    // A flag in memory that the host can read while the kernel runs.
    if (IsSharedWithHost(argument) && argument.direction != Direction::kRead &&
        argument.direction != Direction::kNone)
      ordering_.NoteSignals(command.epoch);
    if (argument.direction == Direction::kNone) {
      Hold(command, *resource->root);
      continue;
    }
    Access access = MakeAccess(launch, argument);
    if (access.sureness == Sureness::kHeld && resource->kind == ObjectKind::kDeviceMemory) {
      NoteLaunchBase(*resource, resource->root->handle + access.region.offset,
                     command.epoch.timeline());
      Hold(command, *resource->root);
      continue;
    }
    if (!argument.indirect && resource->root->more() != nullptr) [[unlikely]] {
      const bool likely_writes =
          argument.direction == Direction::kWrite ||
          (argument.direction != Direction::kRead && launch.writable_arguments == 1);
      CheckMappings(call, command, *resource, access.region, likely_writes,
                    argument.direction != Direction::kWrite, launch.kernel, argument.index);
    }
    NoteLaunchBase(*resource, resource->root->handle + access.region.offset,
                   command.epoch.timeline());
    RecordAccess(call, command, resource, access);
  }
}

void Accesses::RecordRepeated(Call& call, Command& command, const Kernel& kernel,
                              const LaunchPattern& pattern, size_t first) {
  if (command.queue == nullptr) return;
  for (size_t i = first; i < pattern.uses.size(); ++i) {
    const LaunchPattern::Use& use = pattern.uses[i];
    Resource& resource = pattern.ResourceOf(use, kernel);
    if (use.kind.sureness == Sureness::kHeld) [[unlikely]] {
      Hold(command, *resource.root);
      continue;
    }
    Access access;
    static_cast<AccessKind&>(access) = use.kind;
    access.region =
        Region::Linear(resource.root_offset + use.bytes.begin, use.bytes.end - use.bytes.begin);
    RecordAccess(call, command, &resource, access);
  }
}

void Accesses::Hold(Command& command, Resource& root) {
  command.touched.push_back(&root);
  AccessOrigin origin;
  origin.epoch = command.epoch;
  origin.gates = command.gates;
  origin.call = command.call;
  origin.site = command.site;
  Hold(root, origin);
}

void Accesses::RecordLifetime(Call& call, Command& command, Resource* resource, AccessRole role) {
  if (command.queue == nullptr) return;
  Access access;
  access.region = Region::Linear(resource->root_offset, resource->bytes);
  access.write = true;
  access.role = role;
  RecordAccess(call, command, resource, access);
}

// --- After the real call

void Accesses::CommitTransfer(const Transfer& transfer) {
  const Side& side = transfer.destination;
  if (side.resource == nullptr || !transfer.has_destination()) return;
  const Region written = InRoot(*side.resource, side.region);
  if (!side.resource->root->init.SurelyCovered(written)) NoteElementSizes(transfer);
  MarkWritten(side.resource, written);
}

namespace {

// Returns the size of an element [bytes] if `whole` is that many times `bytes`; otherwise 0.
uint8_t ElementBytes(uint64_t whole, uint64_t bytes) {
  if (bytes == 0 || whole % bytes != 0) return 0;
  const uint64_t times = whole / bytes;
  return times == 2 || times == 4 || times == 8 || times == 16 ? static_cast<uint8_t>(times) : 0;
}

// Returns the size of a texel [bytes] if the upload may count texels for bytes: it fills that
// fraction of each row of the image, from rows of the host that have as many bytes as those of the
// image. Returns 0 otherwise.
uint8_t ImageElementBytes(const Side& to, const Side& from) {
  const ImageInfo& image = *to.resource->image;
  const Region& written = to.region;
  if (to.texel_bytes == 0 || !from.is_host() || from.row_pitch != image.row_pitch ||
      written.linear() || written.rows != image.extent[1] || image.extent[2] > 1)
    return 0;
  const uint8_t missing = ElementBytes(image.row_pitch, written.width);
  return missing == to.texel_bytes ? missing : uint8_t{0};
}

}  // namespace

// A part of the memory may be all that a program writes. What speaks for a wrong count is that the
// source on the device, the pitch of the host rows, or the pattern of the fill has the bytes that
// are left out. A part of a host block is no such evidence: programs upload what they have filled.
void Accesses::NoteElementSizes(const Transfer& transfer) {
  constexpr uint8_t kNumbers = 4 | 8;  // bytes of int, float and double
  const Side& to = transfer.destination;
  const Side& from = transfer.source;
  Resource& resource = *to.resource;
  const Region written = to.region.Flat();
  if (resource.root != &resource || written.offset != 0 || written.slices != 1) return;
  uint8_t sizes = 0;
  const uint8_t missing = ElementBytes(resource.bytes, written.width);
  if (resource.image != nullptr) {
    sizes = ImageElementBytes(to, from);
  } else if (transfer.kind == TransferKind::kFill) {
    // Calls that set memory at an address to wide values count the values (cuMemsetD32).
    if (resource.by_address() && transfer.pattern_bytes > 1) return;
    const uint8_t likely =
        transfer.pattern_bytes <= 1 ? kNumbers : static_cast<uint8_t>(transfer.pattern_bytes & 30);
    sizes = written.linear() ? missing & likely : likely;
  } else if (!written.linear()) {
    sizes = from.is_host() ? ElementBytes(from.row_pitch, written.width) & kNumbers : 0;
  } else if (missing == 0) {
    return;
  } else if (!from.is_host()) {
    const bool whole =
        from.region.linear() && from.region.offset == 0 && from.resource->bytes == resource.bytes;
    sizes = whole ? missing & kNumbers : 0;
  }
  if (sizes == 0) return;
  std::lock_guard lock(resource.lock);
  if (resource.init.none()) resource.init.NoteElementSizes(sizes);
}

namespace {

// Returns the bytes of the root to which the kernel may give values through the argument.
Region WrittenBy(const Launch& launch, const LaunchArgument& argument) {
  const Resource& resource = *argument.resource;
  if (argument.bounds == 0 || argument.indirect) return Accesses::WrittenByKernel(resource);
  const ByteRange& written = launch.write_bounds[argument.bounds - 1u];
  return Region::Linear(resource.root_offset + written.begin, written.end - written.begin);
}

}  // namespace

void Accesses::CommitLaunch(const Launch& launch) {
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.direction == Direction::kRead || argument.direction == Direction::kNone) continue;
    Resource* root = argument.resource->root;
    if (root->init.all()) continue;
    const Region written = WrittenBy(launch, argument);
    if (argument.bounds != 0) {
      MarkWrittenByKernel(root, written);
    } else if (!root->init.SurelyCovered(written)) {
      std::lock_guard lock(root->lock);
      root->init.Mark(written, root->bytes);
    }
  }
}

void Accesses::MarkWrittenByKernel(Resource* root, const Region& written) {
  constexpr uint64_t kRounding = 512;  // bytes
  if (root->init.SurelyCovered(written)) return;
  std::lock_guard lock(root->lock);
  root->init.Mark(written, root->bytes);
  // Allocators round sizes up: what they add is not read.
  if (root->by_address() && !root->init.all() &&
      root->init.WrittenBytes(root->bytes) + kRounding > root->bytes)
    root->init.MarkAll();
}

void Accesses::MarkWritten(Resource* resource, const Region& in_root) {
  Resource* root = resource->root;
  if (resource->failed_write_call() == nullptr && root->init.SurelyCovered(in_root)) return;
  std::lock_guard lock(root->lock);
  root->init.Mark(in_root, root->bytes);
  if (resource->more() != nullptr)
    objects_.ExtraOf(*resource).failed_write_call.store(nullptr, std::memory_order_relaxed);
}

void Accesses::Rollback(const Command& command) {
  if (command.queue != nullptr) ordering_.Withdraw(command.epoch);
  for (Resource* root : command.touched) {
    std::lock_guard lock(root->lock);
    root->history.Remove(command.epoch);
  }
  for (const Region& region : command.host_regions)
    host_side_.shadow().Remove(region, command.epoch);
}

void Accesses::NoteFailedWrite(Call& call, const Transfer& transfer, int64_t code) {
  Resource* resource = transfer.destination.resource;
  if (resource == nullptr || !transfer.has_destination()) return;
  std::lock_guard lock(resource->root->lock);
  // Only for bytes that were never written: a program may deliberately ignore a failed update of
  // existing content, but it cannot use content that was never written.
  if (!resource->root->init.Untouched(InRoot(*resource, transfer.destination.region))) return;
  ResourceExtra& extra = objects_.ExtraOf(*resource);
  extra.failed_write_site = call.site();
  extra.failed_write_code = static_cast<int32_t>(code);
  extra.failed_write_call.store(&call.info(), std::memory_order_release);
}

void Accesses::TouchAll(Command& command, const Launch& launch) {
  for (const LaunchArgument& argument : launch.arguments)
    command.touched.push_back(argument.resource->root);
}

// --- Mappings

void Accesses::AddMapping(Call& call, const Command& command, const Transfer& transfer,
                          const void* pointer, uint64_t host_bytes) {
  Resource* resource = transfer.source.resource;
  Resource* root = resource->root;
  {
    std::lock_guard lock(root->lock);
    objects_.ExtraOf(*root).mappings.push_back(
        {AddressOf(pointer), InRoot(*resource, transfer.source.region), call.site(),
         transfer.map_write, transfer.map_read});
    objects_.ExtraOf(*resource);  // a release runs no rule if the resource has no extra
    // The writes of the program through the pointer are not visible: treat all bytes of the region
    // as written.
    if (transfer.map_write || transfer.map_pinned)
      root->init.Mark(InRoot(*resource, transfer.source.region), root->bytes);
  }
  if (host_bytes == 0) return;
  if (!root->has(kUsesHostMemory))
    host_side_.WatchMapped({AddressOf(pointer), host_bytes, WeakRef<Resource>(root), call.site()});
  if (transfer.blocking || command.queue == nullptr) return;
  // Until the map is complete it may write the region. Another map may do so too.
  Access access;
  access.region = Region::Linear(AddressOf(pointer), host_bytes);
  access.epoch = command.epoch;
  access.gates = command.gates;
  access.call = command.call;
  access.site = command.site;
  access.write = true;
  ordering_.NoteDropped(host_side_.shadow().Record(access, command.before, ordering_.host(), true,
                                                   [](const Access&) {}));
}

bool Accesses::RemoveMapping(Call& call, Resource* resource, const void* pointer,
                             Mapping* removed) {
  Resource* root = resource->root;
  bool found = false;
  {
    std::lock_guard lock(root->lock);
    if (root->more() != nullptr) {
      std::vector<Mapping>& mappings = objects_.ExtraOf(*root).mappings;
      for (size_t i = mappings.size(); i-- > 0;) {
        if (mappings[i].pointer != AddressOf(pointer)) continue;
        *removed = mappings[i];
        mappings.erase(mappings.begin() + static_cast<std::ptrdiff_t>(i));
        found = true;
        break;
      }
    }
  }
  if (found) {
    host_side_.UnwatchMapped(AddressOf(pointer), &call.info(), call.site());
    return true;
  }
  rules::OnMappingUse({resource, pointer, nullptr}, call);
  return false;
}

void Accesses::CheckUnmapped(Call& call, const Command& command, const Resource& root,
                             const Mapping& removed) {
  HostShadow& shadow = host_side_.shadow();
  if (!shadow.busy() || command.queue == nullptr || !removed.region.linear()) [[likely]]
    return;
  if (call.has_findings()) return;  // such as a race of the unmap with its map
  {
    std::lock_guard lock(root.lock);
    const ResourceExtra* extra = root.more();
    // Another mapping may keep the memory.
    if (extra != nullptr && !extra->mappings.empty()) return;
  }
  Access unmap;
  unmap.region = Region::Linear(removed.pointer, removed.region.bytes());
  unmap.epoch = command.epoch;
  unmap.gates = command.gates;
  unmap.call = command.call;
  unmap.site = command.site;
  unmap.write = true;
  absl::InlinedVector<Access, 1> conflicts;
  // The access is not kept: the memory may become that of other mappings or blocks.
  shadow.Record(unmap, command.before, ordering_.host(), false,
                [&](const Access& earlier) { conflicts.push_back(earlier); });
  for (const Access& earlier : conflicts) {
    // A command that waits for an event that is not set cannot be complete before the unmap.
    if (earlier.gates != 0 && unmap.gates == 0 && ordering_.UnsetEvent(earlier.gates) != nullptr)
        [[unlikely]] {
      rules::OnConflict({nullptr, &earlier, &unmap}, call);
    } else {
      ordering_.OnConflict(call, nullptr, earlier, unmap);
    }
  }
}

void Accesses::RestoreMapping(Resource* resource, const Mapping& mapping) {
  Resource* root = resource->root;
  std::lock_guard lock(root->lock);
  objects_.ExtraOf(*root).mappings.push_back(mapping);
}

}  // namespace gpusan
