// Defect: An image is created from host data with a row pitch that is smaller than a row.
// Fix: An image is created from host data with a row pitch that is a row.
// EXPECT error pitch-invalid clCreateImage at HERE
// EXPECT-FACT row_pitch=16
// EXPECT-FACT row_bytes=64
#include "common/opencl.h"

int main(void) {
  Open(0);
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
  Close();
}
