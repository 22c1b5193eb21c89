// The program's own messengers, which also receive gpusan's findings.
#include "hooks/vulkan/call/messengers.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/common/guard.h"
#include "hooks/vulkan/call/names.h"

namespace gpusan::vulkan {
namespace {

constinit std::atomic<int> g_listening{0};

using Findings = std::vector<Finding>;
// The findings of the current call; nullptr: none.
constinit thread_local Findings* undelivered = nullptr;
// The value of `undelivered` while callbacks run: their findings are not delivered.
Findings* Closed() {
  static Findings* const closed = new Findings;
  return closed;
}

VkDebugUtilsMessageSeverityFlagBitsEXT SeverityOf(const Finding& finding) {
  switch (finding.severity) {
    case Severity::kNote:
      return VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
    case Severity::kWarning:
      return VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
    case Severity::kError:
      break;
  }
  return VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
}

VkDebugReportFlagBitsEXT ReportFlagOf(const Finding& finding, bool advice) {
  switch (finding.severity) {
    case Severity::kNote:
      return VK_DEBUG_REPORT_INFORMATION_BIT_EXT;
    case Severity::kWarning:
      return advice ? VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT : VK_DEBUG_REPORT_WARNING_BIT_EXT;
    case Severity::kError:
      break;
  }
  return VK_DEBUG_REPORT_ERROR_BIT_EXT;
}

VkObjectType TypeNamed(std::string_view kind) {
  for (int i = 0; i < kObjectKinds; ++i) {
    if (kind == ObjectKindName(static_cast<ObjectKind>(i)))
      return TypeOf(static_cast<ObjectKind>(i));
  }
  return VK_OBJECT_TYPE_UNKNOWN;
}

// A number for each check that is equal in all versions of gpusan: FNV-1a of its id.
int32_t NumberOf(std::string_view id) {
  uint32_t hash = 2166136261u;
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<int32_t>(hash);
}

std::string MessageOf(const Finding& finding) {
  std::string text = absl::StrCat("gpusan: ", SeverityName(finding.severity), ": ",
                                  InfoOf(finding.rule).id, " in ", finding.call);
  if (finding.has_code && !finding.code_name.empty())
    absl::StrAppend(&text, ", which returned ", finding.code_name);
  absl::StrAppend(&text, "\n  what: ", finding.what, "\n  why: ", finding.why);
  for (const Party& party : finding.parties)
    absl::StrAppend(&text, "\n  ", party.role, ": ", party.text);
  absl::StrAppend(&text, "\n  fix: ", finding.fix);
  return text;
}

// The value of a fact that is a text; "" if the finding lacks it.
std::string TextOf(const Finding& finding, std::string_view key) {
  for (const Fact& fact : finding.facts) {
    if (fact.key == key && std::holds_alternative<std::string>(fact.value))
      return std::get<std::string>(fact.value);
  }
  return "";
}

void Send(const Finding& finding, const std::vector<Messenger>& messengers) {
  const RuleInfo& rule = InfoOf(finding.rule);
  const bool advice = OffByDefault(rule);
  const VkDebugUtilsMessageSeverityFlagBitsEXT severity = SeverityOf(finding);
  const VkDebugUtilsMessageTypeFlagsEXT type = advice
                                                   ? VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT
                                                   : VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  const VkDebugReportFlagBitsEXT flag = ReportFlagOf(finding, advice);
  const std::string message = MessageOf(finding);
  const std::string label = TextOf(finding, "label");
  // The name in the specification, if there is one, as validation layers pass it.
  std::string name = TextOf(finding, "sync_hazard");
  if (name.empty()) name = TextOf(finding, "vuid");
  const char* const id = name.empty() ? rule.id : name.c_str();
  std::vector<VkDebugUtilsObjectNameInfoEXT> objects;
  for (const FindingResource& resource : finding.resources) {
    VkDebugUtilsObjectNameInfoEXT object = {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    object.objectType = TypeNamed(resource.kind);
    object.objectHandle = resource.handle;
    object.pObjectName = resource.label.empty() ? nullptr : resource.label.c_str();
    objects.push_back(object);
  }
  VkDebugUtilsLabelEXT in_label = {VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
  in_label.pLabelName = label.c_str();
  VkDebugUtilsMessengerCallbackDataEXT data = {
      VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT};
  data.pMessageIdName = id;
  data.messageIdNumber = NumberOf(id);
  data.pMessage = message.c_str();
  data.cmdBufLabelCount = label.empty() ? 0 : 1;
  data.pCmdBufLabels = label.empty() ? nullptr : &in_label;
  data.objectCount = static_cast<uint32_t>(objects.size());
  data.pObjects = objects.empty() ? nullptr : objects.data();
  for (const Messenger& messenger : messengers) {
    ReentryPause pause;  // the callback is the program's code
    if (messenger.report) {
      if ((messenger.flags & flag) == 0 || messenger.report_callback == nullptr) continue;
      // Types of both extensions have equal numbers; the older extension lacks the later types.
      const bool known = !objects.empty() && objects[0].objectType <= VK_OBJECT_TYPE_COMMAND_POOL;
      messenger.report_callback(flag,
                                known
                                    ? static_cast<VkDebugReportObjectTypeEXT>(objects[0].objectType)
                                    : VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT,
                                objects.empty() ? 0 : objects[0].objectHandle, 0,
                                data.messageIdNumber, "gpusan", data.pMessage, messenger.user_data);
    } else {
      if ((messenger.severities & severity) == 0 || (messenger.types & type) == 0 ||
          messenger.utils_callback == nullptr)
        continue;
      messenger.utils_callback(severity, type, &data, messenger.user_data);
    }
  }
}

}  // namespace

Messenger MessengerOf(const VkDebugUtilsMessengerCreateInfoEXT& info, uint64_t handle) {
  Messenger messenger;
  messenger.handle = handle;
  messenger.severities = info.messageSeverity;
  messenger.types = info.messageType;
  messenger.utils_callback = info.pfnUserCallback;
  messenger.user_data = info.pUserData;
  return messenger;
}

Messenger MessengerOf(const VkDebugReportCallbackCreateInfoEXT& info, uint64_t handle) {
  Messenger messenger;
  messenger.handle = handle;
  messenger.report = true;
  messenger.flags = info.flags;
  messenger.report_callback = info.pfnCallback;
  messenger.user_data = info.pUserData;
  return messenger;
}

Messengers::~Messengers() {
  g_listening.fetch_sub(static_cast<int>(messengers_.size()), std::memory_order_relaxed);
}

void Messengers::Add(const Messenger& messenger) {
  std::lock_guard lock(lock_);
  messengers_.push_back(messenger);
  g_listening.fetch_add(1, std::memory_order_relaxed);
}

void Messengers::Remove(uint64_t handle, bool report) {
  std::lock_guard lock(lock_);
  const auto found =
      std::find_if(messengers_.begin(), messengers_.end(), [&](const Messenger& messenger) {
        return messenger.handle == handle && messenger.report == report;
      });
  if (found == messengers_.end()) return;
  messengers_.erase(found);
  g_listening.fetch_sub(1, std::memory_order_relaxed);
}

void Messengers::AddChain(const void* chain) {
  for (const auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr;
       at = at->pNext) {
    if (at->sType == VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT)
      Add(MessengerOf(*reinterpret_cast<const VkDebugUtilsMessengerCreateInfoEXT*>(at), 0));
    if (at->sType == VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT)
      Add(MessengerOf(*reinterpret_cast<const VkDebugReportCallbackCreateInfoEXT*>(at), 0));
  }
}

std::vector<Messenger> Messengers::Copy() {
  std::lock_guard lock(lock_);
  return messengers_;
}

void OnFinding(const Finding& finding) {
  if (finding.api != Api::kVulkan || g_listening.load(std::memory_order_relaxed) == 0 ||
      undelivered == Closed())
    return;
  if (undelivered == nullptr) undelivered = new Findings;
  undelivered->push_back(finding);
}

bool HasUndelivered() { return undelivered != nullptr; }

void Deliver(Messengers* to, Messengers* also) {
  if (undelivered == nullptr || undelivered == Closed()) return;
  const std::unique_ptr<Findings> findings(undelivered);
  undelivered = nullptr;
  std::vector<Messenger> messengers;
  for (Messengers* group : {to, also}) {
    if (group == nullptr) continue;
    for (const Messenger& messenger : group->Copy()) messengers.push_back(messenger);
  }
  if (messengers.empty()) return;
  undelivered = Closed();
  for (const Finding& finding : *findings) Send(finding, messengers);
  undelivered = nullptr;
}

}  // namespace gpusan::vulkan
