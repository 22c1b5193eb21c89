// Stream capture: which streams are being captured, where that began, and which nodes the calls on
// them became.
//
// A stream is captured from cuStreamBeginCapture on, or from when it waits for an event that was
// recorded in a stream of the same capture, until cuStreamEndCapture. Its calls then touch no
// shadow state; the driver itself tells the structure of the graph that they make (graph_plan.h),
// only the places of its nodes are kept here. Thread-safe.
#pragma once

#include <cuda.h>

#include <string>
#include <vector>

#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

struct Capture {
  uint64_t id = 0;  // of this use of the memory; 0: it is over
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  Stream* origin = nullptr;
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  std::vector<Stream*> streams;  // guarded by the captures' lock
  // The call that made it invalid.
  const CallInfo* broken_by = nullptr;
  SiteId broken_at = kUnknownSite;
};

inline bool IsCaptured(const Stream* stream) {
  return stream->capture.load(std::memory_order_relaxed) != nullptr;
}

// The call began a capture of the stream.
void BeganCapture(CuCall& call, Stream* stream, CUstreamCaptureMode mode);
// A call that ends the capture returned `code`. Asks the driver whether the capture is over.
void EndedCapture(Stream* stream, CUresult code);
// The stream is destroyed.
void LeaveCapture(Stream* stream);
// The event stands for what the captured stream has come to.
void RecordedInCapture(Stream* stream, RecordedEvent* event);
// True if the event's last record was in a capture, over or not.
inline bool WasCaptured(const RecordedEvent& event) {
  return event.native.load(std::memory_order_relaxed) != nullptr;
}
// The stream has waited for the event: it is captured too if the event's capture goes on.
void JoinedCapture(CuCall& call, Stream* stream, const RecordedEvent& event);
// The graph that the captured stream's calls go into; nullptr where the driver cannot tell.
CUgraph CapturedGraph(Stream* stream);
// A call on the captured stream succeeded: what the stream has come to is its doing.
void NoteCapturedNodes(CuCall& call, Stream* stream);
// NoteCapturedNodes calls it for each node that the stream has come to; graphs/ notes its origin.
extern constinit Observer<CuCall&, CUgraphNode> node_captured;

// A capture or a captured event was used in a way that the code denies: adds a finding.
void ExplainEndOfCapture(CuCall& call, Stream* stream, CUresult code);
// The host asks about, or waits for, a stream that is being captured.
void ExplainWaitForCapture(CuCall& call, Stream* stream);
void ExplainCapturedEvent(CuCall& call, const RecordedEvent& event, const Stream* stream,
                          CUresult code);
// What a failure with one of the capture's codes has to do with the captures that go on.
void ExplainCaptureFailure(CuCall& call, Failure* failure);

// --- handlers

template <typename P>
struct StreamBeginCapture {
  Stream* stream = nullptr;
  void Before(CuCall& call, P& p) { stream = StreamOf(call, p.hStream); }
  void After(CuCall& call, P& p, CUresult code) {
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    if constexpr (requires { p.mode; }) mode = p.mode;
    if (stream == nullptr) return;
    if (code == CUDA_SUCCESS) {
      BeganCapture(call, stream, mode);
    } else {
      ExplainEndOfCapture(call, stream, code);
    }
  }
};

}  // namespace gpusan::cuda
