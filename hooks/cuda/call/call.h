// One watched call of the CUDA driver, as handlers see it.
#pragma once

#include <cuda.h>

#include "hooks/cuda/call/driver.h"
#include "tracker/calls/call.h"
#include "tracker/tracker.h"

namespace gpusan::cuda {

struct Context;
struct Stream;

// Of an entry point; static.
struct CuInfo {
  CallInfo call;
  Slot slot;
  bool per_thread;  // a _ptds or _ptsz version: stream 0 is the thread's own default stream
};

// CUDA's names for what findings mention. Defined in explain/vocabulary.cc.
const Vocabulary& Words();

// A call of which nothing is to be said yet, and of which little is asked: who made it, and where.
class LightCall {
 public:
  [[gnu::always_inline]] LightCall(Tracker& tracker, const CuInfo& info, const void* return_address,
                                   const void* frame_address, AttachPath path)
      : tracker_(tracker),
        cu_info_(info),
        return_address_(return_address),
        frame_address_(frame_address),
        path_(path) {}

  Tracker& tracker() const { return tracker_; }
  const CuInfo& cu_info() const { return cu_info_; }
  bool per_thread() const { return cu_info_.per_thread; }
  AttachPath path() const { return path_; }
  // Captured on first use.
  SiteId site();

 private:
  friend class CuCall;
  Tracker& tracker_;
  const CuInfo& cu_info_;
  const void* return_address_;
  const void* frame_address_;
  SiteId site_ = kUnknownSite;
  AttachPath path_;
};

class CuCall : public Call {
 public:
  // There is something to say of it after all.
  explicit CuCall(const LightCall& call)
      : CuCall(call.tracker_, call.cu_info_, call.return_address_, call.frame_address_,
               call.path_) {
    SetSite(call.site_);
  }
  LightCall light();
  [[gnu::always_inline]] CuCall(Tracker& tracker, const CuInfo& info, const void* return_address,
                                const void* frame_address, AttachPath path)
      : Call(tracker, info.call, Words(), return_address, frame_address),
        cu_info_(info),
        path_(path) {}

  // Call::site by the shortest way. Handlers of calls that need it ask before the tracker does.
  SiteId site();

  const CuInfo& cu_info() const { return cu_info_; }
  bool per_thread() const { return cu_info_.per_thread; }
  Slot slot() const { return cu_info_.slot; }
  AttachPath path() const { return path_; }
  // Memory that the driver alone knows gets a shadow when it is met.
  bool adopts() const { return adopts_; }
  // A handler may replace arguments in its params; under CUPTI it may only look.
  bool may_change_arguments() const { return path_ != AttachPath::kCupti; }

  // The current context of this thread; nullptr if there is none. Asks the driver once a call.
  // Defined in streams/contexts.cc.
  Context* current();

  // The end of every call: reports what was found, and explains a failure that nothing else
  // explains.
  CUresult Done(CUresult code) {
    if (code == CUDA_SUCCESS && !has_findings()) [[likely]]
      return code;
    return DoneSlow(code);
  }

  // A device pointer that neither the shadow state nor the driver knows: freed and host memory are
  // found at once, anything else if the call fails.
  void CheckUnknown(uintptr_t address, uint64_t bytes, const char* argument);
  void Requested(uint64_t bytes) { requested_bytes_ = bytes; }

 private:
  // Defined in explain/call_end.cc.
  [[gnu::noinline]] CUresult DoneSlow(CUresult code);

  const CuInfo& cu_info_;
  Context* current_ = nullptr;
  uint64_t requested_bytes_ = 0;
  uintptr_t unknown_ = 0;
  uint64_t unknown_bytes_ = 0;
  const char* unknown_argument_ = nullptr;
  AttachPath path_;
  bool asked_current_ = false;

 protected:
  bool adopts_ = true;
  // That of the thread which made the call, where this is another one.
  void SetCurrent(Context* context) {
    current_ = context;
    asked_current_ = true;
  }
};

// Looks at what a call is given before it can be judged: what it finds is forgotten, and nothing is
// adopted.
class QuietCall : public CuCall {
 public:
  explicit QuietCall(const CuCall& call)
      : CuCall(call.tracker(), call.cu_info(), call.return_address(), nullptr, call.path()) {
    adopts_ = false;
  }
  ~QuietCall() { Discard(); }
};

inline uintptr_t HandleOf(const void* handle) { return reinterpret_cast<uintptr_t>(handle); }
inline uintptr_t HandleOf(CUdeviceptr pointer) { return static_cast<uintptr_t>(pointer); }

}  // namespace gpusan::cuda
