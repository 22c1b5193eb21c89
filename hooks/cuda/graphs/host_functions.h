// Handlers: functions of the program that run within a stream.
//
// Under preload the driver is given a function of gpusan's, which joins what was before
// it to the host and then runs the program's, watched. It has a small closure on the heap until it
// has run. Where arguments may not be replaced, all that is before the function counts as known to
// the host at once: it may tell any thread of the program.
#pragma once

#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

struct HostClosure;

// --- not templates (host_functions.cc)

class HostFunctionCommand {
 public:
  // Before the real call. True: `*function` and `*data` have been replaced.
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
  void After(CuCall& call, P&, CUresult code) { command.End(call, code); }

 private:
  // The program's arguments stay as they are unless both are replaced.
  template <typename Function>
  void Begin(CuCall& call, Stream* stream, Function& argument, P& p) {
    Function function = argument;
    void* data = p.userData;
    if (command.Begin(call, stream, &function, &data)) argument = function, p.userData = data;
  }
};

}  // namespace gpusan::cuda
