// The Khronos C++ bindings: reference counted objects, functors, SVM vectors, images, maps, events,
// sub-buffers.
// packages: opencl-clhpp-headers ocl-icd-opencl-dev
// suite: quick
// build: -lOpenCL
// expect: warning call-failed clCreateKernel
#define CL_HPP_TARGET_OPENCL_VERSION 200
#define CL_HPP_MINIMUM_OPENCL_VERSION 200
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

static void Report(const char* name, bool good) {
  std::printf("%s: %s\n", name, good ? "ok" : "WRONG");
}

static const char kSource[] = R"(
kernel void Add(global const int* a, global const int* b, global int* out) {
  size_t i = get_global_id(0);
  out[i] = a[i] + b[i];
}
kernel void Scale(global int* data, int factor) { data[get_global_id(0)] *= factor; }
kernel void Sums(global const int* in, global int* out, local int* scratch) {
  size_t i = get_local_id(0);
  scratch[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
    if (i < stride) scratch[i] += scratch[i + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) out[get_group_id(0)] = scratch[0];
}
kernel void Mirror(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(out, at, read_imageui(in, (int2)(get_image_width(in) - 1 - at.x, at.y)));
}
)";

static void Run() {
  cl::Context context(CL_DEVICE_TYPE_ALL);
  std::vector<cl::Device> devices = context.getInfo<CL_CONTEXT_DEVICES>();
  cl::CommandQueue queue(context, devices[0], cl::QueueProperties::Profiling);
  cl::Program program(context, kSource);
  program.build(devices, "-cl-std=CL1.2");
  std::printf("kernels: %s\n", program.getInfo<CL_PROGRAM_KERNEL_NAMES>().c_str());

  const int size = 3000;
  std::vector<int> a(size), b(size), out(size);
  std::iota(a.begin(), a.end(), 0);
  std::iota(b.begin(), b.end(), 1000);
  cl::Buffer buffer_a(context, a.begin(), a.end(), true),
      buffer_b(context, b.begin(), b.end(), true, true);
  cl::Buffer buffer_out(context, CL_MEM_WRITE_ONLY, size * sizeof(int));
  cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer> add(program, "Add");
  cl::Event added = add(cl::EnqueueArgs(queue, cl::NDRange(size)), buffer_a, buffer_b, buffer_out);
  std::vector<cl::Event> after{added};
  queue.enqueueReadBuffer(buffer_out, CL_TRUE, 0, size * sizeof(int), out.data(), &after);
  Report("add", out[0] == 1000 && out[2999] == 2999 + 3999);
  cl::copy(queue, buffer_out, out.begin(), out.end());
  Report("copy", out[5] == 1010);

  cl::Kernel scale(program, "Scale");
  cl::Buffer state(context, CL_MEM_READ_WRITE, size * sizeof(int));
  queue.enqueueCopyBuffer(buffer_a, state, 0, 0, size * sizeof(int));
  cl_buffer_region region{1024, 1024};
  cl::Buffer part = state.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  scale.setArg(0, part);
  scale.setArg(1, 10);
  queue.enqueueNDRangeKernel(scale, cl::NullRange, cl::NDRange(256));
  int* mapped =
      static_cast<int*>(queue.enqueueMapBuffer(state, CL_TRUE, CL_MAP_READ, 0, size * sizeof(int)));
  Report("sub-buffer",
         mapped[255] == 255 && mapped[256] == 2560 && mapped[511] == 5110 && mapped[512] == 512);
  queue.enqueueUnmapMemObject(state, mapped);

  cl::Buffer sums(context, CL_MEM_WRITE_ONLY, 4 * sizeof(int));
  cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::LocalSpaceArg> sum(program, "Sums");
  sum(cl::EnqueueArgs(queue, cl::NDRange(256), cl::NDRange(64)), buffer_a, sums,
      cl::Local(64 * sizeof(int)));
  std::vector<int> four(4);
  queue.enqueueReadBuffer(sums, CL_TRUE, 0, 4 * sizeof(int), four.data());
  Report("local memory", four[0] == 2016 && four[3] == 2016 + 64 * 192);

  const size_t width = 30, height = 20;
  std::vector<cl_uchar4> pixels(width * height), mirrored(width * height);
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = {{cl_uchar(i), cl_uchar(i / 30), 3, 4}};
  cl::ImageFormat format(CL_RGBA, CL_UNSIGNED_INT8);
  cl::Image2D in(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format, width, height, 0,
                 pixels.data());
  cl::Image2D flipped(context, CL_MEM_WRITE_ONLY, format, width, height);
  cl::KernelFunctor<cl::Image2D, cl::Image2D>(program, "Mirror")(
      cl::EnqueueArgs(queue, cl::NDRange(width, height)), in, flipped);
  queue.enqueueReadImage(flipped, CL_TRUE, {0, 0, 0}, {width, height, 1}, 0, 0, mirrored.data());
  Report("image", mirrored[0].s[0] == 29 && mirrored[31].s[1] == 1 && mirrored[29].s[0] == 0);
  size_t pitch = 0;
  auto* row = static_cast<cl_uchar4*>(
      queue.enqueueMapImage(flipped, CL_TRUE, CL_MAP_READ, {5, 2, 0}, {10, 4, 1}, &pitch, nullptr));
  Report("mapped image", row[0].s[0] == cl_uchar(2 * 30 + 24));
  queue.enqueueUnmapMemObject(flipped, row);

  cl::Buffer copy = buffer_out;  // retains
  cl::UserEvent gate(context);
  std::vector<cl::Event> held{gate};
  cl::Event filled;
  queue.enqueueFillBuffer(copy, 7, 0, size * sizeof(int), &held, &filled);
  queue.flush();
  gate.setStatus(CL_COMPLETE);
  filled.wait();
  queue.enqueueReadBuffer(copy, CL_TRUE, 0, size * sizeof(int), out.data());
  Report("user event", out[17] == 7);

  // A coarse-grained vector is mapped, through the default queue, from its allocation to its end.
  cl::Context::setDefault(context);
  cl::CommandQueue::setDefault(queue);
  {
    using Allocator = cl::SVMAllocator<int, cl::SVMTraitCoarse<>>;
    std::vector<int, Allocator> shared(size, 0, Allocator(context));
    cl::Kernel shared_scale(program, "Scale");
    std::iota(shared.begin(), shared.end(), 0);
    queue.enqueueUnmapSVM(shared);
    shared_scale.setArg(0, shared.data());
    shared_scale.setArg(1, 4);
    queue.enqueueNDRangeKernel(shared_scale, cl::NullRange, cl::NDRange(size));
    queue.enqueueMapSVM(shared, CL_TRUE, CL_MAP_READ);
    Report("SVM", shared[100] == 400);
    queue.enqueueUnmapSVM(shared);
    queue.finish();
  }

  try {
    cl::Kernel missing(program, "Missing");
    Report("exception", false);
  } catch (const cl::Error& error) {
    Report("exception", error.err() == CL_INVALID_KERNEL_NAME);
  }
}

int main() {
  try {
    Run();
  } catch (const cl::Error& error) {
    std::printf("%s: %d\n", error.what(), error.err());
    return 1;
  }
}
