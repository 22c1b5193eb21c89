// Handlers of the commands that cl_khr_command_buffer records. Recording judges handles and bounds
// as an enqueue call does and keeps what the command will access; nothing is ordered, and what the
// objects will hold is not known yet.
#include "hooks/opencl/call/extension_handlers.h"
#include "hooks/opencl/commands/pending_command_buffers.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl {
namespace {

// `known`: all objects of the transfer are tracked.
template <typename Real>
cl_int Record(ClCall& call, const Target& target, Transfer& transfer, bool known, Real real) {
  transfer.recorded = true;
  if (known) call.tracker().CheckTransfer(call, transfer);
  const bool keep = known && !call.has_error();
  call.BeforeReal();
  const cl_int code = real();
  if (target.buffer != nullptr) {
    std::lock_guard lock(target.buffer->lock);
    if (code != CL_SUCCESS) {
      ExplainState(call, target);
    } else if (keep) {
      if (transfer.reads_source()) KeepSide(*target.buffer, transfer.source, false);
      KeepSide(*target.buffer, transfer.destination, true);
    } else {
      target.buffer->unknown = true;
    }
  }
  return call.Done(code);
}

Resource* UseRecorded(ClCall& call, const Target& target, cl_mem memory, ObjectKind kind,
                      const char* argument) {
  return UseMemory(call, target.object, memory, MaskOf(kind), argument);
}

bool Sized(const Resource* buffer) { return buffer != nullptr && !buffer->has(kImported); }

bool Known(const Resource* image, const void* origin, const void* region) {
  return image != nullptr && image->image != nullptr && image->image->texel_bytes != 0 &&
         origin != nullptr && region != nullptr;
}

template <typename Real>
cl_int RecordBarrierWithWaitList(ClCall& call, cl_command_buffer_khr handle, Real real) {
  const Target target = UseCommandBuffer(call, handle);
  call.BeforeReal();
  const cl_int code = real();
  if (code != CL_SUCCESS && target.buffer != nullptr) {
    std::lock_guard lock(target.buffer->lock);
    ExplainState(call, target);
  }
  return call.Done(code);
}

template <typename Real>
cl_int RecordCopyBuffer(ClCall& call, cl_command_buffer_khr handle, Real real, cl_mem source,
                        cl_mem destination, size_t source_offset, size_t destination_offset,
                        size_t size) {
  const Target target = UseCommandBuffer(call, handle);
  Resource* from = UseRecorded(call, target, source, ObjectKind::kBuffer, "src_buffer");
  Resource* to = UseRecorded(call, target, destination, ObjectKind::kBuffer, "dst_buffer");
  Transfer transfer;
  transfer.source = BufferSide(from, source_offset, size);
  transfer.destination = BufferSide(to, destination_offset, size);
  return Record(call, target, transfer, Sized(from) && Sized(to), real);
}

template <typename Real>
cl_int RecordCopyBufferRect(ClCall& call, cl_command_buffer_khr handle, Real real, cl_mem source,
                            cl_mem destination, const size_t* source_origin,
                            const size_t* destination_origin, const size_t* region,
                            size_t source_row_pitch, size_t source_slice_pitch,
                            size_t destination_row_pitch, size_t destination_slice_pitch) {
  const Target target = UseCommandBuffer(call, handle);
  Resource* from = UseRecorded(call, target, source, ObjectKind::kBuffer, "src_buffer");
  Resource* to = UseRecorded(call, target, destination, ObjectKind::kBuffer, "dst_buffer");
  Transfer transfer;
  transfer.source = RectSide(from, source_origin, region, source_row_pitch, source_slice_pitch);
  transfer.destination =
      RectSide(to, destination_origin, region, destination_row_pitch, destination_slice_pitch);
  const bool known = Sized(from) && Sized(to) && source_origin && destination_origin && region;
  return Record(call, target, transfer, known, real);
}

template <typename Real>
cl_int RecordCopyBufferToImage(ClCall& call, cl_command_buffer_khr handle, Real real, cl_mem source,
                               cl_mem destination, size_t offset, const size_t* origin,
                               const size_t* region) {
  const Target target = UseCommandBuffer(call, handle);
  Resource* from = UseRecorded(call, target, source, ObjectKind::kBuffer, "src_buffer");
  Resource* to = UseRecorded(call, target, destination, ObjectKind::kImage, "dst_image");
  const bool known = Sized(from) && Known(to, origin, region);
  Transfer transfer;
  if (known) {
    transfer.destination = ImageSide(to, origin, region);
    transfer.source = BufferSide(from, offset, transfer.destination.region.bytes());
  }
  return Record(call, target, transfer, known, real);
}

template <typename Real>
cl_int RecordCopyImage(ClCall& call, cl_command_buffer_khr handle, Real real, cl_mem source,
                       cl_mem destination, const size_t* source_origin,
                       const size_t* destination_origin, const size_t* region) {
  const Target target = UseCommandBuffer(call, handle);
  Resource* from = UseRecorded(call, target, source, ObjectKind::kImage, "src_image");
  Resource* to = UseRecorded(call, target, destination, ObjectKind::kImage, "dst_image");
  const bool known = Known(from, source_origin, region) && Known(to, destination_origin, region);
  Transfer transfer;
  if (known) {
    transfer.source = ImageSide(from, source_origin, region);
    transfer.destination = ImageSide(to, destination_origin, region);
  }
  return Record(call, target, transfer, known, real);
}

template <typename Real>
cl_int RecordCopyImageToBuffer(ClCall& call, cl_command_buffer_khr handle, Real real, cl_mem source,
                               cl_mem destination, const size_t* origin, const size_t* region,
                               size_t offset) {
  const Target target = UseCommandBuffer(call, handle);
  Resource* from = UseRecorded(call, target, source, ObjectKind::kImage, "src_image");
  Resource* to = UseRecorded(call, target, destination, ObjectKind::kBuffer, "dst_buffer");
  const bool known = Known(from, origin, region) && Sized(to);
  Transfer transfer;
  if (known) {
    transfer.source = ImageSide(from, origin, region);
    transfer.destination = BufferSide(to, offset, transfer.source.region.bytes());
  }
  return Record(call, target, transfer, known, real);
}

template <typename Real>
cl_int RecordFillBuffer(ClCall& call, cl_command_buffer_khr handle, Real real, cl_mem buffer,
                        const void*, size_t pattern_size, size_t offset, size_t size) {
  const Target target = UseCommandBuffer(call, handle);
  Resource* resource = UseRecorded(call, target, buffer, ObjectKind::kBuffer, "buffer");
  Transfer transfer;
  transfer.kind = TransferKind::kFill;
  transfer.pattern_bytes = pattern_size;
  transfer.destination = BufferSide(resource, offset, size);
  return Record(call, target, transfer, Sized(resource), real);
}

template <typename Real>
cl_int RecordFillImage(ClCall& call, cl_command_buffer_khr handle, Real real, cl_mem image,
                       const void*, const size_t* origin, const size_t* region) {
  const Target target = UseCommandBuffer(call, handle);
  Resource* resource = UseRecorded(call, target, image, ObjectKind::kImage, "image");
  const bool known = Known(resource, origin, region);
  Transfer transfer;
  transfer.kind = TransferKind::kFill;
  if (known) transfer.destination = ImageSide(resource, origin, region);
  return Record(call, target, transfer, known, real);
}

template <typename Real>
cl_int RecordSVMMemcpy(ClCall& call, cl_command_buffer_khr handle, Real real, void* destination,
                       const void* source, size_t size) {
  const Target target = UseCommandBuffer(call, handle);
  Transfer transfer;
  transfer.source = HostSide(call, source, Region::Linear(0, size));
  transfer.destination = HostSide(call, destination, Region::Linear(0, size));
  return Record(call, target, transfer, true, real);
}

template <typename Real>
cl_int RecordSVMMemFill(ClCall& call, cl_command_buffer_khr handle, Real real, void* pointer,
                        const void*, size_t pattern_size, size_t size) {
  const Target target = UseCommandBuffer(call, handle);
  Transfer transfer;
  transfer.kind = TransferKind::kFill;
  transfer.pattern_bytes = pattern_size;
  transfer.destination = HostSide(call, pointer, Region::Linear(0, size));
  return Record(call, target, transfer, true, real);
}

}  // namespace

