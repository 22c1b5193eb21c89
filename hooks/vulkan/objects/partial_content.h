// The texels that copies have written of subresources without other content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tracker/scopes/scoped_history.h"

namespace gpusan::vulkan {

// The written boxes of one image, for the subresources that are partly written. All texels of any
// other subresource are written, or none is. Not thread-safe.
class PartialContent {
 public:
  // Texels of a mip level. An extent of 0 in any dimension: no texel.
  struct Box {
    uint32_t origin[3] = {0, 0, 0};
    uint32_t extent[3] = {0, 0, 0};
  };

  bool empty() const { return entries_.empty(); }
  // Notes a write to a box of a subresource with the extent `level`. `first`: the subresource had
  // no content. Forgets the subresource when its boxes cover it, or when the image has many boxes.
  void Write(uint32_t mip, uint32_t layer, const Box& box, const Box& level, bool first);
  // Forgets the boxes of the part: each subresource now has content as a whole, or no content.
  void Forget(const ImagePart& part);
  // Returns texels of the box that no write has covered; nullopt if there are none, or if no boxes
  // are stored for the subresource.
  std::optional<Box> FindUnwritten(uint32_t mip, uint32_t layer, const Box& box) const;

 private:
  static constexpr size_t kMostBoxes = 64;  // of an image
  struct Entry {
    uint32_t mip, layer;
    uint64_t texels;  // of all boxes together
    std::vector<Box> boxes;
  };
  void Erase(size_t index);

  std::vector<Entry> entries_;
  size_t boxes_ = 0;  // of all entries
};

}  // namespace gpusan::vulkan
