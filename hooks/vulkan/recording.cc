// See the header.
#include "hooks/vulkan/recording.h"

#include <iterator>

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

const ScopeBarrier* Recording::AddScopes(const GivenMasks& masks) {
  const auto& record = *new (Take(sizeof(RecordedScopes))) RecordedScopes{
      {RecordedScopes::kKind, false, sizeof(RecordedScopes), kUnknownSite, nullptr}, Expand(masks)};
  recent_[oldest_] = {masks, &record.barrier};
  oldest_ = (oldest_ + 1) % std::size(recent_);
  return &record.barrier;
}

}  // namespace gpusan::vulkan
