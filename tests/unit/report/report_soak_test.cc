// Times as people write them, the line that says how a soak goes, and the bar of what takes long.
#include <pty.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "report/findings/progress.h"
#include "report/options/duration.h"
#include "report/processes/status_line.h"

namespace gpusan {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kNow = 1'795'273'200 * kSecond;  // 2026-11-21T15:00:00Z

int64_t Duration(const char* text) {
  int64_t duration = -1;
  return ParseDuration(text, &duration) ? duration / kSecond : -1;
}

int64_t Until(const char* text) {
  setenv("TZ", "UTC", 1);
  tzset();
  int64_t moment = -1;
  return ParseUntil(text, kNow, &moment) ? (moment - kNow) / kSecond : -1;
}

TEST_CASE("Durations have units, and seconds where they have none") {
  CHECK(Duration("90") == 90);
  CHECK(Duration("90s") == 90);
  CHECK(Duration("15m") == 900);
  CHECK(Duration("8h") == 28800);
  CHECK(Duration("2d") == 172800);
  CHECK(Duration("1h30m") == 5400);
}

TEST_CASE("A text that is not a duration is rejected") {
  for (const char* text : {"", "0", "0s", "s", "-5", "5x", "5 m", "1.5h", "99999999999999999999"}) {
    INFO(text);
    CHECK(Duration(text) == -1);
  }
}

TEST_CASE("A time is the next such time of day, a date, or an offset from now") {
  CHECK(Until("15:30") == 1800);
  CHECK(Until("15:00:01") == 1);
  CHECK(Until("06:00") == 15 * 3600);  // tomorrow
  CHECK(Until("15:00") == 24 * 3600);
  CHECK(Until("2026-11-21T16:00") == 3600);
  CHECK(Until("2026-11-22T15:00:05") == 24 * 3600 + 5);
  CHECK(Until("+8h") == 28800);
}

TEST_CASE("A text that is not a time, or a time in the past, is rejected") {
  for (const char* text : {"", "25:00", "6", "8h", "+", "2026-11-21T14:00", "15:30 ", "noon"}) {
    INFO(text);
    CHECK(Until(text) == -1);
  }
}

TEST_CASE("The status contains the known values and fits the terminal") {
  SoakStatus status;
  status.elapsed_s = 3 * 3600 + 62;
  status.iteration = 3;
  status.iterations = 10;
  status.findings = 1;
  CHECK(StatusText(status, 80) == "gpusan: 3:01:02  iteration 3 of 10  1 finding");
  status.has_samples = true;
  status.calls_per_second = 1239.6;
  status.live_bytes = 12 << 20;
  status.findings = 2;
  CHECK(StatusText(status, 80) ==
        "gpusan: 3:01:02  iteration 3 of 10  1240 calls/s  live 12 MiB  2 findings");
  CHECK(StatusText(status, 20) == "gpusan: 3:01:02  it");
  status.iterations = 0;
  status.live_bytes = 1536;
  CHECK(StatusText(status, 80) ==
        "gpusan: 3:01:02  iteration 3  1240 calls/s  live 1.5 KiB  2 findings");
}

TEST_CASE("A single iteration has no number") {
  SoakStatus status;
  status.iterations = 1;
  CHECK(StatusText(status, 80) == "gpusan: 0:00:00  0 findings");
}

// What is drawn on a terminal that is stderr meanwhile, or into a pipe.
std::string Drawn(bool terminal, bool shown, uint64_t total, std::chrono::milliseconds delay) {
  int ends[2];
  if (terminal) {
    REQUIRE(openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) == 0);
  } else {
    REQUIRE(pipe(ends) == 0);
  }
  const int kept = dup(2);
  dup2(ends[1], 2);
  {
    Progress progress("reading", total, shown, delay);
    progress.Advance(50);
  }
  dup2(kept, 2);
  close(kept);
  REQUIRE(write(ends[1], "!", 1) == 1);
  std::string text;
  char c;
  while (read(ends[0], &c, 1) == 1 && c != '!') text += c;
  close(ends[0]);
  close(ends[1]);
  return text;
}

TEST_CASE("A long operation has a progress bar on a terminal, which is erased at the end") {
  const std::string gone = "\r\033[K";
  const std::chrono::milliseconds now(0), never = std::chrono::hours(1);
  CHECK(Drawn(true, true, 200, now) ==
        gone + "gpusan: reading [#######.......................] 25 %" + gone);
  CHECK(Drawn(true, true, 0, now) == gone + "gpusan: reading" + gone);
  CHECK(Drawn(true, true, 200, never).empty());
  CHECK(Drawn(true, false, 200, now).empty());
  CHECK(Drawn(false, true, 200, now).empty());
}

}  // namespace
}  // namespace gpusan
