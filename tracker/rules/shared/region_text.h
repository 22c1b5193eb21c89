// How findings show where a region with pitches ends.
#pragma once

#include <string>

#include "absl/strings/str_cat.h"
#include "tracker/model/region.h"

namespace gpusan::rules {

// "offset 64 + 3 x slice pitch 4096 + 31 x row pitch 128 + 100 = 16420": the end of the region as
// the sum of its parts; parts of 0 are left out.
inline std::string EndSum(const Region& region) {
  std::string sum;
  const auto add = [&](const std::string& part) {
    absl::StrAppend(&sum, sum.empty() ? "" : " + ", part);
  };
  if (region.offset != 0) add(absl::StrCat("offset ", region.offset));
  if (region.slices > 1)
    add(absl::StrCat(region.slices - 1, " x slice pitch ", region.slice_pitch));
  if (region.rows > 1) add(absl::StrCat(region.rows - 1, " x row pitch ", region.row_pitch));
  add(absl::StrCat(region.width));
  return absl::StrCat(sum, " = ", region.end());
}

}  // namespace gpusan::rules
