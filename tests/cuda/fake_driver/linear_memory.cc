// Linear device memory, host memory and managed memory.
#include <cuda.h>
#include <unistd.h>

#include "memory.h"
#include "operations.h"
#include "pools.h"
#include "state.h"

using namespace fake;

namespace {

constexpr size_t kPitchAlignment = 512;

CUresult Allocate(size_t bytes, Kind kind, unsigned flags, uintptr_t* address) {
  return WithContext([&](Context& context) {
    if (address == nullptr || bytes == 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (CUresult error = CheckUnsafe(); error != CUDA_SUCCESS) {
      return error;
    }
    Region* region = nullptr;
    if (CUresult error = AllocateRegion(context, bytes, kind, flags, &region);
        error != CUDA_SUCCESS) {
      return error;
    }
    *address = region->base;
    return CUDA_SUCCESS;
  });
}

CUresult AllocateHost(void** pointer, size_t bytes, unsigned flags) {
  if (pointer == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (bytes == 0) {
    *pointer = nullptr;
    return WithContext([](Context&) { return CUDA_SUCCESS; });
  }
  uintptr_t address = 0;
  const CUresult result = Allocate(bytes, Kind::kPinned, flags, &address);
  if (result == CUDA_SUCCESS) {
    *pointer = reinterpret_cast<void*>(address);
  }
  return result;
}

CUresult Register(void* pointer, size_t bytes, unsigned flags) {
  return WithContext([&](Context& context) {
    const uintptr_t base = reinterpret_cast<uintptr_t>(pointer);
    if (pointer == nullptr || bytes == 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    auto after = Regions().lower_bound(base);
    if (FindRegion(base) != nullptr || (after != Regions().end() && after->first < base + bytes)) {
      return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    }
    char byte = 0;
    if (!ReadProgram(&byte, base, 1) || !ReadProgram(&byte, base + bytes - 1, 1)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Region& region = Regions()[base];
    region = Region{};
    region.base = base;
    region.bytes = bytes;
    region.kind = Kind::kRegistered;
    region.context = contexts.Find(reinterpret_cast<CUcontext>(&context));
    region.device = context.device;
    region.flags = flags;
    region.id = NextId();
    return CUDA_SUCCESS;
  });
}

CUresult HostDevicePointer(CUdeviceptr* device, void* pointer, unsigned flags) {
  return WithContext([&](Context&) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
    Region* region = FindRegion(address);
    if (device == nullptr || flags != 0 || region == nullptr ||
        (region->kind != Kind::kPinned && region->kind != Kind::kRegistered)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *device = address;
    return CUDA_SUCCESS;
  });
}

CUresult AddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return WithContext([&](Context&) {
    Region* region = FindRegion(address);
    if (region == nullptr) {
      return CUDA_ERROR_NOT_FOUND;
    }
    if (base != nullptr) {
      *base = region->base;
    }
    if (bytes != nullptr) {
      *bytes = region->bytes;
    }
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes) {
  uintptr_t address = 0;
  const CUresult result =
      Allocate(bytes, Kind::kDevice, 0, pointer == nullptr ? nullptr : &address);
  if (result == CUDA_SUCCESS) {
    *pointer = address;
  }
  return result;
}

CUresult CUDAAPI cuMemAllocPitch_v2(CUdeviceptr* pointer, size_t* pitch, size_t width,
                                    size_t height, unsigned int element) {
  if (pointer == nullptr || pitch == nullptr || width == 0 || height == 0 ||
      (element != 4 && element != 8 && element != 16)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const size_t row = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  uintptr_t address = 0;
  const CUresult result = Allocate(row * height, Kind::kDevice, 0, &address);
  if (result == CUDA_SUCCESS) {
    *pointer = address;
    *pitch = row;
  }
  return result;
}

CUresult CUDAAPI cuMemFree_v2(CUdeviceptr pointer) {
  return WithContext([&](Context&) {
    if (pointer == 0) {
      return CUDA_SUCCESS;
    }
    Region* region = FindRegion(pointer);
    if (region == nullptr || region->base != pointer ||
        (region->kind != Kind::kDevice && region->kind != Kind::kManaged) ||
        (region->graph_allocation && !region->graph_allocated)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (CUresult error = CheckUnsafe(); error != CUDA_SUCCESS) {
      return error;
    }
    WaitForContext(nullptr);
    region->graph_allocated = false;
    if (!ReturnToPool(pointer)) {
      ReleaseRegion(pointer);
    }
    return CurrentContext()->sticky;
  });
}

CUresult CUDAAPI cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return AddressRange(base, bytes, address);
}

CUresult CUDAAPI cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  return WithContext([&](Context& context) {
    const Device& device = TheDevice(context.device);
    if (free_bytes != nullptr) {
      *free_bytes = device.total_bytes - device.used_bytes;
    }
    if (total_bytes != nullptr) {
      *total_bytes = device.total_bytes;
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemAllocHost_v2(void** pointer, size_t bytes) {
  return AllocateHost(pointer, bytes, 0);
}
CUresult CUDAAPI cuMemAllocHost(void** pointer, unsigned int bytes) {
  return AllocateHost(pointer, bytes, 0);
}
CUresult CUDAAPI cuMemHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  const unsigned known =
      CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  return (flags & ~known) != 0 ? CUDA_ERROR_INVALID_VALUE : AllocateHost(pointer, bytes, flags);
}

CUresult CUDAAPI cuMemFreeHost(void* pointer) {
  return WithContext([&](Context&) {
    if (pointer == nullptr) {
      return CUDA_SUCCESS;
    }
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
    Region* region = FindRegion(address);
    if (region == nullptr || region->base != address || region->kind != Kind::kPinned) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    WaitForContext(nullptr);
    ReleaseRegion(address);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  return Register(pointer, bytes, flags);
}
CUresult CUDAAPI cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned int flags) {
  return Register(pointer, bytes, flags);
}

CUresult CUDAAPI cuMemHostUnregister(void* pointer) {
  return WithContext([&](Context&) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
    Region* region = FindRegion(address);
    if (region == nullptr || region->kind != Kind::kRegistered) {
      return pointer == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    }
    if (region->base != address) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    WaitForContext(nullptr);
    ReleaseRegion(address);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* pointer,
                                              unsigned int flags) {
  return HostDevicePointer(device, pointer, flags);
}

CUresult CUDAAPI cuMemHostGetFlags(unsigned int* flags, void* pointer) {
  return WithContext([&](Context&) {
    Region* region = FindRegion(reinterpret_cast<uintptr_t>(pointer));
    if (region == nullptr || region->kind != Kind::kPinned) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *flags = region->flags | CU_MEMHOSTALLOC_DEVICEMAP;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags) {
  if (pointer == nullptr || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  uintptr_t address = 0;
  const CUresult result = Allocate(bytes, Kind::kManaged, flags, &address);
  if (result == CUDA_SUCCESS) {
    *pointer = address;
  }
  return result;
}

}  // extern "C"
