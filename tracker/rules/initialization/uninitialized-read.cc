// Check uninitialized-read: a read of bytes that nothing has written.
#include <bit>

#include "tracker/objects/discarded_content.h"
#include "tracker/rules/events/unwritten_texels.h"
#include "tracker/rules/events/unwritten_update.h"
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/argument_text.h"
#include "tracker/rules/shared/unwritten_argument.h"

namespace gpusan::rules {
namespace {

struct UninitializedRead {
  static void OnTransfer(const Transfer& transfer, Call& call) {
    const bool maps = transfer.kind == TransferKind::kMap;
    const bool to_host = transfer.kind == TransferKind::kRead || maps;
    if (!to_host && transfer.kind != TransferKind::kCopy) return;
    // A map for reading and writing is often a map for writing. Pinned memory that is mapped for
    // reading is often the target of later transfers.
    if (transfer.recorded ||
        (maps && (!transfer.map_read || transfer.map_write || transfer.map_pinned)))
      return;
    const Side& source = transfer.source;
    if (source.is_host() || source.region.empty()) return;
    const Resource& resource = *source.resource;
    const Resource& root = *resource.root;
    if (root.init.all()) [[likely]]
      return;
    if (resource.failed_write_call() != nullptr || call.has_findings())
      return;  // another check reports the cause
    if (call.shadow().MayHoldUnseenWrites(resource)) return;
    const char* action = maps ? "mapped for reading" : "read";
    Check(resource, source.region, action, call);
    if (!to_host || call.has_findings()) return;
    CheckPitch(resource, source.region, action, call);
    if (!call.has_findings()) CheckElements(resource, source.region, action, call);
  }

  static void OnLaunch(const Launch& launch, Call& call) {
    for (const LaunchArgument& argument : launch.arguments) {
      UnwrittenBytes unwritten;
      if (!FindUnwritten(launch, argument, call, &unwritten) || unwritten.written != 0) [[likely]]
        continue;
      FindingBuilder finding = call.Add(RuleId::kUninitializedRead);
      AddUnwritten(finding, launch, argument, unwritten, "nothing was written", call.words());
      AddDiscard(finding, DiscardedBy(*argument.resource->root));
    }
  }

  static void OnContentUse(const ContentUse& use, Call& call) {
    if (use.lost_call != nullptr) return CheckLost(use, call);
    if (use.resource->image != nullptr) return CheckImage(use, call);
    Check(*use.resource, use.region, "read", call);
    if (!call.has_findings()) CheckElements(*use.resource, use.region, "read", call);
  }

  static void OnUnwrittenTexels(const UnwrittenTexels& texels, Call& call) {
    const Vocabulary& words = call.words();
    const auto text = [](const uint32_t(&numbers)[3], const char* between) {
      return absl::StrCat(numbers[0], between, numbers[1], between, numbers[2]);
    };
    call.Add(RuleId::kUninitializedRead)
        .Severe(Severity::kWarning)
        .What(absl::StrCat(call.info().name, " reads ", text(texels.extent, "x"), " texels at (",
                           text(texels.origin, ", "), ") in mip level ", texels.mip, ", layer ",
                           texels.layer, " of ", ObjectText(*texels.image, words),
                           ", which nothing has written, while other texels are written"))
        .Why(
            "the content of an image is undefined after its creation and after a transition from "
            "an undefined layout",
            Clause::kContentUndefined)
        .Fix("write these texels first, or copy only the texels that are written")
        .WithCreation(*texels.image)
        .Fact("mip", uint64_t{texels.mip})
        .Fact("layer", uint64_t{texels.layer});
  }

  static void OnUnwrittenUpdate(const UnwrittenUpdate& update, Call& call) {
    if (update.written != 0) return;  // partially-initialized
    const Vocabulary& words = call.words();
    const Resource& resource = *update.resource;
    const char* how = update.in_place ? "" : " atomically";
    call.Add(RuleId::kUninitializedRead)
        .Severe(Severity::kWarning)
        .What(absl::StrCat(ObjectText(*update.kernel, words), " updates ",
                           ArgumentText(*update.kernel, update.argument), ", ",
                           ObjectText(resource, words), ",", how,
                           update.anywhere ? absl::StrCat(" at places between bytes ", update.begin,
                                                          " and ", update.end - 1)
                                           : absl::StrCat(" from byte ", update.begin, " on"),
                           ", but nothing has written these bytes"))
        .Why(absl::StrCat(update.in_place ? "the kernel reads the old value before it writes the "
                                            "new one, and the "
                                          : "the result of an atomic update depends on the value "
                                            "before, and the ",
                          "content of bytes that nothing wrote is undefined"),
             Clause::kContentUndefined)
        .Fix(absl::StrCat("set the memory before the launch, for example to 0 by a command in the "
                          "same ",
                          words.KindName(ObjectKind::kQueue)))
        .WithCreation(resource)
        .About(*update.kernel)
        .Fact("argument", uint64_t{update.argument})
        .Fact("kernel", update.kernel->name);
  }

