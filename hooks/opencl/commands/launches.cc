// Handlers that launch kernels, and the accesses that follow from a kernel's arguments.
#include "hooks/opencl/commands/launches.h"

#include <string>
#include <vector>

#include "hooks/opencl/kernels/launch_accesses.h"
#include "hooks/opencl/kernels/launch_limits.h"
#include "hooks/opencl/kernels/launch_sizes.h"
#include "hooks/opencl/kernels/launch_texels.h"
#include "hooks/opencl/objects/delays.h"
#include "hooks/opencl/objects/host_storage.h"
#include "hooks/opencl/objects/map_guards.h"
#include "hooks/opencl/programs/partial_builds.h"
#include "tracker/calls/launch_text.h"
#include "tracker/calls/launch_updates.h"
#include "tracker/rules/events/kernel_overrun.h"
#include "tracker/rules/events/native_location.h"
#include "tracker/rules/faults/faulty_call.h"
#include "tracker/rules/rules.h"
#include "tracker/state/launch_patterns.h"
#include "tracker/state/unwritten_updates.h"

namespace gpusan::opencl {
namespace {

std::string ArgumentName(const Kernel& kernel, uint32_t index) {
  const std::string& name = kernel.argument_names[index];
  return absl::StrCat("argument ", index, name.empty() ? "" : absl::StrCat(" (", name, ")"),
                      " of kernel \"", kernel.name, "\"");
}

// Reports freed memory that the kernel's list of pointers names, unless its address is in use
// again.
void CheckListed(ClCall& call, const Kernel& kernel, const Resource& freed) {
  uint64_t offset = 0;
  if (call.tracker().objects().FindAddress(freed.handle, &offset) != nullptr) return;
  rules::PointerUse use{freed.handle, freed.bytes, "clSetKernelExecInfo"};
  use.resource = &freed;
  use.listed_by = &kernel;
  rules::OnPointerUse(use, call);
}

}  // namespace

void CollectArguments(ClCall& call, const Queue* queue, Kernel& kernel, LaunchArguments* arguments,
                      Launch* launch) {
  const uint32_t count = static_cast<uint32_t>(kernel.arguments.size());
  for (uint32_t i = 0; i < count; ++i) {
    const KernelArgument& argument = kernel.arguments[i];
    Resource* resource = argument.resource.get();
    if (resource == nullptr) {
      // The address of shared memory may have been allocated again.
      if (argument.resource.object != nullptr && !argument.svm)
        ReportReplaced(call, kernel, i, ArgumentName(kernel, i), nullptr);
      if (argument.MayBeOffset()) launch->may_offset = true;
      continue;
    }
    if (!resource->live()) [[unlikely]] {
      const std::string name = ArgumentName(kernel, i);
      if (argument.svm) {
        call.tracker().pointers().CheckSharedPointer(call, resource->handle, 1, name.c_str());
      } else if (call.tracker().objects().Use(call, resource->handle, kAnyMemory, name.c_str()) !=
                 nullptr) {
        ReportReplaced(call, kernel, i, name, resource);
      }
      continue;
    }
    if (queue != nullptr && resource->context != queue->context) [[unlikely]] {
      rules::CheckContext(call, resource, queue, ArgumentName(kernel, i).c_str());
    }
    LaunchArgument& used = arguments->emplace_back();
    used.index = i;
    used.resource = resource;
    used.direction = argument.direction;
    used.offset = argument.offset;
    used.element_bytes = argument.element_bytes;
    if (argument.direction != Direction::kRead) ++launch->writable_arguments;
  }
  for (size_t i = 0; i < kernel.samplers.size(); ++i) {
    const Object* sampler = kernel.samplers[i].get();
    if (sampler == nullptr || sampler->live()) continue;
    call.tracker().objects().Use(call, sampler->handle, MaskOf(ObjectKind::kSampler),
                                 ArgumentName(kernel, static_cast<uint32_t>(i)).c_str());
  }
  for (const WeakRef<Resource>& indirect : kernel.indirect) {
    Resource* resource = indirect.get();
    if (resource == nullptr) continue;
    if (!resource->live()) [[unlikely]] {
      CheckListed(call, kernel, *resource);
      continue;
    }
    LaunchArgument& used = arguments->emplace_back();
    used.index = ~0u;
    used.resource = resource;
    used.indirect = true;
    ++launch->writable_arguments;
  }
}

namespace {

// Returns the image that a launch may both read and write through the two parameters; nullptr if
// there is none. Two parameters that only read, or only write, may share one image. Images that are
// not writable are left to the check kernel-access-flag.
const Resource* MixedImage(const KernelArgument& a, const KernelArgument& b) {
  if (!b.image || a.resource.object != b.resource.object || a.direction == Direction::kUnknown ||
      b.direction == Direction::kUnknown)
    return nullptr;
  if (a.direction == b.direction && a.direction != Direction::kReadWrite) return nullptr;
  const Resource* image = a.resource.get();
  return image != nullptr && image == b.resource.get() && image->live() &&
                 image->kind == ObjectKind::kImage && !image->has(kKernelReadOnly)
             ? image
             : nullptr;
}

// Calls `visit(i, j, image)` for each mixed pair until it returns false.
template <typename Visit>
void ForEachMixedImage(const Kernel& kernel, Visit visit) {
  const size_t count = kernel.arguments.size();
  for (size_t i = 0; i < count; ++i) {
    const KernelArgument& first = kernel.arguments[i];
    if (!first.image) [[likely]]
      continue;
    for (size_t j = i + 1; j < count; ++j) {
      const Resource* image = MixedImage(first, kernel.arguments[j]);
      if (image != nullptr && !visit(i, j, *image)) return;
    }
  }
}

const char* QualifierOf(const KernelArgument& argument) {
  return argument.direction == Direction::kRead    ? "read_only"
         : argument.direction == Direction::kWrite ? "write_only"
                                                   : "read_write";
}

// Memory that a launch surely writes must not be host memory that another argument uses too.
void CheckHostStorages(ClCall& call, const LaunchArguments& arguments) {
  for (const LaunchArgument& written : arguments) {
    const bool writes =
        written.derived && !written.possible &&
        (written.direction == Direction::kWrite || written.direction == Direction::kReadWrite);
    if (!writes || !written.resource->root->has(kUsesHostMemory)) [[likely]]
      continue;
    for (const LaunchArgument& other : arguments) {
      if (call.has_findings()) return;
      // A pair of two written arguments is checked once.
      if (other.direction == Direction::kNone || other.possible || other.indirect ||
          (other.direction != Direction::kRead && &other <= &written))
        continue;
      CheckHostStorage(call, other.resource, written.resource);
    }
  }
}

}  // namespace

bool MixesImages(const Kernel& kernel) {
  if (kernel.images < 2) return false;
  bool mixes = false;
  ForEachMixedImage(kernel, [&](size_t, size_t, const Resource&) {
    mixes = true;
    return false;
  });
  return mixes;
}

void CheckImages(ClCall& call, const Kernel& kernel) {
  ForEachMixedImage(kernel, [&](size_t i, size_t j, const Resource& image) {
    rules::OnFaultyCall({rules::CallFault::kImageOfTwoAccesses,
                         {{"argument", uint64_t{j}},
                          {"access", QualifierOf(kernel.arguments[j])},
                          {"other_argument", uint64_t{i}},
                          {"other_access", QualifierOf(kernel.arguments[i])},
                          {"kernel", kernel.name}},
                         &image,
                         &kernel},
                        call);
    return true;
  });
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

bool SamplersLive(const Kernel& kernel) {
  for (const WeakRef<Object>& sampler : kernel.samplers) {
    const Object* object = sampler.get();
    if (object != nullptr && !object->live()) return false;
  }
  return true;
}

// Every device has at least this much local memory [bytes] (OpenCL 3.0 §4.2, full profile).
constexpr uint64_t kSureLocalBytes = 32768;

bool HasEnoughLocal(const Kernel& kernel, const Queue& queue) {
  return kernel.local_bytes <= kSureLocalBytes ||
         (kernel.local_bytes == kernel.local_checked && queue.device == kernel.local_device);
}

}  // namespace

void CheckLocalMemory(ClCall& call, const Queue& queue, Kernel& kernel) {
  if (HasEnoughLocal(kernel, queue)) return;
  const auto get = GPUSAN_NEXT(call, clGetDeviceInfo);
  cl_ulong limit = 0;
  if (get == nullptr ||
      get(reinterpret_cast<cl_device_id>(queue.device), CL_DEVICE_LOCAL_MEM_SIZE, sizeof(limit),
          &limit, nullptr) != CL_SUCCESS ||
      limit == 0) {
    return;
  }
  if (kernel.local_bytes <= limit) {
    kernel.local_checked = kernel.local_bytes;
    kernel.local_device = queue.device;
    return;
  }
  rules::OnFaultyCall({rules::CallFault::kLocalMemory,
                       {{"kernel", kernel.name},
                        {"local_bytes", kernel.local_bytes},
                        {"device_local_bytes", uint64_t{limit}}},
                       &kernel},
                      call);
}

namespace {

// The fast path: queue and kernel are live and of one context, and there are work-items. Returns
// false, without side effects, otherwise.
bool BeginPlainLaunch(ClCall& call, cl_command_queue queue, cl_kernel kernel,
                      const LaunchSizes& sizes, PlainLaunch* launch) {
  Tracker& tracker = call.tracker();
  const auto& [dimensions, global_size, local_size, global_offset] = sizes;
  if (queue == nullptr || kernel == nullptr || global_size == nullptr) return false;
  gpusan::Objects& objects = tracker.objects();
  Object* owner = objects.FindRecent(Recent::kQueue, Api::kOpenCL, HandleOf(queue));
  Object* object = objects.FindRecent(Recent::kKernel, Api::kOpenCL, HandleOf(kernel));
  if (owner == nullptr || object == nullptr || owner->kind != ObjectKind::kQueue ||
      object->kind != ObjectKind::kKernel || !owner->live() || !object->live() ||
      owner->context != object->context) {
    return false;
  }
  launch->queue = static_cast<Queue*>(owner);
  launch->kernel = static_cast<Kernel*>(object);
  if (!launch->kernel->samplers.empty() && !SamplersLive(*launch->kernel)) [[unlikely]]
    return false;
  if (!HasEnoughLocal(*launch->kernel, *launch->queue) ||
      MayLackBuild(*launch->kernel, *launch->queue)) [[unlikely]]
    return false;
  if (MixesImages(*launch->kernel)) [[unlikely]]
    return false;
  launch->work_items = 1;
  launch->may_offset = false;
  for (cl_uint i = 0; i < dimensions && i < 3; ++i) {
    launch->work_items = SaturatingMultiply(launch->work_items, global_size[i]);
    if (global_offset != nullptr && global_offset[i] != 0) {
      if (global_size[i] > SIZE_MAX - global_offset[i]) return false;
      launch->may_offset = true;
    }
  }
  if (launch->work_items == 0) return false;
  if (launch->kernel->summary != nullptr)
    SetShape(dimensions, global_offset, global_size, local_size, &launch->shape);
  return tracker.BeginPlainLaunch(call, *launch);
}

// Finds the kernel by the launches that it notes. The queue is described if it is in-order.
void DescribeLaunchAt(Call& call, Epoch epoch, LaunchDescription* description) {
  if (!epoch.valid()) return;
  call.tracker().objects().ForEachKernel([&](const Kernel& kernel) {
    if (kernel.launches.Contains(epoch)) description->kernel = &kernel;
  });
  if (description->kernel != nullptr) description->size = SizeTextAt(epoch);
  const Queue* queue = call.tracker().ordering().QueueOf(epoch);
  if (queue != nullptr && queue->in_order) description->queue = queue;
}

[[maybe_unused]] const bool g_registered = [] {
  describe_launch[static_cast<int>(Api::kOpenCL)].store(&DescribeLaunchAt,
                                                        std::memory_order_relaxed);
  return true;
}();

}  // namespace

namespace handlers {

void LaunchHandler::Begin(ClCall& call, cl_command_queue queue, cl_kernel kernel,
                          cl_uint dimensions, const size_t* global_offset,
                          const size_t* global_size, const size_t* local_size, cl_uint count,
                          const cl_event* list, cl_event* event) {
  dimensions_ = dimensions;
  global_size_ = global_size;
  local_size_ = local_size;
  event_ = event;
  const LaunchSizes sizes = {dimensions, global_size, local_size, global_offset};
  const StartingLaunch starting(sizes, plain_.epoch);
  if (count != 0 || !BeginPlainLaunch(call, queue, kernel, sizes, &plain_)) [[unlikely]] {
    BeginDescribed(call, queue, kernel, global_offset, count, list, event);
    return;
  }
  use_.BeginAlone(call, *plain_.kernel, KernelUse::kLaunches);
  NoteSize(plain_.epoch, sizes);
}

void LaunchHandler::BeginDescribed(ClCall& call, cl_command_queue queue, cl_kernel kernel,
                                   const size_t* global_offset, cl_uint count, const cl_event* list,
                                   cl_event* event) {
  auto& [enqueue, shadow, launch, arguments] = described_.emplace();
  enqueue.Open(call, queue, count, list, event);
  shadow = UseKernelOf(call, enqueue.queue(), kernel);
  if (shadow == nullptr) {
    // gpusan has not seen the creation of the kernel: it may write any resource of the context.
    if (enqueue.queue() != nullptr)
      call.tracker().objects().MarkAllWritten(enqueue.queue()->context);
    enqueue.Begin(call);
    return;
  }
  if (enqueue.queue() != nullptr && shadow->context != enqueue.queue()->context) [[unlikely]] {
    rules::CheckContext(call, shadow, enqueue.queue(), "kernel");
  }
  use_.BeginAlone(call, *shadow, KernelUse::kLaunches);
  if (enqueue.queue() != nullptr) {
    CheckBuilt(call, *enqueue.queue(), *shadow);
    CheckLocalMemory(call, *enqueue.queue(), *shadow);
  }
  CheckImages(call, *shadow);
  CheckOffsets(call, *shadow, dimensions_, global_offset, global_size_);
  LaunchShape shape;
  SetShape(dimensions_, global_offset, global_size_, local_size_, &shape);
  if (TryRepeat(call, shape)) return;
  launch.kernel = shadow;
  CollectSizes(dimensions_, global_offset, global_size_, &launch);
  CollectArguments(call, enqueue.queue(), *shadow, &arguments, &launch);
  std::vector<LaunchOverrun> overruns;
  RefineLaunch(*shadow, shape, &arguments, &launch, &overruns);
  for (const LaunchOverrun& overrun : overruns) {
    rules::OnKernelOverrun(
        {shadow, overrun.argument, overrun.resource, overrun.offset, overrun.first, overrun.last,
         overrun.gaps, overrun.verb, SizeText({dimensions_, global_size_, local_size_})},
        call);
  }
  CheckHostStorages(call, arguments);
  CheckNullPointers(call, *shadow, shape);
  CheckAddresses(call, *shadow, arguments);
  const LaunchSizes sizes = {dimensions_, global_size_, local_size_};
  CheckLocalAccesses(call, *shadow, shape, sizes);
  CheckTexels(call, *shadow, shape, sizes);
  launch.arguments = arguments;
  call.tracker().accesses().CheckLaunch(call, launch);
  CheckUnwrittenTexels(call, *shadow, shape);
  if (HasUpdates(*shadow) && !call.has_findings() && MayWriteUnwritten(launch)) {
    CheckUpdates(call, launch, [&shape, &used = *shadow](const LaunchArgument& argument) {
      return SurelyUpdated(used, shape, argument);
    });
  }
  // A launch without work-items has no effect (OpenCL 3.0 §5.10, clEnqueueNDRangeKernel).
  if (launch.work_items == 0) launch.arguments = {};
  enqueue.Begin(call);
  if (call.has_error()) return;
  shadow->launches.Note(enqueue.command().epoch);
  NoteSize(enqueue.command().epoch, {dimensions_, global_size_, local_size_});
  call.tracker().accesses().RecordLaunch(call, enqueue.command(), launch);
  if (!call.has_findings() && launch.work_items != 0) KeepPattern(*shadow, shape, launch);
}

bool LaunchHandler::TryRepeat(ClCall& call, const LaunchShape& shape) {
  auto& [enqueue, shadow, launch, arguments] = *described_;
  if (shadow->summary == nullptr || enqueue.queue() == nullptr || call.has_findings() ||
      !SamplersLive(*shadow))
    return false;
  const std::shared_ptr<const KeptLaunch> kept =
      HoldRepeated(*shadow, shape, enqueue.queue()->context);
  if (kept == nullptr) return false;
  enqueue.Begin(call);
  if (call.has_error()) return true;
  shadow->launches.Note(enqueue.command().epoch);
  NoteSize(enqueue.command().epoch, {dimensions_, global_size_, local_size_});
  call.tracker().accesses().RecordRepeated(call, enqueue.command(), *shadow, *kept->pattern());
  return true;
}

void LaunchHandler::EndDescribed(ClCall& call, cl_int code) {
  auto& [enqueue, shadow, launch, arguments] = *described_;
  if (shadow != nullptr) {
    if (code == CL_SUCCESS) {
      call.tracker().accesses().CommitLaunch(launch);
      if (enqueue.queue() != nullptr)
        GuardShared(call, *enqueue.queue(), enqueue.command().epoch, *shadow);
    } else {
      call.FailureFact(LaunchFacts(*shadow, code, dimensions_, global_size_, local_size_));
      if (enqueue.queue() != nullptr) {
        call.FailureReason(LaunchReason(call, *enqueue.queue(), *shadow, code,
                                        {dimensions_, global_size_, local_size_}));
      }
    }
  }
  enqueue.End(call, code);
}

void LaunchHandler::After(ClCall& call, cl_int code) {
  if (described_.has_value()) [[unlikely]]
    return EndDescribed(call, code);
  call.tracker().EndPlainLaunch(plain_, code == CL_SUCCESS);
  if (code != CL_SUCCESS) {
    call.FailureFact(LaunchFacts(*plain_.kernel, code, dimensions_, global_size_, local_size_));
    call.FailureReason(LaunchReason(call, *plain_.queue, *plain_.kernel, code,
                                    {dimensions_, global_size_, local_size_}));
    return;
  }
  GuardShared(call, *plain_.queue, plain_.epoch, *plain_.kernel);
  if (event_ != nullptr && *event_ != nullptr) {
    call.tracker().objects().NewEvent(call, HandleOf(*event_), plain_.queue->context, plain_.epoch,
                                      plain_.gates);
  }
}

void clEnqueueNDRangeKernel::Before(ClCall& call, cl_command_queue queue, cl_kernel kernel,
                                    cl_uint dimensions, const size_t* global_offset,
                                    const size_t* global_size, const size_t* local_size,
                                    cl_uint count, const cl_event* list, cl_event* event) {
  Begin(call, queue, kernel, dimensions, global_offset, global_size, local_size, count, list,
        event);
}

void clEnqueueTask::Before(ClCall& call, cl_command_queue queue, cl_kernel kernel, cl_uint count,
                           const cl_event* list, cl_event* event) {
  static constexpr size_t kOne = 1;
  Begin(call, queue, kernel, 1, nullptr, &kOne, &kOne, count, list, event);
}

namespace {

struct NativeArguments {
  const void* begin;
  size_t bytes;
};

// Reports the first location that is not inside of the arguments.
void CheckLocations(ClCall& call, const NativeArguments& arguments, cl_uint count,
                    const void** locations) {
  for (cl_uint i = 0; locations != nullptr && i < count; ++i) {
    const uint64_t offset = HandleOf(locations[i]) - HandleOf(arguments.begin);
    if (offset < arguments.bytes && arguments.bytes - offset >= sizeof(cl_mem)) continue;
    rules::OnNativeLocation({i, HandleOf(locations[i]), HandleOf(arguments.begin), arguments.bytes},
                            call);
    return;
  }
}

}  // namespace

void clEnqueueNativeKernel::Before(ClCall& call, cl_command_queue queue, void(CL_CALLBACK*)(void*),
                                   void* args, size_t args_size, cl_uint num_objects,
                                   const cl_mem* objects, const void** locations, cl_uint count,
                                   const cl_event* list, cl_event* event) {
  NoteOutsideDelay();
  Open(call, queue, count, list, event);
  if (args != nullptr && objects != nullptr)
    CheckLocations(call, {args, args_size}, num_objects, locations);
  for (cl_uint i = 0; objects != nullptr && i < num_objects; ++i) {
    Resource* resource = Memory(call, objects[i], kAnyMemory, "mem_list");
    if (resource == nullptr) continue;
    LaunchArgument& used = arguments_.emplace_back();
    used.index = i;
    used.resource = resource;
    used.indirect = true;
  }
  launch_.arguments = arguments_;
  Begin(call);
  call.tracker().accesses().RecordLaunch(call, command(), launch_);
  // By what the function does, the program may know that the commands before it are complete.
  Ordering& ordering = call.tracker().ordering();
  ordering.NoteSignals(command().epoch);
  for (const Epoch epoch : command().before.epochs()) ordering.NoteSignals(epoch);
}

void clEnqueueNativeKernel::After(ClCall& call, cl_int code) {
  if (code == CL_SUCCESS) call.tracker().accesses().CommitLaunch(launch_);
  End(call, code);
}

}  // namespace handlers
}  // namespace gpusan::opencl
