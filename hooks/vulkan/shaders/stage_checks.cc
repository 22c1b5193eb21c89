// Checks that the shaders of a graphics pipeline fit each other.
#include "hooks/vulkan/shaders/stage_checks.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/spirv/shader_stages.h"
#include "tracker/rules/states/sync_state.h"

namespace gpusan::vulkan {
namespace {

// The place of a stage in the order in which they run. Fragment shaders come last, mesh shaders
// before them.
uint32_t OrderOf(const StageOfDraw& stage) {
  return stage.stage == VK_SHADER_STAGE_FRAGMENT_BIT ? ~uint32_t{0}
                                                     : static_cast<uint32_t>(stage.stage);
}

// Adds a finding for the first input that does not fit.
void CheckPair(VkCall& call, VkPipeline pipeline, const StageOfDraw& before,
               const StageOfDraw& after) {
  if (before.entry == nullptr || after.entry == nullptr || !before.entry->interface.outputs_known)
    return;
  for (const StageComponent& input : after.entry->interface.inputs) {
    const StageComponent* output = before.entry->interface.FindOutput(input.slot);
    if (output != nullptr &&
        (output->bits == 0 || (output->bits == input.bits && output->integer == input.integer)))
        [[likely]]
      continue;
    const Object* object =
        call.tracker().objects().Find(Api::kVulkan, ObjectKind::kPipeline, HandleOf(pipeline));
    if (object == nullptr) return;
    const char* numbers = input.integer ? "an integer" : "a floating-point number";
    return ReportSync(
        call, *object,
        output == nullptr ? rules::SyncStateUse::Fault::kStageWithoutOutput
                          : rules::SyncStateUse::Fault::kStageOfOtherType,
        absl::StrCat(RowOf(after.stage).name, " reads ", numbers, " of ", input.bits,
                     " bits at location ", input.slot / 4, ", component ", input.slot % 4),
        RowOf(before.stage).name);
  }
}

}  // namespace

void CheckInterfaces(VkCall& call, VkPipeline pipeline, bool fragments, StagesOfDraw* stages) {
  std::ranges::sort(*stages, {}, OrderOf);
  for (size_t i = 1; i < stages->size(); ++i) {
    const StageOfDraw &before = (*stages)[i - 1], &after = (*stages)[i];
    // Task shaders pass no locations on.
    if (before.stage == VK_SHADER_STAGE_TASK_BIT_EXT) continue;
    if (fragments || after.stage != VK_SHADER_STAGE_FRAGMENT_BIT)
      CheckPair(call, pipeline, before, after);
  }
}

}  // namespace gpusan::vulkan
