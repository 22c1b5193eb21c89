// The effects of cuBLAS and cuBLASLt.
#include "hooks/cuda/libraries/blas.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "hooks/common/sites/modules.h"
#include "tracker/base/slab.h"

namespace gpusan::cuda::blas {
namespace {

constinit Sibling g_stream("cublasGetStream_v2");
constinit Sibling g_pointer_mode("cublasGetPointerMode_v2");
constinit Sibling g_version("cublasLtGetVersion");
constinit Sibling g_layout("cublasLtMatrixLayoutGetAttribute");
constinit Sibling g_description("cublasLtMatmulDescGetAttribute");

// Whether scalars are in host memory (CUBLAS_POINTER_MODE_HOST).
bool HostScalars(LibraryCall& call, void* handle) {
  auto* get = g_pointer_mode.Of<int(void*, int*)>(call.real());
  int mode = -1;
  return get != nullptr && get(handle, &mode) == 0 && mode == 0;
}

// Adds the access to the result of a product, of which `c` is an operand if `reads_c`. The result
// may be in place of `c`.
void AddResult(LibraryCall& call, Operand c_operand, const void* c, const Region& c_region,
               bool reads_c, Operand operand, const void* result, const Region& region) {
  if (reads_c && c == result) return call.Updates(operand, result, region);
  if (reads_c) call.Reads(c_operand, c, c_region);
  call.Writes(operand, result, region);
}

void AddProduct(LibraryCall& call, const Product& p, const Element& scalar, const void* d) {
  if (p.m <= 0 || p.n <= 0 || p.k <= 0 || MayBeZero(p.alpha, scalar)) return;
  const auto read = [&](Operand operand, const Matrix& matrix, bool transposed, int64_t rows,
                        int64_t columns) {
    call.Reads(operand, matrix.pointer,
               MatrixRegion(transposed ? columns : rows, transposed ? rows : columns,
                            matrix.leading, matrix.element, p.batch, matrix.stride));
  };
  const Region c = MatrixRegion(p.m, p.n, p.c.leading, p.c.element, p.batch, p.c.stride);
  read(Operand::kA, p.a, p.transposed_a != 0, p.m, p.k);
  read(Operand::kB, p.b, p.transposed_b != 0, p.k, p.n);
  AddResult(call, Operand::kC, p.c.pointer, c, !MayBeZero(p.beta, scalar), Operand::kC, d, c);
  call.Computes();
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

// The function that gets an attribute of an object of cuBLASLt: object, attribute, result, its
// size, and the size that the library has written.
using GetAttribute = int(const void*, int, void*, size_t, size_t*);

// Returns the region of a matrix with the layout `object` (cublasLtMatrixLayout_t). Empty if the
// attributes are not known, or if the matrix is not stored by columns.
Region ReadRegion(GetAttribute* get, const void* object) {
  enum { kType, kOrder, kRows, kColumns, kLeading, kBatch, kStride, kPlane };
  int32_t type = -1, order = -1, batch = 0;
  int64_t rows = 0, columns = 0, leading = 0, stride = 0, plane = 0;
  size_t written = 0;
  // Order 0 is CUBLASLT_ORDER_COL.
  const bool by_columns = get(object, kType, &type, 4, &written) == 0 &&
                          get(object, kOrder, &order, 4, &written) == 0 &&
                          get(object, kRows, &rows, 8, &written) == 0 &&
                          get(object, kColumns, &columns, 8, &written) == 0 &&
                          get(object, kLeading, &leading, 8, &written) == 0 &&
                          get(object, kBatch, &batch, 4, &written) == 0 &&
                          get(object, kStride, &stride, 8, &written) == 0 &&
                          get(object, kPlane, &plane, 8, &written) == 0 && order == 0 && plane == 0;
  return by_columns ? MatrixRegion(rows, columns, leading, ElementOf(type), batch, stride)
                    : Region::Linear(0, 0);
}

// Whether layouts of the cuBLASLt that contains `real` have 64 B, as in versions 11 to 13.
bool HasKnownLayouts(const void* real) {
  auto* version = g_version.Of<size_t()>(real);
  const size_t major = version != nullptr ? version() / 10000 : 0;
  return major >= 11 && major <= 13;
}

// The regions of recent layouts, by the content of the layout. Without them, each product asks the
// library for eight attributes of up to four layouts. Each of the first threads has regions of its
// own, so that a product needs no lock; other threads have none. Thread-safe.
class RecentLayouts {
 public:
  // As ReadRegion. Requires HasKnownLayouts.
  Region Find(GetAttribute* get, const void* object) {
    Content content;
    std::memcpy(&content, object, sizeof(content));
    const unsigned thread = ThreadShard();
    if (thread >= kThreads) return ReadRegion(get, object);
    const uint32_t epoch = module_epoch.load(std::memory_order_acquire);
    Entry& entry = of_threads_[thread].entries[IndexOf(content)];
    if (entry.get != get || entry.epoch != epoch || entry.content != content)
      entry = {get, epoch, content, ReadRegion(get, object)};
    return entry.region;
  }

 private:
  // The members of cublasLtMatrixLayoutOpaque_t, which are plain values: programs may have layouts
  // on the stack (cublasLtMatrixLayoutInit) and may copy them.
  using Content = std::array<uint64_t, 8>;
  struct Entry {
    GetAttribute* get = nullptr;
    uint32_t epoch = 0;  // module_epoch: another library may get the address of `get`
    Content content = {};
    Region region;
  };
  static constexpr int kEntryBits = 4;
  static constexpr unsigned kThreads = 16;

  static size_t IndexOf(const Content& content) {
    uint64_t sum = 0;
    for (const uint64_t word : content) sum = (sum ^ word) * 0x9e3779b97f4a7c15;
    return sum >> (64 - kEntryBits);
  }

  struct alignas(64) OfThread {
    Entry entries[1 << kEntryBits];
  };

  OfThread of_threads_[kThreads];  // by ThreadShard
};
constinit RecentLayouts g_layouts;

// Stores the type of the scalars of a cublasLtMatmulDesc_t. Returns false if the attributes are not
// known, or if the scalars are not in host memory.
bool ReadHostScalars(GetAttribute* get, const void* description, int* type) {
  enum { kComputeType, kScalarType, kPointerMode };
  size_t written = 0;
  int32_t mode = -1;
  return get(description, kScalarType, type, 4, &written) == 0 &&
         get(description, kPointerMode, &mode, 4, &written) == 0 && mode == 0;
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
  auto* layout = g_layout.Of<GetAttribute>(call.real());
  auto* description = g_description.Of<GetAttribute>(call.real());
  if (layout == nullptr || description == nullptr || a_layout == nullptr || b_layout == nullptr ||
      c_layout == nullptr || d_layout == nullptr || compute == nullptr)
    return;
  const bool known = HasKnownLayouts(call.real());
  const auto region = [&](const void* object) {
    return known ? g_layouts.Find(layout, object) : ReadRegion(layout, object);
  };
  const Region of_a = region(a_layout), of_b = region(b_layout), of_d = region(d_layout);
  const Region of_c = c_layout == d_layout ? of_d : region(c_layout);
  int scalar_type = -1;
  if (of_a.empty() || of_b.empty() || of_c.empty() || of_d.empty() ||
      !ReadHostScalars(description, compute, &scalar_type))
    return;
  const Element scalar = ElementOf(scalar_type);
  if (MayBeZero(alpha, scalar)) return;
  call.EnqueuesTo(stream);
  call.Reads(Operand::kA, a, of_a);
  call.Reads(Operand::kB, b, of_b);
  AddResult(call, Operand::kC, c, of_c, !MayBeZero(beta, scalar), Operand::kD, d, of_d);
  call.Computes();
}

void Gemv(LibraryCall& call, void* handle, int transposed, int64_t m, int64_t n, const void* alpha,
          const Matrix& a, const void* x, int64_t incx, const void* beta, const void* y,
          int64_t incy) {
  if (m <= 0 || n <= 0 || !call.EnqueuesToStreamOf(handle, g_stream) ||
      !HostScalars(call, handle) || MayBeZero(alpha, a.element))
    return;
  call.Reads(Operand::kA, a.pointer, MatrixRegion(m, n, a.leading, a.element));
  call.Reads(Operand::kX, x, VectorRegion(transposed != 0 ? m : n, a.element, incx));
  const Region result = VectorRegion(transposed != 0 ? n : m, a.element, incy);
  AddResult(call, Operand::kY, y, result, !MayBeZero(beta, a.element), Operand::kY, y, result);
  call.Computes();
}

void Trsm(LibraryCall& call, void* handle, int64_t m, int64_t n, const void* alpha,
          const Matrix& b) {
  if (!call.EnqueuesToStreamOf(handle, g_stream) || !HostScalars(call, handle) ||
      MayBeZero(alpha, b.element))
    return;
  call.Updates(Operand::kB, b.pointer, MatrixRegion(m, n, b.leading, b.element));
  call.Computes();
}

void Axpy(LibraryCall& call, void* handle, int64_t n, const void* alpha, const Element& element,
          const void* x, int64_t incx, const void* y, int64_t incy) {
  if (!call.EnqueuesToStreamOf(handle, g_stream) || !HostScalars(call, handle) ||
      MayBeZero(alpha, element))
    return;
  call.Reads(Operand::kX, x, VectorRegion(n, element, incx));
  call.Updates(Operand::kY, y, VectorRegion(n, element, incy));
  call.Computes();
}

void Scal(LibraryCall& call, void* handle, int64_t n, const void* alpha, const Element& element,
          const void* x, int64_t incx) {
  // The library may read nothing for a factor of 0, and nothing for increments below 1.
  if (incx <= 0 || !call.EnqueuesToStreamOf(handle, g_stream) || !HostScalars(call, handle) ||
      MayBeZero(alpha, element))
    return;
  call.Updates(Operand::kX, x, VectorRegion(n, element, incx));
  call.Computes();
}

void Copy(LibraryCall& call, void* handle, int64_t n, const Element& element, const void* x,
          int64_t incx, const void* y, int64_t incy) {
  if (!call.EnqueuesToStreamOf(handle, g_stream)) return;
  call.Reads(Operand::kX, x, VectorRegion(n, element, incx));
  call.Writes(Operand::kY, y, VectorRegion(n, element, incy));
}

void Swap(LibraryCall& call, void* handle, int64_t n, const Element& element, const void* x,
          int64_t incx, const void* y, int64_t incy) {
  if (!call.EnqueuesToStreamOf(handle, g_stream)) return;
  call.Updates(Operand::kX, x, VectorRegion(n, element, incx));
  call.Updates(Operand::kY, y, VectorRegion(n, element, incy));
}

void Reduce(LibraryCall& call, void* handle, int64_t n, const Element& element, const void* x,
            int64_t incx, const void* y, int64_t incy, const void* result,
            const Element& result_element) {
  // Norms and sums read nothing for increments below 1.
  if (n <= 0 || (y == nullptr && incx <= 0) || !call.EnqueuesToStreamOf(handle, g_stream)) return;
  call.Reads(Operand::kX, x, VectorRegion(n, element, incx));
  call.Reads(Operand::kY, y, VectorRegion(n, element, incy));
  call.Computes();
  // In host memory the address names no resource, unless it is page-locked: then the library has
  // written the result when it returns.
  if (!HostScalars(call, handle)) call.Writes(Operand::kResult, result, result_element.bytes);
}

}  // namespace gpusan::cuda::blas
