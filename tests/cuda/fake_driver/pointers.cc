// What the driver says of a pointer, and the hints about managed memory.
#include <cuda.h>

#include <algorithm>

#include "memory.h"
#include "operations.h"
#include "pools.h"
#include "state.h"

using namespace fake;

namespace {

// The current context's device can use the memory.
bool IsReachable(const Region& region) {
  ContextPtr context = CurrentContext();
  ContextPtr owner = region.context.lock();
  if (region.kind != Kind::kDevice || context == nullptr || region.device == context->device) {
    return true;
  }
  if (region.pool != nullptr) {
    return region.pool->peers.contains(context->device);
  }
  return owner != nullptr &&
         std::count(context->peers.begin(), context->peers.end(), owner->id) != 0;
}

bool OnHost(const Region& region) {
  return region.kind == Kind::kPinned || region.kind == Kind::kRegistered;
}

CUresult Attribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer,
                   Region* region) {
  // As the real driver: memory of a node is known only while it outlives a launch.
  if (region == nullptr || (region->graph_allocation && !region->graph_allocated)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: {
      ContextPtr context = region->context.lock();
      *static_cast<CUcontext*>(value) = region->pool != nullptr ? nullptr : contexts.Of(context);
      return CUDA_SUCCESS;
    }
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(value) = OnHost(*region) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      if (!IsReachable(*region)) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      *static_cast<CUdeviceptr*>(value) = pointer;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!OnHost(*region) && region->kind != Kind::kManaged) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      *static_cast<CUdeviceptr*>(value) = pointer;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      *static_cast<unsigned*>(value) = region->sync_operations;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      *static_cast<unsigned long long*>(value) = region->id;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<unsigned*>(value) = region->kind == Kind::kManaged;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = region->device;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      *static_cast<unsigned*>(value) = region->kind == Kind::kDevice && region->pool == nullptr;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr*>(value) = region->base;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t*>(value) = region->bytes;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
      *static_cast<unsigned*>(value) = region->accessible;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      *static_cast<unsigned long long*>(value) = 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      // Also of what it has no access to, as the driver does.
      *static_cast<unsigned*>(value) = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      *static_cast<CUmemoryPool*>(value) = pools.Of(region->pool);
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult Prefetch(CUdeviceptr pointer, size_t bytes, CUstream handle) {
  return WithContext([&](Context&) {
    StreamPtr stream = FindStream(handle);
    if (stream == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    Region* region = FindRegion(pointer);
    if (region == nullptr || region->kind != Kind::kManaged || bytes == 0 ||
        Resolve(pointer, bytes) == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    return Enqueue(*stream, Operation{});
  });
}

CUresult Advise(CUdeviceptr pointer, size_t bytes) {
  return WithContext([&](Context&) {
    Region* region = FindRegion(pointer);
    const bool ok = region != nullptr && region->kind == Kind::kManaged && bytes != 0 &&
                    Resolve(pointer, bytes) != nullptr;
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

bool ValidDevice(CUdevice device) {
  return device == CU_DEVICE_CPU || (device >= 0 && device < kDevices);
}

bool ValidLocation(const CUmemLocation& location) {
  return location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
         (location.id >= 0 && location.id < kDevices);
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuPointerGetAttribute(void* value, CUpointer_attribute attribute,
                                       CUdeviceptr pointer) {
  return WithContext([&](Context&) {
    return value == nullptr ? CUDA_ERROR_INVALID_VALUE
                            : Attribute(value, attribute, pointer, FindRegion(pointer));
  });
}

CUresult CUDAAPI cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes,
                                        void** values, CUdeviceptr pointer) {
  return WithContext([&](Context&) {
    if (attributes == nullptr || values == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    // Unlike the form for one attribute, this one says zero of what the driver does not know.
    Region* region = FindRegion(pointer);
    for (unsigned i = 0; i < count; ++i) {
      if (Attribute(values[i], attributes[i], pointer, region) == CUDA_SUCCESS) {
        continue;
      }
      switch (attributes[i]) {
        case CU_POINTER_ATTRIBUTE_CONTEXT:
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        case CU_POINTER_ATTRIBUTE_BUFFER_ID:
          *static_cast<uint64_t*>(values[i]) = 0;
          break;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
          *static_cast<int*>(values[i]) = -2;
          break;
        default:
          *static_cast<unsigned*>(values[i]) = 0;
          break;
      }
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                                       CUdeviceptr pointer) {
  return WithContext([&](Context&) {
    Region* region = FindRegion(pointer);
    if (region == nullptr || value == nullptr || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    region->sync_operations = *static_cast<const unsigned*>(value) != 0;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device,
                                    CUstream stream) {
  return ValidDevice(device) ? Prefetch(pointer, bytes, stream) : CUDA_ERROR_INVALID_DEVICE;
}
CUresult CUDAAPI cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, CUmemLocation location,
                                       unsigned int flags, CUstream stream) {
  return flags == 0 && ValidLocation(location) ? Prefetch(pointer, bytes, stream)
                                               : CUDA_ERROR_INVALID_VALUE;
}
CUresult CUDAAPI cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise, CUdevice device) {
  return ValidDevice(device) ? Advise(pointer, bytes) : CUDA_ERROR_INVALID_DEVICE;
}
CUresult CUDAAPI cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, CUmem_advise,
                                CUmemLocation location) {
  return ValidLocation(location) ? Advise(pointer, bytes) : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"
