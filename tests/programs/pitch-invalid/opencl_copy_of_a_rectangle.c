// Defect: Copies of rectangles have a slice pitch that is no multiple of the row pitch, and two row
// pitches within one buffer.
// Fix: The pitches agree.
#include "common/opencl.h"

// Defect: The slice pitch of a copied box is not a multiple of its row pitch.
// Fix: The slice pitch of a copied box is a multiple of its row pitch.
// EXPECT error pitch-invalid clEnqueueCopyBufferRect at HERE
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
  // @HERE
  clEnqueueCopyBufferRect(queue, from, to, kOrigin, kOrigin, region, 64, slice, 64, 512, 0, NULL,
                          NULL);
  OK(clFinish(queue));
  RELEASE(to, from);
}

// Defect: A rectangle is copied within one buffer, and the row pitches of its source and target differ.
// Fix: Both have the row pitch of the buffer.
// EXPECT error pitch-invalid clEnqueueCopyBufferRect at HERE_2
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
  // @HERE_2
  clEnqueueCopyBufferRect(queue, buffer, buffer, from, to, region, 64, 0, target_pitch, 0, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  CopyRectSlicePitch();
  RectCopyWithinBuffer();
  Close();
}
