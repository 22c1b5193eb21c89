// Check mismatched-free: memory is freed by a function of another family.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct MismatchedFree {
  static void OnPointerUse(const PointerUse& use, Call& call) {
    if (!use.free || (use.resource != nullptr && !use.resource->live())) return;
    if (!use.block_known && use.resource == nullptr) return;
    const Vocabulary& words = call.words();
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kMismatchedFree);
    if (use.resource != nullptr) {
      finding
          .What(use.offset != 0
                    ? absl::StrCat(use.argument, " points ", use.offset, " B into ",
                                   ObjectText(*use.resource, words), ", not to its beginning")
                    : absl::StrCat(use.argument, " is ", ObjectText(*use.resource, words),
                                   ", which ", words.ReleaseCallOf(*use.resource), " frees"))
          .WithCreation(*use.resource);
    } else {
      finding
          .What(absl::StrCat(use.argument, " is ordinary host memory (a block of ",
                             BytesText(use.block.bytes), ")"))
          .Party("host-block", absl::StrCat("host block of ", BytesText(use.block.bytes)),
                 use.block.site);
    }
    finding
        .Why(
            "an allocation must be freed through the pointer that it returned, by the matching "
            "function",
            Clause::kFreeShared)
        .Fix(use.resource == nullptr
                 ? "free it by the function that matches its allocation (free, delete or munmap)"
             : use.offset != 0 ? absl::StrCat("pass the pointer that the allocation returned, ",
                                              use.offset, " B before this one")
                               : absl::StrCat("free it by ", words.ReleaseCallOf(*use.resource)));
  }

  static void OnHostFree(const HostFree& free, Call& call) {
    if (free.mapped != nullptr) return CheckMapped(free, call);
    if (free.shared == nullptr) return;
    const Resource& resource = *free.shared;
    call.MayCrash();
    call.Add(RuleId::kMismatchedFree)
        .What(absl::StrCat(ObjectText(resource, call.words()), " is freed by ", call.info().name))
        .Why("memory from the shared allocator must be returned to that allocator",
             Clause::kFreeShared)
        .Fix(absl::StrCat("free it by ", call.words().ReleaseCallOf(resource)))
        .WithCreation(resource);
  }

 private:
  static void CheckMapped(const HostFree& free, Call& call) {
    const MappedRegion& region = *free.mapped;
    const Resource* resource = region.resource.get();
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kMismatchedFree);
    finding
        .What(absl::StrCat("a mapped region of ",
                           resource != nullptr ? ObjectText(*resource, call.words()) : "an object",
                           " is freed by ", call.info().name))
        .Why("a mapped region belongs to its object; it ends with an unmap", Clause::kUnmap)
        .Fix("unmap the region instead")
        .Party("map", absl::StrCat("mapped at ", HandleText(region.begin)), region.mapped);
    if (resource != nullptr) finding.WithCreation(*resource);
  }
};

}  // namespace
}  // namespace gpusan::rules
