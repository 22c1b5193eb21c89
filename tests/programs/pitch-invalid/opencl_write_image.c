// Defect: Writes of images have a row pitch in texels, a slice pitch smaller than a slice, and a
// slice pitch for an image without slices.
// Fix: The pitches are those of the host data.
#include "common/opencl.h"

// Defect: The row pitch of the host data is in texels where the call wants bytes.
// Fix: The row pitch of the host data is in bytes.
// EXPECT error pitch-invalid clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT row_pitch=16
// EXPECT-FACT row_bytes=64
static void ImageRowPitch(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifdef DEFECT
  const size_t pitch = 16;
#else
  const size_t pitch = 16 * 4;
#endif
  // @HERE
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, pitch, 0, texels, 0, NULL, NULL);
  RELEASE(image);
}

// Defect: The slice pitch of the host data is smaller than a slice.
// Fix: The slice pitch of the host data is that of a slice.
// EXPECT error pitch-invalid clEnqueueWriteImage at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT slice_pitch=64
// EXPECT-FACT row_bytes=64
static void ImageSlicePitch(void) {
  static unsigned char texels[4 * 16 * 16 * 4];
  const cl_image_desc shape = Image3D(16, 16, 4);
  // @CREATED_2
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 4};
#ifdef DEFECT
  const size_t slice = 64;
#else
  const size_t slice = 64 * 16;
#endif
  // @HERE_2
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 64, slice, texels, 0, NULL, NULL);
  RELEASE(image);
}

// Defect: A two-dimensional image is written with a slice pitch.
// Fix: The slice pitch is 0.
// EXPECT error pitch-invalid clEnqueueWriteImage at HERE_3
// EXPECT-TEXT no slices
static void SlicePitchOfFlatImage(void) {
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  unsigned char* texels = calloc(16 * 16, 4);
  const size_t region[3] = {16, 16, 1};
#ifdef DEFECT
  const size_t slice_pitch = 16 * 16 * 4;
#else
  const size_t slice_pitch = 0;
#endif
  // @HERE_3
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 64, slice_pitch, texels, 0, NULL, NULL);
  free(texels);
  RELEASE(image);
}

int main(void) {
  Open(0);
  ImageRowPitch();
  ImageSlicePitch();
  SlicePitchOfFlatImage();
  Close();
}
