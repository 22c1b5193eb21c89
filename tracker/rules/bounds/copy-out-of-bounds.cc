// Check copy-out-of-bounds: a transfer reaches past the end of a buffer.
#include "tracker/rules/events/copy_limit.h"
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/region_text.h"

namespace gpusan::rules {
namespace {

struct CopyOutOfBounds {
  static void OnCopyLimit(const CopyLimit& limit, Call& call) {
    if (limit.fault != CopyLimit::Fault::kUpdateBytes) return;
    call.MayCrash();
    call.Add(RuleId::kCopyOutOfBounds)
        .What(absl::StrCat(call.info().name, " is given ", BytesText(limit.bytes), " for ",
                           ObjectText(*limit.resource, call.words())))
        .Why(absl::StrCat("the command buffer stores the data of an update, which has at most ",
                          limit.most, " bytes (Vulkan 1.3 §19.5, ", limit.vuid, ")"))
        .Fix(absl::StrCat("copy the data from a staging buffer, or update the buffer in parts of "
                          "at most ",
                          limit.most, " bytes"))
        .WithCreation(*limit.resource)
        .Fact("bytes", limit.bytes)
        .Fact("vuid", std::string(limit.vuid));
  }

  static void OnTransfer(const Transfer& transfer, Call& call) {
    if (transfer.reads_source()) {
      if (transfer.has_destination() &&
          FormatSizeMismatch::StagedTexel(transfer.destination, transfer.source) != 0)
        return;  // format-size-mismatch
      Check(transfer.source, "source", call);
    }
    if (transfer.has_destination()) Check(transfer.destination, "destination", call);
  }

  static void OnCreate(const Creation& creation, Call& call) {
    const Resource* parent = creation.parent;
    if (parent == nullptr || creation.kind != ObjectKind::kBuffer || parent->bytes == 0) return;
    const uint64_t origin = creation.parent_offset, size = creation.bytes;
    if (size <= parent->bytes && origin <= parent->bytes - size) return;
    uint64_t end;
    const bool wraps = __builtin_add_overflow(origin, size, &end);
    // A driver that ignores the overflow of the sum accepts the sub-buffer.
    if (wraps) call.MayCrash();
    call.Add(RuleId::kCopyOutOfBounds)
        .What(wraps ? absl::StrCat("the sub-buffer ends far past the end of ",
                                   ObjectText(*parent, call.words()))
                    : absl::StrCat("the sub-buffer ends at byte ", end, " of ",
                                   ObjectText(*parent, call.words()), ", ",
                                   BytesText(end - parent->bytes), " past its end"))
        .Why(absl::StrCat("origin ", origin, " + size ", size,
                          wraps ? " wraps around" : absl::StrCat(" = ", end),
                          ", but the buffer has ", parent->bytes, " B"),
             Clause::kBufferBounds)
        .Fix("reduce the region to the size of the buffer, or make the buffer larger")
        .WithCreation(*parent)
        .Fact("offset", origin)
        .Fact("size_bytes", size)
        .Fact("resource_bytes", parent->bytes);
  }

  // A warning, because kernels may never read the rows past the end.
  static void OnBinding(const Binding& binding, Call& call) {
    const Resource& resource = *binding.resource;
    const Region& region = binding.region;
    if (resource.image != nullptr || resource.bytes == 0 || region.end() <= resource.bytes) return;
    call.Add(RuleId::kCopyOutOfBounds)
        .Severe(Severity::kWarning)
        .What(absl::StrCat("the ", ObjectKindName(binding.kind), " ends at byte ", region.end(),
                           " of ", ObjectText(resource, call.words()), ", ",
                           BytesText(region.end() - resource.bytes), " past its end"))
        .Why("the range that kernels can read must lie in one allocation", Clause::kBufferBounds)
        .Fix("reduce the range to the size of the allocation, or make the allocation larger")
        .WithCreation(resource)
        .Fact("offset", region.offset)
        .Fact("size_bytes", region.bytes())
        .Fact("resource_bytes", resource.bytes);
  }

 private:
  // The fix. It contains the sizes if the range is one block of bytes.
  static std::string RangeFix(const Region& region, const Resource& resource,
                              const Vocabulary& words) {
    const char* const kind = words.KindNameOf(resource);
    if (!region.linear() || region.end() == UINT64_MAX)
      return absl::StrCat("reduce the range to the size of the ", kind, ", or make the ", kind,
                          " larger");
    if (region.offset >= resource.bytes)
      return absl::StrCat("begin below byte ", resource.bytes, ", or make the ", kind, " at least ",
                          region.end(), " B large");
    return absl::StrCat("pass at most ", resource.bytes - region.offset, " B",
                        region.offset != 0 ? absl::StrCat(" at offset ", region.offset) : "",
                        ", or make the ", kind, " at least ", region.end(), " B large");
  }

  static void Check(const Side& side, const char* end, Call& call) {
    if (side.resource == nullptr || side.resource->image != nullptr) return;
    const Resource& resource = *side.resource;
    if (side.region.end() <= resource.bytes && side.region.offset <= resource.bytes) [[likely]]
      return;
    if (resource.bytes == 0) return;
    const Region& region = side.region;
    std::string arithmetic;
    if (region.linear()) {
      uint64_t sum;
      arithmetic =
          __builtin_add_overflow(region.offset, region.width, &sum)
              ? absl::StrCat("offset ", region.offset, " + size ", region.width, " wraps around")
              : absl::StrCat("offset ", region.offset, " + size ", region.width, " = ", sum);
    } else {
      arithmetic = EndSum(region);
    }
    const Vocabulary& words = call.words();
    // Drivers reject a range that ends past the buffer, but a sum that wraps around passes their
    // check, and the driver then crashes. Drivers do not check ranges of shared memory at all.
    if (region.end() == UINT64_MAX || resource.kind == ObjectKind::kSvm) call.MayCrash();
    call.Add(RuleId::kCopyOutOfBounds)
        .What(absl::StrCat(
            "the ", end, " range of the transfer ends at byte ", region.end(), " of ",
            ObjectText(resource, words), ", ",
            region.end() > resource.bytes && region.end() != UINT64_MAX
                ? absl::StrCat(BytesText(region.end() - resource.bytes), " past its end")
                : "far past its end"))
        .Why(absl::StrCat(arithmetic, ", but the ", words.KindNameOf(resource), " has ",
                          resource.bytes, " B"),
             Clause::kBufferBounds)
        .Fix(RangeFix(region, resource, words))
        .WithCreation(resource)
        .Fact("offset", region.offset)
        .Fact("size_bytes", region.linear() ? region.width : region.bytes())
        .Fact("resource_bytes", resource.bytes);
  }
};

}  // namespace
}  // namespace gpusan::rules
