// What a soak program has of memory, as it says itself: into the file that SOAK_MEMORY names, if
// any, a line "SECONDS RSS IN_USE" at a time.
//
// IN_USE is what malloc has given out of its heap, and what is resident of anonymous mappings
// outside of it: blocks of malloc's with a mapping of their own, stacks, a driver's pools and
// gpusan's slabs. Unlike Rss it does not depend on the holes that a heap has, nor on where in them
// small blocks come to lie. MALLOC_ARENA_MAX=1 keeps all of the heap in the one mapping that the
// kernel calls [heap].
#pragma once

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace soak {

inline bool TellsMemory() {
  static const bool tells = getenv("SOAK_MEMORY") != nullptr;
  return tells;
}

// Bytes; 0 when the kernel does not say.
struct Resident {
  long all = 0;
  long anonymous = 0;  // of mappings without a name
};
inline Resident ReadResident() {
  Resident sum;
  // Small, and gone before malloc is asked.
  FILE* file = fopen("/proc/self/smaps", "re");
  if (file == nullptr) return sum;
  char line[4200];
  bool unnamed = false;
  while (fgets(line, sizeof(line), file) != nullptr) {
    unsigned long begin, end, inode;
    char access[5], device[16];
    long kib = 0;
    int name = 0;
    if (sscanf(line, "%lx-%lx %4s %*x %15s %lu %n", &begin, &end, access, device, &inode, &name) ==
        5) {
      unnamed = name == 0 || line[name] == '\0' || line[name] == '\n';
    } else if (sscanf(line, "Rss: %ld kB", &kib) == 1) {
      sum.all += kib * 1024;
      if (unnamed) sum.anonymous += kib * 1024;
    }
  }
  fclose(file);
  return sum;
}

inline void NoteMemory(double seconds) {
  if (!TellsMemory()) return;
  static FILE* const file = fopen(getenv("SOAK_MEMORY"), "we");
  if (file == nullptr) return;
  const Resident resident = ReadResident();
  fprintf(file, "%.3f %ld %ld\n", seconds, resident.all,
          static_cast<long>(mallinfo2().uordblks) + resident.anonymous);
  fflush(file);
}

}  // namespace soak
