// Checks of the dependencies between the subpasses of a render pass.
#include "hooks/vulkan/recording/dependency_checks.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/words/stage_features.h"
#include "hooks/vulkan/words/sync_masks.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

// The numbers of the valid usages of one version of the structures.
struct Numbers {
  const char *structure, *both_external, *backward, *source_index, *target_index;
  const char *source_access, *target_access, *source_stages, *target_stages, *by_region;
};
constexpr Numbers kFirst = {"VkSubpassDependency",
                            "VkSubpassDependency-srcSubpass-00865",
                            "VkSubpassDependency-srcSubpass-00864",
                            "VkRenderPassCreateInfo-pDependencies-06866",
                            "VkRenderPassCreateInfo-pDependencies-06867",
                            "VkSubpassDependency-srcAccessMask-00868",
                            "VkSubpassDependency-dstAccessMask-00869",
                            "VkRenderPassCreateInfo-pDependencies-00837",
                            "VkRenderPassCreateInfo-pDependencies-00838",
                            "VkSubpassDependency-srcSubpass-02243"};
constexpr Numbers kSecond = {"VkSubpassDependency2",
                             "VkSubpassDependency2-srcSubpass-03085",
                             "VkSubpassDependency2-srcSubpass-03084",
                             "VkRenderPassCreateInfo2-srcSubpass-02526",
                             "VkRenderPassCreateInfo2-dstSubpass-02527",
                             "VkSubpassDependency2-srcAccessMask-03088",
                             "VkSubpassDependency2-dstAccessMask-03089",
                             "VkRenderPassCreateInfo2-pDependencies-03054",
                             "VkRenderPassCreateInfo2-pDependencies-03055",
                             "VkSubpassDependency2-srcSubpass-02245"};

constexpr uint64_t kFramebufferSpace =
    VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
    VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
// Stages that no graphics pipeline has.
constexpr uint64_t kOutside = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT |
                              VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |
                              VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_HOST_BIT;

// One side of a dependency.
struct Side {
  bool source;
  uint32_t subpass;
  uint64_t stages, access;
  const char *index_vuid, *access_vuid, *stages_vuid;

  std::string Named(std::string_view what) const {
    return absl::StrCat(source ? "with the source " : "with the destination ", std::string(what),
                        " ");
  }
};

class Checker {
 public:
  Checker(VkCall& call, const Numbers& numbers, uint32_t subpasses)
      : call_(call), numbers_(numbers), subpasses_(subpasses) {}

  // `graphics`: both subpasses are of graphics pipelines. `second`: the masks are those of a
  // VkMemoryBarrier2.
  void Check(uint32_t index, uint32_t source, uint32_t target, const GivenMasks& masks,
             VkDependencyFlags flags, bool graphics, bool second) {
    index_ = index;
    constexpr uint32_t kExternal = VK_SUBPASS_EXTERNAL;
    if (source == kExternal && target == kExternal)
      Report(Fault::kDependency, "that names no subpass", numbers_.both_external);
    if (source != kExternal && target != kExternal && source > target)
      Report(Fault::kDependency,
             absl::StrCat("from subpass ", source, " to the earlier subpass ", target),
             numbers_.backward);
    for (const Side& side :
         {Side{true, source, masks.source_stages, masks.source_access, numbers_.source_index,
               numbers_.source_access, numbers_.source_stages},
          Side{false, target, masks.target_stages, masks.target_access, numbers_.target_index,
               numbers_.target_access, numbers_.target_stages}})
      CheckSide(side, graphics, second);
    if (source == target && source != kExternal && (masks.source_stages & kFramebufferSpace) != 0 &&
        (masks.target_stages & kFramebufferSpace) != 0 &&
        (flags & VK_DEPENDENCY_BY_REGION_BIT) == 0)
      Report(Fault::kDependency, "of a subpass on itself without VK_DEPENDENCY_BY_REGION_BIT",
             numbers_.by_region);
  }

