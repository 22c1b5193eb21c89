// Defect: The texels of an image do not fit in the buffer that they are copied to.
// Fix: The texels of an image fit in the buffer that they are copied to.
// EXPECT error copy-out-of-bounds clEnqueueCopyImageToBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=0
// EXPECT-FACT size_bytes=1024
// EXPECT-FACT resource_bytes=256
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
#ifdef DEFECT
  const size_t bytes = 16 * 16;
#else
  const size_t bytes = 16 * 16 * 4;
#endif
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error));
  const size_t region[3] = {16, 16, 1};
  // @HERE
  clEnqueueCopyImageToBuffer(queue, image, buffer, kOrigin, region, 0, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(buffer, image);
}
