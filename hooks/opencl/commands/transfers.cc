// Handlers that enqueue transfers: reads, writes, copies and fills of buffers, rectangles and
// images.
#include "hooks/opencl/commands/describe.h"
#include "hooks/opencl/commands/enqueue.h"

namespace gpusan::opencl {
namespace {

constexpr KindMask kBuffer = MaskOf(ObjectKind::kBuffer);
constexpr KindMask kImage = MaskOf(ObjectKind::kImage);

// --- the fast path: queue and resource are live and of one context, and the region is in bounds

bool FindBoth(ClCall& call, cl_command_queue queue, cl_mem memory, ObjectKind kind,
              HostCopy* copy) {
  const Tracker& tracker = call.tracker();
  if (queue == nullptr || memory == nullptr) return false;
  Object* owner = tracker.Find(Api::kOpenCL, HandleOf(queue));
  Object* object = tracker.Find(Api::kOpenCL, HandleOf(memory));
  if (owner == nullptr || object == nullptr || owner->kind != ObjectKind::kQueue ||
      object->kind != kind || !owner->live() || !object->live() ||
      owner->context != object->context) {
    return false;
  }
  copy->queue = static_cast<Queue*>(owner);
  copy->resource = static_cast<Resource*>(object);
  return true;
}

bool BeginBufferCopy(ClCall& call, cl_command_queue queue, cl_mem buffer, size_t offset,
                     size_t size, const void* ptr, HostCopy* copy) {
  if (!FindBoth(call, queue, buffer, ObjectKind::kBuffer, copy)) return false;
  const uint64_t bytes = copy->resource->bytes;
  if (size > bytes || offset > bytes - size) return false;
  copy->region = Region::Linear(offset, size);
  copy->pointer = ptr;
  copy->bytes = size;
  return call.tracker().BeginHostCopy(call, *copy);
}

bool BeginImageCopy(ClCall& call, cl_command_queue queue, cl_mem memory, const size_t* origin,
                    const size_t* region, const void* ptr, HostCopy* copy) {
  if (!FindBoth(call, queue, memory, ObjectKind::kImage, copy)) return false;
  if (!HasKnownTexels(copy->resource, origin, region)) return false;
  const ImageInfo& image = *copy->resource->image;
  ImageBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const uint64_t limit = axis < image.dimensions ? image.extent[axis] : 1;
    if (region[axis] > limit || origin[axis] > limit - region[axis]) return false;
    box.origin[axis] = origin[axis];
    box.extent[axis] = region[axis];
  }
  copy->region = ImageRegion(image, box);
  copy->pointer = ptr;
  copy->bytes = region[0] * image.texel_bytes * region[1] * region[2];
  return call.tracker().BeginHostCopy(call, *copy);
}

cl_int EndCopy(ClCall& call, const HostCopy& copy, cl_event* event, cl_int code) {
  Tracker& tracker = call.tracker();
  tracker.EndHostCopy(call, copy, code);
  if (code == CL_SUCCESS && event != nullptr && *event != nullptr) {
    tracker.NewEvent(call, HandleOf(*event), copy.queue->context, copy.epoch, copy.gates);
  }
  return call.Done(code);
}

}  // namespace

cl_int Handle_clEnqueueReadBuffer(ClCall& call, cl_api_clEnqueueReadBuffer next,
                                  cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  size_t offset, size_t size, void* ptr, cl_uint count,
                                  const cl_event* list, cl_event* event) {
  HostCopy copy;
  copy.write = false;
  copy.blocking = blocking != 0;
  if (count == 0 && BeginBufferCopy(call, queue, buffer, offset, size, ptr, &copy)) [[likely]] {
    call.BeforeReal();
    const cl_int code = next(queue, buffer, blocking, offset, size, ptr, count, list, event);
    return EndCopy(call, copy, event, code);
  }
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(buffer, kBuffer, "buffer");
  Transfer transfer{TransferKind::kRead, BufferSide(resource, offset, size),
                    HostSide(call, ptr, Region::Linear(0, size)), blocking != 0};
  return enqueue.Run(transfer, HasKnownBytes(resource), [&] {
    return next(queue, buffer, blocking, offset, size, ptr, count, list, event);
  });
}

