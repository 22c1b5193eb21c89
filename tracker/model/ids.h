// Small value types that name things: APIs, severities, rules, sites.
#pragma once

#include <cstdint>

namespace gpusan {

enum class Api : uint8_t { kNone, kOpenCL, kCuda, kVulkan, kHost };
inline constexpr int kApiCount = static_cast<int>(Api::kHost) + 1;

// Lower-case name as written into records: "opencl", "cuda", "vulkan", "host", "none".
const char* ApiName(Api api);

// Ordered: a higher value is more severe.
enum class Severity : uint8_t { kNote, kWarning, kError };

// "note", "warning", "error".
const char* SeverityName(Severity severity);

// A place in the program: an interned call stack (hooks/common/site.h turns it into frames). 0: not
// known. Plain number so that shadow state stays small; valid for the life of the process.
using SiteId = uint32_t;
inline constexpr SiteId kUnknownSite = 0;

// Where the program itself says a command is (a debug label); an API's vocabulary knows its name.
// 0: nowhere.
using LabelId = uint32_t;
inline constexpr LabelId kNoLabel = 0;

}  // namespace gpusan
