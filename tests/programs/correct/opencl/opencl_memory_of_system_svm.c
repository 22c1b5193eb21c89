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
  int* zeros = calloc(1, kShared);
  for (int i = 0; i < kBlocks; ++i) {
    const size_t bytes = i % 2 == 0 ? kItems * sizeof(int) : kShared;
    blocks[i] = malloc(bytes);
    // Not a fill, which crashes PoCL 6.0 with memory that it did not allocate.
    OK(clEnqueueSVMMemcpy(queue, CL_FALSE, blocks[i], zeros, bytes, 0, NULL, NULL));
    OK(clFinish(queue));
    Fill(kernel, blocks[i]);
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  free(zeros);
  CLOSE(kernel);
}
