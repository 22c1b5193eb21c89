// Memory pools and stream-ordered allocation.
#include "pools.h"

#include <algorithm>

#include "graphs.h"
#include "memory.h"
#include "operations.h"

namespace fake {

Handles<CUmemoryPool, Pool>& pools = *new Handles<CUmemoryPool, Pool>;

namespace {

// The pool that a device allocates from; first the default one.
std::shared_ptr<Pool>& CurrentPool(int device) {
  static auto* current = new std::shared_ptr<Pool>[kDevices];
  if (current[device] == nullptr) {
    current[device] = DefaultPool(device);
  }
  return current[device];
}

}  // namespace

std::shared_ptr<Pool> DefaultPool(int device) {
  static auto* defaults = new std::shared_ptr<Pool>[kDevices];
  if (defaults[device] == nullptr) {
    defaults[device] = std::make_shared<Pool>();
    defaults[device]->device = device;
    defaults[device]->is_default = true;
    pools.Add(defaults[device]);
  }
  return defaults[device];
}

CUresult TakeFromPool(Stream& stream, const std::shared_ptr<Pool>& pool, size_t bytes,
                      CUdeviceptr* pointer) {
  Region* region = nullptr;
  for (auto& [base, known] : Regions()) {
    if (known.freed_in == &stream && known.pool == pool && known.bytes == bytes) {
      region = &known;
      region->id = NextId();
      region->freed_in = nullptr;
      break;
    }
  }
  if (region == nullptr) {
    if (pool->max_bytes != 0 && pool->used_bytes + bytes > pool->max_bytes) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
    ContextPtr context = stream.context.lock();
    CUresult error = AllocateRegion(*context, bytes, Kind::kDevice, 0, &region);
    if (error != CUDA_SUCCESS) {
      return error;
    }
    region->pool = pool;
    region->device = pool->device;
    pool->used_bytes += bytes;
    pool->used_high = std::max(pool->used_high, pool->used_bytes);
  }
  *pointer = region->base;
  return CUDA_SUCCESS;
}

bool ReturnToPool(CUdeviceptr pointer) {
  Region* region = FindRegion(pointer);
  if (region == nullptr || region->base != pointer) {
    return false;
  }
  if (region->graph_allocation) {
    region->accessible = false;
    return true;
  }
  if (region->pool == nullptr) {
    return false;
  }
  region->pool->used_bytes -= region->bytes;
  ReleaseRegion(pointer);
  return true;
}

}  // namespace fake

using namespace fake;

