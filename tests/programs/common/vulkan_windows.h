// Dispatches that change a window of a buffer, which push constants choose.
#pragma once

#include "common/vulkan_compute.h"
#include "shaders/window.comp.h"

struct Window {
  uint32_t first, count;  // [words]
};

[[maybe_unused]] static Compute MakeWindows() {
  return MakeCompute(window_comp, sizeof(window_comp), VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                     sizeof(Window));
}

// A buffer of zeros, bound to the pipeline.
[[maybe_unused]] static Buffer MakeWords(const Compute& windows, VkDeviceSize bytes) {
  const Buffer words = MakeBuffer(bytes, kStorage);
  SetBuffers(windows, words.handle, words.handle);
  Begin();
  vkCmdFillBuffer(commands, words.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  return words;
}

[[maybe_unused]] static void Push(const Compute& windows, const Window& window) {
  vkCmdPushConstants(commands, windows.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(window),
                     &window);
}
