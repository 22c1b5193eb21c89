// Handlers: launches of executable graphs.
#pragma once

#include <vector>

#include "hooks/cuda/graphs/graphs.h"

namespace gpusan::cuda {

// The parts of a graph that host functions are behind are commands of their own, in branches of the
// stream: in front of the launch's command, and each complete on its own.
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
  bool unseen_ = false;             // the executable graph is not known
  GraphExec* unwatched_ = nullptr;  // it is, and what launches it is not
  StreamCommand command_;
  Snapshot start_;              // what is in front of the launch, if it has host functions
  std::vector<Command> parts_;  // as of the summary
  absl::InlinedVector<Resource*, 1> freed_;
};

// --- handlers

// Its name differs between versions.
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
  void After(CuCall& call, P&, CUresult code) { command.End(call, code); }
};

// Touches nothing that the program can see.
template <typename P>
struct GraphUpload {
  void Before(CuCall& call, P& p) {
    UseExec(call, ExecArgument(p), "hGraphExec");
    StreamOf(call, p.hStream);
  }
  void After(CuCall&, P&, CUresult) {}
};

}  // namespace gpusan::cuda
