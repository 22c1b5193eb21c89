// One intercepted call of the CUDA driver, as handlers see it.
#include "hooks/cuda/call/call.h"

#include "hooks/common/sites/site_cache.h"

namespace gpusan::cuda {

SiteId FastCall::CaptureSite() {
  site_ = WarmSite(return_address_, frame_address_);
  if (site_ == kUnknownSite && tracker_.shadow().options().capture != nullptr) [[unlikely]]
    site_ = tracker_.shadow().options().capture(return_address_, frame_address_);
  return site_;
}

SiteId CuCall::site() {
  if (!has_site()) SetSite(WarmSite(return_address(), frame_address()));
  return Call::site();
}

void CuCall::CheckUnknown(uintptr_t address, uint64_t bytes, const char* argument) {
  constexpr KindMask kMemory =
      AnyOf(ObjectKind::kDeviceMemory, ObjectKind::kManaged, ObjectKind::kPinned);
  // After a device fault every allocation fails, so NULL is its consequence.
  if (address == 0 && tracker().HasFaulted(Api::kCuda)) return;
  if (tracker().objects().CheckFailedCreation(*this, address, kMemory, argument)) return;
  HostBlock block;
  if (address == 0 || tracker().host_side().memory().Find(address, &block)) {
    tracker().pointers().CheckDevicePointer(*this, address, bytes, argument);
    return;
  }
  tracker().pointers().CheckFreedPointer(*this, address, argument);
  if (has_findings()) return;
  unknown_ = address;
  unknown_bytes_ = bytes;
  unknown_argument_ = argument;
}

}  // namespace gpusan::cuda
