// What a test program may ask the library it is preloaded with. The functions exist in
// libgpusan_probe.so alone, which is libgpusan.so plus these; without it (a bare run) Probe()
// answers nullptr for each.
#ifndef GPUSAN_TESTS_HOST_PROBE_H_
#define GPUSAN_TESTS_HOST_PROBE_H_

#include <dlfcn.h>
#include <stddef.h>

// As if a GPU API had been called for the first time: opens the record file.
typedef void (*gpusan_probe_activate_fn)(void);
// Adds to the number of live objects, which the end record tells.
typedef void (*gpusan_probe_count_fn)(int change);
// Size of the known block around the address and its offset in it; -1 if none.
typedef long (*gpusan_probe_find_fn)(const void* address, long* offset);
// From now on releases of blocks are counted; answers how many there were.
typedef int (*gpusan_probe_frees_fn)(void);
// Depth of the stack kept for the block around the address; 0 if none.
typedef int (*gpusan_probe_depth_fn)(const void* address);

static inline void* Probe(const char* name) { return dlsym(RTLD_DEFAULT, name); }

#define PROBE_CALL(name, ...)                                   \
  do {                                                          \
    gpusan_probe_##name##_fn probe_##name =                     \
        (gpusan_probe_##name##_fn)Probe("gpusan_probe_" #name); \
    if (probe_##name) probe_##name(__VA_ARGS__);                \
  } while (0)

#endif  // GPUSAN_TESTS_HOST_PROBE_H_
