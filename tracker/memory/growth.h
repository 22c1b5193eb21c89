// Whether a figure that is sampled over hours grows steadily: a bounded series and its judgement.
//
// Plain arithmetic on what it is given: same samples, same answer. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace gpusan {

// What is known of a figure that grows.
struct Growth {
  double bytes_per_second = 0;  // the median of the slopes between all pairs of points (Theil-Sen)
  double low = 0, high = 0;     // its interval of 95 % confidence
  double trend = 0;             // Mann-Kendall's z: standard deviations from no trend at all
  int64_t span_ns = 0;          // of the points that were judged
  uint64_t first_bytes = 0;     // floors at the begin and at the end of that span
  uint64_t last_bytes = 0;
};

// The floor of a figure over time. Keeps at most kCapacity points: when full, each two become one,
// the lower of them. So a series of any length costs the same, its points are about equally far
// apart, and what comes and goes between samples is not taken for growth: a leak raises the floor.
class FloorSeries {
 public:
  static constexpr int kCapacity = 128;

  // A figure that falls below half of its floor has been given back: the series begins anew.
  void Add(int64_t time_ns, uint64_t bytes);

  // Growth that is certain, or nothing. Judged are the last three quarters of the series, so that
  // what a program sets up at its start does not count, and only if they are at least
  // `least_span_ns` long; after a fall, twice as long as it took to come to that. It grows if
  //  - the trend is no chance: Mann-Kendall's z is at least 4;
  //  - it is steady: the floors of six equal parts rise from each to the next, by at least 0.6 of
  //    the mean rise;
  //  - it does not level off, as caches do when they fill: the slope of the last third is at least
  //    three quarters of the slope before, which excludes growth as of a logarithm or a square
  //    root, and saturation from 0.8 of its time constant on;
  //  - it is a line: the rise is at least twelve times the points' deviation from it, which a walk
  //  at
  //    random does not keep to;
  //  - it is worth a word: at least kLeastRise in all.
  // A figure that walks at random around a level, and needs 5 minutes to forget where it was, is
  // taken for growth in none of 100 runs of 4 hours; one that needs 15 minutes in 3 of them.
  // Costs kCapacity^2 steps at most, and a few where a part has not risen.
  std::optional<Growth> Judge(int64_t least_span_ns) const;

  // Bytes a second over the last third of the series, by Theil-Sen; 0 for a series just begun.
  double LateSlope() const;

  uint64_t last_bytes() const { return last_bytes_; }

  static constexpr uint64_t kLeastRise = uint64_t{32} << 10;  // bytes
  static constexpr int kParts = 6;

 private:
  struct Point {
    int64_t time_ns;
    uint64_t bytes;
  };

  void Restart(int64_t time_ns);
  void ClosePoint();

  std::vector<Point> points_;
  Point open_{};         // of the samples since the last point
  int64_t samples_ = 0;  // in it
  int64_t samples_a_point_ = 1;
  int64_t run_samples_ = 0;  // since the begin
  int64_t begin_ns_ = 0;
  int64_t longest_run_ns_ = 0;  // from a begin to a fall
  uint64_t level_ = 0;          // the highest floor so far
  uint64_t last_bytes_ = 0;
};

}  // namespace gpusan
