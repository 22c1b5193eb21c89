// What a program asks to find out what there is may fail: no device of a type, unknown parameters,
// no argument info.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_device_id other;
  cl_uint count = 0;
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &other, &count);
  char text[16];
  size_t bytes;
  clGetDeviceInfo(device, 0x4000, sizeof(text), text, &bytes);
  clGetDeviceInfo(device, CL_DEVICE_NAME, 1, text, &bytes);
  clGetPlatformInfo(platform, 0x4000, sizeof(text), text, &bytes);
  clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchFunctionKHR");
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof(bytes), &bytes, NULL);
  CLOSE(buffer);
}
