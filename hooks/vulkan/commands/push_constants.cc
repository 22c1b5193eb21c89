// Ranges of push constants in command buffers.
#include "hooks/vulkan/commands/push_constants.h"

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/words/formats.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

// Checks the range against those of the layout, of which each stage has at most one.
void CheckRange(VkCall& call, const PlainObject& object, const PipelineLayoutState& layout,
                const PushedRange& given) {
  const uint64_t end = uint64_t{given.offset} + given.size;
  const std::string text = absl::StrCat(given.size, " B from byte ", given.offset);
  VkShaderStageFlags covered = 0;
  for (const VkPushConstantRange& range : layout.ranges) {
    const uint64_t range_end = uint64_t{range.offset} + range.size;
    if (given.offset >= range_end || range.offset >= end) continue;
    if ((range.stageFlags & ~given.stages) != 0) {
      return ReportSync(call, object, Fault::kPushesForSomeStages, text,
                        ShaderStagesText(range.stageFlags & ~given.stages));
    }
    if (range.offset <= given.offset && end <= range_end) covered |= range.stageFlags;
  }
  if ((given.stages & ~covered) != 0) [[unlikely]]
    ReportSync(call, object, Fault::kPushesOutside, text,
               ShaderStagesText(given.stages & ~covered));
}

}  // namespace

void CmdPushConstants::Before(VkCall& call, VkCommandBuffer commands, VkPipelineLayout handle,
                              VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                              const void* values) {
  auto* object = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kPipelineLayout, HandleOf(handle), "layout"));
  const Recorder recorder(call, commands);
  if (!recorder) return;
  const PushedRange given{HandleOf(handle), stages, offset, size};
  if (const auto* layout = DescriptionOf<PipelineLayoutState>(object); layout != nullptr)
    CheckRange(call, *object, *layout, given);
  recorder.state().bindings.NotePushed(given, values);
}

void CmdPushConstants2::Before(VkCall& call, VkCommandBuffer commands, const void* argument) {
  const Recorder recorder(call, commands);
  const auto* info = later::Read<later::VkPushConstantsInfo>(call, argument, "pPushConstantsInfo");
  if (!recorder || info == nullptr) return;
  // A layout in the chain is not compared with others: the values do not outlast the next write.
  recorder.state().bindings.NotePushed(
      {HandleOf(info->layout), info->stageFlags, info->offset, info->size},
      info->layout != VK_NULL_HANDLE ? info->pValues : nullptr);
}

void CmdPushData::Before(VkCall& call, VkCommandBuffer commands, const void*) {
  const Recorder recorder(call, commands);
  if (recorder) recorder.state().bindings.NotePushed({}, nullptr);
}

}  // namespace gpusan::vulkan
