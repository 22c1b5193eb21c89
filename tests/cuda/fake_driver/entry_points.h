// The table of what the library exports, generated from the toolkit's headers.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_ENTRY_POINTS_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_ENTRY_POINTS_H_

namespace fake {

// One signature of a function: since `version` (12080 is CUDA 12.8), `root` means `address`.
struct EntryPoint {
  const char* root;
  int version;
  bool per_thread;  // a _ptsz or _ptds variant
  void* address;
};

// Ends with a null root; a root's rows of one kind follow each other with rising versions.
extern const EntryPoint kEntryPoints[];

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_ENTRY_POINTS_H_
