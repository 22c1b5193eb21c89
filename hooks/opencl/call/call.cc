// The parts of a call that are off the hot path: real functions of other entry points, failures.
#include "hooks/opencl/call/call.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <string_view>

#include "hooks/opencl/call/device_faults.h"
#include "hooks/opencl/words/failure_clauses.h"

namespace gpusan::opencl {

void* ClCall::FindNext(const char* name) const {
  const Hooks& hooks = CurrentHooks();
  if ((path_ == kSymbolPath || path_ == kSymbolPath2) && hooks.symbol_beside != nullptr) {
    // The program looked up only the functions that it calls. The library that has those has the
    // function that the handler needs too.
    for (size_t offset = 0; offset < sizeof(cl_icd_dispatch); offset += sizeof(void*)) {
      const void* function = DriverFunctionAt(path_, offset);
      void* found = function != nullptr ? hooks.symbol_beside(name, function) : nullptr;
      if (found != nullptr) return found;  // otherwise the program has closed that library
    }
  }
  return hooks.next_symbol != nullptr ? hooks.next_symbol(name, return_address()) : nullptr;
}

bool ClCall::Refused() const {
  const FailureNotes* notes = failure_notes();
  return notes != nullptr && notes->unusable != 0 && CurrentHooks().shield;
}

cl_int ClCall::RefusalCode() const {
  const FailureNotes* notes = failure_notes();
  const KindMask kinds = notes != nullptr ? notes->unusable : 0;
  const std::string_view name = info().name;
  const auto any = [kinds](auto... kind) { return (kinds & AnyOf(kind...)) != 0; };
  if (any(ObjectKind::kEvent, ObjectKind::kUserEvent)) {
    return notes->unusable_in_list && name != "clWaitForEvents" ? CL_INVALID_EVENT_WAIT_LIST
                                                                : CL_INVALID_EVENT;
  }
  if (any(ObjectKind::kDevice)) return CL_INVALID_DEVICE;
  if (any(ObjectKind::kContext)) return CL_INVALID_CONTEXT;
  if (any(ObjectKind::kQueue)) return CL_INVALID_COMMAND_QUEUE;
  if (any(ObjectKind::kProgram)) return CL_INVALID_PROGRAM;
  if (any(ObjectKind::kKernel)) return CL_INVALID_KERNEL;
  if (name == "clEnqueueNDRangeKernel" || name == "clEnqueueTask") return CL_INVALID_KERNEL_ARGS;
  if (any(ObjectKind::kSampler)) return CL_INVALID_SAMPLER;
  if (any(ObjectKind::kBuffer, ObjectKind::kImage, ObjectKind::kPipe)) return CL_INVALID_MEM_OBJECT;
#ifdef CL_INVALID_COMMAND_BUFFER_KHR
  if (any(ObjectKind::kCommandBuffer)) return CL_INVALID_COMMAND_BUFFER_KHR;
#endif
#ifdef CL_INVALID_SEMAPHORE_KHR
  if (any(ObjectKind::kSemaphore)) return CL_INVALID_SEMAPHORE_KHR;
#endif
  return CL_INVALID_VALUE;
}

std::string ClCall::Clauses(cl_int code) const {
  const FailureNotes* notes = failure_notes();
  if (notes != nullptr && !notes->reason.empty()) return notes->reason;
  // A NULL or unknown argument explains the failure if a clause names that argument.
  const auto is_unknown = [notes](const Clause& clause) {
    return notes != nullptr && std::find(notes->unknown.begin(), notes->unknown.end(),
                                         clause.argument) != notes->unknown.end();
  };
  const absl::Span<const Clause> all = ClausesFor(info().name, code);
  const bool some_unknown = std::any_of(all.begin(), all.end(), is_unknown);
  std::string text;
  for (const Clause& clause : all) {
    if (some_unknown && !is_unknown(clause)) continue;
    if (!text.empty()) text += "; or ";
    text += ClauseText(clause);
  }
  return text;
}

void ClCall::DoneSlow(cl_int code) {
  if (code == CL_SUCCESS && AnyKeptFailure()) Succeeded(*this);
  Finish(code);
  if (code == CL_SUCCESS || explained()) return;
  if (ReportDeviceFault(*this, code) || failure_ignored_) return;
  Failure failure;
  failure.code = code;
  failure.facts = FailureFacts();
  failure.requested_bytes = requested_bytes_;
  failure.out_of_memory =
      too_large_ || code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
      code == CL_OUT_OF_HOST_MEMORY ||
      (requested_bytes_ != 0 && (code == CL_INVALID_BUFFER_SIZE || code == CL_INVALID_IMAGE_SIZE));
  failure.over_limit = too_large_;
  const std::string_view name = info().name;
  failure.of_launch =
      code == CL_OUT_OF_RESOURCES && (name == "clEnqueueNDRangeKernel" || name == "clEnqueueTask");
  failure.clauses = Clauses(code);
  Finding reported;
  tracker().ReportFailure(*this, failure, &reported);
  KeepFailure(*this, reported);
}

}  // namespace gpusan::opencl
