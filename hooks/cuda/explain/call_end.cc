// The end of a call that failed or that has findings.
#include <string_view>

#include "hooks/common/retried_failures.h"
#include "hooks/cuda/call/call.h"
#include "hooks/cuda/call/error_codes.h"
#include "hooks/cuda/call/runtimes.h"
#include "hooks/cuda/explain/failure_clauses.h"
#include "hooks/cuda/explain/faults.h"
#include "hooks/cuda/graphs/running_host_functions.h"
#include "hooks/cuda/memory/memory.h"
#include "hooks/cuda/streams/capture.h"

namespace gpusan::cuda {

namespace {

// Returns whether a CUDA runtime makes the call without a context. It then creates the context and
// repeats the call. The runtime does so only if the first call of a program is an allocation or a
// free in stream order. The caller is unknown under CUPTI.
bool RuntimeRepeats(CuCall& call, CUresult code) {
  if (code != CUDA_ERROR_INVALID_CONTEXT || call.current() != nullptr) return false;
  const std::string_view name = call.info().name;
  const auto is = [&](std::string_view function) { return name.starts_with(function); };
  return (is("cuMemAllocAsync") || is("cuMemAllocFromPoolAsync") || is("cuMemFreeAsync")) &&
         (call.path() == AttachPath::kCupti || IsInRuntime(call.return_address()));
}

}  // namespace

CUresult CuCall::DoneSlow(CUresult code) {
  if (code == CUDA_SUCCESS && AnyKeptFailure()) Succeeded(*this);
  if (code == CUDA_ERROR_INVALID_VALUE && unknown_argument_ != nullptr)
    tracker().pointers().CheckDevicePointer(*this, unknown_, unknown_bytes_, unknown_argument_);
  if (IsFault(code)) {
    if (has_findings()) Finish(code);
    ReportFault(*this, code);
    Finish(code);
    return code;
  }
  const bool tried = Has(RuleId::kModuleInvalid);  // the module's note explains the failure
  Finish(code);
  if (code == CUDA_SUCCESS || explained() || tried) return code;
  Failure failure;
  failure.code = code;
  failure.facts = FailureFacts();
  failure.requested_bytes = requested_bytes_;
  failure.out_of_memory = code == CUDA_ERROR_OUT_OF_MEMORY;
  if (failure.out_of_memory) AddMemoryState(&failure);
  failure.tolerated = IsTolerated(info().name, code) || RuntimeRepeats(*this, code);
  failure.clauses = ClausesFor(info().name, code);
  if (code >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
      code <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD)
    ExplainCaptureFailure(*this, &failure);
  if (SiteId enqueued = kUnknownSite;
      code == CUDA_ERROR_NOT_PERMITTED && RunsHostFunction(&enqueued)) {
    failure.clauses =
        "a host function or callback of a stream must not call CUDA functions (CUDA driver API, "
        "cuLaunchHostFunc and cuStreamAddCallback)";
    failure.role = "host-function";
    if (enqueued != kUnknownSite) failure.party = "the host function was enqueued";
    failure.party_site = enqueued;
  }
  Finding reported;
  tracker().ReportFailure(*this, failure, &reported);
  if (failure.out_of_memory && !reported.what.empty())
    NoteOutOfMemory(*this, reported, requested_bytes_);
  else
    KeepFailure(*this, reported);
  return code;
}

}  // namespace gpusan::cuda
