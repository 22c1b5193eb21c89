// Vulkan and CUDA on one device, with memory and semaphores that both use. OK is for calls of
// Vulkan, CU for calls of CUDA.
#pragma once

#include <cuda.h>
#include <unistd.h>

#include "common/vulkan.h"

#define CU(call)                                                                    \
  do {                                                                              \
    const CUresult cu_result = (call);                                              \
    if (cu_result != CUDA_SUCCESS) {                                                \
      fprintf(stderr, "%s:%d: %s returned %d\n", __FILE__, __LINE__, #call, cu_result); \
      fflush(stderr);                                                               \
      abort();                                                                      \
    }                                                                               \
  } while (0)

[[maybe_unused]] static CUdevice cuda_device;
[[maybe_unused]] static CUcontext cuda_context;
[[maybe_unused]] static CUstream stream;
[[maybe_unused]] static PFN_vkGetMemoryFdKHR get_memory_fd;
[[maybe_unused]] static PFN_vkGetSemaphoreFdKHR get_semaphore_fd;

// Whether the first device has the extension.
[[maybe_unused]] static bool HasExtension(const char* name) {
  const VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  VkInstance asked;
  NEEDS(vkCreateInstance(&info, nullptr, &asked) == VK_SUCCESS);
  uint32_t count = 1;
  VkPhysicalDevice first = VK_NULL_HANDLE;
  vkEnumeratePhysicalDevices(asked, &count, &first);
  NEEDS(count == 1);
  vkEnumerateDeviceExtensionProperties(first, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateDeviceExtensionProperties(first, nullptr, &count, extensions.data());
  vkDestroyInstance(asked, nullptr);
  for (const VkExtensionProperties& extension : extensions) {
    if (strcmp(extension.extensionName, name) == 0) return true;
  }
  return false;
}

// `semaphores`: the program also shares semaphores; with timelines among them.
[[maybe_unused]] static void OpenBoth(bool semaphores = false) {
  NEEDS(HasExtension(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME));
  Wanted wanted;
  wanted.extensions = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME};
  VkPhysicalDeviceTimelineSemaphoreFeatures timelines = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  timelines.timelineSemaphore = VK_TRUE;
  if (semaphores) {
    NEEDS(HasExtension(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME));
    wanted.extensions.push_back(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME);
    wanted.features = &timelines;
  }
  NEEDS(cuInit(0) == CUDA_SUCCESS);
  CU(cuDeviceGet(&cuda_device, 0));
  CU(cuDevicePrimaryCtxRetain(&cuda_context, cuda_device));
  CU(cuCtxSetCurrent(cuda_context));
  CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  Open(wanted);
  get_memory_fd = (PFN_vkGetMemoryFdKHR)vkGetDeviceProcAddr(device, "vkGetMemoryFdKHR");
  get_semaphore_fd = (PFN_vkGetSemaphoreFdKHR)vkGetDeviceProcAddr(device, "vkGetSemaphoreFdKHR");
}

[[maybe_unused]] static void CloseBoth() {
  CU(cuStreamDestroy(stream));
  CU(cuDevicePrimaryCtxRelease(cuda_device));
  Close();
}

// A buffer of Vulkan whose memory can be exported.
struct SharedBuffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceSize memory_bytes = 0;
};

[[maybe_unused]] static SharedBuffer MakeShared(VkDeviceSize bytes) {
  SharedBuffer buffer;
  buffer.handle = MakeExternal(bytes, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer.handle, &needs);
  VkExportMemoryAllocateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
  exported.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.pNext = &exported;
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex =
      MemoryType(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  OK(vkAllocateMemory(device, &allocate, nullptr, &buffer.memory));
  OK(vkBindBufferMemory(device, buffer.handle, buffer.memory, 0));
  buffer.memory_bytes = needs.size;
  return buffer;
}

[[maybe_unused]] static void Destroy(const SharedBuffer& buffer) {
  vkDestroyBuffer(device, buffer.handle, nullptr);
  vkFreeMemory(device, buffer.memory, nullptr);
}

[[maybe_unused]] static int MemoryDescriptor(const SharedBuffer& buffer) {
  VkMemoryGetFdInfoKHR info = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR};
  info.memory = buffer.memory;
  info.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  int descriptor = -1;
  OK(get_memory_fd(device, &info, &descriptor));
  return descriptor;
}

