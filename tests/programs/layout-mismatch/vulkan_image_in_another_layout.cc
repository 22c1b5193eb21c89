// Defect: An image is used in another layout than the one that it is in.
// Fix: The image is brought into the layout of its use.
#include "common/vulkan_barriers.h"
#include "common/vulkan_depth.h"
#include "common/vulkan_sets.h"

// Defect: Uploads an image and reads it back as if it were in the layout for reading, in which it
// is not.
// Fix: The barrier between upload and download changes the layout, too.
// EXPECT error layout-mismatch vkCmdCopyImageToBuffer at READ
// EXPECT-PARTY layout at BARRIER
// EXPECT-FACT expected_layout=VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
// EXPECT-FACT actual_layout=VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
// EXPECT-FACT vuid=VUID-vkCmdCopyImageToBuffer-srcImageLayout-00189
static void ReadBackInTheLayoutOfTheUpload() {
  const Buffer staging = MakeStaging(64 * 64 * 4), result = MakeStaging(64 * 64 * 4, 0);
  const Image image = MakeImage(ImageInfo(64, 64));
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {64, 64, 1};
  Begin();
  const VkImageMemoryBarrier to_write =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_write);
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &all);
#ifdef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#else
  const VkImageMemoryBarrier to_read = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &to_read);
#endif
  // @READ
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         result.handle, 1, &all);
  Run();
  Destroy(staging, result, image);
}

// Defect: Copies the depth aspect of an image with depth and stencil to a buffer as if the image were in the layout for
// reading, in which it is not.
// Fix: A barrier of both aspects changes the layout.
// EXPECT error layout-mismatch vkCmdCopyImageToBuffer at READ_2
// EXPECT-PARTY layout at BARRIER_2
// EXPECT-FACT expected_layout=VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
// EXPECT-FACT actual_layout=VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
static void DepthAloneInAnotherLayout() {
  const Image image = MakeImage(ImageInfo(16, 16, kDepthFormat));
  const Buffer result = MakeStaging(16 * 16 * 4, 0);
  VkBufferImageCopy depth = {};
  depth.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
  depth.imageExtent = {16, 16, 1};
  VkImageSubresourceRange both = kWhole;
  both.aspectMask = kDepthAspects;
  const VkClearDepthStencilValue clear = {1, 0};
  Begin();
  const VkImageMemoryBarrier to_clear =
      DepthBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  // @BARRIER_2
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
  vkCmdClearDepthStencilImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &clear,
                              1, &both);
#ifdef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#else
  const VkImageMemoryBarrier to_read = DepthBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &to_read);
#endif
  // @READ_2
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         result.handle, 1, &depth);
  Run();
  Destroy(result, image);
}

// Defect: A sampled image is written with the layout that the image has during its upload.
// Fix: The write names the layout that the image has when the shader reads it.
// EXPECT error layout-mismatch vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-04149
static void DescriptorWithTheLayoutOfACopy() {
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  const SampledImage image = MakeSampledImage();
  const OneSet set = MakeSet(kType);
  VkDescriptorImageInfo info = {VK_NULL_HANDLE, image.view,
                                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
#ifdef DEFECT
  info.imageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
#endif
  VkWriteDescriptorSet write = WriteOne(set, kType);
  write.pImageInfo = &info;
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Destroy(set, image);
}

int main() {
  Open();
  ReadBackInTheLayoutOfTheUpload();
  DepthAloneInAnotherLayout();
  DescriptorWithTheLayoutOfACopy();
  Close();
}
