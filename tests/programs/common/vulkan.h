// What the Vulkan programs share: one device, one queue, one command buffer, memory for buffers and
// images, and checks that end the program.
//
// Calls that a case is about stand in the program itself, so that their sites are the program's own
// lines. OK is for calls that must succeed.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include <vector>

#include "common/checks.h"

#pragma GCC visibility push(hidden)
inline VkInstance instance;
inline VkPhysicalDevice physical;
inline VkDevice device;
inline uint32_t family;
inline VkQueue queue;
inline VkCommandPool pool;
inline VkCommandBuffer commands;
inline VkPhysicalDeviceMemoryProperties memory_properties;
inline uint32_t second_family = VK_QUEUE_FAMILY_IGNORED;
#pragma GCC visibility pop

[[maybe_unused]] static void Expect(VkResult got, const char* call, const char* file, int line) {
  if (got == VK_SUCCESS) return;
  fprintf(stderr, "%s:%d: %s returned %d\n", file, line, call, got);
  fflush(stderr);
  abort();
}

#define OK(call) Expect((call), #call, __FILE__, __LINE__)

// What a program asks of the device beyond Vulkan 1.0.
struct Wanted {
  std::vector<const char*> extensions = {};  // of the device
  const void* features = nullptr;            // chain of feature structures
  uint32_t queues = 1;                       // of the first family
  bool second_family = false;                // and one queue of it
  // A second family and memory that is not coherent, by the layer in tests/vulkan/device_layer
  // where the driver lacks them; mappings have pages that a CPU driver does not touch.
  bool test_device = false;
  // The call with which the device is lost, by the layer in tests/vulkan/fault_layer:
  // "vkWaitForFences", or "vkQueueSubmit:3" for the third of them.
  const char* lost_by = nullptr;
  bool calls_back = false;  // the same layer, for CallInside (vulkan_threads.h)
  std::vector<const char*> instance_extensions = {};
  const void* instance_chain = nullptr;
};

// Of a device that was opened with it.
[[maybe_unused]] static uint32_t SecondFamily() { return second_family; }

// Opens the first device with a queue for graphics and compute, or for compute. In open_vulkan.cc, since it takes as long to compile
// as a program.
__attribute__((visibility("hidden"))) void Open(const Wanted& wanted = {});

// Whether the layer of Wanted::test_device is on this machine.
__attribute__((visibility("hidden"))) bool HasTestDevice();

// Whether a function that needs this layer must return, so that the others of its program run. In a
// program with a defect the function runs: Open then ends the program, which is skipped.
[[maybe_unused]] static bool LacksTestDevice() {
#ifdef DEFECT
  return false;
#else
  return !HasTestDevice();
#endif
}

[[maybe_unused]] static void Close() {
  vkDestroyCommandPool(device, pool, nullptr);
  vkDestroyDevice(device, nullptr);
  vkDestroyInstance(instance, nullptr);
}

[[maybe_unused]] static void Destroy(VkDeviceMemory made) { vkFreeMemory(device, made, nullptr); }
[[maybe_unused]] static void Destroy(VkPipeline made) { vkDestroyPipeline(device, made, nullptr); }
[[maybe_unused]] static void Destroy(VkPipelineLayout made) {
  vkDestroyPipelineLayout(device, made, nullptr);
}
[[maybe_unused]] static void Destroy(VkDescriptorSetLayout made) {
  vkDestroyDescriptorSetLayout(device, made, nullptr);
}
[[maybe_unused]] static void Destroy(VkDescriptorPool made) {
  vkDestroyDescriptorPool(device, made, nullptr);
}
[[maybe_unused]] static void Destroy(VkCommandPool made) {
  vkDestroyCommandPool(device, made, nullptr);
}
[[maybe_unused]] static void Destroy(VkShaderModule made) {
  vkDestroyShaderModule(device, made, nullptr);
}
[[maybe_unused]] static void Destroy(VkRenderPass made) {
  vkDestroyRenderPass(device, made, nullptr);
}
[[maybe_unused]] static void Destroy(VkSampler made) { vkDestroySampler(device, made, nullptr); }
[[maybe_unused]] static void Destroy(VkImageView made) {
  vkDestroyImageView(device, made, nullptr);
}
[[maybe_unused]] static void Destroy(VkImage made) { vkDestroyImage(device, made, nullptr); }
[[maybe_unused]] static void Destroy(VkBuffer made) { vkDestroyBuffer(device, made, nullptr); }
[[maybe_unused]] static void Destroy(VkSemaphore made) {
  vkDestroySemaphore(device, made, nullptr);
}
[[maybe_unused]] static void Destroy(VkFence made) { vkDestroyFence(device, made, nullptr); }
[[maybe_unused]] static void Destroy(VkEvent made) { vkDestroyEvent(device, made, nullptr); }
[[maybe_unused]] static void Destroy(VkQueryPool made) {
  vkDestroyQueryPool(device, made, nullptr);
}

// Destroy(a, b) destroys both, in this order. Close(a, b) closes after that. For cases that are not
// about how their objects end.
template <typename First, typename Second, typename... Objects>
static void Destroy(const First& first, const Second& second, const Objects&... objects) {
  Destroy(first);
  Destroy(second);
  (Destroy(objects), ...);
}
template <typename... Objects>
static void Close(const Objects&... objects) {
  Destroy(objects...);
  Close();
}

