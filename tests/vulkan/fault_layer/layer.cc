// A Vulkan layer for tests that stands below gpusan, in the driver's place. It loses the device:
// submissions and waits fail as they do then. It also calls the program from inside of a call, so
// that a test knows what happens during the call. Never installed.
//
//   GPUSAN_TEST_LOSE=vkQueueSubmit    the call with which the loss comes to light; later calls fail
//                                     like it
//   GPUSAN_TEST_LOSE=vkQueueSubmit:3  the third of these calls
//   GPUSAN_TEST_END                   set: the process ends in that call
//   GPUSAN_TEST_ABOVE                 set: the layer stands above gpusan, and looks vkCreateDevice
//                                     up without an instance, as some layers do
//   GPUSAN_TEST_NAMES                 set: the process ends with 9 if somebody looks a command that
//                                     loaders do not know up in the instance
//   GPUSAN_TEST_INSIDE=vkQueueSubmit:7f00beef
//                                     the call in which the layer calls the function at this
//                                     address, before the driver, once
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <cstdlib>
#include <cstring>

namespace {

// Tests have one instance and one device.
PFN_vkGetInstanceProcAddr next_instance;
PFN_vkGetDeviceProcAddr next_device;
VkInstance the_instance;
VkDevice the_device;
bool lost;

template <typename Info>
Info* LayerLink(const void* chain, VkStructureType type) {
  for (auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr; at = at->pNext) {
    auto* info = reinterpret_cast<Info*>(const_cast<VkBaseInStructure*>(at));
    if (at->sType == type && info->function == VK_LAYER_LINK_INFO) return info;
  }
  return nullptr;
}

int calls;  // of the one that is to lose it

bool Loses(const char* call) {
  const char* wanted = std::getenv("GPUSAN_TEST_LOSE");
  if (wanted == nullptr) return lost;
  const size_t length = std::strcspn(wanted, ":");
  if (std::strlen(call) == length && std::strncmp(wanted, call, length) == 0 &&
      ++calls >= (wanted[length] == ':' ? std::atoi(wanted + length + 1) : 1))
    lost = true;
  if (lost && std::getenv("GPUSAN_TEST_END") != nullptr) std::_Exit(0);
  return lost;
}
// Calls the program if it asks for that, as above.
void Inside(const char* call) {
  const char* wanted = std::getenv("GPUSAN_TEST_INSIDE");
  if (wanted == nullptr) return;
  const size_t length = std::strcspn(wanted, ":");
  if (std::strlen(call) != length || std::strncmp(wanted, call, length) != 0) return;
  const auto function =
      reinterpret_cast<void (*)()>(std::strtoull(wanted + length + 1, nullptr, 16));
  unsetenv("GPUSAN_TEST_INSIDE");
  function();
}

// The driver itself lives: what it was given is done before the program destroys it.
VkResult Answer(const char* call, VkResult code) {
  return Loses(call) ? VK_ERROR_DEVICE_LOST : code;
}

#define NEXT(name) (reinterpret_cast<PFN_##name>(next_device(the_device, #name)))

VKAPI_ATTR VkResult VKAPI_CALL Submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
                                      VkFence fence) {
  Inside("vkQueueSubmit");
  if (Loses("vkQueueSubmit")) return VK_ERROR_DEVICE_LOST;
  return NEXT(vkQueueSubmit)(queue, count, infos, fence);
}
VKAPI_ATTR VkResult VKAPI_CALL Wait(VkDevice device, uint32_t count, const VkFence* fences,
                                    VkBool32 all, uint64_t timeout) {
  Inside("vkWaitForFences");
  if (lost) return VK_ERROR_DEVICE_LOST;
  return Answer("vkWaitForFences", NEXT(vkWaitForFences)(device, count, fences, all, timeout));
}
VKAPI_ATTR VkResult VKAPI_CALL FenceStatus(VkDevice device, VkFence fence) {
  return Answer("vkGetFenceStatus", NEXT(vkGetFenceStatus)(device, fence));
}
VKAPI_ATTR VkResult VKAPI_CALL WaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info,
                                              uint64_t timeout) {
  Inside("vkWaitSemaphores");
  if (lost) return VK_ERROR_DEVICE_LOST;
  return Answer("vkWaitSemaphores", NEXT(vkWaitSemaphores)(device, info, timeout));
}
VKAPI_ATTR VkResult VKAPI_CALL Idle(VkQueue queue) {
  Inside("vkQueueWaitIdle");
  return Answer("vkQueueWaitIdle", NEXT(vkQueueWaitIdle)(queue));
}
VKAPI_ATTR VkResult VKAPI_CALL DeviceIdle(VkDevice device) {
  Inside("vkDeviceWaitIdle");
  return Answer("vkDeviceWaitIdle", NEXT(vkDeviceWaitIdle)(device));
}
VKAPI_ATTR VkResult VKAPI_CALL Present(VkQueue queue, const VkPresentInfoKHR* info) {
  return Answer("vkQueuePresentKHR", NEXT(vkQueuePresentKHR)(queue, info));
}

