// Check missing-barrier: two commands of a queue conflict, and no barrier between them covers both
// accesses.
#include <optional>

#include "tracker/rules/rules.h"
#include "tracker/rules/shared/pair_names.h"
#include "tracker/rules/shared/repeats.h"
#include "tracker/scopes/shader_bytes.h"

namespace gpusan::rules {
namespace {

// If the code of a shader says which bytes it accesses, the access is as certain as that of a copy.
// Otherwise a shader may access none of its descriptor range.
//
// Two shaders, one of them uncertain: a warning, and only if the earlier one may write and the
// later one only reads, if both surely write the same bytes, or if a draw overwrites the input
// attachment of an earlier draw of its subpass.
//
// An uncertain shader on a buffer and an access with a known byte range: an error if the known
// range contains the range of the shader, because the shader cannot keep to other bytes. A warning
// if the known range contains only the start of the range of the shader. Otherwise no finding.
// An access that the shader's code makes conditional in a way that is not known is never an error.
struct MissingBarrier {
  static void OnScopeViolation(const ScopeViolation& violation, Call& call) {
    const ScopedConflict& conflict = *violation.conflict;
    if (conflict.other_queue) return;  // race
    const std::optional<Severity> severity = SeverityOf(violation);
    if (!severity.has_value()) return;
    const ScopedAccess& earlier = *conflict.earlier;
    const ScopedAccess& later = *conflict.later;
    const Vocabulary& words = call.words();
    const Resource& resource = *violation.resource;
    if (CountedAsRepeat(KeyOf(violation, call), *severity, call)) return;
    const std::string it =
        violation.alias == nullptr
            ? "it"
            : absl::StrCat(ObjectText(*violation.alias, words), ", which shares memory with it");
    FindingBuilder finding = call.Add(RuleId::kMissingBarrier);
    finding.Severe(*severity)
        .CallIs(later.call->name)
        .At(later.site)
        .What(absl::StrCat(Accesses(conflict, ObjectText(resource, words), it), ", but ",
                           conflict.unordered ? "nothing orders the two"
                           : earlier.transition
                               ? "the dependency after the change does not cover it"
                               : "the barrier between them does not cover it",
                           " (", HazardName(conflict.kind), ")"))
        .Why(MissingPart(violation, words), Clause::kBarrier)
        .Fix(words.BarrierFix(resource, conflict))
        .Party("earlier-access",
               absl::StrCat(earlier.call->name, " ", Did(earlier, it),
                            words.CommandLabel(earlier.label)),
               earlier.site);
    if (violation.nearest != nullptr) {
      finding.Party("nearest-barrier",
                    absl::StrCat(violation.nearest->call->name, " ",
                                 words.BarrierStages(violation.nearest->barrier)),
                    violation.nearest->site);
    }
    if (call.info().name != later.call->name)
      finding.Party("submission",
                    absl::StrCat("submitted by ", call.info().name,
                                 words.CommandLabel(violation.submit_label)),
                    call.site());
    if (later.label != kNoLabel) finding.Fact("label", words.LabelName(later.label));
    finding.WithCreation(resource);
    if (violation.alias != nullptr) finding.About(*violation.alias);
    AddFacts(finding, conflict, words);
  }

  // The host wait orders the host read after the device write, but makes the data visible only to
  // the device.
  static void OnMappedUse(const MappedUse& use, Call& call) {
    if (use.fault != MappedUse::Fault::kNoHostBarrier) return;
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kMissingBarrier);
    finding.Severe(Severity::kWarning)
        .What(absl::StrCat("the host reads ", MappedText(use, words), " after ", use.device->name,
                           " wrote it, but no barrier makes the write visible to the host (RAW)"))
        .Why(
            "a wait for a fence, a semaphore or a queue makes writes of commands available, but "
            "visible only to the device",
            Clause::kBarrier)
        .Fix(words.HostBarrierFix(use.stages, use.accesses));
    AddMappedUse(finding, use, words);
    finding.Fact("hazard", std::string("RAW"))
        .Fact("sync_hazard", std::string("SYNC-HAZARD-READ-AFTER-WRITE"));
  }

