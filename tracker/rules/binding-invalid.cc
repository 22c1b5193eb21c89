// Check binding-invalid: a resource is bound to memory that is too small, misaligned or of a wrong
// type, or is bound twice.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct BindingInvalid {
  static void OnMemoryUse(const MemoryUse& use, Call& call) {
    std::string what, fix;
    switch (use.fault) {
      case MemoryUse::Fault::kBoundTwice:
        what = "is already bound to memory";
        fix = "bind each object once; create a new object for the other memory";
        break;
      case MemoryUse::Fault::kTooSmall:
        what = absl::StrCat("needs ", use.bytes, " B from offset ", use.offset,
                            ", but the memory has ", use.limit, " B");
        fix = "allocate enough memory for the requirements of every resource bound to it";
        break;
      case MemoryUse::Fault::kMisaligned:
        what = absl::StrCat("is bound at offset ", use.offset, ", which is not a multiple of ",
                            use.limit, " B");
        fix = absl::StrCat("round the offset up to a multiple of ", use.limit, " B");
        break;
      case MemoryUse::Fault::kWrongType:
        what = absl::StrCat("is bound to memory of type ", use.limit,
                            ", which its memory requirements do not allow");
        fix = "choose a memory type whose bit is set in memoryTypeBits";
        break;
      default:
        return;
    }
    const Vocabulary& words = call.words();
    const Resource& resource = *use.resource;
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kBindingInvalid);
    finding.What(absl::StrCat(ObjectText(resource, words), " ", what))
        .Why(absl::StrCat("a resource is bound once, to memory that meets its memory requirements "
                          "(",
                          words.Cite(Clause::kMemoryBinding), ")"))
        .Fix(fix)
        .CreatedBy(resource)
        .About(resource)
        .Fact("offset", use.offset)
        .Fact("size_bytes", use.bytes)
        .Fact("limit", use.limit);
    if (use.memory != nullptr) finding.CreatedBy(*use.memory).About(*use.memory);
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }
};

}  // namespace
}  // namespace gpusan::rules
