// Settings that a program passes to layers by VK_EXT_layer_settings.
#include "hooks/vulkan/dispatch/program_settings.h"

#include <string_view>

#include "absl/strings/str_cat.h"

namespace gpusan::vulkan {
namespace {

// The oldest supported headers lack VK_EXT_layer_settings: its structures, under names of gpusan's
// own.
constexpr auto kSettingsType = static_cast<VkStructureType>(1000496000);

enum class ValueType : int32_t {
  kBool32 = 0,
  kInt32 = 1,
  kInt64 = 2,
  kUint32 = 3,
  kUint64 = 4,
  kFloat32 = 5,
  kFloat64 = 6,
  kString = 7,
};

struct Setting {
  const char* layer;
  const char* name;
  ValueType type;
  uint32_t count;
  const void* values;
};

struct SettingsInfo {
  VkStructureType type;
  const void* next;
  uint32_t count;
  const Setting* settings;
};

std::string ValueText(const Setting& setting, uint32_t i) {
  const auto at = [&]<typename T>(T) { return static_cast<const T*>(setting.values)[i]; };
  switch (setting.type) {
    case ValueType::kBool32:
      return at(VkBool32()) != VK_FALSE ? "true" : "false";
    case ValueType::kInt32:
      return absl::StrCat(at(int32_t()));
    case ValueType::kInt64:
      return absl::StrCat(at(int64_t()));
    case ValueType::kUint32:
      return absl::StrCat(at(uint32_t()));
    case ValueType::kUint64:
      return absl::StrCat(at(uint64_t()));
    case ValueType::kFloat32:
      return absl::StrCat(at(float()));
    case ValueType::kFloat64:
      return absl::StrCat(at(double()));
    case ValueType::kString: {
      const char* text = static_cast<const char* const*>(setting.values)[i];
      return text != nullptr ? text : "";
    }
  }
  return "";
}

}  // namespace

std::vector<ProgramSetting> SettingsIn(const void* chain) {
  std::vector<ProgramSetting> found;
  for (const auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr;
       at = at->pNext) {
    if (at->sType != kSettingsType) continue;
    const auto& info = *reinterpret_cast<const SettingsInfo*>(at);
    for (uint32_t i = 0; info.settings != nullptr && i < info.count; ++i) {
      const Setting& setting = info.settings[i];
      if (setting.layer == nullptr || setting.name == nullptr) continue;
      const std::string_view layer = setting.layer;
      if (layer != kLayerName && layer != kImplicitLayerName) continue;
      ProgramSetting& one = found.emplace_back();
      one.name = setting.name;
      for (uint32_t value = 0; setting.values != nullptr && value < setting.count; ++value)
        absl::StrAppend(&one.value, value == 0 ? "" : ",", ValueText(setting, value));
    }
  }
  return found;
}

}  // namespace gpusan::vulkan
