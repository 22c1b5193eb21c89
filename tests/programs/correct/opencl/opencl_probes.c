// Calls that fail or have nothing to do, and by which programs find out what there is.
#include "common/opencl.h"

// What a program asks to find out what there is may fail: no device of a type, unknown parameters,
// no argument info.
static void QueriesThatFail(void) {
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
  RELEASE(buffer);
}

// Calls that have nothing to do and may be made: empty queues, empty wait lists, NULL to free.
static void NothingToDo(void) {
  clSVMFree(context, NULL);
  free(NULL);
  OK(clFlush(queue));
  OK(clFinish(queue));
  OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
  OK(clFinish(queue));
}

// A program finds out by clCreatePipe whether the device has pipes.
static void DeviceWithoutPipes(void) {
  cl_mem pipe = clCreatePipe(context, 0, 4, 16, NULL, &error);
  if (pipe != NULL) OK(clReleaseMemObject(pipe));
}

int main(void) {
  Open(0);
  QueriesThatFail();
  NothingToDo();
  DeviceWithoutPipes();
  Close();
}
