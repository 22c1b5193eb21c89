// Defect location_of_a_native_kernel: The place for the pointer of a native kernel's buffer is a
// variable beside the arguments, which the driver copies.
// EXPECT error invalid-pointer clEnqueueNativeKernel at HERE
// EXPECT-FACT index=0
// EXIT any
// Defect constant: A read writes its result over a constant array of the program.
// EXPECT error invalid-pointer clEnqueueReadBuffer at HERE_2
// EXIT any
// Defect argument: A kernel argument for shared virtual memory is set to a pointer from malloc.
// EXPECT error invalid-pointer clSetKernelArgSVMPointer at HERE_3
// EXPECT-PARTY host-block at BLOCK
// EXIT any
// Fix: The pointer is that of memory that the command may use.
#include "common/opencl.h"

// Fix: The place is a member of the arguments.
typedef struct {
  int count;
  int* numbers;
} Arguments;

static void CL_CALLBACK Fill(void* data) {
  const Arguments* arguments = data;
  for (int i = 0; i < arguments->count; ++i) arguments->numbers[i] = i;
}

static void LocationOfANativeKernel(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 400, NULL, &error));
  Arguments arguments = {100, NULL};
#ifdef DEFECT_location_of_a_native_kernel
  const void* location = &buffer;
#else
  const void* location = &arguments.numbers;
#endif
  // @HERE
  OK(clEnqueueNativeKernel(queue, Fill, &arguments, sizeof(arguments), 1, &buffer, &location, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Fix: The array is not const.
#ifdef DEFECT_constant
static const int kTable[1024] = {1, 2, 3};
#else
static int kTable[1024] = {1, 2, 3};
#endif

static void Constant(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(kTable), (void*)kTable, &error));
  // @HERE_2
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(kTable), (void*)kTable, 0, NULL, NULL));
  RELEASE(buffer);
}

// Fix: The argument is set to a pointer from clSVMAlloc.
static void Argument(void) {
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_device_svm_capabilities can = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(can), &can, NULL));
  if ((can & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0) exit(77);  // any pointer is an argument
#ifdef DEFECT_argument
  // @BLOCK
  int* data = malloc(4096);
  // @HERE_3
  clSetKernelArgSVMPointer(kernel, 0, data);
  OK(clReleaseKernel(kernel));
  free(data);
#else
  int* data = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  clSetKernelArgSVMPointer(kernel, 0, data);
  OK(clReleaseKernel(kernel));
  clSVMFree(context, data);
#endif
}

int main(void) {
  Open(0);
  LocationOfANativeKernel();
  Constant();
  Argument();
  Close();
}
