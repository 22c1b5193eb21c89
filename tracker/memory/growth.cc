// Slope, trend and interval follow P. K. Sen, "Estimates of the regression coefficient based on
// Kendall's tau" (1968).
#include "tracker/memory/growth.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/types/span.h"

namespace gpusan {
namespace {

constexpr double kLeastTrend = 4;
constexpr double kLeastLateSlope = 0.75;       // of the slope before
constexpr double kLeastPartOfRise = 0.6;       // of the mean rise, for each part
constexpr double kLeastClarity = 12;           // rise / deviation of the points from the line
constexpr double kDeviationOfMedian = 1.4826;  // standard deviation / median absolute deviation
constexpr double kInterval95 = 1.96;           // standard deviations
constexpr int64_t kFloorPoints = 8;            // the floor is the minimum of this many points
constexpr int kLeastPointsAPart = 3;

// Returns the value of the rank `at`, which is rounded into the list. Reorders the list.
double Ranked(std::vector<double>* values, double at) {
  const double last = static_cast<double>(values->size() - 1);
  const auto nth =
      values->begin() + static_cast<std::ptrdiff_t>(std::clamp(std::round(at), 0.0, last));
  std::nth_element(values->begin(), nth, values->end());
  return *nth;
}

}  // namespace

void FloorSeries::Restart(int64_t time_ns) {
  longest_run_ns_ = std::max(longest_run_ns_, time_ns - begin_ns_);
  // A floor then spans the duration of the run that fell. For a sawtooth this is its period, so
  // that its teeth no longer count as falls.
  samples_a_point_ = std::max(samples_a_point_, run_samples_ / kFloorPoints + 1);
  points_.clear();
  samples_ = 0;
  run_samples_ = 0;
  level_ = 0;
  begin_ns_ = time_ns;
}

void FloorSeries::Add(int64_t time_ns, uint64_t bytes) {
  if (points_.capacity() == 0) {
    points_.reserve(kCapacity);
    begin_ns_ = time_ns;
  }
  last_bytes_ = bytes;
  if (bytes < level_ / 2) Restart(time_ns);
  open_.bytes = samples_ == 0 ? bytes : std::min(open_.bytes, bytes);
  open_.time_ns = time_ns;
  ++run_samples_;
  if (++samples_ >= samples_a_point_) ClosePoint();
}

void FloorSeries::ClosePoint() {
  samples_ = 0;
  points_.push_back(open_);
  if (points_.size() >= size_t{kFloorPoints}) {
    uint64_t floor = open_.bytes;
    for (size_t i = points_.size() - kFloorPoints; i < points_.size(); ++i)
      floor = std::min(floor, points_[i].bytes);
    level_ = std::max(level_, floor);
  }
  if (points_.size() < kCapacity) return;
  for (size_t i = 0; i < kCapacity / 2; ++i) {
    const Point& earlier = points_[2 * i];
    const Point& later = points_[2 * i + 1];
    points_[i] = {later.time_ns, std::min(earlier.bytes, later.bytes)};
  }
  points_.resize(kCapacity / 2);
  samples_a_point_ *= 2;
}

double FloorSeries::LateSlope() const {
  if (points_.empty()) return 0;
  const int64_t end_ns = points_.back().time_ns;
  const int64_t from_ns = end_ns - (end_ns - begin_ns_) / 3;
  std::vector<double> slopes;
  for (size_t j = 1; j < points_.size(); ++j) {
    for (size_t i = 0; i < j; ++i) {
      const int64_t time_ns = points_[j].time_ns - points_[i].time_ns;
      if (points_[i].time_ns < from_ns || time_ns <= 0) continue;
      slopes.push_back(
          (static_cast<double>(points_[j].bytes) - static_cast<double>(points_[i].bytes)) /
          (static_cast<double>(time_ns) / 1e9));
    }
  }
  if (slopes.empty()) return 0;
  const auto middle = slopes.begin() + static_cast<ptrdiff_t>(slopes.size() / 2);
  std::nth_element(slopes.begin(), middle, slopes.end());
  return *middle;
}

absl::Span<const FloorSeries::Point> FloorSeries::LaterPoints() const {
  const int64_t from_ns = begin_ns_ + (points_.back().time_ns - begin_ns_) / 4;
  const auto first =
      std::lower_bound(points_.begin(), points_.end(), from_ns,
                       [](const Point& point, int64_t time_ns) { return point.time_ns < time_ns; });
  return absl::MakeSpan(points_.data() + (first - points_.begin()),
                        points_.data() + points_.size());
}

bool FloorSeries::FindFloors(absl::Span<const Point> points, uint64_t (&floors)[kParts]) {
  const int64_t begin_ns = points.front().time_ns;
  const auto span = static_cast<double>(points.back().time_ns - begin_ns);
  int in_part[kParts] = {};
  for (const Point& point : points) {
    const auto since = static_cast<double>(point.time_ns - begin_ns);
    const int part = std::min(kParts - 1, static_cast<int>(since / span * kParts));
    floors[part] = in_part[part] == 0 ? point.bytes : std::min(floors[part], point.bytes);
    ++in_part[part];
  }
  for (int part = 0; part < kParts; ++part) {
    if (in_part[part] < kLeastPointsAPart) return false;
    if (part > 0 && floors[part] <= floors[part - 1]) return false;
  }
  const uint64_t risen = floors[kParts - 1] - floors[0];
  if (risen < kLeastRise) return false;
  for (int part = 1; part < kParts; ++part) {
    if (static_cast<double>(floors[part] - floors[part - 1]) * (kParts - 1) <
        kLeastPartOfRise * static_cast<double>(risen))
      return false;
  }
  return true;
}

FloorSeries::Slopes FloorSeries::SlopesOf(absl::Span<const Point> points) {
  Slopes slopes;
  slopes.all.reserve(points.size() * (points.size() - 1) / 2);
  const int64_t end_ns = points.back().time_ns;
  const int64_t late_ns = end_ns - (end_ns - points.front().time_ns) / 3;
  for (size_t j = 1; j < points.size(); ++j) {
    for (size_t i = 0; i < j; ++i) {
      const double rise =
          static_cast<double>(points[j].bytes) - static_cast<double>(points[i].bytes);
      const double time = static_cast<double>(points[j].time_ns - points[i].time_ns) / 1e9;
      if (time <= 0) continue;
      slopes.rising += rise > 0 ? 1 : rise < 0 ? -1 : 0;
      slopes.all.push_back(rise / time);
      if (points[i].time_ns >= late_ns) slopes.late.push_back(rise / time);
      if (points[j].time_ns <= late_ns) slopes.early.push_back(rise / time);
    }
  }
  return slopes;
}

double FloorSeries::VarianceOfRising(absl::Span<const Point> points) {
  std::vector<uint64_t> values;
  for (const Point& point : points) values.push_back(point.bytes);
  std::sort(values.begin(), values.end());
  const auto share = [](double n) { return n * (n - 1) * (2 * n + 5) / 18; };
  double variance = share(static_cast<double>(points.size()));
  for (size_t begin = 0, end; begin < values.size(); begin = end) {
    for (end = begin; end < values.size() && values[end] == values[begin];) ++end;
    variance -= share(static_cast<double>(end - begin));
  }
  return variance;
}

double FloorSeries::NoiseAround(absl::Span<const Point> points, double slope) {
  const double half = static_cast<double>(points.size() - 1) / 2;
  std::vector<double> deviations;
  for (int round = 0; round < 2; ++round) {
    const double middle = round == 0 ? 0 : Ranked(&deviations, half);
    deviations.clear();
    for (const Point& point : points) {
      const double time = static_cast<double>(point.time_ns - points.front().time_ns) / 1e9;
      const double off = static_cast<double>(point.bytes) - slope * time - middle;
      deviations.push_back(round == 0 ? off : std::abs(off));
    }
  }
  return kDeviationOfMedian * Ranked(&deviations, half);
}

std::optional<Growth> FloorSeries::FindGrowth(int64_t least_span_ns) const {
  if (points_.empty()) return std::nullopt;
  const absl::Span<const Point> points = LaterPoints();
  if (points.size() < size_t{kParts} * kLeastPointsAPart) return std::nullopt;
  const int64_t span_ns = points.back().time_ns - points.front().time_ns;
  if (span_ns <= 0 || span_ns < std::max(least_span_ns, 2 * longest_run_ns_)) return std::nullopt;
  uint64_t floors[kParts];
  if (!FindFloors(points, floors)) return std::nullopt;

  Slopes slopes = SlopesOf(points);
  const double variance = VarianceOfRising(points);
  if (variance <= 0 || slopes.early.empty() || slopes.late.empty()) return std::nullopt;
  const double deviation = std::sqrt(variance);
  Growth growth;
  growth.trend = (slopes.rising - 1) / deviation;
  if (growth.trend < kLeastTrend) return std::nullopt;
  const auto pairs = static_cast<double>(slopes.all.size());
  growth.bytes_per_second = Ranked(&slopes.all, (pairs - 1) / 2);
  growth.low = Ranked(&slopes.all, (pairs - kInterval95 * deviation) / 2 - 1);
  growth.high = Ranked(&slopes.all, (pairs + kInterval95 * deviation) / 2);
  const double before = Ranked(&slopes.early, static_cast<double>(slopes.early.size() - 1) / 2);
  const double after = Ranked(&slopes.late, static_cast<double>(slopes.late.size() - 1) / 2);
  if (before <= 0 || after < kLeastLateSlope * before || growth.low <= 0) return std::nullopt;
  const double rise = growth.bytes_per_second * static_cast<double>(span_ns) / 1e9;
  if (rise < kLeastClarity * NoiseAround(points, growth.bytes_per_second)) return std::nullopt;
  growth.span_ns = span_ns;
  growth.first_bytes = floors[0];
  growth.last_bytes = floors[kParts - 1];
  return growth;
}

}  // namespace gpusan
