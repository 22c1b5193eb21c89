// Transfers use parts of small blocks. In front of some parts the memory still has the sizes of blocks that the program
// freed, and one part begins with a number that looks like a size.
#include "common/opencl.h"

enum { kBytes = 256, kBlocks = 64 };

struct Result {
  size_t count;
  char data[kBytes];
};

int main(void) {
  Open(0);
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, kBytes, 0, NULL, NULL));
  char* small[kBlocks];
  for (int i = 0; i < kBlocks; ++i) small[i] = malloc(56);
  char* last = malloc(56);
  for (int i = 0; i < kBlocks; ++i) free(small[i]);
  char* blocks[4];
  for (int i = 0; i < 4; ++i) {
    blocks[i] = malloc(900);
    for (int offset = 0; offset + kBytes <= 900; offset += 16)
      OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, blocks[i] + offset, 0, NULL, NULL));
  }
  char* storage = malloc(sizeof(struct Result) + 16);
  struct Result* result = (struct Result*)(storage + 8);
  result->count = 65;
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, result->data, 0, NULL, NULL));
  char* whole = malloc(kBytes - 8);  // the allocator has no smaller block
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes - 8, whole, 0, NULL, NULL));
  free(whole);
  free(storage);
  for (int i = 0; i < 4; ++i) free(blocks[i]);
  free(last);
  CLOSE(buffer);
}
