// Defect image_of_a_handle_in_use_again: Destroys an image between the recording and the submission
// of a barrier, and creates another one, which usually gets the same handle.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-PARTY recorded at BARRIER
// EXIT any
// Defect buffer_of_an_address: A shader writes by the address of a buffer that was destroyed. Its
// memory still exists.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT_2
// EXPECT-FACT vuid=VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819
// Defect sampler_and_views: Destroys what a dispatch reads through between its recording and its
// submission: the sampler and the view of an image, and the view of a buffer.
// EXPECT error use-after-free vkQueueSubmit2 at SUBMIT_3
// EXPECT-TEXT sampler
// EXPECT-PARTY recorded at DISPATCH
// EXPECT-FACT vuid=VUID-vkQueueSubmit2-commandBuffer-03874
// EXPECT error use-after-free vkQueueSubmit2 at SUBMIT_3
// EXPECT-TEXT image view
// EXPECT-PARTY recorded at DISPATCH
// EXPECT-FACT vuid=VUID-vkQueueSubmit2-commandBuffer-03874
// EXPECT error use-after-free vkQueueSubmit2 at SUBMIT_3
// EXPECT-TEXT buffer view
// EXPECT-PARTY recorded at DISPATCH
// EXPECT-FACT vuid=VUID-vkQueueSubmit2-commandBuffer-03874
// EXIT any
// Fix: The program destroys the objects after the submission is complete.
#include "common/vulkan.h"
#include "common/vulkan_look.h"
#include "common/vulkan_pushed_addresses.h"

// Fix: Creates and destroys images before the one that the submission clears.
static void ImageOfAHandleInUseAgain() {
  Open();
#ifndef DEFECT_image_of_a_handle_in_use_again
  for (int i = 0; i < 3; ++i) Destroy(MakeImage(ImageInfo(16, 16)));
#endif
  const Image image = MakeImage(ImageInfo(16, 16));
  Begin();
  const VkImageMemoryBarrier to_clear =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
#ifdef DEFECT_image_of_a_handle_in_use_again
  OK(vkEndCommandBuffer(commands));
  Destroy(image);
  const Image another = MakeImage(ImageInfo(16, 16));
#else
  const VkClearColorValue color = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                       &kWhole);
  OK(vkEndCommandBuffer(commands));
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
#ifdef DEFECT_image_of_a_handle_in_use_again
  Destroy(another);
#else
  Destroy(image);
#endif
  Close();
}

// Fix: The buffer is destroyed after the work.
static void BufferOfAnAddress() {
  OpenForShaders();
  const Pushing number = MakePushing(address_comp, sizeof(VkDeviceAddress));
  Buffer words = MakeAddressedBuffer(1024);
  const VkDeviceAddress address = AddressOf(words.handle);
#ifdef DEFECT_buffer_of_an_address
  vkDestroyBuffer(device, words.handle, nullptr);
  words.handle = VK_NULL_HANDLE;
#endif
  Begin();
  Dispatch(number, address, 4);
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  // @SUBMIT_2
  OK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(words, number);
}

// Fix: Destroys them after the submission is complete.
static void SamplerAndViews() {
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  features.synchronization2 = VK_TRUE;
  Wanted wanted;
  wanted.features = &features;
  Open(wanted);
  const Look look = MakeLook();
  Begin();
  Bind(look);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT_sampler_and_views
  vkDestroySampler(device, look.sampler, nullptr);
  vkDestroyImageView(device, look.view, nullptr);
  vkDestroyBufferView(device, look.texels, nullptr);
#endif
  VkCommandBufferSubmitInfo buffer = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  buffer.commandBuffer = commands;
  VkSubmitInfo2 info = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.commandBufferInfoCount = 1;
  info.pCommandBufferInfos = &buffer;
  // @SUBMIT_3
  vkQueueSubmit2(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT_sampler_and_views
  vkDestroySampler(device, look.sampler, nullptr);
  vkDestroyImageView(device, look.view, nullptr);
  vkDestroyBufferView(device, look.texels, nullptr);
#endif
  DestroyRest(look);
  Close();
}

int main() {
  ImageOfAHandleInUseAgain();
  BufferOfAnAddress();
  SamplerAndViews();
}
