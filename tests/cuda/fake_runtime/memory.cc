// Memory of all kinds, arrays, textures and surfaces.
#include <cstring>

#include "driver.h"

using runtime::Address;
using runtime::Driver;
using runtime::Handle;
using runtime::Remember;
using runtime::WithContext;

namespace {

cudaError_t AllocatePitched(void** pointer, size_t* pitch, size_t width, size_t rows) {
  constexpr unsigned kElement = 4;
  return WithContext([&](const Driver& driver) {
    if (width == 0 || rows == 0) {
      *pointer = nullptr;
      return CUDA_SUCCESS;
    }
    CUdeviceptr address = 0;
    CUresult result = driver.MemAllocPitch(&address, pitch, width, rows, kElement);
    *pointer = reinterpret_cast<void*>(address);
    return result;
  });
}

cudaError_t CreateArray(cudaArray_t* array, const cudaChannelFormatDesc* description,
                        cudaExtent extent, unsigned flags) {
  if (array == nullptr || description == nullptr) {
    return Remember(cudaErrorInvalidValue);
  }
  CUDA_ARRAY3D_DESCRIPTOR native{};
  if (!runtime::FormatOf(*description, &native.Format, &native.NumChannels)) {
    return Remember(cudaErrorInvalidChannelDescriptor);
  }
  native.Width = extent.width;
  native.Height = extent.height;
  native.Depth = extent.depth;
  native.Flags = flags;  // the same bits
  return WithContext([&](const Driver& driver) {
    return driver.Array3DCreate(reinterpret_cast<CUarray*>(array), &native);
  });
}

bool Describe(const cudaResourceDesc& from, CUDA_RESOURCE_DESC* to) {
  std::memset(to, 0, sizeof *to);
  switch (from.resType) {
    case cudaResourceTypeArray:
      to->resType = CU_RESOURCE_TYPE_ARRAY;
      to->res.array.hArray = Handle(from.res.array.array);
      return true;
    case cudaResourceTypeMipmappedArray:
      to->resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
      to->res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(from.res.mipmap.mipmap);
      return true;
    case cudaResourceTypeLinear:
      to->resType = CU_RESOURCE_TYPE_LINEAR;
      to->res.linear.devPtr = Address(from.res.linear.devPtr);
      to->res.linear.sizeInBytes = from.res.linear.sizeInBytes;
      return runtime::FormatOf(from.res.linear.desc, &to->res.linear.format,
                               &to->res.linear.numChannels);
    case cudaResourceTypePitch2D:
      to->resType = CU_RESOURCE_TYPE_PITCH2D;
      to->res.pitch2D.devPtr = Address(from.res.pitch2D.devPtr);
      to->res.pitch2D.width = from.res.pitch2D.width;
      to->res.pitch2D.height = from.res.pitch2D.height;
      to->res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
      return runtime::FormatOf(from.res.pitch2D.desc, &to->res.pitch2D.format,
                               &to->res.pitch2D.numChannels);
    default:
      return false;
  }
}

CUDA_TEXTURE_DESC Describe(const cudaTextureDesc& from) {
  CUDA_TEXTURE_DESC to{};
  for (int i = 0; i < 3; ++i) {
    to.addressMode[i] = static_cast<CUaddress_mode>(from.addressMode[i]);
  }
  to.filterMode = static_cast<CUfilter_mode>(from.filterMode);
  to.flags = (from.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0) |
             (from.normalizedCoords != 0 ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
             (from.sRGB != 0 ? CU_TRSF_SRGB : 0);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<CUfilter_mode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  std::memcpy(to.borderColor, from.borderColor, sizeof to.borderColor);
  return to;
}

// Calls the driver first, and makes a context current only if none is, as the runtime does.
template <typename Body>
cudaError_t DriverFirst(Body body) {
  CUresult first = CUDA_ERROR_NOT_INITIALIZED;
  runtime::WithDriver([&](const Driver& driver) {
    first = body(driver);
    return CUDA_SUCCESS;
  });
  if (first != CUDA_ERROR_NOT_INITIALIZED && first != CUDA_ERROR_INVALID_CONTEXT) {
    return Remember(runtime::Convert(first));
  }
  return WithContext(body);
}

}  // namespace

extern "C" {

cudaError_t CUDARTAPI cudaMalloc(void** pointer, size_t bytes) {
  return WithContext([&](const Driver& driver) {
    if (pointer == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (bytes == 0) {
      *pointer = nullptr;
      return CUDA_SUCCESS;
    }
    CUdeviceptr address = 0;
    CUresult result = driver.MemAlloc(&address, bytes);
    if (result == CUDA_SUCCESS) {
      *pointer = reinterpret_cast<void*>(address);
    }
    return result;
  });
}

cudaError_t CUDARTAPI cudaFree(void* pointer) {
  return WithContext([&](const Driver& driver) { return driver.MemFree(Address(pointer)); });
}

cudaError_t CUDARTAPI cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return AllocatePitched(pointer, pitch, width, height);
}

cudaError_t CUDARTAPI cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return AllocatePitched(&pitched->ptr, &pitched->pitch, extent.width,
                         extent.height * extent.depth);
}

cudaError_t CUDARTAPI cudaMallocHost(void** pointer, size_t bytes) {
  return WithContext([&](const Driver& driver) { return driver.MemAllocHost(pointer, bytes); });
}
cudaError_t CUDARTAPI cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return WithContext(
      [&](const Driver& driver) { return driver.MemHostAlloc(pointer, bytes, flags); });
}
cudaError_t CUDARTAPI cudaFreeHost(void* pointer) {
  return WithContext([&](const Driver& driver) { return driver.MemFreeHost(pointer); });
}
cudaError_t CUDARTAPI cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  return WithContext(
      [&](const Driver& driver) { return driver.MemHostRegister(pointer, bytes, flags); });
}
cudaError_t CUDARTAPI cudaHostUnregister(void* pointer) {
  return WithContext([&](const Driver& driver) { return driver.MemHostUnregister(pointer); });
}
cudaError_t CUDARTAPI cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  return WithContext([&](const Driver& driver) {
    return driver.MemHostGetDevicePointer(reinterpret_cast<CUdeviceptr*>(device), host, flags);
  });
}
cudaError_t CUDARTAPI cudaHostGetFlags(unsigned int* flags, void* host) {
  return WithContext([&](const Driver& driver) { return driver.MemHostGetFlags(flags, host); });
}

