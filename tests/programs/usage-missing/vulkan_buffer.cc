// Defect of_a_copy: Copies from a buffer that was not created as the source of copies.
// EXPECT error usage-missing vkCmdCopyBuffer at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyBuffer-srcBuffer-00118
// Defect of_a_descriptor: Writes a storage buffer descriptor of a buffer that was created for
// copies only.
// EXPECT error usage-missing vkUpdateDescriptorSets
// EXPECT-FACT missing_flag=VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00331
// Defect of_a_view: A buffer view is created of a buffer that was created for copies only.
// EXPECT error usage-missing vkCreateBufferView at VIEW
// EXIT any
// Defect of_a_condition: The predicate of conditional rendering is in a buffer that was created for
// copies only.
// EXPECT error usage-missing vkCmdBeginConditionalRenderingEXT at BEGIN
// EXPECT-FACT missing_flag=VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT
// Defect of_a_copy_buffer: Asks for the address of a buffer that was created for copies only.
// EXPECT error usage-missing vkGetBufferDeviceAddress at ADDRESS
// EXPECT-FACT vuid=VUID-VkBufferDeviceAddressInfo-buffer-02601
// EXIT any
// Defect of_plain_memory: The memory of the buffer was allocated without the flag for addresses.
// EXPECT error usage-missing vkGetBufferDeviceAddress at ADDRESS
// EXPECT-FACT vuid=VUID-vkBindBufferMemory-bufferDeviceAddress-03339
// EXIT any
// Defect without_its_feature: The feature bufferDeviceAddress is not enabled.
// EXPECT error usage-missing vkGetBufferDeviceAddress at ADDRESS
// EXPECT-FACT vuid=VUID-vkGetBufferDeviceAddress-bufferDeviceAddress-03324
// EXIT any
// Fix: The buffer was created for this use.
#include "common/vulkan.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_conditions.h"

static void OpenForAddresses(VkBool32 enabled) {
  static VkPhysicalDeviceBufferDeviceAddressFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
  features.bufferDeviceAddress = enabled;
  Open({.features = &features});
}

// `flags`: of its memory.
static Buffer MakeAddressed(VkBufferUsageFlags usage, VkMemoryAllocateFlags flags) {
  Buffer buffer;
  const VkBufferCreateInfo info = BufferInfo(256, usage);
  OK(vkCreateBuffer(device, &info, nullptr, &buffer.handle));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer.handle, &needs);
  VkMemoryAllocateFlagsInfo flags_info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags_info.flags = flags;
  VkMemoryAllocateInfo memory = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags_info};
  memory.allocationSize = needs.size;
  memory.memoryTypeIndex = MemoryType(needs.memoryTypeBits, 0);
  OK(vkAllocateMemory(device, &memory, nullptr, &buffer.memory));
  OK(vkBindBufferMemory(device, buffer.handle, buffer.memory, 0));
  return buffer;
}

static VkBufferDeviceAddressInfo AddressInfo(const Buffer& buffer) {
  VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  info.buffer = buffer.handle;
  return info;
}

constexpr VkBufferUsageFlags kAddressed = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
constexpr VkMemoryAllocateFlags kAddressMemory = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;

// Fix: Copies from a buffer that was created as the source of copies.
static void OfACopy() {
  Open();
#ifdef DEFECT_of_a_copy
  const Buffer source = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
#else
  const Buffer source = MakeBuffer(4096, kCopies);
#endif
  const Buffer target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  Close(source, target);
}

// Fix: The buffer is created for storage, too.
static void OfADescriptor() {
  Open();
#ifdef DEFECT_of_a_descriptor
  const Buffer a = MakeBuffer(4096);
#else
  const Buffer a = MakeBuffer(4096, kStorage);
#endif
  const Buffer b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  Close(compute, a, b);
}

// Fix: The buffer has the usage of a texel buffer.
static void OfAView() {
  Open();
  VkBufferUsageFlags usage = kCopies | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
#ifdef DEFECT_of_a_view
  usage = kCopies;
#endif
  const Buffer buffer = MakeBuffer(4096, usage);
  VkBufferViewCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  info.buffer = buffer.handle;
  info.format = VK_FORMAT_R32_UINT;
  info.range = VK_WHOLE_SIZE;
  VkBufferView view;
  // @VIEW
  OK(vkCreateBufferView(device, &info, nullptr, &view));
  vkDestroyBufferView(device, view, nullptr);
  Close(buffer);
}

// Fix: The buffer is created for conditional rendering, too.
static void OfACondition() {
  OpenForConditions();
#ifdef DEFECT_of_a_condition
  const Buffer buffer = MakeBuffer(4096);
#else
  const Buffer buffer = MakeBuffer(4096, kCondition);
#endif
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer);
  Begin();
  // @BEGIN
  begin_conditional(commands, &info);
  end_conditional(commands);
  OK(vkEndCommandBuffer(commands));
  Close(buffer);
}

// Fix: The feature is enabled, and the buffer and its memory are for addresses.
static void Address() {
  VkBool32 feature = VK_TRUE;
  VkBufferUsageFlags usage = kAddressed;
  VkMemoryAllocateFlags memory = kAddressMemory;
#ifdef DEFECT_of_a_copy_buffer
  usage = kCopies;
#elif defined(DEFECT_of_plain_memory)
  memory = 0;
#elif defined(DEFECT_without_its_feature)
  feature = VK_FALSE;
#endif
  OpenForAddresses(feature);
  const Buffer buffer = MakeAddressed(usage, memory);
  const VkBufferDeviceAddressInfo info = AddressInfo(buffer);
  // @ADDRESS
  vkGetBufferDeviceAddress(device, &info);
  Close(buffer);
}

int main() {
  OfACopy();
  OfADescriptor();
  OfAView();
  OfACondition();
  Address();
}
