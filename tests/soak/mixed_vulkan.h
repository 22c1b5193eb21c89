// Vulkan's part of the mixed soak program: the headers of both APIs' programs have the same names,
// so each has a file of its own.
#pragma once

namespace soak {

void SetupVulkan();
void CycleVulkan();
void TeardownVulkan();

}  // namespace soak
