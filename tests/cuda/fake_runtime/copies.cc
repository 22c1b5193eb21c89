// Copies and sets, mapped to the driver's functions as NVIDIA's runtime maps them.
#include "driver.h"

using runtime::Address;
using runtime::Driver;
using runtime::Handle;
using runtime::Remember;
using runtime::WithContext;

namespace {

enum class Side { kSource, kTarget };

// The memory type that a kind of copy says its source or target has.
CUmemorytype TypeOf(cudaMemcpyKind kind, Side side) {
  if (kind == cudaMemcpyDefault) {
    return CU_MEMORYTYPE_UNIFIED;
  }
  const bool host = side == Side::kSource
                        ? kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost
                        : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost;
  return host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

bool Known(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

template <typename Parameters>
void SetSource(Parameters* p, cudaMemcpyKind kind, const void* pointer, size_t pitch) {
  p->srcMemoryType = TypeOf(kind, Side::kSource);
  p->srcHost = pointer;
  p->srcDevice = Address(pointer);
  p->srcPitch = pitch;
}

template <typename Parameters>
void SetTarget(Parameters* p, cudaMemcpyKind kind, void* pointer, size_t pitch) {
  p->dstMemoryType = TypeOf(kind, Side::kTarget);
  p->dstHost = pointer;
  p->dstDevice = Address(pointer);
  p->dstPitch = pitch;
}

template <typename Parameters>
void SetSource(Parameters* p, cudaArray_const_t array, size_t x, size_t y) {
  p->srcMemoryType = CU_MEMORYTYPE_ARRAY;
  p->srcArray = Handle(array);
  p->srcXInBytes = x;
  p->srcY = y;
}

template <typename Parameters>
void SetTarget(Parameters* p, cudaArray_const_t array, size_t x, size_t y) {
  p->dstMemoryType = CU_MEMORYTYPE_ARRAY;
  p->dstArray = Handle(array);
  p->dstXInBytes = x;
  p->dstY = y;
}

CUresult Copy1D(const Driver& driver, void* target, const void* source, size_t bytes,
                cudaMemcpyKind kind, cudaStream_t stream, bool asynchronous) {
  const CUdeviceptr to = Address(target);
  const CUdeviceptr from = Address(source);
  if (bytes == 0) {
    return CUDA_SUCCESS;
  }
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return asynchronous ? driver.MemcpyHtoDAsync(to, source, bytes, stream)
                          : driver.MemcpyHtoD(to, source, bytes);
    case cudaMemcpyDeviceToHost:
      return asynchronous ? driver.MemcpyDtoHAsync(target, from, bytes, stream)
                          : driver.MemcpyDtoH(target, from, bytes);
    case cudaMemcpyDeviceToDevice:
      return asynchronous ? driver.MemcpyDtoDAsync(to, from, bytes, stream)
                          : driver.MemcpyDtoD(to, from, bytes);
    case cudaMemcpyHostToHost: {
      CUDA_MEMCPY2D p{};
      SetSource(&p, kind, source, 0);
      SetTarget(&p, kind, target, 0);
      p.WidthInBytes = bytes;
      p.Height = 1;
      return asynchronous ? driver.Memcpy2DAsync(&p, stream) : driver.Memcpy2DUnaligned(&p);
    }
    default:
      return asynchronous ? driver.MemcpyAsync(to, from, bytes, stream)
                          : driver.Memcpy(to, from, bytes);
  }
}

cudaError_t Copy(void* target, const void* source, size_t bytes, cudaMemcpyKind kind,
                 cudaStream_t stream, bool asynchronous) {
  if (!Known(kind)) {
    return Remember(cudaErrorInvalidMemcpyDirection);
  }
  return WithContext([&](const Driver& driver) {
    return Copy1D(driver, target, source, bytes, kind, stream, asynchronous);
  });
}

cudaError_t Copy2D(const CUDA_MEMCPY2D& p, cudaStream_t stream, bool asynchronous) {
  return WithContext([&](const Driver& driver) {
    return asynchronous ? driver.Memcpy2DAsync(&p, stream) : driver.Memcpy2DUnaligned(&p);
  });
}

cudaError_t Copy3D(const CUDA_MEMCPY3D& p, cudaStream_t stream, bool asynchronous) {
  return WithContext([&](const Driver& driver) {
    return asynchronous ? driver.Memcpy3DAsync(&p, stream) : driver.Memcpy3D(&p);
  });
}

cudaError_t CopyPitched(void* target, size_t target_pitch, const void* source, size_t source_pitch,
                        size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                        bool asynchronous) {
  if (!Known(kind)) {
    return Remember(cudaErrorInvalidMemcpyDirection);
  }
  if (width > target_pitch || width > source_pitch) {
    return Remember(cudaErrorInvalidPitchValue);
  }
  CUDA_MEMCPY2D p{};
  SetSource(&p, kind, source, source_pitch);
  SetTarget(&p, kind, target, target_pitch);
  p.WidthInBytes = width;
  p.Height = height;
  return Copy2D(p, stream, asynchronous);
}

cudaError_t CopyToArray(cudaArray_t target, size_t x, size_t y, const void* source, size_t pitch,
                        size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                        bool asynchronous) {
  CUDA_MEMCPY3D p{};
  SetSource(&p, kind, source, pitch);
  SetTarget(&p, target, x, y);
  p.WidthInBytes = width;
  p.Height = height;
  p.Depth = 1;
  return Copy3D(p, stream, asynchronous);
}

cudaError_t CopyFromArray(void* target, size_t pitch, cudaArray_const_t source, size_t x, size_t y,
                          size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                          bool asynchronous) {
  CUDA_MEMCPY3D p{};
  SetSource(&p, source, x, y);
  SetTarget(&p, kind, target, pitch);
  p.WidthInBytes = width;
  p.Height = height;
  p.Depth = 1;
  return Copy3D(p, stream, asynchronous);
}

// Bytes of a texel of the array; 1 without one.
size_t TexelBytes(cudaArray_const_t array) {
  CUDA_ARRAY3D_DESCRIPTOR description{};
  if (array == nullptr ||
      runtime::TheDriver()->Array3DGetDescriptor(&description, Handle(array)) != CUDA_SUCCESS) {
    return 1;
  }
  const cudaChannelFormatDesc channels =
      runtime::DescriptionOf(description.Format, description.NumChannels);
  return (channels.x + channels.y + channels.z + channels.w) / 8;
}

// A run of bytes that goes on in the array's next row: up to three boxes.
template <typename CopyBoxOf>
cudaError_t CopyRun(cudaArray_const_t array, size_t x, size_t y, size_t bytes, CopyBoxOf copy) {
  if (cudaError_t error = runtime::EnsureContext(); error != cudaSuccess) {
    return Remember(error);
  }
  CUDA_ARRAY3D_DESCRIPTOR description{};
  CUresult result = runtime::TheDriver()->Array3DGetDescriptor(&description, Handle(array));
  if (result != CUDA_SUCCESS) {
    return Remember(runtime::Convert(result));
  }
  const size_t row = description.Width * TexelBytes(array);
  cudaError_t error = cudaSuccess;
  size_t done = 0;
  while (done < bytes && error == cudaSuccess) {
    const size_t left = bytes - done;
    const bool whole = x == 0 && left >= row;
    const size_t width = whole ? row : left < row - x ? left : row - x;
    const size_t height = whole ? left / row : 1;
    error = copy(x, y, done, width, height);
    done += width * height;
    y += height;
    x = 0;
  }
  return error;
}

// Positions and the extent count texels where an array takes part, else bytes (CUDA runtime API,
// cudaMemcpy3D).
cudaError_t CopyBox(const cudaMemcpy3DParms* from, cudaStream_t stream, bool asynchronous) {
  if (from == nullptr || runtime::EnsureContext() != cudaSuccess) {
    return Remember(cudaErrorInvalidValue);
  }
  const size_t texel = TexelBytes(from->srcArray != nullptr ? from->srcArray : from->dstArray);
  CUDA_MEMCPY3D p{};
  if (from->srcArray != nullptr) {
    SetSource(&p, from->srcArray, from->srcPos.x * texel, from->srcPos.y);
  } else {
    SetSource(&p, from->kind, from->srcPtr.ptr, from->srcPtr.pitch);
    p.srcXInBytes = from->srcPos.x;
    p.srcY = from->srcPos.y;
    p.srcHeight = from->srcPtr.ysize;
  }
  p.srcZ = from->srcPos.z;
  if (from->dstArray != nullptr) {
    SetTarget(&p, from->dstArray, from->dstPos.x * texel, from->dstPos.y);
  } else {
    SetTarget(&p, from->kind, from->dstPtr.ptr, from->dstPtr.pitch);
    p.dstXInBytes = from->dstPos.x;
    p.dstY = from->dstPos.y;
    p.dstHeight = from->dstPtr.ysize;
  }
  p.dstZ = from->dstPos.z;
  p.WidthInBytes = from->extent.width * texel;
  p.Height = from->extent.height;
  p.Depth = from->extent.depth;
  return Copy3D(p, stream, asynchronous);
}

}  // namespace

extern "C" {

cudaError_t CUDARTAPI cudaMemcpy(void* target, const void* source, size_t bytes,
                                 cudaMemcpyKind kind) {
  return Copy(target, source, bytes, kind, nullptr, false);
}
cudaError_t CUDARTAPI cudaMemcpyAsync(void* target, const void* source, size_t bytes,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return Copy(target, source, bytes, kind, stream, true);
}
cudaError_t CUDARTAPI cudaMemcpy2D(void* target, size_t target_pitch, const void* source,
                                   size_t source_pitch, size_t width, size_t height,
                                   cudaMemcpyKind kind) {
  return CopyPitched(target, target_pitch, source, source_pitch, width, height, kind, nullptr,
                     false);
}
cudaError_t CUDARTAPI cudaMemcpy2DAsync(void* target, size_t target_pitch, const void* source,
                                        size_t source_pitch, size_t width, size_t height,
                                        cudaMemcpyKind kind, cudaStream_t stream) {
  return CopyPitched(target, target_pitch, source, source_pitch, width, height, kind, stream, true);
}
cudaError_t CUDARTAPI cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return CopyBox(parameters, nullptr, false);
}
cudaError_t CUDARTAPI cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return CopyBox(parameters, stream, true);
}

