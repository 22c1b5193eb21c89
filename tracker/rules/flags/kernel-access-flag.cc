// Check kernel-access-flag: a kernel, copy or fill writes a read-only object, or a kernel reads a
// write-only one.
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/argument_text.h"

namespace gpusan::rules {
namespace {

bool DeniesAllWrites(const Resource& resource) {
  return resource.has(kHostReadOnly) && resource.kind == ObjectKind::kMappedMemory;
}

struct KernelAccessFlag {
  static void OnLaunch(const Launch& launch, Call& call) {
    for (const LaunchArgument& argument : launch.arguments) {
      const Resource& resource = *argument.resource;
      if ((resource.flags & (kKernelReadOnly | kKernelWriteOnly)) == 0) [[likely]]
        continue;
      if (argument.indirect || argument.possible) continue;
      // Pages that the device may only read: only a write that surely happens is an error.
      const bool protects =
          resource.kind == ObjectKind::kMappedMemory || resource.kind == ObjectKind::kPinned;
      if (protects && !argument.derived) continue;
      // Nothing may access memory between its mapping and the call that allows accesses.
      const bool denied = resource.has(kKernelReadOnly) && resource.has(kKernelWriteOnly);
      if (denied && !argument.sure) continue;
      // A kernel may only read through a pointer that is not const. If the kernel has one such
      // pointer, it almost certainly writes through it: report a warning.
      const bool likely =
          argument.direction == Direction::kUnknown && launch.writable_arguments == 1;
      const bool writes = argument.direction == Direction::kWrite ||
                          argument.direction == Direction::kReadWrite || likely;
      // A declaration says less than the code: it allows reads.
      const bool reads = argument.direction == Direction::kRead ||
                         (argument.direction == Direction::kReadWrite && argument.derived);
      const bool read_only_broken = resource.has(kKernelReadOnly) && writes;
      const bool write_only_broken = resource.has(kKernelWriteOnly) && reads;
      if (!read_only_broken && !write_only_broken) continue;
      // Its code may skip the reads.
      const bool conditional = write_only_broken && argument.understood && !argument.sure;
      const Vocabulary& words = call.words();
      const Kernel& kernel = *launch.kernel;
      call.Add(RuleId::kKernelAccessFlag)
          .Severe(likely || conditional ? Severity::kWarning : Severity::kError)
          .What(absl::StrCat(
              ArgumentText(kernel, argument.index), " of ", ObjectText(kernel, words), " is ",
              likely             ? "the only pointer of the kernel that is not const,"
              : argument.derived ? ""
                                 : "declared to be ",
              likely             ? ""
              : read_only_broken ? "written"
                                 : "read",
              " but holds ", ObjectText(resource, words),
              protects ? ", which has " : ", which was created with ", words.Flags(resource)))
          .Why(denied ? "no call has allowed accesses to the mapped memory"
               : read_only_broken
                   ? "the behaviour is undefined if a kernel writes a read-only object"
                   : "the behaviour is undefined if a kernel reads a write-only object",
               Clause::kKernelAccessFlag)
          .Fix(denied     ? "call cuMemSetAccess for the mapped memory before the launch"
               : protects ? "give the device write access to the memory, or pass other memory"
                          : absl::StrCat(
                                "create the object for reading and writing, or declare parameter ",
                                argument.index, " ",
                                read_only_broken ? "const or read_only if the kernel only reads it"
                                                 : "write_only if the kernel only writes it"))
          .WithCreation(resource)
          .About(kernel)
          .Fact("argument", argument.index)
          .Fact("kernel", kernel.name)
          .Fact("flags", words.Flags(resource));
    }
  }

  static void OnTransfer(const Transfer& transfer, Call& call) {
    const Side& written = transfer.destination;
    if (written.resource == nullptr || !DeniesAllWrites(*written.resource)) [[likely]]
      return;
    // The access may change before a recorded command runs.
    if (transfer.recorded || written.region.empty()) return;
    const Resource& resource = *written.resource;
    const Vocabulary& words = call.words();
    call.Add(RuleId::kKernelAccessFlag)
        .What(absl::StrCat("the command writes ", ObjectText(resource, words), ", which has ",
                           words.Flags(resource)))
        .Why("no device has write access to the memory", Clause::kKernelAccessFlag)
        .Fix("give the device write access before the command, or write other memory")
        .WithCreation(resource)
        .Fact("flags", words.Flags(resource));
  }
};

}  // namespace
}  // namespace gpusan::rules
