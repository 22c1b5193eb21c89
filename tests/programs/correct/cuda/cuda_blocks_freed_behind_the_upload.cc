// Pageable memory is staged when an asynchronous upload returns: its block is freed at once, serves
// for another and smaller one, goes with its mapping, or is a variable of a function that has
// returned.
#include <sys/mman.h>

#include "common/cuda.h"

static CUdeviceptr buffer;
static CUstream stream;

static void UploadOwn(unsigned char value) {
  char own[2048];
  memset(own, value, sizeof(own));
  OK(cuMemcpyHtoDAsync(buffer, own, sizeof(own), stream));
}

int main() {
  Open();
  stream = NewStream();
  buffer = NewMemory(1 << 20);
  char* result = NewPinned(4096);
  OK(cuMemsetD8(buffer, 0, 1 << 20));
  OK(cuCtxSynchronize());
  for (int round = 0; round < 50; ++round) {
    char* block = (char*)malloc(65536);
    memset(block, round, 65536);
    OK(cuMemcpyHtoDAsync(buffer, block, 65536, stream));
    free(block);
    char* smaller = (char*)malloc(2048);  // may lie where the first one was
    memset(smaller, round, 2048);
    OK(cuMemcpyHtoDAsync(buffer + 65536, smaller, 2048, stream));
    free(smaller);
    char* mapped =
        (char*)mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(mapped, round, 1 << 20);
    OK(cuMemcpyHtoDAsync(buffer, mapped, 1 << 20, stream));
    munmap(mapped, 1 << 20);
    UploadOwn((unsigned char)round);
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[0] == (char)round && result[4095] == (char)round);
  }
  Close(result, buffer, stream);
}