// Memory of Vulkan in CUDA.
struct Import {
  CUexternalMemory memory = nullptr;
  CUdeviceptr pointer = 0;
};

// Takes over the descriptor.
[[maybe_unused]] static CUexternalMemory ImportMemory(int descriptor, VkDeviceSize bytes) {
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC description = {};
  description.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  description.handle.fd = descriptor;
  description.size = bytes;
  CUexternalMemory memory;
  CU(cuImportExternalMemory(&memory, &description));
  return memory;
}

[[maybe_unused]] static CUdeviceptr MapImport(CUexternalMemory memory, VkDeviceSize offset,
                                              VkDeviceSize bytes) {
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC part = {};
  part.offset = offset;
  part.size = bytes;
  CUdeviceptr pointer = 0;
  CU(cuExternalMemoryGetMappedBuffer(&pointer, memory, &part));
  return pointer;
}

[[maybe_unused]] static Import ImportBuffer(const SharedBuffer& buffer) {
  Import made;
  made.memory = ImportMemory(MemoryDescriptor(buffer), buffer.memory_bytes);
  made.pointer = MapImport(made.memory, 0, buffer.memory_bytes);
  return made;
}

[[maybe_unused]] static void Release(const Import& import) {
  CU(cuMemFree(import.pointer));
  CU(cuDestroyExternalMemory(import.memory));
}

// A semaphore of Vulkan in both APIs.
struct SharedSemaphore {
  VkSemaphore vulkan = VK_NULL_HANDLE;
  CUexternalSemaphore cuda = nullptr;
};

[[maybe_unused]] static SharedSemaphore MakeSharedSemaphore(bool timeline) {
  SharedSemaphore made;
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkExportSemaphoreCreateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO};
  exported.pNext = timeline ? &type : nullptr;
  exported.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  const VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &exported, 0};
  OK(vkCreateSemaphore(device, &info, nullptr, &made.vulkan));
  VkSemaphoreGetFdInfoKHR get = {VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR};
  get.semaphore = made.vulkan;
  get.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description = {};
  description.type = timeline ? CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD
                              : CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
  OK(get_semaphore_fd(device, &get, &description.handle.fd));
  CU(cuImportExternalSemaphore(&made.cuda, &description));
  return made;
}

[[maybe_unused]] static void Destroy(const SharedSemaphore& semaphore) {
  CU(cuDestroyExternalSemaphore(semaphore.cuda));
  vkDestroySemaphore(device, semaphore.vulkan, nullptr);
}

[[maybe_unused]] static void SignalInStream(const SharedSemaphore& semaphore, uint64_t value = 0) {
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS signal = {};
  signal.params.fence.value = value;
  CU(cuSignalExternalSemaphoresAsync(&semaphore.cuda, &signal, 1, stream));
}
[[maybe_unused]] static void WaitInStream(const SharedSemaphore& semaphore, uint64_t value = 0) {
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wait = {};
  wait.params.fence.value = value;
  CU(cuWaitExternalSemaphoresAsync(&semaphore.cuda, &wait, 1, stream));
}

// Submits the command buffer behind one semaphore and in front of another. VK_NULL_HANDLE: none.
[[maybe_unused]] static void SubmitShared(VkSemaphore wait, uint64_t wait_value, VkSemaphore signal,
                                          uint64_t signal_value, VkFence fence = VK_NULL_HANDLE) {
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  VkSubmitInfo info = SubmitInfo();
  info.pNext = &values;
  if (wait != VK_NULL_HANDLE) {
    values.waitSemaphoreValueCount = info.waitSemaphoreCount = 1;
    values.pWaitSemaphoreValues = &wait_value;
    info.pWaitSemaphores = &wait;
    info.pWaitDstStageMask = &stage;
  }
  if (signal != VK_NULL_HANDLE) {
    values.signalSemaphoreValueCount = info.signalSemaphoreCount = 1;
    values.pSignalSemaphoreValues = &signal_value;
    info.pSignalSemaphores = &signal;
  }
  OK(vkQueueSubmit(queue, 1, &info, fence));
}
