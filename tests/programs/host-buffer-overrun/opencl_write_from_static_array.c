// Defect: A write reads more than the static array holds. (The zero variables behind the initialised
// ones make the overrun harmless.)
// Fix: The array is as long as the write.
// EXPECT error host-buffer-overrun clEnqueueWriteBuffer at HERE
// EXPECT-PARTY host-block
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=2048
#include "common/opencl.h"

enum { kCount = 1024 };

#ifdef DEFECT
static float g_weights[kCount / 2] = {1};
#else
static float g_weights[kCount] = {1};
#endif
static volatile char g_zeros[65536];

int main(void) {
  Open(0);
  g_zeros[0] = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kCount * sizeof(float), NULL, &error));
  // @HERE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kCount * sizeof(float), g_weights, 0, NULL,
                          NULL));
  CLOSE(buffer);
}