cl_int Handle_clEnqueueWriteBuffer(ClCall& call, cl_api_clEnqueueWriteBuffer next,
                                   cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                   size_t offset, size_t size, const void* ptr, cl_uint count,
                                   const cl_event* list, cl_event* event) {
  HostCopy copy;
  copy.write = true;
  copy.blocking = blocking != 0;
  if (count == 0 && BeginBufferCopy(call, queue, buffer, offset, size, ptr, &copy)) [[likely]] {
    call.BeforeReal();
    const cl_int code = next(queue, buffer, blocking, offset, size, ptr, count, list, event);
    return EndCopy(call, copy, event, code);
  }
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(buffer, kBuffer, "buffer");
  Transfer transfer{TransferKind::kWrite, HostSide(call, ptr, Region::Linear(0, size)),
                    BufferSide(resource, offset, size), blocking != 0};
  return enqueue.Run(transfer, HasKnownBytes(resource), [&] {
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
  return enqueue.Run(
      transfer, HasKnownBytes(resource) && buffer_origin && host_origin && region, [&] {
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
  return enqueue.Run(
      transfer, HasKnownBytes(resource) && buffer_origin && host_origin && region, [&] {
        return next(queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row_pitch,
                    buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr, count, list, event);
      });
}

cl_int Handle_clEnqueueCopyBuffer(ClCall& call, cl_api_clEnqueueCopyBuffer next,
                                  cl_command_queue queue, cl_mem source, cl_mem destination,
                                  size_t source_offset, size_t destination_offset, size_t size,
                                  cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  DescribedTransfer described = DescribeCopyBuffer(call, enqueue.queue(), source, destination,
                                                   source_offset, destination_offset, size);
  return enqueue.Run(described.transfer, described.known, [&] {
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
  DescribedTransfer described = DescribeCopyBufferRect(
      call, enqueue.queue(), source, destination, source_origin, destination_origin, region,
      source_row_pitch, source_slice_pitch, destination_row_pitch, destination_slice_pitch);
  return enqueue.Run(described.transfer, described.known, [&] {
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
  DescribedTransfer described =
      DescribeFillBuffer(call, enqueue.queue(), buffer, pattern, pattern_size, offset, size);
  return enqueue.Run(described.transfer, described.known, [&] {
    return next(queue, buffer, pattern, pattern_size, offset, size, count, list, event);
  });
}

cl_int Handle_clEnqueueReadImage(ClCall& call, cl_api_clEnqueueReadImage next,
                                 cl_command_queue queue, cl_mem image, cl_bool blocking,
                                 const size_t* origin, const size_t* region, size_t row_pitch,
                                 size_t slice_pitch, void* ptr, cl_uint count, const cl_event* list,
                                 cl_event* event) {
  HostCopy copy;
  copy.write = false;
  copy.blocking = blocking != 0;
  if (count == 0 && row_pitch == 0 && slice_pitch == 0 &&
      BeginImageCopy(call, queue, image, origin, region, ptr, &copy)) [[likely]] {
    call.BeforeReal();
    const cl_int code = next(queue, image, blocking, origin, region, row_pitch, slice_pitch, ptr,
                             count, list, event);
    return EndCopy(call, copy, event, code);
  }
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(image, kImage, "image");
  const bool known = HasKnownTexels(resource, origin, region);
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
  HostCopy copy;
  copy.write = true;
  copy.blocking = blocking != 0;
  if (count == 0 && row_pitch == 0 && slice_pitch == 0 &&
      BeginImageCopy(call, queue, image, origin, region, ptr, &copy)) [[likely]] {
    call.BeforeReal();
    const cl_int code = next(queue, image, blocking, origin, region, row_pitch, slice_pitch, ptr,
                             count, list, event);
    return EndCopy(call, copy, event, code);
  }
  Enqueue enqueue(call, queue, count, list, event);
  Resource* resource = enqueue.Memory(image, kImage, "image");
  const bool known = HasKnownTexels(resource, origin, region);
  Transfer transfer{
      TransferKind::kWrite,
      known ? HostImageSide(call, ptr, resource, region, row_pitch, slice_pitch) : Side(),
      known ? ImageSide(resource, origin, region) : WholeSide(resource), blocking != 0};
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
  DescribedTransfer described = DescribeCopyImage(call, enqueue.queue(), source, destination,
                                                  source_origin, destination_origin, region);
  return enqueue.Run(described.transfer, described.known, [&] {
    return next(queue, source, destination, source_origin, destination_origin, region, count, list,
                event);
  });
}

cl_int Handle_clEnqueueCopyImageToBuffer(ClCall& call, cl_api_clEnqueueCopyImageToBuffer next,
                                         cl_command_queue queue, cl_mem source, cl_mem destination,
                                         const size_t* origin, const size_t* region, size_t offset,
                                         cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  DescribedTransfer described =
      DescribeCopyImageToBuffer(call, enqueue.queue(), source, destination, origin, region, offset);
  return enqueue.Run(described.transfer, described.known, [&] {
    return next(queue, source, destination, origin, region, offset, count, list, event);
  });
}

cl_int Handle_clEnqueueCopyBufferToImage(ClCall& call, cl_api_clEnqueueCopyBufferToImage next,
                                         cl_command_queue queue, cl_mem source, cl_mem destination,
                                         size_t offset, const size_t* origin, const size_t* region,
                                         cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  DescribedTransfer described =
      DescribeCopyBufferToImage(call, enqueue.queue(), source, destination, offset, origin, region);
  return enqueue.Run(described.transfer, described.known, [&] {
    return next(queue, source, destination, offset, origin, region, count, list, event);
  });
}

cl_int Handle_clEnqueueFillImage(ClCall& call, cl_api_clEnqueueFillImage next,
                                 cl_command_queue queue, cl_mem image, const void* color,
                                 const size_t* origin, const size_t* region, cl_uint count,
                                 const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  DescribedTransfer described =
      DescribeFillImage(call, enqueue.queue(), image, color, origin, region);
  return enqueue.Run(described.transfer, described.known,
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
