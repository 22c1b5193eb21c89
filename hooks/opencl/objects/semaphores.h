// The order that semaphores of cl_khr_semaphore carry between queues, and the handlers of their
// creation, retain and release.
#pragma once

#include <cstdint>

#include "hooks/opencl/objects/queries.h"
#include "hooks/opencl/objects/references.h"
#include "hooks/opencl/words/extension_types.h"

#ifdef cl_khr_semaphore
namespace gpusan::opencl {

inline constexpr KindMask kSemaphore = MaskOf(ObjectKind::kSemaphore);

struct SemaphoreWait {
  uint64_t number = 0;  // of this wait; the first wait for a semaphore has number 1
  // Another API can signal the semaphore, or its type has payloads. The wait may be ordered after
  // any command that was enqueued before it.
  bool foreign = false;
  bool signalled = false;  // the signal with the same number has been enqueued
  Snapshot point;          // of the last signal
};

// Counts a signal at `point` and returns its number. The first signal of a semaphore has number 1.
// Thread-safe.
uint64_t NoteSignal(const Object& semaphore, const Snapshot& point);

// Counts a wait. Thread-safe.
SemaphoreWait NoteWait(const Object& semaphore);

namespace handlers {

struct clCreateSemaphoreWithPropertiesKHR : InContext {
  AfterOf<clCreateSemaphoreWithPropertiesKHR_fn> After;
};

struct clRetainSemaphoreKHR : RetainHandler {
  BeforeOf<clRetainSemaphoreKHR_fn> Before;
};

struct clReleaseSemaphoreKHR : ReleaseHandler {
  BeforeOf<clReleaseSemaphoreKHR_fn> Before;
};

struct clGetSemaphoreInfoKHR : QueryHandler {
  BeforeOf<clGetSemaphoreInfoKHR_fn> Before;
};

#ifdef cl_khr_external_semaphore
struct clGetSemaphoreHandleForTypeKHR : QueryHandler {
  BeforeOf<clGetSemaphoreHandleForTypeKHR_fn> Before;
};
#endif

}  // namespace handlers
}  // namespace gpusan::opencl
#endif
