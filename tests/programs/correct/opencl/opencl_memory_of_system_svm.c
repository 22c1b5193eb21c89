// The device accepts any host pointer. Blocks of malloc are arguments and operands, also where the allocator has put them at
// addresses of shared memory that was freed.
#include "common/extensions.h"

enum { kItems = 64, kShared = 4096, kBlocks = 64 };

static void Fill(cl_kernel kernel, int* data) {
  const size_t items = kItems;
  OK(clSetKernelArgSVMPointer(kernel, 0, data));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  if (data[kItems - 1] != 7) abort();
}

int main(void) {
  OpenWithSystemSvm(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, kShared, 0);
  clSVMFree(context, shared);
  int* blocks[kBlocks];
  const int zero = 0;
  for (int i = 0; i < kBlocks; ++i) {
    const size_t bytes = i % 2 == 0 ? kItems * sizeof(int) : kShared;
    blocks[i] = malloc(bytes);
    OK(clEnqueueSVMMemFill(queue, blocks[i], &zero, sizeof(zero), bytes, 0, NULL, NULL));
    OK(clFinish(queue));
    Fill(kernel, blocks[i]);
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  OK(clReleaseKernel(kernel));
  Close();
}
