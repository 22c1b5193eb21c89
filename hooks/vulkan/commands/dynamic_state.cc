// The finding about a command that sets dynamic state without its feature.
#include "hooks/vulkan/commands/dynamic_state.h"

#include "hooks/vulkan/call/valid_usage.h"

namespace gpusan::vulkan {

void ReportRefusedState(VkCall& call, uint64_t states) {
  const StateFeature feature = FeatureOfState(states & -states);
  const std::string name(CoreName(call.info().name));
  ReportFeature(call, "dynamic state", feature.name, absl::StrCat(name, "-", feature.command));
}

}  // namespace gpusan::vulkan
