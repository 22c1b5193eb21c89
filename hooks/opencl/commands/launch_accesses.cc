// Kernels that access memory through NULL, or behind the end of local memory.
#include "hooks/opencl/commands/launch_accesses.h"

#include "absl/strings/str_cat.h"
#include "tracker/calls/local_overruns.h"
#include "tracker/calls/sure_access.h"
#include "tracker/rules/rules.h"

namespace gpusan::opencl {

void CheckNullPointers(ClCall& call, Kernel& kernel, const LaunchShape& shape) {
  for (const uint32_t index : FindNullAccesses(kernel, shape)) {
    rules::KernelPointer pointer;
    pointer.kernel = &kernel;
    pointer.index = index;
    call.MayCrash();
    rules::OnKernelPointer(pointer, call);
  }
}

void CheckLocalAccesses(ClCall& call, Kernel& kernel, const LaunchShape& shape,
                        const std::string& size) {
  for (const LocalOverrun& overrun : FindLocalOverruns(kernel, shape)) {
    const char* verb = overrun.write ? "writes" : "reads";
    call.Add(RuleId::kKernelArgumentOutOfBounds)
        .What(absl::StrCat(ObjectText(kernel, call.words()), ", launched with ", size, ", ", verb,
                           " up to ", overrun.last - static_cast<int64_t>(overrun.bytes),
                           " B past the end of the local memory of argument ", overrun.argument))
        .Why(absl::StrCat("its code ", verb, " byte ", overrun.last - 1,
                          " of the local memory, for which clSetKernelArg requested ",
                          overrun.bytes,
                          " B; an access outside of it is undefined (OpenCL 3.0 §5.9.2)"))
        .Fix(absl::StrCat("pass an arg_size of at least ", overrun.last, " for argument ",
                          overrun.argument, ", or launch smaller work-groups"))
        .CreatedBy(kernel)
        .About(kernel)
        .Fact("argument", uint64_t{overrun.argument})
        .Fact("kernel", kernel.name)
        .Fact("launch_size", size)
        .Fact("last_byte", std::to_string(overrun.last - 1))
        .Fact("local_bytes", overrun.bytes);
  }
}

}  // namespace gpusan::opencl
