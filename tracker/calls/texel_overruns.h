// Accesses of a launch to texels outside of the images of its arguments, or to unwritten ones.
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

// A launch surely reads a texel with the coordinate `range.last`, and no texel of the coordinates
// from `begin` to there was written, but other ones of the image.
struct UnwrittenTexels {
  TexelRange range;
  const Resource* image = nullptr;
  int64_t begin = 0;

  // All texels with these coordinates, in bytes of the image.
  Region region() const {
    const ImageInfo& info = *image->image;
    const uint64_t row = info.extent[0] * info.texel_bytes;
    const uint64_t slice = row * info.extent[1];
    const uint64_t steps[3] = {info.texel_bytes, row, slice};
    uint64_t sizes[3] = {info.extent[0], info.extent[1], info.extent[2]};
    sizes[range.dimension] = static_cast<uint64_t>(range.last - begin + 1);
    return Region::Strided(static_cast<uint64_t>(begin) * steps[range.dimension],
                           sizes[0] * info.texel_bytes, sizes[1], row, sizes[2], slice);
  }
};

// Returns the first such argument, or none. An eighth of the texels between the least and the
// greatest coordinate may be padding. Takes the locks of the kernel and of the image.
std::vector<UnwrittenTexels> FindUnwrittenTexels(Kernel& kernel, const LaunchShape& shape);

// Returns the images of arguments of which the summary says that some work item surely accesses a
// texel outside, at most one for each argument. Takes the lock of the kernel.
std::vector<TexelOverrun> FindTexelOverruns(Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan
