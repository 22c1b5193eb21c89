// The texels that copies have written of subresources without other content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tracker/scopes/scoped_history.h"

namespace gpusan::vulkan {

// Of one image. A subresource that is not kept has content as a whole, or none. Not thread-safe.
class PartialContent {
 public:
  // Texels of a mip level. An extent of 0 in any dimension: no texel.
  struct Box {
    uint32_t origin[3] = {0, 0, 0};
    uint32_t extent[3] = {0, 0, 0};
  };

  bool empty() const { return entries_.empty(); }
  // Notes a write to a box of a subresource with the extent `level`. `first`: it had no content. A
  // subresource is no longer kept when its boxes cover it, or when the image has many boxes.
  void Write(uint32_t mip, uint32_t layer, const Box& box, const Box& level, bool first);
  // The subresources of the part have content as a whole, or none.
  void Forget(const ImagePart& part);
  // Returns some texels of the box that no write has covered; nothing if the subresource is not
  // kept.
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
