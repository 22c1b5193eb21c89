// Says what a program's own messengers are told, one line a message; names its objects and labels
// its commands. The argument chooses what it does wrong.
//
//   barrier     copies what was just copied, without a barrier, in labels
//   destroy     leaves buffers behind, of which the destruction of the device tells
//   reentrant   the same, and the messenger makes a buffer and misuses it
//   removed     destroys its messenger before the misuse
#include <mutex>
#include <string>

#include "common/vulkan.h"

static bool reentrant;
static std::mutex program_lock;

static const char* SeverityText(uint32_t severity) {
  return severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT     ? "error"
         : severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT ? "warning"
                                                                       : "info";
}

static VKAPI_ATTR VkBool32 VKAPI_CALL Hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT type,
                                           const VkDebugUtilsMessengerCallbackDataEXT* data,
                                           void* user) {
  if ((type & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) == 0) return VK_FALSE;
  // A program may take a lock of its own here.
  std::lock_guard lock(program_lock);
  printf("%s heard %s %s", static_cast<const char*>(user), SeverityText(severity),
         data->pMessageIdName);
  for (uint32_t i = 0; i < data->cmdBufLabelCount; ++i)
    printf(" label=%s", data->pCmdBufLabels[i].pLabelName);
  for (uint32_t i = 0; i < data->objectCount; ++i) {
    printf(" object=%d/%s", data->pObjects[i].objectType,
           data->pObjects[i].pObjectName != nullptr ? data->pObjects[i].pObjectName : "");
  }
  printf(" number=%d text=%s\n", data->messageIdNumber,
         strstr(data->pMessage, "fix: ") != nullptr ? "complete" : "short");
  if (reentrant) {
    const Buffer buffer = MakeBuffer(4096);
    vkUnmapMemory(device, buffer.memory);  // a defect of its own
    vkDestroyBuffer(device, buffer.handle, nullptr);
    vkFreeMemory(device, buffer.memory, nullptr);
  }
  return VK_FALSE;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL Report(VkDebugReportFlagsEXT flags,
                                             VkDebugReportObjectTypeEXT type, uint64_t, size_t,
                                             int32_t, const char* layer, const char* message,
                                             void*) {
  if (strcmp(layer, "gpusan") == 0)
    printf("report heard %u object=%d %.20s\n", flags, type, message);
  return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT MessengerInfo(
    const char* name, VkDebugUtilsMessageSeverityFlagsEXT severities) {
  VkDebugUtilsMessengerCreateInfoEXT info = {
      VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity = severities;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = Hear;
  info.pUserData = const_cast<char*>(name);
  return info;
}

#define LOAD(name) \
  const auto name = reinterpret_cast<PFN_##name>(vkGetInstanceProcAddr(instance, #name))

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "barrier";
  const VkDebugUtilsMessengerCreateInfoEXT at_creation =
      MessengerInfo("creation", VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
  Wanted wanted;
  wanted.instance_extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                VK_EXT_DEBUG_REPORT_EXTENSION_NAME};
  wanted.instance_chain = &at_creation;
  Open(wanted);
  LOAD(vkCreateDebugUtilsMessengerEXT);
  LOAD(vkDestroyDebugUtilsMessengerEXT);
  LOAD(vkCreateDebugReportCallbackEXT);
  LOAD(vkDestroyDebugReportCallbackEXT);
  LOAD(vkSetDebugUtilsObjectNameEXT);
  LOAD(vkCmdBeginDebugUtilsLabelEXT);
  LOAD(vkCmdEndDebugUtilsLabelEXT);
  LOAD(vkCmdInsertDebugUtilsLabelEXT);
  LOAD(vkQueueBeginDebugUtilsLabelEXT);
  LOAD(vkQueueEndDebugUtilsLabelEXT);
  VkDebugUtilsMessengerEXT errors, infos;
  const VkDebugUtilsMessengerCreateInfoEXT of_errors =
      MessengerInfo("errors", VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
  const VkDebugUtilsMessengerCreateInfoEXT of_infos =
      MessengerInfo("infos", VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT);
  OK(vkCreateDebugUtilsMessengerEXT(instance, &of_errors, nullptr, &errors));
  OK(vkCreateDebugUtilsMessengerEXT(instance, &of_infos, nullptr, &infos));
  VkDebugReportCallbackCreateInfoEXT report = {
      VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT};
  report.flags = VK_DEBUG_REPORT_ERROR_BIT_EXT;
  report.pfnCallback = Report;
  VkDebugReportCallbackEXT callback;
  OK(vkCreateDebugReportCallbackEXT(instance, &report, nullptr, &callback));
  reentrant = what == "reentrant";
  if (what == "removed") {
    vkDestroyDebugUtilsMessengerEXT(instance, errors, nullptr);
    errors = VK_NULL_HANDLE;
  }

  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  VkDebugUtilsObjectNameInfoEXT name = {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  name.objectType = VK_OBJECT_TYPE_BUFFER;
  name.objectHandle = reinterpret_cast<uint64_t>(b.handle);
  name.pObjectName = "shadow map";
  OK(vkSetDebugUtilsObjectNameEXT(device, &name));
  if (what != "destroy") {
    const VkBufferCopy all = {0, 0, 4096};
    VkDebugUtilsLabelEXT label = {VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
    Begin();
    label.pLabelName = "shadow pass";
    vkCmdBeginDebugUtilsLabelEXT(commands, &label);
    vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
    vkCmdEndDebugUtilsLabelEXT(commands);
    label.pLabelName = "download";
    vkCmdInsertDebugUtilsLabelEXT(commands, &label);
    vkCmdCopyBuffer(commands, b.handle, c.handle, 1, &all);
    OK(vkEndCommandBuffer(commands));
    label.pLabelName = "frame 1";
    vkQueueBeginDebugUtilsLabelEXT(queue, &label);
    const VkSubmitInfo info = SubmitInfo();
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    vkQueueEndDebugUtilsLabelEXT(queue);
    OK(vkQueueWaitIdle(queue));
  }
  vkDestroyBuffer(device, c.handle, nullptr);
  vkFreeMemory(device, c.memory, nullptr);
  if (what != "destroy") {
    Destroy(a);
    Destroy(b);
  }
  vkDestroyCommandPool(device, pool, nullptr);
  vkDestroyDevice(device, nullptr);
  if (errors != VK_NULL_HANDLE) vkDestroyDebugUtilsMessengerEXT(instance, errors, nullptr);
  vkDestroyDebugUtilsMessengerEXT(instance, infos, nullptr);
  vkDestroyDebugReportCallbackEXT(instance, callback, nullptr);
  vkDestroyInstance(instance, nullptr);
}
