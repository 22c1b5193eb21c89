// Handlers that launch kernels, and the accesses that follow from a kernel's arguments.
#include <string>

#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/commands/launch.h"
#include "hooks/opencl/objects/use_objects.h"

namespace gpusan::opencl {
namespace {

std::string ArgumentName(const Kernel& kernel, uint32_t index) {
  const std::string& name = kernel.argument_names[index];
  return absl::StrCat("argument ", index, name.empty() ? "" : absl::StrCat(" (", name, ")"),
                      " of kernel \"", kernel.name, "\"");
}

}  // namespace

void CollectArguments(ClCall& call, const Queue* queue, Kernel& kernel, LaunchArguments* arguments,
                      Launch* launch) {
  const uint32_t count = static_cast<uint32_t>(kernel.arguments.size());
  for (uint32_t i = 0; i < count; ++i) {
    const KernelArgument& argument = kernel.arguments[i];
    Resource* resource = argument.resource.get();
    if (resource == nullptr) {
      if (argument.MayBeOffset()) launch->may_offset = true;
      continue;
    }
    if (!resource->live()) [[unlikely]] {
      const std::string name = ArgumentName(kernel, i);
      if (argument.svm) {
        call.tracker().CheckSharedPointer(call, resource->handle, 1, name.c_str());
      } else {
        call.tracker().Use(call, resource->handle, kAnyMemory, name.c_str());
      }
      continue;
    }
    if (queue != nullptr && resource->context != queue->context) [[unlikely]] {
      call.tracker().CheckContext(call, resource, queue, ArgumentName(kernel, i).c_str());
    }
    LaunchArgument& used = arguments->emplace_back();
    used.index = i;
    used.resource = resource;
    used.direction = argument.direction;
    used.offset = argument.offset;
    used.element_bytes = argument.element_bytes;
    if (argument.direction != Direction::kRead) ++launch->writable_arguments;
  }
  for (const WeakRef<Resource>& indirect : kernel.indirect) {
    Resource* resource = indirect.get();
    if (resource == nullptr || !resource->live()) continue;
    LaunchArgument& used = arguments->emplace_back();
    used.index = ~0u;
    used.resource = resource;
    used.indirect = true;
    ++launch->writable_arguments;
  }
}

void CollectSizes(cl_uint dimensions, const size_t* global_offset, const size_t* global_size,
                  Launch* launch) {
  launch->work_items = global_size != nullptr ? 1 : 0;
  for (cl_uint i = 0; i < dimensions && i < 3; ++i) {
    if (global_size != nullptr)
      launch->work_items = SaturatingMultiply(launch->work_items, global_size[i]);
    if (global_offset != nullptr && global_offset[i] != 0) launch->may_offset = true;
  }
}

namespace {

std::string SizesText(cl_uint dimensions, const size_t* sizes) {
  std::string text;
  for (cl_uint i = 0; sizes != nullptr && i < dimensions && i < 3; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : " x ", sizes[i]);
  }
  return text.empty() ? "NULL" : text;
}

// Returns what the shadow state knows about the cause of a failed launch.
std::string LaunchFacts(const Kernel& kernel, cl_int code, cl_uint dimensions,
                        const size_t* global_size, const size_t* local_size) {
  if (code == CL_INVALID_WORK_GROUP_SIZE || code == CL_INVALID_WORK_ITEM_SIZE ||
      code == CL_INVALID_GLOBAL_WORK_SIZE || code == CL_INVALID_WORK_DIMENSION) {
    return absl::StrCat("kernel \"", kernel.name, "\", work_dim ", dimensions, ", global size ",
                        SizesText(dimensions, global_size), ", local size ",
                        SizesText(dimensions, local_size));
  }
  std::string facts;
  if (code == CL_INVALID_KERNEL_ARGS) {
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
      if (kernel.arguments[i].set) continue;
      absl::StrAppend(&facts, facts.empty() ? "" : ", ",
                      ArgumentName(kernel, static_cast<uint32_t>(i)), " was never set");
    }
  }
  return facts;
}

// The fast path: queue and kernel are live and of one context, and there are work-items. Returns
// false, without side effects, otherwise.
bool BeginPlainLaunch(ClCall& call, cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                      const size_t* global_offset, const size_t* global_size, PlainLaunch* launch) {
  Tracker& tracker = call.tracker();
  if (queue == nullptr || kernel == nullptr || global_size == nullptr) return false;
  Object* owner = tracker.Find(Api::kOpenCL, HandleOf(queue));
  Object* object = tracker.Find(Api::kOpenCL, HandleOf(kernel));
  if (owner == nullptr || object == nullptr || owner->kind != ObjectKind::kQueue ||
      object->kind != ObjectKind::kKernel || !owner->live() || !object->live() ||
      owner->context != object->context) {
    return false;
  }
  launch->queue = static_cast<Queue*>(owner);
  launch->kernel = static_cast<Kernel*>(object);
  launch->work_items = 1;
  launch->may_offset = false;
  for (cl_uint i = 0; i < dimensions && i < 3; ++i) {
    launch->work_items = SaturatingMultiply(launch->work_items, global_size[i]);
    if (global_offset != nullptr && global_offset[i] != 0) launch->may_offset = true;
  }
  return launch->work_items != 0 && tracker.BeginPlainLaunch(call, *launch);
}

