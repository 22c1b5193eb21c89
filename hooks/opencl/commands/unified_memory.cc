// Handlers of cl_intel_unified_shared_memory. The tracker treats host, device and shared
// allocations as shared virtual memory.
#include "hooks/opencl/call/extension_handlers.h"
#include "hooks/opencl/commands/describe.h"
#include "hooks/opencl/commands/enqueue.h"

#ifdef cl_intel_unified_shared_memory
namespace gpusan::opencl {
namespace {

// `real(cl_int*)` is the real call. `host_visible`: the host can access the memory at any time,
// without a call.
template <typename Real>
void* Allocate(ClCall& call, cl_context context, size_t size, bool host_visible,
               cl_int* errcode_ret, Real real) {
  Object* owner =
      call.tracker().Use(call, HandleOf(context), MaskOf(ObjectKind::kContext), "context");
  call.BeforeReal();
  cl_int code = CL_SUCCESS;
  void* memory = real(&code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (memory == nullptr) {
    call.tracker().NoteFailedCreation(call, ObjectKind::kSvm, code, size);
    call.Requested(size);
    call.Done(code);
    return nullptr;
  }
  ResourceSpec spec;
  spec.kind = ObjectKind::kSvm;
  spec.handle = HandleOf(memory);
  spec.context = owner;
  spec.bytes = size;
  if (host_visible) spec.flags |= kHostVisible;
  // Kernels may reach any allocation through pointers in memory
  // (CL_KERNEL_EXEC_INFO_INDIRECT_*_ACCESS_INTEL).
  spec.initialized = true;
  call.tracker().NewResource(call, spec);
  call.Done(CL_SUCCESS);
  return memory;
}

cl_int Free(ClCall& call, clMemFreeINTEL_fn next, cl_context context, void* pointer, bool waits) {
  Tracker& tracker = call.tracker();
  tracker.Use(call, HandleOf(context), MaskOf(ObjectKind::kContext), "context");
  Resource* resource =
      pointer != nullptr ? tracker.UseForFree(call, HandleOf(pointer), "ptr") : nullptr;
  if (resource != nullptr) {
    if (waits) {
      // Every command that may use the allocation is complete when the call returns.
      std::lock_guard lock(resource->lock);
      for (const Access& access : resource->history) tracker.host().Join(access.epoch);
      resource->history.Prune(tracker.host());
    }
    tracker.Release(call, resource, waits);
  }
  call.BeforeReal();
  const cl_int code = next(context, pointer);
  if (code != CL_SUCCESS && resource != nullptr) tracker.UndoRelease(resource);
  return call.Done(code);
}

}  // namespace

void* Handle_clHostMemAllocINTEL(ClCall& call, clHostMemAllocINTEL_fn next, cl_context context,
                                 const cl_mem_properties_intel* properties, size_t size,
                                 cl_uint alignment, cl_int* errcode_ret) {
  return Allocate(call, context, size, true, errcode_ret,
                  [&](cl_int* code) { return next(context, properties, size, alignment, code); });
}

void* Handle_clDeviceMemAllocINTEL(ClCall& call, clDeviceMemAllocINTEL_fn next, cl_context context,
                                   cl_device_id device, const cl_mem_properties_intel* properties,
                                   size_t size, cl_uint alignment, cl_int* errcode_ret) {
  return Allocate(call, context, size, false, errcode_ret, [&](cl_int* code) {
    return next(context, device, properties, size, alignment, code);
  });
}

void* Handle_clSharedMemAllocINTEL(ClCall& call, clSharedMemAllocINTEL_fn next, cl_context context,
                                   cl_device_id device, const cl_mem_properties_intel* properties,
                                   size_t size, cl_uint alignment, cl_int* errcode_ret) {
  return Allocate(call, context, size, true, errcode_ret, [&](cl_int* code) {
    return next(context, device, properties, size, alignment, code);
  });
}

cl_int Handle_clMemFreeINTEL(ClCall& call, clMemFreeINTEL_fn next, cl_context context,
                             void* pointer) {
  return Free(call, next, context, pointer, false);
}

cl_int Handle_clMemBlockingFreeINTEL(ClCall& call, clMemBlockingFreeINTEL_fn next,
                                     cl_context context, void* pointer) {
  return Free(call, next, context, pointer, true);
}

cl_int Handle_clEnqueueMemsetINTEL(ClCall& call, clEnqueueMemsetINTEL_fn next,
                                   cl_command_queue queue, void* pointer, cl_int value, size_t size,
                                   cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  DescribedTransfer described = DescribeSVMMemFill(call, enqueue.queue(), pointer, &value, 1, size);
  return enqueue.Run(described.transfer, described.known,
                     [&] { return next(queue, pointer, value, size, count, list, event); });
}

cl_int Handle_clEnqueueMigrateMemINTEL(ClCall& call, clEnqueueMigrateMemINTEL_fn next,
                                       cl_command_queue queue, const void* pointer, size_t size,
                                       cl_mem_migration_flags flags, cl_uint count,
                                       const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  return enqueue.RunOrderOnly(
      false, false, [&] { return next(queue, pointer, size, flags, count, list, event); });
}

cl_int Handle_clEnqueueMemAdviseINTEL(ClCall& call, clEnqueueMemAdviseINTEL_fn next,
                                      cl_command_queue queue, const void* pointer, size_t size,
                                      cl_mem_advice_intel advice, cl_uint count,
                                      const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  return enqueue.RunOrderOnly(
      false, false, [&] { return next(queue, pointer, size, advice, count, list, event); });
}

}  // namespace gpusan::opencl
#endif
