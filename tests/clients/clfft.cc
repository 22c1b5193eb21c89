// clFFT: complex and real transforms, batched, in place and out of place, against the inverse.
// packages: libclfft-dev ocl-icd-opencl-dev
// suite: quick
// build: -DCL_TARGET_OPENCL_VERSION=120 -lclFFT -lOpenCL
#include <clFFT.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void Succeed(int code, const char* what) {
  if (code != 0) {
    std::printf("%s failed: %d\n", what, code);
    std::exit(1);
  }
}

struct Device {
  cl_context context;
  cl_command_queue queue;
};

static std::vector<float> Input(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = std::sin(0.37f * i) + std::cos(0.011f * i * i);
  return values;
}

static float Distance(const std::vector<float>& a, const std::vector<float>& b) {
  float worst = 0;
  for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

static void ComplexInPlace(Device& on, clfftDim dimension, size_t* lengths, size_t count,
                           size_t batch) {
  std::vector<float> in = Input(2 * count * batch), out(in.size());
  size_t bytes = in.size() * sizeof(float);
  cl_int code;
  cl_mem buffer = clCreateBuffer(on.context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  Succeed(code, "clCreateBuffer");
  Succeed(
      clEnqueueWriteBuffer(on.queue, buffer, CL_FALSE, 0, bytes, in.data(), 0, nullptr, nullptr),
      "write");
  clfftPlanHandle plan;
  Succeed(clfftCreateDefaultPlan(&plan, on.context, dimension, lengths), "plan");
  Succeed(clfftSetPlanBatchSize(plan, batch), "batch");
  Succeed(clfftBakePlan(plan, 1, &on.queue, nullptr, nullptr), "bake");
  size_t scratch_bytes = 0;
  Succeed(clfftGetTmpBufSize(plan, &scratch_bytes), "scratch size");
  cl_mem scratch =
      scratch_bytes ? clCreateBuffer(on.context, CL_MEM_READ_WRITE, scratch_bytes, nullptr, &code)
                    : nullptr;
  Succeed(clfftEnqueueTransform(plan, CLFFT_FORWARD, 1, &on.queue, 0, nullptr, nullptr, &buffer,
                                nullptr, scratch),
          "forward");
  cl_event done;
  Succeed(clfftEnqueueTransform(plan, CLFFT_BACKWARD, 1, &on.queue, 0, nullptr, &done, &buffer,
                                nullptr, scratch),
          "backward");
  Succeed(clEnqueueReadBuffer(on.queue, buffer, CL_TRUE, 0, bytes, out.data(), 1, &done, nullptr),
          "read");
  std::printf("complex, %zu values, batch %zu: %s\n", count, batch,
              Distance(in, out) < 1e-3f ? "ok" : "WRONG");
  clReleaseEvent(done);
  clfftDestroyPlan(&plan);
  if (scratch) clReleaseMemObject(scratch);
  clReleaseMemObject(buffer);
}

static void RealOutOfPlace(Device& on, size_t count) {
  std::vector<float> in = Input(count), out(count);
  size_t bytes = count * sizeof(float);
  cl_mem real = clCreateBuffer(on.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                               in.data(), nullptr);
  cl_mem half = clCreateBuffer(on.context, CL_MEM_READ_WRITE, (count / 2 + 1) * 2 * sizeof(float),
                               nullptr, nullptr);
  cl_mem back = clCreateBuffer(on.context, CL_MEM_READ_WRITE, bytes, nullptr, nullptr);
  clfftPlanHandle forward, backward;
  Succeed(clfftCreateDefaultPlan(&forward, on.context, CLFFT_1D, &count), "plan");
  Succeed(clfftSetLayout(forward, CLFFT_REAL, CLFFT_HERMITIAN_INTERLEAVED), "layout");
  Succeed(clfftSetResultLocation(forward, CLFFT_OUTOFPLACE), "location");
  Succeed(clfftBakePlan(forward, 1, &on.queue, nullptr, nullptr), "bake");
  Succeed(clfftCreateDefaultPlan(&backward, on.context, CLFFT_1D, &count), "plan");
  Succeed(clfftSetLayout(backward, CLFFT_HERMITIAN_INTERLEAVED, CLFFT_REAL), "layout");
  Succeed(clfftSetResultLocation(backward, CLFFT_OUTOFPLACE), "location");
  Succeed(clfftBakePlan(backward, 1, &on.queue, nullptr, nullptr), "bake");
  Succeed(clfftEnqueueTransform(forward, CLFFT_FORWARD, 1, &on.queue, 0, nullptr, nullptr, &real,
                                &half, nullptr),
          "forward");
  Succeed(clfftEnqueueTransform(backward, CLFFT_BACKWARD, 1, &on.queue, 0, nullptr, nullptr, &half,
                                &back, nullptr),
          "backward");
  Succeed(clEnqueueReadBuffer(on.queue, back, CL_TRUE, 0, bytes, out.data(), 0, nullptr, nullptr),
          "read");
  std::printf("real, %zu values: %s\n", count, Distance(in, out) < 1e-3f ? "ok" : "WRONG");
  clfftDestroyPlan(&forward);
  clfftDestroyPlan(&backward);
  for (cl_mem buffer : {real, half, back}) clReleaseMemObject(buffer);
}

int main() {
  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  Succeed(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  Succeed(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  Device on;
  on.context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  Succeed(code, "clCreateContext");
  on.queue = clCreateCommandQueue(on.context, device, 0, &code);
  Succeed(code, "clCreateCommandQueue");
  clfftSetupData setup;
  Succeed(clfftInitSetupData(&setup), "setup data");
  Succeed(clfftSetup(&setup), "setup");
  size_t line[] = {1024}, plane[] = {60, 40}, large[] = {16384};
  ComplexInPlace(on, CLFFT_1D, line, 1024, 5);
  ComplexInPlace(on, CLFFT_2D, plane, 2400, 1);
  ComplexInPlace(on, CLFFT_1D, large, 16384, 1);
  RealOutOfPlace(on, 2048);
  clfftTeardown();
  clReleaseCommandQueue(on.queue);
  clReleaseContext(on.context);
}
