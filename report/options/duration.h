// Parses durations and times of day for --timeout and --until. Thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpusan {

// Parses "90" (seconds), "90s", "15m", "8h", "2d", "1h30m" into nanoseconds. Returns false for
// other text, for zero and for more than a hundred years.
bool ParseDuration(std::string_view text, int64_t* duration_ns);

// Parses a time after `now_ns` (both in nanoseconds since 1970): "06:30" and "06:30:15" are the
// next such local time, "2026-11-22T06:30" is that local time, "+8h" is relative to now. Returns
// false for other text and for times in the past.
bool ParseUntil(std::string_view text, int64_t now_ns, int64_t* moment_ns);

}  // namespace gpusan
