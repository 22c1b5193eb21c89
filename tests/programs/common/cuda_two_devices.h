// What programs of two devices share.
#pragma once

#include "common/cuda.h"

// The second device and its primary context, which is not made current; Open is called here, and
// ends a program that finds one device alone.
struct SecondDevice {
  CUdevice device;
  CUcontext context;
};
[[maybe_unused]] static SecondDevice OpenTwo() {
  int count = 0;
  OK(cuInit(0));
  OK(cuDeviceGetCount(&count));
  NEEDS(count >= 2);
  Open();
  SecondDevice second;
  OK(cuDeviceGet(&second.device, 1));
  OK(cuDevicePrimaryCtxRetain(&second.context, second.device));
  return second;
}
