// What the programs share that make two calls at the same time.
#pragma once

#include <mutex>
#include <thread>

#include "common/vulkan.h"

// Opens the device with the layer in tests/vulkan/fault_layer, for CallInside.
[[maybe_unused]] static void OpenForThreads(Wanted wanted = {}) {
  wanted.calls_back = true;
  Open(wanted);
}

// Calls the function once inside of the next call of the Vulkan function `call`, on the thread of
// that call, before the driver gets it. vkQueueSubmit and others of tests/vulkan/fault_layer.
[[maybe_unused]] static void CallInside(const char* call, void (*function)()) {
  char text[128];
  snprintf(text, sizeof(text), "%s:%llx", call,
           static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(function)));
  setenv("GPUSAN_TEST_INSIDE", text, 1);
}

// A mutex for the calls of both threads.
[[maybe_unused]] static std::mutex the_mutex;

// Runs the function on a second thread. With DEFECT the second thread ends before the return, inside
// of the first thread's call. Without DEFECT the function waits for the_mutex, which the first thread
// holds during its call.
[[maybe_unused]] static std::thread second_thread;
[[maybe_unused]] static void RunBeside(void (*function)()) {
  second_thread = std::thread(function);
#ifdef DEFECT
  second_thread.join();
#endif
}
[[maybe_unused]] static void JoinSecond() {
  if (second_thread.joinable()) second_thread.join();
}
