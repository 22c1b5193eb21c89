// The entry points that set memory.
#include <cuda.h>

#include "memory.h"
#include "operations.h"
#include "state.h"

using namespace fake;

namespace {

CUresult Set(CUdeviceptr address, size_t pitch, unsigned value, unsigned element, size_t width,
             size_t height, CUstream stream, bool synchronous) {
  return WithContext([&](Context&) {
    Fill fill;
    fill.address = address;
    fill.pitch = pitch;
    fill.value = value;
    fill.element = element;
    fill.width = width;
    fill.height = height;
    return EnqueueFill(stream, fill, synchronous);
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemsetD8_v2(CUdeviceptr address, unsigned char value, size_t count) {
  return Set(address, count * 1, value, 1, count, 1, nullptr, true);
}
CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count,
                                 CUstream stream) {
  return Set(address, count * 1, value, 1, count, 1, stream, false);
}
CUresult CUDAAPI cuMemsetD2D8_v2(CUdeviceptr address, size_t pitch, unsigned char value,
                                 size_t width, size_t height) {
  return Set(address, pitch, value, 1, width, height, nullptr, true);
}
CUresult CUDAAPI cuMemsetD2D8Async(CUdeviceptr address, size_t pitch, unsigned char value,
                                   size_t width, size_t height, CUstream stream) {
  return Set(address, pitch, value, 1, width, height, stream, false);
}

CUresult CUDAAPI cuMemsetD16_v2(CUdeviceptr address, unsigned short value, size_t count) {
  return Set(address, count * 2, value, 2, count, 1, nullptr, true);
}
CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count,
                                  CUstream stream) {
  return Set(address, count * 2, value, 2, count, 1, stream, false);
}
CUresult CUDAAPI cuMemsetD2D16_v2(CUdeviceptr address, size_t pitch, unsigned short value,
                                  size_t width, size_t height) {
  return Set(address, pitch, value, 2, width, height, nullptr, true);
}
CUresult CUDAAPI cuMemsetD2D16Async(CUdeviceptr address, size_t pitch, unsigned short value,
                                    size_t width, size_t height, CUstream stream) {
  return Set(address, pitch, value, 2, width, height, stream, false);
}

CUresult CUDAAPI cuMemsetD32_v2(CUdeviceptr address, unsigned int value, size_t count) {
  return Set(address, count * 4, value, 4, count, 1, nullptr, true);
}
CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr address, unsigned int value, size_t count,
                                  CUstream stream) {
  return Set(address, count * 4, value, 4, count, 1, stream, false);
}
CUresult CUDAAPI cuMemsetD2D32_v2(CUdeviceptr address, size_t pitch, unsigned int value,
                                  size_t width, size_t height) {
  return Set(address, pitch, value, 4, width, height, nullptr, true);
}
CUresult CUDAAPI cuMemsetD2D32Async(CUdeviceptr address, size_t pitch, unsigned int value,
                                    size_t width, size_t height, CUstream stream) {
  return Set(address, pitch, value, 4, width, height, stream, false);
}

}  // extern "C"
