// The cost of intercepted allocation and mapping calls.
#include "host_cases.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdlib>

namespace bench {
namespace {

void MallocPair(const Options& options, const char* name, size_t bytes) {
  if (!options.Wants(name, "host")) return;
  MeasureBatches(options, name, 5000, [bytes] {
    void* block = std::malloc(bytes);
    asm volatile("" : "+r"(block) : : "memory");  // the pair must not be optimised away
    std::free(block);
  });
}

}  // namespace

void RunHostCases(const Options& options) {
  // 1 MiB comes from the heap and not from mmap, whose cost in the kernel would hide any
  // difference.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  MallocPair(options, "malloc_16", 16);
  MallocPair(options, "malloc_2k", 2048);
  MallocPair(options, "malloc_1m", 1 << 20);
  if (options.Wants("mmap_64k", "host")) {
    MeasureBatches(options, "mmap_64k", 500, [] {
      void* mapping =
          mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      munmap(mapping, 65536);
    });
  }
}

}  // namespace bench
