// Handlers: kernel launches in all forms.
#pragma once

#include <cuda.h>

#include <vector>

#include "hooks/cuda/kernels/deferred_launches.h"
#include "hooks/cuda/kernels/launch_arguments.h"
#include "hooks/cuda/kernels/library_scope.h"
#include "hooks/cuda/streams/stream_command.h"

namespace gpusan::cuda {

// One launch that is being enqueued.
class KernelLaunch {
 public:
  // Set before Begin.
  LaunchShape& shape() { return shape_; }
  void ByThreadWith(const StackRange& stack) { arguments_.ByThreadWith(stack); }
  // The library call (library_scope.h) that makes the launch; 0: none. Without a call of this
  // function: that of the calling thread.
  void ByLibrary(uint64_t scope) { library_ = scope; }
  // `parameters` and `extra` must stay valid until End.
  void Begin(CuCall& call, CUfunction function, Stream* stream, void** parameters, void** extra);
  // As Begin, for arguments that ReadArguments listed; the stream must not be captured.
  void BeginRead(CuCall& call, Function& function, Stream* stream,
                 absl::Span<const uint64_t> words);
  // Begins a launch that repeats the launch processed immediately before, which was `plain`, with
  // the same NULL arguments. Returns false if it has not begun.
  bool BeginAgain(CuCall& call, Function& function, Stream* stream, uint64_t nulls);
  void End(CuCall& call, CUresult code);
  // Replaces Begin and End when the real call failed after the launch had been processed.
  void EndRejected(CuCall& call, CUfunction function, Stream* stream, void** parameters,
                   void** extra, const ProcessedCommand& processed, CUresult code);
  bool captured() const { return command_.captured(); }
  // True if the launch was processed on the fast path.
  bool plain() const { return command_.plain(); }
  // The result of Begin.
  LaunchArguments& arguments() { return arguments_; }
  Epoch epoch() { return command_.command().epoch; }

 private:
  void BeginChecked(CuCall& call, Function& function, Stream* stream);
  void BeginAccesses(CuCall& call, Function& function, Stream* stream);
  // Notes that the next command of the stream may wait for a flag in memory, if the kernel does.
  static void NoteWait(CuCall& call, const Function& function, Stream* stream);
  // Notes that the launch may write such a flag, or wait for one.
  void NoteFlags(CuCall& call, const Function& function);
  // Notes the variables of the module that the kernel accesses and the program has not found.
  [[gnu::noinline]] void NoteVariables(const Function& function);
  void Explain(CuCall& call, CUresult code) const;

  CUfunction handle_ = nullptr;
  const Function* function_ = nullptr;  // whose arguments are known
  bool has_arguments_ = false;
  Stream* stream_ = nullptr;
  LaunchShape shape_;
  uint64_t library_ = library_scope;
  StreamCommand command_;
  LaunchArguments arguments_;
  bool recorded_ = false;  // accesses are recorded and End must commit them
};

// --- functions of launches.cc
// Events that the launch itself records (launch attributes): those that may complete before the
// kernel runs, to be called before the kernel gets its position in the stream, and the others.
void RecordEventsBeforeLaunch(CuCall& call, const CUlaunchConfig& config, Stream* stream);
void RecordLaunchEvents(CuCall& call, const CUlaunchConfig& config, Stream* stream);
// True if the launch attributes contain events.
bool RecordsEvents(const CUlaunchConfig& config);

// After the driver has refused the cluster that a launch attribute names: adds its size.
void ExplainCluster(CuCall& call, const CUlaunchConfig& config);

// --- handlers

// A launch in any form; deferred if possible (deferral_queue.h).
template <typename P>
struct LaunchKernel : QueuedBefore {
  static constexpr bool kHasConfig = requires(P & p) { p.config; };
  KernelLaunch launch;
  static bool TryFast(FastCall& call, P& p) {
    const auto* config = Config(p);
    if (config == nullptr || HasEvents(p)) return false;
    LaunchShape shape;
    shape.Set(*config);
    return DeferLaunch(call, p.f, config->hStream, shape, p.kernelParams, Extra(p));
  }
  void Before(CuCall& call, P& p) {
    const auto* config = Config(p);
    if (config == nullptr) return;
    Stream* stream = StreamOf(call, config->hStream);
    LearnToDefer(call, stream);
    launch.shape().Set(*config);
    if constexpr (kHasConfig) {
      if (stream != nullptr) RecordEventsBeforeLaunch(call, *config, stream);
    }
    launch.Begin(call, p.f, stream, p.kernelParams, Extra(p));
    if constexpr (kHasConfig) {
      if (stream != nullptr && !launch.captured()) RecordLaunchEvents(call, *config, stream);
    }
  }
  void After(CuCall& call, CUresult code, P& p) {
    ExplainCluster(call, p, code);
    launch.End(call, code);
  }
  void OnRejected(CuCall& call, CUresult code, P& p, const ProcessedCommand& processed) {
    const auto* config = Config(p);
    ExplainCluster(call, p, code);
    launch.shape().Set(*config);
    launch.EndRejected(call, p.f, StreamOf(call, config->hStream), p.kernelParams, Extra(p),
                       processed, code);
  }

