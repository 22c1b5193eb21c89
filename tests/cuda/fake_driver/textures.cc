// Texture and surface objects: their validation, and the accesses that the built-in kernels make.
#include "textures.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "arrays.h"
#include "memory.h"
#include "state.h"

namespace fake {
namespace {

constexpr size_t kTextureAlignment = 512;
constexpr size_t kPitchAlignment = 32;

struct Texture {
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC texture{};
  CUDA_RESOURCE_VIEW_DESC view{};
  bool has_view = false;
  std::shared_ptr<Array> array;  // keeps the texels
};

struct Surface {
  CUDA_RESOURCE_DESC resource{};
  std::shared_ptr<Array> array;
};

std::map<CUtexObject, Texture>& textures = *new std::map<CUtexObject, Texture>;
std::map<CUsurfObject, Surface>& surfaces = *new std::map<CUsurfObject, Surface>;
Handles<CUtexref, CUdeviceptr>& references = *new Handles<CUtexref, CUdeviceptr>;

// CUDA driver API, cuTexObjectCreate.
CUresult CheckTexture(Texture* object) {
  const CUDA_RESOURCE_DESC& resource = object->resource;
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      object->array = arrays.Find(resource.res.array.hArray);
      return object->array == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: {
      auto mipmapped = mipmapped_arrays.Find(resource.res.mipmap.hMipmappedArray);
      object->array = mipmapped == nullptr ? nullptr : mipmapped->levels[0];
      return mipmapped == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
    }
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = resource.res.linear;
      const bool channels =
          linear.numChannels == 1 || linear.numChannels == 2 || linear.numChannels == 4;
      // Extents are not looked at: what lies outside is found when a kernel reads it.
      const bool ok = channels && ChannelBytes(linear.format) != 0 &&
                      linear.devPtr % kTextureAlignment == 0 &&
                      Resolve(linear.devPtr, 1) != nullptr;
      return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& pitched = resource.res.pitch2D;
      const bool ok =
          ChannelBytes(pitched.format) != 0 && pitched.pitchInBytes % kPitchAlignment == 0 &&
          pitched.devPtr % kTextureAlignment == 0 && Resolve(pitched.devPtr, 1) != nullptr;
      return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// Bytes of a texel as a view sees it; 0 for a format that stands for none or for compressed blocks.
size_t ViewBytes(CUresourceViewFormat format) {
  constexpr size_t kBytes[] = {0, 1, 2,  4, 1, 2,  4, 2, 4, 8, 2, 4, 8,
                               4, 8, 16, 4, 8, 16, 2, 4, 8, 4, 8, 16};
  const auto index = static_cast<size_t>(format);
  return index < std::size(kBytes) ? kBytes[index] : 0;
}

// The view shows the array's texels under another name: neither their bytes nor their number may
// change.
bool Fits(const CUDA_RESOURCE_VIEW_DESC& view, const Array& array) {
  const size_t bytes = ViewBytes(view.format);
  return view.format == CU_RES_VIEW_FORMAT_NONE || bytes == 0 ||
         (bytes == array.element_bytes() && view.width == array.description.Width &&
          view.height == array.description.Height && view.depth == array.description.Depth);
}

float Convert(const char* texel, CUarray_format format, bool integers) {
  const float unit = integers ? 1.0f : 0.0f;
  switch (format) {
    case CU_AD_FORMAT_FLOAT: {
      float value;
      std::memcpy(&value, texel, sizeof value);
      return value;
    }
    case CU_AD_FORMAT_UNSIGNED_INT8: {
      const auto raw = static_cast<unsigned char>(*texel);
      return static_cast<float>(raw) * (unit == 1.0f ? 1.0f : 1.0f / 255);
    }
    case CU_AD_FORMAT_UNSIGNED_INT16: {
      uint16_t raw;
      std::memcpy(&raw, texel, sizeof raw);
      return static_cast<float>(raw) * (unit == 1.0f ? 1.0f : 1.0f / 65535);
    }
    default: {  // the bits of an integer texel
      float value = 0;
      std::memcpy(&value, texel, std::min<size_t>(ChannelBytes(format), sizeof value));
      return value;
    }
  }
}

}  // namespace

bool Fetch(CUtexObject handle, size_t x, size_t y, float* value) {
  std::lock_guard<std::mutex> hold(lock);
  auto found = textures.find(handle);
  if (found == textures.end()) {
    return false;
  }
  const Texture& object = found->second;
  const bool integers = (object.texture.flags & CU_TRSF_READ_AS_INTEGER) != 0;
  if (object.array != nullptr) {
    const Array& array = *object.array;
    x = std::min(x, array.description.Width - 1);
    y = std::min(y, array.rows() - 1);
    const char* texel = AliasOf(array.storage) + y * array.row_bytes() + x * array.element_bytes();
    *value = Convert(texel, array.description.Format, integers);
    return true;
  }
  const bool pitched = object.resource.resType == CU_RESOURCE_TYPE_PITCH2D;
  const auto& plane = object.resource.res.pitch2D;
  const auto& line = object.resource.res.linear;
  const CUarray_format format = pitched ? plane.format : line.format;
  const size_t bytes = ChannelBytes(format) * (pitched ? plane.numChannels : line.numChannels);
  const size_t width = pitched ? plane.width : line.sizeInBytes / bytes;
  if (width == 0 || (pitched && plane.height == 0)) {
    return false;
  }
  x = std::min(x, width - 1);
  y = pitched ? std::min(y, plane.height - 1) : 0;
  const CUdeviceptr address =
      (pitched ? plane.devPtr + y * plane.pitchInBytes : line.devPtr) + x * bytes;
  const char* texel = Resolve(address, bytes);
  if (texel == nullptr) {
    return false;
  }
  *value = Convert(texel, format, integers);
  return true;
}

bool Store(CUsurfObject handle, size_t x, size_t y, float value) {
  std::lock_guard<std::mutex> hold(lock);
  auto found = surfaces.find(handle);
  if (found == surfaces.end()) {
    return false;
  }
  const Array& array = *found->second.array;
  const size_t offset = y * array.row_bytes() + x * sizeof value;
  if (x * sizeof value + sizeof value > array.row_bytes() || y >= array.rows()) {
    return false;
  }
  std::memcpy(AliasOf(array.storage) + offset, &value, sizeof value);
  return true;
}

}  // namespace fake

using namespace fake;

extern "C" {

CUresult CUDAAPI cuTexObjectCreate(CUtexObject* handle, const CUDA_RESOURCE_DESC* resource,
                                   const CUDA_TEXTURE_DESC* texture,
                                   const CUDA_RESOURCE_VIEW_DESC* view) {
  return WithContext([&](Context&) {
    if (handle == nullptr || resource == nullptr || texture == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Texture object;
    object.resource = *resource;
    object.texture = *texture;
    object.has_view = view != nullptr;
    if (view != nullptr) {
      object.view = *view;
      const bool of_array = resource->resType == CU_RESOURCE_TYPE_ARRAY ||
                            resource->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
      if (!of_array) {
        return CUDA_ERROR_INVALID_VALUE;
      }
    }
    if (CUresult error = CheckTexture(&object); error != CUDA_SUCCESS) {
      return error;
    }
    if (object.has_view && !Fits(object.view, *object.array)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *handle = NextId();
    textures[*handle] = object;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuTexObjectDestroy(CUtexObject handle) {
  return WithContext([&](Context&) {
    return textures.erase(handle) == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject handle) {
  return WithContext([&](Context&) {
    auto found = textures.find(handle);
    if (found == textures.end()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *resource = found->second.resource;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* texture, CUtexObject handle) {
  return WithContext([&](Context&) {
    auto found = textures.find(handle);
    if (found == textures.end()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *texture = found->second.texture;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject handle) {
  return WithContext([&](Context&) {
    auto found = textures.find(handle);
    if (found == textures.end() || !found->second.has_view) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *view = found->second.view;
    return CUDA_SUCCESS;
  });
}

// References of the deprecated kind: no kernel reads by them.
CUresult CUDAAPI cuTexRefCreate(CUtexref* handle) {
  return WithContext([&](Context&) {
    if (handle == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *handle = references.Add(std::make_shared<CUdeviceptr>(0));
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuTexRefDestroy(CUtexref handle) {
  return WithContext([&](Context&) {
    return references.Remove(handle) == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuTexRefSetAddress_v2(size_t* offset, CUtexref handle, CUdeviceptr pointer,
                                       size_t) {
  return WithContext([&](Context&) {
    std::shared_ptr<CUdeviceptr> reference = references.Find(handle);
    if (reference == nullptr || (pointer != 0 && FindRegion(pointer) == nullptr)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *reference = pointer;
    if (offset != nullptr) {
      *offset = 0;
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuSurfObjectCreate(CUsurfObject* handle, const CUDA_RESOURCE_DESC* resource) {
  return WithContext([&](Context&) {
    if (handle == nullptr || resource == nullptr || resource->resType != CU_RESOURCE_TYPE_ARRAY) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Surface object;
    object.resource = *resource;
    object.array = arrays.Find(resource->res.array.hArray);
    if (object.array == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    *handle = NextId();
    surfaces[*handle] = object;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuSurfObjectDestroy(CUsurfObject handle) {
  return WithContext([&](Context&) {
    return surfaces.erase(handle) == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject handle) {
  return WithContext([&](Context&) {
    auto found = surfaces.find(handle);
    if (found == surfaces.end()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *resource = found->second.resource;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
