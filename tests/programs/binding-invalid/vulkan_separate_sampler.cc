// Defect implicit: The shader samples through a separate sampler of unnormalized coordinates, with an
// implicit level of detail.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08610
// EXPECT-TEXT samples an image through binding 1 of
// Defect pushed: The same with pushed descriptors.
// EXPECT error binding-invalid vkCmdDraw at DRAW_2
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08610
// EXPECT-TEXT samples an image through binding 1 of the pushed descriptors
// Defect never_written: Nothing writes the sampler of the set.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08114
// Fix: The sampler is written, and the shader samples with an explicit level of detail.
// EXIT any
#include "common/vulkan_pictures.h"
#include "shaders/apart_sharp.frag.h"
#include "shaders/apart_smooth.frag.h"

static PFN_vkCmdPushDescriptorSetKHR push_set;

// An image and a sampler, and draws that use them.
struct Apart {
  Pictures pictures;
  VkImageView view;
  VkSampler sampler;
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkPipeline draws;
};

// `flags`: of the layout of the set.
static Apart MakeApart(VkDescriptorSetLayoutCreateFlags flags, const uint32_t* code, size_t bytes) {
  Apart made;
  made.pictures = MakePictures();
  // Such a sampler reads one mip level.
  made.view = ViewOf(made.pictures.picture.handle);
  VkSamplerCreateInfo texels = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  texels.addressModeU = texels.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  texels.unnormalizedCoordinates = VK_TRUE;
  OK(vkCreateSampler(device, &texels, nullptr, &made.sampler));
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
      {1, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}};
  made.set_layout = MakeSetLayout(2, bindings, flags);
  made.layout = MakePipelineLayout(made.set_layout);
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  formats.colorAttachmentCount = 1;
  formats.pColorAttachmentFormats = &kRenderingFormat;
  made.draws = MakeDraws(VK_NULL_HANDLE, 0, made.layout, code, bytes, &formats);
  return made;
}

static void Destroy(const Apart& apart) {
  Destroy(apart.draws, apart.layout, apart.set_layout, apart.sampler, apart.view, apart.pictures);
}

// The descriptors of the image and of the sampler, in a set or pushed.
struct Writes {
  VkDescriptorImageInfo infos[2];
  VkWriteDescriptorSet writes[2] = {};

  explicit Writes(const Apart& apart, VkDescriptorSet set = VK_NULL_HANDLE) {
    infos[0] = {VK_NULL_HANDLE, apart.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    infos[1] = {apart.sampler, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED};
    for (uint32_t i = 0; i < 2; ++i) {
      writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
      writes[i].dstSet = set;
      writes[i].dstBinding = i;
      writes[i].descriptorCount = 1;
      writes[i].descriptorType =
          i == 0 ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : VK_DESCRIPTOR_TYPE_SAMPLER;
      writes[i].pImageInfo = &infos[i];
    }
  }
};

// Begins the rendering behind the write of the picture.
static void BeginApart(const Apart& apart) {
  Begin();
  ClearPicture(apart.pictures);
  const VkImageMemoryBarrier barrier =
      PictureBarrier(apart.pictures, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                     VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  BeginRendering(apart.pictures.target, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, apart.draws);
}

// Fix: The sampler is written, and the level of detail is explicit.
static void InASet() {
#ifdef DEFECT_implicit
  const Apart apart = MakeApart(0, apart_smooth_frag, sizeof(apart_smooth_frag));
#else
  const Apart apart = MakeApart(0, apart_sharp_frag, sizeof(apart_sharp_frag));
#endif
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
                                        {VK_DESCRIPTOR_TYPE_SAMPLER, 1}};
  const VkDescriptorPool sets = MakeSetPool(2, sizes);
  const VkDescriptorSet set = AllocateSet(sets, apart.set_layout);
  uint32_t written = 2;
#ifdef DEFECT_never_written
  written = 1;
#endif
  vkUpdateDescriptorSets(device, written, Writes(apart, set).writes, 0, nullptr);
  BeginApart(apart);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, apart.layout, 0, 1, &set, 0,
                          nullptr);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(sets, apart);
}

// Fix: The level of detail is explicit.
static void Pushed() {
  constexpr auto kPushed = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
#ifdef DEFECT_pushed
  const Apart apart = MakeApart(kPushed, apart_smooth_frag, sizeof(apart_smooth_frag));
#else
  const Apart apart = MakeApart(kPushed, apart_sharp_frag, sizeof(apart_sharp_frag));
#endif
  BeginApart(apart);
  push_set(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, apart.layout, 0, 2, Writes(apart).writes);
  // @DRAW_2
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(apart);
}

int main() {
  VkPhysicalDeviceDynamicRenderingFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  features.dynamicRendering = VK_TRUE;
  Open({.extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME}, .features = &features});
  push_set = reinterpret_cast<PFN_vkCmdPushDescriptorSetKHR>(
      vkGetDeviceProcAddr(device, "vkCmdPushDescriptorSetKHR"));
  InASet();
  Pushed();
  Close();
}
