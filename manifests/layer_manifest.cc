// Prints the manifest of the Vulkan layer: layer_manifest explicit|implicit LIBRARY. LIBRARY is the
// path of the library as the manifest names it. The settings come from the table of options: every
// option of a process is a setting.
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "report/options/options.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

using Json = nlohmann::ordered_json;

const Json kPlatforms = {"LINUX"};

// "host_block_min" -> "Host block min".
std::string Label(std::string_view name) {
  std::string label(name);
  for (char& c : label) {
    if (c == '_') c = ' ';
  }
  if (!label.empty() && label[0] >= 'a' && label[0] <= 'z') label[0] += 'A' - 'a';
  return label;
}

std::string Variable(std::string_view name) {
  std::string variable = "VK_GPUSAN_";
  for (const char c : name) variable += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return variable;
}

// The values of an option as vkconfig shows them.
Json Flags(std::string_view choices) {
  Json flags = Json::array();
  while (!(choices = Trimmed(choices)).empty()) {
    const std::string value(choices.substr(0, choices.find(' ')));
    choices.remove_prefix(value.size());
    flags.push_back({{"key", value}, {"label", Label(value)}, {"description", value}});
  }
  return flags;
}

// These options decide where the options come from, or print them and end.
bool IsSetting(const OptionInfo& info) {
  const std::string_view name = info.name;
  return info.scope == OptionScope::kProcess && name != "help" && name != "config" &&
         name != "print_config";
}

Json Setting(const OptionInfo& info) {
  static const Options kDefaults;
  const std::string_view name = info.name;
  const std::string value = OptionText(kDefaults, info);
  Json setting = {{"key", name},
                  {"env", Variable(name)},
                  {"label", Label(name)},
                  {"description", info.doc},
                  {"platforms", kPlatforms}};
  switch (info.type) {
    case OptionType::kBool:
      setting["type"] = "BOOL";
      setting["default"] = value == "1";
      break;
    case OptionType::kInt64:
      setting["type"] = "INT";
      setting["default"] = std::stoll(value);
      break;
    case OptionType::kList:
    case OptionType::kString:
      if (info.choices[0] != '\0') {
        const bool several = info.type == OptionType::kList;
        setting["type"] = several ? "FLAGS" : "ENUM";
        setting["flags"] = Flags(info.choices);
        setting["default"] = several ? Json::array() : Json(value);
      } else {
        setting["type"] = name == "record" || name == "log_path" ? "SAVE_FILE"
                          : name == "suppressions"               ? "LOAD_FILE"
                                                                 : "STRING";
        setting["default"] = value;
      }
      break;
  }
  return setting;
}

Json Manifest(bool implicit, const std::string& library) {
  Json layer = {{"name", implicit ? "VK_LAYER_GPUSAN_shadow_implicit" : "VK_LAYER_GPUSAN_shadow"},
                {"type", "GLOBAL"},
                {"library_path", library},
                {"api_version", "1.4.359"},
                {"implementation_version", "1"}};
  if (implicit) {
    layer["description"] =
        "gpusan, where GPUSAN=1 asks for it and DISABLE_GPUSAN=1 does not forbid it";
  } else {
    layer["description"] = "gpusan: memory, layouts, barriers, lifetimes and host access";
    layer["introduction"] =
        "gpusan keeps a shadow state of each resource, queue and barrier of the program, and "
        "reports what "
        "the specification forbids: what is wrong, why, where (both places) and how to fix it. The "
        "findings are in record files, which 'gpusan report' converts, on stderr, and go to the "
        "messengers of the program.";
    layer["platforms"] = kPlatforms;
    layer["url"] = GPUSAN_PAGE;
  }
  layer["functions"] = {
      {"vkNegotiateLoaderLayerInterfaceVersion", "vkNegotiateLoaderLayerInterfaceVersion"}};
  layer["instance_extensions"] =
      Json::array({{{"name", "VK_EXT_layer_settings"}, {"spec_version", "2"}}});
  if (implicit) {
    layer["enable_environment"] = {{"GPUSAN", "1"}};
    layer["disable_environment"] = {{"DISABLE_GPUSAN", "1"}};
  } else {
    Json settings = Json::array();
    for (int i = 0; i < kOptionCount; ++i) {
      if (IsSetting(kOptions[i])) settings.push_back(Setting(kOptions[i]));
    }
    layer["features"] = {{"settings", settings}};
  }
  return {{"file_format_version", "1.2.0"}, {"layer", layer}};
}

}  // namespace
}  // namespace gpusan

int main(int argc, char** argv) {
  const std::string_view kind = argc == 3 ? argv[1] : "";
  if (kind != "explicit" && kind != "implicit") {
    std::cerr << "usage: layer_manifest explicit|implicit LIBRARY\n";
    return 2;
  }
  std::cout << gpusan::Manifest(kind == "implicit", argv[2]).dump(2) << '\n';
  return std::cout.good() ? 0 : 1;
}
