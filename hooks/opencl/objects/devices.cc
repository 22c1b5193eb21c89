// Handlers of devices and of their queries.
#include "hooks/opencl/objects/devices.h"

#include <algorithm>
#include <utility>

#include "hooks/opencl/call/context_devices.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::opencl {
namespace {

constexpr KindMask kDevice = MaskOf(ObjectKind::kDevice);

// The sub-device with this handle, which may be released; nullptr: another device. `references` are
// those of the program. `mark` is not 0 if other objects have retained the device. A device without
// references of the program is live and owned if other objects have retained it.
PlainObject* FindSubDevice(ClCall& call, cl_device_id device) {
  if (device == nullptr) return nullptr;
  Object* object = call.tracker().objects().Find(Api::kOpenCL, HandleOf(device));
  return object != nullptr && object->kind == ObjectKind::kDevice
             ? static_cast<PlainObject*>(object)
             : nullptr;
}

// The program has one more reference to the sub-device.
void Retain(ClCall& call, Object* device) {
  call.tracker().objects().Retain(call, device);
  if (device->owned) device->MarkOwned(false);
}

void AdoptSubDevice(ClCall& call, cl_device_id device) {
  // Drivers of devices with a fixed division return the same sub-devices again.
  PlainObject* const existing = FindSubDevice(call, device);
  const bool known = existing != nullptr && existing->live();
  if (known && !existing->owned) return Retain(call, existing);
  const uint32_t kept = known ? existing->mark.load(std::memory_order_relaxed) : 0;
  call.tracker()
      .objects()
      .NewPlain(call, ObjectKind::kDevice, HandleOf(device), nullptr)
      ->mark.store(kept, std::memory_order_relaxed);
}

}  // namespace

void UseDevice(ClCall& call, cl_device_id device, const char* argument) {
  if (FindSubDevice(call, device) != nullptr)
    call.tracker().objects().Use(call, HandleOf(device), kDevice, argument);
}

void KeepDevice(ClCall& call, cl_device_id device) {
  PlainObject* object = FindSubDevice(call, device);
  if (object != nullptr) object->mark.store(1, std::memory_order_relaxed);
}

void CheckQueueDevice(ClCall& call, cl_context context, cl_device_id device) {
  const Object* shadow = call.tracker().objects().Find(Api::kOpenCL, HandleOf(context));
  const auto devices = DevicesOf(call, shadow);
  if (devices.empty() || std::find(devices.begin(), devices.end(), device) != devices.end()) return;
  rules::OnFaultyCall({rules::CallFault::kQueueDevice, {}, shadow}, call);
}

namespace handlers {

void clGetDeviceInfo::Before(ClCall& call, cl_device_id device, cl_device_info parameter,
                             size_t size, void* value, size_t* needed) {
  UseDevice(call, device, "device");
  if (!call.has_error())
    CheckQueryBlock<&cl_icd_dispatch::clGetDeviceInfo>(call, device, parameter, size, value,
                                                       needed);
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
  for (cl_uint i = 0; i < created_ && i < num_devices; ++i) AdoptSubDevice(call, devices[i]);
}

void clRetainDevice::Before(ClCall& call, cl_device_id device) {
  if (FindSubDevice(call, device) != nullptr)
    device_ = call.tracker().objects().Use(call, HandleOf(device), kDevice, "device");
}

void clRetainDevice::After(ClCall& call, cl_int code) {
  if (code == CL_SUCCESS && device_ != nullptr) Retain(call, device_);
}

void clReleaseDevice::Before(ClCall& call, cl_device_id device) {
  PlainObject* object = FindSubDevice(call, device);
  if (object == nullptr) return;
  if (!object->live() || object->mark.load(std::memory_order_relaxed) == 0 ||
      object->references.load(std::memory_order_relaxed) > 1)
    return Release(call, device, kDevice, "device");
  if (object->owned) return;
  // The last reference of the program. Queries of the other objects still return the device.
  object->references.store(0, std::memory_order_relaxed);
  object->MarkOwned();
  left_ = object;
}

void clReleaseDevice::After(ClCall& call, cl_int code) {
  if (left_ == nullptr) return ReleaseHandler::After(call, code);
  if (code == CL_SUCCESS) return;
  left_->references.store(1, std::memory_order_relaxed);
  left_->MarkOwned(false);
}

}  // namespace handlers
}  // namespace gpusan::opencl
