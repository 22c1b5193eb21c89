// Events.
#include <cuda.h>

#include "graphs.h"
#include "operations.h"
#include "state.h"

using namespace fake;

namespace {

// Runs `body(event)` when the handle is an event of a healthy context.
template <typename Body>
CUresult WithEvent(CUevent handle, Body body) {
  return WithDriver([&] {
    EventPtr event = events.Find(handle);
    ContextPtr context = event == nullptr ? nullptr : event->context.lock();
    if (context == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    return context->sticky != CUDA_SUCCESS ? context->sticky : body(*event, *context);
  });
}

// Asking for an event that a capture has recorded ends the capture.
CUresult CheckCaptured(Event& event) {
  if (event.capture == nullptr) {
    return CUDA_SUCCESS;
  }
  if (event.capture->invalidated || event.capture->over) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Invalidate(*event.capture);
  return CUDA_ERROR_CAPTURED_EVENT;
}

CUresult Record(CUevent handle, CUstream stream_handle, unsigned flags) {
  return WithContext([&](Context&) {
    EventPtr event = events.Find(handle);
    StreamPtr stream = FindStream(stream_handle);
    if (event == nullptr || stream == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (event->context.lock() != stream->context.lock()) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (stream->capture != nullptr) {
      return CaptureRecord(*stream, event, flags);
    }
    if (CUresult error = CheckImplicit(*stream); error != CUDA_SUCCESS) {
      return error;
    }
    event->capture = nullptr;
    event->recorded = true;
    event->record = SubmitTo(*stream, Marker());
    return CUDA_SUCCESS;
  });
}

CUresult Destroy(CUevent handle) {
  return WithDriver([&] {
    EventPtr event = events.Remove(handle);
    ContextPtr context = event == nullptr ? nullptr : event->context.lock();
    return context == nullptr ? CUDA_ERROR_INVALID_HANDLE : context->sticky;
  });
}

CUresult Elapsed(float* milliseconds, CUevent start_handle, CUevent end_handle) {
  return WithDriver([&] {
    EventPtr start = events.Find(start_handle);
    EventPtr end = events.Find(end_handle);
    if (start == nullptr || end == nullptr || !start->recorded || !end->recorded ||
        ((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING) != 0) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (!Poll(start->record) || !Poll(end->record)) {
      return CUDA_ERROR_NOT_READY;
    }
    *milliseconds =
        static_cast<float>(end->record->finished_ns - start->record->finished_ns) * 1e-6f;
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuEventCreate(CUevent* handle, unsigned int flags) {
  return WithContext([&](Context& context) {
    const unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    const bool interprocess = (flags & CU_EVENT_INTERPROCESS) != 0;
    if (handle == nullptr || (flags & ~known) != 0 ||
        (interprocess && (flags & CU_EVENT_DISABLE_TIMING) == 0)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    auto event = std::make_shared<Event>();
    event->context = contexts.Find(reinterpret_cast<CUcontext>(&context));
    event->flags = flags;
    *handle = events.Add(event);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuEventDestroy(CUevent event) { return Destroy(event); }
CUresult CUDAAPI cuEventDestroy_v2(CUevent event) { return Destroy(event); }

CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream) { return Record(event, stream, 0); }
CUresult CUDAAPI cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  return flags > CU_EVENT_RECORD_EXTERNAL ? CUDA_ERROR_INVALID_VALUE : Record(event, stream, flags);
}

CUresult CUDAAPI cuEventQuery(CUevent handle) {
  return WithEvent(handle, [](Event& event, Context&) {
    if (CUresult error = CheckCaptured(event); error != CUDA_SUCCESS) {
      return error;
    }
    return Poll(event.record) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUresult CUDAAPI cuEventSynchronize(CUevent handle) {
  return WithEvent(handle, [](Event& event, Context& context) {
    if (CUresult error = CheckCaptured(event); error != CUDA_SUCCESS) {
      return error;
    }
    Wait({event.record});
    return context.sticky;
  });
}

CUresult CUDAAPI cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return Elapsed(milliseconds, start, end);
}
CUresult CUDAAPI cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return Elapsed(milliseconds, start, end);
}

// All that the context was given so far, in every stream of it.
CUresult CUDAAPI cuCtxRecordEvent(CUcontext context_handle, CUevent event_handle) {
  return WithDriver([&] {
    ContextPtr context =
        context_handle == nullptr ? CurrentContext() : contexts.Find(context_handle);
    EventPtr event = events.Find(event_handle);
    if (context == nullptr || event == nullptr || event->context.lock() != context) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    event->capture = nullptr;
    event->recorded = true;
    event->record = Marker();
    event->record->context = context;
    auto lane = std::make_unique<Lane>();
    Submit(*lane, event->record, AllTails(*context));
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxWaitEvent(CUcontext context_handle, CUevent event_handle) {
  return WithDriver([&] {
    ContextPtr context =
        context_handle == nullptr ? CurrentContext() : contexts.Find(context_handle);
    EventPtr event = events.Find(event_handle);
    if (context == nullptr || event == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    for (const StreamPtr& stream : AllStreams(*context)) {
      SubmitTo(*stream, Marker(), {event->record});
    }
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
