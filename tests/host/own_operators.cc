// A program that replaces operators new and delete, with a header in front of each block: it ends
// with 1 when it gets a block that it did not make. Makes an OpenCL call that fails, so that gpusan
// writes a finding.
#include <CL/cl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

namespace {

constexpr size_t kHeader = 32;  // bytes
constexpr uint64_t kMark = 0x67707573616e2121;

}  // namespace

void* operator new(size_t bytes) {
  char* const block = static_cast<char*>(std::malloc(bytes + kHeader));
  if (block == nullptr) throw std::bad_alloc();
  *reinterpret_cast<uint64_t*>(block) = kMark;
  return block + kHeader;
}

void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  char* const block = static_cast<char*>(memory) - kHeader;
  if (*reinterpret_cast<uint64_t*>(block) != kMark) {
    std::puts("a block of somebody else");
    std::fflush(stdout);
    std::_Exit(1);
  }
  std::free(block);
}

void operator delete(void* memory, size_t) noexcept { operator delete(memory); }

int main() {
  std::string text(100, 'x');
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
    return 0;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  clCreateBuffer(context, CL_MEM_READ_WRITE, 0, nullptr, nullptr);
  clReleaseContext(context);
  // Overloads that the program did not replace end in those that it did.
  delete[] new int[100];
  ::operator delete(::operator new(100, std::nothrow), std::nothrow);
  text.append(1000, 'y');
  std::printf("%zu\n", text.size());
  return 0;
}
