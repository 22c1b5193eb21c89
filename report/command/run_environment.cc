// The environment variables by which `gpusan run` starts gpusan in the program.
#include "report/command/run_environment.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>
#include <string_view>

#include "report/base/injecting_tools.h"
#include "report/record/attach_log.h"
#include "report/record/perf_maps.h"
#include "report/record/summary_service.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

// Adds the library to the value of a variable, once, also when one gpusan runs another.
std::string Joined(const std::string& library, const char* variable, bool prepend) {
  const char* value = std::getenv(variable);
  std::string there = value != nullptr ? value : "";
  if (there.empty()) return library;
  if ((":" + there + ":").find(":" + library + ":") != std::string::npos) return there;
  return prepend ? library + ":" + there : there + ":" + library;
}

// Process options that were given or differ from their defaults, for GPUSAN_OPTIONS. One that was
// given with its default overrides settings of Vulkan layers.
std::string OptionsForProcess(const Configuration& configuration) {
  const Options& options = configuration.options;
  std::string text;
  const Options defaults;
  for (int i = 0; i < kOptionCount; ++i) {
    const OptionInfo& info = kOptions[i];
    const std::string value = OptionText(options, info);
    if (info.scope != OptionScope::kProcess) continue;
    if (value == OptionText(defaults, info) && !configuration.Given(info.name)) continue;
    if (info.name == std::string_view("config")) continue;  // already read
    text += (text.empty() ? "" : ":") + std::string(info.name) + "=" + QuoteOptionValue(value);
  }
  return text;
}

// The value of a variable of words between blanks, with the words that it lacks.
std::string WithWords(const char* variable, std::span<const std::string_view> words) {
  const char* value = std::getenv(variable);
  std::string text = value != nullptr ? value : "";
  for (const std::string_view word : words) {
    if ((" " + text + " ").find(" " + std::string(word) + " ") != std::string::npos) continue;
    text += (text.empty() ? "" : " ") + std::string(word);
  }
  return text;
}

bool IsSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Runtimes open the map by its name, in a folder that everybody may write to.
bool KernelProtectsLinks() {
  int value = 0;
  return (std::ifstream("/proc/sys/fs/protected_symlinks") >> value) && value != 0;
}

// The variables by which runtimes write the names of the functions that they compile. A runtime
// that the user has set up stays as it is.
void AddPerfMaps(const Options& options, const std::string& program,
                 std::vector<std::pair<std::string, std::string>>* environment) {
  if (options.jit_names == "never" || (options.jit_names == "auto" && !KernelProtectsLinks()))
    return;
  static constexpr std::string_view kMono[] = {"--jitmap"};
  static constexpr std::string_view kNode[] = {"--perf-basic-prof",
                                               "--interpreted-frames-native-stack"};
  const char* const mono = std::getenv("MONO_ENV_OPTIONS");
  const char* const node = std::getenv("NODE_OPTIONS");
  // The library deletes the maps, except those that the user requests.
  if ((mono == nullptr || std::strstr(mono, "jitmap") == nullptr) &&
      (node == nullptr || std::strstr(node, "perf") == nullptr) &&
      !IsSet("DOTNET_PerfMapEnabled") && !IsSet("COMPlus_PerfMapEnabled") &&
      !IsSet("PYTHONPERFSUPPORT") && !IsSet("JAVA_TOOL_OPTIONS"))
    environment->emplace_back(kPerfMapsVariable, "1");
  environment->emplace_back("MONO_ENV_OPTIONS", WithWords("MONO_ENV_OPTIONS", kMono));
  if (!IsSet("DOTNET_PerfMapEnabled") && !IsSet("COMPlus_PerfMapEnabled"))
    environment->emplace_back("DOTNET_PerfMapEnabled", "3");  // the map, and no other file
  // Other programs that contain this runtime warn about the variable.
  const std::string_view name = BaseName(program);
  if (name == "node" || name == "nodejs" || name == "npm" || name == "npx")
    environment->emplace_back("NODE_OPTIONS", WithWords("NODE_OPTIONS", kNode));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> EnvironmentOfRun(
    const Configuration& configuration, const RunPlace& place, bool loads) {
  const Options& options = configuration.options;
  std::vector<std::pair<std::string, std::string>> environment = {
      {"GPUSAN_OPTIONS", OptionsForProcess(configuration)},
      {kAttachLogVariable, place.folder->attach_log()},
      {kRunVariable, place.folder->run()},
      {kSummaryServiceVariable, place.summary_service},
  };
  if (!loads) return environment;
  AddPerfMaps(options, place.program, &environment);
  const std::string& library = place.library;
  environment.emplace_back("LD_PRELOAD", Joined(library, "LD_PRELOAD", true));
  // For programs with a shared address sanitizer.
  environment.emplace_back("ASAN_OPTIONS",
                           Joined("verify_asan_link_order=0", "ASAN_OPTIONS", false));
  if (options.opencl_attach == "auto" || options.opencl_attach == "layer") {
    environment.emplace_back("OPENCL_LAYERS", Joined(library, "OPENCL_LAYERS", false));
  }
  // CUPTI injection serves programs that cannot be preloaded. Another tool in the variable stays,
  // and another tool that will set it gets it unset.
  const bool injects = !IsInjectingTool(place.program.c_str());
  if ((options.cuda_attach == "auto" && injects &&
       std::getenv("CUDA_INJECTION64_PATH") == nullptr) ||
      options.cuda_attach == "cupti") {
    environment.emplace_back("CUDA_INJECTION64_PATH", library);
  }
  // The names and ranges that the program gives. Another tool in the variable stays.
  if (injects && !IsSet("NVTX_INJECTION64_PATH"))
    environment.emplace_back("NVTX_INJECTION64_PATH", library);
  // Each array of JAX is then an allocation in stream order, instead of a part of one large block.
  if (options.pool_blocks && !IsSet("XLA_PYTHON_CLIENT_ALLOCATOR"))
    environment.emplace_back("XLA_PYTHON_CLIENT_ALLOCATOR", "cuda_async");
  if (options.vulkan_attach != "off") {
    // The manifest of the layer is in the folder of the library.
    const std::string folder_of_library = library.substr(0, library.rfind('/'));
    environment.emplace_back("VK_ADD_LAYER_PATH",
                             Joined(folder_of_library, "VK_ADD_LAYER_PATH", true));
    environment.emplace_back("VK_INSTANCE_LAYERS",
                             Joined("VK_LAYER_GPUSAN_shadow", "VK_INSTANCE_LAYERS", true));
  }
  return environment;
}

std::string InjectionText(const Options& options, const std::string& program,
                          const std::string& library) {
  const char* const value = std::getenv("CUDA_INJECTION64_PATH");
  const bool other = value != nullptr && *value != '\0' && value != library;
  if (options.cuda_attach == "cupti") {
    if (other)
      return std::string("CUDA_INJECTION64_PATH is ") + value +
             ", which --cuda-attach=cupti replaces: the driver loads one tool only";
    if (IsInjectingTool(program.c_str()))
      return std::string(BaseName(program)) +
             " does not work with --cuda-attach=cupti: the driver loads one tool only";
    return "";
  }
  if (options.cuda_attach != "auto") return "";
  std::string user;
  if (other) {
    user = std::string("CUDA_INJECTION64_PATH is ") + value;
  } else if (IsInjectingTool(program.c_str())) {
    user = "CUDA_INJECTION64_PATH is left to " + std::string(BaseName(program));
  } else {
    return "";
  }
  return user + ": gpusan watches CUDA by LD_PRELOAD alone, and not in programs that bypass it";
}

}  // namespace gpusan
