// Times between events that a program asked for before the events were complete, and never got
// (missing_times.h). Thread-safe.
#pragma once

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// Records a call that asked for the time between two events, and its result.
void NoteElapsedTime(CuCall& call, CUresult code, const RecordedEvent& start,
                     const RecordedEvent& end);
// Reports the call sites that got no time. Call it when the process ends.
void ReportMissingTimes(Tracker& tracker);

}  // namespace gpusan::cuda
