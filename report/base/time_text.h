// Wall-clock times as numbers and as text. Times are nanoseconds since 1970, UTC.
#pragma once

#include <cstdint>
#include <string>

namespace gpusan {

int64_t NowNs();

// The time in UTC in a format of strftime that yields at most 63 characters.
std::string UtcText(int64_t time_ns, const char* format);

// "2026-11-21T09:00:00.000Z".
std::string IsoTime(int64_t time_ns);

}  // namespace gpusan
