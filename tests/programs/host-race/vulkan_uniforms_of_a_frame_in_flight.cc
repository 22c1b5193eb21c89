// Defect: Three frames are in flight, and all of them use the matrices of the first slot of a
// uniform buffer. The second frame overwrites the matrices that the first one still reads.
// Fix: Each frame in flight has its own slot, which is written again when the frame is complete.
// OPTION --protect-maps
// EXPECT error host-race host-write at WRITE
// EXPECT-PARTY device-access at DRAW
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
// EXPECT-COUNT any
#include "common/vulkan_host.h"
#include "common/vulkan_rendering.h"
#include "common/vulkan_sets.h"
#include "shaders/place.vert.h"

constexpr uint32_t kFrames = 3;        // in flight
constexpr VkDeviceSize kObject = 256;  // bytes from the matrix of an object to the next one

struct Frames {
  uint32_t objects = 0;
  Rendering rendering;
  VkDescriptorSetLayout set_layout;
  VkDescriptorPool pool;
  VkDescriptorSet set;
  VkPipelineLayout layout;
  VkPipeline draws;
  Buffer uniforms;
  char* data = nullptr;
  VkCommandBuffer buffers[kFrames];
  VkFence fences[kFrames];

  VkDeviceSize slot() const { return objects * kObject; }
};

inline Frames MakeFrames(uint32_t objects) {
  Frames made;
  made.objects = objects;
  made.rendering = MakeRendering();
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1,
                                                VK_SHADER_STAGE_VERTEX_BIT, nullptr};
  made.set_layout = MakeSetLayout(1, &binding);
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1};
  made.pool = MakeSetPool(1, &size);
  made.set = AllocateSet(made.pool, made.set_layout);
  made.layout = MakePipelineLayout(made.set_layout);
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  formats.colorAttachmentCount = 1;
  formats.pColorAttachmentFormats = &kRenderingFormat;
  made.draws = MakeDraws(VK_NULL_HANDLE, 0, made.layout, red_frag, sizeof(red_frag), &formats,
                         nullptr, nullptr, place_vert, sizeof(place_vert));
  made.uniforms =
      MakeBuffer(kFrames * made.slot(), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, kHostMemory);
  void* data;
  OK(vkMapMemory(device, made.uniforms.memory, 0, VK_WHOLE_SIZE, 0, &data));
  made.data = static_cast<char*>(data);
  const VkDescriptorBufferInfo matrix = {made.uniforms.handle, 0, 16 * sizeof(float)};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = made.set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  write.pBufferInfo = &matrix;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = kFrames;
  OK(vkAllocateCommandBuffers(device, &allocate, made.buffers));
  for (VkFence& fence : made.fences) fence = MakeFence();
  return made;
}

// Waits until the frame that last used the slot is complete.
inline void WaitForSlot(const Frames& frames, uint32_t frame) {
  if (frame < kFrames) return;
  const VkFence fence = frames.fences[frame % kFrames];
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  OK(vkResetFences(device, 1, &fence));
}

// The matrix of an object.
inline volatile float* MatrixOf(const Frames& frames, uint32_t slot, uint32_t object) {
  return reinterpret_cast<volatile float*>(frames.data + slot * frames.slot() + object * kObject);
}

// Begins the commands of the frame. Requires WaitForSlot.
inline void BeginFrame(const Frames& frames, uint32_t frame) {
  commands = frames.buffers[frame % kFrames];
  Begin();
  VkMemoryBarrier behind = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  behind.srcAccessMask = behind.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 1, &behind, 0, nullptr, 0,
                       nullptr);
  BeginRendering(frames.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, frames.draws);
}

inline void BindMatrix(const Frames& frames, uint32_t slot, uint32_t object) {
  const auto offset = static_cast<uint32_t>(slot * frames.slot() + object * kObject);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, frames.layout, 0, 1,
                          &frames.set, 1, &offset);
}

inline void EndFrame(const Frames& frames, uint32_t frame) {
  vkCmdEndRendering(commands);
  Submit(frames.fences[frame % kFrames]);
}

inline void Destroy(const Frames& frames) {
  OK(vkDeviceWaitIdle(device));
  for (VkFence fence : frames.fences) vkDestroyFence(device, fence, nullptr);
  Destroy(frames.uniforms);
  vkDestroyPipeline(device, frames.draws, nullptr);
  vkDestroyPipelineLayout(device, frames.layout, nullptr);
  vkDestroyDescriptorSetLayout(device, frames.set_layout, nullptr);
  vkDestroyDescriptorPool(device, frames.pool, nullptr);
  Destroy(frames.rendering);
}

int main() {
  OpenForRendering(true);
  const Frames frames = MakeFrames(2);
  for (uint32_t frame = 0; frame < 12; ++frame) {
#ifdef DEFECT
    const uint32_t slot = 0;
#else
    const uint32_t slot = frame % kFrames;
#endif
    WaitForSlot(frames, frame);
    for (uint32_t object = 0; object < frames.objects; ++object) {
      volatile float* matrix = MatrixOf(frames, slot, object);
      for (int i = 0; i < 16; ++i) {
        // @WRITE
        matrix[i] = i % 5 == 0 ? 1.0f : 0.0f;
      }
    }
    BeginFrame(frames, frame);
    for (uint32_t object = 0; object < frames.objects; ++object) {
      BindMatrix(frames, slot, object);
      // @DRAW
      vkCmdDraw(commands, 3, 1, 0, 0);
    }
    EndFrame(frames, frame);
  }
  Destroy(frames);
  Close();
}