 private:
  // With the parties of the finding, in its order.
  static FindingKey KeyOf(const ScopeViolation& violation, Call& call) {
    const ScopedAccess& later = *violation.conflict->later;
    FindingKey key(RuleId::kMissingBarrier, later.call->name, later.site);
    key.AddParty("earlier-access", violation.conflict->earlier->site);
    if (violation.nearest != nullptr) key.AddParty("nearest-barrier", violation.nearest->site);
    if (call.info().name != later.call->name) key.AddParty("submission", call.site());
    if (violation.resource->created != kUnknownSite)
      key.AddParty("allocation", violation.resource->created);
    return key;
  }

  // Whether the beginning of one render pass makes both accesses: it changes the layout of an
  // attachment, and then clears or loads it.
  static bool IsOwnTransition(const ScopedConflict& conflict) {
    const ScopedAccess& earlier = *conflict.earlier;
    const ScopedAccess& later = *conflict.later;
    return earlier.transition && !later.transition && earlier.call == later.call &&
           earlier.epoch == later.epoch && later.pass == CommandAt(earlier.position);
  }

  // "vkCmdDraw reads buffer #1 after vkCmdDispatch writes it". `it`: as of Did.
  static std::string Accesses(const ScopedConflict& conflict, const std::string& resource,
                              const std::string& it) {
    const ScopedAccess& earlier = *conflict.earlier;
    const ScopedAccess& later = *conflict.later;
    if (IsOwnTransition(conflict))
      return absl::StrCat(later.call->name, " changes the layout of ", resource, " and then ",
                          Verb(later), " it");
    return absl::StrCat(later.call->name, " ", Verb(later), " ", resource, " after ",
                        PairNames(earlier.call->name, later.call->name).earlier, " ",
                        Did(earlier, it));
  }

  // Returns nullopt if the conflict is not reported. The comment of MissingBarrier has the reasons.
  static std::optional<Severity> SeverityOf(const ScopeViolation& violation) {
    const ScopedAccess& earlier = *violation.conflict->earlier;
    const ScopedAccess& later = *violation.conflict->later;
    // The other access of the shader is compared.
    if (IsCompanion(earlier) != IsCompanion(later)) return std::nullopt;
    Severity severity = Severity::kError;
    const bool earlier_unknown = HasUnknownBytes(earlier), later_unknown = HasUnknownBytes(later);
    if (IsCompanion(earlier)) {
      severity = Severity::kWarning;
    } else if (earlier.shader && later.shader && (earlier_unknown || later_unknown)) {
      if (violation.conflict->kind != Hazard::kReadAfterWrite && !OverwritesInput(earlier, later))
        return std::nullopt;
      if (!MayMeetByAddress(earlier, later)) return std::nullopt;
      severity = Severity::kWarning;
    } else if (earlier_unknown != later_unknown && !earlier.extent.is_image &&
               violation.alias == nullptr) {
      const Region& shader = (earlier_unknown ? earlier : later).extent.region;
      const Region& known = (earlier_unknown ? later : earlier).extent.region;
      if (!Contains(known, shader)) {
        if (!Overlaps(known, Region::Linear(shader.offset, 1))) return std::nullopt;
        severity = Severity::kWarning;
      }
    }
    return earlier.maybe || later.maybe ? Severity::kWarning : severity;
  }

  // Whether two accesses of shaders probably meet, of which at least one has unknown bytes. A
  // buffer may hold many arrays, so that an access by an address need not reach all of the buffer
  // after it.
  static bool MayMeetByAddress(const ScopedAccess& earlier, const ScopedAccess& later) {
    const bool first = earlier.by_address && HasUnknownBytes(earlier);
    const bool second = later.by_address && HasUnknownBytes(later);
    if (first && second) return earlier.extent.region.offset == later.extent.region.offset;
    if (!first && !second) return true;
    const Region& open = (first ? earlier : later).extent.region;
    const Region& other = (first ? later : earlier).extent.region;
    return Overlaps(other, Region::Linear(open.offset, 1));
  }

