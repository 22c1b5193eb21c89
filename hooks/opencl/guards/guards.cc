// The guarded forms of the driver's functions, one for each attach path.
#include "hooks/opencl/guards/guards.h"

#include "hooks/common/guard.h"
#include "hooks/opencl/guards/buffers.h"
#include "hooks/opencl/guards/shared_memory.h"

namespace gpusan::opencl {
namespace {

template <AttachPath path>
struct Guarded {
  static cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                           void* host_ptr, cl_int* code) {
    if (!GuardsApply())
      return GPUSAN_DRIVER(path, clCreateBuffer)(context, flags, size, host_ptr, code);
    const ReentryGuard nested;
    static constexpr CallInfo kInfo = {"clCreateBuffer", Api::kOpenCL};
    CheckRetired(kInfo, GPUSAN_GUARD_CALLER());
    return CreateGuardedBuffer(path, context, flags, size, host_ptr, code);
  }

  static cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                         const cl_mem_properties* properties,
                                                         cl_mem_flags flags, size_t size,
                                                         void* host_ptr, cl_int* code) {
    if (!GuardsApply())
      return GPUSAN_DRIVER(path, clCreateBufferWithProperties)(context, properties, flags, size,
                                                               host_ptr, code);
    const ReentryGuard nested;
    // With properties the memory may be another API's, and the program can read them back.
    if (properties == nullptr)
      return CreateGuardedBuffer(path, context, flags, size, host_ptr, code);
    return GPUSAN_DRIVER(path, clCreateBufferWithProperties)(context, properties, flags, size,
                                                             host_ptr, code);
  }

  static cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                              cl_buffer_create_type type, const void* info,
                                              cl_int* code) {
    if (!GuardsApply())
      return GPUSAN_DRIVER(path, clCreateSubBuffer)(buffer, flags, type, info, code);
    const ReentryGuard nested;
    return CreateSubBufferOfGuarded(path, buffer, flags, type, info, code);
  }

  static cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memory, cl_mem_info parameter, size_t size,
                                               void* value, size_t* size_ret) {
    if (!GuardsApply())
      return GPUSAN_DRIVER(path, clGetMemObjectInfo)(memory, parameter, size, value, size_ret);
    const ReentryGuard nested;
    return GuardedMemObjectInfo(path, memory, parameter, size, value, size_ret);
  }

  static cl_int CL_API_CALL clReleaseMemObject(cl_mem memory) {
    if (!GuardsApply()) return GPUSAN_DRIVER(path, clReleaseMemObject)(memory);
    const ReentryGuard nested;
    static constexpr CallInfo kInfo = {"clReleaseMemObject", Api::kOpenCL};
    const cl_int code = GPUSAN_DRIVER(path, clReleaseMemObject)(memory);
    CheckRetired(kInfo, GPUSAN_GUARD_CALLER());
    return code;
  }

  static cl_int CL_API_CALL clReleaseContext(cl_context context) {
    if (!GuardsApply()) return GPUSAN_DRIVER(path, clReleaseContext)(context);
    const ReentryGuard nested;
    static constexpr CallInfo kInfo = {"clReleaseContext", Api::kOpenCL};
    CheckRetired(kInfo, GPUSAN_GUARD_CALLER());
    DropOwnQueue(path, context);
    return GPUSAN_DRIVER(path, clReleaseContext)(context);
  }

  static cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info parameter,
                                             size_t size, void* value, size_t* size_ret) {
    if (!GuardsApply())
      return GPUSAN_DRIVER(path, clGetContextInfo)(context, parameter, size, value, size_ret);
    const ReentryGuard nested;
    if (parameter == CL_CONTEXT_REFERENCE_COUNT) DropOwnQueue(path, context);
    return GPUSAN_DRIVER(path, clGetContextInfo)(context, parameter, size, value, size_ret);
  }

  static cl_int CL_API_CALL clFinish(cl_command_queue queue) {
    if (!GuardsApply()) return GPUSAN_DRIVER(path, clFinish)(queue);
    const ReentryGuard nested;
    static constexpr CallInfo kInfo = {"clFinish", Api::kOpenCL};
    const cl_int code = GPUSAN_DRIVER(path, clFinish)(queue);
    if (code == CL_SUCCESS) {
      CheckAfterFinish(path, queue, GPUSAN_GUARD_CALLER());
      CheckRetired(kInfo, GPUSAN_GUARD_CALLER());
    }
    return code;
  }

  static cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                   cl_uint dimensions, const size_t* offset,
                                                   const size_t* global, const size_t* local,
                                                   cl_uint count, const cl_event* list,
                                                   cl_event* event) {
    if (!GuardsApply())
      return GPUSAN_DRIVER(path, clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global,
                                                         local, count, list, event);
    const ReentryGuard nested;
    static constexpr CallInfo kInfo = {"clEnqueueNDRangeKernel", Api::kOpenCL};
    const cl_int code = GPUSAN_DRIVER(path, clEnqueueNDRangeKernel)(
        queue, kernel, dimensions, offset, global, local, count, list, event);
    if (code == CL_SUCCESS) NoteGuardedLaunch(path, queue, kernel, kInfo, GPUSAN_GUARD_CALLER());
    return code;
  }

  static cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                                          const cl_event* list, cl_event* event) {
    if (!GuardsApply())
      return GPUSAN_DRIVER(path, clEnqueueTask)(queue, kernel, count, list, event);
    const ReentryGuard nested;
    static constexpr CallInfo kInfo = {"clEnqueueTask", Api::kOpenCL};
    const cl_int code = GPUSAN_DRIVER(path, clEnqueueTask)(queue, kernel, count, list, event);
    if (code == CL_SUCCESS) NoteGuardedLaunch(path, queue, kernel, kInfo, GPUSAN_GUARD_CALLER());
    return code;
  }

  static void* CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                      cl_uint alignment) {
    if (!GuardsApply()) return GPUSAN_DRIVER(path, clSVMAlloc)(context, flags, size, alignment);
    const ReentryGuard nested;
    return AllocateGuardedSvm(path, context, flags, size, alignment);
  }

  static void CL_API_CALL clSVMFree(cl_context context, void* pointer) {
    if (!GuardsApply()) return GPUSAN_DRIVER(path, clSVMFree)(context, pointer);
    const ReentryGuard nested;
    FreeGuardedSvm(path, context, pointer, GPUSAN_GUARD_CALLER());
  }

  static cl_int CL_API_CALL
  clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void* pointers[],
                   void(CL_CALLBACK* notify)(cl_command_queue, cl_uint, void*[], void*),
                   void* user_data, cl_uint events, const cl_event* list, cl_event* event) {
    if (!GuardsApply()) {
      return GPUSAN_DRIVER(path, clEnqueueSVMFree)(queue, count, pointers, notify, user_data,
                                                   events, list, event);
    }
    const ReentryGuard nested;
    return EnqueueFreeGuardedSvm(path, queue, count, pointers, notify, user_data, events, list,
                                 event);
  }
};

