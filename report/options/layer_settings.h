// Settings as Vulkan layers are given them: VK_EXT_layer_settings, vk_layer_settings.txt, and
// variables of the environment. They set the options of options.def and no others.
//
// The order is that of the layers of Khronos: what the program says itself has least weight, then
// the file, then the variables. gpusan's own options file and GPUSAN_OPTIONS are above all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/options/config.h"

namespace gpusan {

// As a layer is called in files, "gpusan_shadow.disable = leak".
inline constexpr std::string_view kSettingsPrefix = "gpusan_shadow.";

// One setting, of whatever type it was, as text; several values are joined by commas.
struct LayerSetting {
  std::string name;
  std::string value;
};

// The files that are looked for, first to last; the first that is there is read. `environment`
// gives the value of a variable or nullptr.
std::vector<std::string> SettingsFiles(const char* (*environment)(const char* name));

// Sets what the text of a settings file says to gpusan; lines for other layers are not looked at.
// Complaints "path:line: what is wrong; the mend", one line each; what is bad is left out.
std::vector<std::string> ParseSettingsFile(std::string_view text, const std::string& path,
                                           Configuration* configuration);

// Sets what variables "VK_GPUSAN_<OPTION>=value" say, also with the layer's name in them
// (VK_GPUSAN_SHADOW_<OPTION>). `variables` ends with nullptr.
std::vector<std::string> ParseSettingsVariables(const char* const* variables,
                                                Configuration* configuration);

// File and variables of this process. Never fails.
std::vector<std::string> LoadLayerSettings(Configuration* configuration);

// What the program passes to vkCreateInstance: sets options that nothing else has set. `working`:
// gpusan is at work in this process, so that a value which differs comes too late.
std::vector<std::string> ApplyProgramSettings(const std::vector<LayerSetting>& settings,
                                              bool working, Configuration* configuration);

}  // namespace gpusan
