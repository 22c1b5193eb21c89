// Defect: Copies to images, and a fill, reach past the last row or column.
// Fix: They end with the image.
#include "common/opencl.h"

// Defect: Part of an image is copied to a place where it does not fit.
// Fix: Part of an image is copied to the right edge of another.
// EXPECT error image-region-out-of-bounds clEnqueueCopyImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=x
// EXPECT-FACT origin=9
// EXPECT-FACT region=8
// EXPECT-FACT extent=16
static void CopyImage(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem from = MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  // @CREATED
  cl_mem to = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
#ifdef DEFECT
  const size_t corner[3] = {9, 0, 0};
#else
  const size_t corner[3] = {8, 0, 0};
#endif
  const size_t region[3] = {8, 16, 1};
  // @HERE
  clEnqueueCopyImage(queue, from, to, kOrigin, corner, region, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(to, from);
}

// Defect: A buffer is copied to an image that has fewer rows.
// Fix: A buffer is copied to an image that has as many rows.
// EXPECT error image-region-out-of-bounds clEnqueueCopyBufferToImage at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT axis=y
// EXPECT-FACT origin=0
// EXPECT-FACT region=16
// EXPECT-FACT extent=8
static void CopyBufferToImage(void) {
  static unsigned char texels[16 * 16 * 4];
  cl_mem buffer =
      MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(texels), texels, &error));
#ifdef DEFECT
  const cl_image_desc shape = Image2D(16, 8);
#else
  const cl_image_desc shape = Image2D(16, 16);
#endif
  // @CREATED_2
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
  // @HERE_2
  clEnqueueCopyBufferToImage(queue, buffer, image, 0, kOrigin, region, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(image, buffer);
}

// Defect: A fill swaps the width and the height of an image.
// Fix: The fill covers the image.
// EXPECT error image-region-out-of-bounds clEnqueueFillImage at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-FACT axis=x
// EXPECT-FACT origin=0
// EXPECT-FACT region=32
// EXPECT-FACT extent=16
static void Fill(void) {
  const cl_uint4 color = {{1, 2, 3, 4}};
  const cl_image_desc shape = Image2D(16, 32);
  // @CREATED_3
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
#ifdef DEFECT
  const size_t region[3] = {32, 16, 1};
#else
  const size_t region[3] = {16, 32, 1};
#endif
  // @HERE_3
  clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(image);
}

int main(void) {
  Open(0);
  CopyImage();
  CopyBufferToImage();
  Fill();
  Close();
}