cudaError_t CUDARTAPI cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  return WithContext([&](const Driver& driver) {
    return driver.MemAllocManaged(reinterpret_cast<CUdeviceptr*>(pointer), bytes, flags);
  });
}
cudaError_t CUDARTAPI cudaMemPrefetchAsync(const void* pointer, size_t bytes,
                                           cudaMemLocation location, unsigned int flags,
                                           cudaStream_t stream) {
  CUmemLocation native{};
  native.type = static_cast<CUmemLocationType>(location.type);
  native.id = location.id;
  return WithContext([&](const Driver& driver) {
    return driver.MemPrefetchAsync(Address(pointer), bytes, native, flags, stream);
  });
}
cudaError_t CUDARTAPI cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                    cudaMemLocation location) {
  CUmemLocation native{};
  native.type = static_cast<CUmemLocationType>(location.type);
  native.id = location.id;
  return WithContext([&](const Driver& driver) {
    return driver.MemAdvise(Address(pointer), bytes, static_cast<CUmem_advise>(advice), native);
  });
}
cudaError_t CUDARTAPI cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return WithContext(
      [&](const Driver& driver) { return driver.MemGetInfo(free_bytes, total_bytes); });
}

cudaError_t CUDARTAPI cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return DriverFirst([&](const Driver& driver) {
    return driver.MemAllocAsync(reinterpret_cast<CUdeviceptr*>(pointer), bytes, stream);
  });
}
cudaError_t CUDARTAPI cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                              cudaStream_t stream) {
  return DriverFirst([&](const Driver& driver) {
    return driver.MemAllocFromPoolAsync(reinterpret_cast<CUdeviceptr*>(pointer), bytes, pool,
                                        stream);
  });
}
cudaError_t CUDARTAPI cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return DriverFirst(
      [&](const Driver& driver) { return driver.MemFreeAsync(Address(pointer), stream); });
}
cudaError_t CUDARTAPI cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  static_assert(sizeof(cudaMemPoolProps) == sizeof(CUmemPoolProps));
  return WithContext([&](const Driver& driver) {
    return driver.MemPoolCreate(pool, reinterpret_cast<const CUmemPoolProps*>(properties));
  });
}
cudaError_t CUDARTAPI cudaMemPoolDestroy(cudaMemPool_t pool) {
  return WithContext([&](const Driver& driver) { return driver.MemPoolDestroy(pool); });
}
cudaError_t CUDARTAPI cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
  return WithContext([&](const Driver& driver) { return driver.MemPoolTrimTo(pool, bytes); });
}
cudaError_t CUDARTAPI cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                              void* value) {
  return WithContext([&](const Driver& driver) {
    return driver.MemPoolSetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value);
  });
}
cudaError_t CUDARTAPI cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                              void* value) {
  return WithContext([&](const Driver& driver) {
    return driver.MemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value);
  });
}

