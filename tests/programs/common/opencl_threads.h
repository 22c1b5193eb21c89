// What the OpenCL programs share that make two calls at the same time.
#pragma once

#include <mutex>
#include <thread>

#include "common/extensions.h"

// Calls the function once inside of the next call of clSetKernelArg or clEnqueueNDRangeKernel, on the thread of that
// call, before the driver gets it. Needs OpenExtensions.
SHARED void CallInside(const char* call, void (*function)()) {
  char name[64], address[32];
  snprintf(name, sizeof(name), "GPUSAN_TEST_INSIDE_%s", call);
  snprintf(address, sizeof(address), "%llx", (unsigned long long)(uintptr_t)function);
  setenv(name, address, 1);
}

// A mutex for the calls of both threads.
[[maybe_unused]] static std::mutex the_mutex;

// Runs the function on a second thread. With DEFECT the second thread ends before the return, inside of the first
// thread's call. Without DEFECT the function waits for the_mutex, which the first thread holds during its call.
[[maybe_unused]] static std::thread second_thread;
SHARED void RunBeside(void (*function)()) {
  second_thread = std::thread(function);
#ifdef DEFECT
  second_thread.join();
#endif
}
SHARED void JoinSecond() {
  if (second_thread.joinable()) second_thread.join();
}
