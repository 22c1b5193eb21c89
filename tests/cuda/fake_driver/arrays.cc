// CUDA arrays and mipmapped arrays.
#include "arrays.h"

#include <algorithm>

#include "memory.h"
#include "operations.h"

namespace fake {

Handles<CUarray, Array>& arrays = *new Handles<CUarray, Array>;
Handles<CUmipmappedArray, MipmappedArray>& mipmapped_arrays =
    *new Handles<CUmipmappedArray, MipmappedArray>;

Array::~Array() {
  if (owns_storage && storage != 0) {
    TheDevice(device).used_bytes -= bytes;
    GiveArena(storage);
  }
}

size_t ChannelBytes(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
    case CU_AD_FORMAT_UNORM_INT8X1:
    case CU_AD_FORMAT_SNORM_INT8X1:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
    case CU_AD_FORMAT_UNORM_INT16X1:
    case CU_AD_FORMAT_SNORM_INT16X1:
      return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 4;
    default:
      return 0;
  }
}

size_t Array::element_bytes() const {
  return ChannelBytes(description.Format) * description.NumChannels;
}

}  // namespace fake

using namespace fake;

namespace {

constexpr size_t kLimit1D = 131072;
constexpr size_t kLimit2DWidth = 131072;
constexpr size_t kLimit2DHeight = 65536;
constexpr size_t kLimit3D = 16384;
constexpr size_t kLimitLayeredWidth = 32768;
constexpr size_t kLimitLayers = 2048;

// CUDA driver API, cuArray3DCreate: which extents are an array, and how large they may be.
bool Valid(const CUDA_ARRAY3D_DESCRIPTOR& d) {
  const bool layered = (d.Flags & CUDA_ARRAY3D_LAYERED) != 0;
  const bool cube = (d.Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
  const bool channels = d.NumChannels == 1 || d.NumChannels == 2 || d.NumChannels == 4;
  if (ChannelBytes(d.Format) == 0 || !channels || d.Width == 0) {
    return false;
  }
  if (cube) {
    return d.Width == d.Height && d.Depth != 0 && d.Depth % 6 == 0 && (layered || d.Depth == 6);
  }
  if (layered) {
    return d.Depth != 0 && d.Depth <= kLimitLayers && d.Width <= kLimitLayeredWidth &&
           d.Height <= kLimitLayeredWidth;
  }
  if (d.Depth != 0) {
    return d.Height != 0 && std::max({d.Width, d.Height, d.Depth}) <= kLimit3D;
  }
  return d.Height != 0 ? d.Width <= kLimit2DWidth && d.Height <= kLimit2DHeight
                       : d.Width <= kLimit1D;
}

CUresult Make(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& description,
              std::shared_ptr<Array>* made) {
  auto array = std::make_shared<Array>();
  array->description = description;
  array->bytes = array->row_bytes() * array->rows() * array->slices();
  array->device = context.device;
  array->context = contexts.Find(reinterpret_cast<CUcontext>(&context));
  Device& device = TheDevice(context.device);
  if (array->bytes > device.total_bytes - device.used_bytes) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  array->storage = TakeArena(array->bytes, 0, false);
  if (array->storage == 0) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  device.used_bytes += array->bytes;
  *made = array;
  return CUDA_SUCCESS;
}

CUresult Create(CUarray* handle, const CUDA_ARRAY3D_DESCRIPTOR* description) {
  return WithContext([&](Context& context) {
    if (handle == nullptr || description == nullptr || !Valid(*description)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (CUresult error = CheckUnsafe(); error != CUDA_SUCCESS) {
      return error;
    }
    std::shared_ptr<Array> array;
    CUresult error = Make(context, *description, &array);
    if (error == CUDA_SUCCESS) {
      *handle = arrays.Add(array);
    }
    return error;
  });
}

template <typename Body>
CUresult WithArray(CUarray handle, Body body) {
  return WithContext([&](Context& context) {
    std::shared_ptr<Array> array = arrays.Find(handle);
    return array == nullptr ? CUDA_ERROR_INVALID_HANDLE : body(*array, context);
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* description) {
  if (description == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUDA_ARRAY3D_DESCRIPTOR wide{};
  wide.Width = description->Width;
  wide.Height = description->Height;
  wide.Format = description->Format;
  wide.NumChannels = description->NumChannels;
  return Create(array, &wide);
}
CUresult CUDAAPI cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* description) {
  return Create(array, description);
}

CUresult CUDAAPI cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* description, CUarray handle) {
  return WithArray(handle, [&](Array& array, Context&) {
    if (description == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    description->Width = array.description.Width;
    description->Height = array.description.Height;
    description->Format = array.description.Format;
    description->NumChannels = array.description.NumChannels;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* description, CUarray handle) {
  return WithArray(handle, [&](Array& array, Context&) {
    if (description == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *description = array.description;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuArrayDestroy(CUarray handle) {
  return WithArray(handle, [&](Array& array, Context&) {
    if (!array.owns_storage) {
      return CUDA_ERROR_INVALID_HANDLE;  // a mipmap's level
    }
    if (CUresult error = CheckUnsafe(); error != CUDA_SUCCESS) {
      return error;
    }
    WaitForContext(nullptr);
    arrays.Remove(handle);
    return CurrentContext()->sticky;
  });
}

CUresult CUDAAPI cuMipmappedArrayCreate(CUmipmappedArray* handle,
                                        const CUDA_ARRAY3D_DESCRIPTOR* description,
                                        unsigned int level_count) {
  return WithContext([&](Context& context) {
    if (handle == nullptr || description == nullptr || !Valid(*description) || level_count == 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    auto mipmapped = std::make_shared<MipmappedArray>();
    mipmapped->description = *description;
    CUDA_ARRAY3D_DESCRIPTOR level = *description;
    const bool layered = (description->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
    auto halved = [](size_t extent) { return extent == 0 ? 0 : std::max<size_t>(1, extent / 2); };
    for (unsigned i = 0; i < level_count; ++i) {
      std::shared_ptr<Array> array;
      if (CUresult error = Make(context, level, &array); error != CUDA_SUCCESS) {
        return error;
      }
      mipmapped->levels.push_back(array);
      if (level.Width <= 1 && level.Height <= 1 && (layered || level.Depth <= 1)) {
        break;  // no smaller level exists
      }
      level.Width = halved(level.Width);
      level.Height = halved(level.Height);
      level.Depth = layered ? level.Depth : halved(level.Depth);
    }
    *handle = mipmapped_arrays.Add(mipmapped);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMipmappedArrayGetLevel(CUarray* array, CUmipmappedArray handle,
                                          unsigned int level) {
  return WithContext([&](Context&) {
    std::shared_ptr<MipmappedArray> mipmapped = mipmapped_arrays.Find(handle);
    if (mipmapped == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (array == nullptr || level >= mipmapped->levels.size()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *array = arrays.Add(mipmapped->levels[level]);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMipmappedArrayDestroy(CUmipmappedArray handle) {
  return WithContext([&](Context&) {
    std::shared_ptr<MipmappedArray> mipmapped = mipmapped_arrays.Remove(handle);
    if (mipmapped == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    WaitForContext(nullptr);
    for (const std::shared_ptr<Array>& level : mipmapped->levels) {
      arrays.Remove(arrays.Of(level));
    }
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
