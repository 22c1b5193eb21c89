// Handlers: host functions that are enqueued to a stream.
#include "tracker/state/host_function.h"

#include "hooks/common/guard.h"
#include "hooks/cuda/graphs/graph_host_functions.h"
#include "hooks/cuda/graphs/host_functions.h"
#include "hooks/cuda/graphs/running_host_functions.h"
#include "hooks/cuda/streams/capture.h"
#include "tracker/order/waiting_kernels.h"

namespace gpusan::cuda {

struct HostClosure {
  Tracker* tracker;
  HostFunction place;
  SiteId site = kUnknownSite;  // where the program enqueued the function
  CUhostFn function = nullptr;
  CUstreamCallback callback = nullptr;
  void* data = nullptr;

  // Keeps the argument of the function. What it points to must live until the function runs.
  void TakeData(void* argument) {
    data = argument;
    tracker->accesses().HoldHost(place.command(), data);
  }
};

namespace {

// Records that everything before the function is complete for the host, and runs it outside of the
// guard.
template <typename Function>
void RunOnce(HostClosure* closure, Function function) {
  {
    ReentryGuard guard;
    closure->place.Start(closure->tracker->ordering());
    // The function may free its data.
    closure->tracker->accesses().LetGoOfHost(closure->place.command(), closure->data);
  }
  {
    RunningHostFunction running(closure->site);
    ReentryPause pause;
    function();
  }
  ReentryGuard guard;
  delete closure;
}

void CUDA_CB RunFunction(void* data) {
  auto* closure = static_cast<HostClosure*>(data);
  RunOnce(closure, [&] { closure->function(closure->data); });
}

void CUDA_CB RunCallback(CUstream stream, CUresult status, void* data) {
  auto* closure = static_cast<HostClosure*>(data);
  RunOnce(closure, [&] { closure->callback(stream, status, closure->data); });
}

}  // namespace

HostClosure* HostFunctionCommand::Take(CuCall& call, Stream* stream) {
  stream_ = stream;
  NoteHostFunction();
  if (stream == nullptr) return nullptr;
  if (IsCaptured(stream)) {
    captured_ = true;
    return nullptr;
  }
  StreamGroup* group = stream->queue->group;
  if (group != nullptr) group->Join(*stream->queue);
  closure_ = new HostClosure{&call.tracker(), {}, call.site()};
  closure_->place.Enqueue(call.tracker().ordering(), call, *stream->queue);
  // gpusan will not see when the function runs, which may be before the call returns.
  if (!call.may_change_arguments()) closure_->place.Start(call.tracker().ordering());
  if (group != nullptr) group->Began(*stream->queue);
  return closure_;
}

bool HostFunctionCommand::Begin(CuCall& call, Stream* stream, CUhostFn* function, void** data) {
  HostClosure* closure = Take(call, stream);
  if (*function == nullptr || !call.may_change_arguments()) return false;
  if (captured_) {
    CUDA_HOST_NODE_PARAMS params{*function, *data};
    ReplaceHostFunction(call, CapturedGraph(stream), &params);
    *function = params.fn;
    *data = params.userData;
    return true;
  }
  if (closure == nullptr) return false;
  closure->function = *function;
  closure->TakeData(*data);
  *function = &RunFunction;
  *data = closure;
  return true;
}

bool HostFunctionCommand::Begin(CuCall& call, Stream* stream, CUstreamCallback* callback,
                                void** data) {
  HostClosure* closure = Take(call, stream);
  if (closure == nullptr || *callback == nullptr || !call.may_change_arguments()) return false;
  closure->callback = *callback;
  closure->TakeData(*data);
  *callback = &RunCallback;
  *data = closure;
  return true;
}

void HostFunctionCommand::End(CuCall& call, CUresult code) {
  if (captured_) {
    if (code == CUDA_SUCCESS) NoteCapturedNodes(call, stream_);
    return;
  }
  if (closure_ == nullptr) return;
  if (call.may_change_arguments() && code == CUDA_SUCCESS) return;  // the function may have run
  closure_->tracker->accesses().LetGoOfHost(closure_->place.command(), closure_->data);
  delete closure_;
}

}  // namespace gpusan::cuda
