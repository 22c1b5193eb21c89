// Handlers of commands on memory that other APIs and processes share: acquisitions, releases, and
// the generation of mipmaps.
#include "hooks/opencl/commands/external_memory.h"

namespace gpusan::opencl::handlers {
namespace {

// Marks the whole resource as written, because gpusan cannot see the writes of the other API.
void MarkWritten(ClCall& call, Resource* resource) {
  call.tracker().accesses().MarkWritten(resource,
                                        Region::Linear(resource->root_offset, resource->bytes));
}

}  // namespace

void ExternalMemoryHandler::Before(ClCall& call, cl_command_queue queue, cl_uint num_objects,
                                   const cl_mem* objects, cl_uint count, const cl_event* list,
                                   cl_event* event) {
  Open(call, queue, count, list, event);
  for (cl_uint i = 0; objects != nullptr && i < num_objects; ++i) {
    Resource* resource = Memory(call, objects[i], kAnyMemory, "mem_objects");
    if (resource != nullptr) MarkWritten(call, resource);
  }
  Begin(call);
}

#ifdef cl_img_generate_mipmap
void clEnqueueGenerateMipmapIMG::Before(ClCall& call, cl_command_queue queue, cl_mem source,
                                        cl_mem destination, cl_mipmap_filter_mode_img,
                                        const size_t*, const size_t*, cl_uint count,
                                        const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  Memory(call, source, MaskOf(ObjectKind::kImage), "src_image");
  Resource* written = Memory(call, destination, MaskOf(ObjectKind::kImage), "dst_image");
  if (written != nullptr) MarkWritten(call, written);
  Begin(call);
}
#endif

void GraphicsMemoryHandler::Before(ClCall& call, cl_command_queue queue, cl_uint num_objects,
                                   const cl_mem* objects, cl_uint count, const cl_event* list,
                                   cl_event* event) {
  Open(call, queue, count, list, event);
  for (cl_uint i = 0; objects != nullptr && i < num_objects; ++i)
    Memory(call, objects[i], kAnyMemory, "mem_objects");
  Begin(call);
}

}  // namespace gpusan::opencl::handlers
