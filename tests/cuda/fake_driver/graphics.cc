// Memory of a graphics API: a buffer of OpenGL is as many bytes as its name says, and is the
// program's only while it is mapped.
#include <cuda.h>

#include "memory.h"
#include "operations.h"
#include "state.h"

namespace fake {
namespace {

struct GraphicsResource {
  Region region;  // while it is not mapped
  uintptr_t base = 0;
  size_t bytes = 0;
  bool mapped = false;
};

Handles<CUgraphicsResource, GraphicsResource>& resources =
    *new Handles<CUgraphicsResource, GraphicsResource>;

// Both come in the order of the stream; a driver may take the address away at once.
CUresult Switch(unsigned count, CUgraphicsResource* handles, CUstream stream_handle, bool map) {
  return WithContext([&](Context&) {
    StreamPtr stream = FindStream(stream_handle);
    if (stream == nullptr || handles == nullptr || count == 0) {
      return stream == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < count; ++i) {
      std::shared_ptr<GraphicsResource> resource = resources.Find(handles[i]);
      if (resource == nullptr) {
        return CUDA_ERROR_INVALID_HANDLE;
      }
      if (resource->mapped == map) {
        return map ? CUDA_ERROR_ALREADY_MAPPED : CUDA_ERROR_NOT_MAPPED;
      }
    }
    if (!map) {
      Wait({stream->tail});
    }
    for (unsigned i = 0; i < count; ++i) {
      GraphicsResource& resource = *resources.Find(handles[i]);
      resource.mapped = map;
      if (map) {
        Regions()[resource.base] = resource.region;
      } else {
        Regions().erase(resource.base);
      }
    }
    return CUDA_SUCCESS;
  });
}

}  // namespace
}  // namespace fake

using namespace fake;

extern "C" {

// Declared in a header that needs one of OpenGL's.
[[gnu::visibility("default")]] CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource* handle,
                                                                   unsigned buffer, unsigned) {
  return WithContext([&](Context& context) {
    if (handle == nullptr || buffer == 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Region* region = nullptr;
    if (CUresult error = AllocateRegion(context, buffer, Kind::kDevice, 0, &region);
        error != CUDA_SUCCESS) {
      return error;
    }
    auto resource = std::make_shared<GraphicsResource>();
    resource->region = *region;
    resource->base = region->base;
    resource->bytes = region->bytes;
    Regions().erase(resource->base);
    *handle = resources.Add(resource);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuGraphicsUnregisterResource(CUgraphicsResource handle) {
  return WithContext([&](Context&) {
    std::shared_ptr<GraphicsResource> resource = resources.Remove(handle);
    if (resource == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    Regions()[resource->base] = resource->region;
    ReleaseRegion(resource->base);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuGraphicsMapResources(unsigned int count, CUgraphicsResource* handles,
                                        CUstream stream) {
  return Switch(count, handles, stream, true);
}
CUresult CUDAAPI cuGraphicsUnmapResources(unsigned int count, CUgraphicsResource* handles,
                                          CUstream stream) {
  return Switch(count, handles, stream, false);
}

CUresult CUDAAPI cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr* pointer, size_t* bytes,
                                                       CUgraphicsResource handle) {
  return WithContext([&](Context&) {
    std::shared_ptr<GraphicsResource> resource = resources.Find(handle);
    if (resource == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (!resource->mapped) {
      return CUDA_ERROR_NOT_MAPPED;
    }
    *pointer = resource->base;
    *bytes = resource->bytes;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
