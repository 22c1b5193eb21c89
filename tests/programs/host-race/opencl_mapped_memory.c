// Defect: The CPU accesses mapped or shared memory while a command still uses it.
// Fix: The program waits for the command.
// OPTION --protect-maps
#include "common/opencl.h"

// Defect: The CPU reads a mapped region before the non-blocking map is complete.
// Fix: The CPU waits for the map first.
// EXPECT error host-race host-read at READ
// EXPECT-PARTY pending-command at MAPPED
// EXPECT-FACT hazard=RAW
static void MappedRegionReadTooEarly(void) {
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 65536, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 65536, 0, NULL, NULL));
  OK(clFinish(queue));  // a thread of the driver that writes guarded pages ends their protection
  cl_event start = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueBarrierWithWaitList(queue, 1, &start, NULL));
  // @MAPPED
  const char* data = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_READ, 0, 65536, 0, NULL, NULL, &error));
#ifndef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @READ
  const char first = *(const volatile char*)(data + 20000);
#ifdef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
  (void)first;
#else
  if (first != 1) abort();
#endif
  OK(clEnqueueUnmapMemObject(queue, buffer, (void*)data, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(start, buffer);
}

// Defect: The CPU reads a mapped image before the non-blocking map is complete.
// Fix: The CPU waits for the map first.
// EXPECT error host-race host-read at READ_2
// EXPECT-PARTY pending-command at MAPPED_2
// EXPECT-FACT hazard=RAW
static void MappedImageReadTooEarly(void) {
  enum { kSide = 256 };
  const cl_uint color[4] = {1, 2, 3, 4};
  const size_t origin[3] = {0, 0, 0};
  const size_t region[3] = {kSide, kSide, 1};
  size_t row_pitch = 0;
  const cl_image_desc shape = Image2D(kSide, kSide);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  OK(clEnqueueFillImage(queue, image, color, origin, region, 0, NULL, NULL));
  OK(clFinish(queue));  // a thread of the driver that writes guarded pages ends their protection
  cl_event start = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueBarrierWithWaitList(queue, 1, &start, NULL));
  // @MAPPED_2
  const char* data = MADE(clEnqueueMapImage(queue, image, CL_FALSE, CL_MAP_READ, origin, region,
                                            &row_pitch, NULL, 0, NULL, NULL, &error));
#ifndef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @READ_2
  const char first = *(const volatile char*)(data + 100 * row_pitch);
#ifdef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
  (void)first;
#else
  if (first != 1) abort();
#endif
  OK(clEnqueueUnmapMemObject(queue, image, (void*)data, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(start, image);
}

// Defect: The CPU reads coarse-grained shared memory that a pending kernel writes.
// Fix: The CPU maps the memory first, which waits for the kernel.
// EXPECT error host-race host-read at READ_3
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
static void SvmReadBesideKernel(void) {
  enum { kBytes = 65536 };
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
  // @READ_3
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
}

// Defect: The CPU writes coarse-grained shared memory while a copy from it is pending.
// Fix: The CPU maps the memory first, which waits for the copy.
// EXPECT error host-race host-write at WRITE
// EXPECT-PARTY pending-command at COPY
// EXPECT-FACT hazard=WAR
static void SvmWrittenBesideCopy(void) {
  enum { kBytes = 65536 };
  const cl_int one = 1;
  char* from = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
  char* to = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
  if (from == NULL || to == NULL) exit(77);
  OK(clEnqueueSVMMemFill(queue, from, &one, sizeof(one), kBytes, 0, NULL, NULL));
  OK(clFinish(queue));
  cl_event start = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueBarrierWithWaitList(queue, 1, &start, NULL));
  // @COPY
  OK(clEnqueueSVMMemcpy(queue, CL_FALSE, to, from, kBytes, 0, NULL, NULL));
#ifdef DEFECT
  // @WRITE
  *(volatile char*)(from + 20000) = 2;
  OK(clSetUserEventStatus(start, CL_COMPLETE));
#else
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, from, kBytes, 0, NULL, NULL));
  *(volatile char*)(from + 20000) = 2;
  OK(clEnqueueSVMUnmap(queue, from, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  OK(clReleaseEvent(start));
  clSVMFree(context, to);
  clSVMFree(context, from);
}

int main(void) {
  Open(0);
  MappedRegionReadTooEarly();
  MappedImageReadTooEarly();
  SvmReadBesideKernel();
  SvmWrittenBesideCopy();
  Close();
}