namespace {

CUresult AllocateAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool_handle,
                       bool default_pool, CUstream stream_handle) {
  return WithContext([&](Context& context) {
    StreamPtr stream = FindStream(stream_handle);
    std::shared_ptr<Pool> pool =
        default_pool ? CurrentPool(context.device) : pools.Find(pool_handle);
    if (stream == nullptr || pool == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (pointer == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (bytes == 0) {
      *pointer = 0;
      return CUDA_SUCCESS;
    }
    if (CUresult error = CheckImplicit(*stream); error != CUDA_SUCCESS) {
      return error;
    }
    Operation operation;
    operation.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
    if (stream->capture != nullptr) {
      CUresult error = AllocateForGraph(context, bytes, pointer);
      operation.allocation.bytesize = bytes;
      operation.allocation.dptr = error == CUDA_SUCCESS ? *pointer : 0;
      return error != CUDA_SUCCESS ? error : CaptureOperation(*stream, operation);
    }
    CUresult error = TakeFromPool(*stream, pool, bytes, pointer);
    return error != CUDA_SUCCESS ? error : Enqueue(*stream, Operation{});
  });
}

CUresult FreeAsync(CUdeviceptr pointer, CUstream stream_handle) {
  return WithContext([&](Context&) {
    StreamPtr stream = FindStream(stream_handle);
    if (stream == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (pointer == 0) {
      return CUDA_SUCCESS;
    }
    Region* region = FindRegion(pointer);
    if (region == nullptr || region->base != pointer || region->freed_in != nullptr ||
        (region->kind != Kind::kDevice && region->kind != Kind::kManaged)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (stream->capture == nullptr && region->graph_allocation) {
      // Only a launch allocates the memory of a node.
      if (!region->graph_allocated) return CUDA_ERROR_INVALID_VALUE;
      region->graph_allocated = false;
    }
    Operation operation;
    operation.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
    operation.allocation.dptr = pointer;
    if (stream->capture == nullptr && !region->graph_allocation) {
      if (region->pool == nullptr) {  // of cuMemAlloc: freed in stream order all the same
        region->pool = DefaultPool(region->device);
        region->pool->used_bytes += region->bytes;
      }
      region->freed_in = stream.get();
      operation.allocation_id = region->id;
    }
    return Enqueue(*stream, operation);
  });
}

template <typename Body>
CUresult WithPool(CUmemoryPool handle, Body body) {
  return WithDriver([&] {
    std::shared_ptr<Pool> pool = pools.Find(handle);
    return pool == nullptr ? CUDA_ERROR_INVALID_HANDLE : body(pool);
  });
}

bool Valid(CUdevice device) { return device >= 0 && device < kDevices; }

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  return AllocateAsync(pointer, bytes, nullptr, true, stream);
}
CUresult CUDAAPI cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool,
                                         CUstream stream) {
  return AllocateAsync(pointer, bytes, pool, false, stream);
}
CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return FreeAsync(pointer, stream);
}

CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool* handle, const CUmemPoolProps* properties) {
  return WithDriver([&] {
    if (handle == nullptr || properties == nullptr ||
        properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    auto pool = std::make_shared<Pool>();
    pool->max_bytes = properties->maxSize;
    if (properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE) {
      if (!Valid(properties->location.id)) {
        return CUDA_ERROR_INVALID_DEVICE;
      }
      pool->device = properties->location.id;
    }
    *handle = pools.Add(pool);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemPoolDestroy(CUmemoryPool handle) {
  return WithPool(handle, [&](const std::shared_ptr<Pool>& pool) {
    if (pool->is_default) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    for (int device = 0; device < kDevices; ++device) {
      if (CurrentPool(device) == pool) {
        CurrentPool(device) = DefaultPool(device);
      }
    }
    pools.Remove(handle);  // what is still allocated keeps the pool
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemPoolTrimTo(CUmemoryPool handle, size_t) {
  return WithPool(handle, [](const std::shared_ptr<Pool>&) { return CUDA_SUCCESS; });
}

CUresult CUDAAPI cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute,
                                       void* value) {
  return WithPool(handle, [&](const std::shared_ptr<Pool>& pool) {
    switch (attribute) {
      case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
      case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
      case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        pool->options[attribute] = *static_cast<int*>(value);
        return CUDA_SUCCESS;
      case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        pool->release_threshold = *static_cast<cuuint64_t*>(value);
        return CUDA_SUCCESS;
      case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        pool->used_high = pool->used_bytes;
        return CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

CUresult CUDAAPI cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute,
                                       void* value) {
  return WithPool(handle, [&](const std::shared_ptr<Pool>& pool) {
    auto& wide = *static_cast<cuuint64_t*>(value);
    switch (attribute) {
      case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
      case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
      case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        *static_cast<int*>(value) = pool->options[attribute];
        return CUDA_SUCCESS;
      case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        wide = pool->release_threshold;
        return CUDA_SUCCESS;
      case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
      case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        wide = pool->used_bytes;
        return CUDA_SUCCESS;
      case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        wide = pool->used_high;
        return CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

CUresult CUDAAPI cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc* accesses,
                                    size_t count) {
  return WithPool(handle, [&](const std::shared_ptr<Pool>& pool) {
    for (size_t i = 0; i < count; ++i) {
      if (accesses[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) {
        pool->peers.erase(accesses[i].location.id);
      } else {
        pool->peers.insert(accesses[i].location.id);
      }
    }
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool handle,
                                    CUmemLocation* location) {
  return WithPool(handle, [&](const std::shared_ptr<Pool>& pool) {
    *flags = location->id == pool->device || pool->peers.contains(location->id)
                 ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                 : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return WithDriver([&] {
    if (!Valid(device)) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    *pool = pools.Of(DefaultPool(device));
    return CUDA_SUCCESS;
  });
}
// Graphs keep no unused memory.
CUresult CUDAAPI cuDeviceGraphMemTrim(CUdevice device) {
  return WithDriver([&] { return Valid(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE; });
}
CUresult CUDAAPI cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return WithDriver([&] {
    if (!Valid(device)) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    *pool = pools.Of(CurrentPool(device));
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuDeviceSetMemPool(CUdevice device, CUmemoryPool handle) {
  return WithPool(handle, [&](const std::shared_ptr<Pool>& pool) {
    if (!Valid(device)) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    CurrentPool(device) = pool;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