// The recording functions, with and without the list of properties that revision 0.9.5 put in.
#define GPUSAN_FOLLOWED(...) __VA_ARGS__ __VA_OPT__(, )
#define GPUSAN_PRECEDED(...) __VA_OPT__(, ) __VA_ARGS__
#define GPUSAN_RECORD(command, parameters, arguments)                                           \
  cl_int Handle_clCommand##command##KHR(                                                        \
      ClCall& call, command_buffer::clCommand##command##KHR_090 next,                           \
      cl_command_buffer_khr handle, cl_command_queue queue,                                     \
      GPUSAN_FOLLOWED parameters cl_uint count, const cl_sync_point_khr* list,                  \
      cl_sync_point_khr* point, cl_mutable_command_khr* mutable_handle) {                       \
    const auto real = [&] {                                                                     \
      return next(handle, queue, GPUSAN_FOLLOWED arguments count, list, point, mutable_handle); \
    };                                                                                          \
    return Record##command(call, handle, real GPUSAN_PRECEDED arguments);                       \
  }                                                                                             \
  cl_int Handle_clCommand##command##KHR(                                                        \
      ClCall& call, command_buffer::clCommand##command##KHR_095 next,                           \
      cl_command_buffer_khr handle, cl_command_queue queue, const cl_properties* properties,    \
      GPUSAN_FOLLOWED parameters cl_uint count, const cl_sync_point_khr* list,                  \
      cl_sync_point_khr* point, cl_mutable_command_khr* mutable_handle) {                       \
    const auto real = [&] {                                                                     \
      return next(handle, queue, properties, GPUSAN_FOLLOWED arguments count, list, point,      \
                  mutable_handle);                                                              \
    };                                                                                          \
    return Record##command(call, handle, real GPUSAN_PRECEDED arguments);                       \
  }
