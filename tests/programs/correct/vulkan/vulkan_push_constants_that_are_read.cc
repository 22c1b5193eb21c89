// Only the push constants that shaders read are written: no padding, no member that is not read,
// and of an array the element that is read; before and behind the pipeline, in several commands, and
// through the layout of another pipeline with the same ranges.
#include "common/vulkan_tints.h"
#include "common/vulkan_compute.h"
#include "shaders/parts.comp.h"

namespace {

constexpr uint32_t kBytes = 40;

void PushPart(const Compute& compute, uint32_t offset, uint32_t bytes) {
  static const uint32_t zeros[kBytes / 4] = {};
  vkCmdPushConstants(commands, compute.layout, VK_SHADER_STAGE_COMPUTE_BIT, offset, bytes, zeros);
}

void Draw(const Tints& tints) {
  const float values[8] = {};
  BeginTints(tints);
  // The vertex shader reads none of its own.
  vkCmdPushConstants(commands, tints.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 16, 8, values);
  vkCmdPushConstants(commands, tints.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 24, 8, values);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
}

}  // namespace

int main() {
  OpenForRendering();
  const Compute compute = MakeCompute(parts_comp, sizeof(parts_comp),
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kBytes);
  const Compute other = MakeCompute(parts_comp, sizeof(parts_comp),
                                    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kBytes);
  const Buffer words = MakeBuffer(4096, kStorage), more = MakeBuffer(4096, kStorage);
  SetBuffers(compute, words.handle, words.handle);
  SetBuffers(other, more.handle, more.handle);
  Begin();
  PushPart(compute, 0, 12);
  Bind(compute);
  PushPart(compute, 36, 4);
  PushPart(compute, 20, 4);
  vkCmdDispatch(commands, 1, 1, 1);
  PushPart(compute, 20, 4);
  Bind(other);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Begin();
  Bind(compute);
  PushPart(other, 0, kBytes);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  const Tints tints = MakeTints();
  Draw(tints);
  Destroy(tints);
  for (const Compute& made : {compute, other}) Destroy(made);
  Close(words, more);
}
