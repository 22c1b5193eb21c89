// Handlers of the functions that record commands into a command buffer (cl_khr_command_buffer).
// Recording checks handles and bounds as an enqueue does, and keeps the accesses of the command. It
// orders nothing, and checks no contents, which are known only at the enqueue.
#include "hooks/opencl/call/extension_handlers.h"
#include "hooks/opencl/commands/describe.h"
#include "hooks/opencl/commands/pending_command_buffers.h"
#include "hooks/opencl/objects/use_objects.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl {
namespace {

template <typename Real>
cl_int Record(ClCall& call, const Target& target, DescribedTransfer described, Real real) {
  Transfer& transfer = described.transfer;
  transfer.recorded = true;
  if (described.known) call.tracker().CheckTransfer(call, transfer);
  const bool keep = described.known && !call.has_error();
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

template <typename Real>
cl_int RecordBarrier(ClCall& call, const Target& target, Real real) {
  call.BeforeReal();
  const cl_int code = real();
  if (code != CL_SUCCESS && target.buffer != nullptr) {
    std::lock_guard lock(target.buffer->lock);
    ExplainState(call, target);
  }
  return call.Done(code);
}

}  // namespace

// The recording functions, with and without the list of properties that revision 0.9.5 added.
// `record` ends a handler; it sees `target` and `real`.
#define GPUSAN_FOLLOWED(...) __VA_ARGS__ __VA_OPT__(, )
#define GPUSAN_RECORD_BY(command, parameters, arguments, record)                                \
  cl_int Handle_clCommand##command##KHR(                                                        \
      ClCall& call, command_buffer::clCommand##command##KHR_090 next,                           \
      cl_command_buffer_khr handle, cl_command_queue queue,                                     \
      GPUSAN_FOLLOWED parameters cl_uint count, const cl_sync_point_khr* list,                  \
      cl_sync_point_khr* point, cl_mutable_command_khr* mutable_handle) {                       \
    const Target target = UseCommandBuffer(call, handle);                                       \
    const auto real = [&] {                                                                     \
      return next(handle, queue, GPUSAN_FOLLOWED arguments count, list, point, mutable_handle); \
    };                                                                                          \
    return record;                                                                              \
  }                                                                                             \
  cl_int Handle_clCommand##command##KHR(                                                        \
      ClCall& call, command_buffer::clCommand##command##KHR_095 next,                           \
      cl_command_buffer_khr handle, cl_command_queue queue, const cl_properties* properties,    \
      GPUSAN_FOLLOWED parameters cl_uint count, const cl_sync_point_khr* list,                  \
      cl_sync_point_khr* point, cl_mutable_command_khr* mutable_handle) {                       \
    const Target target = UseCommandBuffer(call, handle);                                       \
    const auto real = [&] {                                                                     \
      return next(handle, queue, properties, GPUSAN_FOLLOWED arguments count, list, point,      \
                  mutable_handle);                                                              \
    };                                                                                          \
    return record;                                                                              \
  }
#define GPUSAN_LISTED(...) __VA_ARGS__
#define GPUSAN_RECORD(command, parameters, arguments) \
  GPUSAN_RECORD_BY(                                   \
      command, parameters, arguments,                 \
      Record(call, target, Describe##command(call, target.object, GPUSAN_LISTED arguments), real))
GPUSAN_RECORD_BY(BarrierWithWaitList, (), (), RecordBarrier(call, target, real))
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
#undef GPUSAN_LISTED
#undef GPUSAN_RECORD_BY
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
  Kernel* shadow = UseKernel(call, kernel);
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
    if (launch.work_items == 0) arguments.clear();  // it has no effect
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
