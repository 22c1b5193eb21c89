// Handlers of queries and other calls that only name objects: they check the handles. A query that
// fails is no finding.
#pragma once

#include "hooks/opencl/objects/use_objects.h"

namespace gpusan::opencl::handlers {

// The base of the handlers of queries.
class QueryHandler {
 public:
  void After(ClCall& call, cl_int) { call.IgnoreFailure(); }
};

// The base of the handlers of queries that may return a handle. `Parameters` lists those
// parameters.
template <cl_uint... parameters>
class ReturningQueryHandler {
 public:
  template <typename Handle>
  void After(ClCall& call, cl_int& code, Handle, cl_uint parameter, size_t, void* value, size_t*) {
    call.IgnoreFailure();
    if (code == CL_SUCCESS && ((parameter == parameters) || ...)) KeepReturned(call, value);
  }
};

struct clGetContextInfo : QueryHandler {
  BeforeOf<cl_api_clGetContextInfo> Before;
};

struct clGetCommandQueueInfo : ReturningQueryHandler<CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE_DEFAULT> {
  BeforeOf<cl_api_clGetCommandQueueInfo> Before;
};

struct clGetSupportedImageFormats : QueryHandler {
  BeforeOf<cl_api_clGetSupportedImageFormats> Before;
};

struct clGetMemObjectInfo : ReturningQueryHandler<CL_MEM_CONTEXT, CL_MEM_ASSOCIATED_MEMOBJECT> {
  BeforeOf<cl_api_clGetMemObjectInfo> Before;
};

struct clGetImageInfo : ReturningQueryHandler<CL_IMAGE_BUFFER> {
  BeforeOf<cl_api_clGetImageInfo> Before;
};

struct clGetPipeInfo : QueryHandler {
  BeforeOf<cl_api_clGetPipeInfo> Before;
};

struct clGetGLObjectInfo : QueryHandler {
  BeforeOf<cl_api_clGetGLObjectInfo> Before;
};

struct clGetGLTextureInfo : QueryHandler {
  BeforeOf<cl_api_clGetGLTextureInfo> Before;
};

struct clGetSamplerInfo : ReturningQueryHandler<CL_SAMPLER_CONTEXT> {
  BeforeOf<cl_api_clGetSamplerInfo> Before;
};

struct clGetProgramInfo : ReturningQueryHandler<CL_PROGRAM_CONTEXT> {
  BeforeOf<cl_api_clGetProgramInfo> Before;
};

struct clGetKernelInfo : ReturningQueryHandler<CL_KERNEL_CONTEXT, CL_KERNEL_PROGRAM> {
  BeforeOf<cl_api_clGetKernelInfo> Before;
};

struct clGetKernelWorkGroupInfo : QueryHandler {
  BeforeOf<cl_api_clGetKernelWorkGroupInfo> Before;
};

struct clGetKernelArgInfo : QueryHandler {
  BeforeOf<cl_api_clGetKernelArgInfo> Before;
};

struct clGetKernelSubGroupInfo : QueryHandler {
  BeforeOf<cl_api_clGetKernelSubGroupInfo> Before;
};

struct clGetKernelSubGroupInfoKHR : clGetKernelSubGroupInfo {};

#ifdef cl_khr_suggested_local_work_size
struct clGetKernelSuggestedLocalWorkSizeKHR : QueryHandler {
  BeforeOf<clGetKernelSuggestedLocalWorkSizeKHR_fn> Before;
};
#endif

#ifdef cl_intel_unified_shared_memory
struct clGetMemAllocInfoINTEL : QueryHandler {
  BeforeOf<clGetMemAllocInfoINTEL_fn> Before;
};
#endif

// --- not queries

struct clSetDefaultDeviceCommandQueue {
  BeforeOf<cl_api_clSetDefaultDeviceCommandQueue> Before;
};

struct clFlush {
  BeforeOf<cl_api_clFlush> Before;
};

struct clSetProgramSpecializationConstant {
  BeforeOf<cl_api_clSetProgramSpecializationConstant> Before;
};

}  // namespace gpusan::opencl::handlers
