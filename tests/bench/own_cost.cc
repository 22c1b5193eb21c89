// What gpusan itself costs a call: drives libgpusan.so as an OpenCL layer over a driver whose
// functions return at once.
//
//   GPUSAN_OPTIONS=record=/tmp/own.%p.jsonl:print=0:leaks=0 own_cost [--switch-timeline] LIBRARY
//   [CALLS [CASE]]
//
// Prints processor time of the calling thread in ns a call (a pair, where the case names two
// calls), the best of five rounds of CALLS. No loader and no driver dilute it, so a profiler shows
// where the time goes:
//   valgrind --tool=callgrind own_cost LIBRARY 20000 write
// Preload LIBRARY, too, to have the host block behind each pointer known.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "timing.h"

namespace {

constexpr int kArguments = 5;             // four buffers, the last of them writable, and an int
constexpr int kLasting = kArguments - 1;  // buffers, and of images at most as many
constexpr int kCallsPerFinish = 500;      // as many as a program may have in flight

// A handle that comes again after seven others, like those of a driver that reuses memory. The
// first ones of a kind are not reused: they name what lives as long as the process.
template <typename Handle>
Handle NextHandle(uintptr_t kind, int* made) {
  const int number = *made < kLasting ? *made : kLasting + *made % 8;
  ++*made;
  return reinterpret_cast<Handle>((kind << 28) + static_cast<uintptr_t>(number) * 512);
}

template <typename Handle>
Handle Made(cl_int* code, Handle handle) {
  if (code != nullptr) *code = CL_SUCCESS;
  return handle;
}

cl_icd_dispatch MakeDriver() {
  cl_icd_dispatch driver;
  std::memset(static_cast<void*>(&driver), 0, sizeof(driver));
  driver.clCreateContext = [](const cl_context_properties*, cl_uint, const cl_device_id*,
                              void(CL_CALLBACK*)(const char*, const void*, size_t, void*), void*,
                              cl_int* code) -> cl_context {
    return Made(code, reinterpret_cast<cl_context>(uintptr_t{0x1000000}));
  };
  driver.clCreateCommandQueue = [](cl_context, cl_device_id, cl_command_queue_properties,
                                   cl_int* code) -> cl_command_queue {
    return Made(code, reinterpret_cast<cl_command_queue>(uintptr_t{0x2000000}));
  };
  driver.clCreateBuffer = [](cl_context, cl_mem_flags, size_t, void*, cl_int* code) -> cl_mem {
    static int made = 0;
    return Made(code, NextHandle<cl_mem>(3, &made));
  };
  driver.clCreateImage = [](cl_context, cl_mem_flags, const cl_image_format*, const cl_image_desc*,
                            void*, cl_int* code) -> cl_mem {
    static int made = 0;
    return Made(code, NextHandle<cl_mem>(4, &made));
  };
  driver.clReleaseMemObject = [](cl_mem) -> cl_int { return CL_SUCCESS; };
  driver.clReleaseEvent = [](cl_event) -> cl_int { return CL_SUCCESS; };
  driver.clFinish = [](cl_command_queue) -> cl_int { return CL_SUCCESS; };
  driver.clEnqueueWriteBuffer = [](cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void*,
                                   cl_uint, const cl_event*, cl_event* event) -> cl_int {
    static uintptr_t next = 0;
    if (event != nullptr)
      *event = reinterpret_cast<cl_event>(uintptr_t{0x50000000} + next++ % 64 * 256);
    return CL_SUCCESS;
  };
  driver.clEnqueueWriteImage = [](cl_command_queue, cl_mem, cl_bool, const size_t*, const size_t*,
                                  size_t, size_t, const void*, cl_uint, const cl_event*,
                                  cl_event*) -> cl_int { return CL_SUCCESS; };
  driver.clCreateProgramWithSource = [](cl_context, cl_uint, const char**, const size_t*,
                                        cl_int* code) -> cl_program {
    return Made(code, reinterpret_cast<cl_program>(uintptr_t{0x60000000}));
  };
  driver.clCreateKernel = [](cl_program, const char*, cl_int* code) -> cl_kernel {
    return Made(code, reinterpret_cast<cl_kernel>(uintptr_t{0x70000000}));
  };
  driver.clGetKernelInfo = [](cl_kernel, cl_kernel_info, size_t size, void* value,
                              size_t*) -> cl_int {
    if (size != sizeof(cl_uint)) return CL_INVALID_VALUE;
    *static_cast<cl_uint*>(value) = kArguments;
    return CL_SUCCESS;
  };
  driver.clGetKernelArgInfo = [](cl_kernel, cl_uint index, cl_kernel_arg_info name, size_t,
                                 void* value, size_t*) -> cl_int {
    const bool buffer = index + 1 < kArguments;
    switch (name) {
      case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        *static_cast<cl_uint*>(value) =
            buffer ? CL_KERNEL_ARG_ADDRESS_GLOBAL : CL_KERNEL_ARG_ADDRESS_PRIVATE;
        return CL_SUCCESS;
      case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        *static_cast<cl_uint*>(value) = CL_KERNEL_ARG_ACCESS_NONE;
        return CL_SUCCESS;
      case CL_KERNEL_ARG_TYPE_QUALIFIER:
        *static_cast<cl_bitfield*>(value) = index + 2 < kArguments ? CL_KERNEL_ARG_TYPE_CONST : 0;
        return CL_SUCCESS;
      default:
        std::strcpy(static_cast<char*>(value), buffer ? "float*" : "int");
        return CL_SUCCESS;
    }
  };
  driver.clSetKernelArg = [](cl_kernel, cl_uint, size_t, const void*) -> cl_int {
    return CL_SUCCESS;
  };
  driver.clEnqueueNDRangeKernel = [](cl_command_queue, cl_kernel, cl_uint, const size_t*,
                                     const size_t*, const size_t*, cl_uint, const cl_event*,
                                     cl_event*) -> cl_int { return CL_SUCCESS; };
  return driver;
}

class Cases {
 public:
  Cases(const cl_icd_dispatch& cl, int calls, std::string only, bool switched)
      : cl_(cl), calls_(calls), only_(std::move(only)), switched_(switched) {
    context_ = cl.clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, nullptr);
    queue_ = cl.clCreateCommandQueue(context_, nullptr, 0, nullptr);
    for (cl_mem& buffer : buffers_)
      buffer = cl.clCreateBuffer(context_, CL_MEM_READ_WRITE, 65536, nullptr, nullptr);
    image_ =
        cl.clCreateImage(context_, CL_MEM_READ_WRITE, &format_, &description_, nullptr, nullptr);
    program_ = cl.clCreateProgramWithSource(context_, 0, nullptr, nullptr, nullptr);
    kernel_ = cl.clCreateKernel(program_, "kernel", nullptr);
    for (cl_uint i = 0; i + 1 < kArguments; ++i)
      cl.clSetKernelArg(kernel_, i, sizeof(cl_mem), &buffers_[i]);
    cl.clSetKernelArg(kernel_, kArguments - 1, sizeof(number_), &number_);
  }

