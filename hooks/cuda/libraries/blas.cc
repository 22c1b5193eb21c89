// The effects of cuBLAS and cuBLASLt.
#include "hooks/cuda/libraries/blas.h"

#include <cstddef>

namespace gpusan::cuda::blas {
namespace {

constinit Sibling g_stream("cublasGetStream_v2");
constinit Sibling g_pointer_mode("cublasGetPointerMode_v2");
constinit Sibling g_layout("cublasLtMatrixLayoutGetAttribute");
constinit Sibling g_description("cublasLtMatmulDescGetAttribute");

// Whether scalars are in host memory (CUBLAS_POINTER_MODE_HOST).
bool HostScalars(LibraryCall& call, void* handle) {
  auto* get = g_pointer_mode.Of<int(void*, int*)>(call.real());
  int mode = -1;
  return get != nullptr && get(handle, &mode) == 0 && mode == 0;
}

void AddProduct(LibraryCall& call, const Product& p, const Element& scalar, const void* d) {
  if (p.m <= 0 || p.n <= 0 || p.k <= 0 || MayBeZero(p.alpha, scalar)) return;
  const auto operand = [&](const Matrix& matrix, bool transposed, int64_t rows, int64_t columns) {
    call.Reads(matrix.pointer,
               MatrixRegion(transposed ? columns : rows, transposed ? rows : columns,
                            matrix.leading, matrix.element, p.batch, matrix.stride));
  };
  const Region c = MatrixRegion(p.m, p.n, p.c.leading, p.c.element, p.batch, p.c.stride);
  operand(p.a, p.transposed_a != 0, p.m, p.k);
  operand(p.b, p.transposed_b != 0, p.k, p.n);
  const bool reads_c = !MayBeZero(p.beta, scalar);
  if (reads_c && d != p.c.pointer) call.Reads(p.c.pointer, c);
  if (reads_c && d == p.c.pointer) {
    call.Updates(d, c);
  } else {
    call.Writes(d, c);
  }
}

Element ScalarOf(int compute, bool complex) {
  switch (compute) {
    case 2:   // CUDA_R_16F
    case 64:  // CUBLAS_COMPUTE_16F
    case 65:  // CUBLAS_COMPUTE_16F_PEDANTIC
      return kElementH;
    case 0:   // CUDA_R_32F
    case 68:  // CUBLAS_COMPUTE_32F
    case 69:  // CUBLAS_COMPUTE_32F_PEDANTIC
    case 74:  // CUBLAS_COMPUTE_32F_FAST_16F
    case 75:  // CUBLAS_COMPUTE_32F_FAST_16BF
    case 77:  // CUBLAS_COMPUTE_32F_FAST_TF32
      return complex ? kElementC : kElementS;
    case 1:   // CUDA_R_64F
    case 70:  // CUBLAS_COMPUTE_64F
    case 71:  // CUBLAS_COMPUTE_64F_PEDANTIC
      return complex ? kElementZ : kElementD;
    default:
      return {};
  }
}

}  // namespace

void Gemm(LibraryCall& call, void* handle, const Product& product, const Element& scalar) {
  if (!call.EnqueuesToStreamOf(handle, g_stream) || !HostScalars(call, handle)) return;
  AddProduct(call, product, scalar, product.c.pointer);
}

void GemmEx(LibraryCall& call, void* handle, const Product& product, int compute) {
  Gemm(call, handle, product, ScalarOf(compute, product.c.element.complex));
}

void Lt(LibraryCall& call, const void* compute, const void* alpha, const void* a,
        const void* a_layout, const void* b, const void* b_layout, const void* beta, const void* c,
        const void* c_layout, const void* d, const void* d_layout, const void* stream) {
  // The attributes of cublasLtMatrixLayout_t and cublasLtMatmulDesc_t that decide what is accessed.
  enum { kType, kOrder, kRows, kColumns, kLeading, kBatch, kStride, kPlane };
  enum { kComputeType, kScalarType, kPointerMode, kTransposedA, kTransposedB };
  using Get = int(const void*, int, void*, size_t, size_t*);
  auto* layout = g_layout.Of<Get>(call.real());
  auto* description = g_description.Of<Get>(call.real());
  if (layout == nullptr || description == nullptr || a_layout == nullptr || b_layout == nullptr ||
      c_layout == nullptr || d_layout == nullptr || compute == nullptr)
    return;
  size_t written = 0;
  struct Layout {
    int32_t type = -1, order = -1, batch = 0;
    int64_t rows = 0, columns = 0, leading = 0, stride = 0, plane = 0;
  };
  const auto read = [&](const void* from, Layout* to) {
    // Order 0 is CUBLASLT_ORDER_COL.
    return layout(from, kType, &to->type, 4, &written) == 0 &&
           layout(from, kOrder, &to->order, 4, &written) == 0 &&
           layout(from, kRows, &to->rows, 8, &written) == 0 &&
           layout(from, kColumns, &to->columns, 8, &written) == 0 &&
           layout(from, kLeading, &to->leading, 8, &written) == 0 &&
           layout(from, kBatch, &to->batch, 4, &written) == 0 &&
           layout(from, kStride, &to->stride, 8, &written) == 0 &&
           layout(from, kPlane, &to->plane, 8, &written) == 0 && to->order == 0 && to->plane == 0;
  };
  Layout of_a, of_b, of_c, of_d;
  int32_t scalar_type = -1, mode = -1;
  if (!read(a_layout, &of_a) || !read(b_layout, &of_b) || !read(d_layout, &of_d) ||
      (c_layout != d_layout && !read(c_layout, &of_c)) ||
      description(compute, kScalarType, &scalar_type, 4, &written) != 0 ||
      description(compute, kPointerMode, &mode, 4, &written) != 0 || mode != 0)
    return;
  if (c_layout == d_layout) of_c = of_d;
  const Element scalar = ElementOf(scalar_type);
  if (MayBeZero(alpha, scalar)) return;
  call.EnqueuesTo(stream);
  const auto region = [&](const Layout& one) {
    return MatrixRegion(one.rows, one.columns, one.leading, ElementOf(one.type), one.batch,
                        one.stride);
  };
  call.Reads(a, region(of_a));
  call.Reads(b, region(of_b));
  const bool reads_c = !MayBeZero(beta, scalar);
  if (reads_c && c != d) call.Reads(c, region(of_c));
  if (reads_c && c == d) {
    call.Updates(d, region(of_d));
  } else {
    call.Writes(d, region(of_d));
  }
}

void Gemv(LibraryCall& call, void* handle, int transposed, int64_t m, int64_t n, const void* alpha,
          const Matrix& a, const void* x, int64_t incx, const void* beta, const void* y,
          int64_t incy) {
  if (m <= 0 || n <= 0 || !call.EnqueuesToStreamOf(handle, g_stream) ||
      !HostScalars(call, handle) || MayBeZero(alpha, a.element))
    return;
  call.Reads(a.pointer, MatrixRegion(m, n, a.leading, a.element));
  call.Reads(x, VectorRegion(transposed != 0 ? m : n, a.element, incx));
  const Region result = VectorRegion(transposed != 0 ? n : m, a.element, incy);
  if (MayBeZero(beta, a.element)) {
    call.Writes(y, result);
  } else {
    call.Updates(y, result);
  }
}

void Trsm(LibraryCall& call, void* handle, int64_t m, int64_t n, const void* alpha,
          const Matrix& b) {
  if (!call.EnqueuesToStreamOf(handle, g_stream) || !HostScalars(call, handle) ||
      MayBeZero(alpha, b.element))
    return;
  call.Updates(b.pointer, MatrixRegion(m, n, b.leading, b.element));
}

void Axpy(LibraryCall& call, void* handle, int64_t n, const void* alpha, const Element& element,
          const void* x, int64_t incx, const void* y, int64_t incy) {
  if (!call.EnqueuesToStreamOf(handle, g_stream) || !HostScalars(call, handle) ||
      MayBeZero(alpha, element))
    return;
  call.Reads(x, VectorRegion(n, element, incx));
  call.Updates(y, VectorRegion(n, element, incy));
}

void Scal(LibraryCall& call, void* handle, int64_t n, const void* alpha, const Element& element,
          const void* x, int64_t incx) {
  // The library may read nothing for a factor of 0, and nothing for increments below 1.
  if (incx <= 0 || !call.EnqueuesToStreamOf(handle, g_stream) || !HostScalars(call, handle) ||
      MayBeZero(alpha, element))
    return;
  call.Updates(x, VectorRegion(n, element, incx));
}

void Copy(LibraryCall& call, void* handle, int64_t n, const Element& element, const void* x,
          int64_t incx, const void* y, int64_t incy) {
  if (!call.EnqueuesToStreamOf(handle, g_stream)) return;
  call.Reads(x, VectorRegion(n, element, incx));
  call.Writes(y, VectorRegion(n, element, incy));
}

void Swap(LibraryCall& call, void* handle, int64_t n, const Element& element, const void* x,
          int64_t incx, const void* y, int64_t incy) {
  if (!call.EnqueuesToStreamOf(handle, g_stream)) return;
  call.Updates(x, VectorRegion(n, element, incx));
  call.Updates(y, VectorRegion(n, element, incy));
}

void Reduce(LibraryCall& call, void* handle, int64_t n, const Element& element, const void* x,
            int64_t incx, const void* y, int64_t incy, const void* result,
            const Element& result_element) {
  // Norms and sums read nothing for increments below 1.
  if (n <= 0 || (y == nullptr && incx <= 0) || !call.EnqueuesToStreamOf(handle, g_stream)) return;
  call.Reads(x, VectorRegion(n, element, incx));
  call.Reads(y, VectorRegion(n, element, incy));
  // In host memory the address names no resource, unless it is page-locked: then the library has
  // written the result when it returns.
  if (!HostScalars(call, handle)) call.Writes(result, result_element.bytes);
}

}  // namespace gpusan::cuda::blas
