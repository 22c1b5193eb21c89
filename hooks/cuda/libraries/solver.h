// The effects of the rows of solver.def: dense factorizations and solutions of cuSOLVER. The
// workspace and, of triangular inputs, all but surely accessed columns stay unknown.
#pragma once

#include "hooks/cuda/libraries/elements.h"
#include "hooks/cuda/libraries/library_call.h"

namespace gpusan::cuda::solver {

inline constexpr int kNotInitialized = 1;  // CUSOLVER_STATUS_NOT_INITIALIZED

void Getrf(LibraryCall& call, void* handle, int m, int n, const void* a, const Element& element,
           int lda, const int* pivots, const int* info);
void Getrs(LibraryCall& call, void* handle, int n, int columns, const void* a,
           const Element& element, int lda, const int* pivots, const void* b, int ldb,
           const int* info);
void Potrf(LibraryCall& call, void* handle, int fill, int n, const void* a, const Element& element,
           int lda, const int* info);
void Potrs(LibraryCall& call, void* handle, int n, int columns, const Element& element,
           const void* b, int ldb, const int* info);
void Geqrf(LibraryCall& call, void* handle, int m, int n, const void* a, const Element& element,
           int lda, const void* tau, const int* info);

}  // namespace gpusan::cuda::solver