  // Returns which part of the dependency is missing.
  static std::string MissingPart(const ScopeViolation& violation, const Vocabulary& words) {
    const ScopedConflict& conflict = *violation.conflict;
    const ScopedAccess& earlier = *conflict.earlier;
    const ScopedAccess& later = *conflict.later;
    if (conflict.unordered) {
      const auto at = [&](const ScopedAccess& access) {
        return access.stage != 0
                   ? absl::StrCat(access.call->name, " (", words.Stages(access.stage), ")")
                   : std::string(access.call->name);
      };
      if (earlier.stage == 0 && violation.nearest != nullptr &&
          std::string_view(earlier.call->name).starts_with("vkCmdEndRenderPass"))
        return absl::StrCat(
            "the layout changes after all stages of the render pass: the first scope of a barrier "
            "includes the change only if it has VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, or if the "
            "pass has a dependency to VK_SUBPASS_EXTERNAL, so nothing orders ",
            at(later), " after it");
      if (IsOwnTransition(conflict))
        return absl::StrCat("no dependency of the render pass on earlier commands orders the ",
                            later.write ? "write" : "read", " (", words.Stages(later.stage),
                            ") after the change from the initial layout");
      return absl::StrCat("no barrier between them orders ", at(later), " after ", at(earlier));
    }
    if (!conflict.reach.available) {
      return absl::StrCat("a barrier orders the two, but the write (", words.Stages(earlier.stage),
                          ", ", words.Accesses(earlier.access),
                          ") is not made available: its first scope does not include it, or the "
                          "barrier is one of another resource or of another part of it");
    }
    const std::string access =
        absl::StrCat("the ", later.write ? "write" : "read", " (", words.Stages(later.stage), ", ",
                     words.Accesses(later.access), ")");
    if (!earlier.transition)
      return absl::StrCat("a barrier orders the two, but its second scope does not include ",
                          access, ", so the data is not made visible");
    const Reach& reach = conflict.reach;
    return absl::StrCat("the second scope of the dependency includes ",
                        reach.visible_stages == 0 || reach.visible_access == 0
                            ? "no access"
                            : absl::StrCat("only ", words.Stages(reach.visible_stages), ", ",
                                           words.Accesses(reach.visible_access)),
                        ", so the change is not made visible to ", access);
  }

  static void AddFacts(FindingBuilder& finding, const ScopedConflict& conflict,
                       const Vocabulary& words) {
    const ScopedAccess& earlier = *conflict.earlier;
    const ScopedAccess& later = *conflict.later;
    finding.Fact("hazard", std::string(HazardName(conflict.kind)))
        .Fact("sync_hazard", SyncHazard(conflict));
    if (earlier.shader || later.shader) {
      const auto add = [&](const char* name, const ScopedAccess& access) {
        const Region& bytes = access.extent.region;
        if (!access.extent.is_image && !HasUnknownBytes(access) && bytes.linear() && !bytes.empty())
          finding.Fact(name, absl::StrCat(bytes.offset, " to ", bytes.end() - 1));
      };
      add("byte_range", later);
      add("earlier_byte_range", earlier);
    }
    finding.Fact("earlier_stages", words.StagesFact(earlier.stage))
        .Fact("earlier_access", words.AccessesFact(earlier.access))
        .Fact("later_stages", words.StagesFact(later.stage))
        .Fact("later_access", words.AccessesFact(later.access));
  }

  // Draws are in rasterization order with each other, but not with reads of input attachments.
  static bool OverwritesInput(const ScopedAccess& earlier, const ScopedAccess& later) {
    return earlier.pass != 0 && earlier.pass == later.pass && earlier.subpass == later.subpass &&
           !earlier.write && !earlier.rasterized && later.rasterized;
  }

  static const char* Verb(const ScopedAccess& access) {
    if (access.transition)
      return access.extent.is_image ? "changes the layout of" : "transfers the ownership of";
    if (HasUnknownBytes(access) && access.write) return "may write";
    return access.write ? "writes" : "reads";
  }

  // "writes it", "changes its layout". `it` names the resource.
  static std::string Did(const ScopedAccess& access, const std::string& it) {
    if (access.transition && it == "it")
      return access.extent.is_image ? "changes its layout" : "transfers its ownership";
    return absl::StrCat(Verb(access), " ", it);
  }

  // The name of the hazard in the Khronos validation layers.
  static std::string SyncHazard(const ScopedConflict& conflict) {
    const char* kind = conflict.kind == Hazard::kReadAfterWrite    ? "READ-AFTER-WRITE"
                       : conflict.kind == Hazard::kWriteAfterWrite ? "WRITE-AFTER-WRITE"
                                                                   : "WRITE-AFTER-READ";
    return absl::StrCat("SYNC-HAZARD-", kind);
  }
};

}  // namespace
}  // namespace gpusan::rules
