// Defect: Row pitches and slice pitches are shorter than a row or a slice, or do not fit each
// other.
// Fix: The pitches hold whole rows and slices.
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
// EXPECT-TEXT pass a slice pitch that is a multiple of the row pitch, 64 B, and at least 1024 B
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
// EXPECT-TEXT pass 0 as the slice pitch
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

// Defect: An image is created from host data with a row pitch that is smaller than a row.
// Fix: An image is created from host data with a row pitch that is a row.
// EXPECT error pitch-invalid clCreateImage at HERE_4
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
  // @HERE_4
  cl_mem image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(image));
}

// Defect: The row pitch of the host is less than the width of the rectangle.
// Fix: The row pitch is the width of the rectangle.
// EXPECT error pitch-invalid clEnqueueWriteBufferRect at HERE_5
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-FACT row_pitch=32
// EXPECT-FACT row_bytes=64
static void RectRowPitch(void) {
  static char data[4096];
  // @CREATED_3
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  const size_t region[3] = {64, 16, 1};
#ifdef DEFECT
  const size_t pitch = 32;
#else
  const size_t pitch = 64;
#endif
  // @HERE_5
  clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, 128, 0, pitch, 0, data,
                           0, NULL, NULL);
  RELEASE(buffer);
}

// Defect: The slice pitch of a copied box is not a multiple of its row pitch.
// Fix: The slice pitch of a copied box is a multiple of its row pitch.
// EXPECT error pitch-invalid clEnqueueCopyBufferRect at HERE_6
// EXPECT-FACT slice_pitch=1000
// EXPECT-FACT row_pitch=64
static void CopyRectSlicePitch(void) {
  static char data[8192];
  cl_mem from = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  const size_t region[3] = {64, 8, 4};
#ifdef DEFECT
  const size_t slice = 1000;
#else
  const size_t slice = 1024;
#endif
  // @HERE_6
  clEnqueueCopyBufferRect(queue, from, to, kOrigin, kOrigin, region, 64, slice, 64, 512, 0, NULL,
                          NULL);
  OK(clFinish(queue));
  RELEASE(to, from);
}

// Defect: A rectangle is copied within one buffer, and the row pitches of its source and target differ.
// Fix: Both have the row pitch of the buffer.
// EXPECT error pitch-invalid clEnqueueCopyBufferRect at HERE_7
// EXPECT-TEXT one buffer
static void RectCopyWithinBuffer(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 64 * 64, NULL, &error));
  const cl_int zero = 0;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 64 * 64, 0, NULL, NULL));
  const size_t from[3] = {0, 0, 0}, to[3] = {0, 32, 0}, region[3] = {16, 8, 1};
#ifdef DEFECT
  const size_t target_pitch = 32;
#else
  const size_t target_pitch = 64;
#endif
  // @HERE_7
  clEnqueueCopyBufferRect(queue, buffer, buffer, from, to, region, 64, 0, target_pitch, 0, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  ImageRowPitch();
  ImageSlicePitch();
  SlicePitchOfFlatImage();
  CreateImageRowPitch();
  RectRowPitch();
  CopyRectSlicePitch();
  RectCopyWithinBuffer();
  Close();
}
