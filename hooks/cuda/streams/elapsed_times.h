// Times between events that a program asked for before the events were complete, and never got.
//
// A program may ask again until it gets the time, or do without the time of some rounds. So a
// finding needs the end of the process: no call of the same function of the program got a time, and
// no call got a time for the same events. Thread-safe; a fixed number of call sites is remembered.
#pragma once

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// Records a call that asked for the time between two events, and its result.
void NoteElapsedTime(CuCall& call, CUresult code, uintptr_t start, uintptr_t end);
// Reports the call sites that got no time. Call it when the process ends.
void ReportMissingTimes(Tracker& tracker);

}  // namespace gpusan::cuda
