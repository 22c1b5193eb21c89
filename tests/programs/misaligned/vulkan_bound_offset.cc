// Defect: Buffers are bound at offsets that are no multiple of what the command or the device
// demands.
// Fix: The offsets are multiples of that.
#include "common/vulkan_captures.h"
#include "common/vulkan_conditions.h"
#include "common/vulkan_sets.h"

// Defect: A transform feedback buffer is bound at byte 2.
// Fix: It is bound at a multiple of 4 bytes.
// EXPECT error misaligned vkCmdBindTransformFeedbackBuffersEXT at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02359
static void CapturesAtAnOddByte() {
  OpenForCaptures();
  const Captures made = MakeCaptures();
#ifdef DEFECT
  const VkDeviceSize offset = 2;
#else
  const VkDeviceSize offset = 4;
#endif
  Begin();
  // @BIND
  bind_captures(commands, 0, 1, &made.positions.handle, &offset, nullptr);
  Run();
  Close(made);
}

// Defect: The predicate of conditional rendering is at byte 2 of its buffer.
// Fix: It is at a multiple of 4 bytes.
// EXPECT error misaligned vkCmdBeginConditionalRenderingEXT at BEGIN
// EXPECT-FACT vuid=VUID-VkConditionalRenderingBeginInfoEXT-offset-01984
static void ConditionAtAnOddByte() {
  OpenForConditions();
  const Buffer buffer = MakeBuffer(4096, kCondition);
#ifdef DEFECT
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer, 2);
#else
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer, 4);
#endif
  Begin();
  // @BEGIN
  begin_conditional(commands, &info);
  end_conditional(commands);
  OK(vkEndCommandBuffer(commands));
  Close(buffer);
}

// Defect: A dynamic offset is not a multiple of the limit of the device.
// Fix: It is.
// EXPECT error misaligned vkCmdBindDescriptorSets at BIND_3
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDynamicOffsets-01971
static void DynamicOffsetAtAnOddByte() {
  const uint32_t alignment = static_cast<uint32_t>(Limits().minUniformBufferOffsetAlignment);
  NEEDS(alignment > 4 && alignment <= 256);
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
  const VkDescriptorBufferInfo range = {buffer.handle, 0, 256};
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
  write.pBufferInfo = &range;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
#ifdef DEFECT
  const uint32_t offset = 4;
#else
  const uint32_t offset = alignment;
#endif
  Begin();
  // @BIND_3
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, set.layout, 0, 1, &set.set, 1,
                          &offset);
  OK(vkEndCommandBuffer(commands));
  Destroy(set, buffer);
}

// Defect: A dynamic offset of a set that is never updated is not a multiple of the limit of the
// device. Fix: It is.
// EXPECT error misaligned vkCmdBindDescriptorSets at BIND_2
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDynamicOffsets-01971
static void DynamicOffsetBeforeTheUpdate() {
  const uint32_t alignment = static_cast<uint32_t>(Limits().minUniformBufferOffsetAlignment);
  NEEDS(alignment > 4 && alignment <= 256);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
#ifdef DEFECT
  const uint32_t offset = 4;
#else
  const uint32_t offset = alignment;
#endif
  Begin();
  // @BIND_2
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, set.layout, 0, 1, &set.set, 1,
                          &offset);
  OK(vkEndCommandBuffer(commands));
  Destroy(set);
}

int main() {
  CapturesAtAnOddByte();
  ConditionAtAnOddByte();
  Open();
  DynamicOffsetAtAnOddByte();
  DynamicOffsetBeforeTheUpdate();
  Close();
}
