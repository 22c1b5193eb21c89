// Defect: The row pitch of host data is shorter than a row: of the data of a new image, and of a
// rectangle of a buffer.
// Fix: The row pitch is that of the data.
#include "common/opencl.h"

// Defect: An image is created from host data with a row pitch that is smaller than a row.
// Fix: An image is created from host data with a row pitch that is a row.
// EXPECT error pitch-invalid clCreateImage at HERE
// EXPECT-FACT row_pitch=16
// EXPECT-FACT row_bytes=64
static void CreateImageRowPitch(void) {
  static unsigned char texels[16 * 16 * 4];
  cl_image_desc shape = Image2D(16, 16);
#ifdef DEFECT
  shape.image_row_pitch = 16;
#else
  shape.image_row_pitch = 64;
#endif
  // @HERE
  cl_mem image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(image));
}

// Defect: The row pitch of the host is less than the width of the rectangle.
// Fix: The row pitch is the width of the rectangle.
// EXPECT error pitch-invalid clEnqueueWriteBufferRect at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT row_pitch=32
// EXPECT-FACT row_bytes=64
static void RectRowPitch(void) {
  static char data[4096];
  // @CREATED_2
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  const size_t region[3] = {64, 16, 1};
#ifdef DEFECT
  const size_t pitch = 32;
#else
  const size_t pitch = 64;
#endif
  // @HERE_2
  clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, 128, 0, pitch, 0, data,
                           0, NULL, NULL);
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  CreateImageRowPitch();
  RectRowPitch();
  Close();
}
