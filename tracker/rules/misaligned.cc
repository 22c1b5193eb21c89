// Check misaligned: an offset, size or pointer that breaks an alignment rule.
#include "tracker/rules.h"

namespace gpusan::rules {
namespace {

struct Misaligned {
  static void OnTransfer(const Transfer& transfer, Call& call) {
    if (transfer.kind != TransferKind::kFill || transfer.pattern_bytes == 0) return;
    const Side& side = transfer.destination;
    if (side.is_image() || side.is_host()) return;
    const uint64_t at = side.region.offset;
    for (const auto& [name, value] :
         {std::pair{"offset", at}, std::pair{"size", side.region.width}}) {
      if (value % transfer.pattern_bytes == 0) continue;
      call.Add(RuleId::kMisaligned)
          .What(absl::StrCat("the ", name, " of the fill, ", value,
                             " B, is not a multiple of the pattern's ", transfer.pattern_bytes,
                             " B"))
          .Why(absl::StrCat("offset and size of a fill must be multiples of the pattern size (",
                            call.words().Cite(Clause::kAlignment), ")"))
          .Fix("align the range to the pattern, or fill with a smaller pattern")
          .CreatedBy(*side.resource)
          .About(*side.resource)
          .Fact(name, value)
          .Fact("alignment_bytes", transfer.pattern_bytes);
    }
  }

  static void OnCreate(const Creation& creation, Call& call) {
    if (creation.parent == nullptr || creation.parent_alignment == 0) return;
    if (creation.parent_offset % creation.parent_alignment == 0) return;
    call.Add(RuleId::kMisaligned)
        .What(absl::StrCat("the sub-buffer begins at byte ", creation.parent_offset, " of ",
                           ObjectText(*creation.parent, call.words()),
                           ", which is not a multiple of ", creation.parent_alignment, " B"))
        .Why(absl::StrCat(
            "the origin of a sub-buffer must be aligned as some device of the context asks for (",
            call.words().Cite(Clause::kAlignment), ")"))
        .Fix(absl::StrCat("round the origin to a multiple of ", creation.parent_alignment,
                          " B, or pass an offset to the kernel instead of making a sub-buffer"))
        .CreatedBy(*creation.parent)
        .About(*creation.parent)
        .Fact("offset", creation.parent_offset)
        .Fact("alignment_bytes", creation.parent_alignment);
  }
};

}  // namespace
}  // namespace gpusan::rules
