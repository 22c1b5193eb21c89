// Combines the accesses of a launch through one parameter.
#pragma once

#include <optional>

#include "absl/container/inlined_vector.h"
#include "tracker/calls/launch_uses.h"

namespace gpusan {

// Intermediate values of formulas: sums of products of 64-bit numbers.
using Wide = __int128;

struct Interval {
  Wide low = 0, high = 0;
};

// Pieces of `width` bytes that begin at `low`, low + pitch, and so on, `count` of them. They do not
// overlap. Width 0: none.
struct Stripes {
  Wide pitch = 0, count = 0, low = 0, width = 0;
};

// One access in a launch.
struct Evaluated {
  bool never = false;
  bool sure = false;
  bool ranged = false;
  bool exact = false;  // each byte of `bytes` is accessed
  bool ends = false;   // the first and the last byte of `bytes` are accessed
  Interval bytes;      // [low, high)
  Interval of_first;   // each byte of [low, high) is accessed, by the first work items
  Stripes stripes;     // each byte of them is accessed; set only if the access has gaps
  // Of some of the work items: each byte of `exact` is accessed, and so are the first and the last
  // byte of `ends`; empty if no such range is known.
  struct Part {
    Interval exact, ends;
  };
  std::optional<Part> inner, corner;
};

// Joins stripes of equal pitch into the intervals that they fill without gaps. Such stripes occur,
// for example, if each group of 128 work items accesses 4 KiB in two accesses of 2 KiB.
void JoinStripes(absl::InlinedVector<Stripes, 4>* stripes, absl::InlinedVector<Interval, 4>* exact);

// Combines the accesses of one kind.
class Combination {
 public:
  void Add(const Evaluated& one);
  // Call once, after the last Add.
  LaunchUse Finish();

 private:
  LaunchUse use_;
  bool ranged_ = true;
  Interval hull_;
  bool has_ends_ = false;
  Interval ends_;
  absl::InlinedVector<Interval, 4> exact_;
  absl::InlinedVector<Stripes, 4> stripes_;
};

}  // namespace gpusan
