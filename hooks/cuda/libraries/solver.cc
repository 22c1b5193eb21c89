// The effects of cuSOLVER.
#include "hooks/cuda/libraries/solver.h"

#include <algorithm>

namespace gpusan::cuda::solver {
namespace {

constinit Sibling g_stream("cusolverDnGetStream");
constexpr uint64_t kIntBytes = 4;

}  // namespace

void Getrf(LibraryCall& call, void* handle, int m, int n, const void* a, const Element& element,
           int lda, const int* pivots, const int* info) {
  if (m <= 0 || n <= 0 || !call.EnqueuesToStreamOf(handle, g_stream)) return;
  call.Updates(Operand::kA, a, MatrixRegion(m, n, lda, element));
  call.Writes(Operand::kPivots, pivots, static_cast<uint64_t>(std::min(m, n)) * kIntBytes);
  call.Writes(Operand::kInfo, info, kIntBytes);
}

void Getrs(LibraryCall& call, void* handle, int n, int columns, const void* a,
           const Element& element, int lda, const int* pivots, const void* b, int ldb,
           const int* info) {
  if (n <= 0 || columns <= 0 || !call.EnqueuesToStreamOf(handle, g_stream)) return;
  call.Reads(Operand::kA, a, MatrixRegion(n, n, lda, element));
  call.Reads(Operand::kPivots, pivots, static_cast<uint64_t>(n) * kIntBytes);
  call.Updates(Operand::kB, b, MatrixRegion(n, columns, ldb, element));
  call.Writes(Operand::kInfo, info, kIntBytes);
}

void Potrf(LibraryCall& call, void* handle, int fill, int n, const void* a, const Element& element,
           int lda, const int* info) {
  if (n <= 0 || lda < n || !call.EnqueuesToStreamOf(handle, g_stream)) return;
  // The one column that lies in the triangle as a whole: the first of a lower one (0), the last of
  // an upper one.
  Region column = VectorRegion(n, element, 1);
  if (fill != 0)
    column =
        column.Shifted(static_cast<uint64_t>(n - 1) * static_cast<uint64_t>(lda) * element.bytes);
  call.Updates(Operand::kA, a, column);
  call.Writes(Operand::kInfo, info, kIntBytes);
}

void Potrs(LibraryCall& call, void* handle, int n, int columns, const Element& element,
           const void* b, int ldb, const int* info) {
  if (n <= 0 || columns <= 0 || !call.EnqueuesToStreamOf(handle, g_stream)) return;
  call.Updates(Operand::kB, b, MatrixRegion(n, columns, ldb, element));
  call.Writes(Operand::kInfo, info, kIntBytes);
}

void Geqrf(LibraryCall& call, void* handle, int m, int n, const void* a, const Element& element,
           int lda, const void* tau, const int* info) {
  if (m <= 0 || n <= 0 || !call.EnqueuesToStreamOf(handle, g_stream)) return;
  call.Updates(Operand::kA, a, MatrixRegion(m, n, lda, element));
  call.Writes(Operand::kTau, tau, VectorRegion(std::min(m, n), element, 1));
  call.Writes(Operand::kInfo, info, kIntBytes);
}

}  // namespace gpusan::cuda::solver