 private:
  // The struct that holds the dimensions and the stream.
  static const auto* Config(const P& p) {
    if constexpr (kHasConfig) {
      return p.config;
    } else {
      return &p;
    }
  }
  static void ExplainCluster(CuCall& call, const P& p, CUresult code) {
    if constexpr (kHasConfig) {
      if (code == CUDA_ERROR_INVALID_CLUSTER_SIZE) [[unlikely]]
        gpusan::cuda::ExplainCluster(call, *p.config);
    }
  }
  static void** Extra(const P& p) {
    if constexpr (requires { p.extra; }) {
      return p.extra;
    } else {
      return nullptr;
    }
  }
  static bool HasEvents(const P& p) {
    if constexpr (kHasConfig) return RecordsEvents(*p.config);
    return false;
  }
};

// One cooperative launch on each of several devices.
template <typename P>
struct LaunchMultiDevice {
  std::vector<KernelLaunch> launches;
  void Before(CuCall& call, P& p) {
    if (p.launchParamsList == nullptr || p.numDevices > 1024) return;
    launches.resize(p.numDevices);
    for (unsigned i = 0; i < p.numDevices; ++i) {
      const CUDA_LAUNCH_PARAMS& one = p.launchParamsList[i];
      launches[i].shape().Set(one);
      launches[i].Begin(call, one.function, StreamOf(call, one.hStream), one.kernelParams, nullptr);
    }
  }
  void After(CuCall& call, CUresult code, P&) {
    for (KernelLaunch& launch : launches) launch.End(call, code);
  }
};

// --- launches as they were before CUDA 4: the function keeps its arguments

// Replaces the bytes `offset` to `offset` + `bytes` of the function's arguments by those at
// `value`.
void SetOldArgument(CuCall& call, CUfunction function, int offset, const void* value,
                    unsigned bytes);

template <typename P>
struct SetArgument {
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    if constexpr (requires { p.ptr; }) {
      SetOldArgument(call, p.hfunc, p.offset, p.ptr, p.numbytes);
    } else {
      SetOldArgument(call, p.hfunc, p.offset, &p.value, sizeof(p.value));
    }
  }
};

template <typename P>
struct SetArgumentBytes {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS)
      SetOldArgument(call, p.hfunc, static_cast<int>(p.numbytes), nullptr, 0);
  }
};

template <typename P>
struct SetBlockShape {
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    Function* function = FunctionOf(call, p.hfunc);
    function->old_block[0] = static_cast<unsigned>(p.x);
    function->old_block[1] = static_cast<unsigned>(p.y);
    function->old_block[2] = static_cast<unsigned>(p.z);
  }
};

template <typename P>
struct SetSharedBytes {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) FunctionOf(call, p.hfunc)->old_shared_bytes = p.bytes;
  }
};

void BeginOldLaunch(CuCall& call, KernelLaunch* launch, CUfunction function, Stream* stream,
                    unsigned width, unsigned height);

template <typename P>
struct OldLaunch {
  KernelLaunch launch;
  void Before(CuCall& call, P& p) {
    unsigned width = 1, height = 1;
    if constexpr (requires { p.grid_width; }) {
      width = static_cast<unsigned>(p.grid_width);
      height = static_cast<unsigned>(p.grid_height);
    }
    Stream* stream;
    if constexpr (requires { p.hStream; }) {
      stream = StreamOf(call, p.hStream);
    } else {
      stream = DefaultStream(call);
    }
    BeginOldLaunch(call, &launch, p.f, stream, width, height);
  }
  void After(CuCall& call, CUresult code, P&) { launch.End(call, code); }
};

}  // namespace gpusan::cuda
