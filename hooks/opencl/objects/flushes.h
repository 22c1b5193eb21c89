// The commands that the program has flushed. A command of another queue may wait for the event of a
// command only after the flush (OpenCL 3.0 §5.15).
#pragma once

#include "absl/types/span.h"
#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// The functions below are thread-safe.

// The call flushes the queue with this handle, which may be any value.
void NoteFlush(ClCall& call, uintptr_t queue);
// The call flushes the queues of these events.
void NoteFlush(ClCall& call, absl::Span<Event* const> events);

// Adds a finding if `command`, which has ended and for which the host has waited, waited for an
// event of another in-order queue whose command was not flushed. Call it before the host clock
// counts `command` as complete.
void CheckFlushed(ClCall& call, const Command& command, absl::Span<Event* const> waits);

}  // namespace gpusan::opencl
