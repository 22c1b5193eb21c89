// Accesses of a launch to texels outside of its images, and reads of unwritten texels.
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
  int64_t first = 0;  // the least known coordinate
  int64_t last = 0;   // the greatest known coordinate
};

struct TexelOverrun {
  TexelRange range;
  const Resource* image = nullptr;

  // The number of texels of the image in this dimension, and a coordinate outside of the image.
  uint64_t extent() const { return image->image->extent[range.dimension]; }
  int64_t coordinate() const { return range.first < 0 ? range.first : range.last; }
};

// A launch surely reads a texel with the coordinate `range.last`. Other texels of the image were
// written, but none with a coordinate from `begin` to `range.last`.
struct UnwrittenTexels {
  TexelRange range;
  const Resource* image = nullptr;
  int64_t begin = 0;

  // The bytes of all texels with the coordinates from `begin` to `range.last`.
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

// Returns the first image of an argument with unwritten texels, or an empty list. The last eighth
// of the coordinates that the launch reads must be unwritten: programs leave narrower borders
// unwritten as padding. Takes the locks of the kernel and of the image.
std::vector<UnwrittenTexels> FindUnwrittenTexels(Kernel& kernel, const LaunchShape& shape);

// Returns the overruns: according to the summary of the kernel, a work item surely accesses a texel
// outside of the image. At most one for each argument. Takes the lock of the kernel.
std::vector<TexelOverrun> FindTexelOverruns(Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan
