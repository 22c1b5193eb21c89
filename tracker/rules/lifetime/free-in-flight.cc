// Check free-in-flight: memory is freed while commands or a mapping still use it.
#include "tracker/rules/events/unmapped_in_use.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct FreeInFlight {
  static void OnPendingUse(const PendingUse& use, Call& call) {
    if (use.act != PendingUse::Act::kDestroy) return;
    const Vocabulary& words = call.words();
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kFreeInFlight);
    finding
        .What(absl::StrCat(ObjectText(*use.object, words), " is destroyed while ",
                           use.pending->name, ", which uses it, is not known to be complete"))
        .Why("an object must exist until all submitted commands that use it are complete",
             Clause::kPending)
        .Fix(absl::StrCat("wait for the submission first (", words.WaitCalls(),
                          "), or keep the object until the fence of that submission is signalled"))
        .Party("pending-command",
               absl::StrCat(use.pending->name, " uses it", words.CommandLabel(use.label)), use.site)
        .WithCreation(*use.object);
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }

  static void OnUnmappedInUse(const UnmappedInUse& use, Call& call) {
    const Vocabulary& words = call.words();
    call.Add(RuleId::kFreeInFlight)
        .What(absl::StrCat(ObjectText(*use.memory, words), " is unmapped while ",
                           use.pending->call->name, ", which uses it, is not known to be complete"))
        .Why("the call does not wait for commands that use the addresses", Clause::kUnmapAddresses)
        .Fix(absl::StrCat("wait for the command first (", words.WaitCalls(), ")"))
        .Party("pending-command", absl::StrCat(use.pending->call->name, " uses it"),
               use.pending->site)
        .WithCreation(*use.memory);
  }

  static void OnRelease(const Object& object, Call& call) {
    if (!object.is_memory()) return;
    const Resource& resource = static_cast<const Resource&>(object);
    const Vocabulary& words = call.words();
    if (resource.by_address()) {
      if (resource.history.empty()) return;
      Access pending;
      {
        std::lock_guard lock(resource.lock);
        const Access* found = resource.history.FindPending(Region::Linear(0, UINT64_MAX), false,
                                                           call.shadow().host());
        if (found == nullptr) return;
        pending = *found;
      }
      call.MayCrash();
      call.Add(RuleId::kFreeInFlight)
          .What(absl::StrCat(ObjectText(resource, words), " is freed while ", pending.call->name,
                             ", which uses it, is not known to be complete"))
          .Why("the free does not wait for commands that use the memory", Clause::kFreeShared)
          .Fix(absl::StrCat("wait for the command first (", words.WaitCalls(),
                            "), or enqueue the free after the command"))
          .Party("pending-command", absl::StrCat(pending.call->name, " uses it"), pending.site)
          .WithCreation(resource);
      return;
    }
    // The root does not store through which object a region is mapped: while other objects share
    // the memory, the region may be theirs.
    const Resource& root = *resource.root;
    const ResourceExtra* extra = root.more();
    const uint32_t others = root.children.load(std::memory_order_relaxed);
    if (extra == nullptr || (&resource == &root ? others != 0 : root.live() || others > 1)) return;
    Mapping mapping;
    size_t mapped;
    {
      std::lock_guard lock(root.lock);
      mapped = extra->mappings.size();
      if (mapped == 0) return;
      mapping = extra->mappings.front();
    }
    call.Add(RuleId::kFreeInFlight)
        .What(absl::StrCat("the last reference to ", ObjectText(resource, words),
                           " is released while ", mapped, " region", mapped == 1 ? " is" : "s are",
                           " still mapped"))
        .Why(
            "a mapped region must be unmapped through its object, which does not exist after the "
            "release",
            Clause::kUnmap)
        .Fix("unmap every region, and let the unmap finish, before the last release")
        .Party("map", absl::StrCat("mapped at ", HandleText(mapping.pointer)), mapping.site)
        .WithCreation(resource)
        .Fact("mapped_regions", uint64_t{mapped});
  }
};

}  // namespace
}  // namespace gpusan::rules