 private:
  static void AddDiscard(FindingBuilder& finding, const DiscardingCall& discard) {
    if (discard.call == nullptr) return;
    finding.Party("discard", absl::StrCat(discard.call->name, " made the content undefined"),
                  discard.site);
  }

  static void CheckLost(const ContentUse& use, Call& call) {
    const Vocabulary& words = call.words();
    const std::string other =
        use.lost_to != nullptr ? ObjectText(*use.lost_to, words) : std::string("something else");
    FindingBuilder finding = call.Add(RuleId::kUninitializedRead);
    finding.Severe(Severity::kWarning)
        .What(absl::StrCat(call.info().name, " reads ", ObjectText(*use.resource, words),
                           ", whose content was lost when ", use.lost_call->name, " wrote ", other,
                           ", which has the same memory"))
        .Why(
            "a write to one of two resources that share memory makes the content of the other "
            "undefined if the other is an image of optimal tiling",
            Clause::kAlias)
        .Fix(
            "write the image again before it is read, or bind the two resources to separate memory")
        .Party("alias", absl::StrCat(use.lost_call->name, " wrote ", other), use.lost_site)
        .WithCreation(*use.resource);
    if (use.lost_to != nullptr) finding.About(*use.lost_to);
  }

  static void CheckDropped(const ContentUse& use, Call& call) {
    const Vocabulary& words = call.words();
    call.Add(RuleId::kUninitializedRead)
        .Severe(Severity::kWarning)
        .What(absl::StrCat(call.info().name, " reads mip level ", use.mip, ", layer ", use.layer,
                           " of ", ObjectText(*use.resource, words), ", whose content ",
                           use.dropped_by->name, " discarded"))
        .Why(
            "VK_ATTACHMENT_STORE_OP_DONT_CARE makes the content of an attachment undefined when "
            "its render pass ends (Vulkan 1.3 §8.1)")
        .Fix("use VK_ATTACHMENT_STORE_OP_STORE for the attachment")
        .Party("end-of-pass", absl::StrCat(use.dropped_by->name, " discarded the content"),
               use.origin_site)
        .WithCreation(*use.resource)
        .Fact("mip", uint64_t{use.mip})
        .Fact("layer", uint64_t{use.layer});
  }

  static void CheckImage(const ContentUse& use, Call& call) {
    if (use.dropped_by != nullptr) return CheckDropped(use, call);
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kUninitializedRead);
    finding.Severe(Severity::kWarning)
        .What(absl::StrCat(call.info().name, " reads mip level ", use.mip, ", layer ", use.layer,
                           " of ", ObjectText(*use.resource, words), ", which nothing has written",
                           use.origin != nullptr
                               ? absl::StrCat(" since ", use.origin->name, " discarded its content")
                               : ""))
        .Why(
            "the content of an image is undefined after its creation and after a transition from "
            "an undefined layout",
            Clause::kContentUndefined)
        .Fix(
            "write the image first; or name its current layout in the barrier, if its content is "
            "still needed")
        .WithCreation(*use.resource)
        .Fact("mip", uint64_t{use.mip})
        .Fact("layer", uint64_t{use.layer});
    if (use.origin != nullptr)
      finding.Party("layout",
                    absl::StrCat("moved out of the undefined layout by ", use.origin->name),
                    use.origin_site);
  }

  // Reports a download of bytes that were written with another pitch: exactly as many bytes were
  // written, from the same address on, but rows with gaps are read and bytes without gaps were
  // written, or the reverse.
  static void CheckPitch(const Resource& resource, const Region& region, const char* action,
                         Call& call) {
    if (resource.image != nullptr || resource.root != &resource) return;
    {
      std::lock_guard lock(resource.lock);
      if (!resource.init.HasOtherPitch(region) || resource.init.Covered(region)) return;
    }
    const bool rows = !region.linear();
    const Vocabulary& words = call.words();
    call.Add(RuleId::kUninitializedRead)
        .Severe(Severity::kWarning)
        .What(absl::StrCat(
            BytesText(region.bytes()), " are ", action, " from ", ObjectText(resource, words),
            rows ? absl::StrCat(" in rows of ", region.width, " B with a pitch of ",
                                region.row_pitch, " B, but they were written without gaps")
                 : " without gaps, but they were written in rows with a pitch"))
        .Why(
            "the bytes between the rows, or the last rows, were never written, and the content of "
            "a new object is undefined",
            Clause::kContentUndefined)
        .Fix("write and read the rows with the pitch of the allocation")
        .WithCreation(resource)
        .Fact("size_bytes", region.bytes());
  }

