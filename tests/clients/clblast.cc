// CLBlast: axpy, dot, gemv, gemm (direct and indirect kernels), batched gemm and trsm against loops
// on the host.
// packages: libclblast-dev ocl-icd-opencl-dev
// suite: long
// build: -DCL_TARGET_OPENCL_VERSION=120 -lclblast -lOpenCL
#include <clblast.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using clblast::Layout;
using clblast::Transpose;

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

static std::vector<float> Input(size_t count, float start) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = std::sin(start + 0.7f * i);
  return values;
}

static cl_mem Upload(Device& on, const std::vector<float>& values) {
  cl_int code;
  cl_mem buffer =
      clCreateBuffer(on.context, CL_MEM_READ_WRITE, values.size() * sizeof(float), nullptr, &code);
  Succeed(code, "clCreateBuffer");
  Succeed(clEnqueueWriteBuffer(on.queue, buffer, CL_TRUE, 0, values.size() * sizeof(float),
                               values.data(), 0, nullptr, nullptr),
          "write");
  return buffer;
}

static std::vector<float> Download(Device& on, cl_mem buffer, size_t count) {
  std::vector<float> values(count);
  Succeed(clEnqueueReadBuffer(on.queue, buffer, CL_TRUE, 0, count * sizeof(float), values.data(), 0,
                              nullptr, nullptr),
          "read");
  return values;
}

static void Report(const char* name, const std::vector<float>& got,
                   const std::vector<float>& want) {
  float worst = 0;
  for (size_t i = 0; i < want.size(); ++i)
    worst = std::max(worst, std::abs(got[i] - want[i]) / (1 + std::abs(want[i])));
  std::printf("%s: %s\n", name, worst < 1e-3f ? "ok" : "WRONG");
}

static std::vector<float> Product(const std::vector<float>& a, const std::vector<float>& b,
                                  std::vector<float> c, size_t m, size_t n, size_t k, float alpha,
                                  float beta) {
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (size_t l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = alpha * sum + beta * c[i * n + j];
    }
  }
  return c;
}

static void Vectors(Device& on) {
  size_t n = 5000;
  std::vector<float> x = Input(n, 0), y = Input(n, 1), want = y;
  cl_mem dx = Upload(on, x), dy = Upload(on, y), result = Upload(on, {0});
  cl_event done = nullptr;
  Succeed(int(clblast::Axpy<float>(n, 2.5f, dx, 0, 1, dy, 0, 1, &on.queue, &done)), "axpy");
  Succeed(clWaitForEvents(1, &done), "wait");
  clReleaseEvent(done);
  double dot = 0;
  for (size_t i = 0; i < n; ++i) {
    want[i] += 2.5f * x[i];
    dot += double(want[i]) * x[i];
  }
  Report("axpy", Download(on, dy, n), want);
  Succeed(int(clblast::Dot<float>(n, result, 0, dx, 0, 1, dy, 0, 1, &on.queue, nullptr)), "dot");
  Report("dot", Download(on, result, 1), {float(dot)});
  for (cl_mem buffer : {dx, dy, result}) clReleaseMemObject(buffer);
}

static void Matrices(Device& on, size_t m, size_t n, size_t k) {
  std::vector<float> a = Input(m * k, 0), b = Input(k * n, 1), c = Input(m * n, 2);
  cl_mem da = Upload(on, a), db = Upload(on, b), dc = Upload(on, c);
  Succeed(int(clblast::Gemm<float>(Layout::kRowMajor, Transpose::kNo, Transpose::kNo, m, n, k, 1.5f,
                                   da, 0, k, db, 0, n, 0.5f, dc, 0, n, &on.queue, nullptr)),
          "gemm");
  char name[64];
  std::snprintf(name, sizeof(name), "gemm %zu %zu %zu", m, n, k);
  Report(name, Download(on, dc, m * n), Product(a, b, c, m, n, k, 1.5f, 0.5f));
  std::vector<float> x = Input(k, 3), y(m, 0.25f);
  cl_mem dx = Upload(on, x), dy = Upload(on, y);
  Succeed(int(clblast::Gemv<float>(Layout::kRowMajor, Transpose::kNo, m, k, 1.0f, da, 0, k, dx, 0,
                                   1, 2.0f, dy, 0, 1, &on.queue, nullptr)),
          "gemv");
  Report("gemv", Download(on, dy, m), Product(a, x, y, m, 1, k, 1, 2));
  for (cl_mem buffer : {da, db, dc, dx, dy}) clReleaseMemObject(buffer);
}

static void Batches(Device& on) {
  size_t m = 32, n = 24, k = 16, count = 4;
  std::vector<float> a = Input(count * m * k, 0), b = Input(count * k * n, 1),
                     c(count * m * n, 0.0f);
  cl_mem da = Upload(on, a), db = Upload(on, b), dc = Upload(on, c);
  Succeed(int(clblast::GemmStridedBatched<float>(Layout::kRowMajor, Transpose::kNo, Transpose::kNo,
                                                 m, n, k, 1.0f, da, 0, k, m * k, db, 0, n, k * n,
                                                 0.0f, dc, 0, n, m * n, count, &on.queue, nullptr)),
          "batched gemm");
  std::vector<float> got = Download(on, dc, c.size()), want;
  for (size_t i = 0; i < count; ++i) {
    std::vector<float> one = Product({a.begin() + i * m * k, a.begin() + (i + 1) * m * k},
                                     {b.begin() + i * k * n, b.begin() + (i + 1) * k * n},
                                     std::vector<float>(m * n, 0.0f), m, n, k, 1, 0);
    want.insert(want.end(), one.begin(), one.end());
  }
  Report("batched gemm", got, want);
  for (cl_mem buffer : {da, db, dc}) clReleaseMemObject(buffer);
}

static void Solve(Device& on) {
  size_t n = 48, columns = 8;
  std::vector<float> a(n * n, 0.0f), x = Input(n * columns, 1);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j)
      a[i * n + j] = i == j ? 2.0f : 0.01f * std::sin(float(i + 3 * j));
  }
  std::vector<float> b = Product(a, x, std::vector<float>(n * columns, 0.0f), n, columns, n, 1, 0);
  cl_mem da = Upload(on, a), db = Upload(on, b);
  Succeed(
      int(clblast::Trsm<float>(Layout::kRowMajor, clblast::Side::kLeft, clblast::Triangle::kLower,
                               Transpose::kNo, clblast::Diagonal::kNonUnit, n, columns, 1.0f, da, 0,
                               n, db, 0, columns, &on.queue, nullptr)),
      "trsm");
  Report("trsm", Download(on, db, n * columns), x);
  for (cl_mem buffer : {da, db}) clReleaseMemObject(buffer);
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
  Vectors(on);
  Matrices(on, 65, 33, 40);
  Matrices(on, 256, 256, 256);
  Batches(on);
  Solve(on);
  clblast::ClearCache();
  clReleaseCommandQueue(on.queue);
  clReleaseContext(on.context);
}
