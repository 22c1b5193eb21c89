// See the header.
#include "hooks/cuda/call/call.h"

#include "hooks/common/site_cache.h"
#include "hooks/cuda/explain/failure_clauses.h"
#include "hooks/cuda/explain/faults.h"
#include "hooks/cuda/memory/memory.h"
#include "hooks/cuda/streams/capture.h"
#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

SiteId LightCall::site() {
  if (site_ != kUnknownSite) return site_;
  site_ = WarmSite(return_address_, frame_address_);
  if (site_ == kUnknownSite && tracker_.options().capture != nullptr) [[unlikely]]
    site_ = tracker_.options().capture(return_address_, frame_address_);
  return site_;
}

LightCall CuCall::light() {
  LightCall call(tracker(), cu_info_, return_address(), frame_address(), door_);
  call.site_ = site();
  return call;
}

SiteId CuCall::site() {
  if (!has_site()) SetSite(WarmSite(return_address(), frame_address()));
  return Call::site();
}

Context* CuCall::current() {
  if (asked_current_) return current_;
  asked_current_ = true;
  const auto get = GPUSAN_CU_REAL(cuCtxGetCurrent);
  CUcontext context = nullptr;
  if (get == nullptr || get(&context) != CUDA_SUCCESS) return nullptr;
  return current_ = ContextOf(*this, HandleOf(context));
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

CUresult CuCall::DoneSlow(CUresult code) {
  if (code == CUDA_ERROR_INVALID_VALUE && unknown_argument_ != nullptr)
    tracker().CheckDevicePointer(*this, unknown_, unknown_bytes_, unknown_argument_);
  if (IsFault(code)) {
    if (has_findings()) Finish(code);
    ReportFault(*this, code);
    Finish(code);
    return code;
  }
  const bool tried = Has(RuleId::kModuleInvalid);  // a note of it says it all
  Finish(code);
  if (code == CUDA_SUCCESS || explained() || tried) return code;
  Failure failure;
  failure.code = code;
  failure.facts = FailureFacts();
  failure.requested_bytes = requested_bytes_;
  failure.out_of_memory = code == CUDA_ERROR_OUT_OF_MEMORY;
  if (failure.out_of_memory) AddMemoryState(&failure);
  failure.tolerated = IsTolerated(info().name, code);
  failure.clauses = ClausesFor(info().name, code);
  if (code >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
      code <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD)
    ExplainCaptureFailure(*this, &failure);
  tracker().ReportFailure(*this, failure);
  return code;
}

}  // namespace gpusan::cuda
