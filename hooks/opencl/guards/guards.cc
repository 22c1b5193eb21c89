// The guarded forms of the driver's functions, one for each attach path.
#include "hooks/opencl/guards/guards.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "hooks/common/guard.h"
#include "hooks/opencl/guards/buffers.h"
#include "hooks/opencl/guards/shared_memory.h"

namespace gpusan::opencl {
namespace {

// Replaces a guarded buffer and an offset in it [bytes] by its whole and the offset in that. Not if
// the offset is outside of the buffer: the driver must reject it.
void NameWhole(cl_mem* buffer, size_t* offset) {
  GuardedBlock block;
  if (!Guards().Find(HandleOf(*buffer), &block) || *offset >= block.bytes) return;
  *buffer = reinterpret_cast<cl_mem>(block.base);
  *offset += block.front;
}

// In front of the arguments of a native kernel whose buffers are guarded: it gets the memory of the
// wholes, and moves the pointers before the program's function runs.
struct alignas(16) NativeArguments {
  static constexpr size_t kMost = 32;
  void(CL_CALLBACK* function)(void*) = nullptr;
  size_t count = 0;
  struct {
    size_t at;       // of the pointer, in the arguments of the program [bytes]
    uint64_t front;  // [bytes]
  } moved[kMost] = {};
};

void CL_CALLBACK RunNative(void* arguments) {
  const auto& head = *static_cast<const NativeArguments*>(arguments);
  char* const own = static_cast<char*>(arguments) + sizeof(head);
  for (size_t i = 0; i < head.count; ++i) {
    char* pointer = nullptr;
    std::memcpy(&pointer, own + head.moved[i].at, sizeof(pointer));
    pointer += head.moved[i].front;
    std::memcpy(own + head.moved[i].at, &pointer, sizeof(pointer));
  }
  const ReentryPause pause;
  head.function(own);
}

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

  // These commands name the whole to the driver: PoCL 3.1 crashes when they name a sub-buffer.

  static cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem from,
                                                       cl_mem to, size_t offset,
                                                       const size_t* origin, const size_t* region,
                                                       cl_uint count, const cl_event* list,
                                                       cl_event* event) {
    if (GuardsApply()) NameWhole(&from, &offset);
    const ReentryGuard nested;
    return GPUSAN_DRIVER(path, clEnqueueCopyBufferToImage)(queue, from, to, offset, origin, region,
                                                           count, list, event);
  }

  static cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem from,
                                                       cl_mem to, const size_t* origin,
                                                       const size_t* region, size_t offset,
                                                       cl_uint count, const cl_event* list,
                                                       cl_event* event) {
    if (GuardsApply()) NameWhole(&to, &offset);
    const ReentryGuard nested;
    return GPUSAN_DRIVER(path, clEnqueueCopyImageToBuffer)(queue, from, to, origin, region, offset,
                                                           count, list, event);
  }

  static cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue,
                                                  void(CL_CALLBACK* function)(void*),
                                                  void* arguments, size_t bytes, cl_uint buffers,
                                                  const cl_mem* list_of_buffers,
                                                  const void** places, cl_uint count,
                                                  const cl_event* list, cl_event* event) {
    const auto enqueue = GPUSAN_DRIVER(path, clEnqueueNativeKernel);
    const auto plain = [&] {
      return enqueue(queue, function, arguments, bytes, buffers, list_of_buffers, places, count,
                     list, event);
    };
    if (!GuardsApply() || function == nullptr || arguments == nullptr ||
        list_of_buffers == nullptr || places == nullptr || buffers > NativeArguments::kMost)
      return plain();
    const ReentryGuard nested;
    NativeArguments head;
    head.function = function;
    std::vector<char> all(sizeof(head) + bytes);
    std::vector<cl_mem> wholes(list_of_buffers, list_of_buffers + buffers);
    std::vector<const void*> moved(buffers);
    for (cl_uint i = 0; i < buffers; ++i) {
      const auto at = static_cast<size_t>(static_cast<const char*>(places[i]) -
                                          static_cast<const char*>(arguments));
      if (at >= bytes) return plain();
      moved[i] = all.data() + sizeof(head) + at;
      size_t front = 0;
      NameWhole(&wholes[i], &front);
      if (front != 0) head.moved[head.count++] = {at, front};
    }
    if (head.count == 0) return plain();
    std::memcpy(all.data(), &head, sizeof(head));
    std::memcpy(all.data() + sizeof(head), arguments, bytes);
    return enqueue(queue, &RunNative, all.data(), all.size(), buffers, wholes.data(), moved.data(),
                   count, list, event);
  }

  static cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                                                    const size_t* from_origin,
                                                    const size_t* to_origin, const size_t* region,
                                                    size_t from_row, size_t from_slice,
                                                    size_t to_row, size_t to_slice, cl_uint count,
                                                    const cl_event* list, cl_event* event) {
    size_t from_moved[3], to_moved[3];
    if (GuardsApply() && from_origin != nullptr && to_origin != nullptr) {
      std::copy_n(from_origin, 3, from_moved);
      std::copy_n(to_origin, 3, to_moved);
      NameWhole(&from, &from_moved[0]);
      NameWhole(&to, &to_moved[0]);
      from_origin = from_moved;
      to_origin = to_moved;
    }
    const ReentryGuard nested;
    return GPUSAN_DRIVER(path, clEnqueueCopyBufferRect)(queue, from, to, from_origin, to_origin,
                                                        region, from_row, from_slice, to_row,
                                                        to_slice, count, list, event);
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
  DO(clEnqueueSVMFree) DO(clEnqueueCopyBufferToImage) DO(clEnqueueCopyImageToBuffer)         \
  DO(clEnqueueCopyBufferRect) DO(clEnqueueNativeKernel)
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

bool HasGuardZones(cl_mem buffer) {
  GuardedBlock block;
  return GuardsOn() && Guards().Find(HandleOf(buffer), &block);
}

uint64_t UnguardedCount() { return GuardsOn() ? Guards().unguarded() : 0; }

}  // namespace gpusan::opencl
