// Check copy-direction: a host pointer is passed where a device pointer is required, or the
// reverse.
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/host_block_text.h"

namespace gpusan::rules {
namespace {

struct CopyDirection {
  static void OnPointerUse(const PointerUse& use, Call& call) {
    // One finding is enough if both pointers are wrong.
    if (use.free || call.Has(RuleId::kCopyDirection)) return;
    const Vocabulary& words = call.words();
    if (use.expect == PointerUse::Expect::kDevice && use.block_known && use.resource == nullptr) {
      call.Add(RuleId::kCopyDirection)
          .What(absl::StrCat(use.argument, " is ", HandleText(use.address),
                             ", ordinary host memory (a block of ", BytesText(use.block.bytes),
                             "), but the call needs a device pointer"))
          .Why("the direction of the copy decides which pointer is a device pointer",
               Clause::kSharedPointer)
          .Fix(absl::StrCat("pass a device pointer as ", use.argument,
                            ": swap the pointers or correct the direction of the copy"))
          .Party("host-block", HostBlockText(use.block, call), use.block.site)
          .Fact("argument", std::string(use.argument));
      return;
    }
    if (use.expect != PointerUse::Expect::kHost || use.resource == nullptr) return;
    call.MayCrash();
    call.Add(RuleId::kCopyDirection)
        .What(absl::StrCat(use.argument, " points into ", ObjectText(*use.resource, words),
                           ", but the call needs a host pointer"))
        .Why("the direction of the copy decides which pointer is a host pointer",
             Clause::kSharedPointer)
        .Fix(absl::StrCat("pass a host pointer as ", use.argument,
                          ": swap the pointers or correct the direction of the copy"))
        .WithCreation(*use.resource)
        .Fact("argument", std::string(use.argument));
  }
};

}  // namespace
}  // namespace gpusan::rules
