// Calls that fail or have nothing to do, by which programs find out what there is, and a user event
// that ends with an error.
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

// The program abandons commands: it ends the user event that they wait for with a negative status,
// and handles the answer of the waits.
static void AbandonedUserEvent(void) {
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, &written));
  OK(clSetUserEventStatus(gate, -5));
  FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &written));
  FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &gate));
  RELEASE(written, gate, buffer);
}

int main(void) {
  Open(0);
  QueriesThatFail();
  NothingToDo();
  DeviceWithoutPipes();
  AbandonedUserEvent();
  Close();
}
