// Handlers that only check the handles of a call: queries, and calls that do not change the shadow
// state. A failed query is reported only if the program passed too few bytes for the result
// (query_sizes.h).
#pragma once

#include "hooks/opencl/objects/query_sizes.h"
#include "hooks/opencl/objects/use_objects.h"

namespace gpusan::opencl::handlers {

inline void UseQueried(ClCall& call, cl_context context) { UseContext(call, context); }
inline void UseQueried(ClCall& call, cl_command_queue queue) { UseQueue(call, queue); }
inline void UseQueried(ClCall& call, cl_kernel kernel) { UseKernel(call, kernel); }
inline void UseQueried(ClCall& call, cl_mem memory) {
  UseMemory(call, nullptr, memory, kAnyMemory, "memobj");
}
inline void UseQueried(ClCall& call, cl_sampler sampler) {
  call.tracker().objects().Use(call, HandleOf(sampler), MaskOf(ObjectKind::kSampler), "sampler");
}

// Checks the object of a query, which is its first argument.
class QueriedObject {
 public:
  template <typename Handle, typename... Arguments>
  void Before(ClCall& call, Handle handle, Arguments...) {
    UseQueried(call, handle);
  }
};

// The base of the handlers of queries.
class QueryHandler : public QueriedObject {
 public:
  void After(ClCall& call, cl_int) { call.IgnoreFailure(); }
};

// The base of the handlers of clGet*Info. `member`: of the dispatch table. `returning`: the
// parameters whose value is a handle.
template <auto member, cl_uint... returning>
class InfoHandler : public QueriedObject {
 public:
  template <typename... Arguments>
  void After(ClCall& call, cl_int& code, Arguments... arguments) {
    if (!ExplainQuery<member>(call, code, arguments...)) call.IgnoreFailure();
    constexpr size_t kParameter = sizeof...(Arguments) - 4;
    const auto all = std::tie(arguments...);
    if (code == CL_SUCCESS && ((std::get<kParameter>(all) == returning) || ...))
      KeepReturned(call, std::get<kParameter + 2>(all));
  }
};

struct clGetContextInfo : InfoHandler<&cl_icd_dispatch::clGetContextInfo> {
  BeforeOf<cl_api_clGetContextInfo> Before;
};

struct clGetCommandQueueInfo : InfoHandler<&cl_icd_dispatch::clGetCommandQueueInfo,
                                           CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE_DEFAULT> {};

struct clGetSupportedImageFormats : QueryHandler {};

struct clGetMemObjectInfo : InfoHandler<&cl_icd_dispatch::clGetMemObjectInfo, CL_MEM_CONTEXT,
                                        CL_MEM_ASSOCIATED_MEMOBJECT> {};

struct clGetImageInfo : InfoHandler<&cl_icd_dispatch::clGetImageInfo, CL_IMAGE_BUFFER> {
  BeforeOf<cl_api_clGetImageInfo> Before;
};

struct clGetPipeInfo : InfoHandler<&cl_icd_dispatch::clGetPipeInfo> {
  BeforeOf<cl_api_clGetPipeInfo> Before;
};

struct clGetGLObjectInfo : QueryHandler {};

struct clGetGLTextureInfo : QueryHandler {};

struct clGetSamplerInfo : InfoHandler<&cl_icd_dispatch::clGetSamplerInfo, CL_SAMPLER_CONTEXT> {};

struct clGetProgramInfo : InfoHandler<&cl_icd_dispatch::clGetProgramInfo, CL_PROGRAM_CONTEXT> {
  BeforeOf<cl_api_clGetProgramInfo> Before;
};

struct clGetKernelInfo
    : InfoHandler<&cl_icd_dispatch::clGetKernelInfo, CL_KERNEL_CONTEXT, CL_KERNEL_PROGRAM> {
  BeforeOf<cl_api_clGetKernelInfo> Before;
};

struct clGetKernelWorkGroupInfo : InfoHandler<&cl_icd_dispatch::clGetKernelWorkGroupInfo> {};

struct clGetKernelArgInfo : InfoHandler<&cl_icd_dispatch::clGetKernelArgInfo> {};

struct clGetKernelSubGroupInfo : QueryHandler {};

struct clGetKernelSubGroupInfoKHR : clGetKernelSubGroupInfo {};

#ifdef cl_khr_suggested_local_work_size
struct clGetKernelSuggestedLocalWorkSizeKHR : QueryHandler {
  BeforeOf<clGetKernelSuggestedLocalWorkSizeKHR_fn> Before;
};
#endif

#ifdef cl_intel_unified_shared_memory
struct clGetMemAllocInfoINTEL : QueryHandler {};
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
