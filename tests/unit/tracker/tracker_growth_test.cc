// What counts as growth and what does not, on series made up for it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "tracker/memory/growth.h"
#include "tracker/memory/growth_watch.h"

namespace gpusan {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr double kKiB = 1024;
constexpr int64_t kLeastSpan = 5 * kMinute;

// The same numbers on every machine.
class Noise {
 public:
  double Next() {  // 0 to 1
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }

 private:
  uint64_t state_ = 42;
};

// Samples `bytes(seconds)` once a second. The first second at which it was found to grow, -1 where
// it never was.
template <typename Bytes>
int FirstFound(int seconds, Bytes bytes, FloorSeries* series, Growth* growth = nullptr) {
  for (int second = 0; second < seconds; ++second) {
    series->Add(second * kSecond, static_cast<uint64_t>(bytes(second)));
    if (second % 5 != 0) continue;
    const auto found = series->FindGrowth(kLeastSpan);
    if (!found) continue;
    if (growth != nullptr) *growth = *found;
    return second;
  }
  return -1;
}
template <typename Bytes>
int FirstFound(int seconds, Bytes bytes, Growth* growth = nullptr) {
  FloorSeries series;
  return FirstFound(seconds, bytes, &series, growth);
}

constexpr int kHour = 3600;

TEST_CASE("A ramp is growth as soon as it has been watched for long enough") {
  Growth growth;
  const int found = FirstFound(
      kHour, [](int t) { return 64 * kKiB / 60 * t; }, &growth);
  CHECK(found >= 300);
  CHECK(found <= 420);
  CHECK(growth.bytes_per_second == Approx(64 * kKiB / 60).epsilon(0.01));
  CHECK(growth.low <= growth.bytes_per_second);
  CHECK(growth.high >= growth.bytes_per_second);
  CHECK(growth.span_ns >= kLeastSpan);
  CHECK(growth.last_bytes > growth.first_bytes);
}

TEST_CASE("A ramp under noise is growth, and its slope is that of the ramp") {
  Noise noise;
  Growth growth;
  const int found = FirstFound(
      kHour, [&](int t) { return 64 * kKiB / 60 * t + 200 * kKiB * noise.Next(); }, &growth);
  CHECK(found > 0);
  CHECK(found <= 1200);
  CHECK(growth.bytes_per_second == Approx(64 * kKiB / 60).epsilon(0.25));
}

TEST_CASE("A leak of one block a minute is growth within ten minutes") {
  Growth growth;
  const int found = FirstFound(
      kHour, [](int t) { return 64 * kKiB * (t / 60); }, &growth);
  CHECK(found > 0);
  CHECK(found <= 600);
  CHECK(growth.low > 0);
}

TEST_CASE("A slow ramp on a high level is growth") {
  Growth growth;
  const int found = FirstFound(
      kHour, [](int t) { return 1073741824 + kKiB * t / 2; }, &growth);
  CHECK(found > 0);
  CHECK(growth.bytes_per_second == Approx(kKiB / 2).epsilon(0.05));
}

TEST_CASE("What is set up at the start and what grows after it is distinguished") {
  Growth growth;
  const int found = FirstFound(
      kHour, [](int t) { return t < 30 ? 1e9 * t / 30 : 1e9 + 4 * kKiB * (t - 30); }, &growth);
  CHECK(found > 0);
  CHECK(growth.bytes_per_second == Approx(4 * kKiB).epsilon(0.1));
}

TEST_CASE("A sawtooth with a rising minimum is growth") {
  const int found = FirstFound(kHour, [](int t) { return 16 * kKiB * t + (t % 20) * 4e6; });
  CHECK(found > 0);
  CHECK(found <= 2400);
}

TEST_CASE("A constant level is no growth, however noisy") {
  Noise noise;
  CHECK(FirstFound(4 * kHour, [](int) { return 1e8; }) == -1);
  CHECK(FirstFound(4 * kHour, [&](int) { return 1e8 * noise.Next(); }) == -1);
}

TEST_CASE("Steps are no growth") {
  CHECK(FirstFound(kHour, [](int t) { return t < 600 ? 1e6 : 1e8; }) == -1);
  CHECK(FirstFound(kHour, [](int t) { return 1e7 * (1 + t / 900); }) == -1);
}

TEST_CASE("A sawtooth is no growth, whatever its period") {
  for (const int period : {7, 60, 299, 350, 400}) {
    INFO(period);
    CHECK(FirstFound(2 * kHour, [&](int t) { return 1e6 * (t % period); }) == -1);
  }
}

TEST_CASE("A sawtooth that was reported as growth is recognized after its first fall") {
  FloorSeries series;
  const auto sawtooth = [](int t) { return 1e6 * (t % 1000); };
  for (int t = 0; t < 1000; ++t) series.Add(t * kSecond, static_cast<uint64_t>(sawtooth(t)));
  REQUIRE(series.FindGrowth(kLeastSpan));
  for (int t = 1000; t < 20000; ++t) {
    series.Add(t * kSecond, static_cast<uint64_t>(sawtooth(t)));
    if (t % 5 == 0) REQUIRE_FALSE(series.FindGrowth(kLeastSpan));
  }
}

TEST_CASE("A cache that warms up is no growth") {
  const auto logarithm = [](int t) { return 2e7 * std::log(1 + t / 5.0); };
  const auto root = [](int t) { return 1e6 * std::sqrt(t); };
  const auto saturation = [](int t) { return 1e8 * (1 - std::exp(-t / 120.0)); };
  const auto full = [](int t) { return t < 200 ? 1e6 * t : 2e8; };
  CHECK(FirstFound(8 * kHour, logarithm) == -1);
  CHECK(FirstFound(8 * kHour, root) == -1);
  CHECK(FirstFound(8 * kHour, saturation) == -1);
  CHECK(FirstFound(8 * kHour, full) == -1);
}

TEST_CASE("A cache whose entries come and go at random is no growth") {
  for (const double keep : {0.9, 0.99, 0.999}) {
    INFO(keep);
    Noise noise;
    double held = keep < 0.995 ? 0 : 0.5e5 / (1 - keep);  // the slowest one begins at its level
    const auto churn = [&](int) { return held = keep * held + 1e5 * noise.Next(); };
    CHECK(FirstFound(2 * kHour, churn) == -1);
  }
}

TEST_CASE("Growth that begins anew after a restart of the program's work is found again") {
  FloorSeries series;
  const auto restarts = [](int t) { return t < 900 ? 1e5 * t : 1e4 + 4 * kKiB * (t - 900); };
  int found = -1;
  for (int t = 0; t < 3 * kHour; ++t) {
    series.Add(t * kSecond, static_cast<uint64_t>(restarts(t)));
    if (t > 900 && found < 0 && t % 5 == 0 && series.FindGrowth(kLeastSpan)) found = t;
  }
  CHECK(found > 900 + 2 * 900);  // twice as long as it took to come to the fall
  CHECK(found < 900 + 4 * 900);
}

TEST_CASE("Growth that ends is no longer growth") {
  FloorSeries series;
  const auto ends = [](int t) { return 1e5 * std::min(t, 1200); };
  for (int t = 0; t < 2400; ++t) {
    series.Add(t * kSecond, static_cast<uint64_t>(ends(t)));
    if (t == 1200) CHECK(series.FindGrowth(kLeastSpan));
  }
  CHECK_FALSE(series.FindGrowth(kLeastSpan));
}

// One place, sampled once a second.
template <typename Bytes>
int FindAt(GrowthWatch* watch, int from, int to, Bytes bytes) {
  int found = -1;
  for (int second = from; second < to; ++second) {
    const std::pair<GrowthKey, uint64_t> place = {{GrowthFigure::kLive, Api::kOpenCL, 7},
                                                  static_cast<uint64_t>(bytes(second))};
    if (!watch->Add(second * kSecond, {&place, 1}).empty()) found = second;
  }
  return found;
}

TEST_CASE("A call site is found once, and reported again with its state at the end") {
  GrowthWatch watch(kLeastSpan);
  CHECK(FindAt(&watch, 0, kHour, [](int t) { return kKiB * t; }) > 0);
  CHECK(watch.IsFound({GrowthFigure::kLive, Api::kOpenCL, 7}));
  auto found = watch.Found();
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].second);
  CHECK(found[0].second->bytes_per_second == Approx(kKiB).epsilon(0.01));
  CHECK(FindAt(&watch, kHour, kHour + 400, [](int t) { return kKiB * std::min(t, kHour + 200); }) ==
        -1);
  CHECK(watch.Found()[0].second);  // a short stop is no end
  FindAt(&watch, kHour + 400, 3 * kHour, [](int) { return kKiB * (kHour + 200); });
  CHECK_FALSE(watch.Found()[0].second);
}

