// Loads the library long after the program has begun, as an OpenCL loader does with a layer:
// nothing is hooked then, and the end still comes after all static destructors.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "tests/host/probe.h"

namespace {

gpusan_probe_count_fn count;

struct Object {
  explicit Object(const char* what) : name(what) {}
  ~Object() {
    if (count != nullptr) count(-1);
  }
  const char* name;
};

// Registered for destruction before the library is loaded, and so destroyed after what it
// registers.
Object global("global");

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    puts(dlerror());
    return 1;
  }
  const auto activate =
      reinterpret_cast<gpusan_probe_activate_fn>(dlsym(library, "gpusan_probe_activate"));
  count = reinterpret_cast<gpusan_probe_count_fn>(dlsym(library, "gpusan_probe_count"));
  activate();
  count(+1);
  static Object local("local");
  count(+1);
  for (int i = 0; i < 100; ++i) free(realloc(malloc(5000), 9000));
  puts(dlclose(library) == 0 ? "closed" : "not closed");
  return 0;
}
