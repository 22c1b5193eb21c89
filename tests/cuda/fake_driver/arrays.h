// CUDA arrays and mipmapped arrays.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_ARRAYS_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_ARRAYS_H_

#include <cuda.h>

#include <memory>
#include <vector>

#include "state.h"

namespace fake {

struct Array {
  ~Array();
  CUDA_ARRAY3D_DESCRIPTOR description{};
  uintptr_t storage = 0;  // in the arena; the program knows no address of it
  size_t bytes = 0;
  bool owns_storage = true;  // a mipmap's level does not
  int device = 0;
  std::weak_ptr<Context> context;
  size_t element_bytes() const;  // of a texel
  size_t row_bytes() const { return description.Width * element_bytes(); }
  size_t rows() const { return description.Height == 0 ? 1 : description.Height; }
  size_t slices() const { return description.Depth == 0 ? 1 : description.Depth; }
};

struct MipmappedArray {
  std::vector<std::shared_ptr<Array>> levels;
  CUDA_ARRAY3D_DESCRIPTOR description{};
};

extern Handles<CUarray, Array>& arrays;
extern Handles<CUmipmappedArray, MipmappedArray>& mipmapped_arrays;

// Bytes of one channel; 0 for a format the fake does not know.
size_t ChannelBytes(CUarray_format format);

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_ARRAYS_H_