TEST_CASE("Growth whose memory is released at the end has ended") {
  GrowthWatch watch(kLeastSpan);
  CHECK(FindAt(&watch, 0, kHour, [](int t) { return kKiB * t; }) > 0);
  watch.Add(kHour * kSecond, {});
  CHECK_FALSE(watch.Found()[0].second);
}

TEST_CASE("The sites that hold most memory are watched, and the others are counted") {
  GrowthWatch watch(kLeastSpan);
  std::vector<std::pair<GrowthKey, uint64_t>> places;
  for (SiteId site = 1; site <= GrowthWatch::kMostSeries + 10; ++site)
    places.push_back({{GrowthFigure::kLive, Api::kOpenCL, site}, 1000 * site});
  watch.Add(0, places);
  CHECK(watch.dropped() == 10);
}

TEST_CASE("Times that do not increase give no result") {
  FloorSeries series;
  for (int i = 0; i < 1000; ++i) series.Add(5, static_cast<uint64_t>(i) * 100000);
  CHECK_FALSE(series.FindGrowth(0));
  CHECK_FALSE(FloorSeries().FindGrowth(0));
}

TEST_CASE("Growth by a few bytes is not reported") {
  CHECK(FirstFound(kHour, [](int t) { return 4.0 * t; }) == -1);
}

}  // namespace
}  // namespace gpusan
