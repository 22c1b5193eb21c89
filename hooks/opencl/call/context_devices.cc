// The devices of a context.
#include "hooks/opencl/call/context_devices.h"

namespace gpusan::opencl {
namespace {

using Devices = absl::InlinedVector<cl_device_id, 8>;

// The part of a context's shadow; owned by the shadow. Constant.
struct DeviceList final : ObjectPart {
  DeviceList(const cl_device_id* first, const cl_device_id* last) : devices(first, last) {}
  void Recycle() override { delete this; }

  const Devices devices;
};

}  // namespace

void KeepDevices(PlainObject& context, cl_uint count, const cl_device_id* devices) {
  if (context.part == nullptr && devices != nullptr)
    context.part = new DeviceList(devices, devices + count);
}

absl::InlinedVector<cl_device_id, 8> DevicesOf(const ClCall& call, const Object* context) {
  if (context == nullptr) return {};
  if (context->kind == ObjectKind::kContext) {
    const auto* list =
        static_cast<const DeviceList*>(static_cast<const PlainObject*>(context)->part);
    if (list != nullptr) return list->devices;
  }
  const auto get_context = GPUSAN_NEXT(call, clGetContextInfo);
  if (get_context == nullptr) return {};
  Devices devices(64);
  size_t bytes = 0;
  if (get_context(reinterpret_cast<cl_context>(context->handle), CL_CONTEXT_DEVICES,
                  devices.size() * sizeof(cl_device_id), devices.data(), &bytes) != CL_SUCCESS) {
    return {};
  }
  devices.resize(bytes / sizeof(cl_device_id));
  return devices;
}

}  // namespace gpusan::opencl
