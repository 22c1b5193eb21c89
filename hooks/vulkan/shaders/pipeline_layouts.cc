// Pipeline layouts: their description.
#include <algorithm>
#include <tuple>

#include "hooks/vulkan/call/definition_hash.h"
#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {

bool PipelineLayoutState::Equals(const PipelineLayoutState& other) const {
  const bool equal_ranges = std::ranges::equal(
      ranges, other.ranges, [](const VkPushConstantRange& a, const VkPushConstantRange& b) {
        return a.stageFlags == b.stageFlags && a.offset == b.offset && a.size == b.size;
      });
  return independent == other.independent && equal_ranges &&
         std::ranges::equal(sets, other.sets, [](const auto& a, const auto& b) {
           return a == b ||
                  (a != nullptr && b != nullptr && a->identity != 0 && a->identity == b->identity);
         });
}

void PipelineLayoutState::FindCompatible() {
  if (independent) return;
  std::vector<std::tuple<uint32_t, uint32_t, VkShaderStageFlags>> sorted;
  sorted.reserve(ranges.size());
  for (const VkPushConstantRange& range : ranges)
    sorted.emplace_back(range.offset, range.size, range.stageFlags);
  std::ranges::sort(sorted);
  DefinitionHash hash{sorted.size()};
  for (const auto& [offset, size, stages] : sorted) {
    hash.Add(offset);
    hash.Add(size);
    hash.Add(stages);
  }
  for (const auto& set : sets) {
    if (set == nullptr || set->identity == 0) return;
    hash.Add(set->identity);
    compatible.push_back(std::max(static_cast<uint32_t>(hash.value() >> 32), 1u));
  }
}

void CreatePipelineLayout::After(VkCall& call, VkResult code, VkDevice,
                                 const VkPipelineLayoutCreateInfo* info,
                                 const VkAllocationCallbacks*, VkPipelineLayout* handle) {
  if (code != VK_SUCCESS) return;
  KeepShared<PipelineLayoutState>(
      call, ObjectKind::kPipelineLayout, HandleOf(*handle), [&](PipelineLayoutState* state) {
        for (uint32_t i = 0; i < info->setLayoutCount; ++i)
          state->sets.push_back(LayoutOf(call, info->pSetLayouts[i]));
        state->ranges.assign(info->pPushConstantRanges,
                             info->pPushConstantRanges + info->pushConstantRangeCount);
        state->independent =
            (info->flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT) != 0;
        state->FindCompatible();
      });
}

}  // namespace gpusan::vulkan
