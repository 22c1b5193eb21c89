// Defect: Commands have an empty region, regions that overlap, a wait list of a wrong length, and
// flags of memory instead of those of a map.
// Fix: The arguments are valid.
#include "common/opencl.h"

// Defect: An element of a region is 0 where the image has no such dimension.
// Fix: Elements that the image does not have are 1.
// EXPECT warning call-failed clEnqueueWriteImage at HERE
// EXPECT-TEXT region.2. is 0; pass 1 for each dimension
static void EmptyRegion(void) {
  static char data[16 * 8 * 4];
  cl_image_desc shape = Image2D(16, 8);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  size_t region[3] = {16, 8, 1};
#ifdef DEFECT
  region[2] = 0;
#endif
  // @HERE
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, data, 0, NULL, NULL);
  RELEASE(image);
}

// Defect: A buffer is copied onto itself, and the two parts overlap.
// Fix: A buffer is copied onto itself, and the two parts are apart.
// EXPECT warning call-failed clEnqueueCopyBuffer CL_MEM_COPY_OVERLAP at HERE_2
// EXPECT-TEXT dst_offset is 1024, and the 2048 B from there overlap those from src_offset 0
// EXPECT-TEXT pass ranges that do not overlap to clEnqueueCopyBuffer
static void OverlappingCopy(void) {
  static char data[4096];
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
#ifdef DEFECT
  const size_t offset = 1024;
#else
  const size_t offset = 2048;
#endif
  // @HERE_2
  clEnqueueCopyBuffer(queue, buffer, buffer, 0, offset, 2048, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: A wait list has a length and no events.
// Fix: A wait list without events has no length.
// EXPECT warning call-failed clEnqueueWriteBuffer CL_INVALID_EVENT_WAIT_LIST at HERE_3
static void WaitListLength(void) {
  static char data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
#ifdef DEFECT
  const cl_uint events = 1;
#else
  const cl_uint events = 0;
#endif
  // @HERE_3
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, events, NULL, NULL);
  RELEASE(buffer);
}

// Defect: The program passes a flag of cl_mem_flags as map_flags.
// Fix: It passes CL_MAP_READ.
// EXPECT error call-failed clEnqueueMapBuffer at HERE_4
// EXPECT-TEXT 0x20 is no flag
// EXPECT-FACT flags=32
static void MapFlagsOfMemory(void) {
  const cl_int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 0, NULL, NULL));
#ifdef DEFECT
  const cl_map_flags flags = CL_MEM_COPY_HOST_PTR;
#else
  const cl_map_flags flags = CL_MAP_READ;
#endif
  // @HERE_4
  void* mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, 0, 4096, 0, NULL, NULL, &error);
  if (mapped != NULL) OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  EmptyRegion();
  OverlappingCopy();
  WaitListLength();
  MapFlagsOfMemory();
  Close();
}
