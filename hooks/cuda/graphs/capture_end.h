// Handlers: the end of a stream capture, which creates a graph.
#pragma once

#include "hooks/cuda/graphs/graphs.h"
#include "hooks/cuda/streams/capture.h"

namespace gpusan::cuda {

template <typename P>
struct StreamBeginCaptureOfGraph : StreamBeginCapture<P> {
  void After(CuCall& call, CUresult code, P& p) {
    StreamBeginCapture<P>::After(call, code, p);
    if (code == CUDA_SUCCESS && this->stream != nullptr)
      NewOwnedGraph(call, CapturedGraph(this->stream));
  }
};

template <typename P>
struct StreamEndCapture {
  Stream* stream = nullptr;
  void Before(CuCall& call, P& p) { stream = StreamOf(call, p.hStream); }
  void After(CuCall& call, CUresult code, P& p) {
    if (stream == nullptr) return;
    if (code != CUDA_SUCCESS) {
      ExplainEndOfCapture(call, stream, code);
    } else if (p.phGraph != nullptr) {
      NewGraph(call, *p.phGraph);
    }
    EndedCapture(stream, code);
  }
};

}  // namespace gpusan::cuda
