// Handlers of cl_intel_unified_shared_memory. The tracker treats host, device and shared
// allocations as shared virtual memory.
#include "hooks/opencl/commands/unified_memory.h"

#include <mutex>

#ifdef cl_intel_unified_shared_memory
namespace gpusan::opencl::handlers {

void UnifiedAllocationHandler::Begin(ClCall& call, cl_context context, size_t size,
                                     bool host_visible) {
  context_ = UseContext(call, context);
  size_ = size;
  host_visible_ = host_visible;
}

void UnifiedAllocationHandler::After(ClCall& call, void* memory) {
  if (memory == nullptr) {
    call.tracker().objects().NoteFailedCreation(call, ObjectKind::kSvm, call.code(), size_);
    call.Requested(size_);
    return;
  }
  ResourceSpec spec;
  spec.kind = ObjectKind::kSvm;
  spec.handle = HandleOf(memory);
  spec.context = context_;
  spec.bytes = size_;
  if (host_visible_) spec.flags |= kHostVisible;
  // Kernels may reach any allocation through pointers in memory
  // (CL_KERNEL_EXEC_INFO_INDIRECT_*_ACCESS_INTEL).
  spec.initialized = true;
  call.tracker().objects().NewResource(call, spec);
}

void clHostMemAllocINTEL::Before(ClCall& call, cl_context context, const cl_mem_properties_intel*,
                                 size_t size, cl_uint, cl_int*) {
  Begin(call, context, size, true);
}

void clDeviceMemAllocINTEL::Before(ClCall& call, cl_context context, cl_device_id,
                                   const cl_mem_properties_intel*, size_t size, cl_uint, cl_int*) {
  Begin(call, context, size, false);
}

void clSharedMemAllocINTEL::Before(ClCall& call, cl_context context, cl_device_id,
                                   const cl_mem_properties_intel*, size_t size, cl_uint, cl_int*) {
  Begin(call, context, size, true);
}

void UnifiedFreeHandler::Begin(ClCall& call, cl_context context, void* pointer, bool waits) {
  Tracker& tracker = call.tracker();
  UseContext(call, context);
  tracker.block_pools().Destroy(call, HandleOf(pointer));
  if (pointer != nullptr) resource_ = tracker.pointers().UseForFree(call, HandleOf(pointer), "ptr");
  if (resource_ == nullptr) return;
  if (waits) {
    std::lock_guard lock(resource_->lock);
    for (const Access& access : resource_->history) tracker.ordering().host().Join(access.epoch);
    resource_->history.Prune(tracker.ordering().host());
  }
  tracker.objects().Release(call, resource_, waits);
}

void UnifiedFreeHandler::After(ClCall& call, cl_int code) {
  if (code != CL_SUCCESS && resource_ != nullptr) call.tracker().objects().UndoRelease(resource_);
}

void clMemFreeINTEL::Before(ClCall& call, cl_context context, void* pointer) {
  Begin(call, context, pointer, false);
}

void clMemBlockingFreeINTEL::Before(ClCall& call, cl_context context, void* pointer) {
  Begin(call, context, pointer, true);
}

void clEnqueueMemsetINTEL::Before(ClCall& call, cl_command_queue queue, void* pointer, cl_int value,
                                  size_t size, cl_uint count, const cl_event* list,
                                  cl_event* event) {
  Open(call, queue, count, list, event);
  BeginTransfer(call,
                [&] { return DescribeSVMMemFill(call, this->queue(), pointer, &value, 1, size); });
}

void clEnqueueMigrateMemINTEL::Before(ClCall& call, cl_command_queue queue, const void*, size_t,
                                      cl_mem_migration_flags, cl_uint count, const cl_event* list,
                                      cl_event* event) {
  Open(call, queue, count, list, event);
  Begin(call);
}

void clEnqueueMemAdviseINTEL::Before(ClCall& call, cl_command_queue queue, const void*, size_t,
                                     cl_mem_advice_intel, cl_uint count, const cl_event* list,
                                     cl_event* event) {
  Open(call, queue, count, list, event);
  Begin(call);
}

}  // namespace gpusan::opencl::handlers
#endif
