// Handlers: streams, events, and what the host waits for.
#pragma once

#include "hooks/cuda/streams/capture.h"
#include "hooks/cuda/streams/contexts.h"
#include "hooks/cuda/streams/elapsed_times.h"
#include "hooks/cuda/streams/stream_deferral.h"

namespace gpusan::cuda {

// --- functions of streams.cc
void CreatedStream(CuCall& call, uintptr_t handle, bool blocking);
void DestroyStream(CuCall& call, CUstream handle);
RecordedEvent* UseEvent(CuCall& call, CUevent event, const char* argument = "hEvent");
void CreatedEvent(CuCall& call, uintptr_t handle, unsigned flags);
void DestroyEvent(CuCall& call, CUevent event);
// Records that the event represents everything in the stream so far.
void RecordEvent(CuCall& call, RecordedEvent* event, Stream* stream);
// Records that the event represents everything in all streams of the context so far.
void RecordContext(CuCall& call, RecordedEvent* event, Context* context);
void WaitInContext(CuCall& call, const RecordedEvent* event, Context* context);
// After a real call that failed, or on a captured stream. `external`: a node records the event
// whenever the graph runs.
void RecordedElsewhere(CuCall& call, RecordedEvent* event, Stream* stream, CUresult code,
                       bool external);
// Orders later commands of the stream after the event's last record.
void WaitForEvent(CuCall& call, Stream* stream, const RecordedEvent* event);
void HostWaitsForEvent(CuCall& call, const RecordedEvent* event);
// Queues the command that the host has waited for the stream, or for its whole context
// (deferral_queue.h). Returns false if the command cannot be deferred.
bool DeferWait(FastCall& call, Stream* stream, bool context);
// Adds a finding if the code rejects what the call does with the event.
void ExplainEvent(CuCall& call, const RecordedEvent* event, const Stream* stream, CUresult code);
void ExplainElapsedTime(CuCall& call, const RecordedEvent* start, const RecordedEvent* end,
                        CUresult code);

// --- handlers
template <typename P>
struct StreamCreate {
  void After(CuCall& call, CUresult code, P& p) {
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
};

template <typename P>
struct StreamWait {  // synchronize and query
  Stream* stream = nullptr;
  static bool TryFast(FastCall& call, P& p) {
    call.stream = KnownStream(call, p.hStream);
    return MayDefer(call, call.stream);
  }
  static bool TryFastAfter(FastCall& call, P&) { return DeferWait(call, call.stream, false); }
  void Before(CuCall& call, P& p) {
    stream = StreamOf(call, p.hStream);
    LearnToDefer(call, stream);
  }
  void After(CuCall& call, CUresult code, P&) {
    if (stream == nullptr) return;
    if (code == CUDA_SUCCESS) {
      WaitStream(call, stream);
    } else if (code == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) {
      ExplainWaitForCapture(call, stream);
    }
  }
};

template <typename P>
struct ContextWait {
  static bool TryFast(FastCall& call, P& p) {
    Context* known = nullptr;
    if constexpr (requires { p.ctx; }) {
      known = p.ctx != nullptr ? KnownContext(HandleOf(p.ctx)) : KnownCurrent();
    } else {
      known = KnownCurrent();
    }
    if (known == nullptr || !MayDefer(call)) return false;
    call.stream = &known->legacy;
    return true;
  }
  static bool TryFastAfter(FastCall& call, P&) { return DeferWait(call, call.stream, true); }
  void After(CuCall& call, CUresult code, P& p) {
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
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) CreatedEvent(call, HandleOf(*p.phEvent), p.Flags);
  }
};

template <typename P>
struct EventDestroy {
  void Before(CuCall& call, P& p) { DestroyEvent(call, p.hEvent); }
};

template <typename P>
struct EventRecordOn {
  RecordedEvent* event = nullptr;
  Stream* stream = nullptr;
  void Before(CuCall& call, P& p) {
    event = UseEvent(call, p.hEvent);
    stream = StreamOf(call, p.hStream);
    if (event != nullptr && stream != nullptr && !IsCaptured(stream)) [[likely]]
      RecordEvent(call, event, stream);
  }
  void After(CuCall& call, CUresult code, [[maybe_unused]] P& p) {
    if (event == nullptr || stream == nullptr) return;
    if (code != CUDA_SUCCESS || IsCaptured(stream)) [[unlikely]] {
      bool external = false;
      if constexpr (requires { p.flags; }) external = (p.flags & CU_EVENT_RECORD_EXTERNAL) != 0;
      RecordedElsewhere(call, event, stream, code, external);
    }
  }
};

template <typename P>
struct EventWait {  // synchronize and query
  RecordedEvent* event = nullptr;
  void Before(CuCall& call, P& p) { event = UseEvent(call, p.hEvent); }
  void After(CuCall& call, CUresult code, P&) {
    if (event == nullptr || code == CUDA_ERROR_NOT_READY) return;
    if (code == CUDA_SUCCESS) [[likely]]
      return HostWaitsForEvent(call, event);
    ExplainEvent(call, event, nullptr, code);
  }
};

template <typename P>
struct StreamWaitEvent {
  RecordedEvent* event = nullptr;
  Stream* stream = nullptr;
  void Before(CuCall& call, P& p) {
    event = UseEvent(call, p.hEvent);
    stream = StreamOf(call, p.hStream);
  }
  void After(CuCall& call, CUresult code, P&) {
    if (event == nullptr || stream == nullptr) return;
    if (code == CUDA_SUCCESS) [[likely]]
      return WaitForEvent(call, stream, event);
    ExplainEvent(call, event, stream, code);
  }
};

// Success means that both events are complete.
template <typename P>
struct EventElapsedTime {
  RecordedEvent *start = nullptr, *end = nullptr;
  void Before(CuCall& call, P& p) {
    start = UseEvent(call, p.hStart, "hStart");
    end = UseEvent(call, p.hEnd, "hEnd");
  }
  void After(CuCall& call, CUresult code, P&) {
    if (start == nullptr || end == nullptr) return;
    NoteElapsedTime(call, code, *start, *end);
    if (code == CUDA_SUCCESS) {
      HostWaitsForEvent(call, start);
      HostWaitsForEvent(call, end);
    } else {
      ExplainElapsedTime(call, start, end, code);
    }
  }
};

// Returns the context that the argument names; for NULL, the current context of the thread.
Context* ContextArgument(CuCall& call, CUcontext context);
Context* ContextArgument(CuCall& call, CUgreenCtx context);

template <typename P>
struct ContextRecordsEvent {
  RecordedEvent* event = nullptr;
  void Before(CuCall& call, P& p) {
    event = UseEvent(call, p.hEvent);
    Context* context = ContextArgument(call, p.hCtx);
    if (event != nullptr && context != nullptr) RecordContext(call, event, context);
  }
  void After(CuCall& call, CUresult code, P&) {
    if (event != nullptr && code != CUDA_SUCCESS) ExplainEvent(call, event, nullptr, code);
  }
};

template <typename P>
struct ContextWaitsForEvent {
  RecordedEvent* event = nullptr;
  void Before(CuCall& call, P& p) { event = UseEvent(call, p.hEvent); }
  void After(CuCall& call, CUresult code, P& p) {
    if (event == nullptr) return;
    if (code != CUDA_SUCCESS) return ExplainEvent(call, event, nullptr, code);
    if (Context* context = ContextArgument(call, p.hCtx); context != nullptr)
      WaitInContext(call, event, context);
  }
};

template <typename P>
struct GreenStreamCreate {
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    if (Context* context = ContextArgument(call, p.greenCtx); context != nullptr)
      NewStream(call, HandleOf(*p.phStream), context, (p.flags & CU_STREAM_NON_BLOCKING) == 0);
  }
};

}  // namespace gpusan::cuda
