// Pipeline layouts: their description, and their sizes against the limits of the device.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hooks/vulkan/call/definition_hash.h"
#include "hooks/vulkan/objects/device_faults.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;
using Limits = VkPhysicalDeviceLimits;
using Sets = absl::Span<const std::shared_ptr<const SetLayout>>;

void ReportRangeValue(VkCall& call, std::string given, const char* vuid) {
  ReportSync(call, *call.device().object, Fault::kPushRange, std::move(given), vuid);
}

void CheckPushRange(VkCall& call, const VkPushConstantRange& range) {
  const uint64_t most = call.device().limits.maxPushConstantsSize;
  const uint64_t end = uint64_t{range.offset} + range.size;
  if (range.offset % 4 != 0) {
    ReportRangeValue(call, absl::StrCat("the offset ", range.offset, ", no multiple of 4"),
                     "VkPushConstantRange-offset-00295");
  } else if (range.size == 0) {
    ReportRangeValue(call, "a size of 0", "VkPushConstantRange-size-00296");
  } else if (range.size % 4 != 0) {
    ReportRangeValue(call, absl::StrCat("the size ", range.size, ", no multiple of 4"),
                     "VkPushConstantRange-size-00297");
  } else if (end > most) {
    ReportLimit(call, absl::StrCat("a push constant range that ends at ", end, " B"),
                "maxPushConstantsSize", most,
                range.offset >= most ? "VkPushConstantRange-offset-00294"
                                     : "VkPushConstantRange-size-00298");
  }
}

void CheckPushRanges(VkCall& call, const VkPipelineLayoutCreateInfo& info) {
  VkShaderStageFlags stages = 0;
  for (uint32_t i = 0; info.pPushConstantRanges != nullptr && i < info.pushConstantRangeCount;
       ++i) {
    const VkPushConstantRange& range = info.pPushConstantRanges[i];
    CheckPushRange(call, range);
    if ((stages & range.stageFlags) != 0) {
      ReportSync(call, *call.device().object, Fault::kRangesOfOneStage, "",
                 "VkPipelineLayoutCreateInfo-pPushConstantRanges-00292");
    }
    stages |= range.stageFlags;
  }
}

constexpr uint32_t Bit(VkDescriptorType type) { return 1u << type; }

// The descriptors of these types that all layouts without VK_..._UPDATE_AFTER_BIND_POOL_BIT have
// together must not exceed the limits: for each stage, and for all stages.
struct Group {
  uint32_t types;  // bits of VkDescriptorType
  const char* name;
  uint32_t Limits::*per_stage;
  const char *per_stage_name, *per_stage_vuid;
  uint32_t Limits::*total;
  const char *total_name, *total_vuid;
};
constexpr uint32_t kSampled = Bit(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) |
                              Bit(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE) |
                              Bit(VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER);
constexpr std::array kGroups = {
    Group{Bit(VK_DESCRIPTOR_TYPE_SAMPLER) | Bit(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER),
          "samplers", &Limits::maxPerStageDescriptorSamplers, "maxPerStageDescriptorSamplers",
          "03016", &Limits::maxDescriptorSetSamplers, "maxDescriptorSetSamplers", "03028"},
    Group{Bit(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER) | Bit(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC),
          "uniform buffers", &Limits::maxPerStageDescriptorUniformBuffers,
          "maxPerStageDescriptorUniformBuffers", "03017", nullptr, nullptr, nullptr},
    Group{Bit(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER), "uniform buffers", nullptr, nullptr, nullptr,
          &Limits::maxDescriptorSetUniformBuffers, "maxDescriptorSetUniformBuffers", "03029"},
    Group{Bit(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) | Bit(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC),
          "storage buffers", &Limits::maxPerStageDescriptorStorageBuffers,
          "maxPerStageDescriptorStorageBuffers", "03018", nullptr, nullptr, nullptr},
    Group{Bit(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER), "storage buffers", nullptr, nullptr, nullptr,
          &Limits::maxDescriptorSetStorageBuffers, "maxDescriptorSetStorageBuffers", "03031"},
    Group{Bit(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC), "dynamic uniform buffers", nullptr,
          nullptr, nullptr, &Limits::maxDescriptorSetUniformBuffersDynamic,
          "maxDescriptorSetUniformBuffersDynamic", "03030"},
    Group{Bit(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC), "dynamic storage buffers", nullptr,
          nullptr, nullptr, &Limits::maxDescriptorSetStorageBuffersDynamic,
          "maxDescriptorSetStorageBuffersDynamic", "03032"},
    Group{kSampled, "sampled images", &Limits::maxPerStageDescriptorSampledImages,
          "maxPerStageDescriptorSampledImages", "06939", &Limits::maxDescriptorSetSampledImages,
          "maxDescriptorSetSampledImages", "03033"},
    Group{Bit(VK_DESCRIPTOR_TYPE_STORAGE_IMAGE) | Bit(VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER),
          "storage images", &Limits::maxPerStageDescriptorStorageImages,
          "maxPerStageDescriptorStorageImages", "03020", &Limits::maxDescriptorSetStorageImages,
          "maxDescriptorSetStorageImages", "03034"},
    Group{Bit(VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT), "input attachments",
          &Limits::maxPerStageDescriptorInputAttachments, "maxPerStageDescriptorInputAttachments",
          "03021", &Limits::maxDescriptorSetInputAttachments, "maxDescriptorSetInputAttachments",
          "03035"}};

