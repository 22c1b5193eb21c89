// Handlers: kernel launches in all forms.
#pragma once

#include <cuda.h>

#include <vector>

#include "absl/container/inlined_vector.h"
#include "hooks/common/sites/site.h"
#include "hooks/cuda/kernels/argument_list.h"
#include "hooks/cuda/kernels/deferred_launches.h"
#include "hooks/cuda/kernels/functions.h"
#include "hooks/cuda/kernels/library_scope.h"
#include "hooks/cuda/streams/stream_command.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {

struct LaunchShape {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  unsigned shared_bytes = 0;
  uint64_t threads() const;
  // Makes a shape from a struct with one field for each dimension.
  template <typename Dimensions>
  void Set(const Dimensions& from) {
    grid[0] = from.gridDimX;
    grid[1] = from.gridDimY;
    grid[2] = from.gridDimZ;
    block[0] = from.blockDimX;
    block[1] = from.blockDimY;
    block[2] = from.blockDimZ;
    shared_bytes = from.sharedMemBytes;
  }
};

struct AddressRange {
  uintptr_t begin = 0;
  uint64_t bytes = 0;
};

// Resolves the arguments of one launch, in either form. Not thread-safe.
class LaunchArguments {
 public:
  // For a launch that was recorded by another call and runs now. Call it before Collect. Addresses
  // in `own` without a resource cause no finding.
  void RecordedBy(const CallInfo* call, SiteId site, absl::Span<const AddressRange> own) {
    launch_.recorder = call;
    launch_.recorded_at = site;
    own_ = own;
  }
  // For a launch that another thread made, with that stack. Call it before Collect.
  void ByThreadWith(const StackRange& stack) { stack_ = stack; }
  // Resolves every argument that is, contains or may be a pointer, and adds findings for invalid
  // pointers. `parameters` and `extra`: as in cuLaunchKernel.
  void Collect(CuCall& call, Function& function, const LaunchShape& shape, void** parameters,
               void** extra);
  // As Collect, for arguments that ReadArguments listed.
  void Check(CuCall& call, Function& function, const LaunchShape& shape,
             absl::Span<const uint64_t> words);
  // Marks the arguments in memory whose accesses the library call `scope` has recorded
  // (library_scope.h) as held: their accesses are not recorded again. Call it after Collect.
  void HoldForLibrary(uint64_t scope);
  // The result of the last Collect; refers to this object.
  Launch& launch() { return launch_; }
  bool reaches_unseen() const { return reaches_unseen_; }
  // One bit for each of the first 64 pointer parameters that was NULL.
  uint64_t nulls() const { return nulls_; }
  // True if an argument points into a range of RecordedBy that has no resource now.
  bool awaits_own() const { return awaits_own_; }

 private:
  void Add(uint32_t index, const Parameter& parameter, Resource* resource, uint64_t offset,
           bool held);
  void AddInnerPointers(CuCall& call, Function& function);
  // Adds the variables of the module that the code surely accesses, as far as the program has found
  // them: otherwise only kernels access them.
  [[gnu::noinline]] void AddVariables(const Function& function);
  void Refine(CuCall& call, Function& function, const LaunchShape& shape);
  // Returns whether an argument by an inner pointer (AddInnerPointers) has the same memory.
  bool HasInnerPointer(const LaunchArgument& argument) const;
  // Returns what the launch accesses through each pointer of Function::uses; nullptr: the code or a
  // value that it needs is not known, or the launch has no threads.
  SharedUses UsesByCode(Function& function, const LaunchShape& shape) const;
  void ReportOverrun(CuCall& call, const LaunchOverrun& overrun, const LaunchShape& shape);
  void LookInside(CuCall& call, uint32_t index, absl::Span<const uint64_t> addresses);
  void UnknownPointer(CuCall& call, Function& function, uint32_t index, uintptr_t address);
  void NullPointer(CuCall& call, Function& function, uint32_t index);
  void CheckPointer(CuCall& call, rules::KernelPointer pointer);
  void CheckEnds(CuCall& call, Function& function, const LaunchShape& shape);
  void CheckDeadPointers(CuCall& call, Function& function, const LaunchShape& shape);
  void CheckOffsets();

  Launch launch_;
  absl::Span<const AddressRange> own_;
  StackRange stack_;  // of the launching thread; empty: the calling thread
  uint64_t nulls_ = 0;
  bool reaches_unseen_ = false;
  bool awaits_own_ = false;
  bool has_zero_ = false;   // an integral argument is 0: the kernel may have nothing to do
  bool has_class_ = false;  // an argument is of a class with unknown members
  absl::InlinedVector<LaunchArgument, 16> arguments_;
  absl::InlinedVector<int64_t, 16> integers_;
  // The values of Function::needed. Empty: the function has none, or not all were read.
  absl::InlinedVector<LaunchInteger, 16> needed_;
  // The first argument that is a pointer of Function::inner_pointers, and their numbers.
  size_t first_inner_ = SIZE_MAX;
  absl::InlinedVector<int16_t, 8> inner_;
  struct End {
    uint32_t index;
    uintptr_t address;
    Resource* resource;
  };
  absl::InlinedVector<End, 2> ends_;
  // Words of which the code says that they are pointers, and that lead to no live resource.
  struct DeadPointer {
    uint32_t index;  // of the parameter
    int16_t number;  // in Function::uses
    uintptr_t address;
    bool declared = false;        // the parameter is a pointer by its type
    bool reachable_host = false;  // rules::KernelPointer
  };
  absl::InlinedVector<DeadPointer, 2> dead_;
  int null_output_ = -1;
};

// One launch on its way into a stream.
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
  void Explain(CuCall& call, CUresult code) const;

  CUfunction handle_ = nullptr;
  bool has_arguments_ = false;
  Stream* stream_ = nullptr;
  LaunchShape shape_;
  uint64_t library_ = library_scope;
  StreamCommand command_;
  LaunchArguments arguments_;
  bool recorded_ = false;  // accesses are recorded and End must commit them
};

// --- functions of launches.cc
// Events that the launch itself records (launch attributes).
void RecordLaunchEvents(CuCall& call, const CUlaunchConfig& config, Stream* stream);
// True if the launch attributes contain events.
bool RecordsEvents(const CUlaunchConfig& config);

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
    launch.Begin(call, p.f, stream, p.kernelParams, Extra(p));
    if constexpr (kHasConfig) {
      if (stream != nullptr && !launch.captured()) RecordLaunchEvents(call, *config, stream);
    }
  }
  void After(CuCall& call, CUresult code, P&) { launch.End(call, code); }
  void OnRejected(CuCall& call, CUresult code, P& p, const ProcessedCommand& processed) {
    const auto* config = Config(p);
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
