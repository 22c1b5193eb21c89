// The change to the program that orders two conflicting accesses of a queue.
#include "hooks/vulkan/submission/barrier_fix.h"

#include <vulkan/vulkan_core.h>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/words/sync_names.h"

namespace gpusan::vulkan {
namespace {

// The access to an attachment by a render pass or by dynamic rendering.
struct PassAccess {
  enum class Kind : uint8_t { kNone, kPass, kRendering };
  Kind kind = Kind::kNone;
  bool final_layout = false;  // the transition at the end of the render pass
  std::string subpass;
};

PassAccess PassAccessOf(const ScopedAccess& access) {
  constexpr uint64_t kAttachment =
      VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
      VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
      VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
  const std::string_view call = access.call->name;
  PassAccess pass;
  if (access.transition) {
    if (call.starts_with("vkCmdBeginRenderPass")) {
      pass = {PassAccess::Kind::kPass, false, "0"};
    } else if (call.starts_with("vkCmdEndRenderPass")) {
      pass = {PassAccess::Kind::kPass, true,
              access.subpass == 0 ? "0" : "the last subpass that uses the attachment"};
    }
  } else if (access.pass != 0 && (access.access & kAttachment) != 0) {
    pass.kind = access.rendering ? PassAccess::Kind::kRendering : PassAccess::Kind::kPass;
    pass.subpass = absl::StrCat(access.subpass);
  }
  return pass;
}

// After a read an execution dependency is sufficient.
std::string SourceAccess(const ScopedAccess& earlier) {
  return earlier.write ? AccessInText(earlier.access) : "0";
}
std::string TargetAccess(const ScopedConflict& conflict) {
  return conflict.earlier->write ? AccessInText(conflict.later->access) : "0";
}

std::string DependencyFix(const ScopedConflict& conflict, const std::string& source,
                          const std::string& target, const char* between) {
  const ScopedAccess& earlier = *conflict.earlier;
  const ScopedAccess& later = *conflict.later;
  return absl::StrCat(
      "add a dependency ", between, " to the render pass: {srcSubpass = ", source,
      ", dstSubpass = ", target,
      earlier.stage != 0
          ? absl::StrCat(", srcStageMask = ", StagesInText(earlier.stage),
                         ", srcAccessMask = ", SourceAccess(earlier))
          : ", srcStageMask and srcAccessMask = the stages and writes that use it there",
      later.stage != 0
          ? absl::StrCat(", dstStageMask = ", StagesInText(later.stage),
                         ", dstAccessMask = ", TargetAccess(conflict))
          : ", dstStageMask and dstAccessMask = the stages and accesses that use it there",
      "}");
}

std::string CommandFix(const Resource& resource, const ScopedConflict& conflict,
                       const char* where) {
  const ScopedAccess& earlier = *conflict.earlier;
  const ScopedAccess& later = *conflict.later;
  const auto stages = [](const ScopedAccess& access) {
    return StagesInText(access.stage != 0 ? access.stage : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  };
  return absl::StrCat("record a barrier ", where, ": ",
                      BarrierInText(resource.kind == ObjectKind::kImage ? "Image" : "Buffer",
                                    {stages(earlier), SourceAccess(earlier), stages(later),
                                     TargetAccess(conflict)}));
}

}  // namespace

std::string BarrierFix(const Resource& resource, const ScopedConflict& conflict) {
  const ScopedAccess& earlier = *conflict.earlier;
  const ScopedAccess& later = *conflict.later;
  if (Acquires(earlier.call->name)) {
    return absl::StrCat("wait for the semaphore of ", earlier.call->name, " at ",
                        later.stage != 0 ? StagesInText(later.stage) : "a stage",
                        later.stage != 0 ? ", or at one " : " ",
                        "that srcStageMask of the barrier or of the render pass's dependency has");
  }
  if (conflict.waits && conflict.unordered && later.stage != 0) {
    return absl::StrCat("include ", StagesInText(later.stage), " in the stages at which the ",
                        "submission of ", later.call->name, " waits for the semaphore ",
                        "(pWaitDstStageMask, or stageMask of VkSemaphoreSubmitInfo)");
  }
  const auto by_barrier = [](const ScopedAccess& access) {
    return access.transition &&
           std::string_view(access.call->name).starts_with("vkCmdPipelineBarrier");
  };
  if (conflict.waits && conflict.unordered && by_barrier(later) &&
      later.epoch.timeline() != earlier.epoch.timeline()) {
    return absl::StrCat("include the stages at which its submission waits for the semaphore in ",
                        "srcStageMask of this ", later.call->name,
                        ", or let the submission wait at VK_PIPELINE_STAGE_ALL_COMMANDS_BIT");
  }
  // A barrier that changes the layout orders the change after its own first scope, and before its
  // own second scope. After a read its stages are sufficient.
  if (by_barrier(earlier) && later.stage != 0) {
    return absl::StrCat("include ", StagesInText(later.stage), " in dstStageMask, and ",
                        AccessInText(later.access), " in dstAccessMask, of that ",
                        earlier.call->name);
  }
  if (by_barrier(later) && earlier.stage != 0) {
    return absl::StrCat(
        "include ", StagesInText(earlier.stage), " in srcStageMask",
        earlier.write ? absl::StrCat(", and ", AccessInText(earlier.access), " in srcAccessMask,")
                      : "",
        " of this ", later.call->name);
  }
  if (earlier.pass != 0 && earlier.pass == later.pass && earlier.epoch == later.epoch) {
    // A change of the layout at the begin of a subpass has the number of the subpass before.
    const bool enters =
        later.transition && std::string_view(later.call->name).starts_with("vkCmdNextSubpass");
    const int subpass = later.subpass + (enters ? 1 : 0);
    if (earlier.subpass == subpass)
      return absl::StrCat("let ", later.call->name,
                          " use another image, or end the render pass or rendering between the "
                          "two; a barrier inside of it needs a subpass that depends on itself");
    return DependencyFix(conflict, absl::StrCat(earlier.subpass), absl::StrCat(subpass),
                         "between the two");
  }
  constexpr const char* kExternal = "VK_SUBPASS_EXTERNAL";
  const PassAccess source = PassAccessOf(earlier), target = PassAccessOf(later);
  if (target.kind == PassAccess::Kind::kRendering)
    return CommandFix(resource, conflict, "before vkCmdBeginRendering");
  if (target.kind == PassAccess::Kind::kPass && !target.final_layout)
    return DependencyFix(conflict, kExternal, target.subpass, "on earlier commands");
  if (source.kind == PassAccess::Kind::kRendering)
    return CommandFix(resource, conflict, "after vkCmdEndRendering");
  if (source.kind == PassAccess::Kind::kPass)
    return DependencyFix(conflict, source.subpass, kExternal, "of later commands");
  return CommandFix(resource, conflict, "between them");
}

}  // namespace gpusan::vulkan
