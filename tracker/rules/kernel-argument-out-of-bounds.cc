// Check kernel-argument-out-of-bounds: a kernel is launched with a pointer past the end of an
// allocation.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

// The range that a kernel accesses from a pointer is unknown. A pointer one past the end is valid
// as the end of a range that begins at another argument. Without such an argument the kernel cannot
// use it.
struct KernelArgumentOutOfBounds {
  static void OnKernelPointer(const KernelPointer& pointer, Call& call) {
    if (pointer.fault != KernelPointer::Fault::kAtEnd) return;
    const Vocabulary& words = call.words();
    const Resource& resource = *pointer.resource;
    FindingBuilder finding = call.Add(RuleId::kKernelArgumentOutOfBounds);
    finding.Severe(Severity::kWarning)
        .What(absl::StrCat("argument ", pointer.index, " of ", ObjectText(*pointer.kernel, words),
                           " points one past the end of ", ObjectText(resource, words)))
        .Why(
            absl::StrCat("no byte at this address belongs to the allocation, and no other argument "
                         "points into it, so the pointer is not the end of a range (",
                         words.Cite(Clause::kBufferBounds), ")"))
        .Fix(
            "correct the offset that is added to the pointer: it equals the size of the allocation")
        .CreatedBy(resource)
        .About(resource)
        .About(*pointer.kernel)
        .Fact("argument", pointer.index)
        .Fact("kernel", pointer.kernel->name)
        .Fact("offset_bytes", pointer.address - resource.handle);
    AddRecorder(finding, pointer);
  }
};

}  // namespace
}  // namespace gpusan::rules
