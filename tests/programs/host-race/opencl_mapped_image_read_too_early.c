// Defect: The CPU reads a mapped image before the non-blocking map is complete.
// Fix: The CPU waits for the map first.
// OPTION --protect-maps
// EXPECT error host-race host-read at READ
// EXPECT-PARTY pending-command at MAPPED
// EXPECT-FACT hazard=RAW
#include "common/opencl.h"

enum { kSide = 256 };

int main(void) {
  Open(0);
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
  // @MAPPED
  const char* data = MADE(clEnqueueMapImage(queue, image, CL_FALSE, CL_MAP_READ, origin, region,
                                            &row_pitch, NULL, 0, NULL, NULL, &error));
#ifndef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @READ
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
  CLOSE(start, image);
}