  int Run() {
    const size_t work_items = 64, origin[3] = {0, 0, 0}, region[3] = {16, 16, 1};
    Time("setarg",
         [&](int i) { cl_.clSetKernelArg(kernel_, i & 3, sizeof(cl_mem), &buffers_[i & 3]); });
    Time("setint",
         [&](int) { cl_.clSetKernelArg(kernel_, kArguments - 1, sizeof(number_), &number_); });
    Time("write", [&](int) { Write(nullptr); });
    Time("write+event", [&](int) {
      cl_event event;
      Write(&event);
      cl_.clReleaseEvent(event);
    });
    Time("image-write", [&](int) {
      cl_.clEnqueueWriteImage(queue_, image_, CL_FALSE, origin, region, 0, 0, host_.data(), 0,
                              nullptr, nullptr);
    });
    Time("ndrange", [&](int) {
      cl_.clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &work_items, nullptr, 0, nullptr,
                                 nullptr);
    });
    Time("image", [&](int) {
      cl_.clReleaseMemObject(cl_.clCreateImage(context_, CL_MEM_READ_WRITE, &format_, &description_,
                                               nullptr, nullptr));
    });
    Time("buffer", [&](int) {
      cl_.clReleaseMemObject(
          cl_.clCreateBuffer(context_, CL_MEM_READ_WRITE, 4096, nullptr, nullptr));
    });
    if (ran_ == 0) std::fprintf(stderr, "own_cost: no case '%s'\n", only_.c_str());
    return ran_ == 0;
  }

 private:
  template <typename Body>
  void Time(const char* name, Body body) {
    if (!only_.empty() && only_ != name) return;
    ++ran_;
    const auto measure = [&](int calls) {
      const int64_t begin = bench::ThreadCpuNs();
      for (int i = 0; i < calls; ++i) {
        body(i);
        if (i % kCallsPerFinish == 0) cl_.clFinish(queue_);
      }
      return bench::ThreadCpuNs() - begin;
    };
    bench::MeasureBest(name, calls_, switched_, measure);
  }

  void Write(cl_event* event) {
    cl_.clEnqueueWriteBuffer(queue_, buffers_[0], CL_FALSE, 0, 64, host_.data(), 0, nullptr, event);
  }

  const cl_icd_dispatch& cl_;
  const int calls_;
  const std::string only_;
  const bool switched_;  // calls without and with a timeline in turn, printed as JSON
  int ran_ = 0;
  cl_context context_;
  cl_command_queue queue_;
  cl_mem buffers_[kArguments - 1];
  cl_mem image_;
  cl_program program_;
  cl_kernel kernel_;
  cl_int number_ = 0;
  const cl_image_format format_ = {CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description_ = [] {
    cl_image_desc description = {};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = 16;
    return description;
  }();
  std::vector<char> host_ = std::vector<char>(65536);
};

}  // namespace

int main(int argc, char** argv) {
  const bool switched = bench::TakeSwitchTimeline(&argc, &argv);
  const int calls = argc > 2 ? std::atoi(argv[2]) : 200000;
  if (argc < 2 || argc > 4 || calls <= 0) {
    std::fprintf(stderr, "usage: own_cost [--switch-timeline] LIBRARY [CALLS [CASE]]\n");
    return 2;
  }
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "own_cost: %s\n", dlerror());
    return 1;
  }
  const auto init = reinterpret_cast<pfn_clInitLayer>(dlsym(library, "clInitLayer"));
  static const cl_icd_dispatch driver = MakeDriver();
  const cl_icd_dispatch* layer = nullptr;
  cl_uint entries = 0;
  if (init == nullptr ||
      init(sizeof(driver) / sizeof(void*), &driver, &entries, &layer) != CL_SUCCESS) {
    std::fprintf(stderr, "own_cost: %s is no OpenCL layer\n", argv[1]);
    return 1;
  }
  return Cases(*layer, calls, argc > 3 ? argv[3] : "", switched).Run();
}
