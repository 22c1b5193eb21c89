// Device faults: error codes that report an asynchronous failure of earlier work.
#include "hooks/cuda/explain/faults.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/cuda/call/flaws.h"
#include "hooks/cuda/graphs/graphs.h"
#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxPending = 64;
constexpr size_t kMaxNodes = 16;  // of a graph

struct State {
  SpinLock lock;
  struct Known {
    bool reported = false;  // `finding` is complete
    Finding finding;
  };
  std::map<const Context*, Known> faults;
  const Context* first = nullptr;
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });

State& TheState() { return g_state.Get(); }

struct Meaning {
  int code;
  const char* text;
  bool is_hardware = false;
};
constexpr Meaning kMeanings[] = {
    {CUDA_ERROR_ECC_UNCORRECTABLE, "its memory has an uncorrectable error (ECC)", true},
    {CUDA_ERROR_NVLINK_UNCORRECTABLE, "its NVLink has an uncorrectable error", true},
    {226, "a memory error occurred that affects only this process", true},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "a kernel or copy accessed an address without memory"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, "a kernel exceeded the device's time limit"},
    {CUDA_ERROR_ASSERT, "an assertion in a kernel failed"},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, "the call stack of a kernel overflowed or was corrupted"},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, "a kernel executed an invalid instruction"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "a kernel made a misaligned access"},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE,
     "an instruction of a kernel got an address of a different memory space"},
    {CUDA_ERROR_INVALID_PC, "a kernel jumped to an address without code"},
    {CUDA_ERROR_LAUNCH_FAILED,
     "a kernel ended with an exception (a trap, or an access outside of shared or local memory)"},
    {721, "a kernel ended without releasing its tensor memory"},
};

// Adds the pending commands of the context's streams.
void Collect(CuCall& call, Context* context, std::vector<RecentCommand>* pending) {
  const HostClock& host = call.tracker().ordering().host();
  auto add = [&](const RecentCommand& command) {
    if (!host.Completed(command.epoch)) pending->push_back(command);
  };
  for (const Stream* stream : StreamsOf(context)) stream->recent.ForEach(add);
  std::lock_guard lock(context->lock);
  for (const RecentCommand& command : context->left_recent) add(command);
}

std::string NullText(uint64_t null_arguments) {
  std::string text;
  for (int i = 0; i < 64; ++i) {
    if ((null_arguments >> i & 1) != 0)
      absl::StrAppend(&text, text.empty() ? "" : ", ", "argument ", i, " is NULL");
  }
  return text;
}

std::string FlawOf(const RecentCommand& command) {
  std::string noted = NotedFlaws(command.epoch);
  if (!noted.empty()) return noted;
  return command.launched.kernel != nullptr ? NullText(command.launched.detail) : "";
}

// Adds the nodes of a launched graph, unless the graph was changed or destroyed since.
void AddNodes(const RecentCommand& command, DeviceFault::Pending* pending) {
  if (command.launched.graph == nullptr) return;
  // The lock is the only member that changes.
  GraphExec& exec = const_cast<GraphExec&>(*command.launched.graph);
  std::lock_guard lock(exec.lock);
  if (exec.plan.version() != command.launched.detail) return;
  for (const PlanNode* node : exec.plan.LastNodes(kMaxNodes, &pending->node_count)) {
    const NodeOrigin origin = OriginOrNone(*node);
    const bool kernel = node->type == CU_GRAPH_NODE_TYPE_KERNEL;
    pending->nodes.push_back({origin.call, origin.site, kernel ? node->kernel.kernel() : nullptr,
                              node->flaw.empty() ? NullText(node->null_arguments) : node->flaw});
  }
}

}  // namespace

void ReportFault(CuCall& call, CUresult code) {
  State& state = TheState();
  Context* context = call.current();
  std::vector<RecentCommand> recent;
  if (context != nullptr) Collect(call, context, &recent);
  {
    std::unique_lock lock(state.lock);
    auto it = state.faults.find(context);
    // A context without pending work reports the process's first fault again.
    if (it == state.faults.end() && state.first != nullptr && recent.empty())
      it = state.faults.find(state.first);
    if (it != state.faults.end()) {
      if (!it->second.reported) return;
      Finding again = it->second.finding;
      lock.unlock();
      return call.tracker().shadow().Report(std::move(again));
    }
    if (state.faults.empty()) state.first = context;
    state.faults[context];
  }
  if (recent.empty()) {
    for (Context* other : LiveContexts()) Collect(call, other, &recent);
  }
  std::sort(recent.begin(), recent.end(),
            [](const RecentCommand& a, const RecentCommand& b) { return a.order > b.order; });
  if (recent.size() > kMaxPending) recent.resize(kMaxPending);
  DeviceFault fault;
  fault.meaning = "an unknown fault";
  for (const Meaning& meaning : kMeanings) {
    if (meaning.code != static_cast<int>(code)) continue;
    fault.meaning = meaning.text;
    fault.is_hardware = meaning.is_hardware;
  }
  fault.extent = "in the context";
  fault.recovery =
      code == CUDA_ERROR_ASSERT ? "destroy the context and everything in it before you continue"
      : code == CUDA_ERROR_ILLEGAL_ADDRESS ? "restart the process: it cannot create another context"
                                           : "restart the process";
  for (const RecentCommand& command : recent) {
    DeviceFault::Pending& pending = fault.pending.emplace_back();
    static_cast<DeviceFault::Work&>(pending) = {command.call, command.site, command.launched.kernel,
                                                FlawOf(command)};
    AddNodes(command, &pending);
  }
  call.tracker().ReportDeviceFault(call, fault);
  if (call.findings() == nullptr) return;
  Finding finding = call.findings()->back();
  finding.has_code = true;
  finding.code = code;
  finding.code_name = call.words().CodeName(code);
  std::lock_guard lock(state.lock);
  State::Known& known = state.faults[context];
  known.finding = std::move(finding);
  known.reported = true;
}

}  // namespace gpusan::cuda
