// Correct: Several kernels write parts of a buffer or an image, and later commands read them together. A program reads
// more than a kernel wrote if it does not use the rest, and a kernel reads a margin whose results nothing uses.
#include "common/opencl.h"

static const char kSource[] =
    "kernel void fill(global int* out) { out[get_global_id(0)] = 1; }"
    "kernel void every(global int* out, int step, int first) { out[step * get_global_id(0) + first] = 1; }"
    "kernel void scatter(global const int* in, global int* out) { out[in[get_global_id(0)]] = 1; }"
    "kernel void clear(volatile global int* out) { atomic_xchg(&out[get_global_id(0)], 0); }"
    "kernel void count(global const int* in, volatile global int* out) { atomic_inc(&out[in[get_global_id(0)]]); }"
    "kernel void add(global const int* in, global int* out) {"
    "  const int i = get_global_id(0);"
    "  out[i] = in[i] + 1;"
    "}"
    "kernel void smooth(global const int* in, global int* out) {"
    "  const int i = get_global_id(0);"
    "  out[i] = in[i] + in[i + 1] + in[i + 2];"
    "}"
    "kernel void first_if(global const int* in, global int* out, int wanted) {"
    "  const int i = get_global_id(0);"
    "  out[i] = wanted ? in[i / 2] : 0;"
    "}"
    "kernel void paint(write_only image2d_t out) {"
    "  write_imageui(out, (int2)(get_global_id(0), get_global_id(1)), (uint4)(1));"
    "}"
    "kernel void load(read_only image2d_t in, global uint4* out) {"
    "  const int x = get_global_id(0), y = get_global_id(1);"
    "  out[y * get_global_size(0) + x] = read_imageui(in, (int2)(x, y));"
    "}"
    "kernel void load_below(read_only image2d_t in, global uint4* out, int rows) {"
    "  const int x = get_global_id(0), y = get_global_id(1);"
    "  if (y < rows) out[y * get_global_size(0) + x] = read_imageui(in, (int2)(x, y));"
    "}";

enum { kItems = 1024, kBytes = kItems * sizeof(cl_int), kWidth = 16, kHeight = 32 };

static cl_program program;
static cl_mem out;
static cl_int values[kItems];

static cl_mem NewBuffer(size_t bytes) { return MADE(clCreateBuffer(context, 0, bytes, NULL, &error)); }

static cl_kernel Named(const char* name) { return MADE(clCreateKernel(program, name, &error)); }

// Launches over [first, first + items).
static void Run(cl_kernel kernel, size_t first, size_t items) {
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, &first, &items, NULL, 0, NULL, NULL));
}

static void RunOn(const char* name, cl_mem in, cl_mem to, size_t first, size_t items) {
  cl_kernel kernel = Named(name);
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  if (to != NULL) OK(clSetKernelArg(kernel, 1, sizeof(to), &to));
  Run(kernel, first, items);
  OK(clReleaseKernel(kernel));
}

// The program uses the first quarter only.
static void Capacity(void) {
  cl_mem buffer = NewBuffer(kBytes);
  RunOn("fill", buffer, NULL, 0, kItems / 4);
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, values, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
}

static void HalvesAndStrides(void) {
  cl_mem buffer = NewBuffer(kBytes);
  RunOn("fill", buffer, NULL, kItems / 2, kItems / 2);
  RunOn("add", buffer, out, kItems / 2, kItems / 2);
  RunOn("fill", buffer, NULL, 0, kItems / 2);
  RunOn("add", buffer, out, 0, kItems);
  OK(clReleaseMemObject(buffer));
  buffer = NewBuffer(kBytes);
  cl_kernel every = Named("every");
  for (cl_int first = 0; first < 2; ++first) {
    const cl_int step = 2;
    OK(clSetKernelArg(every, 0, sizeof(buffer), &buffer));
    OK(clSetKernelArg(every, 1, sizeof(step), &step));
    OK(clSetKernelArg(every, 2, sizeof(first), &first));
    Run(every, 0, kItems / 2);
  }
  OK(clReleaseKernel(every));
  RunOn("add", buffer, out, 0, kItems);
  OK(clReleaseMemObject(buffer));
}

