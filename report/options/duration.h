// Times as people write them for --timeout and --until.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpusan {

// "90", "90s", "15m", "8h", "2d", "1h30m": nanoseconds. False when it is none of these, is zero or
// more than a hundred years.
bool ParseDuration(std::string_view text, int64_t* duration_ns);

// A moment after `now_ns`, both since 1970: "06:30" and "06:30:15" are the next such time of the
// local day, "2026-11-22T06:30" that time, "+8h" so long from now. False when it is none of these
// or has passed.
bool ParseUntil(std::string_view text, int64_t now_ns, int64_t* moment_ns);

}  // namespace gpusan
