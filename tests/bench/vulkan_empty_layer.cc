// A Vulkan layer that forwards the commands of the bench and does nothing else: the least that a
// layer with a table can cost. One instance, one device.
#include <vulkan/vk_layer.h>

#include <cstring>

namespace {

PFN_vkGetInstanceProcAddr next_instance;
PFN_vkGetDeviceProcAddr next_device;

template <typename Function>
struct Forward;
template <typename Result, typename... Args>
struct Forward<Result(VKAPI_PTR*)(Args...)> {
  template <auto* next>
  static VKAPI_ATTR Result VKAPI_CALL Call(Args... args) {
    return (*next)(args...);
  }
};

// What the bench times.
// clang-format off
#define COMMANDS(X) \
  X(BeginCommandBuffer) \
  X(EndCommandBuffer) \
  X(CmdPipelineBarrier) \
  X(CmdCopyBufferToImage) \
  X(CmdBindPipeline) \
  X(CmdBindDescriptorSets) \
  X(CmdDispatch) \
  X(UpdateDescriptorSets) \
  X(CreateImage) \
  X(GetImageMemoryRequirements) \
  X(AllocateMemory) \
  X(BindImageMemory) \
  X(DestroyImage) \
  X(FreeMemory) \
  X(QueueSubmit) \
  X(WaitForFences) \
  X(ResetFences) \
  X(QueueWaitIdle)
// clang-format on

#define POINTER(name) PFN_vk##name next_##name;
COMMANDS(POINTER)
#undef POINTER

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL DeviceProcAddr(VkDevice device, const char* name) {
#define ENTRY(entry)                       \
  if (std::strcmp(name, "vk" #entry) == 0) \
    return reinterpret_cast<PFN_vkVoidFunction>(&Forward<PFN_vk##entry>::Call<&next_##entry>);
  COMMANDS(ENTRY)
#undef ENTRY
  return next_device(device, name);
}

template <typename Link>
const Link* LinkOf(const void* chain, VkStructureType type) {
  for (auto* link = static_cast<const Link*>(chain); link != nullptr;
       link = static_cast<const Link*>(link->pNext)) {
    if (link->sType == type && link->function == VK_LAYER_LINK_INFO) return link;
  }
  return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo* info,
                                              const VkAllocationCallbacks* allocator,
                                              VkInstance* instance) {
  auto* link = const_cast<VkLayerInstanceCreateInfo*>(LinkOf<VkLayerInstanceCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO));
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create =
      reinterpret_cast<PFN_vkCreateInstance>(next_instance(nullptr, "vkCreateInstance"));
  return create(info, allocator, instance);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical,
                                            const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkDevice* device);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL InstanceProcAddr(VkInstance instance, const char* name) {
  if (std::strcmp(name, "vkCreateInstance") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&CreateInstance);
  if (std::strcmp(name, "vkCreateDevice") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&CreateDevice);
  if (std::strcmp(name, "vkGetInstanceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&InstanceProcAddr);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&DeviceProcAddr);
  return next_instance == nullptr ? nullptr : next_instance(instance, name);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical,
                                            const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkDevice* device) {
  auto* link = const_cast<VkLayerDeviceCreateInfo*>(
      LinkOf<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO));
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const auto next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateDevice>(next(nullptr, "vkCreateDevice"));
  const VkResult code = create(physical, info, allocator, device);
  if (code != VK_SUCCESS) return code;
#define FETCH(name) next_##name = reinterpret_cast<PFN_vk##name>(next_device(*device, "vk" #name));
  COMMANDS(FETCH)
#undef FETCH
  return code;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
  if (version->loaderLayerInterfaceVersion > 2) version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = &InstanceProcAddr;
  version->pfnGetDeviceProcAddr = &DeviceProcAddr;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
