#include "tests/unit/vulkan/vulkan_fake_driver.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "hooks/vulkan/dispatch/layer_entry.h"

namespace gpusan::test {
namespace {

// The loader writes its own table into the first word of a handle. All handles of one instance or
// device have the same first word.
struct Dispatchable {
  uintptr_t key = 0;
};

std::atomic<uintptr_t> next_handle{0};  // of ReuseHandle

std::function<void()> at_update;  // of AtUpdate

template <typename Handle>
Handle NewHandle() {
  if (const uintptr_t wanted = next_handle.exchange(0, std::memory_order_relaxed); wanted != 0)
    return reinterpret_cast<Handle>(wanted);
  static std::atomic<uintptr_t> last{0x1000};
  return reinterpret_cast<Handle>(last.fetch_add(16, std::memory_order_relaxed));
}

uintptr_t KeyOf(const void* handle) { return static_cast<const Dispatchable*>(handle)->key; }

template <typename Handle>
Handle NewDispatchable(uintptr_t key) {
  auto* made = new Dispatchable{key};
  if (key == 0) made->key = reinterpret_cast<uintptr_t>(made);
  return reinterpret_cast<Handle>(made);
}
template <typename Handle>
void Delete(Handle handle) {
  delete reinterpret_cast<Dispatchable*>(handle);
}

// A function of the type that succeeds and does nothing.
template <typename Function>
struct Stub;
template <typename Result, typename... Args>
struct Stub<Result(VKAPI_PTR*)(Args...)> {
  static VKAPI_ATTR Result VKAPI_CALL Call(Args...) { return Result(); }
};
// A function that creates an object.
template <typename Info, typename Handle>
struct Stub<VkResult(VKAPI_PTR*)(VkDevice, const Info*, const VkAllocationCallbacks*, Handle*)> {
  static VKAPI_ATTR VkResult VKAPI_CALL Call(VkDevice, const Info*, const VkAllocationCallbacks*,
                                             Handle* handle) {
    if (handle != nullptr) *handle = NewHandle<Handle>();
    return VK_SUCCESS;
  }
};
// A function that creates pipelines.
template <typename Info>
struct Stub<VkResult(VKAPI_PTR*)(VkDevice, VkPipelineCache, uint32_t, const Info*,
                                 const VkAllocationCallbacks*, VkPipeline*)> {
  static VKAPI_ATTR VkResult VKAPI_CALL Call(VkDevice, VkPipelineCache, uint32_t count, const Info*,
                                             const VkAllocationCallbacks*, VkPipeline* pipelines) {
    for (uint32_t i = 0; pipelines != nullptr && i < count; ++i)
      pipelines[i] = NewHandle<VkPipeline>();
    return VK_SUCCESS;
  }
};

// vkCreateShadersEXT
template <>
struct Stub<VkResult(VKAPI_PTR*)(VkDevice, uint32_t, const void*, const VkAllocationCallbacks*,
                                 uint64_t*)> {
  static VKAPI_ATTR VkResult VKAPI_CALL Call(VkDevice, uint32_t count, const void*,
                                             const VkAllocationCallbacks*, uint64_t* shaders) {
    for (uint32_t i = 0; shaders != nullptr && i < count; ++i)
      shaders[i] = reinterpret_cast<uint64_t>(NewHandle<void*>());
    return VK_SUCCESS;
  }
};

template <>
struct Stub<PFN_vkCreateRayTracingPipelinesKHR> {
  static VKAPI_ATTR VkResult VKAPI_CALL Call(VkDevice, VkDeferredOperationKHR, VkPipelineCache,
                                             uint32_t count,
                                             const VkRayTracingPipelineCreateInfoKHR*,
                                             const VkAllocationCallbacks*, VkPipeline* pipelines) {
    for (uint32_t i = 0; pipelines != nullptr && i < count; ++i)
      pipelines[i] = NewHandle<VkPipeline>();
    return VK_SUCCESS;
  }
};

VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo*,
                                              const VkAllocationCallbacks*, VkInstance* instance) {
  *instance = NewDispatchable<VkInstance>(0);
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL DestroyInstance(VkInstance instance, const VkAllocationCallbacks*) {
  Delete(instance);
}
VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice, const VkDeviceCreateInfo*,
                                            const VkAllocationCallbacks*, VkDevice* device) {
  *device = NewDispatchable<VkDevice>(0);
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL DestroyDevice(VkDevice device, const VkAllocationCallbacks*) {
  Delete(device);
}
constexpr uint32_t kLargestImage = 1 << 14, kMostLayers = 2048;

VKAPI_ATTR void VKAPI_CALL GetProperties(VkPhysicalDevice, VkPhysicalDeviceProperties* properties) {
  *properties = {};
  properties->apiVersion = VK_API_VERSION_1_3;
  VkPhysicalDeviceLimits& limits = properties->limits;
  limits.nonCoherentAtomSize = 64;
  limits.maxImageDimension1D = limits.maxImageDimension2D = limits.maxImageDimensionCube =
      limits.maxImageDimension3D = kLargestImage;
  limits.maxImageArrayLayers = kMostLayers;
  limits.maxDrawIndirectCount = ~0u;
  limits.maxBoundDescriptorSets = 8;
  limits.maxPushConstantsSize = 128;
  for (uint32_t& most : limits.maxComputeWorkGroupCount) most = 65535;
  for (uint32_t* most :
       {&limits.maxPerStageDescriptorSamplers, &limits.maxPerStageDescriptorUniformBuffers,
        &limits.maxPerStageDescriptorStorageBuffers, &limits.maxPerStageDescriptorSampledImages,
        &limits.maxPerStageDescriptorStorageImages,
        &limits.maxPerStageDescriptorInputAttachments}) {
    *most = 16;
  }
  for (uint32_t* most :
       {&limits.maxDescriptorSetSamplers, &limits.maxDescriptorSetUniformBuffers,
        &limits.maxDescriptorSetUniformBuffersDynamic, &limits.maxDescriptorSetStorageBuffers,
        &limits.maxDescriptorSetStorageBuffersDynamic, &limits.maxDescriptorSetSampledImages,
        &limits.maxDescriptorSetStorageImages, &limits.maxDescriptorSetInputAttachments}) {
    *most = 24;
  }
}
VKAPI_ATTR void VKAPI_CALL GetProperties2(VkPhysicalDevice physical,
                                          VkPhysicalDeviceProperties2* properties) {
  GetProperties(physical, &properties->properties);
  auto* next = static_cast<VkBaseOutStructure*>(properties->pNext);
  if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES) {
    reinterpret_cast<VkPhysicalDeviceTimelineSemaphoreProperties*>(next)
        ->maxTimelineSemaphoreValueDifference = kTimelineDifference;
  }
}
// All images are supported.
VKAPI_ATTR VkResult VKAPI_CALL GetImageProperties(VkPhysicalDevice, VkFormat, VkImageType,
                                                  VkImageTiling, VkImageUsageFlags,
                                                  VkImageCreateFlags,
                                                  VkImageFormatProperties* properties) {
  *properties = {};
  properties->maxExtent = {kLargestImage, kLargestImage, kLargestImage};
  properties->maxMipLevels = 15;
  properties->maxArrayLayers = kMostLayers;
  properties->sampleCounts = ~0u;
  return VK_SUCCESS;
}
// The stencil usage of a chain fails, as every chain does in the loader for a device of Vulkan 1.0.
VKAPI_ATTR VkResult VKAPI_CALL GetImageProperties2(VkPhysicalDevice physical,
                                                   const VkPhysicalDeviceImageFormatInfo2* info,
                                                   VkImageFormatProperties2* properties) {
  const auto* chain = static_cast<const VkBaseInStructure*>(info->pNext);
  if (chain != nullptr && chain->sType == VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO)
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  return GetImageProperties(physical, info->format, info->type, info->tiling, info->usage,
                            info->flags, &properties->imageFormatProperties);
}
VKAPI_ATTR void VKAPI_CALL GetMemoryProperties(VkPhysicalDevice,
                                               VkPhysicalDeviceMemoryProperties* properties) {
  *properties = {};
  properties->memoryTypeCount = 2;
  properties->memoryTypes[0].propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  properties->memoryTypes[1].propertyFlags =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  properties->memoryHeapCount = 1;
  properties->memoryHeaps[0].size = uint64_t{1} << 40;
}
VKAPI_ATTR void VKAPI_CALL GetFamilies(VkPhysicalDevice, uint32_t* count,
                                       VkQueueFamilyProperties* families) {
  *count = 2;
  if (families == nullptr) return;
  families[0] = families[1] = {};
  families[0].queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
  families[0].timestampValidBits = 64;
  families[1].queueFlags = VK_QUEUE_TRANSFER_BIT;
  families[0].queueCount = families[1].queueCount = 4;
}

// The queues live as long as the process.
VKAPI_ATTR void VKAPI_CALL GetQueue(VkDevice device, uint32_t, uint32_t index, VkQueue* queue) {
  static std::unordered_map<uintptr_t, VkQueue> queues;
  VkQueue& known = queues[KeyOf(device) + index];
  if (known == nullptr) known = NewDispatchable<VkQueue>(0);
  reinterpret_cast<Dispatchable*>(known)->key = KeyOf(device);
  if (queue != nullptr) *queue = known;
}

// The command buffers live as long as the process.
VKAPI_ATTR VkResult VKAPI_CALL AllocateBuffers(VkDevice device,
                                               const VkCommandBufferAllocateInfo* info,
                                               VkCommandBuffer* buffers) {
  for (uint32_t i = 0; info != nullptr && buffers != nullptr && i < info->commandBufferCount; ++i)
    buffers[i] = NewDispatchable<VkCommandBuffer>(KeyOf(device));
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL AllocateSets(VkDevice, const VkDescriptorSetAllocateInfo* info,
                                            VkDescriptorSet* sets) {
  for (uint32_t i = 0; info != nullptr && sets != nullptr && i < info->descriptorSetCount; ++i)
    sets[i] = NewHandle<VkDescriptorSet>();
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL MapMemory(VkDevice, VkDeviceMemory, VkDeviceSize, VkDeviceSize,
                                         VkMemoryMapFlags, void** data) {
  // Large enough for what the tests map. The tests write nothing to it.
  static std::vector<std::byte> bytes(1 << 16);
  if (data != nullptr) *data = bytes.data();
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL MapMemory2(VkDevice device, const void*, void** data) {
  return MapMemory(device, VK_NULL_HANDLE, 0, 0, 0, data);
}
VKAPI_ATTR void VKAPI_CALL BufferNeeds(VkDevice, VkBuffer, VkMemoryRequirements* needs) {
  if (needs != nullptr) *needs = {4096, 16, 3};
}
VKAPI_ATTR void VKAPI_CALL ImageNeeds(VkDevice, VkImage, VkMemoryRequirements* needs) {
  if (needs != nullptr) *needs = {4096, 16, 3};
}
// Each swapchain has one image, for as long as the process lives.
VKAPI_ATTR VkResult VKAPI_CALL SwapchainImages(VkDevice, VkSwapchainKHR swapchain, uint32_t* count,
                                               VkImage* images) {
  static std::unordered_map<VkSwapchainKHR, VkImage> known;
  if (count != nullptr) *count = 1;
  if (images == nullptr) return VK_SUCCESS;
  VkImage& image = known[swapchain];
  if (image == VK_NULL_HANDLE) image = NewHandle<VkImage>();
  *images = image;
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL AcquireImage(VkDevice, VkSwapchainKHR, uint64_t, VkSemaphore,
                                            VkFence, uint32_t* index) {
  if (index != nullptr) *index = 0;
  return VK_SUCCESS;
}
// Handles are 16 apart: buffers of up to a mebibyte do not overlap.
VKAPI_ATTR VkDeviceAddress VKAPI_CALL BufferAddress(VkDevice,
                                                    const VkBufferDeviceAddressInfo* info) {
  return info != nullptr ? (uint64_t)(info->buffer) << 16 : 0;
}
VKAPI_ATTR void VKAPI_CALL BuildSizes(VkDevice, VkAccelerationStructureBuildTypeKHR,
                                      const VkAccelerationStructureBuildGeometryInfoKHR*,
                                      const uint32_t*,
                                      VkAccelerationStructureBuildSizesInfoKHR* sizes) {
  if (sizes == nullptr) return;
  sizes->accelerationStructureSize = 512;
  sizes->buildScratchSize = 256;
  sizes->updateScratchSize = 128;
}

PFN_vkVoidFunction VKAPI_CALL DeviceProcAddr(VkDevice, const char* name);

VKAPI_ATTR void VKAPI_CALL UpdateSets(VkDevice, uint32_t, const VkWriteDescriptorSet*, uint32_t,
                                      const VkCopyDescriptorSet*) {
  if (at_update) at_update();
}

using Functions = std::unordered_map<std::string_view, PFN_vkVoidFunction>;

template <typename Function>
PFN_vkVoidFunction Void(Function function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

Functions MakeFunctions() {
  Functions functions = {
#define GPUSAN_VK(name, Handler) {#name, Void(&Stub<PFN_##name>::Call)},
#define GPUSAN_VK_LATER(name, Handler, Result, parameters) \
  {#name, Void(&Stub<Result(VKAPI_PTR*) parameters>::Call)},
#define GPUSAN_VK_NEED(name) {#name, Void(&Stub<PFN_##name>::Call)},
#define GPUSAN_VK_PASS(name, reason)
#define GPUSAN_VK_PASS_LATER(name, reason)
#include "vulkan_rows.inc"
  };
  functions["vkCreateInstance"] = Void(&CreateInstance);
  functions["vkDestroyInstance"] = Void(&DestroyInstance);
  functions["vkCreateDevice"] = Void(&CreateDevice);
  functions["vkDestroyDevice"] = Void(&DestroyDevice);
  functions["vkGetPhysicalDeviceProperties"] = Void(&GetProperties);
  functions["vkGetPhysicalDeviceProperties2"] = Void(&GetProperties2);
  functions["vkGetPhysicalDeviceImageFormatProperties"] = Void(&GetImageProperties);
  functions["vkGetPhysicalDeviceImageFormatProperties2"] = Void(&GetImageProperties2);
  functions["vkGetPhysicalDeviceMemoryProperties"] = Void(&GetMemoryProperties);
  functions["vkGetPhysicalDeviceQueueFamilyProperties"] = Void(&GetFamilies);
  functions["vkGetDeviceQueue"] = Void(&GetQueue);
  functions["vkAllocateCommandBuffers"] = Void(&AllocateBuffers);
  functions["vkAllocateDescriptorSets"] = Void(&AllocateSets);
  functions["vkUpdateDescriptorSets"] = Void(&UpdateSets);
  functions["vkMapMemory"] = Void(&MapMemory);
  functions["vkMapMemory2"] = Void(&MapMemory2);
  functions["vkGetBufferMemoryRequirements"] = Void(&BufferNeeds);
  functions["vkGetImageMemoryRequirements"] = Void(&ImageNeeds);
  functions["vkGetBufferDeviceAddress"] = Void(&BufferAddress);
  functions["vkGetAccelerationStructureBuildSizesKHR"] = Void(&BuildSizes);
  functions["vkGetSwapchainImagesKHR"] = Void(&SwapchainImages);
  functions["vkAcquireNextImageKHR"] = Void(&AcquireImage);
  functions["vkGetDeviceProcAddr"] = Void(&DeviceProcAddr);
  functions["vkGetInstanceProcAddr"] = Void(&FakeInstanceProcAddr);
  return functions;
}

PFN_vkVoidFunction Find(std::string_view name) {
  static const Functions* const functions = new Functions(MakeFunctions());
  const auto found = functions->find(name);
  return found != functions->end() ? found->second : nullptr;
}

std::atomic<size_t> wrong_look_ups{0};

PFN_vkVoidFunction VKAPI_CALL DeviceProcAddr(VkDevice, const char* name) {
  const std::string_view wanted = name;
  if (wanted.starts_with("vkGetPhysicalDevice") || wanted == "vkCreateDevice" ||
      wanted == "vkDestroyInstance" || wanted == "vkCreateDebugUtilsMessengerEXT")
    ++wrong_look_ups;
  return test::Find(name);
}

}  // namespace

size_t WrongLookUps() { return wrong_look_ups; }

PFN_vkVoidFunction VKAPI_CALL FakeInstanceProcAddr(VkInstance, const char* name) {
  return test::Find(name);
}

void AtUpdate(std::function<void()> act) { at_update = std::move(act); }

void ReuseHandle(uintptr_t handle) { next_handle.store(handle, std::memory_order_relaxed); }

FakeVulkan::FakeVulkan(uint32_t queue_count, void* features) {
  VkLayerInstanceLink instance_next = {};
  instance_next.pfnNextGetInstanceProcAddr = &FakeInstanceProcAddr;
  VkLayerInstanceCreateInfo instance_link = {VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO};
  instance_link.function = VK_LAYER_LINK_INFO;
  instance_link.u.pLayerInfo = &instance_next;
  VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo instance_info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instance_info.pNext = &instance_link;
  instance_info.pApplicationInfo = &application;
  reinterpret_cast<PFN_vkCreateInstance>(vulkan::GetInstanceProcAddr(
      VK_NULL_HANDLE, "vkCreateInstance"))(&instance_info, nullptr, &instance);
  physical = NewDispatchable<VkPhysicalDevice>(KeyOf(instance));
  VkLayerDeviceLink device_next = {};
  device_next.pfnNextGetInstanceProcAddr = &FakeInstanceProcAddr;
  device_next.pfnNextGetDeviceProcAddr = &DeviceProcAddr;
  VkLayerDeviceCreateInfo device_link = {VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO};
  device_link.function = VK_LAYER_LINK_INFO;
  device_link.u.pLayerInfo = &device_next;
  // VkPhysicalDeviceDynamicRenderingLocalReadFeatures, which the headers may lack.
  struct {
    VkStructureType type = static_cast<VkStructureType>(1000232000);
    const void* next = nullptr;
    VkBool32 enabled = VK_TRUE;
  } local_read;
  VkPhysicalDeviceRayTracingPipelineFeaturesKHR tracing = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR};
  tracing.rayTracingPipeline = VK_TRUE;
  VkPhysicalDeviceDynamicRenderingFeatures rendering = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  rendering.dynamicRendering = VK_TRUE;
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  timeline.timelineSemaphore = VK_TRUE;
  VkPhysicalDeviceSynchronization2Features synchronization2 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  synchronization2.synchronization2 = VK_TRUE;
  tracing.pNext = &rendering;
  rendering.pNext = &timeline;
  timeline.pNext = features;
  // A test may disable it.
  const auto* given = static_cast<const VkBaseInStructure*>(features);
  while (given != nullptr && given->sType != synchronization2.sType) given = given->pNext;
  if (given == nullptr) {
    timeline.pNext = &synchronization2;
    synchronization2.pNext = features;
  }
  local_read.next = &tracing;
  device_link.pNext = &local_read;
  VkDeviceCreateInfo device_info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device_info.pNext = &device_link;
  Get<PFN_vkCreateDevice>("vkCreateDevice")(physical, &device_info, nullptr, &device);
  queues.resize(queue_count);
  for (uint32_t i = 0; i < queue_count; ++i)
    Get<PFN_vkGetDeviceQueue>("vkGetDeviceQueue")(device, 0, i, &queues[i]);
}

FakeVulkan::~FakeVulkan() {
  Get<PFN_vkDestroyDevice>("vkDestroyDevice")(device, nullptr);
  device = VK_NULL_HANDLE;
  Get<PFN_vkDestroyInstance>("vkDestroyInstance")(instance, nullptr);
  Delete(physical);
}

PFN_vkVoidFunction FakeVulkan::Find(const char* name) const {
  return device != VK_NULL_HANDLE ? vulkan::GetDeviceProcAddr(device, name)
                                  : vulkan::GetInstanceProcAddr(instance, name);
}

}  // namespace gpusan::test
