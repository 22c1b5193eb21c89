// Uses the library before its constructor has run and after main: from static objects of the
// program, from a shared file's constructors, and from a thread-local's destructor.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "tests/host/probe.h"

extern "C" int gpusan_test_early_blocks();

namespace {

struct Object {
  Object() : memory(50000) { PROBE_CALL(count, +1); }
  ~Object() {
    PROBE_CALL(count, -1);
    memory[0] = 1;
  }
  std::vector<char> memory;
};

// Destroyed after main; created before it.
Object global;

struct Late {
  ~Late() { free(malloc(100000)); }
};
thread_local Late late;

}  // namespace

int main() {
  PROBE_CALL(activate);
  static Object local;
  // Outlives every static object and is still released before the process is taken to have ended.
  atexit([] { free(malloc(70000)); });
  std::thread([] {
    std::make_unique<Object>()->memory[1] = 2;
    (void)&late;
  }).join();
  printf("early blocks %d\n", gpusan_test_early_blocks());
  return 0;
}
