// VK_EXT_debug_utils and its predecessors: messengers, names of objects, labels of commands.
#include "hooks/vulkan/submission/debug_utils.h"

#include "hooks/vulkan/call/labels.h"
#include "hooks/vulkan/call/messengers.h"
#include "hooks/vulkan/call/names.h"
#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/submission/submits.h"

namespace gpusan::vulkan {
namespace {

void Name(VkCall& call, ObjectKind kind, uint64_t handle, const char* name) {
  if (kind == ObjectKind::kNone) return;
  const Object* object =
      call.tracker().objects().Find(Api::kVulkan, kind, static_cast<uintptr_t>(handle));
  // Findings never mention unknown objects: their names are not needed.
  if (object != nullptr && object->live()) SetName(*object, name != nullptr ? name : "");
}

// Calls change(LabelStack&) for a command buffer in the recording state.
template <typename Change>
void Relabel(VkCall& call, VkCommandBuffer commands, Change change) {
  CommandBufferState* state = StateOf(call, commands);
  if (state == nullptr || state->phase != CommandBufferState::Phase::kRecording) return;
  change(state->labels);
  state->recording->Append<RecordedLabel>(call.info(), kUnknownSite, state->labels.current());
}

template <typename Change>
void Relabel(VkCall& call, VkQueue handle, Change change) {
  QueueState* queue = StateOf(call, handle);
  if (queue == nullptr) return;
  std::lock_guard lock(queue->lock);
  change(queue->labels);
}

LabelId Intern(const char* name, bool point = false) {
  return InternLabel(name != nullptr ? name : "", point);
}

}  // namespace

void CreateDebugUtilsMessenger::After(VkCall& call, VkResult code, VkInstance,
                                      const VkDebugUtilsMessengerCreateInfoEXT* info,
                                      const VkAllocationCallbacks*,
                                      VkDebugUtilsMessengerEXT* messenger) {
  if (code == VK_SUCCESS) call.instance().messengers.Add(MessengerOf(*info, HandleOf(*messenger)));
}

void DestroyDebugUtilsMessenger::Before(VkCall& call, VkInstance,
                                        VkDebugUtilsMessengerEXT messenger,
                                        const VkAllocationCallbacks*) {
  if (messenger != VK_NULL_HANDLE) call.instance().messengers.Remove(HandleOf(messenger), false);
}

void CreateDebugReportCallback::After(VkCall& call, VkResult code, VkInstance,
                                      const VkDebugReportCallbackCreateInfoEXT* info,
                                      const VkAllocationCallbacks*,
                                      VkDebugReportCallbackEXT* callback) {
  if (code == VK_SUCCESS) call.instance().messengers.Add(MessengerOf(*info, HandleOf(*callback)));
}

void DestroyDebugReportCallback::Before(VkCall& call, VkInstance, VkDebugReportCallbackEXT callback,
                                        const VkAllocationCallbacks*) {
  if (callback != VK_NULL_HANDLE) call.instance().messengers.Remove(HandleOf(callback), true);
}

void SetDebugUtilsObjectName::Before(VkCall& call, VkDevice,
                                     const VkDebugUtilsObjectNameInfoEXT* info) {
  Name(call, KindOf(info->objectType), info->objectHandle, info->pObjectName);
}

void DebugMarkerSetObjectName::Before(VkCall& call, VkDevice,
                                      const VkDebugMarkerObjectNameInfoEXT* info) {
  // Types up to command pools have equal numbers in both extensions.
  if (info->objectType > VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_POOL_EXT) return;
  Name(call, KindOf(static_cast<VkObjectType>(info->objectType)), info->object, info->pObjectName);
}

void CmdBeginDebugUtilsLabel::Before(VkCall& call, VkCommandBuffer commands,
                                     const VkDebugUtilsLabelEXT* label) {
  Relabel(call, commands, [&](LabelStack& labels) { labels.Begin(Intern(label->pLabelName)); });
}

void CmdEndDebugUtilsLabel::Before(VkCall& call, VkCommandBuffer commands) {
  Relabel(call, commands, [](LabelStack& labels) { labels.End(); });
}

void CmdInsertDebugUtilsLabel::Before(VkCall& call, VkCommandBuffer commands,
                                      const VkDebugUtilsLabelEXT* label) {
  Relabel(call, commands,
          [&](LabelStack& labels) { labels.Insert(Intern(label->pLabelName, true)); });
}

void CmdDebugMarkerBegin::Before(VkCall& call, VkCommandBuffer commands,
                                 const VkDebugMarkerMarkerInfoEXT* marker) {
  Relabel(call, commands, [&](LabelStack& labels) { labels.Begin(Intern(marker->pMarkerName)); });
}

void CmdDebugMarkerInsert::Before(VkCall& call, VkCommandBuffer commands,
                                  const VkDebugMarkerMarkerInfoEXT* marker) {
  Relabel(call, commands,
          [&](LabelStack& labels) { labels.Insert(Intern(marker->pMarkerName, true)); });
}

void QueueBeginDebugUtilsLabel::Before(VkCall& call, VkQueue queue,
                                       const VkDebugUtilsLabelEXT* label) {
  Relabel(call, queue, [&](LabelStack& labels) { labels.Begin(Intern(label->pLabelName)); });
}

void QueueEndDebugUtilsLabel::Before(VkCall& call, VkQueue queue) {
  Relabel(call, queue, [](LabelStack& labels) { labels.End(); });
}

void QueueInsertDebugUtilsLabel::Before(VkCall& call, VkQueue queue,
                                        const VkDebugUtilsLabelEXT* label) {
  Relabel(call, queue, [&](LabelStack& labels) { labels.Insert(Intern(label->pLabelName, true)); });
}

}  // namespace gpusan::vulkan
