// Stream capture: which streams are captured, where their capture began, and which graph nodes
// their calls created.
//
// A capture of a stream begins with cuStreamBeginCapture, or when the stream waits for an event
// that was recorded in a stream of the same capture. It ends with cuStreamEndCapture. Calls on a
// captured stream touch no shadow state. The structure of the captured graph is read from the
// driver (graph_plan.h); gpusan records only the call site of each node. Thread-safe.
#pragma once

#include <cuda.h>

#include <vector>

#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

struct Capture {
  uint64_t id = 0;  // number of this use of the object; 0: the capture is over
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  Stream* origin = nullptr;
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  std::vector<Stream*> streams;  // guarded by the lock in capture.cc
  // The call that invalidated the capture.
  const CallInfo* broken_by = nullptr;
  SiteId broken_at = kUnknownSite;
};

inline bool IsCaptured(const Stream* stream) {
  return stream->capture.load(std::memory_order_relaxed) != nullptr;
}

// Records that the call began a capture of the stream.
void BeganCapture(CuCall& call, Stream* stream, CUstreamCaptureMode mode);
// A call that ends the capture returned `code`. Queries the driver whether the capture is over.
void EndedCapture(Stream* stream, CUresult code);
// True while any stream of the process is captured. Thread-safe.
bool AnyCapture();
// Removes a stream that is being destroyed from its capture.
void LeaveCapture(Stream* stream);
// Records that the event now represents the position of the captured stream in its graph.
void RecordedInCapture(Stream* stream, RecordedEvent* event);
// True if the event was last recorded in a capture, active or ended.
inline bool WasCaptured(const RecordedEvent& event) {
  return event.native.load(std::memory_order_relaxed) != nullptr;
}
// Records that the stream waits for the event: the stream joins the event's capture if that is
// still active.
void JoinedCapture(CuCall& call, Stream* stream, const RecordedEvent& event);
// Returns the graph into which the stream is captured; nullptr if the driver does not report it.
CUgraph CapturedGraph(Stream* stream);
// Records the call as the origin of the nodes that the captured stream now ends with. Call it after
// a successful call on the stream.
void NoteCapturedNodes(CuCall& call, Stream* stream);
// Called by NoteCapturedNodes for each of these nodes; graphs/ records the origin.
extern constinit Observer<CuCall&, CUgraphNode> node_captured;

// These functions add a finding that explains the error code of a call which misused a capture or a
// captured event.
void ExplainEndOfCapture(CuCall& call, Stream* stream, CUresult code);
// Reports that the host queries, or waits for, a stream that is being captured.
void ExplainWaitForCapture(CuCall& call, Stream* stream);
void ExplainCapturedEvent(CuCall& call, const RecordedEvent& event, const Stream* stream,
                          CUresult code);
// Reports that a stream is destroyed while its capture holds work. A capture that a call has
// invalidated holds none.
void ExplainLostCapture(CuCall& call, Stream* stream);
// Adds to a failure with a capture error code what it has to do with the active captures.
void ExplainCaptureFailure(CuCall& call, Failure* failure);

// --- handlers

template <typename P>
struct StreamBeginCapture {
  Stream* stream = nullptr;
  void Before(CuCall& call, P& p) { stream = StreamOf(call, p.hStream); }
  void After(CuCall& call, CUresult code, P& p) {
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
