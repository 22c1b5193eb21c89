// Settings in the ways that Vulkan layers receive them.
#include "report/options/layer_settings.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "report/base/regular_file.h"
#include "report/options/nearest.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

constexpr std::string_view kFileName = "vk_layer_settings.txt";
constexpr std::string_view kVariablePrefix = "VK_GPUSAN_";
constexpr std::string_view kLayerPrefix = "SHADOW_";
constexpr const char* kStructure = "VkLayerSettingsCreateInfoEXT";
constexpr size_t kMost = size_t{1} << 20;
constexpr size_t kLongestLine = size_t{64} << 10;

// Sets one option. Returns an empty string, or an error message. `place` is the origin of the
// value.
std::string Set(const std::string& name, std::string value, const std::string& place,
                Configuration* configuration) {
  const OptionInfo* info = FindOption(name);
  if (info != nullptr && std::string_view(info->name) == "config")
    return "option 'config' in " + place + " cannot be a setting of the layer; use GPUSAN_OPTIONS";
  // Settings files of layers write TRUE and FALSE.
  if (info != nullptr && info->type == OptionType::kBool) value = Lower(value);
  std::string wrong = SetOption(name, value, place, OptionScope::kProcess, &configuration->options);
  if (wrong.empty()) configuration->origins[info->name] = place;
  return wrong;
}

// Sets an option that a program or the file in its folder chooses, unless the option has an origin
// that overrides `place`, or it is too late. Returns an empty string, or an error message.
std::string SetLate(const std::string& name, const std::string& value, const std::string& place,
                    bool working, Configuration* configuration) {
  const OptionInfo* info = FindOption(name);
  // Every other origin overrides the program.
  const auto origin =
      info != nullptr ? configuration->origins.find(info->name) : configuration->origins.end();
  if (origin != configuration->origins.end() && origin->second != kStructure) return "";
  Configuration changed = *configuration;
  if (std::string wrong = Set(name, value, place, &changed); !wrong.empty()) return wrong;
  const std::string_view option = info->name;
  const bool attaches = option.ends_with("_attach");
  const bool differs =
      OptionText(changed.options, *info) != OptionText(configuration->options, *info);
  if (differs && (working || attaches)) {
    return "option '" + std::string(option) + "' in " + place + " comes too late: " +
           (attaches ? "gpusan attaches when the process starts"
                     : "gpusan already works in this process") +
           "; set it in GPUSAN_OPTIONS";
  }
  *configuration = std::move(changed);
  return "";
}

struct FileSetting {
  std::string name;
  std::string value;
  std::string place;  // "path:line"
};

// The lines for gpusan of a settings file. Adds an error message for each bad line.
std::vector<FileSetting> SettingsIn(std::string_view text, const std::string& path,
                                    std::vector<std::string>* complaints) {
  std::vector<FileSetting> settings;
  for (int number = 1; !text.empty(); ++number) {
    const size_t newline = text.find('\n');
    const std::string_view line = Trimmed(text.substr(0, newline));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.substr(0, kSettingsPrefix.size()) != kSettingsPrefix) continue;
    const std::string place = path + ":" + std::to_string(number);
    if (line.size() > kLongestLine) {
      complaints->push_back(place + ": the line is longer than " + std::to_string(kLongestLine) +
                            " characters; shorten it");
      continue;
    }
    const size_t sign = line.find('=');
    if (sign == std::string_view::npos) {
      complaints->push_back(place + ": expected '='; write '" + std::string(line) + " = value'");
      continue;
    }
    const std::string name(
        Trimmed(line.substr(kSettingsPrefix.size(), sign - kSettingsPrefix.size())));
    std::string_view value = line.substr(sign + 1);
    // As in gpusan's options file, a comment needs a blank before it.
    const size_t comment = value.find(" #");
    value = Trimmed(value.substr(0, comment));
    if (value.size() > 1 && (value.front() == '"' || value.front() == '\'') &&
        value.back() == value.front())
      value = value.substr(1, value.size() - 2);
    settings.push_back({name, std::string(value), place});
  }
  return settings;
}

const char* Variable(const char* name) { return std::getenv(name); }

bool Exists(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0;
}

}  // namespace

