// The findings of the rows of sync_state.def.
#include "tracker/rules/states/sync_state.h"

#include <string>

#include "absl/strings/substitute.h"

namespace gpusan::rules {
namespace {

struct FaultText {
  RuleId rule;
  const char *vuid, *vuid2, *what, *why, *fix;
};
// By SyncStateUse::Fault.
constexpr FaultText kFaultTexts[] = {
#define GPUSAN_SYNC_FAULT(symbol, ...) {RuleId::kSyncObjectMisuse, __VA_ARGS__},
#define GPUSAN_SYNC_FAULT_OF(check, symbol, ...) {RuleId::check, __VA_ARGS__},
#include "tracker/rules/states/sync_state.def"
#undef GPUSAN_SYNC_FAULT
#undef GPUSAN_SYNC_FAULT_OF
};

// Whether the real call may crash because of a fault of the check.
constexpr bool MayCrash(RuleId rule) {
  return rule == RuleId::kBindingInvalid || rule == RuleId::kFlagConflict ||
         rule == RuleId::kHostBufferOverrun || rule == RuleId::kMisaligned;
}

}  // namespace

void OnSyncStateUse(const SyncStateUse& use, Call& call) {
  const FaultText& text = kFaultTexts[static_cast<size_t>(use.fault)];
  const std::string function(call.words().CoreName(call.info().name));
  // The second form of a command of Vulkan ends in 2 (vkCmdPipelineBarrier2).
  const bool second =
      *text.vuid2 != '\0' && (function.ends_with('2') || function.ends_with("2KHR"));
  const std::string vuid = absl::Substitute(second ? text.vuid2 : text.vuid, function,
                                            std::string(), use.value, use.other);
  if (MayCrash(text.rule)) call.MayCrash();
  FindingBuilder finding = call.Add(text.rule);
  finding
      .What(absl::Substitute(text.what, call.info().name, ObjectText(*use.object, call.words()),
                             use.value, use.other))
      .Why(absl::StrCat(text.why, vuid.empty() ? "" : ": ", vuid))
      .Fix(absl::Substitute(text.fix, call.info().name, "", use.value, use.other));
  if (use.earlier != nullptr) {
    const bool fence = use.object->kind == ObjectKind::kFence;
    finding.Party(fence ? "pending-command" : "earlier-command",
                  absl::StrCat(fence ? "submitted by " : "", use.earlier->name), use.site);
  }
  finding.WithCreation(*use.object);
  if (!vuid.empty()) finding.Fact("vuid", vuid);
}

}  // namespace gpusan::rules