template <typename Real>
cl_int RunLaunch(ClCall& call, cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                 const size_t* global_offset, const size_t* global_size, const size_t* local_size,
                 cl_uint count, const cl_event* list, cl_event* event, Real real) {
  if (PlainLaunch plain; count == 0 && BeginPlainLaunch(call, queue, kernel, dimensions,
                                                        global_offset, global_size, &plain))
      [[likely]] {
    call.BeforeReal();
    const cl_int code = real();
    call.tracker().EndPlainLaunch(plain, code == CL_SUCCESS);
    if (code != CL_SUCCESS) {
      call.FailureFact(LaunchFacts(*plain.kernel, code, dimensions, global_size, local_size));
    } else if (event != nullptr && *event != nullptr) {
      call.tracker().NewEvent(call, HandleOf(*event), plain.queue->context, plain.epoch,
                              plain.gates);
    }
    return call.Done(code);
  }
  Enqueue enqueue(call, queue, count, list, event);
  Kernel* shadow = UseKernel(call, kernel);
  if (shadow == nullptr) {
    // gpusan has not seen the creation of the kernel: it may write any resource of the context.
    if (enqueue.queue() != nullptr) call.tracker().MarkAllWritten(enqueue.queue()->context);
    return enqueue.RunOrderOnly(false, false, real);
  }
  if (enqueue.queue() != nullptr && shadow->context != enqueue.queue()->context) [[unlikely]] {
    call.tracker().CheckContext(call, shadow, enqueue.queue(), "kernel");
  }
  Launch launch;
  launch.kernel = shadow;
  CollectSizes(dimensions, global_offset, global_size, &launch);
  LaunchArguments arguments;
  CollectArguments(call, enqueue.queue(), *shadow, &arguments, &launch);
  launch.arguments = arguments;
  call.tracker().CheckLaunch(call, launch);
  // A launch without work-items has no effect (OpenCL 3.0 §5.10, clEnqueueNDRangeKernel).
  if (launch.work_items == 0) launch.arguments = {};
  call.tracker().Begin(call, enqueue.command(), enqueue.queue(), enqueue.waits());
  const bool recorded = !call.has_error();
  if (recorded) call.tracker().RecordLaunch(call, enqueue.command(), launch);
  call.BeforeReal();
  const cl_int code = real();
  if (code == CL_SUCCESS) {
    call.tracker().CommitLaunch(enqueue.command(), launch);
  } else {
    call.FailureFact(LaunchFacts(*shadow, code, dimensions, global_size, local_size));
  }
  enqueue.End(code, false);
  return call.Done(code);
}

}  // namespace

cl_int Handle_clEnqueueNDRangeKernel(ClCall& call, cl_api_clEnqueueNDRangeKernel next,
                                     cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t* global_offset, const size_t* global_size,
                                     const size_t* local_size, cl_uint count, const cl_event* list,
                                     cl_event* event) {
  return RunLaunch(call, queue, kernel, dimensions, global_offset, global_size, local_size, count,
                   list, event, [&] {
                     return next(queue, kernel, dimensions, global_offset, global_size, local_size,
                                 count, list, event);
                   });
}

cl_int Handle_clEnqueueTask(ClCall& call, cl_api_clEnqueueTask next, cl_command_queue queue,
                            cl_kernel kernel, cl_uint count, const cl_event* list,
                            cl_event* event) {
  const size_t one = 1;
  return RunLaunch(call, queue, kernel, 1, nullptr, &one, &one, count, list, event,
                   [&] { return next(queue, kernel, count, list, event); });
}

cl_int Handle_clEnqueueNativeKernel(ClCall& call, cl_api_clEnqueueNativeKernel next,
                                    cl_command_queue queue, void(CL_CALLBACK* function)(void*),
                                    void* args, size_t args_size, cl_uint num_objects,
                                    const cl_mem* objects, const void** locations, cl_uint count,
                                    const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  // The accesses of the function are not known; the objects must stay alive until it has run.
  LaunchArguments arguments;
  for (cl_uint i = 0; objects != nullptr && i < num_objects; ++i) {
    Resource* resource = enqueue.Memory(objects[i], kAnyMemory, "mem_list");
    if (resource == nullptr) continue;
    LaunchArgument& used = arguments.emplace_back();
    used.index = i;
    used.resource = resource;
    used.indirect = true;
  }
  Launch launch;
  launch.arguments = arguments;
  enqueue.Begin();
  call.tracker().RecordLaunch(call, enqueue.command(), launch);
  const cl_int code =
      next(queue, function, args, args_size, num_objects, objects, locations, count, list, event);
  if (code == CL_SUCCESS) call.tracker().CommitLaunch(enqueue.command(), launch);
  enqueue.End(code, false);
  return call.Done(code);
}

}  // namespace gpusan::opencl