// The number of descriptors of the types that at least one of the stages accesses.
uint64_t CountOf(Sets sets, uint32_t types, VkShaderStageFlags stages) {
  uint64_t count = 0;
  for (const auto& set : sets) {
    if (set == nullptr || !set->limited) continue;
    for (const LayoutBinding& binding : set->bindings) {
      if (binding.type < 32 && (types >> binding.type & 1) != 0 && (binding.stages & stages) != 0)
        count += binding.count;
    }
  }
  return count;
}

// Upper bounds of the numbers above, for all groups in one pass.
class DescriptorCounts {
 public:
  void Add(const SetLayout& set) {
    if (!set.limited) return;
    for (const LayoutBinding& binding : set.bindings) {
      if (binding.type < counts_.size()) counts_[binding.type] += binding.count;
    }
  }
  bool Within(const Limits& limits) const {
    return WithinEach(limits, std::make_index_sequence<kGroups.size()>());
  }

 private:
  // Folds instead of loops, which the compiler does not unroll: twice the instructions.
  template <size_t... Indices>
  bool WithinEach(const Limits& limits, std::index_sequence<Indices...>) const {
    return (WithinOne<Indices>(limits) && ...);
  }
  template <size_t Index>
  bool WithinOne(const Limits& limits) const {
    constexpr const Group& kGroup = kGroups[Index];
    const uint64_t count = SumOf<kGroup.types>(std::make_index_sequence<kTypes>());
    if constexpr (kGroup.total != nullptr) {
      if (count > limits.*kGroup.total) return false;
    }
    if constexpr (kGroup.per_stage != nullptr) return count <= limits.*kGroup.per_stage;
    return true;
  }

  template <uint32_t kWanted, size_t... Types>
  uint64_t SumOf(std::index_sequence<Types...>) const {
    return (((kWanted >> Types & 1) != 0 ? counts_[Types] : 0) + ...);
  }

  static constexpr size_t kTypes = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT + 1;
  std::array<uint64_t, kTypes> counts_ = {};
};

void CheckCount(VkCall& call, const char* name, uint64_t count, const char* limit, uint64_t most,
                const char* vuid, const char* where) {
  if (count <= most) [[likely]]
    return;
  ReportLimit(call, absl::StrCat("layouts with ", count, " ", name, where), limit, most,
              absl::StrCat("VkPipelineLayoutCreateInfo-descriptorType-", vuid));
}

[[gnu::cold, gnu::noinline]] void CheckDescriptors(VkCall& call, Sets sets) {
  // Other stages need a feature, and are not checked.
  constexpr VkShaderStageFlags kStages[] = {
      VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_COMPUTE_BIT};
  const Limits& limits = call.device().limits;
  for (const Group& group : kGroups) {
    if (group.total != nullptr) {
      CheckCount(call, group.name, CountOf(sets, group.types, ~VkShaderStageFlags{0}),
                 group.total_name, limits.*group.total, group.total_vuid, "");
    }
    if (group.per_stage == nullptr) continue;
    uint64_t most = 0;
    for (const VkShaderStageFlags stage : kStages)
      most = std::max(most, CountOf(sets, group.types, stage));
    CheckCount(call, group.name, most, group.per_stage_name, limits.*group.per_stage,
               group.per_stage_vuid, " for one stage");
  }
}

}  // namespace

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
    compatible.push_back(
        std::max(static_cast<uint32_t>(hash.value() >> 32), BoundSet::kDisturbed + 1));
  }
}

void CreatePipelineLayout::Before(VkCall& call, VkDevice, const VkPipelineLayoutCreateInfo* info,
                                  const VkAllocationCallbacks*, VkPipelineLayout*) {
  CheckPushRanges(call, *info);
  if (info->setLayoutCount > call.device().limits.maxBoundDescriptorSets) [[unlikely]] {
    ReportLimit(call, absl::StrCat("the setLayoutCount ", info->setLayoutCount),
                "maxBoundDescriptorSets", call.device().limits.maxBoundDescriptorSets,
                "VkPipelineLayoutCreateInfo-setLayoutCount-00286");
  }
  if (info->pSetLayouts == nullptr) return;
  DescriptorCounts counts;
  for (uint32_t i = 0; i < info->setLayoutCount; ++i) {
    sets.push_back(LayoutOf(call, info->pSetLayouts[i]));
    if (sets.back() != nullptr) counts.Add(*sets.back());
  }
  if (!counts.Within(call.device().limits)) [[unlikely]]
    CheckDescriptors(call, sets);
}

void CreatePipelineLayout::After(VkCall& call, VkResult code, VkDevice,
                                 const VkPipelineLayoutCreateInfo* info,
                                 const VkAllocationCallbacks*, VkPipelineLayout* handle) {
  if (code != VK_SUCCESS) return;
  KeepShared<PipelineLayoutState>(
      call, ObjectKind::kPipelineLayout, HandleOf(*handle), [&](PipelineLayoutState* state) {
        state->sets.assign(std::make_move_iterator(sets.begin()),
                           std::make_move_iterator(sets.end()));
        state->sets.resize(info->setLayoutCount);
        state->ranges.assign(info->pPushConstantRanges,
                             info->pPushConstantRanges + info->pushConstantRangeCount);
        state->independent =
            (info->flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT) != 0;
        state->FindCompatible();
      });
}

}  // namespace gpusan::vulkan
