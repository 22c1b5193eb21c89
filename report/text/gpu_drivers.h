// What a file says about the use of GPU APIs, by the libraries of tracker/apis.def. All functions
// take a path and decide by its base name. They are thread-safe.
#pragma once

#include <string_view>

#include "tracker/base/text_util.h"
#include "tracker/model/apis.h"

namespace gpusan {

// The API of which this file is a driver, so that a process that has it loaded uses the API;
// nullptr if there is none. A process may have to map a device as well (IsDeviceOf).
constexpr const ApiInfo* ApiOfDriver(std::string_view path) {
  return ApiOfLibrary(BaseName(path), library_role::kShowsUse);
}
// Whether a path in /proc/PID/maps is a device file of the API.
constexpr bool IsDeviceOf(const ApiInfo& api, std::string_view path) {
  return !api.device.empty() && path.starts_with(api.device);
}
// Files whose frames are between the program's call and gpusan when gpusan is called from below:
// drivers, CUPTI, the Vulkan loader and layers above gpusan.
constexpr bool IsBelowCalls(std::string_view path) {
  return ApiOfLibrary(BaseName(path), library_role::kBelow) != nullptr;
}
// Loaders, drivers and runtimes, and gpusan itself: their frames are never the program's.
constexpr bool IsForwarding(std::string_view path) {
  const std::string_view name = BaseName(path);
  return ApiOfLibrary(name, library_role::kForwards) != nullptr || name.starts_with("libgpusan.so");
}
// Libraries whose functions call the API for the program.
constexpr bool IsRuntimeOf(Api api, std::string_view path) {
  return ApiOfLibrary(BaseName(path), library_role::kRuntime) == &InfoOf(api);
}
// Any library of the table.
constexpr bool IsOfGpuApi(std::string_view path) {
  return ApiOfLibrary(BaseName(path), 0xff) != nullptr;
}

}  // namespace gpusan
