// The device limit that an image or a buffer exceeds.
#include "hooks/opencl/objects/image_limits.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hooks/opencl/call/context_devices.h"

namespace gpusan::opencl {
namespace {

struct Limit {
  const char* side;
  cl_device_info query;
  const char* query_name;
};
#define GPUSAN_LIMIT(side, query) \
  { side, query, #query }
constexpr Limit k2D[] = {GPUSAN_LIMIT("width", CL_DEVICE_IMAGE2D_MAX_WIDTH),
                         GPUSAN_LIMIT("height", CL_DEVICE_IMAGE2D_MAX_HEIGHT),
                         GPUSAN_LIMIT("array size", CL_DEVICE_IMAGE_MAX_ARRAY_SIZE)};
constexpr Limit k1D[] = {GPUSAN_LIMIT("width", CL_DEVICE_IMAGE2D_MAX_WIDTH),
                         GPUSAN_LIMIT("array size", CL_DEVICE_IMAGE_MAX_ARRAY_SIZE)};
constexpr Limit k1DBuffer[] = {GPUSAN_LIMIT("width", CL_DEVICE_IMAGE_MAX_BUFFER_SIZE)};
constexpr Limit k3D[] = {GPUSAN_LIMIT("width", CL_DEVICE_IMAGE3D_MAX_WIDTH),
                         GPUSAN_LIMIT("height", CL_DEVICE_IMAGE3D_MAX_HEIGHT),
                         GPUSAN_LIMIT("depth", CL_DEVICE_IMAGE3D_MAX_DEPTH)};
#undef GPUSAN_LIMIT

const Limit* LimitsOf(const ImageInfo& image) {
  switch (image.native_type) {
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return k1DBuffer;
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return k1D;
    case CL_MEM_OBJECT_IMAGE3D:
      return k3D;
    default:
      return k2D;
  }
}

}  // namespace

std::string TooLargeText(const ClCall& call, const Object* context, uint64_t bytes) {
  const auto get_device = GPUSAN_NEXT(call, clGetDeviceInfo);
  if (get_device == nullptr) return "";
  uint64_t largest = 0;
  for (cl_device_id device : DevicesOf(call, context)) {
    cl_ulong limit = 0;
    if (get_device(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(limit), &limit, nullptr) !=
        CL_SUCCESS) {
      return "";
    }
    largest = std::max<uint64_t>(largest, limit);
  }
  if (largest == 0 || bytes <= largest) return "";
  return absl::StrCat("size ", bytes, " is more than CL_DEVICE_MAX_MEM_ALLOC_SIZE, ", largest);
}

std::string TooLargeText(const ClCall& call, const Object* context, const ImageInfo& image) {
  const auto get_device = GPUSAN_NEXT(call, clGetDeviceInfo);
  if (get_device == nullptr) return "";
  const absl::InlinedVector<cl_device_id, 8> devices = DevicesOf(call, context);
  const Limit* limits = LimitsOf(image);
  std::string text;
  for (cl_device_id device : devices) {
    std::string broken;
    for (int axis = 0; axis < image.dimensions && broken.empty(); ++axis) {
      size_t limit = 0;
      if (get_device(device, limits[axis].query, sizeof(limit), &limit, nullptr) != CL_SUCCESS)
        return "";
      if (image.extent[axis] <= limit) continue;
      broken = absl::StrCat(limits[axis].side, " ", image.extent[axis], " is more than ",
                            limits[axis].query_name, ", ", limit);
    }
    if (broken.empty()) return "";
    if (text.empty()) text = std::move(broken);
  }
  return text;
}

}  // namespace gpusan::opencl
