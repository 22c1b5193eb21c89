// Defect: Commands use a buffer, or a view shows an image, that has no memory, or no memory any
// more.
// Fix: The buffer and the image have their memory.
#include "common/vulkan.h"

// Defect: Records a copy into a buffer that was never given memory, and does not submit it.
// Fix: The buffer has memory before it is used.
// EXPECT error unbound-memory vkCmdCopyBuffer at COPY
static void CopyToUnboundBuffer() {
  const Buffer staging = MakeStaging(4096);
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
#ifndef DEFECT
  const VkDeviceMemory memory = Allocate(needs, 0);
  OK(vkBindBufferMemory(device, buffer, memory, 0));
#endif
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, staging.handle, buffer, 1, &all);
#ifdef DEFECT
  OK(vkEndCommandBuffer(commands));
  vkDestroyBuffer(device, buffer, nullptr);
#else
  Run();
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, memory, nullptr);
#endif
  Destroy(staging);
}

// Defect: Frees the memory of a buffer between the recording and the submission of a barrier for
// it. Fix: Frees the memory after the barrier.
// EXPECT error unbound-memory vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXPECT-PARTY release at FREE
static void BarrierForFreedMemory() {
  const Buffer buffer = MakeBuffer(4096);
  Begin();
  VkBufferMemoryBarrier barrier = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.buffer = buffer.handle;
  barrier.size = VK_WHOLE_SIZE;
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 1, &barrier, 0, nullptr);
#ifdef DEFECT
  // @FREE
  vkFreeMemory(device, buffer.memory, nullptr);
#endif
  Run();
#ifndef DEFECT
  vkFreeMemory(device, buffer.memory, nullptr);
#endif
  Destroy(buffer.handle);
}

// Defect: Frees the memory of an image, allocates other memory, which usually gets the same handle,
// and creates a view of the image.
// Fix: The image keeps its memory. Other images were destroyed before it was created, before or
// after their memory was freed.
// EXPECT error unbound-memory vkCreateImageView at VIEW
// EXPECT-PARTY release at FREE_2
static void MemoryInUseAgain() {
#ifdef DEFECT
  VkImageCreateInfo image_info = ImageInfo(16, 16);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(image_info);
  // @FREE_2
  vkFreeMemory(device, image.memory, nullptr);
  const Image another = MakeImage(image_info);
  const VkImageViewCreateInfo info = ViewInfo(image.handle);
  VkImageView view;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  vkDestroyImageView(device, view, nullptr);
  vkDestroyImage(device, image.handle, nullptr);
  Destroy(another);
#else
  for (int i = 0; i < 4; ++i) {
    const Image image = MakeImage(ImageInfo(16, 16));
    if (i % 2 == 0) {
      Destroy(image);
    } else {
      vkFreeMemory(device, image.memory, nullptr);
      vkDestroyImage(device, image.handle, nullptr);
    }
  }
  const Image image = MakeImage(ImageInfo(16, 16));
  Begin();
  const VkImageMemoryBarrier to_clear =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
  const VkClearColorValue color = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                       &kWhole);
  Run();
  Destroy(image);
#endif
}

int main() {
  Open();
  CopyToUnboundBuffer();
  BarrierForFreedMemory();
  MemoryInUseAgain();
  Close();
}
