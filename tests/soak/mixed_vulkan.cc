#include "soak/mixed_vulkan.h"

#include "soak/vulkan_cycles.h"

namespace soak {

void SetupVulkan() { Vulkan::Setup(); }
void CycleVulkan() { Vulkan::Cycle(); }
void TeardownVulkan() { Vulkan::Teardown(); }

}  // namespace soak
