// The objects that the OpenCL benches work on.
#include "opencl_fixture.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bench {
namespace {

constexpr char kSource[] =
    "kernel void sum(global const float* a, global const float* b, global const float* c, global "
    "float* out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = a[i] + b[i] + c[i];\n"
    "}\n"
    "kernel void scale(global float* a, int by) { a[get_global_id(0)] *= by; }\n"
    "kernel void halve(read_only image2d_t from, write_only image2d_t to) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagef(to, at, read_imagef(from, at) * 0.5f);\n"
    "}\n";

}  // namespace

void Fail(const char* call, cl_int code) {
  std::fprintf(stderr, "%s: %d\n", call, code);
  std::_Exit(1);
}

Fixture::Fixture() : host(new unsigned char[kHostBytes]) {
  std::memset(host.get(), 0, kHostBytes);
  cl_int code = clGetPlatformIDs(1, &platform, nullptr);
  Check(code, "clGetPlatformIDs");
  Check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  Check(code, "clCreateContext");
  queue = NewQueue();
  const char* source = kSource;
  program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
  Check(code, "clCreateProgramWithSource");
  Check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  for (cl_mem& buffer : buffers) {
    buffer = NewBuffer();
    WriteBuffer(buffer);
  }
  kernel = NewKernel();
  image = NewImage();
  const size_t origin[3] = {0, 0, 0};
  const size_t region[3] = {kImageSide, kImageSide, 1};
  Check(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, host.get(), 0, nullptr,
                            nullptr),
        "clEnqueueWriteImage");
}

Fixture::~Fixture() {
  clFinish(queue);
  clReleaseMemObject(image);
  clReleaseKernel(kernel);
  for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

cl_command_queue Fixture::NewQueue() const {
  cl_int code;
  cl_command_queue created = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  Check(code, "clCreateCommandQueueWithProperties");
  return created;
}

cl_kernel Fixture::NewKernel() const {
  cl_int code;
  cl_kernel created = clCreateKernel(program, "sum", &code);
  Check(code, "clCreateKernel");
  for (cl_uint i = 0; i < buffers.size(); ++i) {
    Check(clSetKernelArg(created, i, sizeof(cl_mem), &buffers[i]), "clSetKernelArg");
  }
  return created;
}

cl_mem Fixture::NewBuffer() const {
  cl_int code;
  cl_mem created = clCreateBuffer(context, CL_MEM_READ_WRITE, kBufferBytes, nullptr, &code);
  Check(code, "clCreateBuffer");
  return created;
}

cl_mem Fixture::NewImage() const {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = kImageSide;
  description.image_height = kImageSide;
  cl_int code;
  cl_mem created = clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &code);
  Check(code, "clCreateImage");
  return created;
}

void Fixture::WriteBuffer(cl_mem buffer) const {
  Check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBufferBytes, host.get(), 0, nullptr,
                             nullptr),
        "clEnqueueWriteBuffer");
}

LiveBuffers::LiveBuffers(const Fixture& fixture, size_t count) {
  buffers_.resize(count);
  for (cl_mem& buffer : buffers_) buffer = fixture.NewBuffer();
}

LiveBuffers::~LiveBuffers() {
  for (cl_mem buffer : buffers_) clReleaseMemObject(buffer);
}

void Gate::Close() {
  if (!enabled_) return;
  cl_int code;
  user_event_ = clCreateUserEvent(context_, &code);
  Check(code, "clCreateUserEvent");
  Check(clEnqueueBarrierWithWaitList(queue_, 1, &user_event_, nullptr),
        "clEnqueueBarrierWithWaitList");
}

void Gate::Open() {
  if (enabled_) {
    Check(clSetUserEventStatus(user_event_, CL_COMPLETE), "clSetUserEventStatus");
    Check(clReleaseEvent(user_event_), "clReleaseEvent");
  }
  Check(clFinish(queue_), "clFinish");
}

}  // namespace bench
