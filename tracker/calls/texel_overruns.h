// Accesses of a launch to texels outside of the images of its arguments.
#pragma once

#include <cstdint>
#include <vector>

#include "tracker/calls/launch_uses.h"
#include "tracker/model/texel_access.h"
#include "tracker/objects/kernel.h"

namespace gpusan {

// The coordinates of one dimension that a launch surely accesses.
struct TexelRange {
  uint32_t argument = 0;  // index
  uint32_t dimension = 0;
  TexelType type = TexelType::kFloat;
  bool write = false;
  int64_t first = 0;  // the least one that is known
  int64_t last = 0;   // the greatest one that is known
};

struct TexelOverrun {
  TexelRange range;
  const Resource* image = nullptr;

  // The coordinate outside of the image, and the number of texels that the image has there.
  uint64_t extent() const { return image->image->extent[range.dimension]; }
  int64_t coordinate() const { return range.first < 0 ? range.first : range.last; }
};

// Returns the images of arguments of which the summary says that some work item surely accesses a
// texel outside, at most one for each argument. Takes the lock of the kernel.
std::vector<TexelOverrun> FindTexelOverruns(Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan
