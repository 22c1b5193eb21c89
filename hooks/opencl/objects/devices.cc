// Handlers of devices and of their queries.
#include "hooks/opencl/objects/devices.h"

#include <algorithm>
#include <utility>

#include "hooks/opencl/objects/context_devices.h"

namespace gpusan::opencl {
namespace {

constexpr KindMask kDevice = MaskOf(ObjectKind::kDevice);

// The sub-device with this handle, which may be released; nullptr: another device.
Object* FindSubDevice(ClCall& call, cl_device_id device) {
  if (device == nullptr) return nullptr;
  Object* object = call.tracker().objects().Find(Api::kOpenCL, HandleOf(device));
  return object != nullptr && object->kind == ObjectKind::kDevice ? object : nullptr;
}

}  // namespace

void UseDevice(ClCall& call, cl_device_id device, const char* argument) {
  if (FindSubDevice(call, device) != nullptr)
    call.tracker().objects().Use(call, HandleOf(device), kDevice, argument);
}

void KeepDevice(ClCall& call, cl_device_id device) {
  Object* object = FindSubDevice(call, device);
  if (object != nullptr && object->live()) call.tracker().objects().Retain(call, object);
}

void CheckQueueDevice(ClCall& call, cl_context context, cl_device_id device) {
  const Object* shadow = call.tracker().objects().Find(Api::kOpenCL, HandleOf(context));
  const auto devices = DevicesOf(call, shadow);
  if (devices.empty() || std::find(devices.begin(), devices.end(), device) != devices.end()) return;
  call.Add(RuleId::kCallFailed)
      .What(absl::StrCat(call.info().name, " creates a queue on a device that ",
                         ObjectText(*shadow, call.words()),
                         " does not contain; the driver accepts the call"))
      .Why(
          "device must be one of the devices and sub-devices with which the context was created "
          "(OpenCL 3.0 §5.1, CL_INVALID_DEVICE)")
      .Fix("name the device, or the sub-device, in the device list of clCreateContext")
      .CreatedBy(*shadow)
      .About(*shadow);
}

namespace handlers {

void clGetDeviceInfo::Before(ClCall& call, cl_device_id device, cl_device_info, size_t, void*,
                             size_t*) {
  UseDevice(call, device, "device");
}

void SubDevicesHandler::Begin(ClCall& call, cl_device_id device, cl_uint*& num_devices_ret) {
  call.IgnoreFailure();
  UseDevice(call, device, "in_device");
  num_devices_ret_ = std::exchange(num_devices_ret, &created_);
}

void SubDevicesHandler::End(ClCall& call, cl_int code, cl_device_id device, cl_uint num_devices,
                            const cl_device_id* devices) {
  if (num_devices_ret_ != nullptr && code == CL_SUCCESS) *num_devices_ret_ = created_;
  if (devices == nullptr || code != CL_SUCCESS) return;
  KeepDevice(call, device);
  for (cl_uint i = 0; i < created_ && i < num_devices; ++i) {
    // Sub-devices are no memory: those that the program does not release are no leak.
    call.tracker()
        .objects()
        .NewPlain(call, ObjectKind::kDevice, HandleOf(devices[i]), nullptr)
        ->MarkOwned();
  }
}

void clRetainDevice::Before(ClCall& call, cl_device_id device) {
  if (FindSubDevice(call, device) != nullptr) Find(call, device, kDevice, "device");
}

void clReleaseDevice::Before(ClCall& call, cl_device_id device) {
  if (FindSubDevice(call, device) != nullptr) Release(call, device, kDevice, "device");
}

}  // namespace handlers
}  // namespace gpusan::opencl
