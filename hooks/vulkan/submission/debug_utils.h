// VK_EXT_debug_utils and its predecessors: messengers, names of objects, labels of commands.
// objects/supplied_commands.h supplies the commands above drivers that lack the extension.
#pragma once

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

struct CreateDebugUtilsMessenger {
  AfterOf<PFN_vkCreateDebugUtilsMessengerEXT> After;
};
struct DestroyDebugUtilsMessenger {
  BeforeOf<PFN_vkDestroyDebugUtilsMessengerEXT> Before;
};
struct CreateDebugReportCallback {
  AfterOf<PFN_vkCreateDebugReportCallbackEXT> After;
};
struct DestroyDebugReportCallback {
  BeforeOf<PFN_vkDestroyDebugReportCallbackEXT> Before;
};
struct SetDebugUtilsObjectName {
  BeforeOf<PFN_vkSetDebugUtilsObjectNameEXT> Before;
};
struct DebugMarkerSetObjectName {
  BeforeOf<PFN_vkDebugMarkerSetObjectNameEXT> Before;
};
struct CmdBeginDebugUtilsLabel {
  BeforeOf<PFN_vkCmdBeginDebugUtilsLabelEXT> Before;
};
struct CmdEndDebugUtilsLabel {
  BeforeOf<PFN_vkCmdDebugMarkerEndEXT> Before;
};
struct CmdInsertDebugUtilsLabel {
  BeforeOf<PFN_vkCmdInsertDebugUtilsLabelEXT> Before;
};
struct CmdDebugMarkerBegin {
  BeforeOf<PFN_vkCmdDebugMarkerBeginEXT> Before;
};
struct CmdDebugMarkerInsert {
  BeforeOf<PFN_vkCmdDebugMarkerInsertEXT> Before;
};
struct QueueBeginDebugUtilsLabel {
  BeforeOf<PFN_vkQueueBeginDebugUtilsLabelEXT> Before;
};
struct QueueEndDebugUtilsLabel {
  BeforeOf<PFN_vkQueueEndDebugUtilsLabelEXT> Before;
};
struct QueueInsertDebugUtilsLabel {
  BeforeOf<PFN_vkQueueInsertDebugUtilsLabelEXT> Before;
};

}  // namespace gpusan::vulkan
