// Cycles of create, write, launch, read and release for as long as wanted, and what a soak must tell
// apart: a leak, a cache that fills up, and neither.
//
//   opencl_soak leak|plateau|clean|hold SECONDS [CYCLES_A_SECOND [SPEED]]
//
// hold is clean and holds 100,000 buffers. SPEED makes the leak and the cache that many times as fast, for short runs. Ends before its time at
// SIGINT and SIGTERM, in order.
#include <signal.h>
#include <time.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "programs/common/opencl.h"

namespace {

volatile sig_atomic_t stop = 0;

double Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// The same numbers in every run.
uint32_t Random() {
  static uint32_t state = 1;
  return state = state * 1664525 + 1013904223;
}

constexpr size_t kBytes = 16 * 1024;
constexpr const char* kSource =
    "kernel void scale(global float *data, float by) { data[get_global_id(0)] *= by; }";

void Cycle(cl_kernel kernel, float* data) {
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, nullptr, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, data, 0, nullptr, nullptr));
  const float by = 2;
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  OK(clSetKernelArg(kernel, 1, sizeof(by), &by));
  const size_t items = kBytes / sizeof(float);
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, data, 0, nullptr, nullptr));
  OK(clReleaseMemObject(buffer));
}

// 64 KiB a minute, in blocks of 4 KiB.
cl_mem Keep() {
  return MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &error));  // the leak
}

// 256 entries of 64 KiB that are used at random, so that it fills fast and then slower, and whose
// entries are replaced for ever.
cl_mem Entry() {
  return MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 65536, nullptr, &error));  // the cache
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const bool leaks = std::strcmp(arguments[1], "leak") == 0;
  const bool plateaus = std::strcmp(arguments[1], "plateau") == 0;
  const double seconds = std::atof(arguments[2]);
  const double rate = count > 3 ? std::atof(arguments[3]) : 50;
  const double speed = count > 4 ? std::atof(arguments[4]) : 1;
  signal(SIGINT, [](int) { stop = 1; });
  signal(SIGTERM, [](int) { stop = 1; });
  Open(0);
  const char* source = kSource;
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, nullptr, &error));
  OK(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  cl_kernel kernel = MADE(clCreateKernel(program, "scale", &error));
  static float data[kBytes / sizeof(float)];
  constexpr size_t kEntries = 256;
  static cl_mem cache[kEntries];
  std::vector<cl_mem> kept;
  kept.reserve(1 << 20);
  if (std::strcmp(arguments[1], "hold") == 0) {
    for (int i = 0; i < 100000; ++i) kept.push_back(Entry());
  }
  const double begin = Now();
  double next = begin;
  for (double now = begin; now < begin + seconds && stop == 0; now = Now()) {
    Cycle(kernel, data);
    const double minutes = (now - begin) * speed / 60;
    if (leaks && static_cast<double>(kept.size()) < minutes * 16) kept.push_back(Keep());
    // Five a second.
    static double used = 0;
    for (; plateaus && used < minutes * 300; ++used) {
      cl_mem& entry = cache[Random() >> 8 & (kEntries - 1)];
      if (entry != nullptr) OK(clReleaseMemObject(entry));
      entry = Entry();
    }
    next += 1 / rate;
    const double pause = next - Now();
    if (pause < 0) {
      next = Now();
      continue;
    }
    const timespec wait = {static_cast<time_t>(pause),
                           static_cast<long>((pause - static_cast<time_t>(pause)) * 1e9)};
    nanosleep(&wait, nullptr);
  }
  for (cl_mem entry : cache) {
    if (entry != nullptr) OK(clReleaseMemObject(entry));
  }
  OK(clReleaseKernel(kernel));
  OK(clReleaseProgram(program));
  Close();
}
