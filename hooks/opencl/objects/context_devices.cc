// Queries the devices of a context.
#include "hooks/opencl/objects/context_devices.h"

namespace gpusan::opencl {

absl::InlinedVector<cl_device_id, 8> DevicesOf(const ClCall& call, const Object* context) {
  const auto get_context = GPUSAN_NEXT(call, clGetContextInfo);
  if (context == nullptr || get_context == nullptr) return {};
  absl::InlinedVector<cl_device_id, 8> devices(64);
  size_t bytes = 0;
  if (get_context(reinterpret_cast<cl_context>(context->handle), CL_CONTEXT_DEVICES,
                  devices.size() * sizeof(cl_device_id), devices.data(), &bytes) != CL_SUCCESS) {
    return {};
  }
  devices.resize(bytes / sizeof(cl_device_id));
  return devices;
}

}  // namespace gpusan::opencl
