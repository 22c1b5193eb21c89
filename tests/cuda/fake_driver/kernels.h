// What the bodies of the built-in kernels share.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_KERNELS_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_KERNELS_H_

#include <cstring>
#include <span>

#include "launches.h"

namespace fake {

// Where a kernel finds an address. Like a device, it faults only where nothing is mapped: past the
// end of an allocation it goes on to the end of the page. Null: a fault.
char* At(CUdeviceptr address, size_t bytes);

template <typename T>
T Argument(const Launch& launch, size_t index) {
  T value;
  std::memcpy(&value, launch.arguments.data() + launch.function->text.parameters[index].offset,
              sizeof value);
  return value;
}

// The launch's threads in x: an element each.
inline size_t Threads(const Launch& launch) { return size_t{launch.grid[0]} * launch.block[0]; }

// out[i] = body(in[i], out[i])
template <typename T, typename Body>
CUresult Map(CUdeviceptr in, CUdeviceptr out, size_t count, Body body) {
  const T* from = reinterpret_cast<const T*>(At(in, count * sizeof(T)));
  T* to = reinterpret_cast<T*>(At(out, count * sizeof(T)));
  if (from == nullptr || to == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < count; ++i) {
    to[i] = body(from[i]);
  }
  return CUDA_SUCCESS;
}

inline CUdeviceptr Element(CUdeviceptr base, int64_t index) { return base + index * 4; }

// The bytes from `begin` up to `end`, without the byte at `end`.
struct Span {
  CUdeviceptr begin, end;
};

struct Pointer {
  int offset;  // in the arguments; negative: none
  bool write;
};
constexpr Pointer kNone = {-1, false};

struct BuiltIn {
  const char* name;
  KernelBody body;
  Pointer pointers[3];
  // Null: an element of 4 bytes for each thread.
  Span (*span)(const Launch&, CUdeviceptr pointer) = nullptr;
};

// The kernels of cuda_code.h.
std::span<const BuiltIn> CodeKernels();

// Bodies and bytes of kernels that both headers have.
CUresult Add(const Launch& launch);
CUresult Twice(const Launch& launch);
CUresult TwiceFrom(const Launch& launch);
CUresult FillKernel(const Launch& launch);
Span SpanOfAdd(const Launch& launch, CUdeviceptr pointer);
Span SpanOfTwiceFrom(const Launch& launch, CUdeviceptr pointer);

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_KERNELS_H_
