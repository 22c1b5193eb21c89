// See the header.
#include "hooks/vulkan/recording.h"

namespace gpusan::vulkan {

void Recording::Grow() {
  if (!chunks_.empty()) {
    ends_.resize(chunks_.size());
    ends_[chunk_] = used_;
    ++chunk_;
  }
  if (chunk_ == chunks_.size()) chunks_.emplace_back(new std::byte[kChunkBytes]);
  used_ = 0;
}

}  // namespace gpusan::vulkan
