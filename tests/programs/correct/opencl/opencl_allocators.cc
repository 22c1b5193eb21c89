// Host blocks of every allocation function are used to their last byte, grown, shrunk and used
// again.
#include <malloc.h>

#include <memory>
#include <new>
#include <string>
#include <vector>

#include "common/opencl.h"

namespace {

cl_mem buffer;

void RoundTrip(void* block, size_t bytes) {
  memset(block, 1, bytes);
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, block, 0, nullptr, nullptr));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, block, 0, nullptr, nullptr));
}

}  // namespace

int main() {
  Open(0);
  buffer = MADE(clCreateBuffer(context, 0, 1 << 20, nullptr, &error));
  for (const size_t bytes : {1000, 1024, 4097, 200001}) {
    void* block = malloc(bytes);
    RoundTrip(block, bytes);
    block = realloc(block, 3 * bytes);
    RoundTrip(block, 3 * bytes);
    block = realloc(block, bytes / 2);
    RoundTrip(block, bytes / 2);
    block = reallocarray(block, 2, bytes);
    RoundTrip(block, 2 * bytes);
    free(block);
    block = calloc(3, bytes);
    RoundTrip(block, 3 * bytes);
    free(block);
    if (posix_memalign(&block, 256, bytes) != 0) abort();
    RoundTrip(block, bytes);
    free(block);
    block = aligned_alloc(64, bytes / 64 * 64);
    RoundTrip(block, bytes / 64 * 64);
    free(block);
    block = memalign(4096, bytes);
    RoundTrip(block, bytes);
    free(block);
    char* array = new char[bytes];
    RoundTrip(array, bytes);
    delete[] array;
    void* aligned = operator new(bytes, std::align_val_t(128));
    RoundTrip(aligned, bytes);
    operator delete(aligned, std::align_val_t(128));
    std::vector<char> vector(bytes);
    RoundTrip(vector.data(), vector.size());
    vector.resize(2 * bytes);
    RoundTrip(vector.data(), vector.size());
    std::string text(bytes, 'x');
    RoundTrip(text.data(), text.size());
    RoundTrip(&text[bytes / 2], bytes - bytes / 2);
    auto unique = std::make_unique<double[]>(bytes / 8);
    RoundTrip(unique.get(), bytes / 8 * 8);
  }
  printf("done\n");
  OK(clReleaseMemObject(buffer));
  Close();
}
