// The content of a command buffer.
#include "hooks/vulkan/recorder/recording.h"

#include <iterator>

namespace gpusan::vulkan {

void Recording::Grow() {
  size_t next = 0;
  if (!chunks_.empty()) {
    ends_.resize(chunks_.size());
    ends_[chunk_] = static_cast<size_t>(at_ - chunks_[chunk_].get());
    next = chunk_ + 1;
  }
  if (next == chunks_.size()) chunks_.emplace_back(new std::byte[kChunkBytes]);
  Enter(next);
}

bool Recording::FindKnown(const GivenMasks& masks) {
  for (size_t i = 0; i < std::size(recent_); ++i) {
    if (recent_[i].masks != masks || recent_[i].barrier == nullptr) continue;
    last_ = i;
    return true;
  }
  return false;
}

const ScopeBarrier* Recording::FindScopes(const GivenMasks& masks) {
  if (FindKnown(masks)) return recent_[last_].barrier;
  last_ = oldest_;
  const auto& record = *new (Take(sizeof(RecordedScopes))) RecordedScopes{
      {RecordedScopes::kKind, false, sizeof(RecordedScopes), kUnknownSite, nullptr}, Expand(masks)};
  recent_[oldest_] = {masks, &record.barrier};
  oldest_ = (oldest_ + 1) % std::size(recent_);
  return &record.barrier;
}

}  // namespace gpusan::vulkan
