// Defect: Commands reach past the last column, row, layer or slice of an image.
// Fix: The command ends with the image.
#include "common/opencl.h"

// Defect: The region of a write is one column wider than the image.
// Fix: The region of a write is as wide as the image.
// EXPECT error image-region-out-of-bounds clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=x
// EXPECT-FACT origin=0
// EXPECT-FACT region=17
// EXPECT-FACT extent=16
static void OneColumnTooWide(void) {
  static unsigned char texels[17 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
#ifdef DEFECT
  const size_t region[3] = {17, 16, 1};
#else
  const size_t region[3] = {16, 16, 1};
#endif
  // @HERE
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL);
  RELEASE(image);
}

// Defect: A one-dimensional image is written from its middle on with its full width.
// Fix: A one-dimensional image is written from its middle to its end.
// EXPECT error image-region-out-of-bounds clEnqueueWriteImage at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT axis=x
// EXPECT-FACT origin=32
// EXPECT-FACT region=64
// EXPECT-FACT extent=64
static void Line(void) {
  static unsigned char texels[64 * 4];
  const cl_image_desc shape = Image1D(64);
  // @CREATED_2
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t origin[3] = {32, 0, 0};
#ifdef DEFECT
  const size_t region[3] = {64, 1, 1};
#else
  const size_t region[3] = {32, 1, 1};
#endif
  // @HERE_2
  clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL);
  RELEASE(image);
}

// Defect: Layers are counted from one: the last layer does not exist.
// Fix: Layers are counted from zero.
// EXPECT error image-region-out-of-bounds clEnqueueReadImage at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-FACT axis=layer
// EXPECT-FACT origin=4
// EXPECT-FACT region=1
// EXPECT-FACT extent=4
// EXPECT-TEXT begin below 4 in layer
static void ArrayLayer(void) {
  static unsigned char texels[4 * 8 * 8 * 4];
  const cl_image_desc shape = Image2DArray(8, 8, 4);
  // @CREATED_3
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
#ifdef DEFECT
  const size_t origin[3] = {0, 0, 4};
#else
  const size_t origin[3] = {0, 0, 3};
#endif
  const size_t region[3] = {8, 8, 1};
  // @HERE_3
  clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL);
  RELEASE(image);
}

// Defect: A volume is read from its second slice, with the depth of the whole.
// Fix: A volume is read from its second slice to its last.
// EXPECT error image-region-out-of-bounds clEnqueueReadImage at HERE_4
// EXPECT-PARTY allocation at CREATED_4
// EXPECT-FACT axis=z
// EXPECT-FACT origin=1
// EXPECT-FACT region=4
// EXPECT-FACT extent=4
static void VolumeDepth(void) {
  static unsigned char texels[4 * 8 * 8 * 4];
  const cl_image_desc shape = Image3D(8, 8, 4);
  // @CREATED_4
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  const size_t origin[3] = {0, 0, 1};
#ifdef DEFECT
  const size_t region[3] = {8, 8, 4};
#else
  const size_t region[3] = {8, 8, 3};
#endif
  // @HERE_4
  clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL);
  RELEASE(image);
}

// Defect: Part of an image is copied to a place where it does not fit.
// Fix: Part of an image is copied to the right edge of another.
// EXPECT error image-region-out-of-bounds clEnqueueCopyImage at HERE_5
// EXPECT-PARTY allocation at CREATED_5
// EXPECT-FACT axis=x
// EXPECT-FACT origin=9
// EXPECT-FACT region=8
// EXPECT-FACT extent=16
static void CopyImage(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem from = MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  // @CREATED_5
  cl_mem to = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
#ifdef DEFECT
  const size_t corner[3] = {9, 0, 0};
#else
  const size_t corner[3] = {8, 0, 0};
#endif
  const size_t region[3] = {8, 16, 1};
  // @HERE_5
  clEnqueueCopyImage(queue, from, to, kOrigin, corner, region, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(to, from);
}

// Defect: A buffer is copied to an image that has fewer rows.
// Fix: A buffer is copied to an image that has as many rows.
// EXPECT error image-region-out-of-bounds clEnqueueCopyBufferToImage at HERE_6
// EXPECT-PARTY allocation at CREATED_6
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
  // @CREATED_6
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
  // @HERE_6
  clEnqueueCopyBufferToImage(queue, buffer, image, 0, kOrigin, region, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(image, buffer);
}

// Defect: A fill swaps the width and the height of an image.
// Fix: The fill covers the image.
// EXPECT error image-region-out-of-bounds clEnqueueFillImage at HERE_7
// EXPECT-PARTY allocation at CREATED_7
// EXPECT-FACT axis=x
// EXPECT-FACT origin=0
// EXPECT-FACT region=32
// EXPECT-FACT extent=16
static void Fill(void) {
  const cl_uint4 color = {{1, 2, 3, 4}};
  const cl_image_desc shape = Image2D(16, 32);
  // @CREATED_7
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
#ifdef DEFECT
  const size_t region[3] = {32, 16, 1};
#else
  const size_t region[3] = {16, 32, 1};
#endif
  // @HERE_7
  clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(image);
}

int main(void) {
  Open(0);
  OneColumnTooWide();
  Line();
  ArrayLayer();
  VolumeDepth();
  CopyImage();
  CopyBufferToImage();
  Fill();
  Close();
}
