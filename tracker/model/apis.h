// The table of GPU APIs, from apis.def. All functions are thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tracker/model/ids.h"

namespace gpusan {

// Among which objects of an API a handle is unique.
enum class HandleScope : uint8_t { kInApi, kInKind };
// For what the commands of an API wait while they run.
enum class CommandWaits : uint8_t { kForObjects, kForMemory };

struct ApiLibrary {
  std::string_view file;  // the beginning of its base name
  uint8_t roles;          // of library_role
};

struct ApiInfo {
  Api api;
  const char* name;    // "opencl"
  const char* human;   // "OpenCL"
  const char* prefix;  // "cl"
  HandleScope handles;
  const char* attach_option;  // "opencl_attach"
  std::string_view device;    // the beginning of the paths of its device files; may be empty
  std::span<const ApiLibrary> libraries;
};

// Properties of a library, as a set of bits.
namespace library_role {
// The library is between the program and the driver: its frames in a stack are never frames of the
// program.
inline constexpr uint8_t kForwards = 1;
// The library is between the program's call and gpusan where the library calls gpusan. Call sites
// leave out their innermost frames in such libraries.
inline constexpr uint8_t kBelow = 2;
// Processes that load the library use the API.
inline constexpr uint8_t kShowsUse = 4;
// The library has functions that call the API for the program. Findings name those functions.
inline constexpr uint8_t kRuntime = 8;

#define GPUSAN_API(symbol, name, human, prefix, handles, waits, attach, device, ...) \
  inline constexpr ApiLibrary k##symbol##Libraries[] = {__VA_ARGS__};
#include "tracker/apis.def"
#undef GPUSAN_API
}  // namespace library_role

inline constexpr ApiInfo kApis[] = {
#define GPUSAN_API(symbol, name, human, prefix, handles, waits, attach, device, ...) \
  {Api::k##symbol,       #name,           human,  prefix,                            \
   HandleScope::handles, #name "_attach", device, library_role::k##symbol##Libraries},
#include "tracker/apis.def"
#undef GPUSAN_API
};

// `api` must be a row of apis.def.
constexpr const ApiInfo& InfoOf(Api api) { return kApis[static_cast<int>(api) - 1]; }

// Returns whether a handle of the API names an object only together with the object's kind. A
// switch, because it compiles to a comparison instead of a load.
constexpr bool HandlesAreUniqueInKind(Api api) {
  switch (api) {
#define GPUSAN_API(symbol, name, human, prefix, handles, waits, attach, device, ...) \
  case Api::k##symbol:                                                               \
    return HandleScope::handles == HandleScope::kInKind;
#include "tracker/apis.def"
#undef GPUSAN_API
    default:
      return false;
  }
}

// Whether commands of the API may wait, while they run, for a value in memory that others write.
constexpr bool CommandsWaitForMemory(Api api) {
  switch (api) {
#define GPUSAN_API(symbol, name, human, prefix, handles, waits, attach, device, ...) \
  case Api::k##symbol:                                                               \
    return CommandWaits::waits == CommandWaits::kForMemory;
#include "tracker/apis.def"
#undef GPUSAN_API
    default:
      return false;
  }
}

// Returns the API that has a library with at least one of the roles to which a file with this base
// name belongs; nullptr if there is none.
constexpr const ApiInfo* ApiOfLibrary(std::string_view base_name, uint8_t roles) {
  for (const ApiInfo& api : kApis) {
    for (const ApiLibrary& library : api.libraries) {
      if ((library.roles & roles) != 0 && base_name.starts_with(library.file)) return &api;
    }
  }
  return nullptr;
}

}  // namespace gpusan
