// Defect: A buffer and an image that nothing has written are mapped for reading.
// Fix: The program writes them first.
#include "common/opencl.h"

// Defect: A buffer is mapped for reading that nothing has written.
// Fix: A buffer is mapped for reading after a fill.
// EXPECT warning uninitialized-read clEnqueueMapBuffer at HERE
// EXPECT-PARTY allocation at CREATED
static void MapForReading(void) {
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifndef DEFECT
  const cl_uint zero = 0;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 0, NULL, NULL));
#endif
  // @HERE
  void* mapped =
      MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: An image is mapped for reading that nothing has written.
// Fix: An image is mapped for reading after a fill.
// EXPECT warning uninitialized-read clEnqueueMapImage at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void MapImageForReading(void) {
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED_2
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifndef DEFECT
  const cl_uint4 color = {{1, 2, 3, 4}};
  OK(clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL));
#endif
  size_t pitch;
  // @HERE_2
  void* mapped = MADE(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, kOrigin, region, &pitch,
                                        NULL, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(image);
}

int main(void) {
  Open(0);
  MapForReading();
  MapImageForReading();
  Close();
}
