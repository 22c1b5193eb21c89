// Compares call sites by the function of the program that made the calls.
#include "hooks/common/sites/same_caller.h"

#include <algorithm>

#include "hooks/common/sites/site.h"

namespace gpusan {

bool SameCaller(SiteId a, SiteId b, bool skip_equal) {
  if (a == b) return true;
  SiteFrame frames[2][kMaxSiteFrames];
  const int counts[] = {SiteFrames(a, frames[0], kMaxSiteFrames),
                        SiteFrames(b, frames[1], kMaxSiteFrames)};
  if (counts[0] != counts[1] || counts[0] == 0) return false;
  const auto same = [](const SiteFrame& x, const SiteFrame& y) {
    return x.module == y.module && x.offset == y.offset;
  };
  int caller = 0;
  if (skip_equal) {
    while (caller + 1 < counts[0] && same(frames[0][caller], frames[1][caller])) ++caller;
  }
  return frames[0][caller].module == frames[1][caller].module &&
         std::equal(frames[0] + caller + 1, frames[0] + counts[0], frames[1] + caller + 1, same);
}

}  // namespace gpusan
