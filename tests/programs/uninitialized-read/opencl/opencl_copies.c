// Defect: Copies, reads and maps of memory that nothing has written.
// Fix: The memory is written before.
#include "common/opencl.h"

// Defect: A buffer is copied that nothing has written.
// Fix: A buffer is copied that was created with data.
// EXPECT warning uninitialized-read clEnqueueCopyBuffer at HERE
// EXPECT-PARTY allocation at CREATED
static void CopyBuffer(void) {
  static char data[4096];
#ifdef DEFECT
  // @CREATED
  cl_mem from = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
#else
  cl_mem from = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
#endif
  cl_mem to = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  // @HERE
  OK(clEnqueueCopyBuffer(queue, from, to, 0, 0, sizeof(data), 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(to, from);
}

// Defect: An image that nothing has written is copied to a buffer.
// Fix: An image is written and copied to a buffer.
// EXPECT warning uninitialized-read clEnqueueCopyImageToBuffer at HERE_2
static void CopyImageToBuffer(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(texels), NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifndef DEFECT
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
#endif
  // @HERE_2
  OK(clEnqueueCopyImageToBuffer(queue, image, buffer, kOrigin, region, 0, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(texels), texels, 0, NULL, NULL));
  RELEASE(buffer, image);
}

// Defect: An image is read that nothing has written.
// Fix: An image is read after it was filled.
// EXPECT warning uninitialized-read clEnqueueReadImage at HERE_3
// EXPECT-PARTY allocation at CREATED_3
static void ReadImage(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED_3
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifndef DEFECT
  const cl_uint4 color = {{1, 2, 3, 4}};
  OK(clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL));
#endif
  // @HERE_3
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  RELEASE(image);
}

// Defect: A rectangle beside the written one is downloaded.
// Fix: The rectangle is downloaded that was written.
// EXPECT warning uninitialized-read clEnqueueReadBufferRect at HERE_4
static void ReadRectangle(void) {
  static char data[32 * 16];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 64 * 16, NULL, &error));
  const size_t written[3] = {0, 0, 0}, region[3] = {32, 16, 1};
#ifdef DEFECT
  const size_t read[3] = {32, 0, 0};
#else
  const size_t read[3] = {0, 0, 0};
#endif
  OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, written, kOrigin, region, 64, 0, 32, 0, data,
                              0, NULL, NULL));
  // @HERE_4
  OK(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, read, kOrigin, region, 64, 0, 32, 0, data, 0,
                             NULL, NULL));
  RELEASE(buffer);
}

// Defect: Shared memory that nothing has written is copied.
// Fix: Shared memory is filled and copied.
// EXPECT warning uninitialized-read clEnqueueSVMMemcpy at HERE_5
static void SvmCopy(void) {
  void* from = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  void* to = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  if (from == NULL || to == NULL) abort();
#ifndef DEFECT
  const cl_uint zero = 0;
  OK(clEnqueueSVMMemFill(queue, from, &zero, sizeof(zero), 4096, 0, NULL, NULL));
#endif
  // @HERE_5
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
  clSVMFree(context, to);
  clSVMFree(context, from);
}

// Defect: A buffer is mapped for reading that nothing has written.
// Fix: A buffer is mapped for reading after a fill.
// EXPECT warning uninitialized-read clEnqueueMapBuffer at HERE_6
// EXPECT-PARTY allocation at CREATED_4
static void MapForReading(void) {
  // @CREATED_4
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifndef DEFECT
  const cl_uint zero = 0;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 0, NULL, NULL));
#endif
  // @HERE_6
  void* mapped =
      MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: An image is mapped for reading that nothing has written.
// Fix: An image is mapped for reading after a fill.
// EXPECT warning uninitialized-read clEnqueueMapImage at HERE_7
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
  // @HERE_7
  void* mapped = MADE(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, kOrigin, region, &pitch,
                                        NULL, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(image);
}

int main(void) {
  Open(0);
  CopyBuffer();
  CopyImageToBuffer();
  ReadImage();
  ReadRectangle();
  SvmCopy();
  MapForReading();
  MapImageForReading();
  Close();
}
