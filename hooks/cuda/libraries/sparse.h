// The effects of the rows of sparse.def: products of cuSPARSE. The elements of a dense input depend
// on the columns that the sparse matrix has, so that they stay unknown.
#pragma once

#include "hooks/cuda/libraries/elements.h"
#include "hooks/cuda/libraries/library_call.h"

namespace gpusan::cuda::sparse {

inline constexpr int kNotInitialized = 1;  // CUSPARSE_STATUS_NOT_INITIALIZED

// y = alpha * a * x + beta * y, and the same for dense matrices. `type`: of the scalars.
void SpMV(LibraryCall& call, void* handle, const void* alpha, void* a, const void* beta, void* y,
          int type);
void SpMM(LibraryCall& call, void* handle, const void* alpha, void* a, const void* beta, void* c,
          int type);

}  // namespace gpusan::cuda::sparse
