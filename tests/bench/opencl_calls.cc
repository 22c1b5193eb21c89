// Bench program: what OpenCL calls cost the thread that makes them. Figures go to stdout as JSON,
// one line a case.
#include <cstdio>

#include "host_cases.h"
#include "memory_cases.h"
#include "opencl_fixture.h"
#include "thread_cases.h"
#include "timing.h"

namespace bench {
namespace {

// Commands between two drains. Enough that reading the clock does not show, few enough that the
// queue stays short.
constexpr int kEnqueues = 500;
constexpr int kPairs = 1000;
constexpr int kSetArgs = 20'000;

class CallCases {
 public:
  CallCases(const Fixture& fixture, const Options& options)
      : f_(fixture), options_(options), gate_(f_.context, f_.queue, options.gated) {}

  void SetArgBuffer(const char* name, const char* group) {
    if (!options_.Wants(name, group)) return;
    MeasureBatches(options_, name, kSetArgs, [this] {
      Check(clSetKernelArg(f_.kernel, 0, sizeof(cl_mem), &f_.buffers[0]), "clSetKernelArg");
    });
  }

  void SetArgInt(const char* name, const char* group) {
    if (!options_.Wants(name, group)) return;
    cl_int code;
    cl_kernel scale = clCreateKernel(f_.program, "scale", &code);
    Check(code, "clCreateKernel");
    cl_int value = 0;
    MeasureBatches(options_, name, kSetArgs, [&] {
      ++value;
      Check(clSetKernelArg(scale, 1, sizeof value, &value), "clSetKernelArg");
    });
    clReleaseKernel(scale);
  }

  void BufferPair(const char* name, const char* group) {
    if (!options_.Wants(name, group)) return;
    MeasureBatches(options_, name, kPairs,
                   [this] { Check(clReleaseMemObject(f_.NewBuffer()), "clReleaseMemObject"); });
  }

  void ImagePair(const char* name, const char* group) {
    if (!options_.Wants(name, group)) return;
    MeasureBatches(options_, name, kPairs,
                   [this] { Check(clReleaseMemObject(f_.NewImage()), "clReleaseMemObject"); });
  }

  void Write(const char* name, const char* group) {
    MeasureEnqueues(name, group, [this] {
      Check(clEnqueueWriteBuffer(f_.queue, f_.buffers[0], CL_FALSE, 0, 64, f_.host.get(), 0,
                                 nullptr, nullptr),
            "clEnqueueWriteBuffer");
    });
  }

  // From a block that is too small to be recorded as a host block.
  void WriteFromSmallBlock(const char* name, const char* group) {
    const auto block = std::make_unique<unsigned char[]>(96);
    MeasureEnqueues(name, group, [&] {
      Check(clEnqueueWriteBuffer(f_.queue, f_.buffers[0], CL_FALSE, 0, 64, block.get(), 0, nullptr,
                                 nullptr),
            "clEnqueueWriteBuffer");
    });
  }

  void WriteWithEvent(const char* name, const char* group) {
    MeasureEnqueues(name, group, [this] {
      cl_event event;
      Check(clEnqueueWriteBuffer(f_.queue, f_.buffers[0], CL_FALSE, 0, 64, f_.host.get(), 0,
                                 nullptr, &event),
            "clEnqueueWriteBuffer");
      Check(clReleaseEvent(event), "clReleaseEvent");
    });
  }

  void WriteImage(const char* name, const char* group) {
    MeasureEnqueues(name, group, [this] {
      const size_t origin[3] = {0, 0, 0};
      const size_t region[3] = {Fixture::kImageSide, Fixture::kImageSide, 1};
      Check(clEnqueueWriteImage(f_.queue, f_.image, CL_FALSE, origin, region, 0, 0, f_.host.get(),
                                0, nullptr, nullptr),
            "clEnqueueWriteImage");
    });
  }

  void NDRange(const char* name, const char* group) {
    MeasureEnqueues(name, group, [this] {
      const size_t global = 16;
      const size_t local = 16;
      Check(clEnqueueNDRangeKernel(f_.queue, f_.kernel, 1, nullptr, &global, &local, 0, nullptr,
                                   nullptr),
            "clEnqueueNDRangeKernel");
    });
  }

