// Streams, host functions and stream memory operations.
#include <cuda.h>

#include "graphs.h"
#include "memory.h"
#include "operations.h"
#include "state.h"

using namespace fake;

namespace {

CUresult Create(CUstream* handle, unsigned flags, int priority) {
  return WithContext([&](Context& context) {
    if (handle == nullptr || flags > CU_STREAM_NON_BLOCKING) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    auto stream = std::make_shared<Stream>();
    stream->context = contexts.Find(reinterpret_cast<CUcontext>(&context));
    stream->flags = flags;
    stream->priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
    stream->id = NextId();
    context.streams.push_back(stream);
    *handle = streams.Add(stream);
    return CUDA_SUCCESS;
  });
}

// Runs `body(stream, its context)` when the handle is a stream of a healthy context.
template <typename Body>
CUresult WithStream(CUstream handle, Body body) {
  return WithContext([&](Context&) {
    StreamPtr stream = FindStream(handle);
    ContextPtr context = stream == nullptr ? nullptr : stream->context.lock();
    if (context == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    return context->sticky != CUDA_SUCCESS ? context->sticky : body(*stream, *context);
  });
}

CUresult Destroy(CUstream handle) {
  return WithDriver([&] {
    // Work that is pending runs on; its tasks hold what they need.
    StreamPtr stream = streams.Remove(handle);
    if (stream != nullptr) {
      DropCapture(*stream);
    }
    ContextPtr context = stream == nullptr ? nullptr : stream->context.lock();
    return context == nullptr ? CUDA_ERROR_INVALID_HANDLE : context->sticky;
  });
}

CUresult MemoryOperations(CUstream handle, std::vector<CUstreamBatchMemOpParams> operations) {
  return WithStream(handle, [&](Stream& stream, Context&) {
    for (const auto& operation : operations) {
      const bool wide = operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ||
                        operation.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
      const bool has_address = operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 ||
                               operation.operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 || wide;
      const CUdeviceptr address = operation.waitValue.address;  // both forms begin alike
      const size_t bytes = wide ? 8 : 4;
      if (has_address && (address % bytes != 0 || Resolve(address, bytes) == nullptr)) {
        return CUDA_ERROR_INVALID_VALUE;
      }
    }
    Operation operation;
    operation.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
    operation.memory_operations = std::move(operations);
    return Enqueue(stream, operation);
  });
}

CUresult WaitValue(CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags,
                   bool wide) {
  CUstreamBatchMemOpParams operation{};
  operation.operation = wide ? CU_STREAM_MEM_OP_WAIT_VALUE_64 : CU_STREAM_MEM_OP_WAIT_VALUE_32;
  operation.waitValue.address = address;
  operation.waitValue.value64 = value;
  operation.waitValue.flags = flags;
  return MemoryOperations(stream, {operation});
}

CUresult WriteValue(CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags,
                    bool wide) {
  CUstreamBatchMemOpParams operation{};
  operation.operation = wide ? CU_STREAM_MEM_OP_WRITE_VALUE_64 : CU_STREAM_MEM_OP_WRITE_VALUE_32;
  operation.writeValue.address = address;
  operation.writeValue.value64 = value;
  operation.writeValue.flags = flags;
  return MemoryOperations(stream, {operation});
}

CUresult BatchOperations(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations,
                         unsigned flags) {
  if (count == 0 || count > 256 || operations == nullptr || flags != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return MemoryOperations(stream, {operations, operations + count});
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuStreamCreate(CUstream* stream, unsigned int flags) {
  return Create(stream, flags, 0);
}
CUresult CUDAAPI cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return Create(stream, flags, priority);
}
CUresult CUDAAPI cuStreamDestroy(CUstream stream) { return Destroy(stream); }
CUresult CUDAAPI cuStreamDestroy_v2(CUstream stream) { return Destroy(stream); }

CUresult CUDAAPI cuStreamSynchronize(CUstream handle) {
  return WithStream(handle, [](Stream& stream, Context& context) {
    if (stream.capture != nullptr) {
      Invalidate(*stream.capture);
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if (CUresult error = CheckUnsafe(); error != CUDA_SUCCESS) {
      return error;
    }
    if (CUresult error = CheckImplicit(stream); error != CUDA_SUCCESS) {
      return error;
    }
    Wait(stream.legacy ? Predecessors(stream) : std::vector<TaskPtr>{stream.tail});
    return context.sticky;
  });
}

CUresult CUDAAPI cuStreamQuery(CUstream handle) {
  return WithStream(handle, [](Stream& stream, Context& context) {
    if (stream.capture != nullptr) {
      Invalidate(*stream.capture);
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if (CUresult error = CheckImplicit(stream); error != CUDA_SUCCESS) {
      return error;
    }
    bool done = true;
    for (const TaskPtr& task :
         stream.legacy ? Predecessors(stream) : std::vector<TaskPtr>{stream.tail}) {
      done = Poll(task) && done;
    }
    return context.sticky != CUDA_SUCCESS ? context.sticky
           : done                         ? CUDA_SUCCESS
                                          : CUDA_ERROR_NOT_READY;
  });
}

CUresult CUDAAPI cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned int flags) {
  return WithStream(handle, [&](Stream& stream, Context&) {
    EventPtr event = events.Find(event_handle);
    if (event == nullptr || flags > CU_EVENT_WAIT_EXTERNAL) {
      return event == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    if (stream.capture != nullptr || event->capture != nullptr) {
      return CaptureWait(stream, event, flags);
    }
    if (event->record != nullptr && !event->record->done) {
      SubmitTo(stream, Marker(), {event->record});
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuStreamGetFlags(CUstream handle, unsigned int* flags) {
  return WithStream(handle, [&](Stream& stream, Context&) {
    *flags = stream.flags;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuStreamGetPriority(CUstream handle, int* priority) {
  return WithStream(handle, [&](Stream& stream, Context&) {
    *priority = stream.priority;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuStreamGetId(CUstream handle, unsigned long long* id) {
  return WithStream(handle, [&](Stream& stream, Context&) {
    *id = stream.id;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuStreamGetDevice(CUstream handle, CUdevice* device) {
  return WithStream(handle, [&](Stream&, Context& context) {
    *device = context.device;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuStreamGetCtx(CUstream handle, CUcontext* out) {
  return WithStream(handle, [&](Stream&, Context& context) {
    *out = reinterpret_cast<CUcontext>(&context);
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuStreamGetCtx_v2(CUstream handle, CUcontext* out, CUgreenCtx* green) {
  return WithStream(handle, [&](Stream&, Context& context) {
    *out = reinterpret_cast<CUcontext>(&context);
    if (green != nullptr) {
      *green = nullptr;
    }
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuStreamAttachMemAsync(CUstream handle, CUdeviceptr address, size_t bytes,
                                        unsigned int flags) {
  return WithStream(handle, [&](Stream& stream, Context&) {
    Region* region = FindRegion(address);
    if ((flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST &&
         flags != CU_MEM_ATTACH_SINGLE) ||
        region == nullptr || region->kind != Kind::kManaged ||
        (bytes != 0 && bytes != region->bytes)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    return Enqueue(stream, Operation{});
  });
}

CUresult CUDAAPI cuLaunchHostFunc(CUstream handle, CUhostFn function, void* data) {
  return WithStream(handle, [&](Stream& stream, Context&) {
    if (function == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Operation operation;
    operation.type = CU_GRAPH_NODE_TYPE_HOST;
    operation.host_function = function;
    operation.host_data = data;
    return Enqueue(stream, operation);
  });
}

CUresult CUDAAPI cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void* data,
                                     unsigned int flags) {
  return WithStream(handle, [&](Stream& stream, Context&) {
    if (callback == nullptr || flags != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (stream.capture != nullptr) {
      Invalidate(*stream.capture);
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    Operation operation;
    operation.type = CU_GRAPH_NODE_TYPE_HOST;
    operation.callback = callback;
    operation.callback_stream = handle;
    operation.host_data = data;
    return Enqueue(stream, operation);
  });
}

CUresult CUDAAPI cuStreamWaitValue32(CUstream s, CUdeviceptr a, cuuint32_t v, unsigned int flags) {
  return WaitValue(s, a, v, flags, false);
}
CUresult CUDAAPI cuStreamWaitValue32_v2(CUstream s, CUdeviceptr a, cuuint32_t v,
                                        unsigned int flags) {
  return WaitValue(s, a, v, flags, false);
}
CUresult CUDAAPI cuStreamWaitValue64(CUstream s, CUdeviceptr a, cuuint64_t v, unsigned int flags) {
  return WaitValue(s, a, v, flags, true);
}
CUresult CUDAAPI cuStreamWaitValue64_v2(CUstream s, CUdeviceptr a, cuuint64_t v,
                                        unsigned int flags) {
  return WaitValue(s, a, v, flags, true);
}
CUresult CUDAAPI cuStreamWriteValue32(CUstream s, CUdeviceptr a, cuuint32_t v, unsigned int flags) {
  return WriteValue(s, a, v, flags, false);
}
CUresult CUDAAPI cuStreamWriteValue32_v2(CUstream s, CUdeviceptr a, cuuint32_t v,
                                         unsigned int flags) {
  return WriteValue(s, a, v, flags, false);
}
CUresult CUDAAPI cuStreamWriteValue64(CUstream s, CUdeviceptr a, cuuint64_t v, unsigned int flags) {
  return WriteValue(s, a, v, flags, true);
}
CUresult CUDAAPI cuStreamWriteValue64_v2(CUstream s, CUdeviceptr a, cuuint64_t v,
                                         unsigned int flags) {
  return WriteValue(s, a, v, flags, true);
}
CUresult CUDAAPI cuStreamBatchMemOp(CUstream stream, unsigned int count,
                                    CUstreamBatchMemOpParams* operations, unsigned int flags) {
  return BatchOperations(stream, count, operations, flags);
}
CUresult CUDAAPI cuStreamBatchMemOp_v2(CUstream stream, unsigned int count,
                                       CUstreamBatchMemOpParams* operations, unsigned int flags) {
  return BatchOperations(stream, count, operations, flags);
}

}  // extern "C"