cudaError_t CUDARTAPI cudaMemcpyPeer(void* target, int target_device, const void* source,
                                     int source_device, size_t bytes) {
  return WithContext([&](const Driver& driver) {
    return driver.MemcpyPeer(Address(target), runtime::PrimaryContext(target_device),
                             Address(source), runtime::PrimaryContext(source_device), bytes);
  });
}
cudaError_t CUDARTAPI cudaMemcpyPeerAsync(void* target, int target_device, const void* source,
                                          int source_device, size_t bytes, cudaStream_t stream) {
  return WithContext([&](const Driver& driver) {
    return driver.MemcpyPeerAsync(Address(target), runtime::PrimaryContext(target_device),
                                  Address(source), runtime::PrimaryContext(source_device), bytes,
                                  stream);
  });
}

cudaError_t CUDARTAPI cudaMemcpyToArray(cudaArray_t target, size_t x, size_t y, const void* source,
                                        size_t bytes, cudaMemcpyKind kind) {
  return CopyRun(target, x, y, bytes,
                 [&](size_t at_x, size_t at_y, size_t done, size_t width, size_t height) {
                   return CopyToArray(target, at_x, at_y, static_cast<const char*>(source) + done,
                                      width, width, height, kind, nullptr, false);
                 });
}
cudaError_t CUDARTAPI cudaMemcpyFromArray(void* target, cudaArray_const_t source, size_t x,
                                          size_t y, size_t bytes, cudaMemcpyKind kind) {
  return CopyRun(source, x, y, bytes,
                 [&](size_t at_x, size_t at_y, size_t done, size_t width, size_t height) {
                   return CopyFromArray(static_cast<char*>(target) + done, width, source, at_x,
                                        at_y, width, height, kind, nullptr, false);
                 });
}
cudaError_t CUDARTAPI cudaMemcpy2DToArray(cudaArray_t target, size_t x, size_t y,
                                          const void* source, size_t pitch, size_t width,
                                          size_t height, cudaMemcpyKind kind) {
  return CopyToArray(target, x, y, source, pitch, width, height, kind, nullptr, false);
}
cudaError_t CUDARTAPI cudaMemcpy2DToArrayAsync(cudaArray_t target, size_t x, size_t y,
                                               const void* source, size_t pitch, size_t width,
                                               size_t height, cudaMemcpyKind kind,
                                               cudaStream_t stream) {
  return CopyToArray(target, x, y, source, pitch, width, height, kind, stream, true);
}
cudaError_t CUDARTAPI cudaMemcpy2DFromArray(void* target, size_t pitch, cudaArray_const_t source,
                                            size_t x, size_t y, size_t width, size_t height,
                                            cudaMemcpyKind kind) {
  return CopyFromArray(target, pitch, source, x, y, width, height, kind, nullptr, false);
}
cudaError_t CUDARTAPI cudaMemcpy2DFromArrayAsync(void* target, size_t pitch,
                                                 cudaArray_const_t source, size_t x, size_t y,
                                                 size_t width, size_t height, cudaMemcpyKind kind,
                                                 cudaStream_t stream) {
  return CopyFromArray(target, pitch, source, x, y, width, height, kind, stream, true);
}
cudaError_t CUDARTAPI cudaMemcpy2DArrayToArray(cudaArray_t target, size_t target_x, size_t target_y,
                                               cudaArray_const_t source, size_t source_x,
                                               size_t source_y, size_t width, size_t height,
                                               cudaMemcpyKind) {
  CUDA_MEMCPY3D p{};
  SetSource(&p, source, source_x, source_y);
  SetTarget(&p, target, target_x, target_y);
  p.WidthInBytes = width;
  p.Height = height;
  p.Depth = 1;
  return Copy3D(p, nullptr, false);
}

