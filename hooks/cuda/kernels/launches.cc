// Handlers: kernel launches in all forms.
#include "hooks/cuda/kernels/launches.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "hooks/cuda/call/error_codes.h"
#include "hooks/cuda/kernels/deferred_launches.h"
#include "hooks/cuda/kernels/launch_limits.h"
#include "hooks/cuda/kernels/launch_text.h"
#include "hooks/cuda/kernels/modules.h"
#include "hooks/cuda/streams/capture.h"
#include "hooks/cuda/streams/peers.h"
#include "hooks/cuda/streams/pinned_guards.h"
#include "hooks/cuda/streams/streams.h"

namespace gpusan::cuda {

bool KernelLaunch::BeginAgain(CuCall& call, Function& function, Stream* stream, uint64_t nulls) {
  command_.Launches({function.kernel, nullptr, nulls});
  NoteWait(call, function, stream);
  if (!command_.BeginPlain(call, stream)) return false;
  NoteFlags(call, function);
  return true;
}

void KernelLaunch::Begin(CuCall& call, CUfunction handle, Stream* stream, void** parameters,
                         void** extra) {
  handle_ = handle;
  has_arguments_ = parameters != nullptr || extra != nullptr;
  Function& function = *FunctionOf(call, handle);
  if (stream != nullptr && stream->capture.load(std::memory_order_relaxed) != nullptr) {
    stream_ = stream;
    command_.Begin(call, stream);
    return;
  }
  arguments_.Collect(call, function, shape_, parameters, extra);
  if (stream != nullptr) CheckPeerAccess(call, *stream, arguments_.launch());
  BeginChecked(call, function, stream);
}

void KernelLaunch::BeginRead(CuCall& call, Function& function, Stream* stream,
                             absl::Span<const uint64_t> words) {
  handle_ = reinterpret_cast<CUfunction>(function.handle);
  arguments_.Check(call, function, shape_, words);
  BeginChecked(call, function, stream);
}

void KernelLaunch::NoteWait(CuCall& call, const Function& function, Stream* stream) {
  if (!function.waits_for_flags || stream == nullptr) [[likely]]
    return;
  call.tracker().ordering().NoteNextWaits(*stream->queue);
}

void KernelLaunch::NoteFlags(CuCall& call, const Function& function) {
  const Epoch epoch = command_.command().epoch;
  if (!function.writes_flags || !epoch.valid()) [[likely]]
    return;
  call.tracker().ordering().NoteFlags(epoch, function.waits_for_flags);
}

void KernelLaunch::NoteVariables(const Function& function) {
  const Command& command = command_.command();
  if (!command.epoch.valid() || command.queue == nullptr || command_.captured()) return;
  AccessOrigin origin;
  origin.epoch = command.epoch;
  origin.gates = command.gates;
  origin.call = command.call;
  origin.site = command.site;
  const Object* module = function.kernel->program.get();
  for (const VariableUse& variable : function.uses->variables()) {
    if (VariableOf(module, variable.name) == nullptr)
      NoteEarlyUse(module, variable, command.queue->context, origin);
  }
}

void KernelLaunch::BeginChecked(CuCall& call, Function& function, Stream* stream) {
  function_ = &function;
  NoteWait(call, function, stream);
  BeginAccesses(call, function, stream);
  NoteFlags(call, function);
}

void KernelLaunch::BeginAccesses(CuCall& call, Function& function, Stream* stream) {
  stream_ = stream;
  Tracker& tracker = call.tracker();
  command_.Launches({function.kernel, nullptr, arguments_.nulls()});
  const ActiveLaunch active(command_.command(), shape_, arguments_.launch());
  const bool by_library = library_ != 0 && !arguments_.launch().arguments.empty();
  if (by_library) [[unlikely]] {
    tracker.accesses().CheckLaunch(call, arguments_.launch());
    arguments_.HoldForLibrary(library_);
  }
  if (stream != nullptr && !call.has_findings() &&
      command_.BeginPlainLaunch(call, stream, arguments_.launch(), &recorded_)) [[likely]]
    return;
  if (!arguments_.launch().arguments.empty() && !by_library)
    tracker.accesses().CheckLaunch(call, arguments_.launch());
  command_.Begin(call, stream);
  recorded_ = stream != nullptr && !call.has_error();
  if (recorded_) tracker.accesses().RecordLaunch(call, command_.command(), arguments_.launch());
}

void KernelLaunch::End(CuCall& call, CUresult code) {
  if (code == CUDA_SUCCESS) {
    // A kernel that also does something wrong has run: what it writes is not read unwritten.
    if (recorded_ || (stream_ != nullptr && call.has_error() && !command_.captured()))
      call.tracker().accesses().CommitLaunch(arguments_.launch());
    if (GuardsPinned() && stream_ != nullptr && !command_.captured() && !call.has_error())
        [[unlikely]]
      GuardPinned(call, command_.command(), arguments_.launch());
    if (arguments_.reaches_unseen() && !command_.captured())
      call.tracker().objects().NoteUnseenWrites();
    if (function_ != nullptr && function_->uses != nullptr && !function_->uses->variables().empty())
        [[unlikely]]
      NoteVariables(*function_);
  } else if (!IsFault(code) && !call.has_error()) {
    Explain(call, code);
  }
  if (code != CUDA_SUCCESS && command_.plain()) [[unlikely]]
    call.tracker().accesses().TouchAll(command_.command(), arguments_.launch());
  command_.End(call, code);
}

void KernelLaunch::EndRejected(CuCall& call, CUfunction handle, Stream* stream, void** parameters,
                               void** extra, const ProcessedCommand& processed, CUresult code) {
  handle_ = handle;
  has_arguments_ = parameters != nullptr || extra != nullptr;
  stream_ = stream;
  // The launch failed: its accesses do not happen.
  QuietCall quiet(call);
  arguments_.Collect(quiet, *FunctionOf(call, handle), shape_, parameters, extra);
  if (!IsFault(code) && !processed.explained) Explain(call, code);
  if (!processed.epoch.valid()) return;
  command_.Resume(stream_, processed.epoch);
  call.tracker().accesses().TouchAll(command_.command(), arguments_.launch());
  command_.End(call, code);
}

void KernelLaunch::Explain(CuCall& call, CUresult code) const {
  ExplainLaunch(call, handle_, shape_, stream_, has_arguments_, code);
}

namespace {

// Returns the event that completes when the kernel has begun, or earlier; nullptr: none.
CUevent StartEventOf([[maybe_unused]] const CUlaunchAttribute& attribute) {
#if CUDA_VERSION >= 12030
  if (attribute.id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
    return attribute.value.launchCompletionEvent.event;
#endif
  return nullptr;
}

// Returns the event that the threads of the kernel trigger; nullptr: none.
CUevent TriggeredEventOf(const CUlaunchAttribute& attribute) {
  return attribute.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT
             ? attribute.value.programmaticEvent.event
             : nullptr;
}

void Record(CuCall& call, CUevent event, Stream* stream) {
  if (event == nullptr) return;
  if (RecordedEvent* recorded = UseEvent(call, event); recorded != nullptr)
    RecordEvent(call, recorded, stream);
}

absl::Span<const CUlaunchAttribute> AttributesOf(const CUlaunchConfig& config) {
  return {config.attrs, config.attrs != nullptr ? config.numAttrs : 0};
}

}  // namespace

bool RecordsEvents(const CUlaunchConfig& config) {
  for (const CUlaunchAttribute& attribute : AttributesOf(config)) {
    if (StartEventOf(attribute) != nullptr || TriggeredEventOf(attribute) != nullptr) return true;
  }
  return false;
}

void ExplainCluster(CuCall& call, const CUlaunchConfig& config) {
  for (const CUlaunchAttribute& attribute : AttributesOf(config)) {
    if (attribute.id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
    const auto& cluster = attribute.value.clusterDim;
    call.FailureFact(absl::StrCat("the grid is ", config.gridDimX, " x ", config.gridDimY, " x ",
                                  config.gridDimZ, " blocks and the cluster ", cluster.x, " x ",
                                  cluster.y, " x ", cluster.z));
  }
}

void RecordEventsBeforeLaunch(CuCall& call, const CUlaunchConfig& config, Stream* stream) {
  if (IsCaptured(stream)) [[unlikely]]
    return;
  // A kernel that waits for this event may begin before the blocks of this launch have begun
  // (cudaLaunchAttributeLaunchCompletionEvent).
  for (const CUlaunchAttribute& attribute : AttributesOf(config))
    Record(call, StartEventOf(attribute), stream);
}

void RecordLaunchEvents(CuCall& call, const CUlaunchConfig& config, Stream* stream) {
  // The event may complete before the kernel does, but a kernel behind it may wait for the memory
  // of this launch (cudaGridDependencySynchronize). Treating the event as recorded after the kernel
  // adds order and invents no race.
  for (const CUlaunchAttribute& attribute : AttributesOf(config))
    Record(call, TriggeredEventOf(attribute), stream);
}

void SetOldArgument(CuCall& call, CUfunction handle, int offset, const void* value,
                    unsigned bytes) {
  constexpr size_t kMaxBytes = 1 << 15;
  if (offset < 0 || static_cast<size_t>(offset) + bytes > kMaxBytes) return;
  Function* function = FunctionOf(call, handle);
  std::lock_guard lock(function->old_lock);
  const size_t end = static_cast<size_t>(offset) + bytes;
  // The size that is set last applies.
  if (value == nullptr || function->old_arguments.size() < end) function->old_arguments.resize(end);
  if (value != nullptr) std::memcpy(function->old_arguments.data() + offset, value, bytes);
}

void BeginOldLaunch(CuCall& call, KernelLaunch* launch, CUfunction handle, Stream* stream,
                    unsigned width, unsigned height) {
  Function* function = FunctionOf(call, handle);
  std::vector<unsigned char> arguments;
  LaunchShape& shape = launch->shape();
  {
    std::lock_guard lock(function->old_lock);
    arguments = function->old_arguments;
    std::copy(std::begin(function->old_block), std::end(function->old_block), shape.block);
    shape.shared_bytes = function->old_shared_bytes;
  }
  shape.grid[0] = width;
  shape.grid[1] = height;
  size_t bytes = arguments.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, arguments.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &bytes, CU_LAUNCH_PARAM_END};
  launch->Begin(call, handle, stream, nullptr, extra);
}

}  // namespace gpusan::cuda
