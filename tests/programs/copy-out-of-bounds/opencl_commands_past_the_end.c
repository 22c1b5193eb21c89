// Defect: A fill, a write of a rectangle, a map and copies reach past the end of their buffers.
// Fix: The command ends with the buffer.
#include "common/opencl.h"

// Defect: A fill counts elements of four bytes where the call wants bytes, and one too many.
// Fix: A fill covers the whole buffer.
// EXPECT error copy-out-of-bounds clEnqueueFillBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=0
// EXPECT-FACT size_bytes=4100
// EXPECT-FACT resource_bytes=4096
static void Fill(void) {
  const cl_int zero = 0;
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const size_t bytes = 1025 * sizeof(cl_int);
#else
  const size_t bytes = 1024 * sizeof(cl_int);
#endif
  // @HERE
  clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, bytes, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: A copy ends past the end of its destination.
// Fix: A copy ends at the end of its destination.
// EXPECT error copy-out-of-bounds clEnqueueCopyBuffer at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT offset=1024
// EXPECT-FACT size_bytes=2048
// EXPECT-FACT resource_bytes=2048
static void CopyDestination(void) {
  static char data[4096];
  cl_mem from = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  // @CREATED_2
  cl_mem to = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 2048, NULL, &error));
#ifdef DEFECT
  const size_t offset = 1024;
#else
  const size_t offset = 0;
#endif
  // @HERE_2
  clEnqueueCopyBuffer(queue, from, to, 0, offset, 2048, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(to, from);
}

// Defect: The last row of a rectangle begins past the end of the buffer.
// Fix: The last row of a rectangle is the last row of the buffer.
// EXPECT error copy-out-of-bounds clEnqueueWriteBufferRect at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-FACT resource_bytes=4096
static void WriteRect(void) {
  static char data[64 * 64];
  // @CREATED_3
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const size_t rows = 33;
#else
  const size_t rows = 32;
#endif
  const size_t region[3] = {64, rows, 1};
  // @HERE_3
  clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, 128, 0, 64, 0, data, 0,
                           NULL, NULL);
  RELEASE(buffer);
}

// Defect: A mapping ends past the end of the buffer.
// Fix: A mapping ends at the end of the buffer.
// EXPECT error copy-out-of-bounds clEnqueueMapBuffer at HERE_4
// EXPECT-PARTY allocation at CREATED_4
// EXPECT-FACT offset=1024
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT resource_bytes=4096
static void Map(void) {
  // @CREATED_4
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const size_t offset = 1024;
#else
  const size_t offset = 0;
#endif
  // @HERE_4
  void* mapped =
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, offset, 4096, 0, NULL, NULL, &error);
  if (error == CL_SUCCESS) OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: The texels of an image do not fit in the buffer that they are copied to.
// Fix: The texels of an image fit in the buffer that they are copied to.
// EXPECT error copy-out-of-bounds clEnqueueCopyImageToBuffer at HERE_5
// EXPECT-PARTY allocation at CREATED_5
// EXPECT-FACT offset=0
// EXPECT-FACT size_bytes=1024
// EXPECT-FACT resource_bytes=256
static void CopyImageToBuffer(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
#ifdef DEFECT
  const size_t bytes = 16 * 16;
#else
  const size_t bytes = 16 * 16 * 4;
#endif
  // @CREATED_5
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error));
  const size_t region[3] = {16, 16, 1};
  // @HERE_5
  clEnqueueCopyImageToBuffer(queue, image, buffer, kOrigin, region, 0, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(buffer, image);
}

int main(void) {
  Open(0);
  Fill();
  CopyDestination();
  WriteRect();
  Map();
  CopyImageToBuffer();
  Close();
}