GPUSAN_RECORD(BarrierWithWaitList, (), ())
GPUSAN_RECORD(CopyBuffer,
              (cl_mem source, cl_mem destination, size_t source_offset, size_t destination_offset,
               size_t size),
              (source, destination, source_offset, destination_offset, size))
GPUSAN_RECORD(CopyBufferRect,
              (cl_mem source, cl_mem destination, const size_t* source_origin,
               const size_t* destination_origin, const size_t* region, size_t source_row_pitch,
               size_t source_slice_pitch, size_t destination_row_pitch,
               size_t destination_slice_pitch),
              (source, destination, source_origin, destination_origin, region, source_row_pitch,
               source_slice_pitch, destination_row_pitch, destination_slice_pitch))
GPUSAN_RECORD(CopyBufferToImage,
              (cl_mem source, cl_mem destination, size_t offset, const size_t* origin,
               const size_t* region),
              (source, destination, offset, origin, region))
GPUSAN_RECORD(CopyImage,
              (cl_mem source, cl_mem destination, const size_t* source_origin,
               const size_t* destination_origin, const size_t* region),
              (source, destination, source_origin, destination_origin, region))
GPUSAN_RECORD(CopyImageToBuffer,
              (cl_mem source, cl_mem destination, const size_t* origin, const size_t* region,
               size_t offset),
              (source, destination, origin, region, offset))
GPUSAN_RECORD(FillBuffer,
              (cl_mem buffer, const void* pattern, size_t pattern_size, size_t offset, size_t size),
              (buffer, pattern, pattern_size, offset, size))
GPUSAN_RECORD(FillImage,
              (cl_mem image, const void* color, const size_t* origin, const size_t* region),
              (image, color, origin, region))
GPUSAN_RECORD(SVMMemcpy, (void* destination, const void* source, size_t size),
              (destination, source, size))
GPUSAN_RECORD(SVMMemFill, (void* pointer, const void* pattern, size_t pattern_size, size_t size),
              (pointer, pattern, pattern_size, size))
#undef GPUSAN_RECORD
#undef GPUSAN_PRECEDED
#undef GPUSAN_FOLLOWED

cl_int Handle_clCommandNDRangeKernelKHR(ClCall& call, clCommandNDRangeKernelKHR_fn next,
                                        cl_command_buffer_khr handle, cl_command_queue queue,
                                        const cl_ndrange_kernel_command_properties_khr* properties,
                                        cl_kernel kernel, cl_uint dimensions,
                                        const size_t* global_offset, const size_t* global_size,
                                        const size_t* local_size, cl_uint count,
                                        const cl_sync_point_khr* list, cl_sync_point_khr* point,
                                        cl_mutable_command_khr* mutable_handle) {
  const Target target = UseCommandBuffer(call, handle);
  auto* shadow = static_cast<Kernel*>(
      call.tracker().Use(call, HandleOf(kernel), MaskOf(ObjectKind::kKernel), "kernel"));
  RecordedLaunch recorded;
  if (shadow != nullptr) {
    call.tracker().CheckContext(call, shadow, target.object, "kernel");
    Launch launch;
    launch.kernel = shadow;
    launch.recorded = true;
    CollectSizes(dimensions, global_offset, global_size, &launch);
    LaunchArguments arguments;
    CollectArguments(call, nullptr, *shadow, &arguments, &launch);
    launch.arguments = arguments;
    call.tracker().CheckLaunch(call, launch);
    if (launch.work_items == 0) arguments.clear();  // it does nothing
    recorded.arguments.assign(arguments.begin(), arguments.end());
    for (const LaunchArgument& argument : arguments)
      recorded.resources.emplace_back(argument.resource);
    recorded.may_offset = launch.may_offset;
    recorded.writable_arguments = launch.writable_arguments;
  }
  const bool keep = shadow != nullptr && !call.has_error();
  call.BeforeReal();
  const cl_int code = next(handle, queue, properties, kernel, dimensions, global_offset,
                           global_size, local_size, count, list, point, mutable_handle);
  if (target.buffer != nullptr) {
    std::lock_guard lock(target.buffer->lock);
    if (code != CL_SUCCESS) {
      ExplainState(call, target);
    } else if (keep) {
      target.buffer->launches.push_back(std::move(recorded));
    } else {
      target.buffer->unknown = true;
    }
  }
  return call.Done(code);
}

}  // namespace gpusan::opencl
#endif
