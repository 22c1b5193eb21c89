// The effects of the rows of dnn.def: operation graphs of cuDNN's backend interface. Thread-safe.
#pragma once

#include <cstdint>

#include "hooks/cuda/libraries/library_call.h"

namespace gpusan::cuda::dnn {

inline constexpr int kNotInitialized = 1001;  // CUDNN_STATUS_NOT_INITIALIZED

// A descriptor was made, or goes away. `type` is a cudnnBackendDescriptorType_t.
void Created(const void* descriptor, int type);
void Destroyed(const void* descriptor);
// An attribute was set: `name` is a cudnnBackendAttributeName_t, `type` that of the elements.
void Set(const void* descriptor, int name, int type, int64_t count, const void* elements);
// An attribute was read. The elements may be descriptors that the library has filled.
void Got(const void* descriptor, int name, int type, const int64_t* count, const void* elements);

// The plan reads the inputs of its graph and writes the outputs: the addresses are in `pack`.
void Run(LibraryCall& call, void* handle, const void* plan, const void* pack);

}  // namespace gpusan::cuda::dnn
