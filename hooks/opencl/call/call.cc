// The parts of a call that are off the hot path: real functions of other entry points, failures.
#include "hooks/opencl/call/call.h"

#include "hooks/opencl/words/failure_clauses.h"

namespace gpusan::opencl {

void* ClCall::FindNext(const char* name) const {
  const Hooks& hooks = CurrentHooks();
  if ((path_ == kSymbolPath || path_ == kSymbolPath2) && hooks.symbol_beside != nullptr) {
    // The program looked up only the functions that it calls. The library that has those has the
    // function that the handler needs too.
    for (size_t offset = 0; offset < sizeof(cl_icd_dispatch); offset += sizeof(void*)) {
      const void* function = RealFunctionAt(path_, offset);
      void* found = function != nullptr ? hooks.symbol_beside(name, function) : nullptr;
      if (found != nullptr) return found;  // otherwise the program has closed that library
    }
  }
  return hooks.next_symbol != nullptr ? hooks.next_symbol(name, return_address()) : nullptr;
}

void ClCall::DoneSlow(cl_int code) {
  Finish(code);
  if (code == CL_SUCCESS || explained() || failure_ignored_) return;
  Failure failure;
  failure.code = code;
  failure.facts = FailureFacts();
  failure.requested_bytes = requested_bytes_;
  failure.out_of_memory =
      too_large_ || code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
      code == CL_OUT_OF_HOST_MEMORY ||
      (requested_bytes_ != 0 && (code == CL_INVALID_BUFFER_SIZE || code == CL_INVALID_IMAGE_SIZE));
  for (const Clause& clause : ClausesFor(info().name, code)) {
    if (!failure.clauses.empty()) failure.clauses += "; or ";
    failure.clauses += ClauseText(clause);
  }
  tracker().ReportFailure(*this, failure);
}

}  // namespace gpusan::opencl