cudaError_t CUDARTAPI cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                               const void* pointer) {
  return WithContext([&](const Driver& driver) {
    unsigned type = 0;
    unsigned managed = 0;
    int device = 0;
    CUdeviceptr device_pointer = 0;
    void* host_pointer = nullptr;
    CUpointer_attribute asked[] = {
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
        CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void* values[] = {&type, &managed, &device, &device_pointer, &host_pointer};
    CUresult result = driver.PointerGetAttributes(5, asked, values, Address(pointer));
    std::memset(attributes, 0, sizeof *attributes);
    attributes->type = managed != 0                   ? cudaMemoryTypeManaged
                       : type == CU_MEMORYTYPE_HOST   ? cudaMemoryTypeHost
                       : type == CU_MEMORYTYPE_DEVICE ? cudaMemoryTypeDevice
                                                      : cudaMemoryTypeUnregistered;
    attributes->device = device;
    attributes->devicePointer = reinterpret_cast<void*>(device_pointer);
    attributes->hostPointer = type == 0 ? const_cast<void*>(pointer) : host_pointer;
    return result;
  });
}

cudaError_t CUDARTAPI cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* description,
                                      size_t width, size_t height, unsigned int flags) {
  return CreateArray(array, description, {width, height, 0}, flags);
}
cudaError_t CUDARTAPI cudaMalloc3DArray(cudaArray_t* array,
                                        const cudaChannelFormatDesc* description, cudaExtent extent,
                                        unsigned int flags) {
  return CreateArray(array, description, extent, flags);
}
cudaError_t CUDARTAPI cudaFreeArray(cudaArray_t array) {
  return WithContext([&](const Driver& driver) {
    return array == nullptr ? CUDA_SUCCESS : driver.ArrayDestroy(Handle(array));
  });
}
cudaError_t CUDARTAPI cudaArrayGetInfo(cudaChannelFormatDesc* description, cudaExtent* extent,
                                       unsigned int* flags, cudaArray_t array) {
  return WithContext([&](const Driver& driver) {
    CUDA_ARRAY3D_DESCRIPTOR native{};
    CUresult result = driver.Array3DGetDescriptor(&native, Handle(array));
    if (description != nullptr) {
      *description = runtime::DescriptionOf(native.Format, native.NumChannels);
    }
    if (extent != nullptr) {
      *extent = {native.Width, native.Height, native.Depth};
    }
    if (flags != nullptr) {
      *flags = native.Flags;
    }
    return result;
  });
}
cudaError_t CUDARTAPI cudaGetChannelDesc(cudaChannelFormatDesc* description,
                                         cudaArray_const_t array) {
  return cudaArrayGetInfo(description, nullptr, nullptr, const_cast<cudaArray_t>(array));
}
cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
                                                      cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t CUDARTAPI cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                               const cudaChannelFormatDesc* description,
                                               cudaExtent extent, unsigned int levels,
                                               unsigned int flags) {
  CUDA_ARRAY3D_DESCRIPTOR native{};
  if (!runtime::FormatOf(*description, &native.Format, &native.NumChannels)) {
    return Remember(cudaErrorInvalidChannelDescriptor);
  }
  native.Width = extent.width;
  native.Height = extent.height;
  native.Depth = extent.depth;
  native.Flags = flags;
  return WithContext([&](const Driver& driver) {
    return driver.MipmappedArrayCreate(reinterpret_cast<CUmipmappedArray*>(array), &native, levels);
  });
}
cudaError_t CUDARTAPI cudaGetMipmappedArrayLevel(cudaArray_t* level,
                                                 cudaMipmappedArray_const_t array,
                                                 unsigned int number) {
  auto handle = reinterpret_cast<CUmipmappedArray>(const_cast<cudaMipmappedArray_t>(array));
  return WithContext([&](const Driver& driver) {
    return driver.MipmappedArrayGetLevel(reinterpret_cast<CUarray*>(level), handle, number);
  });
}
cudaError_t CUDARTAPI cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return WithContext([&](const Driver& driver) {
    return driver.MipmappedArrayDestroy(reinterpret_cast<CUmipmappedArray>(array));
  });
}

