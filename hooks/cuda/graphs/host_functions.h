// Handlers: host functions that are enqueued to a stream.
//
// Under preload gpusan replaces the function. The replacement records that everything before it in
// the stream is complete for the host, and then runs the program's function, whose calls are
// intercepted. It has a small closure on the heap until it has run. Where arguments may not be
// replaced, everything before the function counts as complete for the host at once, because the
// function may signal any thread of the program.
#pragma once

#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

struct HostClosure;

// --- functions of host_functions.cc

class HostFunctionCommand {
 public:
  // Before the real call. Returns true if `*function` and `*data` were replaced.
  bool Begin(CuCall& call, Stream* stream, CUhostFn* function, void** data);
  bool Begin(CuCall& call, Stream* stream, CUstreamCallback* callback, void** data);
  void End(CuCall& call, CUresult code);

 private:
  HostClosure* Take(CuCall& call, Stream* stream);
  Stream* stream_ = nullptr;
  HostClosure* closure_ = nullptr;
  bool captured_ = false;
};

// --- handlers

template <typename P>
struct LaunchHostFunction {
  HostFunctionCommand command;
  void Before(CuCall& call, P& p) {
    Stream* stream = StreamOf(call, p.hStream);
    if constexpr (requires { p.fn; }) {
      Begin(call, stream, p.fn, p);
    } else {
      Begin(call, stream, p.callback, p);
    }
  }
  void After(CuCall& call, CUresult code, P&) { command.End(call, code); }

 private:
  // Replaces both arguments of the program or none.
  template <typename Function>
  void Begin(CuCall& call, Stream* stream, Function& argument, P& p) {
    Function function = argument;
    void* data = p.userData;
    if (command.Begin(call, stream, &function, &data)) argument = function, p.userData = data;
  }
};

}  // namespace gpusan::cuda
