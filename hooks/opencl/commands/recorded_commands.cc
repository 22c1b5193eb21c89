// Handlers of the functions that record commands into a command buffer (cl_khr_command_buffer).
#include "hooks/opencl/commands/recorded_commands.h"

#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hooks/opencl/kernels/launch_accesses.h"
#include "hooks/opencl/kernels/launch_limits.h"
#include "hooks/opencl/kernels/launch_sizes.h"
#include "hooks/opencl/kernels/launch_texels.h"
#include "hooks/opencl/objects/use_objects.h"
#include "hooks/opencl/programs/partial_builds.h"
#include "tracker/rules/events/kernel_overrun.h"
#include "tracker/rules/faults/faulty_call.h"
#include "tracker/rules/rules.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl {

const Object* RecordedCommand::Open(ClCall& call, cl_command_buffer_khr handle,
                                    cl_command_queue queue, cl_uint count,
                                    const cl_sync_point_khr* waits,
                                    const cl_sync_point_khr* point) {
  if (queue != nullptr) dependencies_.queue = UseQueue(call, queue);
  if (waits != nullptr) dependencies_.waits.assign(waits, waits + count);
  dependencies_.point = point;
  target_ = UseCommandBuffer(call, handle);
  if (target_.buffer != nullptr && !dependencies_.waits.empty()) CheckSyncPoints(call);
  return target_.object;
}

void RecordedCommand::CheckSyncPoints(ClCall& call) const {
  std::lock_guard lock(target_.buffer->lock);
  for (size_t i = 0; i < dependencies_.waits.size(); ++i) {
    const cl_sync_point_khr point = dependencies_.waits[i];
    if (target_.buffer->order.MayHave(point)) continue;
    rules::OnFaultyCall({rules::CallFault::kForeignSyncPoint,
                         {{"index", uint64_t{i}}, {"sync_point", uint64_t{point}}},
                         target_.object},
                        call);
    return;
  }
}

const Queue* RecordedCommand::FindQueue() {
  if (target_.buffer == nullptr) return dependencies_.queue;
  std::lock_guard lock(target_.buffer->lock);
  const auto& queues = target_.buffer->queues;
  if (dependencies_.queue == nullptr && queues.size() == 1) dependencies_.queue = queues[0].get();
  return dependencies_.queue;
}

void RecordedCommand::Append(ClCall& call, std::vector<RecordedAccess> accesses) {
  CommandBuffer& buffer = *target_.buffer;
  if (dependencies_.queue == nullptr && buffer.queues.size() == 1)
    dependencies_.queue = buffer.queues[0].get();
  buffer.order.Add(call, dependencies_, std::move(accesses));
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
    return ExplainState(call, target_);
  }
  std::vector<RecordedAccess> accesses;
  if (kept_) {
    if (transfer_.reads_source()) KeepSide(*target_.buffer, transfer_.source, false, &accesses);
    KeepSide(*target_.buffer, transfer_.destination, true, &accesses);
  } else {
    target_.buffer->unknown = true;
  }
  Append(call, std::move(accesses));
}

namespace handlers {

void clCommandBarrierWithWaitListKHR::Before(ClCall& call, cl_command_buffer_khr handle,
                                             cl_command_queue queue, cl_uint count,
                                             const cl_sync_point_khr* waits,
                                             cl_sync_point_khr* point, cl_mutable_command_khr*) {
  dependencies_.barrier = true;
  Open(call, handle, queue, count, waits, point);
}

void clCommandBarrierWithWaitListKHR::Before(ClCall& call, cl_command_buffer_khr handle,
                                             cl_command_queue queue, const cl_properties*,
                                             cl_uint count, const cl_sync_point_khr* waits,
                                             cl_sync_point_khr* point,
                                             cl_mutable_command_khr* handle_ret) {
  Before(call, handle, queue, count, waits, point, handle_ret);
}

void clCommandBarrierWithWaitListKHR::After(ClCall& call, cl_int code) {
  if (target_.buffer == nullptr) return;
  std::lock_guard lock(target_.buffer->lock);
  if (code != CL_SUCCESS) return ExplainState(call, target_);
  Append(call, {});
}

void clCommandNDRangeKernelKHR::Before(ClCall& call, cl_command_buffer_khr handle,
                                       cl_command_queue queue, const cl_properties*,
                                       cl_kernel kernel, cl_uint dimensions,
                                       const size_t* global_offset, const size_t* global_size,
                                       const size_t* local_size, cl_uint count,
                                       const cl_sync_point_khr* waits, cl_sync_point_khr* point,
                                       cl_mutable_command_khr*) {
  Open(call, handle, queue, count, waits, point);
  Kernel* shadow = UseKernelOf(call, target_.object, kernel);
  if (shadow == nullptr) return;
  rules::CheckContext(call, shadow, target_.object, "kernel");
  CheckOffsets(call, *shadow, dimensions, global_offset, global_size);
  const Queue* runs_on = FindQueue();
  if (runs_on != nullptr) CheckBuilt(call, *runs_on, *shadow);
  Launch launch;
  launch.kernel = shadow;
  launch.recorded = true;
  CollectSizes(dimensions, global_offset, global_size, &launch);
  LaunchArguments arguments;
  CollectArguments(call, nullptr, *shadow, &arguments, &launch);
  std::vector<LaunchOverrun> overruns;
  LaunchShape shape;
  SetShape(dimensions, global_offset, global_size, local_size, &shape);
  const LaunchSizes sizes = {dimensions, global_size, local_size, global_offset};
  RefineLaunch(*shadow, shape, &arguments, &launch, &overruns);
  // The command may run with other sizes and arguments.
  for (LaunchArgument& argument : arguments) argument.bounds = 0;
  // The program may replace an argument before it enqueues a mutable command.
  if (target_.buffer == nullptr || target_.buffer->mutable_arguments) {
    overruns.clear();
  } else {
    CheckImages(call, *shadow);
    if (runs_on != nullptr) CheckLocalMemory(call, *runs_on, *shadow);
    CheckNullPointers(call, *shadow, shape);
    CheckAddresses(call, *shadow, arguments);
    CheckLocalAccesses(call, *shadow, shape, sizes);
    CheckTexels(call, *shadow, shape, sizes);
  }
  for (const LaunchOverrun& overrun : overruns) {
    rules::OnKernelOverrun(
        {shadow, overrun.argument, overrun.resource, overrun.offset, overrun.first, overrun.last,
         overrun.gaps, overrun.verb, SizeText(sizes)},
        call);
  }
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
    return ExplainState(call, target_);
  }
  std::vector<RecordedAccess> accesses;
  if (launch_.has_value()) {
    LaunchArguments arguments;
    const Launch launch = Replayed(*launch_, &arguments);
    for (const LaunchArgument& argument : launch.arguments) {
      RecordedAccess one;
      one.root = WeakRef<Resource>(argument.resource->root);
      one.access = AccessOf(launch, argument);
      if (one.access.sureness != Sureness::kHeld) accesses.push_back(one);
    }
    target_.buffer->launches.push_back(*std::move(launch_));
  } else {
    target_.buffer->unknown = true;
  }
  Append(call, std::move(accesses));
}

}  // namespace handlers
}  // namespace gpusan::opencl
#endif
