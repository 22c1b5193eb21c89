// Streams, events, host functions and graphs.
#include "driver.h"

using runtime::Driver;
using runtime::Remember;
using runtime::WithContext;

extern "C" {

cudaError_t CUDARTAPI cudaStreamCreate(cudaStream_t* stream) {
  return WithContext([&](const Driver& driver) { return driver.StreamCreate(stream, 0); });
}
cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return WithContext([&](const Driver& driver) { return driver.StreamCreate(stream, flags); });
}
cudaError_t CUDARTAPI cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags,
                                                   int priority) {
  return WithContext([&](const Driver& driver) {
    return driver.StreamCreateWithPriority(stream, flags, priority);
  });
}
cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t stream) {
  return WithContext([&](const Driver& driver) { return driver.StreamDestroy(stream); });
}
cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t stream) {
  return WithContext([&](const Driver& driver) { return driver.StreamSynchronize(stream); });
}
cudaError_t CUDARTAPI cudaStreamQuery(cudaStream_t stream) {
  return WithContext([&](const Driver& driver) { return driver.StreamQuery(stream); });
}
cudaError_t CUDARTAPI cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                          unsigned int flags) {
  return WithContext(
      [&](const Driver& driver) { return driver.StreamWaitEvent(stream, event, flags); });
}
cudaError_t CUDARTAPI cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return WithContext([&](const Driver& driver) { return driver.StreamGetFlags(stream, flags); });
}
cudaError_t CUDARTAPI cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return WithContext(
      [&](const Driver& driver) { return driver.StreamGetPriority(stream, priority); });
}
cudaError_t CUDARTAPI cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes,
                                               unsigned int flags) {
  return WithContext([&](const Driver& driver) {
    return driver.StreamAttachMemAsync(stream, runtime::Address(pointer), bytes, flags);
  });
}
cudaError_t CUDARTAPI cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                            void* data, unsigned int flags) {
  return WithContext([&](const Driver& driver) {
    return driver.StreamAddCallback(stream, reinterpret_cast<CUstreamCallback>(callback), data,
                                    flags);
  });
}
cudaError_t CUDARTAPI cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return WithContext(
      [&](const Driver& driver) { return driver.LaunchHostFunc(stream, function, data); });
}
cudaError_t CUDARTAPI cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return WithContext([&](const Driver& driver) {
    return driver.StreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(mode));
  });
}
cudaError_t CUDARTAPI cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return WithContext([&](const Driver& driver) { return driver.StreamEndCapture(stream, graph); });
}
cudaError_t CUDARTAPI cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return WithContext([&](const Driver& driver) {
    return driver.StreamIsCapturing(stream, reinterpret_cast<CUstreamCaptureStatus*>(status));
  });
}
cudaError_t CUDARTAPI cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return WithContext([&](const Driver& driver) {
    return driver.ThreadExchangeStreamCaptureMode(reinterpret_cast<CUstreamCaptureMode*>(mode));
  });
}

cudaError_t CUDARTAPI cudaEventCreate(cudaEvent_t* event) {
  return WithContext([&](const Driver& driver) { return driver.EventCreate(event, 0); });
}
cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return WithContext([&](const Driver& driver) { return driver.EventCreate(event, flags); });
}
cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t event) {
  return WithContext([&](const Driver& driver) { return driver.EventDestroy(event); });
}
cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return WithContext([&](const Driver& driver) { return driver.EventRecord(event, stream); });
}
cudaError_t CUDARTAPI cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                               unsigned int flags) {
  return WithContext(
      [&](const Driver& driver) { return driver.EventRecordWithFlags(event, stream, flags); });
}
cudaError_t CUDARTAPI cudaEventQuery(cudaEvent_t event) {
  return WithContext([&](const Driver& driver) { return driver.EventQuery(event); });
}
cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t event) {
  return WithContext([&](const Driver& driver) { return driver.EventSynchronize(event); });
}
cudaError_t CUDARTAPI cudaEventElapsedTime(float* milliseconds, cudaEvent_t start,
                                           cudaEvent_t end) {
  return WithContext(
      [&](const Driver& driver) { return driver.EventElapsedTime(milliseconds, start, end); });
}

