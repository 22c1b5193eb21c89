// The entry points that copy linear memory, and the 2D and 3D forms.
#include <cuda.h>

#include "arrays.h"
#include "memory.h"
#include "operations.h"
#include "state.h"

using namespace fake;

namespace {

CUresult Copy1D(Side target, Side source, size_t bytes, CUstream stream, bool synchronous) {
  return WithContext([&](Context&) {
    Copy copy;
    copy.source = source;
    copy.target = target;
    copy.width = bytes;
    return EnqueueCopy(stream, copy, synchronous);
  });
}

CUresult MakeSide(CUmemorytype type, const void* host, CUdeviceptr device, CUarray array,
                  Side* side) {
  switch (type) {
    case CU_MEMORYTYPE_HOST:
      *side = HostSide(host);
      return CUDA_SUCCESS;
    case CU_MEMORYTYPE_DEVICE:
      *side = DeviceSide(device);
      return CUDA_SUCCESS;
    case CU_MEMORYTYPE_UNIFIED:
      *side = UnifiedSide(device);
      return CUDA_SUCCESS;
    case CU_MEMORYTYPE_ARRAY:
      side->type = CU_MEMORYTYPE_ARRAY;
      side->array = arrays.Find(array);
      return side->array == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

template <typename Parameters>
CUresult Sides(const Parameters& p, Copy* copy) {
  CUresult error = MakeSide(p.srcMemoryType, p.srcHost, p.srcDevice, p.srcArray, &copy->source);
  if (error == CUDA_SUCCESS) {
    error = MakeSide(p.dstMemoryType, p.dstHost, p.dstDevice, p.dstArray, &copy->target);
  }
  copy->source.pitch = p.srcPitch;
  copy->source.x = p.srcXInBytes;
  copy->source.y = p.srcY;
  copy->target.pitch = p.dstPitch;
  copy->target.x = p.dstXInBytes;
  copy->target.y = p.dstY;
  copy->width = p.WidthInBytes;
  copy->height = p.Height;
  return error;
}

CUresult Copy2D(const CUDA_MEMCPY2D* parameters, CUstream stream, bool synchronous) {
  return WithContext([&](Context&) {
    Copy copy;
    if (parameters == nullptr || Sides(*parameters, &copy) != CUDA_SUCCESS) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    return EnqueueCopy(stream, copy, synchronous);
  });
}

template <typename Parameters>
CUresult Copy3D(const Parameters* parameters, CUstream stream, bool synchronous) {
  return WithContext([&](Context&) {
    Copy copy;
    if (CUresult error = fake::CopyOf(parameters, &copy); error != CUDA_SUCCESS) {
      return error;
    }
    return EnqueueCopy(stream, copy, synchronous);
  });
}

CUDA_MEMCPY3D WithoutContexts(const CUDA_MEMCPY3D_PEER& peer) {
  CUDA_MEMCPY3D p{};
  p.srcXInBytes = peer.srcXInBytes;
  p.srcY = peer.srcY;
  p.srcZ = peer.srcZ;
  p.srcMemoryType = peer.srcMemoryType;
  p.srcHost = peer.srcHost;
  p.srcDevice = peer.srcDevice;
  p.srcArray = peer.srcArray;
  p.srcPitch = peer.srcPitch;
  p.srcHeight = peer.srcHeight;
  p.dstXInBytes = peer.dstXInBytes;
  p.dstY = peer.dstY;
  p.dstZ = peer.dstZ;
  p.dstMemoryType = peer.dstMemoryType;
  p.dstHost = peer.dstHost;
  p.dstDevice = peer.dstDevice;
  p.dstArray = peer.dstArray;
  p.dstPitch = peer.dstPitch;
  p.dstHeight = peer.dstHeight;
  p.WidthInBytes = peer.WidthInBytes;
  p.Height = peer.Height;
  p.Depth = peer.Depth;
  return p;
}

CUresult CopyPeer(CUdeviceptr target, CUcontext target_context, CUdeviceptr source,
                  CUcontext source_context, size_t bytes, CUstream stream, bool asynchronous) {
  return WithContext([&](Context&) {
    ContextPtr to = target_context == nullptr ? CurrentContext() : contexts.Find(target_context);
    ContextPtr from = source_context == nullptr ? CurrentContext() : contexts.Find(source_context);
    if (to == nullptr || from == nullptr) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (!asynchronous) {  // serialised with what all three devices were given before
      WaitForContext(to.get());
      WaitForContext(from.get());
    }
    Copy copy;
    copy.source = DeviceSide(source);
    copy.target = DeviceSide(target);
    copy.width = bytes;
    CUresult error = EnqueueCopy(stream, copy, false);
    if (error == CUDA_SUCCESS && !asynchronous) {
      WaitForContext(CurrentContext().get());
    }
    return error;
  });
}

Side ArraySide(CUarray array, size_t offset) {
  Side side;
  side.type = CU_MEMORYTYPE_ARRAY;
  side.array = arrays.Find(array);
  side.x = offset;
  return side;
}

}  // namespace

CUresult fake::CopyOf(const CUDA_MEMCPY3D* parameters, Copy* copy) {
  if (parameters == nullptr || Sides(*parameters, copy) != CUDA_SUCCESS ||
      parameters->srcLOD != 0 || parameters->dstLOD != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  copy->source.z = parameters->srcZ;
  copy->source.height = parameters->srcHeight;
  copy->target.z = parameters->dstZ;
  copy->target.height = parameters->dstHeight;
  copy->depth = parameters->Depth;
  const bool short_source = copy->depth > 1 && copy->source.array == nullptr &&
                            copy->source.height != 0 && copy->source.height < copy->height;
  const bool short_target = copy->depth > 1 && copy->target.array == nullptr &&
                            copy->target.height != 0 && copy->target.height < copy->height;
  return short_source || short_target ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUDA_MEMCPY3D fake::Describe(const Copy& copy) {
  CUDA_MEMCPY3D p{};
  auto describe = [](const Side& side, CUmemorytype* type, auto* host, CUdeviceptr* device,
                     CUarray* array) {
    *type = side.type;
    if (side.type == CU_MEMORYTYPE_HOST) {
      *host = reinterpret_cast<void*>(side.address);
    } else if (side.type == CU_MEMORYTYPE_ARRAY) {
      *array = arrays.Of(side.array);
    } else {
      *device = side.address;
    }
  };
  describe(copy.source, &p.srcMemoryType, &p.srcHost, &p.srcDevice, &p.srcArray);
  describe(copy.target, &p.dstMemoryType, &p.dstHost, &p.dstDevice, &p.dstArray);
  p.srcXInBytes = copy.source.x;
  p.srcY = copy.source.y;
  p.srcZ = copy.source.z;
  p.srcPitch = copy.source.pitch;
  p.srcHeight = copy.source.height;
  p.dstXInBytes = copy.target.x;
  p.dstY = copy.target.y;
  p.dstZ = copy.target.z;
  p.dstPitch = copy.target.pitch;
  p.dstHeight = copy.target.height;
  p.WidthInBytes = copy.width;
  p.Height = copy.height;
  p.Depth = copy.depth;
  return p;
}

extern "C" {

CUresult CUDAAPI cuMemcpy(CUdeviceptr target, CUdeviceptr source, size_t bytes) {
  return Copy1D(UnifiedSide(target), UnifiedSide(source), bytes, nullptr, true);
}
CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes,
                               CUstream stream) {
  return Copy1D(UnifiedSide(target), UnifiedSide(source), bytes, stream, false);
}
CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr target, const void* source, size_t bytes) {
  return Copy1D(DeviceSide(target), HostSide(source), bytes, nullptr, true);
}
CUresult CUDAAPI cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void* source, size_t bytes,
                                      CUstream stream) {
  return Copy1D(DeviceSide(target), HostSide(source), bytes, stream, false);
}
CUresult CUDAAPI cuMemcpyDtoH_v2(void* target, CUdeviceptr source, size_t bytes) {
  return Copy1D(HostSide(target), DeviceSide(source), bytes, nullptr, true);
}
CUresult CUDAAPI cuMemcpyDtoHAsync_v2(void* target, CUdeviceptr source, size_t bytes,
                                      CUstream stream) {
  return Copy1D(HostSide(target), DeviceSide(source), bytes, stream, false);
}
CUresult CUDAAPI cuMemcpyDtoD_v2(CUdeviceptr target, CUdeviceptr source, size_t bytes) {
  return Copy1D(DeviceSide(target), DeviceSide(source), bytes, nullptr, true);
}
CUresult CUDAAPI cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source, size_t bytes,
                                      CUstream stream) {
  return Copy1D(DeviceSide(target), DeviceSide(source), bytes, stream, false);
}

CUresult CUDAAPI cuMemcpyPeer(CUdeviceptr target, CUcontext target_context, CUdeviceptr source,
                              CUcontext source_context, size_t bytes) {
  return CopyPeer(target, target_context, source, source_context, bytes, nullptr, false);
}
CUresult CUDAAPI cuMemcpyPeerAsync(CUdeviceptr target, CUcontext target_context, CUdeviceptr source,
                                   CUcontext source_context, size_t bytes, CUstream stream) {
  return CopyPeer(target, target_context, source, source_context, bytes, stream, true);
}

CUresult CUDAAPI cuMemcpyHtoA_v2(CUarray target, size_t offset, const void* source, size_t bytes) {
  return Copy1D(ArraySide(target, offset), HostSide(source), bytes, nullptr, true);
}
CUresult CUDAAPI cuMemcpyHtoAAsync_v2(CUarray target, size_t offset, const void* source,
                                      size_t bytes, CUstream stream) {
  return Copy1D(ArraySide(target, offset), HostSide(source), bytes, stream, false);
}
CUresult CUDAAPI cuMemcpyAtoH_v2(void* target, CUarray source, size_t offset, size_t bytes) {
  return Copy1D(HostSide(target), ArraySide(source, offset), bytes, nullptr, true);
}
CUresult CUDAAPI cuMemcpyAtoHAsync_v2(void* target, CUarray source, size_t offset, size_t bytes,
                                      CUstream stream) {
  return Copy1D(HostSide(target), ArraySide(source, offset), bytes, stream, false);
}
CUresult CUDAAPI cuMemcpyDtoA_v2(CUarray target, size_t offset, CUdeviceptr source, size_t bytes) {
  return Copy1D(ArraySide(target, offset), DeviceSide(source), bytes, nullptr, true);
}
CUresult CUDAAPI cuMemcpyAtoD_v2(CUdeviceptr target, CUarray source, size_t offset, size_t bytes) {
  return Copy1D(DeviceSide(target), ArraySide(source, offset), bytes, nullptr, true);
}
CUresult CUDAAPI cuMemcpyAtoA_v2(CUarray target, size_t target_offset, CUarray source,
                                 size_t source_offset, size_t bytes) {
  return Copy1D(ArraySide(target, target_offset), ArraySide(source, source_offset), bytes, nullptr,
                true);
}

CUresult CUDAAPI cuMemcpy2D_v2(const CUDA_MEMCPY2D* parameters) {
  return Copy2D(parameters, nullptr, true);
}
CUresult CUDAAPI cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* parameters) {
  return Copy2D(parameters, nullptr, true);
}
CUresult CUDAAPI cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* parameters, CUstream stream) {
  return Copy2D(parameters, stream, false);
}
CUresult CUDAAPI cuMemcpy3D_v2(const CUDA_MEMCPY3D* parameters) {
  return Copy3D(parameters, nullptr, true);
}
CUresult CUDAAPI cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* parameters, CUstream stream) {
  return Copy3D(parameters, stream, false);
}
CUresult CUDAAPI cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* parameters) {
  if (parameters == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const CUDA_MEMCPY3D local = WithoutContexts(*parameters);
  return Copy3D(&local, nullptr, true);
}
CUresult CUDAAPI cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* parameters, CUstream stream) {
  if (parameters == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const CUDA_MEMCPY3D local = WithoutContexts(*parameters);
  return Copy3D(&local, stream, false);
}

static CUresult CopyBatch(CUdeviceptr* targets, CUdeviceptr* sources, size_t* sizes, size_t count,
                          CUmemcpyAttributes* attributes, size_t* attribute_indices,
                          size_t attribute_count, CUstream stream, size_t* failed) {
  return WithContext([&](Context&) {
    if (stream == nullptr || targets == nullptr || sources == nullptr || sizes == nullptr ||
        count == 0 || attributes == nullptr || attribute_indices == nullptr ||
        attribute_count == 0 || attribute_count > count || attribute_indices[0] != 0) {
      if (failed != nullptr) {
        *failed = SIZE_MAX;
      }
      return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < count; ++i) {
      Copy copy;
      copy.source = UnifiedSide(sources[i]);
      copy.target = UnifiedSide(targets[i]);
      copy.width = sizes[i];
      CUresult error = sizes[i] == 0 ? CUDA_ERROR_INVALID_VALUE : EnqueueCopy(stream, copy, false);
      if (error != CUDA_SUCCESS) {
        if (failed != nullptr) {
          *failed = i;
        }
        return error;
      }
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemcpyBatchAsync(CUdeviceptr* targets, CUdeviceptr* sources, size_t* sizes,
                                    size_t count, CUmemcpyAttributes* attributes,
                                    size_t* attribute_indices, size_t attribute_count,
                                    size_t* failed, CUstream stream) {
  return CopyBatch(targets, sources, sizes, count, attributes, attribute_indices, attribute_count,
                   stream, failed);
}
CUresult CUDAAPI cuMemcpyBatchAsync_v2(CUdeviceptr* targets, CUdeviceptr* sources, size_t* sizes,
                                       size_t count, CUmemcpyAttributes* attributes,
                                       size_t* attribute_indices, size_t attribute_count,
                                       CUstream stream) {
  return CopyBatch(targets, sources, sizes, count, attributes, attribute_indices, attribute_count,
                   stream, nullptr);
}

}  // extern "C"