// The bytes that a kernel writes depend on data.
static void Scattered(void) {
  for (int i = 0; i < kItems; ++i) values[i] = kItems - 1 - i;
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, kBytes, values, &error));
  cl_mem buffer = NewBuffer(kBytes);
  RunOn("scatter", in, buffer, 0, kItems);
  RunOn("add", buffer, out, 0, kItems);
  OK(clReleaseMemObject(buffer));
  buffer = NewBuffer(kBytes);
  RunOn("clear", buffer, NULL, 0, kItems);
  RunOn("count", in, buffer, 0, kItems);
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, values, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseMemObject(in));
}

static void PartsOfOneBuffer(void) {
  cl_mem whole = NewBuffer(kBytes);
  for (size_t i = 0; i < 2; ++i) {
    const cl_buffer_region region = {i * kBytes / 2, kBytes / 2};
    cl_mem half = MADE(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    RunOn("fill", half, NULL, 0, kItems / 2);
    OK(clReleaseMemObject(half));
  }
  RunOn("add", whole, out, 0, kItems);
  OK(clEnqueueReadBuffer(queue, whole, CL_TRUE, 0, kBytes, values, 0, NULL, NULL));
  OK(clReleaseMemObject(whole));
}

// The last two sums are not used, and an input that a flag switches off is never written.
static void UnusedResults(void) {
  cl_mem buffer = NewBuffer(kBytes + 2 * sizeof(cl_int));
  RunOn("fill", buffer, NULL, 0, kItems);
  RunOn("smooth", buffer, out, 0, kItems);
  OK(clReleaseMemObject(buffer));
  buffer = NewBuffer(kBytes);
  cl_kernel first_if = Named("first_if");
  const cl_int no = 0;
  OK(clSetKernelArg(first_if, 0, sizeof(buffer), &buffer));
  OK(clSetKernelArg(first_if, 1, sizeof(out), &out));
  OK(clSetKernelArg(first_if, 2, sizeof(no), &no));
  Run(first_if, 0, kItems);
  OK(clReleaseKernel(first_if));
  OK(clReleaseMemObject(buffer));
}

static void RunOverRows(cl_kernel kernel, size_t first, size_t rows) {
  const size_t offset[2] = {0, first}, items[2] = {kWidth, rows};
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, offset, items, NULL, 0, NULL, NULL));
}

static void PartsOfImages(void) {
  static unsigned char texels[kWidth * kHeight * 4];
  const cl_image_desc shape = Image2D(kWidth, kHeight);
  const size_t half[3] = {kWidth, kHeight / 2, 1};
  cl_mem texel_values = NewBuffer(sizeof(texels) * 4);
  cl_kernel load = Named("load"), below = Named("load_below"), paint = Named("paint");
  cl_mem images[2];
  for (int i = 0; i < 2; ++i) {
    images[i] = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
    OK(clEnqueueWriteImage(queue, images[i], CL_TRUE, kOrigin, half, 0, 0, texels, 0, NULL, NULL));
  }
  const cl_int rows = kHeight / 2;
  OK(clSetKernelArg(load, 0, sizeof(cl_mem), &images[0]));
  OK(clSetKernelArg(load, 1, sizeof(cl_mem), &texel_values));
  RunOverRows(load, 0, kHeight / 2);
  OK(clSetKernelArg(below, 0, sizeof(cl_mem), &images[0]));
  OK(clSetKernelArg(below, 1, sizeof(cl_mem), &texel_values));
  OK(clSetKernelArg(below, 2, sizeof(rows), &rows));
  RunOverRows(below, 0, kHeight);
  OK(clSetKernelArg(paint, 0, sizeof(cl_mem), &images[1]));
  RunOverRows(paint, kHeight / 2, kHeight / 2);
  OK(clSetKernelArg(load, 0, sizeof(cl_mem), &images[1]));
  RunOverRows(load, 0, kHeight);
  OK(clFinish(queue));
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(images[i]));
  OK(clReleaseKernel(paint));
  OK(clReleaseKernel(below));
  OK(clReleaseKernel(load));
  OK(clReleaseMemObject(texel_values));
}

int main(void) {
  Open(0);
  const char* source = kSource;
  program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  out = NewBuffer(kBytes);
  Capacity();
  HalvesAndStrides();
  Scattered();
  PartsOfOneBuffer();
  UnusedResults();
  PartsOfImages();
  OK(clFinish(queue));
  CLOSE(out, program);
}
