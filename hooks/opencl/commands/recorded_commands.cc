// Handlers of the functions that record commands into a command buffer (cl_khr_command_buffer).
#include "hooks/opencl/commands/recorded_commands.h"

#include <utility>

#include "hooks/opencl/objects/use_objects.h"
#include "tracker/rules/rules.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl {

const Object* RecordedTransfer::Open(ClCall& call, cl_command_buffer_khr handle) {
  target_ = UseCommandBuffer(call, handle);
  return target_.object;
}

void RecordedTransfer::Record(ClCall& call, const DescribedTransfer& described) {
  transfer_ = described.transfer;
  transfer_.recorded = true;
  if (described.known) call.tracker().accesses().CheckTransfer(call, transfer_);
  kept_ = described.known && !call.has_error();
}

void RecordedTransfer::After(ClCall& call, cl_int code) {
  if (target_.buffer == nullptr) return;
  std::lock_guard lock(target_.buffer->lock);
  if (code != CL_SUCCESS) {
    ExplainState(call, target_);
  } else if (kept_) {
    if (transfer_.reads_source()) KeepSide(*target_.buffer, transfer_.source, false);
    KeepSide(*target_.buffer, transfer_.destination, true);
  } else {
    target_.buffer->unknown = true;
  }
}

namespace handlers {

void clCommandBarrierWithWaitListKHR::Before(ClCall& call, cl_command_buffer_khr handle,
                                             cl_command_queue, cl_uint, const cl_sync_point_khr*,
                                             cl_sync_point_khr*, cl_mutable_command_khr*) {
  target_ = UseCommandBuffer(call, handle);
}

void clCommandBarrierWithWaitListKHR::Before(ClCall& call, cl_command_buffer_khr handle,
                                             cl_command_queue, const cl_properties*, cl_uint,
                                             const cl_sync_point_khr*, cl_sync_point_khr*,
                                             cl_mutable_command_khr*) {
  target_ = UseCommandBuffer(call, handle);
}

void clCommandBarrierWithWaitListKHR::After(ClCall& call, cl_int code) {
  if (code == CL_SUCCESS || target_.buffer == nullptr) return;
  std::lock_guard lock(target_.buffer->lock);
  ExplainState(call, target_);
}

void clCommandNDRangeKernelKHR::Before(ClCall& call, cl_command_buffer_khr handle,
                                       cl_command_queue queue, const cl_properties*,
                                       cl_kernel kernel, cl_uint dimensions,
                                       const size_t* global_offset, const size_t* global_size,
                                       const size_t*, cl_uint, const cl_sync_point_khr*,
                                       cl_sync_point_khr*, cl_mutable_command_khr*) {
  target_ = UseCommandBuffer(call, handle);
  if (queue != nullptr) UseQueue(call, queue);
  Kernel* shadow = UseKernelOf(call, target_.object, kernel);
  if (shadow == nullptr) return;
  rules::CheckContext(call, shadow, target_.object, "kernel");
  Launch launch;
  launch.kernel = shadow;
  launch.recorded = true;
  CollectSizes(dimensions, global_offset, global_size, &launch);
  LaunchArguments arguments;
  CollectArguments(call, nullptr, *shadow, &arguments, &launch);
  launch.arguments = arguments;
  call.tracker().accesses().CheckLaunch(call, launch);
  if (call.has_error()) return;
  if (launch.work_items == 0) arguments.clear();  // it has no effect
  launch_.emplace();
  launch_->arguments.assign(arguments.begin(), arguments.end());
  for (const LaunchArgument& argument : arguments)
    launch_->resources.emplace_back(argument.resource);
  launch_->may_offset = launch.may_offset;
  launch_->writable_arguments = launch.writable_arguments;
}

void clCommandNDRangeKernelKHR::After(ClCall& call, cl_int code) {
  if (target_.buffer == nullptr) return;
  std::lock_guard lock(target_.buffer->lock);
  if (code != CL_SUCCESS) {
    ExplainState(call, target_);
  } else if (launch_.has_value()) {
    target_.buffer->launches.push_back(*std::move(launch_));
  } else {
    target_.buffer->unknown = true;
  }
}

}  // namespace handlers
}  // namespace gpusan::opencl
#endif
