// Combines the accesses of a launch through one parameter.
#include "tracker/calls/combined_accesses.h"

#include <algorithm>
#include <tuple>

namespace gpusan {

namespace {

// `belongs`: whether the second stripes may continue the first.
template <typename Belongs>
void JoinNeighbours(const absl::InlinedVector<Stripes, 4>& stripes, Belongs belongs,
                    absl::InlinedVector<Interval, 4>* exact) {
  for (auto first = stripes.begin(); first != stripes.end();) {
    Wide end = first->low + first->width;
    Wide count = first->count;
    auto next = first + 1;
    for (; next != stripes.end() && belongs(*first, *next) && next->low <= end; ++next) {
      end = std::max(end, next->low + next->width);
      count = std::min(count, next->count);
    }
    if (end - first->low >= first->pitch)
      exact->push_back({first->low, end + first->pitch * (count - 1)});
    first = next;
  }
}

}  // namespace

void JoinStripes(absl::InlinedVector<Stripes, 4>* stripes,
                 absl::InlinedVector<Interval, 4>* exact) {
  std::sort(stripes->begin(), stripes->end(), [](const Stripes& a, const Stripes& b) {
    return std::tie(a.pitch, a.count, a.low) < std::tie(b.pitch, b.count, b.low);
  });
  JoinNeighbours(
      *stripes,
      [](const Stripes& a, const Stripes& b) { return a.pitch == b.pitch && a.count == b.count; },
      exact);
  const bool differ = std::any_of(stripes->begin(), stripes->end(), [&](const Stripes& one) {
    return one.count != stripes->front().count;
  });
  if (!differ) return;
  // The last pieces of some are missing where the size of the data ends a group.
  std::sort(stripes->begin(), stripes->end(), [](const Stripes& a, const Stripes& b) {
    return std::tie(a.pitch, a.low) < std::tie(b.pitch, b.low);
  });
  JoinNeighbours(
      *stripes, [](const Stripes& a, const Stripes& b) { return a.pitch == b.pitch; }, exact);
}

void Combination::Add(const Evaluated& one) {
  if (one.never) return;
  use_.sure |= one.sure;
  ranged_ &= one.ranged;
  const auto add_ends = [&](const Interval& bytes) {
    ends_ = has_ends_ ? Interval{std::min(ends_.low, bytes.low), std::max(ends_.high, bytes.high)}
                      : bytes;
    has_ends_ = true;
  };
  if (one.inner || one.corner) [[unlikely]] {
    for (const auto* part : {&one.inner, &one.corner}) {
      if (!*part) continue;
      if ((*part)->ends.low < (*part)->ends.high) add_ends((*part)->ends);
      if ((*part)->exact.low < (*part)->exact.high) exact_.push_back((*part)->exact);
    }
  }
  if (one.ranged) {
    hull_ = use_.possible
                ? Interval{std::min(hull_.low, one.bytes.low), std::max(hull_.high, one.bytes.high)}
                : one.bytes;
    if (one.exact) exact_.push_back(one.bytes);
    if (one.of_first.low < one.of_first.high) exact_.push_back(one.of_first);
    if (one.stripes.width != 0) stripes_.push_back(one.stripes);
    if (one.ends) add_ends(one.bytes);
  }
  use_.possible = true;
}

LaunchUse Combination::Finish() {
  LaunchUse& use = use_;
  auto& exact = exact_;
  const Interval& hull = hull_;
  use.ranged = ranged_;
  if (stripes_.size() > 1) JoinStripes(&stripes_, &exact);
  std::sort(exact.begin(), exact.end(),
            [](const Interval& a, const Interval& b) { return a.low < b.low; });
  Interval core, run;
  for (const Interval& one : exact) {
    if (run.low == run.high || one.low > run.high) run = one;
    run.high = std::max(run.high, one.high);
    if (run.high - run.low > core.high - core.low) core = run;
  }
  const auto bounded = [](const Interval& one) {
    return one.low >= INT64_MIN / 2 && one.high <= INT64_MAX / 2;
  };
  if (bounded(core)) {
    use.core_first = static_cast<int64_t>(core.low);
    use.core_last = static_cast<int64_t>(core.high);
  }
  if (has_ends_ && bounded(ends_)) {
    use.end_first = static_cast<int64_t>(ends_.low);
    use.end_last = static_cast<int64_t>(ends_.high);
  }
  use.ranged &= use.possible && bounded(hull);
  if (!use.ranged) return use;
  use.first = static_cast<int64_t>(hull.low);
  use.last = static_cast<int64_t>(hull.high);
  use.exact = core.low <= hull.low && core.high >= hull.high;
  return use;
}

}  // namespace gpusan
