// Parses durations and times of day for --timeout and --until.
#include "report/options/duration.h"

#include <time.h>

#include <cctype>
#include <string>

namespace gpusan {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Whether the whole text matches that format of strptime.
bool Matches(const std::string& text, const char* form, tm* parts) {
  const char* rest = strptime(text.c_str(), form, parts);
  return rest != nullptr && *rest == '\0';
}

}  // namespace

bool ParseDuration(std::string_view text, int64_t* duration_ns) {
  constexpr int64_t kMostSeconds = int64_t{100} * 366 * 86400;
  int64_t seconds = 0;
  if (text.empty()) return false;
  while (!text.empty()) {
    int64_t number = 0;
    size_t digits = 0;
    for (; digits < text.size() && IsDigit(text[digits]); ++digits) {
      number = number * 10 + (text[digits] - '0');
      if (number > kMostSeconds) return false;
    }
    if (digits == 0) return false;
    text.remove_prefix(digits);
    int64_t unit = 1;
    if (!text.empty()) {
      switch (text.front()) {
        case 's':
          break;
        case 'm':
          unit = 60;
          break;
        case 'h':
          unit = 3600;
          break;
        case 'd':
          unit = 86400;
          break;
        default:
          return false;
      }
      text.remove_prefix(1);
    }
    seconds += number * unit;
    if (seconds > kMostSeconds) return false;
  }
  *duration_ns = seconds * kSecond;
  return seconds > 0;
}

bool ParseUntil(std::string_view text, int64_t now_ns, int64_t* moment_ns) {
  if (!text.empty() && text.front() == '+') {
    int64_t duration = 0;
    if (!ParseDuration(text.substr(1), &duration)) return false;
    *moment_ns = now_ns + duration;
    return true;
  }
  const std::string whole(text);
  const time_t now = now_ns / kSecond;
  tm parts = {};
  localtime_r(&now, &parts);
  parts.tm_sec = 0;
  const bool has_date = whole.find('T') != std::string::npos;
  bool known = false;
  static constexpr const char* kForms[][2] = {{"%H:%M:%S", "%H:%M"},
                                              {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"}};
  for (const char* form : kForms[has_date ? 1 : 0]) {
    tm tried = parts;
    if (!Matches(whole, form, &tried)) continue;
    parts = tried;
    known = true;
    break;
  }
  if (!known) return false;
  parts.tm_isdst = -1;
  time_t moment = mktime(&parts);
  if (!has_date && moment <= now) {
    ++parts.tm_mday;  // mktime has put it in its range
    parts.tm_isdst = -1;
    moment = mktime(&parts);
  }
  *moment_ns = int64_t{moment} * kSecond;
  return moment > now;
}

}  // namespace gpusan