cudaError_t CUDARTAPI cudaMemset(void* pointer, int value, size_t bytes) {
  return WithContext([&](const Driver& driver) {
    return bytes == 0 ? CUDA_SUCCESS
                      : driver.MemsetD8(Address(pointer), static_cast<unsigned char>(value), bytes);
  });
}
cudaError_t CUDARTAPI cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return WithContext([&](const Driver& driver) {
    return bytes == 0 ? CUDA_SUCCESS
                      : driver.MemsetD8Async(Address(pointer), static_cast<unsigned char>(value),
                                             bytes, stream);
  });
}
cudaError_t CUDARTAPI cudaMemset2D(void* pointer, size_t pitch, int value, size_t width,
                                   size_t height) {
  return WithContext([&](const Driver& driver) {
    return driver.MemsetD2D8(Address(pointer), pitch, static_cast<unsigned char>(value), width,
                             height);
  });
}
cudaError_t CUDARTAPI cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width,
                                        size_t height, cudaStream_t stream) {
  return WithContext([&](const Driver& driver) {
    return driver.MemsetD2D8Async(Address(pointer), pitch, static_cast<unsigned char>(value), width,
                                  height, stream);
  });
}
cudaError_t CUDARTAPI cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  return WithContext([&](const Driver& driver) {
    CUresult result = CUDA_SUCCESS;
    for (size_t z = 0; z < extent.depth && result == CUDA_SUCCESS; ++z) {
      result =
          driver.MemsetD2D8(Address(pitched.ptr) + z * pitched.pitch * pitched.ysize, pitched.pitch,
                            static_cast<unsigned char>(value), extent.width, extent.height);
    }
    return result;
  });
}

}  // extern "C"