cudaError_t CUDARTAPI cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return WithContext([&](const Driver& driver) { return driver.GraphCreate(graph, flags); });
}
cudaError_t CUDARTAPI cudaGraphDestroy(cudaGraph_t graph) {
  return WithContext([&](const Driver& driver) { return driver.GraphDestroy(graph); });
}
cudaError_t CUDARTAPI cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           unsigned long long flags) {
  return WithContext(
      [&](const Driver& driver) { return driver.GraphInstantiateWithFlags(exec, graph, flags); });
}
cudaError_t CUDARTAPI cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                    unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}
cudaError_t CUDARTAPI cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return WithContext([&](const Driver& driver) { return driver.GraphExecDestroy(exec); });
}
cudaError_t CUDARTAPI cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                          cudaGraphExecUpdateResultInfo* info) {
  static_assert(sizeof(cudaGraphExecUpdateResultInfo) == sizeof(CUgraphExecUpdateResultInfo));
  return WithContext([&](const Driver& driver) {
    return driver.GraphExecUpdate(exec, graph,
                                  reinterpret_cast<CUgraphExecUpdateResultInfo*>(info));
  });
}
cudaError_t CUDARTAPI cudaUserObjectCreate(cudaUserObject_t* object, void* data,
                                           cudaHostFn_t destroy, unsigned int references,
                                           unsigned int flags) {
  return WithContext([&](const Driver& driver) {
    return driver.UserObjectCreate(object, data, destroy, references, flags);
  });
}
cudaError_t CUDARTAPI cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  return WithContext([&](const Driver& driver) { return driver.UserObjectRetain(object, count); });
}
cudaError_t CUDARTAPI cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  return WithContext([&](const Driver& driver) { return driver.UserObjectRelease(object, count); });
}
cudaError_t CUDARTAPI cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                unsigned int count, unsigned int flags) {
  return WithContext([&](const Driver& driver) {
    return driver.GraphRetainUserObject(graph, object, count, flags);
  });
}
cudaError_t CUDARTAPI cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                 unsigned int count) {
  return WithContext(
      [&](const Driver& driver) { return driver.GraphReleaseUserObject(graph, object, count); });
}
cudaError_t CUDARTAPI cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return WithContext([&](const Driver& driver) { return driver.GraphLaunch(exec, stream); });
}
cudaError_t CUDARTAPI cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return WithContext([&](const Driver& driver) { return driver.GraphUpload(exec, stream); });
}
cudaError_t CUDARTAPI cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return WithContext(
      [&](const Driver& driver) { return driver.GraphGetNodes(graph, nodes, count); });
}
cudaError_t CUDARTAPI cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to,
                                               const cudaGraphEdgeData* edges, size_t count) {
  static_assert(sizeof(cudaGraphEdgeData) == sizeof(CUgraphEdgeData));
  return WithContext([&](const Driver& driver) {
    return driver.GraphAddDependencies(graph, from, to,
                                       reinterpret_cast<const CUgraphEdgeData*>(edges), count);
  });
}
cudaError_t CUDARTAPI cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* before, size_t count) {
  return WithContext(
      [&](const Driver& driver) { return driver.GraphAddEmptyNode(node, graph, before, count); });
}
cudaError_t CUDARTAPI cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* before, size_t count,
                                           const cudaHostNodeParams* parameters) {
  CUDA_HOST_NODE_PARAMS native{};
  native.fn = parameters->fn;
  native.userData = parameters->userData;
  return WithContext([&](const Driver& driver) {
    return driver.GraphAddHostNode(node, graph, before, count, &native);
  });
}
cudaError_t CUDARTAPI cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* before, size_t count,
                                             const cudaMemsetParams* parameters) {
  CUDA_MEMSET_NODE_PARAMS native{};
  native.dst = runtime::Address(parameters->dst);
  native.pitch = parameters->pitch;
  native.value = parameters->value;
  native.elementSize = parameters->elementSize;
  native.width = parameters->width;
  native.height = parameters->height;
  return WithContext([&](const Driver& driver) {
    CUcontext context = nullptr;
    driver.CtxGetCurrent(&context);
    return driver.GraphAddMemsetNode(node, graph, before, count, &native, context);
  });
}
cudaError_t CUDARTAPI cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* before, size_t count,
                                               void* target, const void* source, size_t bytes,
                                               cudaMemcpyKind) {
  CUDA_MEMCPY3D native{};
  native.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  native.srcDevice = runtime::Address(source);
  native.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  native.dstDevice = runtime::Address(target);
  native.WidthInBytes = bytes;
  native.Height = 1;
  native.Depth = 1;
  return WithContext([&](const Driver& driver) {
    CUcontext context = nullptr;
    driver.CtxGetCurrent(&context);
    return driver.GraphAddMemcpyNode(node, graph, before, count, &native, context);
  });
}
cudaError_t CUDARTAPI cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* before, size_t count,
                                             const cudaKernelNodeParams* parameters) {
  CUDA_KERNEL_NODE_PARAMS native{};
  native.func = runtime::FunctionOf(parameters->func);
  native.gridDimX = parameters->gridDim.x;
  native.gridDimY = parameters->gridDim.y;
  native.gridDimZ = parameters->gridDim.z;
  native.blockDimX = parameters->blockDim.x;
  native.blockDimY = parameters->blockDim.y;
  native.blockDimZ = parameters->blockDim.z;
  native.sharedMemBytes = parameters->sharedMemBytes;
  native.kernelParams = parameters->kernelParams;
  native.extra = parameters->extra;
  if (native.func == nullptr) {
    return Remember(cudaErrorInvalidDeviceFunction);
  }
  return WithContext([&](const Driver& driver) {
    return driver.GraphAddKernelNode(node, graph, before, count, &native);
  });
}

}  // extern "C"
