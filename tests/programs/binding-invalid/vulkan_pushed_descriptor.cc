// Defect of_another_type: A storage buffer is pushed as a uniform buffer, which the layout does not
// have there.
// EXPECT error binding-invalid vkCmdPushDescriptorSetKHR at PUSH
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00319
// EXIT any
// Defect in_a_bound_set: Descriptors are pushed to a set whose layout was not created for that.
// EXPECT error binding-invalid vkCmdPushDescriptorSetKHR at PUSH_2
// EXPECT-FACT vuid=VUID-vkCmdPushDescriptorSet-set-00365
// EXIT any
// Fix: The pushed descriptor has the type of the layout, which was created for pushes.
#include "common/vulkan_objects.h"

static PFN_vkCmdPushDescriptorSetKHR push_set;
static PFN_vkCmdPushDescriptorSetWithTemplateKHR push_template;

static void OpenForPushes() {
  Open({.extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME}});
  push_set = reinterpret_cast<PFN_vkCmdPushDescriptorSetKHR>(
      vkGetDeviceProcAddr(device, "vkCmdPushDescriptorSetKHR"));
  push_template = reinterpret_cast<PFN_vkCmdPushDescriptorSetWithTemplateKHR>(
      vkGetDeviceProcAddr(device, "vkCmdPushDescriptorSetWithTemplateKHR"));
  NEEDS(push_set != nullptr && push_template != nullptr);
}

struct PushLayout {
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
};

static PushLayout MakePushLayout(VkDescriptorSetLayoutCreateFlags flags =
                                     VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR) {
  PushLayout made;
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  made.set_layout = MakeSetLayout(1, &binding, flags);
  made.layout = MakePipelineLayout(made.set_layout);
  return made;
}

static void Destroy(const PushLayout& layout) {
  vkDestroyPipelineLayout(device, layout.layout, nullptr);
  vkDestroyDescriptorSetLayout(device, layout.set_layout, nullptr);
}

// Fix: The type is that of the layout.
static void OfAnotherType() {
  const PushLayout layout = MakePushLayout();
  const Buffer buffer =
      MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const VkDescriptorBufferInfo info = {buffer.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
#ifdef DEFECT_of_another_type
  write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
#endif
  write.pBufferInfo = &info;
  Begin();
  // @PUSH
  push_set(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.layout, 0, 1, &write);
  OK(vkEndCommandBuffer(commands));
  Destroy(buffer, layout);
}

// Fix: The layout is created with the flag for push descriptors.
static void InABoundSet() {
  VkDescriptorSetLayoutCreateFlags flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
#ifdef DEFECT_in_a_bound_set
  flags = 0;
#endif
  const PushLayout layout = MakePushLayout(flags);
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const VkDescriptorBufferInfo info = {buffer.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &info;
  Begin();
  // @PUSH_2
  push_set(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.layout, 0, 1, &write);
  OK(vkEndCommandBuffer(commands));
  Destroy(buffer, layout);
}

int main() {
  OpenForPushes();
  OfAnotherType();
  InABoundSet();
  Close();
}
