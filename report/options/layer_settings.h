// Settings in the ways that Vulkan layers receive them: VK_EXT_layer_settings,
// vk_layer_settings.txt, and environment variables. They set the options of options.def.
//
// The order is that of the Khronos layers: variables override the file, which overrides what the
// program itself passes. gpusan's options file and GPUSAN_OPTIONS override all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/options/config.h"

namespace gpusan {

// The prefix of gpusan's lines in settings files: "gpusan_shadow.disable = leak".
inline constexpr std::string_view kSettingsPrefix = "gpusan_shadow.";

// One setting of any type as text; several values are joined by commas.
struct LayerSetting {
  std::string name;
  std::string value;
};

// The candidate settings files in order; the first one that exists is read. `environment` returns
// the value of a variable or nullptr.
std::vector<std::string> SettingsFiles(const char* (*environment)(const char* name));

// Sets the options in the lines for gpusan of a settings file; ignores the lines for other layers
// and leaves out bad ones. Returns error messages "path:line: what is wrong; the fix", one line
// each.
std::vector<std::string> ParseSettingsFile(std::string_view text, const std::string& path,
                                           Configuration* configuration);

// Sets the options in variables "VK_GPUSAN_<OPTION>=value", also with the layer's name in them
// (VK_GPUSAN_SHADOW_<OPTION>). `variables` ends with nullptr.
std::vector<std::string> ParseSettingsVariables(const char* const* variables,
                                                Configuration* configuration);

// Applies the variables of this process, and the settings file unless it is the one in the current
// folder. Never fails.
std::vector<std::string> LoadLayerSettings(Configuration* configuration);

// Applies the settings file of the current folder, if no other settings file exists, to options
// that have no other origin, or that of the program's settings. Call it when the process creates a
// Vulkan instance: a file that lies in the folder where a program starts has no effect on the
// program's other APIs. `working` as for ApplyProgramSettings.
std::vector<std::string> LoadFolderSettings(bool working, Configuration* configuration);

// "/path/vk_layer_settings.txt: disable, timeline": the settings file that was read, and the
// options that have their values from it. Empty without such an option.
std::string SettingsText(const Configuration& configuration);

// Applies the settings that the program passes to vkCreateInstance to options that have no other
// origin. `working`: gpusan has already intercepted calls in this process, so that a different
// value is an error.
std::vector<std::string> ApplyProgramSettings(const std::vector<LayerSetting>& settings,
                                              bool working, Configuration* configuration);

}  // namespace gpusan
