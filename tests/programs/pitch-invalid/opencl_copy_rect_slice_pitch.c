// Defect: The slice pitch of a copied box is not a multiple of its row pitch.
// Fix: The slice pitch of a copied box is a multiple of its row pitch.
// EXPECT error pitch-invalid clEnqueueCopyBufferRect at HERE
// EXPECT-FACT slice_pitch=1000
// EXPECT-FACT row_pitch=64
#include "common/opencl.h"

int main(void) {
  Open(0);
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
  CLOSE(to, from);
}
