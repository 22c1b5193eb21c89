// The effects of cuSPARSE.
#include "hooks/cuda/libraries/sparse.h"

namespace gpusan::cuda::sparse {
namespace {

constinit Sibling g_stream("cusparseGetStream");
constinit Sibling g_mode("cusparseGetPointerMode");
constinit Sibling g_format("cusparseSpMatGetFormat");
constinit Sibling g_csr("cusparseCsrGet");
constinit Sibling g_vector("cusparseDnVecGet");
constinit Sibling g_matrix("cusparseDnMatGet");

// Sets the stream, and adds the arrays of a matrix by compressed rows. Returns false if the call
// stays unknown.
bool Begin(LibraryCall& call, void* handle, const void* alpha, void* a, int type) {
  auto* stream_of = g_stream.Of<int(void*, void**)>(call.real());
  auto* mode_of = g_mode.Of<int(void*, int*)>(call.real());
  void* stream = nullptr;
  int mode = -1;
  if (handle == nullptr || a == nullptr || stream_of == nullptr || mode_of == nullptr ||
      stream_of(handle, &stream) != 0 || mode_of(handle, &mode) != 0 || mode != 0 ||
      MayBeZero(alpha, ElementOf(type)))
    return false;
  call.EnqueuesTo(stream);
  constexpr int kCsr = 1;  // CUSPARSE_FORMAT_CSR
  auto* format_of = g_format.Of<int(void*, int*)>(call.real());
  auto* csr = g_csr.Of<int(void*, int64_t*, int64_t*, int64_t*, void**, void**, void**, int*, int*,
                           int*, int*)>(call.real());
  int format = 0;
  if (format_of == nullptr || csr == nullptr || format_of(a, &format) != 0 || format != kCsr)
    return true;
  int64_t rows = 0, columns = 0, count = 0;
  void *offsets = nullptr, *indices = nullptr, *values = nullptr;
  int offset_type = 0, index_type = 0, base = 0, value_type = 0;
  if (csr(a, &rows, &columns, &count, &offsets, &indices, &values, &offset_type, &index_type, &base,
          &value_type) != 0)
    return true;
  // cusparseIndexType_t: 16, 32 and 64 bits.
  const auto bytes_of = [](int index) -> uint32_t {
    return index == 1 ? 2 : index == 2 ? 4 : index == 3 ? 8 : 0;
  };
  call.Reads(Operand::kMatA, offsets, VectorRegion(rows + 1, {bytes_of(offset_type)}, 1));
  call.Reads(Operand::kMatA, indices, VectorRegion(count, {bytes_of(index_type)}, 1));
  call.Reads(Operand::kMatA, values, VectorRegion(count, ElementOf(value_type), 1));
  return true;
}

void AddResult(LibraryCall& call, Operand operand, const void* pointer, const Region& region,
               const void* beta, int type) {
  if (MayBeZero(beta, ElementOf(type))) {
    call.Writes(operand, pointer, region);
  } else {
    call.Updates(operand, pointer, region);
  }
}

}  // namespace

void SpMV(LibraryCall& call, void* handle, const void* alpha, void* a, const void* beta, void* y,
          int type) {
  auto* get = g_vector.Of<int(void*, int64_t*, void**, int*)>(call.real());
  int64_t size = 0;
  void* values = nullptr;
  int value_type = -1;
  if (!Begin(call, handle, alpha, a, type) || y == nullptr || get == nullptr ||
      get(y, &size, &values, &value_type) != 0)
    return;
  AddResult(call, Operand::kVecY, values, VectorRegion(size, ElementOf(value_type), 1), beta, type);
}

void SpMM(LibraryCall& call, void* handle, const void* alpha, void* a, const void* beta, void* c,
          int type) {
  auto* get =
      g_matrix.Of<int(void*, int64_t*, int64_t*, int64_t*, void**, int*, int*)>(call.real());
  int64_t rows = 0, columns = 0, leading = 0;
  void* values = nullptr;
  int value_type = -1, order = 0;
  if (!Begin(call, handle, alpha, a, type) || c == nullptr || get == nullptr ||
      get(c, &rows, &columns, &leading, &values, &value_type, &order) != 0)
    return;
  constexpr int kByColumns = 1;  // CUSPARSE_ORDER_COL
  const Element element = ElementOf(value_type);
  AddResult(call, Operand::kMatC, values,
            order == kByColumns ? MatrixRegion(rows, columns, leading, element)
                                : MatrixRegion(columns, rows, leading, element),
            beta, type);
}

}  // namespace gpusan::cuda::sparse
