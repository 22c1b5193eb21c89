// Handlers of commands on memory that other APIs and processes share: acquisitions, releases, and
// the generation of mipmaps.
#include "hooks/opencl/call/extension_handlers.h"
#include "hooks/opencl/commands/enqueue.h"

namespace gpusan::opencl {
namespace {

// Marks the whole resource as written, because gpusan cannot see the writes of the other API.
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

// Memory shared with OpenGL and EGL. The accesses of the other API are not visible.
#define GPUSAN_SHARED_ENQUEUE(name)                                                             \
  cl_int Handle_##name(ClCall& call, cl_api_##name next, cl_command_queue queue, cl_uint count, \
                       const cl_mem* list, cl_uint num_events, const cl_event* events,          \
                       cl_event* event) {                                                       \
    Enqueue enqueue(call, queue, num_events, events, event);                                    \
    for (cl_uint i = 0; list != nullptr && i < count; ++i)                                      \
      enqueue.Memory(list[i], kAnyMemory, "mem_objects");                                       \
    return enqueue.RunOrderOnly(                                                                \
        false, false, [&] { return next(queue, count, list, num_events, events, event); });     \
  }
GPUSAN_SHARED_ENQUEUE(clEnqueueAcquireGLObjects)
GPUSAN_SHARED_ENQUEUE(clEnqueueReleaseGLObjects)
GPUSAN_SHARED_ENQUEUE(clEnqueueAcquireEGLObjectsKHR)
GPUSAN_SHARED_ENQUEUE(clEnqueueReleaseEGLObjectsKHR)
#undef GPUSAN_SHARED_ENQUEUE

}  // namespace gpusan::opencl
