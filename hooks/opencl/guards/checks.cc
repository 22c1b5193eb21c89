// When guard zones are read, and the findings that follow.
#include "hooks/opencl/guards/checks.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/common/guard.h"

namespace gpusan::opencl {
namespace {

// One clFinish checks at most this many blocks; the next one checks the others.
constexpr size_t kMostAtFinish = 64;

struct Retired {
  std::mutex mutex;
  std::vector<std::pair<AttachPath, GuardedBlock>> blocks;
  std::atomic<bool> any{false};
};
constinit ProcessState<Retired> g_retired;
// Held while the zones of a live block are read, and while a retired block is released.
constinit std::mutex g_checking;
const ForkReset g_reset([] {
  g_retired.Forget();
  new (&g_checking) std::mutex;
});

constinit std::atomic<int> g_exit_path{-1};

Tracker* TrackerOf(AttachPath path) {
  return attach_internal::trackers[path].load(std::memory_order_acquire);
}

}  // namespace

void CheckBlock(AttachPath path, cl_command_queue queue, const GuardedBlock& block,
                const char* when, const CallInfo& info, const GuardCaller& caller, SiteId site) {
  Tracker* tracker = TrackerOf(path);
  if (tracker == nullptr || queue == nullptr) return;
  std::vector<uint8_t> zone(std::max(block.front, block.back));
  bool intact = true;
  for (const bool front : {true, false}) {
    const uint64_t bytes = front ? block.front : block.back;
    const uint64_t offset = front ? 0 : block.front + block.bytes;
    if (!ReadWhole(path, queue, block, offset, bytes, zone.data())) return;
    const GuardChange change = FindChange(zone.data(), bytes, front);
    if (change.changed == 0) continue;
    intact = false;
    if (site == kUnknownSite && caller.frame_address != nullptr)
      site = SiteAboveWrapper(caller.return_address, caller.frame_address);
    Call call(*tracker, info, Words(), nullptr, nullptr, site);
    Guards().Report(block, front, change, when, call);
    call.EmitNow();
    std::fill(zone.begin(), zone.end(), kGuardByte);
    WriteWhole(path, queue, block, offset, bytes, zone.data());
  }
  if (intact) Guards().NoteIntact(block.key);
}

void RetireBlock(GuardedBlock&& block, AttachPath path) {
  Retired& retired = g_retired.Get();
  std::lock_guard lock(retired.mutex);
  retired.blocks.emplace_back(path, std::move(block));
  retired.any.store(true, std::memory_order_release);
}

void CheckRetired(const CallInfo& info, const GuardCaller& caller) {
  Retired& retired = g_retired.Get();
  if (!retired.any.load(std::memory_order_acquire)) return;
  std::vector<std::pair<AttachPath, GuardedBlock>> blocks;
  {
    std::lock_guard lock(retired.mutex);
    blocks.swap(retired.blocks);
    retired.any.store(false, std::memory_order_relaxed);
  }
  for (const auto& [path, block] : blocks) {
    std::lock_guard lock(g_checking);
    const auto context = reinterpret_cast<cl_context>(block.context);
    const SiteId at = caller.frame_address == nullptr ? block.created : kUnknownSite;
    CheckBlock(path, OwnQueue(path, context), block, "when it was released", info, caller, at);
    GPUSAN_DRIVER(path, clReleaseMemObject)(reinterpret_cast<cl_mem>(block.base));
  }
}

bool TakeToFree(uintptr_t key, GuardedBlock* block) {
  std::lock_guard lock(g_checking);
  return Guards().Take(key, block);
}

void CheckAfterFinish(AttachPath path, cl_command_queue queue, const GuardCaller& caller) {
  static constexpr CallInfo kFinish = {"clFinish", Api::kOpenCL};
  for (const GuardedBlock& block :
       Guards().TakeDirty(reinterpret_cast<uintptr_t>(queue), kMostAtFinish)) {
    std::lock_guard lock(g_checking);
    GuardedBlock now;
    if (Guards().Find(block.key, &now) && now.base == block.base)
      CheckBlock(path, queue, block, "by this clFinish", kFinish, caller);
  }
}

void NoteGuardedLaunch(AttachPath path, cl_command_queue queue, cl_kernel kernel,
                       const CallInfo& info, const GuardCaller& caller) {
  Tracker* tracker = TrackerOf(path);
  if (tracker == nullptr) return;
  Object* object = tracker->objects().Find(Api::kOpenCL, HandleOf(kernel));
  if (object == nullptr || object->kind != ObjectKind::kKernel) return;
  GuardLaunch launch = DescribeLaunch(*static_cast<Kernel*>(object));
  if (launch.uses.empty()) return;
  launch.call = &info;
  launch.site = SiteAboveWrapper(caller.return_address, caller.frame_address);
  const SiteId site = launch.site;
  const auto uses = launch.uses;
  Guards().NoteLaunch(std::move(launch), HandleOf(queue));
  // A queue that waits for an event of the program may never finish.
  if (!CurrentHooks().guard_every_launch || tracker->ordering().MayHaveUnsetEvents()) return;
  if (GPUSAN_DRIVER(path, clFinish)(queue) != CL_SUCCESS) return;
  for (const GuardLaunch::Use& use : uses) {
    std::lock_guard lock(g_checking);
    GuardedBlock block;
    if (Guards().Find(use.key, &block))
      CheckBlock(path, queue, block, "directly after this launch", info, caller, site);
  }
}

void CheckAtExit(AttachPath path) {
  int none = -1;
  if (!g_exit_path.compare_exchange_strong(none, path)) return;
  // The driver's own handlers were registered before the first block was made, and run later.
  std::atexit([] {
    ReentryGuard guard;
    static constexpr CallInfo kEnd = {"", Api::kOpenCL};
    const auto path = static_cast<AttachPath>(g_exit_path.load());
    Tracker* tracker = TrackerOf(path);
    // A read could wait for a command that never runs.
    if (tracker == nullptr || tracker->ordering().MayHaveUnsetEvents()) return;
    CheckRetired(kEnd, {});
    for (const GuardedBlock& block : Guards().All()) {
      CheckBlock(path, OwnQueue(path, reinterpret_cast<cl_context>(block.context)), block,
                 "when the process ended", kEnd, {}, block.created);
    }
  });
}

}  // namespace gpusan::opencl
