// Handlers of memory that other APIs and processes share: acquired, released, and commands that no
// core function has.
#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/dispatch/extensions.h"

namespace gpusan::opencl {
namespace {

// The whole resource counts as written: by whom cannot be seen.
void MarkWritten(ClCall& call, Enqueue& enqueue, Resource* resource) {
  Transfer transfer;
  transfer.kind = TransferKind::kFill;
  transfer.destination = BufferSide(resource, 0, resource->bytes);
  call.tracker().CommitTransfer(enqueue.command(), transfer);
}

template <typename Function>
cl_int Exchange(ClCall& call, Function next, cl_command_queue queue, cl_uint num_objects,
                const cl_mem* objects, cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  for (cl_uint i = 0; objects != nullptr && i < num_objects; ++i) {
    Resource* resource = enqueue.Memory(objects[i], kAnyMemory, "mem_objects");
    if (resource != nullptr) MarkWritten(call, enqueue, resource);
  }
  return enqueue.RunOrderOnly(
      false, false, [&] { return next(queue, num_objects, objects, count, list, event); });
}

}  // namespace

#define GPUSAN_EXCHANGE(name)                                                                     \
  cl_int Handle_##name(ClCall& call, name##_fn next, cl_command_queue queue, cl_uint num_objects, \
                       const cl_mem* objects, cl_uint count, const cl_event* list,                \
                       cl_event* event) {                                                         \
    return Exchange(call, next, queue, num_objects, objects, count, list, event);                 \
  }
#ifdef cl_khr_external_memory
GPUSAN_EXCHANGE(clEnqueueAcquireExternalMemObjectsKHR)
GPUSAN_EXCHANGE(clEnqueueReleaseExternalMemObjectsKHR)
#endif
#ifdef cl_img_use_gralloc_ptr
GPUSAN_EXCHANGE(clEnqueueAcquireGrallocObjectsIMG)
GPUSAN_EXCHANGE(clEnqueueReleaseGrallocObjectsIMG)
#endif
#undef GPUSAN_EXCHANGE

#ifdef cl_img_generate_mipmap
cl_int Handle_clEnqueueGenerateMipmapIMG(ClCall& call, clEnqueueGenerateMipmapIMG_fn next,
                                         cl_command_queue queue, cl_mem source, cl_mem destination,
                                         cl_mipmap_filter_mode_img filter,
                                         const size_t* array_region, const size_t* mip_region,
                                         cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  enqueue.Memory(source, MaskOf(ObjectKind::kImage), "src_image");
  Resource* written = enqueue.Memory(destination, MaskOf(ObjectKind::kImage), "dst_image");
  if (written != nullptr) MarkWritten(call, enqueue, written);
  return enqueue.RunOrderOnly(false, false, [&] {
    return next(queue, source, destination, filter, array_region, mip_region, count, list, event);
  });
}
#endif

#ifdef cl_khr_terminate_context
cl_int Handle_clTerminateContextKHR(ClCall& call, clTerminateContextKHR_fn next,
                                    cl_context context) {
  call.tracker().Use(call, HandleOf(context), MaskOf(ObjectKind::kContext), "context");
  call.BeforeReal();
  return call.Done(next(context));
}
#endif

cl_int Handle_clSetContentSizeBufferPoCL(ClCall& call, clSetContentSizeBufferPoCL_fn next,
                                         cl_mem buffer, cl_mem content_size_buffer) {
  Resource* resource = UseMemory(call, nullptr, buffer, MaskOf(ObjectKind::kBuffer), "buffer");
  UseMemory(call, resource, content_size_buffer, MaskOf(ObjectKind::kBuffer),
            "content_size_buffer");
  call.BeforeReal();
  return call.Done(next(buffer, content_size_buffer));
}

cl_int Handle_clSetKernelArgDevicePointerEXT(ClCall& call, clSetKernelArgDevicePointerEXT_fn next,
                                             cl_kernel kernel, cl_uint index, cl_ulong address) {
  auto* shadow = static_cast<Kernel*>(
      call.tracker().Use(call, HandleOf(kernel), MaskOf(ObjectKind::kKernel), "kernel"));
  call.BeforeReal();
  const cl_int code = next(kernel, index, address);
  if (code == CL_SUCCESS && shadow != nullptr && index < shadow->arguments.size()) {
    // A device's address is not one of the host: which buffer it lies in is not known.
    KernelArgument& argument = shadow->arguments[index];
    argument.set = true;
    argument.svm = false;
    argument.value = 1;
    argument.resource = WeakRef<Resource>();
  }
  return call.Done(code);
}

}  // namespace gpusan::opencl
