// Operations: what a stream runs, a capture records and a graph's node holds.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_OPERATIONS_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_OPERATIONS_H_

#include <cuda.h>

#include <memory>
#include <vector>

#include "launches.h"
#include "state.h"
#include "transfers.h"

namespace fake {

struct Graph;
struct Pool;

struct Operation {
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  Copy copy;
  Fill fill;
  Launch launch;
  CUhostFn host_function = nullptr;
  void* host_data = nullptr;
  CUstreamCallback callback = nullptr;  // of cuStreamAddCallback, instead of `host_function`
  CUstream callback_stream = nullptr;
  EventPtr event;                // of event record and wait nodes
  std::shared_ptr<Graph> child;  // the node's own copy
  std::vector<CUstreamBatchMemOpParams> memory_operations;
  CUDA_MEM_ALLOC_NODE_PARAMS allocation{};  // dptr is the address; also of free nodes
  uint64_t allocation_id = 0;  // cuMemFreeAsync: nothing is freed once the region has another id
};

// The task that does it, not submitted. `stage`: take the bytes of pageable memory now.
TaskPtr TaskOf(const Operation& operation, bool stage);

// Into the stream's capture, or to the stream. `task` is null when it was captured.
CUresult Enqueue(Stream& stream, Operation operation, TaskPtr* task = nullptr);

// CUDA_ERROR_STREAM_CAPTURE_IMPLICIT when the stream is the legacy one and a capture would have to
// depend on it, which ends the capture.
CUresult CheckImplicit(Stream& stream);
// CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED when a capture forbids unsafe calls to this thread, which
// ends the capture.
CUresult CheckUnsafe();

// Copies and sets after Check(): enqueued and, for the forms without Async, waited for as CUDA's
// api-sync-behavior says.
CUresult EnqueueCopy(CUstream stream, const Copy& copy, bool synchronous);
CUresult EnqueueFill(CUstream stream, const Fill& fill, bool synchronous);

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_OPERATIONS_H_
