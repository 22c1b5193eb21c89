// The attach path for Vulkan: a layer of the loader, interface version 2.
#include "hooks/vulkan/call/messengers.h"
#include "hooks/vulkan/dispatch/layer_entry.h"
#include "hooks/vulkan/dispatch/pass_through.h"
#include "hooks/vulkan/mapped/map_guards.h"
#include "hooks/vulkan/waits/device_end.h"

#include <atomic>

#include "hooks/common/guard.h"
#include "layer/runtime/runtime.h"
#include "layer/runtime/shadow.h"

namespace gpusan {
namespace {

Tracker* Enter() {
  Runtime::Get().Activate(Api::kVulkan, 0, kVulkanLayer);
  if (Runtime::Get().options().protect_maps) vulkan::GuardMaps();
  return &Shadow();
}

void Settings(const std::vector<vulkan::ProgramSetting>& given) {
  std::vector<LayerSetting> settings;
  settings.reserve(given.size());
  for (const vulkan::ProgramSetting& one : given) settings.push_back({one.name, one.value});
  Runtime::Get().ApplySettings(settings);
}

// Layer settings may change the option until the first instance exists.
void PassToMessengers(const Finding& finding) {
  if (Runtime::Get().options().messengers) vulkan::OnFinding(finding);
}

void AtEnd(Tracker& tracker) {
  vulkan::ReportGuarded(tracker);
  vulkan::AtProcessEnd(tracker);
}

constexpr ApiPart kPart = {
    Api::kVulkan, &vulkan::CallsSeen, &vulkan::Words, &vulkan::ForgetTracker, nullptr, &AtEnd};

}  // namespace

extern "C" __attribute__((constructor, visibility("hidden"))) void gpusan_attach_vulkan() {
  static std::atomic<bool> prepared{false};
  if (prepared.load(std::memory_order_acquire)) return;
  ReentryGuard guard;
  vulkan::Hooks hooks;
  if (Runtime::Get().options().vulkan_attach != "off") hooks.tracker = &Enter;
  hooks.settings = &Settings;
  vulkan::SetHooks(hooks);
  AddApi(kPart);
  Runtime::Get().writer()->AddListener(&PassToMessengers);
  prepared.store(true, std::memory_order_release);
}

}  // namespace gpusan

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
  if (version == nullptr || version->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT)
    return VK_ERROR_INITIALIZATION_FAILED;
  if (version->loaderLayerInterfaceVersion > 2) version->loaderLayerInterfaceVersion = 2;
  const bool off = gpusan::Runtime::Get().options().vulkan_attach == "off";
  version->pfnGetInstanceProcAddr =
      off ? &gpusan::vulkan::PassingInstanceProcAddr : &gpusan::vulkan::GetInstanceProcAddr;
  version->pfnGetDeviceProcAddr =
      off ? &gpusan::vulkan::PassingDeviceProcAddr : &gpusan::vulkan::GetDeviceProcAddr;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
