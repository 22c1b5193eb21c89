// Functions of cuBLAS and cuBLASLt that return at once, for cuda_own_cost. Their signatures and the
// size of a layout are those of the libraries.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
int cublasGetStream_v2(void* handle, void** stream);  // the handle is the stream
int cublasGetPointerMode_v2(void* handle, int* mode);
int cublasSgemm_v2(void* handle, int transa, int transb, int m, int n, int k, const float* alpha,
                   const float* a, int lda, const float* b, int ldb, const float* beta, float* c,
                   int ldc);

// One member an attribute: type, order, rows, columns, leading dimension, batch, stride, plane.
struct LtLayout {
  uint64_t data[8];
};
size_t cublasLtGetVersion();
int cublasLtMatrixLayoutGetAttribute(const LtLayout* layout, int attribute, void* value,
                                     size_t size, size_t* written);
int cublasLtMatmulDescGetAttribute(const void* description, int attribute, void* value, size_t size,
                                   size_t* written);
int cublasLtMatmul(void* handle, const void* description, const void* alpha, const void* a,
                   const LtLayout* a_layout, const void* b, const LtLayout* b_layout,
                   const void* beta, const void* c, const LtLayout* c_layout, void* d,
                   const LtLayout* d_layout, const void* algorithm, void* workspace, size_t bytes,
                   void* stream);
}
