// The names of stages, accesses and barriers in texts for the program's developers.
#include "hooks/vulkan/words/sync_names.h"

#include <vulkan/vulkan_core.h>

#include <atomic>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/words/formats.h"

namespace gpusan::vulkan {
namespace {

constinit std::atomic<bool> has_feature{false};

// A bit that Vulkan 1.0 lacks, and the bits that include it there.
struct Newer {
  uint64_t bits, instead;
};

constexpr Newer kStages[] = {
    {VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |
         VK_PIPELINE_STAGE_2_CLEAR_BIT,
     VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT},
    {VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
     VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT},
    {VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT,
     VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
         VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT |
         VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT},
};

constexpr Newer kAccesses[] = {
    {VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
         VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR,
     VK_ACCESS_2_SHADER_READ_BIT},
    {VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, VK_ACCESS_2_SHADER_WRITE_BIT},
};

template <size_t kCount>
uint64_t Older(uint64_t mask, const Newer (&newer)[kCount]) {
  for (const Newer& one : newer) {
    if ((mask & one.bits) != 0) mask = (mask & ~one.bits) | one.instead;
  }
  return mask;
}

// "VK_PIPELINE_STAGE_2_COPY_BIT" and "VK_ACCESS_2_NONE" without "_2".
std::string WithoutTwo(std::string text) {
  constexpr std::string_view kPrefixes[] = {"VK_PIPELINE_STAGE", "VK_ACCESS"};
  for (const std::string_view prefix : kPrefixes) {
    const std::string with = std::string(prefix) + "_2_";
    for (size_t at = text.find(with); at != std::string::npos; at = text.find(with, at))
      text.erase(at + prefix.size(), 2);
  }
  // The groups have shorter names there.
  constexpr std::string_view kTransfer = "STAGE_ALL_TRANSFER_BIT";
  if (const size_t at = text.find(kTransfer); at != std::string::npos)
    text.erase(at + std::string_view("STAGE_").size(), std::string_view("ALL_").size());
  return text;
}

}  // namespace

void NoteSynchronization2() { has_feature.store(true, std::memory_order_relaxed); }

bool UsesSynchronization2() { return has_feature.load(std::memory_order_relaxed); }

std::string StagesInText(uint64_t stages) {
  if (UsesSynchronization2() || stages == ~uint64_t{0}) return StagesText(stages);
  return WithoutTwo(StagesText(Older(stages, kStages)));
}

std::string AccessInText(uint64_t access) {
  if (UsesSynchronization2() || access == ~uint64_t{0}) return AccessText(access);
  return WithoutTwo(AccessText(Older(access, kAccesses)));
}

std::string BarrierStagesInText(const ScopeBarrier& barrier) {
  // Both have no access. In a first scope BOTTOM_OF_PIPE orders all stages, in a second scope
  // TOP_OF_PIPE does.
  const auto name = [](uint64_t stages, uint64_t order, uint64_t all) {
    const uint64_t none = all == VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT
                              ? VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT
                              : VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
    if (stages != 0) return StagesInText(stages);
    if ((order & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0) return StagesInText(all);
    return StagesInText(UsesSynchronization2() ? 0 : none);
  };
  return absl::StrCat(
      "from ",
      name(barrier.source_stages, barrier.source_order, VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT),
      " to ",
      name(barrier.target_stages, barrier.target_order, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT));
}

std::string BarrierInText(const char* kind, const BarrierNames& names) {
  if (UsesSynchronization2()) {
    return absl::StrCat("vkCmdPipelineBarrier2 with Vk", kind,
                        "MemoryBarrier2 {srcStageMask = ", names.source_stages,
                        ", srcAccessMask = ", names.source_access,
                        ", dstStageMask = ", names.target_stages,
                        ", dstAccessMask = ", names.target_access, "}");
  }
  return absl::StrCat("vkCmdPipelineBarrier with srcStageMask = ", names.source_stages,
                      ", dstStageMask = ", names.target_stages, " and Vk", kind,
                      "MemoryBarrier {srcAccessMask = ", names.source_access,
                      ", dstAccessMask = ", names.target_access, "}");
}

}  // namespace gpusan::vulkan