// Calls that only call the program, and the driver.
#define PASSED_CALLS(X)                                                                           \
  X(vkAllocateCommandBuffers, VkResult,                                                           \
    (VkDevice a, const VkCommandBufferAllocateInfo* b, VkCommandBuffer* c), (a, b, c))            \
  X(vkAllocateDescriptorSets, VkResult,                                                           \
    (VkDevice a, const VkDescriptorSetAllocateInfo* b, VkDescriptorSet* c), (a, b, c))            \
  X(vkCmdFillBuffer, void,                                                                        \
    (VkCommandBuffer a, VkBuffer b, VkDeviceSize c, VkDeviceSize d, uint32_t e), (a, b, c, d, e)) \
  X(vkGetQueryPoolResults, VkResult,                                                              \
    (VkDevice a, VkQueryPool b, uint32_t c, uint32_t d, size_t e, void* f, VkDeviceSize g,        \
     VkQueryResultFlags h),                                                                       \
    (a, b, c, d, e, f, g, h))                                                                     \
  X(vkResetFences, VkResult, (VkDevice a, uint32_t b, const VkFence* c), (a, b, c))               \
  X(vkUnmapMemory, void, (VkDevice a, VkDeviceMemory b), (a, b))
#define PASS(name, result, parameters, arguments)       \
  VKAPI_ATTR result VKAPI_CALL Pass_##name parameters { \
    Inside(#name);                                      \
    return NEXT(name) arguments;                        \
  }
PASSED_CALLS(PASS)

VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo* info,
                                              const VkAllocationCallbacks* allocator,
                                              VkInstance* instance) {
  auto* link = LayerLink<VkLayerInstanceCreateInfo>(info->pNext,
                                                    VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkResult code = reinterpret_cast<PFN_vkCreateInstance>(
      next_instance(VK_NULL_HANDLE, "vkCreateInstance"))(info, allocator, instance);
  if (code == VK_SUCCESS) the_instance = *instance;
  return code;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical,
                                            const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkDevice* device) {
  auto* link =
      LayerLink<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkInstance of = std::getenv("GPUSAN_TEST_ABOVE") != nullptr ? VK_NULL_HANDLE : the_instance;
  const auto create = reinterpret_cast<PFN_vkCreateDevice>(next_instance(of, "vkCreateDevice"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const VkResult code = create(physical, info, allocator, device);
  if (code == VK_SUCCESS) the_device = *device;
  return code;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL DeviceProc(VkDevice device, const char* name);

PFN_vkVoidFunction Own(const char* name) {
  const struct {
    const char* name;
    void* function;
  } own[] = {
#define ENTRY(name, ...) {#name, reinterpret_cast<void*>(&Pass_##name)},
      // clang-format off
      PASSED_CALLS(ENTRY)
      // clang-format on
      {"vkCreateInstance", reinterpret_cast<void*>(&CreateInstance)},
      {"vkCreateDevice", reinterpret_cast<void*>(&CreateDevice)},
      {"vkGetDeviceProcAddr", reinterpret_cast<void*>(&DeviceProc)},
      {"vkQueueSubmit", reinterpret_cast<void*>(&Submit)},
      {"vkWaitForFences", reinterpret_cast<void*>(&Wait)},
      {"vkGetFenceStatus", reinterpret_cast<void*>(&FenceStatus)},
      {"vkWaitSemaphores", reinterpret_cast<void*>(&WaitSemaphores)},
      {"vkDeviceWaitIdle", reinterpret_cast<void*>(&DeviceIdle)},
      {"vkQueuePresentKHR", reinterpret_cast<void*>(&Present)},
      {"vkQueueWaitIdle", reinterpret_cast<void*>(&Idle)}};
  for (const auto& one : own) {
    if (std::strcmp(name, one.name) == 0) return reinterpret_cast<PFN_vkVoidFunction>(one.function);
  }
  return nullptr;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL DeviceProc(VkDevice device, const char* name) {
  const PFN_vkVoidFunction own = Own(name);
  return own != nullptr ? own : next_device(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL InstanceProc(VkInstance instance, const char* name) {
  if (std::getenv("GPUSAN_TEST_NAMES") != nullptr &&
      std::strcmp(name, "vkCmdDrawIndirect2KHR") == 0)
    std::_Exit(9);
  const PFN_vkVoidFunction own = Own(name);
  return own != nullptr ? own : next_instance(instance, name);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = &InstanceProc;
  version->pfnGetDeviceProcAddr = &DeviceProc;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
