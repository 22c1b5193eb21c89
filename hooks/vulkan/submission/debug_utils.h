// VK_EXT_debug_utils and its predecessors: messengers, names of objects, labels of commands.
// objects/supplied_commands.h supplies the commands above drivers that lack the extension.
#pragma once

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

struct CreateDebugUtilsMessenger {
  void After(VkCall& call, VkResult code, VkInstance instance,
             const VkDebugUtilsMessengerCreateInfoEXT* info, const VkAllocationCallbacks* allocator,
             VkDebugUtilsMessengerEXT* messenger);
};
struct DestroyDebugUtilsMessenger {
  void Before(VkCall& call, VkInstance instance, VkDebugUtilsMessengerEXT messenger,
              const VkAllocationCallbacks* allocator);
};
struct CreateDebugReportCallback {
  void After(VkCall& call, VkResult code, VkInstance instance,
             const VkDebugReportCallbackCreateInfoEXT* info, const VkAllocationCallbacks* allocator,
             VkDebugReportCallbackEXT* callback);
};
struct DestroyDebugReportCallback {
  void Before(VkCall& call, VkInstance instance, VkDebugReportCallbackEXT callback,
              const VkAllocationCallbacks* allocator);
};
struct SetDebugUtilsObjectName {
  void Before(VkCall& call, VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info);
};
struct DebugMarkerSetObjectName {
  void Before(VkCall& call, VkDevice device, const VkDebugMarkerObjectNameInfoEXT* info);
};
struct CmdBeginDebugUtilsLabel {
  void Before(VkCall& call, VkCommandBuffer commands, const VkDebugUtilsLabelEXT* label);
};
struct CmdEndDebugUtilsLabel {
  void Before(VkCall& call, VkCommandBuffer commands);
};
struct CmdInsertDebugUtilsLabel {
  void Before(VkCall& call, VkCommandBuffer commands, const VkDebugUtilsLabelEXT* label);
};
struct CmdDebugMarkerBegin {
  void Before(VkCall& call, VkCommandBuffer commands, const VkDebugMarkerMarkerInfoEXT* marker);
};
struct CmdDebugMarkerInsert {
  void Before(VkCall& call, VkCommandBuffer commands, const VkDebugMarkerMarkerInfoEXT* marker);
};
struct QueueBeginDebugUtilsLabel {
  void Before(VkCall& call, VkQueue queue, const VkDebugUtilsLabelEXT* label);
};
struct QueueEndDebugUtilsLabel {
  void Before(VkCall& call, VkQueue queue);
};
struct QueueInsertDebugUtilsLabel {
  void Before(VkCall& call, VkQueue queue, const VkDebugUtilsLabelEXT* label);
};

}  // namespace gpusan::vulkan
