// One intercepted call of the CUDA driver, as handlers see it. A call object belongs to one thread.
#pragma once

#include <cuda.h>

#include "hooks/common/retried_failures.h"
#include "hooks/cuda/call/driver.h"
#include "tracker/calls/call.h"
#include "tracker/tracker.h"

namespace gpusan::cuda {

struct Context;
struct Stream;

// Describes an entry point; static.
struct CuInfo {
  CallInfo call;
  Slot slot;
  bool per_thread;  // a _ptds or _ptsz version: stream 0 is the thread's per-thread default stream
};

// CUDA's names for objects, clauses and remedies in findings. Thread-safe. Defined in
// explain/vocabulary.cc.
const Vocabulary& Words();

// A call on the fast path: tracker, entry point and call site, without findings (handler.h).
// Belongs to one thread.
class FastCall {
 public:
  [[gnu::always_inline]] FastCall(Tracker& tracker, const CuInfo& info, const void* return_address,
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
  // The call site; captured on first use.
  SiteId site() { return site_ != kUnknownSite ? site_ : CaptureSite(); }

  // State that TryFast leaves for TryFastAfter. The number of the queued command
  // (deferral_queue.h); 0: none.
  uint64_t ticket = 0;
  Stream* stream = nullptr;

 private:
  friend class CuCall;
  SiteId CaptureSite();

  Tracker& tracker_;
  const CuInfo& cu_info_;
  const void* return_address_;
  const void* frame_address_;
  SiteId site_ = kUnknownSite;
  AttachPath path_;
};

class CuCall : public Call {
 public:
  // Continues a call that leaves the fast path; keeps its call site if that was captured.
  explicit CuCall(const FastCall& call)
      : CuCall(call.tracker_, call.cu_info_, call.return_address_, call.frame_address_,
               call.path_) {
    SetSite(call.site_);
  }
  [[gnu::always_inline]] CuCall(Tracker& tracker, const CuInfo& info, const void* return_address,
                                const void* frame_address, AttachPath path)
      : Call(tracker, info.call, Words(), return_address, frame_address),
        cu_info_(info),
        path_(path) {}

  // Whether the call has returned to the program, and is processed later (DeferredCall).
  bool is_deferred() const { return is_deferred_; }

  // As Call::site, by the shortest look-up. Handlers that need the call site call this before the
  // tracker captures it.
  SiteId site();

  const CuInfo& cu_info() const { return cu_info_; }
  bool per_thread() const { return cu_info_.per_thread; }
  Slot slot() const { return cu_info_.slot; }
  AttachPath path() const { return path_; }
  // True if the call creates shadow state for memory that only the driver knows.
  bool adopts() const { return adopts_; }
  // True if a handler may replace arguments in its params. False under CUPTI, where params are
  // read-only.
  bool may_change_arguments() const { return path_ != AttachPath::kCupti; }

  // Returns the current context of this thread; nullptr if there is none. Calls the driver once per
  // call object. Defined in streams/contexts.cc.
  Context* current();

  // Ends the call: reports the findings, and explains a failure that no finding explains. Returns
  // `code`.
  CUresult Done(CUresult code) {
    if (code == CUDA_SUCCESS && !has_findings() && !AnyKeptFailure()) [[likely]]
      return code;
    return DoneSlow(code);
  }

  // Checks a device pointer that neither the shadow state nor the driver knows. Reports freed
  // memory and host memory at once, and any other address when the call fails.
  void CheckUnknown(uintptr_t address, uint64_t bytes, const char* argument);
  void Requested(uint64_t bytes) { requested_bytes_ = bytes; }

 private:
  // The part of Done for calls that failed or have findings. Defined in explain/call_end.cc.
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
  bool is_deferred_ = false;
  // Sets the current context of the thread that made the call, when a different thread processes
  // the call.
  void SetCurrent(Context* context) {
    current_ = context;
    asked_current_ = true;
  }
};

// A copy of a call that inspects arguments before the call is processed. Discards its findings and
// creates no shadow state.
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
