// Checks of pointers that must point to shared virtual memory (OpenCL 3.0 §5.6.1).
#include "hooks/opencl/objects/shared_memory.h"

#include "tracker/rules/rules.h"

namespace gpusan::opencl {

bool SharesAllHostMemory(ClCall& call, const Object* context) {
  if (context == nullptr) return true;
  auto& known = static_cast<PlainObject*>(const_cast<Object*>(context))->shares_all_host_memory;
  int8_t answer = known.load(std::memory_order_relaxed);
  if (answer >= 0) return answer != 0;
  answer = 0;
  const auto get_context = GPUSAN_NEXT(call, clGetContextInfo);
  const auto get_device = GPUSAN_NEXT(call, clGetDeviceInfo);
  cl_device_id devices[64];
  size_t bytes = 0;
  if (get_context == nullptr || get_device == nullptr ||
      get_context(reinterpret_cast<cl_context>(context->handle), CL_CONTEXT_DEVICES,
                  sizeof(devices), devices, &bytes) != CL_SUCCESS) {
    return true;
  }
  for (size_t i = 0; i < bytes / sizeof(cl_device_id); ++i) {
    cl_device_svm_capabilities capabilities = 0;
    if (get_device(devices[i], CL_DEVICE_SVM_CAPABILITIES, sizeof(capabilities), &capabilities,
                   nullptr) == CL_SUCCESS &&
        (capabilities & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0) {
      answer = 1;
    }
  }
  known.store(answer, std::memory_order_relaxed);
  return answer != 0;
}

Resource* UseShared(ClCall& call, const Queue* queue, const void* pointer, uint64_t bytes,
                    const char* argument, uint64_t* offset) {
  if (pointer == nullptr) return nullptr;
  Tracker& tracker = call.tracker();
  Resource* resource = tracker.objects().FindAddress(HandleOf(pointer), offset);
  if (resource != nullptr) {
    if (BlockPools& pools = tracker.block_pools();
        pools.MayUseParent(*resource, SaturatingAdd(*offset, bytes))) [[unlikely]] {
      if (Resource* parent = pools.UseParent(HandleOf(pointer), bytes); parent != nullptr) {
        resource = parent;
        *offset = HandleOf(pointer) - parent->handle;
      }
    }
    rules::CheckContext(call, resource, queue, argument);
  } else if (queue != nullptr && !SharesAllHostMemory(call, queue->context)) {
    tracker.pointers().CheckSharedPointer(call, HandleOf(pointer), bytes, argument);
  }
  return resource;
}

void CheckSharedContext(ClCall& call, const Queue* queue, const Side& side, const char* argument) {
  if (side.resource != nullptr) rules::CheckContext(call, side.resource, queue, argument);
}

}  // namespace gpusan::opencl
