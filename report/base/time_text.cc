// Wall-clock times as numbers and as text.
#include "report/base/time_text.h"

#include <time.h>

#include <cstdio>

namespace gpusan {

int64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

std::string UtcText(int64_t time_ns, const char* format) {
  const time_t seconds = time_ns / 1000000000;
  tm parts;
  char text[64];
  gmtime_r(&seconds, &parts);
  return std::string(text, strftime(text, sizeof(text), format, &parts));
}

std::string IsoTime(int64_t time_ns) {
  char milliseconds[16];
  std::snprintf(milliseconds, sizeof(milliseconds), ".%03dZ",
                static_cast<int>(time_ns / 1000000 % 1000));
  return UtcText(time_ns, "%Y-%m-%dT%H:%M:%S") + milliseconds;
}

}  // namespace gpusan
