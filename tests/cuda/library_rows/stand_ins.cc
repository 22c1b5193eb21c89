// Libraries without content: a function for each row of hooks/cuda/libraries, which only keeps its
// arguments, and the getters that the effects of the rows call.
#include "cuda/library_rows/stand_ins.h"

#include <tuple>

namespace {

GivenCall last;

template <typename Argument>
uint64_t WordOf(Argument argument) {
  if constexpr (std::is_pointer_v<Argument>) {
    return reinterpret_cast<uintptr_t>(argument);
  } else {
    return static_cast<uint64_t>(argument);
  }
}

template <typename... Arguments>
int Keep(const char* name, std::tuple<Arguments...> arguments) {
  last.name = name;
  last.words =
      std::apply([](auto... one) { return std::vector<uint64_t>{WordOf(one)...}; }, arguments);
  return last.code;
}

}  // namespace

GivenCall& LastCall() { return last; }

// `failure` and the effect are gpusan's. Macros write the arguments of some rows.
#define GPUSAN_STAND_IN(name, failure, parameters, names, ...) \
  extern "C" int name parameters { return Keep(#name, std::make_tuple names); }
#define GPUSAN_LIBRARY(name, ...) GPUSAN_STAND_IN(name, __VA_ARGS__)
#define GPUSAN_LIBRARY_AFTER GPUSAN_LIBRARY
#define GPUSAN_LIBRARY_OF_HOST GPUSAN_LIBRARY
#define GPUSAN_LIBRARY_OF_REQUEST GPUSAN_LIBRARY
#define GPUSAN_LIBRARY_OF_REQUESTS GPUSAN_LIBRARY
#include "layer/attach/library_rows.inc"

extern "C" {

// Handles are the streams of the libraries. Scalars are in host memory.
int cublasGetStream_v2(void* handle, void** stream) { return *stream = handle, 0; }
int cusolverDnGetStream(void* handle, void** stream) { return *stream = handle, 0; }
int cusparseGetStream(void* handle, void** stream) { return *stream = handle, 0; }
int cudnnGetStream(void* handle, void** stream) { return *stream = handle, 0; }
int cublasGetPointerMode_v2(void*, int* mode) { return *mode = 0, 0; }
int cusparseGetPointerMode(void*, int* mode) { return *mode = 0, 0; }

// Square matrices of floats by columns: type, order, rows, columns, leading, batch, stride, plane.
int cublasLtMatrixLayoutGetAttribute(const void*, int attribute, void* value, size_t bytes,
                                     size_t* written) {
  static constexpr int64_t kValues[] = {0, 0, kSize, kSize, kSize, 1, 0, 0};
  std::memcpy(value, &kValues[attribute], bytes);
  return *written = bytes, 0;
}
// Floats, and scalars in host memory.
int cublasLtMatmulDescGetAttribute(const void*, int, void* value, size_t bytes, size_t* written) {
  std::memset(value, 0, bytes);
  return *written = bytes, 0;
}

// The descriptor of a vector or matrix is the address of its values.
int cusparseSpMatGetFormat(void*, int* format) { return *format = 1, 0; }
int cusparseCsrGet(void* matrix, int64_t* rows, int64_t* columns, int64_t* count, void** offsets,
                   void** indices, void** values, int* offset_type, int* index_type, int* base,
                   int* value_type) {
  *rows = *columns = *count = kSize;
  *offsets = matrix;
  *indices = static_cast<char*>(matrix) + 1024;
  *values = static_cast<char*>(matrix) + 2048;
  *offset_type = *index_type = 2;  // 32 bits
  *base = *value_type = 0;
  return 0;
}
int cusparseDnVecGet(void* vector, int64_t* size, void** values, int* type) {
  *size = kSize;
  *values = vector;
  return *type = 0, 0;
}
int cusparseDnMatGet(void* matrix, int64_t* rows, int64_t* columns, int64_t* leading, void** values,
                     int* type, int* order) {
  *rows = *columns = *leading = kSize;
  *values = matrix;
  *type = 0;
  return *order = 1, 0;
}

// Two ranks, of which this is the second, on device 0.
int ncclCommCount(void*, int* count) { return *count = 2, 0; }
int ncclCommUserRank(void*, int* rank) { return *rank = 1, 0; }
int ncclCommCuDevice(void*, int* device) { return *device = 0, 0; }
int MPI_Comm_size(void*, int* count) { return *count = 2, 0; }
int MPI_Comm_rank(void*, int* rank) { return *rank = 1, 0; }
int MPI_Comm_test_inter(void*, int* flag) { return *flag = 0, 0; }
int MPI_Type_size(void*, int* size) { return *size = 4, 0; }
int MPI_Type_get_extent(void*, intptr_t* lower, intptr_t* extent) {
  *lower = 0;
  return *extent = 4, 0;
}
int ompi_mpi_comm_world;  // gpusan recognizes Open MPI by it
}
