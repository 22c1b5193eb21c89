// Defect: Reads of an array of images and of a volume reach past the last layer and the last slice.
// Fix: The reads end with the image.
#include "common/opencl.h"

// Defect: Layers are counted from one: the last layer does not exist.
// Fix: Layers are counted from zero.
// EXPECT error image-region-out-of-bounds clEnqueueReadImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=layer
// EXPECT-FACT origin=4
// EXPECT-FACT region=1
// EXPECT-FACT extent=4
// EXPECT-TEXT begin below 4 in layer
static void ArrayLayer(void) {
  static unsigned char texels[4 * 8 * 8 * 4];
  const cl_image_desc shape = Image2DArray(8, 8, 4);
  // @CREATED
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
#ifdef DEFECT
  const size_t origin[3] = {0, 0, 4};
#else
  const size_t origin[3] = {0, 0, 3};
#endif
  const size_t region[3] = {8, 8, 1};
  // @HERE
  clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL);
  RELEASE(image);
}

// Defect: A volume is read from its second slice, with the depth of the whole.
// Fix: A volume is read from its second slice to its last.
// EXPECT error image-region-out-of-bounds clEnqueueReadImage at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT axis=z
// EXPECT-FACT origin=1
// EXPECT-FACT region=4
// EXPECT-FACT extent=4
static void VolumeDepth(void) {
  static unsigned char texels[4 * 8 * 8 * 4];
  const cl_image_desc shape = Image3D(8, 8, 4);
  // @CREATED_2
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  const size_t origin[3] = {0, 0, 1};
#ifdef DEFECT
  const size_t region[3] = {8, 8, 4};
#else
  const size_t region[3] = {8, 8, 3};
#endif
  // @HERE_2
  clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL);
  RELEASE(image);
}

int main(void) {
  Open(0);
  ArrayLayer();
  VolumeDepth();
  Close();
}
