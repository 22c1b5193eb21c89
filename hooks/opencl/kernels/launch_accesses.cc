// Kernels that access memory through NULL, through released objects, through misaligned pointers,
// or past the end of local memory.
#include "hooks/opencl/kernels/launch_accesses.h"

#include "absl/strings/str_cat.h"
#include "hooks/opencl/kernels/launch_sizes.h"
#include "tracker/calls/local_overruns.h"
#include "tracker/calls/sure_access.h"
#include "tracker/rules/rules.h"

namespace gpusan::opencl {

void ReportReplaced(ClCall& call, const Kernel& kernel, uint32_t index, const std::string& name,
                    const Resource* resource) {
  call.MayCrash();
  FindingBuilder finding = call.Add(RuleId::kUseAfterFree);
  finding
      .What(absl::StrCat(
          name, " is ",
          resource != nullptr ? ObjectText(*resource, call.words()) : "a memory object",
          ", which the program has released; the program has created other objects since"))
      .Why(
          "a kernel does not retain the memory objects that clSetKernelArg sets, so that the "
          "program must keep its reference until the launch (OpenCL 3.0 §5.9.2)")
      .Fix("set the argument again after its memory object is replaced")
      .Fact("argument", uint64_t{index})
      .Fact("kernel", kernel.name);
  if (resource == nullptr) {
    finding.CreatedBy(kernel).About(kernel);
    return;
  }
  finding.Party("release", "last reference released", resource->released)
      .CreatedBy(*resource)
      .About(*resource);
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
    call.MayCrash();
    call.Add(RuleId::kMisaligned)
        .What(absl::StrCat("argument ", argument.index, " of ", ObjectText(kernel, call.words()),
                           " points to elements of ", alignment, " B, but byte ", begin, " of ",
                           ObjectText(root, call.words()), " is at the address ",
                           HandleText(address)))
        .Why(absl::StrCat("memory of CL_MEM_USE_HOST_PTR and pointers into shared memory must be "
                          "aligned to the types by which kernels access them: this address is no "
                          "multiple of ",
                          alignment, " (OpenCL C 3.0 §6.3.5, alignment of types)"))
        .Fix(absl::StrCat("pass memory that is aligned to ", alignment,
                          " B, for example from aligned_alloc"))
        .CreatedBy(resource)
        .About(resource)
        .About(kernel)
        .Fact("argument", uint64_t{argument.index})
        .Fact("kernel", kernel.name)
        .Fact("offset", begin)
        .Fact("alignment_bytes", alignment);
  }
}

namespace {

void ReportLocal(ClCall& call, const Kernel& kernel, const LocalOverrun& overrun,
                 const std::string& size) {
  const char* verb = overrun.write ? "writes" : "reads";
  const bool declared = overrun.array != nullptr;
  const std::string where = declared
                                ? absl::StrCat("its local variable \"", overrun.array->name, "\"")
                                : absl::StrCat("the local memory of argument ", overrun.argument);
  FindingBuilder finding = call.Add(RuleId::kKernelArgumentOutOfBounds);
  finding
      .What(absl::StrCat(ObjectText(kernel, call.words()), ", launched with ", size, ", ", verb,
                         " up to ", overrun.last - static_cast<int64_t>(overrun.bytes),
                         " B past the end of ", where))
      .Why(declared ? absl::StrCat("its code ", verb, " byte ", overrun.last - 1,
                                   " of the variable, which has ", overrun.bytes,
                                   " B; an access outside of it is undefined (OpenCL C 3.0 §6.7.2)")
                    : absl::StrCat("its code ", verb, " byte ", overrun.last - 1,
                                   " of the local memory, for which clSetKernelArg requested ",
                                   overrun.bytes,
                                   " B; an access outside of it is undefined (OpenCL 3.0 §5.9.2)"))
      .Fix(declared ? std::string("launch smaller work-groups, or declare a larger variable")
                    : absl::StrCat("pass an arg_size of at least ", overrun.last, " for argument ",
                                   overrun.argument, ", or launch smaller work-groups"))
      .CreatedBy(kernel)
      .About(kernel);
  if (declared) {
    finding.Fact("variable", overrun.array->name);
  } else {
    finding.Fact("argument", uint64_t{overrun.argument});
  }
  finding.Fact("kernel", kernel.name)
      .Fact("launch_size", size)
      .Fact("last_byte", std::to_string(overrun.last - 1))
      .Fact("local_bytes", overrun.bytes);
}

}  // namespace

void CheckLocalAccesses(ClCall& call, Kernel& kernel, const LaunchShape& shape,
                        const LaunchSizes& sizes) {
  if (!UsesLocalMemory(kernel)) return;
  for (const LocalOverrun& overrun : FindLocalOverruns(kernel, shape))
    ReportLocal(call, kernel, overrun, SizeText(sizes));
}

}  // namespace gpusan::opencl
