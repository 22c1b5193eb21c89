#include "instant_blas.h"

#include <cstring>

int cublasGetStream_v2(void* handle, void** stream) {
  *stream = handle;
  return 0;
}
int cublasGetPointerMode_v2(void*, int* mode) {
  *mode = 0;
  return 0;
}
int cublasSgemm_v2(void*, int, int, int, int, int, const float*, const float*, int, const float*,
                   int, const float*, float*, int) {
  return 0;
}

size_t cublasLtGetVersion() { return 130000; }
int cublasLtMatrixLayoutGetAttribute(const LtLayout* layout, int attribute, void* value,
                                     size_t size, size_t* written) {
  std::memcpy(value, &layout->data[attribute], size);
  *written = size;
  return 0;
}
// Floats, and scalars in host memory.
int cublasLtMatmulDescGetAttribute(const void*, int, void* value, size_t size, size_t* written) {
  std::memset(value, 0, size);
  *written = size;
  return 0;
}
int cublasLtMatmul(void*, const void*, const void*, const void*, const LtLayout*, const void*,
                   const LtLayout*, const void*, const void*, const LtLayout*, void*,
                   const LtLayout*, const void*, void*, size_t, void*) {
  return 0;
}
