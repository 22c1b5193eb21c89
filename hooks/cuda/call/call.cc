// One intercepted call of the CUDA driver, as handlers see it.
#include "hooks/cuda/call/call.h"

#include "hooks/common/site_cache.h"

namespace gpusan::cuda {

SiteId LightCall::site() {
  if (site_ != kUnknownSite) return site_;
  site_ = WarmSite(return_address_, frame_address_);
  if (site_ == kUnknownSite && tracker_.options().capture != nullptr) [[unlikely]]
    site_ = tracker_.options().capture(return_address_, frame_address_);
  return site_;
}

LightCall CuCall::light() {
  LightCall call(tracker(), cu_info_, return_address(), frame_address(), path_);
  call.site_ = site();
  return call;
}

SiteId CuCall::site() {
  if (!has_site()) SetSite(WarmSite(return_address(), frame_address()));
  return Call::site();
}

void CuCall::CheckUnknown(uintptr_t address, uint64_t bytes, const char* argument) {
  constexpr KindMask kMemory =
      AnyOf(ObjectKind::kDeviceMemory, ObjectKind::kManaged, ObjectKind::kPinned);
  if (tracker().CheckFailedCreation(*this, address, kMemory, argument)) return;
  HostBlock block;
  if (address == 0 || tracker().host_memory().Find(address, &block)) {
    tracker().CheckDevicePointer(*this, address, bytes, argument);
    return;
  }
  tracker().CheckFreedPointer(*this, address, argument);
  if (has_findings()) return;
  unknown_ = address;
  unknown_bytes_ = bytes;
  unknown_argument_ = argument;
}

}  // namespace gpusan::cuda
