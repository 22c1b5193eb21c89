// The effects of the rows of blas.def: cuBLAS and cuBLASLt.
//
// Rows describe calls whose scalars are in host memory and not 0: with a factor of 0 cuBLAS leaves
// operands out. All other calls stay unknown.
#pragma once

#include "hooks/cuda/libraries/elements.h"
#include "hooks/cuda/libraries/library_call.h"

namespace gpusan::cuda::blas {

inline constexpr int kNotInitialized = 1;  // CUBLAS_STATUS_NOT_INITIALIZED

// One matrix of a product; sizes in elements.
struct Matrix {
  const void* pointer;
  Element element;
  int64_t leading;
  int64_t stride = 0;  // between the matrices of a batch
};

struct Product {
  int transposed_a, transposed_b;  // cublasOperation_t: 0 is CUBLAS_OP_N
  int64_t m, n, k;
  const void* alpha;
  Matrix a, b;
  const void* beta;
  Matrix c;
  int64_t batch = 1;
};

// c = alpha * a * b + beta * c. `scalar`: of alpha and beta.
void Gemm(LibraryCall& call, void* handle, const Product& product, const Element& scalar);
// As Gemm, for the functions that take types. `compute`: cublasComputeType_t, or cudaDataType_t in
// programs built for CUDA 10.
void GemmEx(LibraryCall& call, void* handle, const Product& product, int compute);
void Lt(LibraryCall& call, const void* compute, const void* alpha, const void* a,
        const void* a_layout, const void* b, const void* b_layout, const void* beta, const void* c,
        const void* c_layout, const void* d, const void* d_layout, const void* stream);

// y = alpha * op(a) * x + beta * y
void Gemv(LibraryCall& call, void* handle, int transposed, int64_t m, int64_t n, const void* alpha,
          const Matrix& a, const void* x, int64_t incx, const void* beta, const void* y,
          int64_t incy);
// b = alpha * op(triangle)^-1 * b: b only
void Trsm(LibraryCall& call, void* handle, int64_t m, int64_t n, const void* alpha,
          const Matrix& b);
void Axpy(LibraryCall& call, void* handle, int64_t n, const void* alpha, const Element& element,
          const void* x, int64_t incx, const void* y, int64_t incy);
// x = alpha * x
void Scal(LibraryCall& call, void* handle, int64_t n, const void* alpha, const Element& element,
          const void* x, int64_t incx);
void Copy(LibraryCall& call, void* handle, int64_t n, const Element& element, const void* x,
          int64_t incx, const void* y, int64_t incy);
void Swap(LibraryCall& call, void* handle, int64_t n, const Element& element, const void* x,
          int64_t incx, const void* y, int64_t incy);
// Reads x, and y if it is not NULL, and writes the result, which may be in device memory.
void Reduce(LibraryCall& call, void* handle, int64_t n, const Element& element, const void* x,
            int64_t incx, const void* y, int64_t incy, const void* result,
            const Element& result_element);

}  // namespace gpusan::cuda::blas
