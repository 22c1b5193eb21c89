// Handlers: the end of a stream capture, which creates a graph.
#pragma once

#include "hooks/cuda/graphs/graphs.h"
#include "hooks/cuda/streams/capture.h"

namespace gpusan::cuda {

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