[[maybe_unused]] static void Begin(VkCommandBufferUsageFlags flags = 0) {
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = flags;
  OK(vkBeginCommandBuffer(commands, &info));
}

// The type of memory that has these properties, among those allowed.
[[maybe_unused]] static uint32_t MemoryType(uint32_t allowed, VkMemoryPropertyFlags wanted) {
  for (uint32_t i = 0; i < memory_properties.memoryTypeCount; ++i) {
    if ((allowed >> i & 1) != 0 &&
        (memory_properties.memoryTypes[i].propertyFlags & wanted) == wanted)
      return i;
  }
  NEEDS(!"a type of memory");
  return 0;
}

[[maybe_unused]] static VkDeviceMemory Allocate(const VkMemoryRequirements& needs,
                                                VkMemoryPropertyFlags wanted) {
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = needs.size;
  info.memoryTypeIndex = MemoryType(needs.memoryTypeBits, wanted);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  return memory;
}

constexpr VkMemoryPropertyFlags kHostMemory =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

// A buffer with memory of its own.
struct Buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
};

constexpr VkBufferUsageFlags kCopies =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

[[maybe_unused]] static VkBufferCreateInfo BufferInfo(VkDeviceSize bytes,
                                                      VkBufferUsageFlags usage = kCopies) {
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = bytes;
  info.usage = usage;
  return info;
}

// A buffer without memory, for memory that has external handles of the type.
[[maybe_unused]] static VkBuffer MakeExternal(VkDeviceSize bytes,
                                              VkExternalMemoryHandleTypeFlags type) {
  VkExternalMemoryBufferCreateInfo external = {
      VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = type;
  VkBufferCreateInfo info = BufferInfo(bytes);
  info.pNext = &external;
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  return buffer;
}

[[maybe_unused]] static Buffer MakeBuffer(VkDeviceSize bytes, VkBufferUsageFlags usage = kCopies,
                                          VkMemoryPropertyFlags properties = 0) {
  Buffer buffer;
  const VkBufferCreateInfo info = BufferInfo(bytes, usage);
  OK(vkCreateBuffer(device, &info, nullptr, &buffer.handle));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer.handle, &needs);
  buffer.memory = Allocate(needs, properties);
  OK(vkBindBufferMemory(device, buffer.handle, buffer.memory, 0));
  return buffer;
}

// The same with memory that the host can write, filled with a byte.
[[maybe_unused]] static Buffer MakeStaging(VkDeviceSize bytes, int value = 7) {
  const Buffer buffer = MakeBuffer(bytes, kCopies, kHostMemory);
  void* data;
  OK(vkMapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, value, bytes);
  vkUnmapMemory(device, buffer.memory);
  return buffer;
}

[[maybe_unused]] static void Destroy(const Buffer& buffer) {
  vkDestroyBuffer(device, buffer.handle, nullptr);
  vkFreeMemory(device, buffer.memory, nullptr);
}

// An image with memory of its own.
struct Image {
  VkImage handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
};

[[maybe_unused]] static VkImageCreateInfo ImageInfo(uint32_t width, uint32_t height,
                                                    VkFormat format = VK_FORMAT_R8G8B8A8_UNORM,
                                                    uint32_t mips = 1, uint32_t layers = 1) {
  VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {width, height, 1};
  info.mipLevels = mips;
  info.arrayLayers = layers;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  return info;
}

[[maybe_unused]] static Image MakeImage(const VkImageCreateInfo& info) {
  Image image;
  OK(vkCreateImage(device, &info, nullptr, &image.handle));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, image.handle, &needs);
  image.memory = Allocate(needs, 0);
  OK(vkBindImageMemory(device, image.handle, image.memory, 0));
  return image;
}

[[maybe_unused]] static void Destroy(const Image& image) {
  vkDestroyImage(device, image.handle, nullptr);
  vkFreeMemory(device, image.memory, nullptr);
}

// All of an image with one mip level and one layer.
constexpr VkImageSubresourceRange kWhole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
constexpr VkImageSubresourceLayers kFirst = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

// A two-dimensional view of the image.
[[maybe_unused]] static VkImageViewCreateInfo ViewInfo(
    VkImage image, VkFormat format = VK_FORMAT_R8G8B8A8_UNORM,
    const VkImageSubresourceRange& range = kWhole) {
  VkImageViewCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  info.image = image;
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = format;
  info.subresourceRange = range;
  return info;
}

// A barrier of an image, for the program to put where it belongs.
[[maybe_unused]] static VkImageMemoryBarrier ImageBarrier(VkImage image, VkImageLayout from,
                                                          VkImageLayout to,
                                                          VkAccessFlags source_access,
                                                          VkAccessFlags target_access) {
  VkImageMemoryBarrier barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.srcAccessMask = source_access;
  barrier.dstAccessMask = target_access;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = kWhole;
  return barrier;
}

// The command buffer alone, and nothing to wait for.
[[maybe_unused]] static VkSubmitInfo SubmitInfo() {
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  return info;
}

// Ends the command buffer, submits it and waits.
[[maybe_unused]] static void Run() {
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
}
