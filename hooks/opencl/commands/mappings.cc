// Handlers of mapped regions of buffers and images.
#include "hooks/opencl/commands/mappings.h"

namespace gpusan::opencl {

void EnqueueMap::BeginMap(ClCall& call, const Side& side, bool known, cl_bool blocking,
                          cl_map_flags flags) {
  BeginTransfer(call, [&] {
    DescribedTransfer described{{TransferKind::kMap, side}, known};
    described.transfer.blocking = blocking;
    described.transfer.map_read = (flags & CL_MAP_READ) != 0;
    described.transfer.map_write = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
    return described;
  });
}

void EnqueueMap::EndMap(ClCall& call, cl_int code, void* pointer) {
  EnqueueTransfer::After(call, code);
  if (code == CL_SUCCESS && known() && pointer != nullptr) {
    call.tracker().accesses().AddMapping(call, transfer().source.resource, transfer().source,
                                         pointer, transfer().map_read, transfer().map_write);
  }
}

void EnqueueUnmap::BeginUnmap(ClCall& call, Resource* resource, void* pointer) {
  if (resource != nullptr &&
      call.tracker().accesses().RemoveMapping(call, resource, pointer, &mapping_))
    resource_ = resource;
  BeginTransfer(call, [&] {
    DescribedTransfer described;
    described.transfer.kind = TransferKind::kUnmap;
    described.transfer.map_write = mapping_.write;
    described.known = resource_ != nullptr;
    if (resource_ != nullptr) {
      described.transfer.source.resource = resource_->root;
      described.transfer.source.region = mapping_.region;
    }
    return described;
  });
}

void EnqueueUnmap::After(ClCall& call, cl_int code) {
  if (code != CL_SUCCESS && resource_ != nullptr)
    call.tracker().accesses().RestoreMapping(resource_, mapping_);
  EnqueueTransfer::After(call, code);
}

namespace handlers {

void clEnqueueMapBuffer::Before(ClCall& call, cl_command_queue queue, cl_mem buffer,
                                cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
                                cl_uint count, const cl_event* list, cl_event* event, cl_int*) {
  Open(call, queue, count, list, event);
  Resource* resource = Memory(call, buffer, MaskOf(ObjectKind::kBuffer), "buffer");
  BeginMap(call, BufferSide(resource, offset, size), HasKnownBytes(resource), blocking, flags);
}

void clEnqueueMapImage::Before(ClCall& call, cl_command_queue queue, cl_mem image, cl_bool blocking,
                               cl_map_flags flags, const size_t* origin, const size_t* region,
                               size_t*, size_t*, cl_uint count, const cl_event* list,
                               cl_event* event, cl_int*) {
  Open(call, queue, count, list, event);
  Resource* resource = Memory(call, image, MaskOf(ObjectKind::kImage), "image");
  const bool known = HasKnownTexels(resource, origin, region);
  BeginMap(call, known ? ImageSide(resource, origin, region) : Side(), known, blocking, flags);
}

void clEnqueueUnmapMemObject::Before(ClCall& call, cl_command_queue queue, cl_mem memory,
                                     void* pointer, cl_uint count, const cl_event* list,
                                     cl_event* event) {
  Open(call, queue, count, list, event);
  Resource* resource = Memory(call, memory, kAnyMemory, "memobj");
  BeginUnmap(call, HasKnownBytes(resource) ? resource : nullptr, pointer);
}

}  // namespace handlers
}  // namespace gpusan::opencl
