// Objects of static storage release their handles when the process ends, after main and after
// atexit handlers.
#include "common/opencl.h"

#include <memory>

namespace {

struct Device {
  Device() { Open(0); }
  ~Device() { Close(); }
};

struct Buffer {
  explicit Buffer(size_t bytes)
      : handle(MADE(clCreateBuffer(context, 0, bytes, nullptr, &error))) {}
  ~Buffer() { OK(clReleaseMemObject(handle)); }
  cl_mem handle;
};

Device opened;
Buffer early(4096);
std::unique_ptr<Buffer> late;

void AtExit() { late = std::make_unique<Buffer>(8192); }

}  // namespace

int main() {
  static Buffer local(1024);
  atexit(AtExit);
  late = std::make_unique<Buffer>(2048);
  printf("%d\n", early.handle != local.handle);
}
