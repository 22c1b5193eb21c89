// Defect of_a_fill: Fills a buffer from an offset that is not a multiple of four.
// EXPECT error misaligned vkCmdFillBuffer at FILL
// Defect of_query_results: Results of 64 bits are copied with a stride of 12 bytes.
// EXPECT error misaligned vkCmdCopyQueryPoolResults at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyQueryPoolResults-queryCount-12255
// EXIT any
// Defect of_an_upload: Copies to an image of 4 bytes a texel from byte 2 of the buffer on.
// EXPECT error misaligned vkCmdCopyBufferToImage at COPY_2
// EXPECT-FACT vuid=VUID-vkCmdCopyBufferToImage-dstImage-07975
// EXIT any
// Defect of_a_uniform_buffer: A uniform buffer begins at byte 4, which the device does not allow.
// EXPECT error misaligned vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00327
// Defect of_a_view: The last texel of a view of a buffer has half of its bytes, and another view
// begins at byte 4.
// EXPECT error misaligned vkCreateBufferView at RANGE
// EXPECT-FACT vuid=VUID-VkBufferViewCreateInfo-range-00929
// EXPECT error misaligned vkCreateBufferView at OFFSET
// EXPECT-FACT vuid=VUID-VkBufferViewCreateInfo-buffer-02751
// EXIT any
// Fix: The offset is a multiple of what the command or the device demands.
#include "common/vulkan.h"
#include "common/vulkan_objects.h"
#include "common/vulkan_sets.h"

// Fix: Fills a buffer from an offset that is a multiple of four.
static void OfAFill() {
  const Buffer buffer = MakeBuffer(4096);
  Begin();
#ifdef DEFECT_of_a_fill
  // @FILL
  vkCmdFillBuffer(commands, buffer.handle, 2, 1024, 0);
#else
  vkCmdFillBuffer(commands, buffer.handle, 4, 1024, 0);
#endif
  OK(vkEndCommandBuffer(commands));
  Destroy(buffer);
}

// Fix: The stride is a multiple of 8 bytes.
static void OfQueryResults() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 4);
  const Buffer results = MakeBuffer(4096);
#ifdef DEFECT_of_query_results
  const VkDeviceSize stride = 12;
#else
  const VkDeviceSize stride = 8;
#endif
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 4);
  // @COPY
  vkCmdCopyQueryPoolResults(commands, queries, 0, 4, results.handle, 0, stride,
                            VK_QUERY_RESULT_64_BIT);
  // The stride of one result is not used.
  vkCmdCopyQueryPoolResults(commands, queries, 0, 1, results.handle, 2048, 1,
                            VK_QUERY_RESULT_64_BIT);
  OK(vkEndCommandBuffer(commands));
  Destroy(queries, results);
}

// Fix: The texels begin at byte 4.
static void OfAnUpload() {
  const Buffer staging = MakeStaging(4096);
  const Image image = MakeImage(ImageInfo(16, 16));
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy copy = {};
#ifdef DEFECT_of_an_upload
  copy.bufferOffset = 2;
#else
  copy.bufferOffset = 4;
#endif
  copy.imageSubresource = kFirst;
  copy.imageExtent = {16, 16, 1};
  // @COPY_2
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  OK(vkEndCommandBuffer(commands));
  Destroy(staging, image);
}

// Fix: It begins at a multiple of minUniformBufferOffsetAlignment.
static void OfAUniformBuffer() {
  const VkDeviceSize alignment = Limits().minUniformBufferOffsetAlignment;
  NEEDS(alignment > 4 && alignment <= 256);
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
#ifdef DEFECT_of_a_uniform_buffer
  const VkDescriptorBufferInfo range = {buffer.handle, 4, 256};
#else
  const VkDescriptorBufferInfo range = {buffer.handle, alignment, 256};
#endif
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  write.pBufferInfo = &range;
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Destroy(set, buffer);
}

// Fix: The views begin at the alignment of the device, and have whole texels.
static void OfAView() {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  const VkDeviceSize alignment = properties.limits.minTexelBufferOffsetAlignment;
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
  VkBufferViewCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  info.buffer = buffer.handle;
  info.format = VK_FORMAT_R32G32B32A32_UINT;
  info.range = 1024;
#ifdef DEFECT_of_a_view
  info.range = 1032;
#endif
  VkBufferView view;
  // @RANGE
  OK(vkCreateBufferView(device, &info, nullptr, &view));
  vkDestroyBufferView(device, view, nullptr);
  info.range = 1024;
  info.offset = alignment;
#ifdef DEFECT_of_a_view
  info.offset = 4;
  NEEDS(alignment > 4);
#endif
  // @OFFSET
  OK(vkCreateBufferView(device, &info, nullptr, &view));
  vkDestroyBufferView(device, view, nullptr);
  Destroy(buffer);
}

int main() {
  Open();
  OfAFill();
  OfQueryResults();
  OfAnUpload();
  OfAUniformBuffer();
  OfAView();
  Close();
}
