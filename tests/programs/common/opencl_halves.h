// A device of two units that is split into two sub-devices, and a kernel of a context of both.
#pragma once

#include "common/opencl.h"

// Before the device is opened: PoCL has two units.
SHARED void WantTwoUnits(void) { setenv("POCL_MAX_PTHREAD_COUNT", "2", 1); }

SHARED void Split(cl_device_id halves[2]) {
  const cl_device_partition_property kEach[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint units = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL));
  if (units != 2) abort();
  OK(clCreateSubDevices(device, kEach, 2, halves, NULL));
}

// A kernel that fills a buffer, built for the first `count` of the devices.
SHARED cl_kernel FillFor(cl_context of, cl_uint count, const cl_device_id* devices, cl_mem out) {
  const char* source = "kernel void fill(global int* out) { out[get_global_id(0)] = 7; }";
  cl_program program = MADE(clCreateProgramWithSource(of, 1, &source, NULL, &error));
  OK(clBuildProgram(program, count, devices, NULL, NULL, NULL));
  cl_kernel fill = MADE(clCreateKernel(program, "fill", &error));
  OK(clReleaseProgram(program));
  OK(clSetKernelArg(fill, 0, sizeof(out), &out));
  return fill;
}
