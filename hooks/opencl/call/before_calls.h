// A function that runs before each call of the program is handled.
#pragma once

namespace gpusan {
class Tracker;
}

namespace gpusan::opencl {

// Runs `function` before each call, inside of a ReentryGuard and without locks. The calls then
// leave the fast way to the tracker. Not thread-safe: call it before the first intercepted call.
void RunBeforeCalls(void (*function)(Tracker& tracker));

}  // namespace gpusan::opencl