cudaError_t CUDARTAPI cudaCreateTextureObject(cudaTextureObject_t* object,
                                              const cudaResourceDesc* resource,
                                              const cudaTextureDesc* texture,
                                              const cudaResourceViewDesc* view) {
  CUDA_RESOURCE_DESC native;
  if (resource == nullptr || texture == nullptr || !Describe(*resource, &native)) {
    return Remember(cudaErrorInvalidValue);
  }
  const CUDA_TEXTURE_DESC sampling = Describe(*texture);
  CUDA_RESOURCE_VIEW_DESC native_view{};
  if (view != nullptr) {
    native_view.format = static_cast<CUresourceViewFormat>(view->format);
    native_view.width = view->width;
    native_view.height = view->height;
    native_view.depth = view->depth;
    native_view.firstMipmapLevel = view->firstMipmapLevel;
    native_view.lastMipmapLevel = view->lastMipmapLevel;
    native_view.firstLayer = view->firstLayer;
    native_view.lastLayer = view->lastLayer;
  }
  return WithContext([&](const Driver& driver) {
    return driver.TexObjectCreate(object, &native, &sampling,
                                  view == nullptr ? nullptr : &native_view);
  });
}
cudaError_t CUDARTAPI cudaDestroyTextureObject(cudaTextureObject_t object) {
  return WithContext([&](const Driver& driver) { return driver.TexObjectDestroy(object); });
}
cudaError_t CUDARTAPI cudaCreateSurfaceObject(cudaSurfaceObject_t* object,
                                              const cudaResourceDesc* resource) {
  CUDA_RESOURCE_DESC native;
  if (resource == nullptr || !Describe(*resource, &native)) {
    return Remember(cudaErrorInvalidValue);
  }
  return WithContext(
      [&](const Driver& driver) { return driver.SurfObjectCreate(object, &native); });
}
cudaError_t CUDARTAPI cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return WithContext([&](const Driver& driver) { return driver.SurfObjectDestroy(object); });
}

cudaError_t CUDARTAPI cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return WithContext([&](const Driver& driver) {
    return driver.IpcGetMemHandle(reinterpret_cast<CUipcMemHandle*>(handle), Address(pointer));
  });
}
cudaError_t CUDARTAPI cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle,
                                           unsigned int flags) {
  CUipcMemHandle native;
  std::memcpy(&native, &handle, sizeof native);
  return WithContext([&](const Driver& driver) {
    return driver.IpcOpenMemHandle(reinterpret_cast<CUdeviceptr*>(pointer), native, flags);
  });
}
cudaError_t CUDARTAPI cudaIpcCloseMemHandle(void* pointer) {
  return WithContext(
      [&](const Driver& driver) { return driver.IpcCloseMemHandle(Address(pointer)); });
}

}  // extern "C"
