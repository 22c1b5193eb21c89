// Handlers of devices and of their queries. Only sub-devices are objects: root devices are never
// released.
#pragma once

#include <CL/cl_ext.h>

#include "hooks/opencl/objects/queries.h"
#include "hooks/opencl/objects/references.h"

namespace gpusan::opencl {

// Adds a finding if the device is a sub-device that the program has released. Thread-safe.
void UseDevice(ClCall& call, cl_device_id device, const char* argument);
// A new object retains the device: its handle stays valid, because queries return it. gpusan does
// not follow the end of the object: the device stays usable. Thread-safe.
void KeepDevice(ClCall& call, cl_device_id device);

// The device of a new queue. Adds a finding if the context does not contain the device, although
// the driver accepts it.
void CheckQueueDevice(ClCall& call, cl_context context, cl_device_id device);

namespace handlers {

struct clGetDeviceInfo : InfoHandler<&cl_icd_dispatch::clGetDeviceInfo> {
  BeforeOf<cl_api_clGetDeviceInfo> Before;
};

// Failures are no findings: programs look for ways to divide a device.
class SubDevicesHandler {
 protected:
  void Begin(ClCall& call, cl_device_id device, cl_uint*& num_devices_ret);
  void End(ClCall& call, cl_int code, cl_device_id device, cl_uint num_devices,
           const cl_device_id* devices);

 private:
  cl_uint created_ = 0;  // what the driver stores, because the program may pass NULL
  cl_uint* num_devices_ret_ = nullptr;
};

// `Property`: the type of the elements of `properties`.
template <typename Property>
struct CreateSubDevices : SubDevicesHandler {
  void Before(ClCall& call, cl_device_id device, const Property*, cl_uint, cl_device_id*,
              cl_uint*& num_devices_ret) {
    Begin(call, device, num_devices_ret);
  }
  void After(ClCall& call, cl_int code, cl_device_id device, const Property*, cl_uint num_devices,
             cl_device_id* devices, cl_uint*) {
    End(call, code, device, num_devices, devices);
  }
};
struct clCreateSubDevices : CreateSubDevices<cl_device_partition_property> {};
struct clCreateSubDevicesEXT : CreateSubDevices<cl_device_partition_property_ext> {};

struct clRetainDevice {
  BeforeOf<cl_api_clRetainDevice> Before;
  void After(ClCall& call, cl_int code);

 private:
  Object* device_ = nullptr;
};

struct clReleaseDevice : ReleaseHandler {
  BeforeOf<cl_api_clReleaseDevice> Before;
  void After(ClCall& call, cl_int code);

 private:
  Object* left_ = nullptr;  // a device that other objects keep after the program's last reference
};

struct clRetainDeviceEXT : clRetainDevice {};
struct clReleaseDeviceEXT : clReleaseDevice {};

}  // namespace handlers
}  // namespace gpusan::opencl
