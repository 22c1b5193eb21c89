// The codes of a faulted device, and the commands that may have caused the fault.
#include "hooks/opencl/call/device_faults.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "hooks/common/base/process_state.h"

namespace gpusan::opencl {
namespace {

constexpr cl_int kIllegalAddress = -9999;  // NVIDIA's driver; no header has a name for it
constexpr size_t kMostPending = 64;

struct State {
  SpinLock lock;
  bool faulted = false;
  bool reported = false;  // `finding` is complete
  Finding finding;
};
constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });

bool MayBeFault(cl_int code) {
  return code == CL_OUT_OF_RESOURCES || code == CL_INVALID_COMMAND_QUEUE || code == kIllegalAddress;
}

// Flushes the queues that have commands for which the host has not waited: a call that neither
// waits nor needs resources of the device. Returns the first code that may be a fault, or
// CL_SUCCESS.
cl_int FlushBusyQueues(ClCall& call) {
  const auto flush = GPUSAN_NEXT(call, clFlush);
  if (flush == nullptr) return CL_SUCCESS;
  std::vector<uintptr_t> queues;
  call.tracker().objects().ForEachQueue([&](const Queue& queue) {
    if (queue.api == Api::kOpenCL && !queue.idle()) queues.push_back(queue.handle);
  });
  for (const uintptr_t queue : queues) {
    const cl_int code = flush(reinterpret_cast<cl_command_queue>(queue));
    if (MayBeFault(code)) return code;
  }
  return CL_SUCCESS;
}

struct Pending {
  Epoch epoch;
  DeviceFault::Pending command;
};

// Returns the commands that access memory and are not known to be complete. The newest one of each
// queue is first among those of the queue.
std::vector<Pending> CollectPending(Tracker& tracker) {
  std::vector<Pending> all;
  tracker.objects().ForEachResource([&](Resource& resource) {
    if (resource.api != Api::kOpenCL) return;
    std::lock_guard lock(resource.lock);
    for (const Access& access : resource.history) {
      if (tracker.ordering().host().Completed(access.epoch)) continue;
      Pending& pending = all.emplace_back();
      pending.epoch = access.epoch;
      pending.command.call = access.call;
      pending.command.site = access.site;
    }
  });
  std::sort(all.begin(), all.end(), [](const Pending& a, const Pending& b) {
    return a.epoch.timeline() != b.epoch.timeline() ? a.epoch.timeline() < b.epoch.timeline()
                                                    : a.epoch.tick() > b.epoch.tick();
  });
  all.erase(std::unique(all.begin(), all.end(),
                        [](const Pending& a, const Pending& b) { return a.epoch == b.epoch; }),
            all.end());
  if (all.size() > kMostPending) all.resize(kMostPending);
  tracker.objects().ForEachKernel([&](const Kernel& kernel) {
    for (Pending& pending : all) {
      if (kernel.launches.Contains(pending.epoch)) pending.command.kernel = &kernel;
    }
  });
  return all;
}

}  // namespace

bool ReportDeviceFault(ClCall& call, cl_int code) {
  if (!MayBeFault(code)) return false;
  State& state = g_state.Get();
  {
    std::unique_lock lock(state.lock);
    if (state.faulted) {
      if (!state.reported) return true;
      Finding again = state.finding;
      lock.unlock();
      call.tracker().shadow().Report(std::move(again));
      return true;
    }
  }
  const cl_int fault_code = FlushBusyQueues(call);
  if (fault_code == CL_SUCCESS) return false;
  {
    std::lock_guard lock(state.lock);
    if (std::exchange(state.faulted, true)) return true;
  }
  DeviceFault fault;
  fault.meaning = fault_code == kIllegalAddress || code == kIllegalAddress
                      ? "a kernel accessed an address without memory"
                      : "a kernel ended with an exception or a time-out, or the device ran out of "
                        "resources";
  fault.extent = "in the context";
  fault.recovery = "restart the process";
  for (Pending& pending : CollectPending(call.tracker()))
    fault.pending.push_back(std::move(pending.command));
  call.tracker().ReportDeviceFault(call, fault);
  if (call.findings() == nullptr) return true;
  Finding finding = call.findings()->back();
  finding.has_code = true;
  finding.code = code;
  finding.code_name = call.words().CodeName(code);
  call.Finish(code);
  std::lock_guard lock(state.lock);
  state.finding = std::move(finding);
  state.reported = true;
  return true;
}

}  // namespace gpusan::opencl
