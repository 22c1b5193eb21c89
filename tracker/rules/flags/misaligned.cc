// Check misaligned: an offset, size or pointer that breaks an alignment rule.
#include "tracker/rules/events/kernel_alignment.h"
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/argument_text.h"

namespace gpusan::rules {
namespace {

struct Misaligned {
  static void OnTransfer(const Transfer& transfer, Call& call) {
    if (transfer.reads_source()) CheckTexels(transfer.source, call);
    if (transfer.has_destination()) CheckTexels(transfer.destination, call);
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
          .Why("offset and size of a fill must be multiples of the pattern size",
               Clause::kAlignment)
          .Fix("align the range to the pattern, or fill with a smaller pattern")
          .WithCreation(*side.resource)
          .Fact(name, value)
          .Fact("alignment_bytes", transfer.pattern_bytes);
    }
  }

  static void OnKernelAlignment(const KernelAlignment& use, Call& call) {
    const Vocabulary& words = call.words();
    const Resource& resource = *use.resource;
    const char* verb = use.write ? "writes" : "reads";
    FindingBuilder finding = call.Add(RuleId::kMisaligned);
    finding
        .What(absl::StrCat(ObjectText(*use.kernel, words), " ", verb, " values of ", use.alignment,
                           " B through ", ArgumentText(*use.kernel, use.argument),
                           ", which points to byte ", use.offset, " of ",
                           ObjectText(resource, words)))
        .Why("the address of each access must be a multiple of its size, or the device faults",
             Clause::kAlignment)
        .Fix(absl::StrCat("pass a pointer to a multiple of ", use.alignment,
                          " B, or access smaller values in the kernel"))
        .WithCreation(resource)
        .About(*use.kernel)
        .Fact("argument", uint64_t{use.argument})
        .Fact("kernel", use.kernel->name)
        .Fact("offset", use.offset)
        .Fact("alignment_bytes", uint64_t{use.alignment});
    AddRecorder(finding, use);
  }

  static void OnBinding(const Binding& binding, Call& call) {
    if (binding.alignment == 0 || binding.region.offset % binding.alignment == 0) return;
    const Resource& resource = *binding.resource;
    call.Add(RuleId::kMisaligned)
        .What(absl::StrCat("the ", ObjectKindName(binding.kind), " begins at byte ",
                           binding.region.offset, " of ", ObjectText(resource, call.words()),
                           ", which is not a multiple of ", binding.alignment, " B"))
        .Why("the device requires this alignment of the address", Clause::kAlignment)
        .Fix("begin at an aligned address, or give each such range its own allocation")
        .WithCreation(resource)
        .Fact("offset", binding.region.offset)
        .Fact("alignment_bytes", binding.alignment);
  }

  static void OnMemoryUse(const MemoryUse& use, Call& call) {
    if (use.fault != MemoryUse::Fault::kAtom) return;
    const Resource& memory = *use.memory;
    call.Add(RuleId::kMisaligned)
        .What(absl::StrCat(call.info().name, " names bytes ", use.offset, " to ",
                           use.offset + use.bytes, " of ", ObjectText(memory, call.words()),
                           ", which are not whole atoms of ", use.limit, " B"))
        .Why(
            "a flushed or invalidated range begins and ends at a multiple of nonCoherentAtomSize, "
            "or ends with the memory",
            Clause::kMemoryMapping)
        .Fix(absl::StrCat("round the offset down and the end up to multiples of ", use.limit,
                          " B, and keep data of other users out of these atoms"))
        .Party("map", "mapped", use.site)
        .WithCreation(memory)
        .Fact("offset", use.offset)
        .Fact("size_bytes", use.bytes)
        .Fact("alignment_bytes", use.limit)
        .Fact("vuid", std::string(use.vuid));
  }

  static void OnCreate(const Creation& creation, Call& call) {
    if (creation.parent == nullptr || creation.parent_alignment == 0) return;
    if (creation.parent_offset % creation.parent_alignment == 0) return;
    call.Add(RuleId::kMisaligned)
        .What(absl::StrCat("the sub-buffer begins at byte ", creation.parent_offset, " of ",
                           ObjectText(*creation.parent, call.words()),
                           ", which is not a multiple of ", creation.parent_alignment, " B"))
        .Why("the origin of a sub-buffer must be aligned for at least one device of the context",
             Clause::kAlignment)
        .Fix(absl::StrCat("round the origin to a multiple of ", creation.parent_alignment,
                          " B, or pass an offset to the kernel instead of creating a sub-buffer"))
        .WithCreation(*creation.parent)
        .Fact("offset", creation.parent_offset)
        .Fact("alignment_bytes", creation.parent_alignment);
  }

 private:
  static void CheckTexels(const Side& side, Call& call) {
    if (side.whole_texels()) [[likely]]
      return;
    const bool begin = side.row_begin % side.texel_bytes != 0;
    const uint64_t value = begin ? side.row_begin : side.row_bytes;
    call.Add(RuleId::kMisaligned)
        .What(absl::StrCat("the ", begin ? "x offset" : "width", " of the region, ", value,
                           " B, is not a whole number of elements of ",
                           ObjectText(*side.resource, call.words())))
        .Why(absl::StrCat("offsets and widths in an array are counted in bytes and must be "
                          "multiples of its element size of ",
                          side.texel_bytes, " B"),
             Clause::kAlignment)
        .Fix(absl::StrCat("compute the value in bytes: elements x ", side.texel_bytes, " B"))
        .WithCreation(*side.resource)
        .Fact(begin ? "offset" : "size", value)
        .Fact("alignment_bytes", uint64_t{side.texel_bytes});
  }
};

}  // namespace
}  // namespace gpusan::rules
