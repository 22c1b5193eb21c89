// Handlers of mapped regions of buffers and images.
#include "hooks/opencl/commands/enqueue.h"

namespace gpusan::opencl {
namespace {

// Runs a map command. `real(cl_int*)` is the real call and returns the pointer.
template <typename Real>
void* Map(ClCall& call, Enqueue& enqueue, Transfer& transfer, bool known, cl_map_flags flags,
          cl_int* errcode_ret, Real real) {
  transfer.kind = TransferKind::kMap;
  transfer.map_write = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  transfer.map_read = (flags & CL_MAP_READ) != 0;
  enqueue.BeginTransfer(transfer, known);
  cl_int code = CL_SUCCESS;
  void* pointer = real(&code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  enqueue.EndTransfer(transfer, known, code);
  if (code == CL_SUCCESS && known && pointer != nullptr) {
    call.tracker().AddMapping(call, transfer.source.resource, transfer.source, pointer,
                              transfer.map_read, transfer.map_write);
  }
  call.Done(code);
  return pointer;
}

}  // namespace

void* Handle_clEnqueueMapBuffer(ClCall& call, cl_api_clEnqueueMapBuffer next,
                                cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                const cl_event* list, cl_event* event, cl_int* errcode_ret) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(buffer, MaskOf(ObjectKind::kBuffer), "buffer");
  Transfer transfer;
  transfer.blocking = blocking;
  transfer.source = BufferSide(resource, offset, size);
  const bool known = resource != nullptr && !resource->has(kImported);
  return Map(call, enqueue, transfer, known, flags, errcode_ret, [&](cl_int* code) {
    return next(queue, buffer, blocking, flags, offset, size, count, list, event, code);
  });
}

void* Handle_clEnqueueMapImage(ClCall& call, cl_api_clEnqueueMapImage next, cl_command_queue queue,
                               cl_mem image, cl_bool blocking, cl_map_flags flags,
                               const size_t* origin, const size_t* region, size_t* row_pitch,
                               size_t* slice_pitch, cl_uint count, const cl_event* list,
                               cl_event* event, cl_int* errcode_ret) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(image, MaskOf(ObjectKind::kImage), "image");
  const bool known = resource != nullptr && resource->image != nullptr &&
                     resource->image->texel_bytes != 0 && origin != nullptr && region != nullptr;
  Transfer transfer;
  transfer.blocking = blocking;
  if (known) transfer.source = ImageSide(resource, origin, region);
  return Map(call, enqueue, transfer, known, flags, errcode_ret, [&](cl_int* code) {
    return next(queue, image, blocking, flags, origin, region, row_pitch, slice_pitch, count, list,
                event, code);
  });
}

cl_int Handle_clEnqueueUnmapMemObject(ClCall& call, cl_api_clEnqueueUnmapMemObject next,
                                      cl_command_queue queue, cl_mem memory, void* pointer,
                                      cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(memory, kAnyMemory, "memobj");
  const bool known = resource != nullptr && !resource->has(kImported);
  Mapping mapping;
  const bool mapped = known && call.tracker().RemoveMapping(call, resource, pointer, &mapping);
  Transfer transfer;
  transfer.kind = TransferKind::kUnmap;
  transfer.map_write = mapping.write;
  if (mapped) {
    transfer.source.resource = resource->root;
    transfer.source.region = mapping.region;
  }
  enqueue.BeginTransfer(transfer, mapped);
  const cl_int code = next(queue, memory, pointer, count, list, event);
  if (code != CL_SUCCESS && mapped) call.tracker().RestoreMapping(resource, mapping);
  enqueue.EndTransfer(transfer, mapped, code);
  return call.Done(code);
}

}  // namespace gpusan::opencl
