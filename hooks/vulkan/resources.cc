// See the header.
#include "hooks/vulkan/resources.h"

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

void ContentMap::Set(const ImagePart& part, bool holds) {
  if (all_) return;
  for (uint32_t layer = part.first_layer; layer < std::min(part.first_layer + part.layers, layers_);
       ++layer) {
    for (uint32_t mip = part.first_mip; mip < std::min(part.first_mip + part.mips, uint32_t{mips_});
         ++mip) {
      const uint64_t bit = Bit(mip, layer);
      const uint64_t mask = uint64_t{1} << bit % 64;
      uint64_t& word = words()[bit / 64];
      word = holds ? word | mask : word & ~mask;
    }
  }
}

}  // namespace gpusan::vulkan
