// Small value types: APIs, severities, call sites, labels.
#pragma once

#include <cstdint>

namespace gpusan {

// kNone, the rows of apis.def, and kHost for calls of the C library.
enum class Api : uint8_t {
  kNone,
#define GPUSAN_API(symbol, name, human, prefix, handles, waits, attach, device, ...) k##symbol,
#include "tracker/apis.def"
#undef GPUSAN_API
  kHost
};
inline constexpr int kApiCount = static_cast<int>(Api::kHost) + 1;

// Lower-case name as written into records: "opencl", "cuda", "vulkan", "host", "none".
const char* ApiName(Api api);

// Ordered: a higher value is more severe.
enum class Severity : uint8_t { kNote, kWarning, kError };

// "note", "warning", "error".
const char* SeverityName(Severity severity);

// An interned call stack of the program (hooks/common/sites/site.h resolves it to frames). 0:
// unknown. An integer, so that shadow state stays small. Valid for the life of the process.
using SiteId = uint32_t;
inline constexpr SiteId kUnknownSite = 0;

// The debug label that the program set for a command; the vocabulary of the API resolves its name.
// 0: no label.
using LabelId = uint32_t;
inline constexpr LabelId kNoLabel = 0;

}  // namespace gpusan
