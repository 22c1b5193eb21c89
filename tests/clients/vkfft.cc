// VkFFT's OpenCL backend: forward transforms against sums written out, and forward and inverse back
// to the input.
// packages: libvkfft-dev ocl-icd-opencl-dev
// suite: quick
// build: -DVKFFT_BACKEND=3 -DCL_TARGET_OPENCL_VERSION=120 -I/usr/include/vkFFT -lOpenCL
#include <CL/cl.h>

#include "fourier.h"
#include "vkFFT.h"

struct Device {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
};

static void Transform(Device& on, size_t width, size_t height) {
  size_t count = width * height;
  std::vector<Complex> in = Input(count), out(count);
  cl_int code;
  uint64_t bytes = count * sizeof(Complex);
  cl_mem buffer = clCreateBuffer(on.context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  Succeed(code, "clCreateBuffer");
  Succeed(clEnqueueWriteBuffer(on.queue, buffer, CL_TRUE, 0, bytes, in.data(), 0, nullptr, nullptr),
          "write");

  VkFFTConfiguration configuration = {};
  VkFFTApplication application = {};
  configuration.FFTdim = height > 1 ? 2 : 1;
  configuration.size[0] = width;
  configuration.size[1] = height;
  configuration.normalize = 1;
  configuration.platform = &on.platform;
  configuration.device = &on.device;
  configuration.context = &on.context;
  configuration.bufferSize = &bytes;
  Succeed(initializeVkFFT(&application, configuration), "initializeVkFFT");
  VkFFTLaunchParams launch = {};
  launch.commandQueue = &on.queue;
  launch.buffer = &buffer;
  Succeed(VkFFTAppend(&application, -1, &launch), "forward");
  Succeed(clFinish(on.queue), "clFinish");
  Succeed(clEnqueueReadBuffer(on.queue, buffer, CL_TRUE, 0, bytes, out.data(), 0, nullptr, nullptr),
          "read");
  float worst = 0;
  for (size_t v = 0; v < height; v += (height + 6) / 7) {
    for (size_t u = 0; u < width; u += (width + 6) / 7) {
      worst = std::max(worst, std::abs(out[v * width + u] - Frequency(in, width, height, u, v)));
    }
  }
  Succeed(VkFFTAppend(&application, 1, &launch), "inverse");
  Succeed(clEnqueueReadBuffer(on.queue, buffer, CL_TRUE, 0, bytes, out.data(), 0, nullptr, nullptr),
          "read");
  float back = 0;
  for (size_t i = 0; i < count; ++i) back = std::max(back, std::abs(out[i] - in[i]));
  std::printf("%zu x %zu: forward %s, inverse %s\n", width, height,
              worst < 2e-3f * std::sqrt(float(count)) ? "ok" : "WRONG",
              back < 1e-4f ? "ok" : "WRONG");
  deleteVkFFT(&application);
  Succeed(clReleaseMemObject(buffer), "release");
}

int main() {
  Device on;
  cl_int code;
  Succeed(clGetPlatformIDs(1, &on.platform, nullptr), "clGetPlatformIDs");
  Succeed(clGetDeviceIDs(on.platform, CL_DEVICE_TYPE_ALL, 1, &on.device, nullptr),
          "clGetDeviceIDs");
  on.context = clCreateContext(nullptr, 1, &on.device, nullptr, nullptr, &code);
  Succeed(code, "clCreateContext");
  on.queue = clCreateCommandQueue(on.context, on.device, 0, &code);
  Succeed(code, "clCreateCommandQueue");
  Transform(on, 1024, 1);
  Transform(on, 1000, 1);
  Transform(on, 127, 1);
  Transform(on, 64, 32);
  Transform(on, 8192, 1);
  clReleaseCommandQueue(on.queue);
  clReleaseContext(on.context);
}
