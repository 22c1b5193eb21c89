// Handlers: launches of executable graphs.
#pragma once

#include <vector>

#include "hooks/cuda/graphs/graphs.h"

namespace gpusan::cuda {

// One launch. Parts of the graph that a host function or a recorded event waits for are commands of
// their own, in branches of the stream: they precede the command of the launch, and each completes
// separately.
class GraphLaunchCommand {
 public:
  void Begin(CuCall& call, CUgraphExec exec, Stream* stream);
  void End(CuCall& call, CUresult code);

 private:
  void BeginParts(CuCall& call, Stream* stream, const GraphPlan::Summary& summary);
  void LogParts(CuCall& call, const Stream* stream, const GraphPlan::Summary& summary);
  void AwaitHostFunctions(CuCall& call, const GraphPlan::Summary& summary);
  void FreeMemory(CuCall& call);
  void CommitMemory(CuCall& call);
  GraphExec* exec_ = nullptr;
  bool unseen_ = false;  // gpusan does not know the executable graph
  // the graph is known, but the stream is unknown or captured
  GraphExec* unwatched_ = nullptr;
  StreamCommand command_;
  Snapshot start_;  // everything before the launch, if there are host functions or events
  std::vector<Command> parts_;  // indexed as in the summary
  absl::InlinedVector<Resource*, 1> freed_;
};

// --- handlers

// The argument's name differs between versions.
template <typename P>
CUgraphExec ExecArgument(P& p) {
  if constexpr (requires { p.hGraphExec; }) {
    return p.hGraphExec;
  } else {
    return p.hGraph;
  }
}

template <typename P>
struct GraphLaunch {
  GraphLaunchCommand command;
  void Before(CuCall& call, P& p) {
    command.Begin(call, ExecArgument(p), StreamOf(call, p.hStream));
  }
  void After(CuCall& call, CUresult code, P&) { command.End(call, code); }
};

// An upload changes nothing that the program can observe.
template <typename P>
struct GraphUpload {
  void Before(CuCall& call, P& p) {
    UseExec(call, ExecArgument(p), "hGraphExec");
    StreamOf(call, p.hStream);
  }
};

}  // namespace gpusan::cuda
