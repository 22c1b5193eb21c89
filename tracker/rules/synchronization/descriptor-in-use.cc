// Check descriptor-in-use: a descriptor set is changed while pending work uses it, or between the
// recording of a command that uses it and its submission.
#include "tracker/rules/events/descriptor_use.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct DescriptorInUse {
  static void OnPendingUse(const PendingUse& use, Call& call) {
    if (use.act != PendingUse::Act::kUpdate) return;
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kDescriptorInUse);
    finding
        .What(absl::StrCat(call.info().name, " changes ", ObjectText(*use.object, words), " while ",
                           use.pending->name, ", which uses it, is not known to be complete"))
        .Why(
            "a descriptor must not be changed while pending commands use it, unless the flags of "
            "its binding allow it",
            Clause::kPending)
        .Fix(absl::StrCat("wait for the submission first (", words.WaitCalls(),
                          "), or use one descriptor set for each frame in flight"))
        .Party("pending-command",
               absl::StrCat(use.pending->name, " uses it", words.CommandLabel(use.label)), use.site)
        .WithCreation(*use.object);
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }

  static void OnDescriptorUse(const DescriptorUse& use, Call& call) {
    if (use.fault != DescriptorUse::Fault::kWrittenAfterRecording) return;
    const std::string set = ObjectText(*use.set, call.words());
    call.Add(RuleId::kDescriptorInUse)
        .What(absl::StrCat(call.info().name, " executes ", use.recorder->name, ", which uses ", set,
                           ", but binding ", use.binding,
                           " of the set was written after the command was recorded"))
        .Why(absl::StrCat("a write of a descriptor that was bound invalidates the command buffer, "
                          "unless the flags of its binding allow it (Vulkan 1.3 §14.2, ",
                          use.vuid, ")"))
        .Fix(
            "record the command buffer again after the write, use another descriptor set, or "
            "create the binding with VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT")
        .Party("recorded", absl::StrCat(use.recorder->name, " uses it"), use.recorded_at)
        .WithCreation(*use.set)
        .Fact("binding", use.binding)
        .Fact("vuid", use.vuid);
  }
};

}  // namespace
}  // namespace gpusan::rules