// clang-format off
#define GPUSAN_EACH_GUARDED(DO)                                                              \
  DO(clCreateBuffer) DO(clCreateBufferWithProperties) DO(clCreateSubBuffer)                  \
  DO(clGetMemObjectInfo) DO(clReleaseMemObject) DO(clReleaseContext) DO(clGetContextInfo)    \
  DO(clFinish) DO(clEnqueueNDRangeKernel) DO(clEnqueueTask) DO(clSVMAlloc) DO(clSVMFree)     \
  DO(clEnqueueSVMFree)
// clang-format on

template <AttachPath path>
void* FormAt(size_t offset) {
#define GPUSAN_FORM(name)                            \
  if (offset == offsetof(cl_icd_dispatch, name)) {   \
    const cl_api_##name form = &Guarded<path>::name; \
    return reinterpret_cast<void*>(form);            \
  }
  GPUSAN_EACH_GUARDED(GPUSAN_FORM)
#undef GPUSAN_FORM
  return nullptr;
}

void* FormOn(AttachPath path, size_t offset) {
  switch (path) {
    case kLayerPath:
      return FormAt<kLayerPath>(offset);
    case kExportPath:
      return FormAt<kExportPath>(offset);
    case kSymbolPath:
      return FormAt<kSymbolPath>(offset);
    default:
      return FormAt<kSymbolPath2>(offset);
  }
}

void*& DriverEntry(AttachPath path, size_t offset) {
  return *reinterpret_cast<void**>(reinterpret_cast<char*>(&DriverTable(path)) + offset);
}

}  // namespace

void* GuardedFunction(AttachPath path, size_t offset, void* real) {
  if (!GuardsOn() || real == nullptr) return real;
  DriverEntry(path, offset) = real;
  void* form = FormOn(path, offset);
  return form != nullptr ? form : real;
}

void* FunctionBehindGuard(AttachPath path, size_t offset, void* function) {
  if (!GuardsOn() || function == nullptr || FormOn(path, offset) != function) return function;
  return DriverEntry(path, offset);
}

void DescribeGuarded(const Resource& resource) { Guards().Describe(resource, Words()); }

uint64_t UnguardedCount() { return GuardsOn() ? Guards().unguarded() : 0; }

}  // namespace gpusan::opencl