  // The launches have two sizes in turn, as passes over two levels of an image have.
  void TwoSizes(const char* name, const char* group) {
    int launch = 0;
    MeasureEnqueues(name, group, [&] {
      const size_t global = ++launch % 2 == 0 ? 16 : 32;
      const size_t local = 16;
      Check(clEnqueueNDRangeKernel(f_.queue, f_.kernel, 1, nullptr, &global, &local, 0, nullptr,
                                   nullptr),
            "clEnqueueNDRangeKernel");
    });
  }

  // A kernel object for each launch, as C++ wrappers create them.
  void NewKernels(const char* name, const char* group) {
    MeasureEnqueues(name, group, [this] {
      const size_t global = 16;
      const size_t local = 16;
      const cl_kernel kernel = f_.NewKernel();
      Check(clEnqueueNDRangeKernel(f_.queue, kernel, 1, nullptr, &global, &local, 0, nullptr,
                                   nullptr),
            "clEnqueueNDRangeKernel");
      Check(clReleaseKernel(kernel), "clReleaseKernel");
    });
  }

  void Images(const char* name, const char* group) {
    if (!options_.Wants(name, group)) return;
    cl_int code;
    const cl_kernel halve = clCreateKernel(f_.program, "halve", &code);
    Check(code, "clCreateKernel");
    const cl_mem to = f_.NewImage();
    Check(clSetKernelArg(halve, 0, sizeof(cl_mem), &f_.image), "clSetKernelArg");
    Check(clSetKernelArg(halve, 1, sizeof(cl_mem), &to), "clSetKernelArg");
    MeasureEnqueues(name, group, [&] {
      const size_t global[2] = {Fixture::kImageSide, Fixture::kImageSide};
      Check(
          clEnqueueNDRangeKernel(f_.queue, halve, 2, nullptr, global, nullptr, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    });
    Check(clReleaseKernel(halve), "clReleaseKernel");
    Check(clReleaseMemObject(to), "clReleaseMemObject");
  }

 private:
  template <typename Body>
  void MeasureEnqueues(const char* name, const char* group, Body body) {
    if (!options_.Wants(name, group)) return;
    MeasureBatches(
        options_, name, kEnqueues, [this] { gate_.Close(); }, body, [this] { gate_.Open(); });
  }

  const Fixture& f_;
  const Options& options_;
  Gate gate_;
};

void PrintDevice(const Fixture& fixture) {
  char name[256] = "";
  char version[256] = "";
  clGetDeviceInfo(fixture.device, CL_DEVICE_NAME, sizeof name, name, nullptr);
  clGetPlatformInfo(fixture.platform, CL_PLATFORM_VERSION, sizeof version, version, nullptr);
  std::printf("{\"device\":\"%s\",\"platform\":\"%s\"}\n", name, version);
}

void RunCallCases(const Fixture& fixture, const Options& options) {
  CallCases cases(fixture, options);
  cases.SetArgBuffer("set_arg_buffer", "calls");
  cases.SetArgInt("set_arg_int", "calls");
  cases.BufferPair("buffer_pair", "calls");
  cases.ImagePair("image_pair", "calls");
  cases.Write("write_64", "calls");
  cases.WriteFromSmallBlock("write_64_small_block", "calls");
  cases.WriteWithEvent("write_64_event", "calls");
  cases.WriteImage("write_image_16x16", "calls");
  cases.NDRange("ndrange_4", "calls");
  cases.TwoSizes("ndrange_two_sizes", "calls");
  cases.NewKernels("ndrange_new_kernel", "calls");
  cases.Images("ndrange_images", "calls");
}

void RunLiveCases(const Fixture& fixture, const Options& options) {
  const char* const names[] = {"buffer_pair_live", "write_64_live", "ndrange_4_live"};
  bool wanted = false;
  for (const char* name : names) wanted |= options.Wants(name, "live");
  if (!wanted) return;
  const LiveBuffers live(fixture, static_cast<size_t>(options.live));
  CallCases cases(fixture, options);
  cases.BufferPair(names[0], "live");
  cases.Write(names[1], "live");
  cases.NDRange(names[2], "live");
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const bench::Options options = bench::ParseOptions(argc, argv);
  {
    const bench::Fixture fixture;
    bench::PrintDevice(fixture);
    bench::RunMemoryCases(fixture,
                          options);  // first: a heap that other cases have grown would hide growth
    bench::RunCallCases(fixture, options);
    bench::RunLiveCases(fixture, options);
    bench::RunThreadCases(fixture, options);
    bench::RunHostCases(options);
    bench::PrintAttached();
  }
}