 private:
  void CheckSide(const Side& side, bool graphics, bool second) const {
    const Vocabulary& words = call_.words();
    const bool inside = side.subpass != VK_SUBPASS_EXTERNAL;
    if (inside && side.subpass >= subpasses_) {
      Report(
          Fault::kDependency,
          absl::StrCat("that names subpass ", side.subpass, " of the ", subpasses_, " subpasses"),
          side.index_vuid);
    }
    if (const uint64_t outside = side.stages & kOutside; inside && graphics && outside != 0) {
      Report(
          Fault::kDependencyStages,
          absl::StrCat(side.Named("stages"), words.Stages(outside), " of subpass ", side.subpass),
          side.stages_vuid);
    }
    if (side.stages == 0 && !call_.device().features.synchronization2) {
      Report(Fault::kDependency, absl::StrCat(side.Named("stages"), "0"),
             absl::StrCat(numbers_.structure, side.source ? "-src" : "-dst", "StageMask-03937"));
    }
    const uint64_t lacking = side.stages & call_.device().features.lacking_stages;
    if (const StageFeature* feature = FindStageFeature(lacking); feature != nullptr) {
      const char* number = second ? feature->vuid2 : feature->vuid;
      if (number != nullptr) {
        ReportSync(call_, *call_.device().object, Fault::kStageFeatureOf,
                   words.Stages(lacking & feature->stages),
                   absl::StrCat(second ? "VkMemoryBarrier2" : numbers_.structure,
                                side.source ? "-src" : "-dst", "StageMask-", number));
      }
    }
    const UnsupportedAccess found = FindUnsupportedAccess(side.stages, side.access);
    if (found.access == 0) [[likely]]
      return;
    Report(Fault::kDependencyAccess,
           absl::StrCat(side.Named("access"), words.Accesses(found.access)),
           second ? absl::StrCat("VkMemoryBarrier2-", side.source ? "src" : "dst", "AccessMask-",
                                 found.vuid)
                  : side.access_vuid);
  }
  void Report(Fault fault, const std::string& text, std::string vuid) const {
    ReportSync(call_, *call_.device().object, fault, absl::StrCat("dependency ", index_, " ", text),
               std::move(vuid));
  }

  VkCall& call_;
  const Numbers& numbers_;
  uint32_t subpasses_, index_ = 0;
};

template <typename Info>
void CheckAll(VkCall& call, const Info& info, const Numbers& numbers) {
  if (info.pDependencies == nullptr) return;
  Checker checker(call, numbers, info.subpassCount);
  const auto is_graphics = [&](uint32_t subpass) {
    return subpass >= info.subpassCount || info.pSubpasses == nullptr ||
           info.pSubpasses[subpass].pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS;
  };
  for (uint32_t i = 0; i < info.dependencyCount; ++i) {
    const auto& given = info.pDependencies[i];
    GivenMasks masks = {given.srcStageMask, given.srcAccessMask, given.dstStageMask,
                        given.dstAccessMask};
    bool second = false;
    if constexpr (requires { given.pNext; }) {
      if (const auto* barrier =
              FindInChain<VkMemoryBarrier2>(given.pNext, VK_STRUCTURE_TYPE_MEMORY_BARRIER_2)) {
        masks = {barrier->srcStageMask, barrier->srcAccessMask, barrier->dstStageMask,
                 barrier->dstAccessMask};
        second = true;
      }
    }
    checker.Check(i, given.srcSubpass, given.dstSubpass, masks, given.dependencyFlags,
                  is_graphics(given.srcSubpass) && is_graphics(given.dstSubpass), second);
  }
}

}  // namespace

void CheckDependencies(VkCall& call, const VkRenderPassCreateInfo& info) {
  CheckAll(call, info, kFirst);
}
void CheckDependencies(VkCall& call, const VkRenderPassCreateInfo2& info) {
  CheckAll(call, info, kSecond);
}

}  // namespace gpusan::vulkan