std::vector<std::string> SettingsFiles(const char* (*environment)(const char* name)) {
  std::vector<std::string> files;
  const auto in = [&](const char* variable, const char* folder) {
    const char* value = environment(variable);
    if (value != nullptr && *value != '\0')
      files.push_back(std::string(value) + folder + "/" + std::string(kFileName));
    return !files.empty();
  };
  // The file into which vkconfig writes its overrides.
  if (!in("XDG_DATA_HOME", "/vulkan/settings.d")) in("HOME", "/.local/share/vulkan/settings.d");
  if (const char* path = environment("VK_LAYER_SETTINGS_PATH"); path != nullptr && *path != '\0') {
    struct stat info = {};
    const bool folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    files.push_back(folder ? std::string(path) + "/" + std::string(kFileName) : path);
  }
  files.emplace_back(kFileName);
  return files;
}

std::vector<std::string> ParseSettingsFile(std::string_view text, const std::string& path,
                                           Configuration* configuration) {
  std::vector<std::string> complaints;
  for (const FileSetting& setting : SettingsIn(text, path, &complaints)) {
    std::string wrong = Set(setting.name, setting.value, setting.place, configuration);
    if (!wrong.empty()) complaints.push_back(std::move(wrong));
  }
  return complaints;
}

std::vector<std::string> ParseSettingsVariables(const char* const* variables,
                                                Configuration* configuration) {
  std::vector<std::string> complaints;
  for (; *variables != nullptr; ++variables) {
    const std::string_view variable = *variables;
    const size_t sign = variable.find('=');
    if (variable.substr(0, kVariablePrefix.size()) != kVariablePrefix ||
        sign == std::string_view::npos)
      continue;
    const std::string_view whole = variable.substr(0, sign);
    std::string_view name = whole.substr(kVariablePrefix.size());
    if (name.substr(0, kLayerPrefix.size()) == kLayerPrefix)
      name.remove_prefix(kLayerPrefix.size());
    std::string wrong =
        Set(Lower(name), std::string(variable.substr(sign + 1)), std::string(whole), configuration);
    if (!wrong.empty()) complaints.push_back(std::move(wrong));
  }
  return complaints;
}

std::vector<std::string> LoadLayerSettings(Configuration* configuration) {
  std::vector<std::string> complaints;
  for (const std::string& path : SettingsFiles(Variable)) {
    if (path == kFileName || !Exists(path)) continue;
    std::string text, why;
    if (ReadRegularFile(path, kMost, &text, &why)) {
      complaints = ParseSettingsFile(text, path, configuration);
      configuration->settings_file = path;
    } else {
      complaints = {path + ": " + why};
    }
    break;
  }
  for (std::string& complaint : ParseSettingsVariables(environ, configuration))
    complaints.push_back(std::move(complaint));
  return complaints;
}

std::vector<std::string> LoadFolderSettings(bool working, Configuration* configuration) {
  const std::string path(kFileName);
  for (const std::string& file : SettingsFiles(Variable)) {
    if (file != path && Exists(file)) return {};
  }
  std::vector<std::string> complaints;
  std::string text, why;
  if (!Exists(path)) return {};
  if (!ReadRegularFile(path, kMost, &text, &why)) return {path + ": " + why};
  // As in the other settings files, the last line for an option applies.
  std::vector<FileSetting> settings = SettingsIn(text, path, &complaints);
  std::reverse(settings.begin(), settings.end());
  for (const FileSetting& setting : settings) {
    std::string wrong = SetLate(setting.name, setting.value, setting.place, working, configuration);
    if (!wrong.empty()) complaints.push_back(std::move(wrong));
  }
  configuration->settings_file = path;
  return complaints;
}

std::string SettingsText(const Configuration& configuration) {
  const std::string& file = configuration.settings_file;
  std::string names;
  for (const auto& [name, origin] : configuration.origins) {
    if (!file.empty() && origin.starts_with(file + ":"))
      names += (names.empty() ? "" : ", ") + name;
  }
  std::error_code ignored;
  return names.empty() ? "" : std::filesystem::absolute(file, ignored).string() + ": " + names;
}

std::vector<std::string> ApplyProgramSettings(const std::vector<LayerSetting>& settings,
                                              bool working, Configuration* configuration) {
  std::vector<std::string> complaints;
  for (const LayerSetting& setting : settings) {
    std::string wrong = SetLate(setting.name, setting.value, kStructure, working, configuration);
    if (!wrong.empty()) complaints.push_back(std::move(wrong));
  }
  return complaints;
}

}  // namespace gpusan
