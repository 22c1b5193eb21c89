// When guard zones are read, and the findings that follow.
#include "hooks/cuda/guards/checks.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/common/guard.h"
#include "hooks/cuda/guards/interprocess.h"
#include "hooks/cuda/streams/context_scope.h"

namespace gpusan::cuda {
namespace {

// The largest number of blocks that one wait examines, and of those whose zones it reads.
constexpr size_t kLookedAtWait = 256;
constexpr size_t kMostAtWait = 32;
// The largest number of frees in stream order with unchecked zones. The zones of further frees are
// not read.
constexpr size_t kMostOrderedFrees = 64;

struct OrderedFree {
  GuardedBlock block;
  uint8_t* zones = nullptr;  // page-locked: the front zone, then the one behind
  CUevent done = nullptr;
  bool copied = false;  // the zones have arrived; false behind a device fault
  const CallInfo* info = nullptr;
  SiteId site = kUnknownSite;
};
struct State {
  std::mutex mutex;
  std::vector<OrderedFree> frees;
  uintptr_t cursor = 0;
  bool at_exit = false;
};
constinit ProcessState<State> g_state;
// Held while the zones of a block that is not being freed are read.
constinit std::mutex g_checking;
const ForkReset g_reset([] {
  g_state.Forget();
  new (&g_checking) std::mutex;
});

Tracker* TheTracker() {
  return CurrentHooks().tracker != nullptr ? CurrentHooks().tracker(AttachPath::kPreload) : nullptr;
}

std::vector<RecentCommand> RecentCommandsSince(uint64_t order) {
  std::vector<RecentCommand> recent;
  const auto add = [&](const RecentCommand& command) {
    if (command.order > order) recent.push_back(command);
  };
  for (Context* context : LiveContexts()) {
    for (const Stream* stream : StreamsOf(context)) stream->recent.ForEach(add);
    std::lock_guard lock(context->lock);
    std::for_each(context->left_recent.begin(), context->left_recent.end(), add);
  }
  std::sort(recent.begin(), recent.end(),
            [](const RecentCommand& a, const RecentCommand& b) { return a.order > b.order; });
  return recent;
}

// Returns the commands that may have changed a zone of the block, newest first.
std::vector<rules::GuardSuspect> SuspectsFor(const GuardedBlock& block, bool newest_only) {
  std::vector<rules::GuardSuspect> own, others;
  Resource* resource = block.resource.get();
  for (const RecentCommand& command : RecentCommandsSince(block.checked)) {
    if (command.call == nullptr) continue;
    const bool launches = command.launched.kernel != nullptr || command.launched.graph != nullptr;
    // Allocations and frees in stream order write nothing.
    if (!launches && (std::strncmp(command.call->name, "cuMemAlloc", 10) == 0 ||
                      std::strncmp(command.call->name, "cuMemFree", 9) == 0))
      continue;
    rules::GuardSuspect suspect;
    suspect.call = command.call;
    suspect.site = command.site;
    if (command.launched.kernel != nullptr) {
      suspect.name = command.launched.kernel->name;
      suspect.text = absl::StrCat("kernel \"", suspect.name, "\"");
    } else {
      suspect.text = command.launched.graph != nullptr ? "a graph" : "a copy or fill";
    }
    if (newest_only) return {suspect};
    // Released memory has lost its history.
    if (resource != nullptr && resource->live()) {
      std::lock_guard lock(resource->root->lock);
      for (const Access& access : resource->root->history) {
        if (access.epoch != command.epoch) continue;
        suspect.of_allocation = true;
        suspect.writes |= access.write || access.sureness == Sureness::kPossible;
      }
    }
    suspect.elsewhere = resource != nullptr && resource->live() && !suspect.of_allocation;
    (suspect.of_allocation ? own : others).push_back(std::move(suspect));
  }
  return own.empty() ? others : own;
}

void ReportZone(const GuardedBlock& block, bool front, const GuardChange& change, const char* when,
                const CallInfo& info, SiteId site, bool newest_only) {
  Tracker* tracker = TheTracker();
  if (tracker == nullptr) return;
  Call call(*tracker, info, Words(), nullptr, nullptr, site);
  GuardTable::Report(block, front, change, when, SuspectsFor(block, newest_only), call);
  call.EmitNow();
}

// Whether commands had the block since it was asked for last.
bool WasUsed(GuardedBlock& block) {
  if (block.kind == kForeign) return false;
  Resource* resource = block.resource.get();
  if (resource == nullptr) return false;
  uint64_t now = 0;
  std::lock_guard lock(resource->root->lock);
  for (const Access& access : resource->root->history)
    now = now * 31 + access.epoch.tick() * 7 + access.epoch.timeline() + 1;
  return now != std::exchange(block.seen, now);
}

bool IsGone(const GuardedBlock& block) {
  CUdeviceptr start = 0;
  const CUresult code = GPUSAN_CU_DRIVER(cuPointerGetAttribute)(
      &start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, block.base);
  // Without a current context the query fails.
  return code == CUDA_ERROR_INVALID_VALUE || (code == CUDA_SUCCESS && start != block.base);
}

// Checks the copied zones of ordered frees that have run.
void CheckOrderedFrees() {
  State& state = g_state.Get();
  std::vector<OrderedFree> done;
  {
    std::lock_guard lock(state.mutex);
    if (state.frees.empty()) return;
    const RelaxedCapture relaxed;
    const auto pending =
        std::stable_partition(state.frees.begin(), state.frees.end(), [](OrderedFree& free) {
          const ContextScope scope(free.block.context);
          const CUresult code = GPUSAN_CU_DRIVER(cuEventQuery)(free.done);
          free.copied = code == CUDA_SUCCESS;
          return code == CUDA_ERROR_NOT_READY;
        });
    std::move(pending, state.frees.end(), std::back_inserter(done));
    state.frees.erase(pending, state.frees.end());
  }
  for (const OrderedFree& free : done) {
    if (!free.copied) continue;  // the rest of the copy may be on its way into the memory
    const uint8_t* zone = free.zones;
    for (const bool front : {true, false}) {
      const uint64_t bytes = ZoneBytes(free.block, front);
      const GuardChange change = FindChange(zone, bytes, front);
      if (change.changed != 0)
        ReportZone(free.block, front, change, "when it was freed", *free.info, free.site, false);
      zone += bytes;
    }
    const RelaxedCapture relaxed;
    const ContextScope scope(free.block.context);
    GPUSAN_CU_DRIVER(cuEventDestroy_v2)(free.done);
    GPUSAN_CU_DRIVER(cuMemFreeHost)(free.zones);
  }
}

}  // namespace

uint64_t NewestCommand() {
  const std::vector<RecentCommand> recent = RecentCommandsSince(0);
  return recent.empty() ? 0 : recent.front().order;
}

void CheckBlock(const GuardedBlock& block, const char* when, const CallInfo& info,
                const GuardCaller& caller, SiteId site, bool newest_only) {
  if (block.kind == kForeign) return;
  std::vector<uint8_t> zone(std::max(block.front_zone, block.back));
  bool intact = true;
  for (const bool front : {true, false}) {
    if (!ReadZone(block, front, zone.data())) return;
    const GuardChange change = FindChange(zone.data(), ZoneBytes(block, front), front);
    if (change.changed == 0) continue;
    intact = false;
    if (site == kUnknownSite && caller.frame_address != nullptr)
      site = SiteAboveWrapper(caller.return_address, caller.frame_address);
    ReportZone(block, front, change, when, info, site, newest_only);
  }
  if (!intact) FillZones(block);
  Guards().NoteIntact(block.key, NewestCommand());
}

// As CheckBlock, unless another thread has begun to free the block. Frees wait meanwhile.
static void CheckIfLive(const GuardedBlock& block, const char* when, const CallInfo& info,
                        const GuardCaller& caller, SiteId site = kUnknownSite,
                        bool newest_only = false) {
  std::lock_guard lock(g_checking);
  GuardedBlock now;
  if (Guards().Find(block.key, &now) && now.base == block.base)
    CheckBlock(block, when, info, caller, site, newest_only);
}

bool TakeToFree(uintptr_t key, GuardedBlock* block) {
  std::lock_guard lock(g_checking);
  return Guards().Take(key, block);
}

void CheckAfterWait(const CallInfo& info, const GuardCaller& caller) {
  State& state = g_state.Get();
  std::vector<GuardedBlock> some;
  {
    std::lock_guard lock(state.mutex);
    some = Guards().TakeSome(&state.cursor, kLookedAtWait, kMostAtWait, &WasUsed);
  }
  for (const GuardedBlock& block : some) CheckIfLive(block, "by this wait", info, caller);
  CheckOrderedFrees();
}

void CheckAfterLaunch(CUstream stream, bool per_thread, const CallInfo& info,
                      const GuardCaller& caller) {
  if (!CurrentHooks().guard_every_launch) return;
  CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  const Slot query = per_thread ? kSlot_cuStreamIsCapturing_ptsz : kSlot_cuStreamIsCapturing;
  if (GPUSAN_CU_DRIVER_AT(query, cuStreamIsCapturing)(stream, &capturing) != CUDA_SUCCESS ||
      capturing != CU_STREAM_CAPTURE_STATUS_NONE)
    return;
  const Slot wait = per_thread ? kSlot_cuStreamSynchronize_ptsz : kSlot_cuStreamSynchronize;
  if (GPUSAN_CU_DRIVER_AT(wait, cuStreamSynchronize)(stream) != CUDA_SUCCESS) return;
  const SiteId site = SiteAboveWrapper(caller.return_address, caller.frame_address);
  for (const GuardedBlock& block : Guards().All())
    CheckIfLive(block, "directly after this launch", info, caller, site, /*newest_only=*/true);
}

void CheckAll(const char* when, const CallInfo& info, const GuardCaller& caller) {
  CheckOrderedFrees();
  for (const GuardedBlock& block : Guards().All()) {
    CheckIfLive(block, when, info, caller,
                caller.frame_address == nullptr ? block.created : kUnknownSite);
  }
}

void DropGone() { Guards().Drop(&IsGone); }

void DropEnded() {
  ForgetOwnStreams();
  DropGone();
}

void CopyZonesInOrder(const GuardedBlock& block, CUstream stream, bool per_thread,
                      const CallInfo& info, const GuardCaller& caller) {
  CheckOrderedFrees();
  State& state = g_state.Get();
  OrderedFree free;
  void* zones = nullptr;
  {
    std::lock_guard lock(state.mutex);
    if (state.frees.size() >= kMostOrderedFrees) return;
  }
  const RelaxedCapture relaxed;
  if (GPUSAN_CU_DRIVER(cuMemHostAlloc)(&zones, block.front_zone + block.back,
                                       CU_MEMHOSTALLOC_PORTABLE) != CUDA_SUCCESS)
    return;
  free.zones = static_cast<uint8_t*>(zones);
  const Slot copy = per_thread ? kSlot_cuMemcpyDtoHAsync_v2_ptsz : kSlot_cuMemcpyDtoHAsync_v2;
  const Slot record = per_thread ? kSlot_cuEventRecord_ptsz : kSlot_cuEventRecord;
  const auto copy_zone = GPUSAN_CU_DRIVER_AT(copy, cuMemcpyDtoHAsync_v2);
  if (copy_zone(free.zones, ZoneAddress(block, true), block.front_zone, stream) != CUDA_SUCCESS ||
      copy_zone(free.zones + block.front_zone, ZoneAddress(block, false), block.back, stream) !=
          CUDA_SUCCESS ||
      GPUSAN_CU_DRIVER(cuEventCreate)(&free.done, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS ||
      GPUSAN_CU_DRIVER_AT(record, cuEventRecord)(free.done, stream) != CUDA_SUCCESS) {
    // Keep the memory: a pending copy may still write to it.
    return;
  }
  free.block = block;
  free.info = &info;
  free.site = SiteAboveWrapper(caller.return_address, caller.frame_address);
  std::lock_guard lock(state.mutex);
  state.frees.push_back(std::move(free));
}

void CheckAtExit() {
  State& state = g_state.Get();
  {
    std::lock_guard lock(state.mutex);
    if (std::exchange(state.at_exit, true)) return;
  }
  // The driver's own handlers were registered before the first block was made, and run later.
  std::atexit([] {
    ReentryGuard guard;
    static constexpr CallInfo kEnd = {"", Api::kCuda};
    CheckAll("when the process ended", kEnd, {});
    for (const GuardedBlock& block : Guards().All()) EndSharing(block);
  });
}

}  // namespace gpusan::cuda
