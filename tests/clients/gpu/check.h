// What the CUDA samples share: a failing call ends the program, results are printed as a checksum.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    const cudaError_t error_ = (call);                                                       \
    if (error_ != cudaSuccess) {                                                             \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
      std::exit(1);                                                                          \
    }                                                                                        \
  } while (0)

// FNV-1a of the bytes.
inline void PrintChecksum(const char* name, const void* data, size_t bytes) {
  uint64_t hash = 1469598103934665603u;
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211u;
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}

inline std::vector<float> Ramp(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 1000) * 0.25f;
  return values;
}
