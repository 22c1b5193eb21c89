// A file that is loaded and unloaded: its constructors allocate, and it asks for its own successor.
#include <dlfcn.h>

#include <string>
#include <vector>

namespace {
std::vector<std::string> global(20, std::string(2000, 'x'));
}

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int gpusan_test_who() { return 2; }

EXPORT int gpusan_test_work(int value) {
  std::vector<int> numbers(5000, value);
  return numbers[4999] + static_cast<int>(global.size());
}

// RTLD_NEXT goes by who asks: behind this file there is no other definition.
EXPORT int gpusan_test_next_who() {
  auto* next = reinterpret_cast<int (*)()>(dlsym(RTLD_NEXT, "gpusan_test_who"));
  return next != nullptr ? next() : 0;
}

EXPORT int clPluginName() { return 3; }
EXPORT int clOtherName() { return 4; }
