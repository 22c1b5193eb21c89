// Defect: The CPU reads coarse-grained shared memory that a pending kernel writes.
// Fix: The CPU maps the memory first, which waits for the kernel.
// OPTION --protect-maps
// EXPECT error host-race host-read at READ
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
#include "common/opencl.h"

enum { kBytes = 65536 };

int main(void) {
  Open(0);
  const char* source = "kernel void fill(global int* data) { data[get_global_id(0)] = 7; }";
  const size_t items = kBytes / sizeof(cl_int);
  cl_int* data = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
  if (data == NULL) exit(77);
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel kernel = MADE(clCreateKernel(program, "fill", &error));
  OK(clSetKernelArgSVMPointer(kernel, 0, data));
  cl_event start = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueBarrierWithWaitList(queue, 1, &start, NULL));
  // @LAUNCH
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
#ifndef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, data, kBytes, 0, NULL, NULL));
#endif
  // @READ
  const cl_int value = *(volatile cl_int*)(data + 5000);
#ifdef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  (void)value;
#else
  if (value != 7) abort();
  OK(clEnqueueSVMUnmap(queue, data, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  OK(clReleaseEvent(start));
  OK(clReleaseKernel(kernel));
  OK(clReleaseProgram(program));
  clSVMFree(context, data);
  Close();
}
