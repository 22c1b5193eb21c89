// Shadow state of buffers, images and device memory, beside the tracker's Resource.
#include "hooks/vulkan/objects/resources.h"

#include <algorithm>

namespace gpusan::vulkan {

void PendingUses::KeepOthers(Epoch epoch, const HostClock& host) {
  Clock* clock = others.load(std::memory_order_relaxed);
  if (clock == nullptr) clock = new Clock;
  if (epoch.valid()) clock->Join(epoch);
  clock->Prune(host);
  others.store(clock, std::memory_order_relaxed);
  if (clock->empty()) DropOthers();
}

void PendingUses::DropOthers() { delete others.exchange(nullptr, std::memory_order_relaxed); }

void ContentMap::SetEach(const ImagePart& part, bool holds) {
  for (uint32_t layer = part.first_layer; layer < std::min(part.first_layer + part.layers, layers_);
       ++layer) {
    for (uint32_t mip = part.first_mip; mip < std::min(part.first_mip + part.mips, uint32_t{mips_});
         ++mip)
      SetOne(mip, layer, holds);
  }
}

}  // namespace gpusan::vulkan
