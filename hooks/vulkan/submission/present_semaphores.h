// Semaphores that presentations wait for.
//
// No fence of a submission and no other semaphore shows that the presentation engine has waited for
// a semaphore. The program knows it once it acquires the image again, or waits for a fence or id of
// the presentation. gpusan also counts a wait for an idle queue or device. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/objects/batch.h"

namespace gpusan::vulkan {

// The number of semaphores that are known.
inline std::atomic<uint32_t> present_semaphores{0};

// The presentation succeeded. Presentations of several images, and those with structures in their
// chain, by which the program may learn that they are complete, are left out.
void NotePresentSemaphores(VkCall& call, const VkPresentInfoKHR& info);
// The program acquired image `index` of the swapchain.
void ForgetPresentSemaphores(VkSwapchainKHR swapchain, uint32_t index);
void ForgetAllPresentSemaphores();
// Reports signals of the batch that such a presentation may still wait for, each one once. `vuid`:
// the valid usage of a signal.
void CheckPresentSemaphores(VkCall& call, const Batch& batch, const char* vuid);

}  // namespace gpusan::vulkan
