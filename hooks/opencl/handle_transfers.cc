// Handlers of commands whose every byte is known: reads, writes, copies, fills, of buffers,
// rectangles and images.
#include "hooks/opencl/enqueue.h"

namespace gpusan::opencl {
namespace {

constexpr KindMask kBuffer = MaskOf(ObjectKind::kBuffer);
constexpr KindMask kImage = MaskOf(ObjectKind::kImage);

// An image whose format is understood and whose region was given.
bool Known(const Resource* image, const void* origin, const void* region) {
  return image != nullptr && image->image != nullptr && image->image->texel_bytes != 0 &&
         origin != nullptr && region != nullptr;
}

// Bytes of a region of an image when they lie packed in a buffer.
uint64_t ImageBytes(const Resource* image, const size_t* region) {
  return SaturatingMultiply(SaturatingMultiply(region[0], image->image->texel_bytes),
                            SaturatingMultiply(region[1], region[2]));
}

// The destination of a transfer of which only the resource is known.
Side Unknown(Resource* resource) {
  Side side;
  side.resource = resource;
  return side;
}

bool Sized(const Resource* buffer) { return buffer != nullptr && !buffer->has(kImported); }

}  // namespace

cl_int Handle_clEnqueueReadBuffer(ClCall& call, cl_api_clEnqueueReadBuffer next,
                                  cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  size_t offset, size_t size, void* ptr, cl_uint count,
                                  const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(buffer, kBuffer, "buffer");
  Transfer transfer{TransferKind::kRead, BufferSide(resource, offset, size),
                    HostSide(call, ptr, Region::Linear(0, size)), blocking != 0};
  return enqueue.Run(transfer, Sized(resource), [&] {
    return next(queue, buffer, blocking, offset, size, ptr, count, list, event);
  });
}

cl_int Handle_clEnqueueWriteBuffer(ClCall& call, cl_api_clEnqueueWriteBuffer next,
                                   cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                   size_t offset, size_t size, const void* ptr, cl_uint count,
                                   const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(buffer, kBuffer, "buffer");
  Transfer transfer{TransferKind::kWrite, HostSide(call, ptr, Region::Linear(0, size)),
                    BufferSide(resource, offset, size), blocking != 0};
  return enqueue.Run(transfer, Sized(resource), [&] {
    return next(queue, buffer, blocking, offset, size, ptr, count, list, event);
  });
}

cl_int Handle_clEnqueueReadBufferRect(ClCall& call, cl_api_clEnqueueReadBufferRect next,
                                      cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      const size_t* buffer_origin, const size_t* host_origin,
                                      const size_t* region, size_t buffer_row_pitch,
                                      size_t buffer_slice_pitch, size_t host_row_pitch,
                                      size_t host_slice_pitch, void* ptr, cl_uint count,
                                      const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(buffer, kBuffer, "buffer");
  Transfer transfer{TransferKind::kRead,
                    RectSide(resource, buffer_origin, region, buffer_row_pitch, buffer_slice_pitch),
                    HostRectSide(call, ptr, host_origin, region, host_row_pitch, host_slice_pitch),
                    blocking != 0};
  return enqueue.Run(transfer, Sized(resource) && buffer_origin && host_origin && region, [&] {
    return next(queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row_pitch,
                buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr, count, list, event);
  });
}

cl_int Handle_clEnqueueWriteBufferRect(ClCall& call, cl_api_clEnqueueWriteBufferRect next,
                                       cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       const size_t* buffer_origin, const size_t* host_origin,
                                       const size_t* region, size_t buffer_row_pitch,
                                       size_t buffer_slice_pitch, size_t host_row_pitch,
                                       size_t host_slice_pitch, const void* ptr, cl_uint count,
                                       const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(buffer, kBuffer, "buffer");
  Transfer transfer{TransferKind::kWrite,
                    HostRectSide(call, ptr, host_origin, region, host_row_pitch, host_slice_pitch),
                    RectSide(resource, buffer_origin, region, buffer_row_pitch, buffer_slice_pitch),
                    blocking != 0};
  return enqueue.Run(transfer, Sized(resource) && buffer_origin && host_origin && region, [&] {
    return next(queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row_pitch,
                buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr, count, list, event);
  });
}

cl_int Handle_clEnqueueCopyBuffer(ClCall& call, cl_api_clEnqueueCopyBuffer next,
                                  cl_command_queue queue, cl_mem source, cl_mem destination,
                                  size_t source_offset, size_t destination_offset, size_t size,
                                  cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* from = enqueue.Memory(source, kBuffer, "src_buffer");
  Resource* to = enqueue.Memory(destination, kBuffer, "dst_buffer");
  Transfer transfer{TransferKind::kCopy, BufferSide(from, source_offset, size),
                    BufferSide(to, destination_offset, size)};
  return enqueue.Run(transfer, Sized(from) && Sized(to), [&] {
    return next(queue, source, destination, source_offset, destination_offset, size, count, list,
                event);
  });
}

cl_int Handle_clEnqueueCopyBufferRect(ClCall& call, cl_api_clEnqueueCopyBufferRect next,
                                      cl_command_queue queue, cl_mem source, cl_mem destination,
                                      const size_t* source_origin, const size_t* destination_origin,
                                      const size_t* region, size_t source_row_pitch,
                                      size_t source_slice_pitch, size_t destination_row_pitch,
                                      size_t destination_slice_pitch, cl_uint count,
                                      const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* from = enqueue.Memory(source, kBuffer, "src_buffer");
  Resource* to = enqueue.Memory(destination, kBuffer, "dst_buffer");
  Transfer transfer{
      TransferKind::kCopy,
      RectSide(from, source_origin, region, source_row_pitch, source_slice_pitch),
      RectSide(to, destination_origin, region, destination_row_pitch, destination_slice_pitch)};
  return enqueue.Run(
      transfer, Sized(from) && Sized(to) && source_origin && destination_origin && region, [&] {
        return next(queue, source, destination, source_origin, destination_origin, region,
                    source_row_pitch, source_slice_pitch, destination_row_pitch,
                    destination_slice_pitch, count, list, event);
      });
}

cl_int Handle_clEnqueueFillBuffer(ClCall& call, cl_api_clEnqueueFillBuffer next,
                                  cl_command_queue queue, cl_mem buffer, const void* pattern,
                                  size_t pattern_size, size_t offset, size_t size, cl_uint count,
                                  const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(buffer, kBuffer, "buffer");
  Transfer transfer{TransferKind::kFill, Side(), BufferSide(resource, offset, size), false,
                    pattern_size};
  return enqueue.Run(transfer, Sized(resource), [&] {
    return next(queue, buffer, pattern, pattern_size, offset, size, count, list, event);
  });
}

cl_int Handle_clEnqueueReadImage(ClCall& call, cl_api_clEnqueueReadImage next,
                                 cl_command_queue queue, cl_mem image, cl_bool blocking,
                                 const size_t* origin, const size_t* region, size_t row_pitch,
                                 size_t slice_pitch, void* ptr, cl_uint count, const cl_event* list,
                                 cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(image, kImage, "image");
  const bool known = Known(resource, origin, region);
  Transfer transfer{
      TransferKind::kRead, known ? ImageSide(resource, origin, region) : Side(),
      known ? HostImageSide(call, ptr, resource, region, row_pitch, slice_pitch) : Side(),
      blocking != 0};
  return enqueue.Run(transfer, known, [&] {
    return next(queue, image, blocking, origin, region, row_pitch, slice_pitch, ptr, count, list,
                event);
  });
}

cl_int Handle_clEnqueueWriteImage(ClCall& call, cl_api_clEnqueueWriteImage next,
                                  cl_command_queue queue, cl_mem image, cl_bool blocking,
                                  const size_t* origin, const size_t* region, size_t row_pitch,
                                  size_t slice_pitch, const void* ptr, cl_uint count,
                                  const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(image, kImage, "image");
  const bool known = Known(resource, origin, region);
  Transfer transfer{
      TransferKind::kWrite,
      known ? HostImageSide(call, ptr, resource, region, row_pitch, slice_pitch) : Side(),
      known ? ImageSide(resource, origin, region) : Unknown(resource), blocking != 0};
  return enqueue.Run(transfer, known, [&] {
    return next(queue, image, blocking, origin, region, row_pitch, slice_pitch, ptr, count, list,
                event);
  });
}

cl_int Handle_clEnqueueCopyImage(ClCall& call, cl_api_clEnqueueCopyImage next,
                                 cl_command_queue queue, cl_mem source, cl_mem destination,
                                 const size_t* source_origin, const size_t* destination_origin,
                                 const size_t* region, cl_uint count, const cl_event* list,
                                 cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* from = enqueue.Memory(source, kImage, "src_image");
  Resource* to = enqueue.Memory(destination, kImage, "dst_image");
  const bool known = Known(from, source_origin, region) && Known(to, destination_origin, region);
  Transfer transfer{TransferKind::kCopy, known ? ImageSide(from, source_origin, region) : Side(),
                    known ? ImageSide(to, destination_origin, region) : Unknown(to)};
  return enqueue.Run(transfer, known, [&] {
    return next(queue, source, destination, source_origin, destination_origin, region, count, list,
                event);
  });
}

cl_int Handle_clEnqueueCopyImageToBuffer(ClCall& call, cl_api_clEnqueueCopyImageToBuffer next,
                                         cl_command_queue queue, cl_mem source, cl_mem destination,
                                         const size_t* origin, const size_t* region, size_t offset,
                                         cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* from = enqueue.Memory(source, kImage, "src_image");
  Resource* to = enqueue.Memory(destination, kBuffer, "dst_buffer");
  const bool known = Known(from, origin, region) && Sized(to);
  Transfer transfer{TransferKind::kCopy, known ? ImageSide(from, origin, region) : Side(),
                    known ? BufferSide(to, offset, ImageBytes(from, region)) : Unknown(to)};
  return enqueue.Run(transfer, known, [&] {
    return next(queue, source, destination, origin, region, offset, count, list, event);
  });
}

cl_int Handle_clEnqueueCopyBufferToImage(ClCall& call, cl_api_clEnqueueCopyBufferToImage next,
                                         cl_command_queue queue, cl_mem source, cl_mem destination,
                                         size_t offset, const size_t* origin, const size_t* region,
                                         cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* from = enqueue.Memory(source, kBuffer, "src_buffer");
  Resource* to = enqueue.Memory(destination, kImage, "dst_image");
  const bool known = Known(to, origin, region) && Sized(from);
  Transfer transfer{TransferKind::kCopy,
                    known ? BufferSide(from, offset, ImageBytes(to, region)) : Side(),
                    known ? ImageSide(to, origin, region) : Unknown(to)};
  return enqueue.Run(transfer, known, [&] {
    return next(queue, source, destination, offset, origin, region, count, list, event);
  });
}

cl_int Handle_clEnqueueFillImage(ClCall& call, cl_api_clEnqueueFillImage next,
                                 cl_command_queue queue, cl_mem image, const void* color,
                                 const size_t* origin, const size_t* region, cl_uint count,
                                 const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(image, kImage, "image");
  const bool known = Known(resource, origin, region);
  Transfer transfer{TransferKind::kFill, Side(),
                    known ? ImageSide(resource, origin, region) : Unknown(resource)};
  return enqueue.Run(transfer, known,
                     [&] { return next(queue, image, color, origin, region, count, list, event); });
}

cl_int Handle_clEnqueueMigrateMemObjects(ClCall& call, cl_api_clEnqueueMigrateMemObjects next,
                                         cl_command_queue queue, cl_uint num_objects,
                                         const cl_mem* objects, cl_mem_migration_flags flags,
                                         cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  for (cl_uint i = 0; objects != nullptr && i < num_objects; ++i) {
    enqueue.Memory(objects[i], kAnyMemory, "mem_objects");
  }
  return enqueue.RunOrderOnly(
      false, false, [&] { return next(queue, num_objects, objects, flags, count, list, event); });
}

}  // namespace gpusan::opencl
