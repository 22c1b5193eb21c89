// The option protect_maps for OpenCL.
#include "hooks/opencl/objects/map_guards.h"

#include <sys/auxv.h>

#include <mutex>
#include <utility>

#include "hooks/common/base/process_state.h"
#include "hooks/common/sites/modules.h"
#include "hooks/host/guard_table.h"
#include "hooks/opencl/call/attach_path.h"
#include "tracker/rules/rules.h"
#include "tracker/tracker.h"

namespace gpusan::opencl {

bool map_guards_internal::on = false;

namespace {

using Fault = rules::MappedUse::Fault;

constexpr CallInfo kHostRead = {"host-read", Api::kOpenCL};
constexpr CallInfo kHostWrite = {"host-write", Api::kOpenCL};

struct Guarded {
  WeakRef<Resource> memory;
  uintptr_t base = 0;  // of the guarded bytes
  uint64_t bytes = 0;
  uint64_t offset = 0;  // of `base` in the memory [bytes]
  bool write = false;   // the command writes the bytes
  Epoch epoch;          // of the command
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
};

struct Guards : GuardTable<Guarded> {
  Guards() : GuardTable(PageGuards::kOpenClTags) {}
};
constinit ProcessState<Guards> g_guards;
const ForkReset g_reset([] { g_guards.Forget(); });

bool IsCpuQueue(const ClCall& call, const Queue* queue) {
  const auto get_queue = GPUSAN_NEXT(call, clGetCommandQueueInfo);
  const auto get_device = GPUSAN_NEXT(call, clGetDeviceInfo);
  cl_device_id device = nullptr;
  cl_device_type type = 0;
  return queue != nullptr && get_queue != nullptr && get_device != nullptr &&
         get_queue(reinterpret_cast<cl_command_queue>(queue->handle), CL_QUEUE_DEVICE,
                   sizeof(cl_device_id), &device, nullptr) == CL_SUCCESS &&
         get_device(device, CL_DEVICE_TYPE, sizeof(type), &type, nullptr) == CL_SUCCESS &&
         (type & CL_DEVICE_TYPE_CPU) != 0;
}

// Threads of the driver run no code of the program's executable, except in callbacks. A stack
// without a frame of it may be the driver's.
bool MadeByProgram(SiteId site) {
  static const uint32_t executable = ResolveFrame(getauxval(AT_ENTRY)).module;
  SiteFrame frames[kMaxSiteFrames];
  const int count = SiteFrames(site, frames, kMaxSiteFrames);
  for (int i = 0; i < count; ++i) {
    if (executable != 0 && frames[i].module == executable) return true;
  }
  return false;
}

void Guard(ClCall& call, Guarded guarded) {
  const Resource* memory = guarded.memory.get();
  if (memory == nullptr || !guarded.epoch.valid() ||
      call.tracker().ordering().host().Completed(guarded.epoch))
    return;
  guarded.call = &call.info();
  guarded.site = call.site();  // the capture may take the loader's lock
  const uintptr_t base = guarded.base;
  const uint64_t bytes = guarded.bytes;
  const bool write = guarded.write;
  g_guards.Get().Add(base, base + bytes, write, std::move(guarded));
}

// Returns whether the host must not access the memory while a command uses it. Mapped memory is the
// host's, which another check reports.
bool IsCoarse(const Resource* memory) {
  if (memory == nullptr || memory->kind != ObjectKind::kSvm || memory->root != memory ||
      memory->has(kHostVisible))
    return false;
  std::lock_guard lock(memory->lock);
  const ResourceExtra* more = memory->more();
  return more == nullptr || more->mappings.empty();
}

void GuardSide(ClCall& call, const Command& command, const Side& side, bool write) {
  if (!side.region.linear() || !IsCoarse(side.resource) || side.region.end() > side.resource->bytes)
    return;
  Guard(call, {WeakRef<Resource>(side.resource), side.resource->handle + side.region.offset,
               side.region.bytes(), side.region.offset, write, command.epoch});
}

void Report(Tracker& tracker, const GuardedAccess& access, const Guarded& guarded) {
  Resource* memory = guarded.memory.get();
  if (memory == nullptr || !MadeByProgram(access.site)) return;
  rules::MappedUse found;
  found.fault = access.write ? Fault::kWriteInFlight : Fault::kReadInFlight;
  found.memory = memory;
  found.offset = guarded.offset + (access.address - guarded.base);
  found.bytes = guarded.bytes - (access.address - guarded.base);
  found.device = guarded.call;
  found.device_site = guarded.site;
  found.device_writes = guarded.write;
  Call made(tracker, access.write ? kHostWrite : kHostRead, Words(), nullptr, nullptr, access.site);
  rules::OnMappedUse(found, made);
}

}  // namespace

void GuardMaps() {
  map_guards_internal::on = true;
  RunBeforeCalls(&SettleMapGuards);
}

void GuardPendingMap(ClCall& call, const Command& command, const Transfer& transfer,
                     const void* pointer, uint64_t bytes) {
  const Side& side = transfer.source;
  if (!GuardsMaps() || side.resource == nullptr || bytes == 0 || !side.region.linear()) return;
  // The host may access the bytes by this map, whatever else uses the memory.
  const uintptr_t begin = HandleOf(pointer), end = begin + bytes;
  g_guards.Get().RemoveIf([&](const Guarded& guarded) {
    return guarded.base < end && begin < guarded.base + guarded.bytes;
  });
  if (transfer.blocking || !IsCpuQueue(call, command.queue)) return;
  // Another map of the same bytes may be complete: its host accesses are right.
  {
    const Resource& root = *side.resource->root;
    const Region region = side.region.Shifted(side.resource->root_offset);
    std::lock_guard lock(root.lock);
    const ResourceExtra* more = root.more();
    int maps = 0;
    if (more != nullptr) {
      for (const Mapping& mapping : more->mappings)
        maps += Overlaps(mapping.region, region) ? 1 : 0;
    }
    if (maps > 1) return;
  }
  Guard(call,
        {WeakRef<Resource>(side.resource), begin, bytes, side.region.offset, true, command.epoch});
}

void GuardShared(ClCall& call, const Command& command, const Transfer& transfer) {
  if (!GuardsMaps() || transfer.blocking || transfer.kind == TransferKind::kMap ||
      transfer.kind == TransferKind::kUnmap || !IsCpuQueue(call, command.queue))
    return;
  GuardSide(call, command, transfer.source, false);
  GuardSide(call, command, transfer.destination, true);
}

void GuardShared(ClCall& call, const Queue& queue, Epoch epoch, const Kernel& kernel) {
  if (!GuardsMaps() || !IsCpuQueue(call, &queue)) return;
  for (const KernelArgument& argument : kernel.arguments) {
    Resource* memory = argument.resource.get();
    if (!IsCoarse(memory)) continue;
    // The host must not access memory that it has not mapped, whatever the kernel does with it.
    Guard(call, {WeakRef<Resource>(memory), memory->handle, memory->bytes, 0,
                 argument.direction != Direction::kRead, epoch});
  }
}

void DropMapGuards(const Resource& memory) {
  if (!GuardsMaps()) return;
  g_guards.Get().RemoveIf([&](const Guarded& guarded) { return guarded.memory.get() == &memory; });
}

void DropAllMapGuards() {
  if (GuardsMaps()) g_guards.Get().RemoveIf([](const Guarded&) { return true; });
}

void SettleMapGuards(Tracker& tracker) {
  const HostClock& host = tracker.ordering().host();
  for (const auto& [access, guarded] : g_guards.Get().Take()) {
    // A guard stays until the next call, also after a wait.
    if (!host.Completed(guarded.epoch)) Report(tracker, access, guarded);
  }
  g_guards.Get().RemoveIf([&](const Guarded& guarded) { return host.Completed(guarded.epoch); });
}

}  // namespace gpusan::opencl
