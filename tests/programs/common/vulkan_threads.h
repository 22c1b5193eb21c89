// What the programs share that make two calls at the same time, or end while a call waits.
#pragma once

#include <atomic>
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

// A mutex for the calls of both threads, and what holds it.
[[maybe_unused]] static std::mutex the_mutex;
[[maybe_unused]] static std::atomic<bool> held{false};
struct Lock {
  Lock() {
    the_mutex.lock();
    held = true;
  }
  ~Lock() {
    held = false;
    the_mutex.unlock();
  }
};

// Runs the function on a second thread, from inside of a call of the first thread. If the first
// thread holds no Lock, the second thread ends before the return.
[[maybe_unused]] static std::thread second_thread;
[[maybe_unused]] static void RunBeside(void (*function)()) {
  const bool locked = held;
  second_thread = std::thread(function);
  if (!locked) second_thread.join();
}
[[maybe_unused]] static void JoinSecond() {
  if (second_thread.joinable()) second_thread.join();
}

// A second thread that ends the process when the first thread is inside of the call. That thread
// then stays there. The second thread records into a command pool of its own before.
[[maybe_unused]] static std::atomic<bool> ready{false}, entered{false};
[[maybe_unused]] static void EndDuring(const char* call) {
  std::thread([] {
    VkCommandPoolCreateInfo info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    info.queueFamilyIndex = family;
    VkCommandPool own;
    OK(vkCreateCommandPool(device, &info, nullptr, &own));
    OK(vkResetCommandPool(device, own, 0));
    vkDestroyCommandPool(device, own, nullptr);
    ready = true;
    while (!entered) std::this_thread::yield();
    exit(0);
  }).detach();
  while (!ready) std::this_thread::yield();
  CallInside(call, [] {
    entered = true;
    for (;;) std::this_thread::yield();
  });
}
