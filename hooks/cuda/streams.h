// Handlers: streams, events, and what the host waits for.
#pragma once

#include "hooks/cuda/contexts.h"

namespace gpusan::cuda {

// --- not templates (streams.cc)
void CreatedStream(CuCall& call, uintptr_t handle, bool blocking);
void DestroyStream(CuCall& call, CUstream handle);
RecordedEvent* UseEvent(CuCall& call, CUevent event);
void CreatedEvent(CuCall& call, uintptr_t handle, unsigned flags);
void DestroyEvent(CuCall& call, CUevent event);
// The event stands for what is in the stream now.
void RecordEvent(CuCall& call, CUevent event, Stream* stream);
// Later commands of the stream are behind the event's last record.
void WaitForEvent(CuCall& call, Stream* stream, CUevent event);
void HostWaitsForEvent(CuCall& call, CUevent event);

// --- handlers
template <typename P>
struct StreamCreate {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return;
    unsigned flags;
    if constexpr (requires { p.Flags; }) {
      flags = p.Flags;
    } else {
      flags = p.flags;
    }
    CreatedStream(call, HandleOf(*p.phStream), (flags & CU_STREAM_NON_BLOCKING) == 0);
  }
};

template <typename P>
struct StreamDestroy {
  void Before(CuCall& call, P& p) { DestroyStream(call, p.hStream); }
  void After(CuCall&, P&, CUresult) {}
};

template <typename P>
struct StreamWait {  // synchronize, and query
  Stream* stream = nullptr;
  void Before(CuCall& call, P& p) { stream = StreamOf(call, p.hStream); }
  void After(CuCall& call, P&, CUresult code) {
    if (code == CUDA_SUCCESS && stream != nullptr) WaitStream(call, stream);
  }
};

template <typename P>
struct ContextWait {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return;
    Context* context;
    if constexpr (requires { p.ctx; }) {
      context = p.ctx != nullptr ? ContextOf(call, HandleOf(p.ctx)) : call.current();
    } else {
      context = call.current();
    }
    if (context != nullptr) WaitContext(call, context);
  }
};

template <typename P>
struct EventCreate {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) CreatedEvent(call, HandleOf(*p.phEvent), p.Flags);
  }
};

template <typename P>
struct EventDestroy {
  void Before(CuCall& call, P& p) { DestroyEvent(call, p.hEvent); }
  void After(CuCall&, P&, CUresult) {}
};

template <typename P>
struct EventRecordOn {
  void Before(CuCall& call, P& p) {
    if (Stream* stream = StreamOf(call, p.hStream); stream != nullptr)
      RecordEvent(call, p.hEvent, stream);
  }
  void After(CuCall&, P&, CUresult) {}
};

template <typename P>
struct EventWait {  // synchronize, and query
  void Before(CuCall& call, P& p) { UseEvent(call, p.hEvent); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) HostWaitsForEvent(call, p.hEvent);
  }
};

template <typename P>
struct StreamWaitEvent {
  Stream* stream = nullptr;
  void Before(CuCall& call, P& p) {
    UseEvent(call, p.hEvent);
    stream = StreamOf(call, p.hStream);
  }
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS && stream != nullptr) WaitForEvent(call, stream, p.hEvent);
  }
};

}  // namespace gpusan::cuda
