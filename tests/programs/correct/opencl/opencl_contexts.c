// Two contexts, and a context of sub-devices, keep their own objects.
#include "common/opencl.h"

// Two contexts with objects of the same shapes side by side; each keeps to its own.
static void TwoContexts(void) {
  for (int round = 0; round < 2; ++round) {
    Open(0);
    cl_context first = context;
    cl_command_queue first_queue = queue;
    Open(0);
    char data[2048];
    memset(data, 't', sizeof(data));
    cl_mem one = MADE(clCreateBuffer(first, 0, sizeof(data), NULL, &error));
    cl_mem two = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
    OK(clEnqueueWriteBuffer(first_queue, one, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(first_queue, one, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, two, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, two, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
    printf("%c\n", data[2047]);
    OK(clReleaseMemObject(two));
    OK(clReleaseMemObject(one));
    OK(clReleaseCommandQueue(first_queue));
    OK(clReleaseContext(first));
    Close();
  }
}

// Sub-devices are retained and released while a context and a queue use them.
static void SubDeviceOfAContext(void) {
  setenv("POCL_MAX_PTHREAD_COUNT", "2", 1);
  Open(0);
  const cl_device_partition_property kEach[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2], first = NULL;
  cl_uint count = 0;
  OK(clCreateSubDevices(device, kEach, 0, NULL, &count));
  if (count != 2) abort();
  OK(clCreateSubDevices(device, kEach, 2, parts, &count));
  if (count != 2) abort();
  cl_context both = MADE(clCreateContext(NULL, 2, parts, NULL, NULL, &error));
  OK(clRetainDevice(parts[1]));
  OK(clReleaseDevice(parts[1]));
  cl_uint units = 0;
  OK(clGetDeviceInfo(parts[1], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL));
  cl_command_queue own = MADE(clCreateCommandQueueWithProperties(both, parts[0], NULL, &error));
  OK(clGetCommandQueueInfo(own, CL_QUEUE_DEVICE, sizeof(first), &first, NULL));
  OK(clRetainDevice(first));
  OK(clReleaseDevice(first));
  OK(clRetainDevice(device));
  OK(clReleaseDevice(device));
  // Queries with an unknown name, or whose size the program looks for.
  char small[4];
  size_t needed = 0;
  clGetDeviceInfo(device, 0x7777, sizeof(units), &units, NULL);
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(small), small, NULL);
  clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(small), small, &needed);
  OK(clReleaseCommandQueue(own));
  OK(clReleaseContext(both));
  for (int i = 0; i < 2; ++i) OK(clReleaseDevice(parts[i]));
  Close();
}

int main(void) {
  TwoContexts();
  SubDeviceOfAContext();
}
