// The effects of the rows of rand.def: generators of cuRAND on the device. Thread-safe.
#pragma once

#include <cstdint>

#include "hooks/cuda/libraries/library_call.h"

namespace gpusan::cuda::rand {

inline constexpr int kNotInitialized = 101;  // CURAND_STATUS_NOT_INITIALIZED

// `library` is that of LibraryOf. Generators of the host are not recorded.
void Created(uintptr_t library, void* generator);
void Destroyed(uintptr_t library, void* generator);
void StreamSet(uintptr_t library, void* generator, void* stream);

// The generator writes `count` numbers of `bytes` bytes.
void Run(LibraryCall& call, void* generator, const void* out, uint64_t count, uint64_t bytes);

}  // namespace gpusan::cuda::rand
