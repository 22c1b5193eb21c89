// From an operation to a task of a stream.
#include "operations.h"

#include <cstring>

#include "graphs.h"
#include "memory.h"
#include "pools.h"

namespace fake {
namespace {

bool ValueReached(const CUstreamBatchMemOpParams& operation) {
  const auto& wait = operation.waitValue;
  const bool wide = operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
  const size_t bytes = wide ? 8 : 4;
  const char* alias = Resolve(wait.address, bytes);
  if (alias == nullptr) {
    return true;
  }
  uint64_t value = 0;
  if (wide) {
    value = __atomic_load_n(reinterpret_cast<const uint64_t*>(alias), __ATOMIC_ACQUIRE);
  } else {
    value = __atomic_load_n(reinterpret_cast<const uint32_t*>(alias), __ATOMIC_ACQUIRE);
  }
  const uint64_t wanted = wide ? wait.value64 : wait.value;
  switch (wait.flags & 3) {
    case CU_STREAM_WAIT_VALUE_EQ:
      return value == wanted;
    case CU_STREAM_WAIT_VALUE_AND:
      return (value & wanted) != 0;
    case CU_STREAM_WAIT_VALUE_NOR:
      return ~(value | wanted) != 0;
    default:  // GEQ, cyclic
      return wide ? static_cast<int64_t>(value - wanted) >= 0
                  : static_cast<int32_t>(static_cast<uint32_t>(value - wanted)) >= 0;
  }
}

CUresult WriteValue(const CUstreamBatchMemOpParams& operation) {
  const auto& write = operation.writeValue;
  const bool wide = operation.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
  std::lock_guard<std::mutex> hold(lock);
  char* alias = Resolve(write.address, wide ? 8 : 4);
  if (alias == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  if (wide) {
    __atomic_store_n(reinterpret_cast<uint64_t*>(alias), write.value64, __ATOMIC_RELEASE);
  } else {
    __atomic_store_n(reinterpret_cast<uint32_t*>(alias), write.value, __ATOMIC_RELEASE);
  }
  Changed();
  return CUDA_SUCCESS;
}

void FillMemoryOperations(Task& task, const std::vector<CUstreamBatchMemOpParams>& operations) {
  task.ready = [operations] {
    for (const auto& operation : operations) {
      const bool wait = operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 ||
                        operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
      if (wait && !ValueReached(operation)) {
        return false;
      }
    }
    return true;
  };
  task.run = [operations] {
    for (const auto& operation : operations) {
      const bool write = operation.operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 ||
                         operation.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
      CUresult error = write ? WriteValue(operation) : CUDA_SUCCESS;
      if (error != CUDA_SUCCESS) {
        return error;
      }
    }
    return CUDA_SUCCESS;
  };
}

// CU_POINTER_ATTRIBUTE_SYNC_MEMOPS was set on the memory.
bool ForcedSynchronous(uintptr_t address) {
  const Region* region = FindRegion(address);
  return region != nullptr && region->sync_operations;
}

}  // namespace

TaskPtr TaskOf(const Operation& operation, bool stage) {
  switch (operation.type) {
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return TaskOf(operation.copy, stage);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return TaskOf(operation.fill);
    default:
      break;
  }
  TaskPtr task = Marker();
  switch (operation.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      task->accesses = Accesses(operation.launch);
      task->run = [launch = operation.launch] {
        return launch.function->body == nullptr ? CUDA_SUCCESS : launch.function->body(launch);
      };
      break;
    case CU_GRAPH_NODE_TYPE_HOST:
      task->run = [function = operation.host_function, callback = operation.callback,
                   stream = operation.callback_stream, data = operation.host_data] {
        InHostFunction inside;
        if (callback != nullptr) {
          callback(stream, CUDA_SUCCESS, data);
        } else {
          function(data);
        }
        return CUDA_SUCCESS;
      };
      break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      FillMemoryOperations(*task, operation.memory_operations);
      break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      task->run = [address = operation.allocation.dptr, id = operation.allocation_id] {
        std::lock_guard<std::mutex> hold(lock);
        Region* region = FindRegion(address);
        if (region != nullptr && (id == 0 || region->id == id)) {
          ReturnToPool(address);
        }
        return CUDA_SUCCESS;
      };
      break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      task->run = [address = operation.allocation.dptr] {
        std::lock_guard<std::mutex> hold(lock);
        Region* region = FindRegion(address);
        if (region != nullptr) {
          region->accessible = true;
        }
        return CUDA_SUCCESS;
      };
      break;
    default:
      break;
  }
  return task;
}

CUresult Enqueue(Stream& stream, Operation operation, TaskPtr* task) {
  if (stream.capture != nullptr) {
    return CaptureOperation(stream, std::move(operation));
  }
  if (CUresult error = CheckImplicit(stream); error != CUDA_SUCCESS) {
    return error;
  }
  TaskPtr submitted = SubmitTo(stream, TaskOf(operation, true));
  if (task != nullptr) {
    *task = submitted;
  }
  return CUDA_SUCCESS;
}

CUresult EnqueueCopy(CUstream handle, const Copy& copy, bool synchronous) {
  StreamPtr stream = FindStream(handle);
  if (stream == nullptr) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (CUresult error = Check(copy); error != CUDA_SUCCESS) {
    return error;
  }
  Operation operation;
  operation.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  operation.copy = copy;
  TaskPtr task;
  if (CUresult error = Enqueue(*stream, operation, &task); error != CUDA_SUCCESS) {
    return error;
  }
  const Place from = PlaceOf(copy.source);
  const Place to = PlaceOf(copy.target);
  // Between two places of the device nobody waits; to pageable memory the Async forms wait too.
  const bool forced =
      ForcedSynchronous(copy.source.address) || ForcedSynchronous(copy.target.address);
  const bool waits = forced || (synchronous ? from != Place::kDevice || to != Place::kDevice
                                            : to == Place::kPageable);
  if (task != nullptr && waits) {
    ContextPtr context = stream->context.lock();
    Wait({task});
    return context->sticky;
  }
  return CUDA_SUCCESS;
}

CUresult EnqueueFill(CUstream handle, const Fill& fill, bool synchronous) {
  StreamPtr stream = FindStream(handle);
  if (stream == nullptr) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  CUresult error =
      stream->capture != nullptr ? CUDA_SUCCESS : Check(fill);  // a capture does not look
  if (error != CUDA_SUCCESS) {
    return error;
  }
  Operation operation;
  operation.type = CU_GRAPH_NODE_TYPE_MEMSET;
  operation.fill = fill;
  TaskPtr task;
  if (error = Enqueue(*stream, operation, &task); error != CUDA_SUCCESS) {
    return error;
  }
  Side target = DeviceSide(fill.address);
  const bool waits =
      ForcedSynchronous(fill.address) || (synchronous && PlaceOf(target) != Place::kDevice);
  if (task != nullptr && waits) {
    ContextPtr context = stream->context.lock();
    Wait({task});
    return context->sticky;
  }
  return CUDA_SUCCESS;
}

}  // namespace fake
