// The memory of the main program that the program cannot write, such as its constants.
#pragma once

#include <cstdint>

namespace gpusan {

namespace read_only_internal {
// The mapped parts of the main program's file, up to its first writable byte.
struct Image {
  uintptr_t begin = 0;
  uintptr_t bytes = 0;
};
Image FindImage();
}  // namespace read_only_internal

// Returns false if the address is not in the constants or the code of the main program. True means
// that it may be: then IsReadOnly decides. Costs two loads after the first call. Thread-safe.
inline bool MayBeReadOnly(uintptr_t address) {
  static const read_only_internal::Image image = read_only_internal::FindImage();
  return address - image.begin < image.bytes;
}

// Returns whether the program cannot write the byte at `address`, which is mapped. Reads
// /proc/self/maps, so call it only after MayBeReadOnly. Returns false if the file cannot be read.
// Thread-safe.
bool IsReadOnly(uintptr_t address);

}  // namespace gpusan
