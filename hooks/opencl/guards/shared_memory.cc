// Guarded shared virtual memory: the program has the first bytes of a larger allocation. There is
// no zone in front, so that a free that gpusan does not see gets the address of the driver.
#include "hooks/opencl/guards/shared_memory.h"

#include <utility>

#include "absl/container/inlined_vector.h"

namespace gpusan::opencl {

void* AllocateGuardedSvm(AttachPath path, cl_context context, cl_svm_mem_flags flags, size_t size,
                         cl_uint alignment) {
  const auto allocate = GPUSAN_DRIVER(path, clSVMAlloc);
  const cl_command_queue queue =
      size != 0 && size < ~size_t{0} / 2 ? OwnQueue(path, context) : nullptr;
  if (queue == nullptr) return allocate(context, flags, size, alignment);
  GuardedBlock block;
  block.kind = kGuardedSvm;
  block.context = HandleOf(context);
  block.bytes = size;
  block.back = BackBytes();
  block.flags = flags;
  void* whole = allocate(context, flags, block.front + size + block.back, alignment);
  if (whole == nullptr) return allocate(context, flags, size, alignment);
  block.base = HandleOf(whole);
  if (!FillZones(path, queue, block)) {
    GPUSAN_DRIVER(path, clSVMFree)(context, whole);
    return allocate(context, flags, size, alignment);
  }
  block.key = block.base + block.front;
  void* const pointer = static_cast<char*>(whole) + block.front;
  Guards().Add(std::move(block));
  CheckAtExit(path);
  return pointer;
}

void FreeGuardedSvm(AttachPath path, cl_context context, void* pointer, const GuardCaller& caller) {
  static constexpr CallInfo kFree = {"clSVMFree", Api::kOpenCL};
  GuardedBlock block;
  if (TakeToFree(HandleOf(pointer), &block)) {
    CheckBlock(path, OwnQueue(path, reinterpret_cast<cl_context>(block.context)), block,
               "when it was freed", kFree, caller);
    pointer = reinterpret_cast<void*>(block.base);
  }
  GPUSAN_DRIVER(path, clSVMFree)(context, pointer);
}

cl_int EnqueueFreeGuardedSvm(AttachPath path, cl_command_queue queue, cl_uint count,
                             void* pointers[],
                             void(CL_CALLBACK* notify)(cl_command_queue, cl_uint, void*[], void*),
                             void* user_data, cl_uint events, const cl_event* list,
                             cl_event* event) {
  const auto free = GPUSAN_DRIVER(path, clEnqueueSVMFree);
  // A callback gets the program's pointers and frees them itself.
  if (notify != nullptr || pointers == nullptr)
    return free(queue, count, pointers, notify, user_data, events, list, event);
  absl::InlinedVector<void*, 8> bases(pointers, pointers + count);
  absl::InlinedVector<GuardedBlock, 2> taken;
  for (void*& base : bases) {
    GuardedBlock block;
    if (!TakeToFree(HandleOf(base), &block)) continue;
    base = reinterpret_cast<void*>(block.base);
    taken.push_back(std::move(block));
  }
  const cl_int code = free(queue, count, bases.data(), notify, user_data, events, list, event);
  if (code != CL_SUCCESS) {
    for (GuardedBlock& block : taken) Guards().Restore(std::move(block));
  }
  return code;
}

}  // namespace gpusan::opencl
