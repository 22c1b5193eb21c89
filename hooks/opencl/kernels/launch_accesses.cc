// Kernels that access memory through NULL, through released objects, through misaligned pointers,
// or past the end of local memory.
#include "hooks/opencl/kernels/launch_accesses.h"

#include "absl/strings/str_cat.h"
#include "hooks/opencl/kernels/launch_sizes.h"
#include "tracker/calls/local_overruns.h"
#include "tracker/calls/sure_access.h"
#include "tracker/rules/faults/faulty_call.h"
#include "tracker/rules/rules.h"

namespace gpusan::opencl {

using rules::CallFault;

void ReportReplaced(ClCall& call, const Kernel& kernel, uint32_t index, const std::string& name,
                    const Resource* resource) {
  rules::OnFaultyCall(
      {resource != nullptr ? CallFault::kArgumentReplaced : CallFault::kUnknownReplaced,
       {{"name", name}, {"argument", uint64_t{index}}, {"kernel", kernel.name}},
       resource != nullptr ? static_cast<const Object*>(resource) : &kernel},
      call);
}

void CheckNullPointers(ClCall& call, Kernel& kernel, const LaunchShape& shape) {
  for (const uint32_t index : FindNullAccesses(kernel, shape)) {
    rules::KernelPointer pointer;
    pointer.kernel = &kernel;
    pointer.index = index;
    call.MayCrash();
    rules::OnKernelPointer(pointer, call);
  }
}

void CheckAddresses(ClCall& call, const Kernel& kernel, const LaunchArguments& arguments) {
  for (const LaunchArgument& argument : arguments) {
    const Resource& resource = *argument.resource;
    const Resource& root = *resource.root;
    const uint64_t alignment = argument.element_bytes;
    if (!argument.sure || alignment < 2 || root.address == 0 || resource.image != nullptr ||
        (!root.has(kUsesHostMemory) && root.kind != ObjectKind::kSvm)) [[likely]]
      continue;
    const uint64_t begin = resource.root_offset + argument.offset;
    const uint64_t address = root.address + begin;
    if (address % alignment == 0) continue;
    rules::OnFaultyCall({CallFault::kElementAddress,
                         {{"argument", uint64_t{argument.index}},
                          {"kernel", kernel.name},
                          {"offset", begin},
                          {"root", ObjectText(root, call.words())},
                          {"address", HandleText(address)},
                          {"alignment_bytes", alignment}},
                         &resource,
                         &kernel},
                        call);
  }
}

void CheckLocalAccesses(ClCall& call, Kernel& kernel, const LaunchShape& shape,
                        const LaunchSizes& sizes) {
  if (!UsesLocalMemory(kernel)) return;
  for (const LocalOverrun& overrun : FindLocalOverruns(kernel, shape)) {
    const bool declared = overrun.array != nullptr;
    const int64_t over = overrun.last - static_cast<int64_t>(overrun.bytes);
    rules::OnFaultyCall({declared ? CallFault::kPastLocalVariable : CallFault::kPastLocalArgument,
                         {declared ? Fact{"variable", overrun.array->name}
                                   : Fact{"argument", uint64_t{overrun.argument}},
                          {"kernel", kernel.name},
                          {"launch_size", SizeText(sizes)},
                          {"verb", overrun.write ? "writes" : "reads"},
                          {"last_byte", std::to_string(overrun.last - 1)},
                          {"local_bytes", overrun.bytes},
                          {"over", over},
                          {"needed", overrun.last}},
                         &kernel},
                        call);
  }
}

}  // namespace gpusan::opencl