  // Reports a download of whole rows, or of all memory, of which only the first part is written,
  // and the write counted elements instead of bytes: see Accesses::NoteElementSizes. Downloads of a
  // part of the memory, and rows with padding, are no evidence.
  static void CheckElements(const Resource& resource, const Region& read, const char* action,
                            Call& call) {
    constexpr uint64_t kFewestBytes = 64;
    const Region region = read.Flat();
    const Resource& root = *resource.root;
    if (&root != &resource || region.bytes() < kFewestBytes) return;
    if (region.linear() ? region.offset != 0 || region.width != resource.bytes
                        : region.slices != 1 || region.width == region.row_pitch)
      return;
    bool rows = !region.linear();
    uint64_t row_bytes = region.width, share = 0;
    {
      std::lock_guard lock(root.lock);
      if (root.init.element_sizes() == 0) return;
      uint64_t pitch = 0;
      const uint64_t part = rows ? 0 : root.init.WrittenShareOfRows(resource.bytes, &pitch);
      if (std::has_single_bit(part) && (root.init.element_sizes() & part) != 0) {
        rows = true;
        row_bytes = pitch;
        share = part;
      }
      for (const uint64_t parts : {2, 4, 8, 16}) {
        Region first = region, rest = region;
        first.width = region.width / parts;
        rest.offset += first.width;
        rest.width -= first.width;
        if (share != 0 || (root.init.element_sizes() & parts) == 0 || region.width % parts != 0 ||
            !root.init.Covered(first) || !root.init.Untouched(rest))
          continue;
        share = parts;
      }
    }
    if (share == 0) return;
    const Vocabulary& words = call.words();
    call.Add(RuleId::kUninitializedRead)
        .Severe(Severity::kWarning)
        .What(absl::StrCat(BytesText(region.bytes()), " are ", action, " from ",
                           ObjectText(resource, words), ", of which only the first ",
                           BytesText(row_bytes / share), rows ? " of each row" : "",
                           " were written, 1/", share, " of the bytes"))
        .Why(absl::StrCat("the content of a new object is undefined until a command, a kernel or a "
                          "mapping writes it (",
                          words.Cite(Clause::kContentUndefined),
                          "); the write probably passed a number of elements of ", share,
                          " B as a number of bytes"))
        .Fix(
            "pass the size in bytes to the call that writes the object, or read only the bytes "
            "that it wrote")
        .WithCreation(resource)
        .Fact("size_bytes", region.bytes())
        .Fact("written_bytes", region.bytes() / share);
  }

  static void Check(const Resource& resource, const Region& region, const char* action,
                    Call& call) {
    const Resource& root = *resource.root;
    bool nothing;
    uint64_t written;
    {
      std::lock_guard lock(root.lock);
      if (!root.init.Untouched(region.Shifted(resource.root_offset))) return;
      nothing = root.init.none();
      written = root.init.WrittenBytes(root.bytes);
    }
    const Vocabulary& words = call.words();
    const DiscardingCall discard = DiscardedBy(root);
    FindingBuilder finding = call.Add(RuleId::kUninitializedRead);
    finding.Severe(Severity::kWarning)
        .What(absl::StrCat(
            BytesText(region.bytes()), " are ", action, " from ", ObjectText(resource, words),
            nothing ? ", which nothing has written" : ", from a part that nothing has written",
            discard.call != nullptr
                ? absl::StrCat(" since ", discard.call->name, " made the content undefined")
                : ""))
        .Why(
            "the content of a new object is undefined until a command, a kernel or a mapping "
            "writes it",
            Clause::kContentUndefined)
        .Fix("write the object first; check whether the command that should write it runs before")
        .WithCreation(resource)
        .Fact("size_bytes", region.bytes());
    if (!nothing && &root == &resource)
      finding.Fact("offset", region.offset).Fact("written_bytes", written);
    AddDiscard(finding, discard);
  }
};

}  // namespace
}  // namespace gpusan::rules
