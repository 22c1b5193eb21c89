// Kernels of common algorithms on two queues: each writes a part of one result, or adds to it
// atomically.
#include "common/opencl_pairs.h"

// Histograms by atomic additions in loops, of which two launches share the counts; and loops that
// update their own elements in place, in halves.
static void HistogramsInPlace(void) {
  static const char* const kSource =
      "kernel void count(global const uchar* in, global int* counts, int begin, int end) {\n"
      "  for (int i = begin + get_global_id(0); i < end; i += get_global_size(0))\n"
      "    atomic_inc(&counts[in[i] & 15]);\n"
      "}\n"
      "kernel void scale(global int* a, global int* unused, int begin, int end) {\n"
      "  for (int i = begin + get_global_id(0); i < end; i += get_global_size(0)) a[i] = 2 * a[i];\n"
      "}\n";
  OpenPairs(kSource);
  cl_mem in = NewFilled(1024), counts = NewFilled(64);
  const char* const names[] = {"count", "scale"};
  for (int round = 0; round < 2; ++round) {
    cl_kernel kernels[2];
    const cl_int elements = round == 0 ? 1024 : 256;
    for (int i = 0; i < 2; ++i) {
      kernels[i] = PairKernel(names[round]);
      SetBuffer(kernels[i], 0, in);
      SetBuffer(kernels[i], 1, counts);
      SetNumber(kernels[i], 2, i * elements / 2);
      SetNumber(kernels[i], 3, (i + 1) * elements / 2);
    }
    LaunchBoth(kernels[0], kernels[1], 64);
  }
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(counts));
  ClosePairs();
}

// Two kernels pass data to and fro between the halves of one buffer, in order; the host writes the
// half that no kernel uses, and a kernel updates its half in place.
static void PingPongHalves(void) {
  static const char* const kSource =
      "kernel void pass(global int* a, int from, int to) {\n"
      "  a[to + get_global_id(0)] = a[from + get_global_id(0)] + 1;\n"
      "}\n"
      "kernel void twice(global int* a, int at) { a[at + get_global_id(0)] *= 2; }\n";
  OpenPairs(kSource);
  cl_mem buffer = NewFilled(1024);
  cl_kernel pass = PairKernel("pass"), twice = PairKernel("twice");
  SetBuffer(pass, 0, buffer);
  SetBuffer(twice, 0, buffer);
  static cl_int values[64];
  for (int round = 0; round < 4; ++round) {
    SetNumber(pass, 1, round % 2 == 0 ? 0 : 64);
    SetNumber(pass, 2, round % 2 == 0 ? 64 : 0);
    LaunchOn(queue, pass, 64);
    // The rest of the buffer.
    OK(clEnqueueWriteBuffer(other, buffer, CL_TRUE, 512, 256, values, 0, NULL, NULL));
    SetNumber(twice, 1, 192);
    LaunchOn(other, twice, 64);
    OK(clFinish(other));
  }
  OK(clFinish(queue));
  OK(clReleaseKernel(pass));
  OK(clReleaseKernel(twice));
  OK(clReleaseMemObject(buffer));
  ClosePairs();
}

// Reductions: each group writes one sum, the sums of two launches are neighbours, and the total is
// an atomic addition of both. The input is shared and read by loops.
static void ReductionsOnTwoQueues(void) {
  static const char* const kSource =
      "kernel void reduce(global const int* in, global int* sums, volatile global int* total,\n"
      "                   local int* scratch, int count, int first) {\n"
      "  int sum = 0;\n"
      "  for (int i = get_global_id(0); i < count; i += get_global_size(0)) sum += in[i];\n"
      "  scratch[get_local_id(0)] = sum;\n"
      "  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    if (get_local_id(0) < s) scratch[get_local_id(0)] += scratch[get_local_id(0) + s];\n"
      "  }\n"
      "  if (get_local_id(0) == 0) {\n"
      "    sums[first + get_group_id(0)] = scratch[0];\n"
      "    atomic_add(total, scratch[0]);\n"
      "  }\n"
      "}\n";
  OpenPairs(kSource);
  cl_mem in = NewFilled(4096), sums = NewFilled(64), total = NewFilled(4);
  cl_kernel kernels[2];
  for (int i = 0; i < 2; ++i) {
    kernels[i] = PairKernel("reduce");
    SetBuffer(kernels[i], 0, in);
    SetBuffer(kernels[i], 1, sums);
    SetBuffer(kernels[i], 2, total);
    OK(clSetKernelArg(kernels[i], 3, 16 * sizeof(cl_int), NULL));
    SetNumber(kernels[i], 4, 1024);
    SetNumber(kernels[i], 5, 4 * i);
  }
  const size_t items = 64, group = 16;
  OK(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(other, kernels[1], 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  for (int i = 0; i < 2; ++i) OK(clReleaseKernel(kernels[i]));
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(sums));
  OK(clReleaseMemObject(total));
  ClosePairs();
}

// Products of matrices by tiles on two queues: the rows of the result are halves, the factors are
// read by both in nested loops, and the tiles are in local memory.
static void TilesOfAMatrix(void) {
  static const char* const kSource =
      "kernel void multiply(global float* a, global float* b, global float* c, int n, int row) {\n"
      "  local float left[8][8], right[8][8];\n"
      "  int x = get_global_id(0), y = row + get_global_id(1);\n"
      "  int lx = get_local_id(0), ly = get_local_id(1);\n"
      "  float sum = 0;\n"
      "  for (int tile = 0; tile < n; tile += 8) {\n"
      "    left[ly][lx] = a[y * n + tile + lx];\n"
      "    right[ly][lx] = b[(tile + ly) * n + x];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    for (int k = 0; k < 8; ++k) sum += left[ly][k] * right[k][lx];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  }\n"
      "  c[y * n + x] = sum;\n"
      "}\n";
  OpenPairs(kSource);
  const cl_int n = 32;
  cl_mem matrices[3];
  for (int i = 0; i < 3; ++i) matrices[i] = NewFilled(n * n * sizeof(cl_float));
  cl_kernel kernels[2];
  const size_t items[2] = {32, 16}, group[2] = {8, 8};
  for (int i = 0; i < 2; ++i) {
    kernels[i] = PairKernel("multiply");
    for (cl_uint j = 0; j < 3; ++j) SetBuffer(kernels[i], j, matrices[j]);
    SetNumber(kernels[i], 3, n);
    SetNumber(kernels[i], 4, 16 * i);
    OK(clEnqueueNDRangeKernel(i == 0 ? queue : other, kernels[i], 2, NULL, items, group, 0, NULL,
                              NULL));
  }
  OK(clFinish(queue));
  OK(clFinish(other));
  for (int i = 0; i < 2; ++i) OK(clReleaseKernel(kernels[i]));
  for (int i = 0; i < 3; ++i) OK(clReleaseMemObject(matrices[i]));
  ClosePairs();
}

// A stencil reads some elements in front of and behind each element: the buffer has a margin, the
// launch has an offset, and neighbours of the output are written by another queue.
static void WindowInsideOfItsMargin(void) {
  static const char* const kSource =
      "kernel void blur(global const int* in, global int* out, int radius) {\n"
      "  int i = get_global_id(0), sum = 0;\n"
      "  for (int k = -radius; k <= radius; ++k) sum += in[i + k];\n"
      "  out[i] = sum;\n"
      "}\n";
  OpenPairs(kSource);
  const cl_int radius = 3;
  // 3 + 64 + 3 elements, all of which are read.
  cl_mem in = NewFilled(70 * sizeof(cl_int)), out = NewFilled(70 * sizeof(cl_int));
  cl_kernel kernels[2];
  for (int i = 0; i < 2; ++i) {
    kernels[i] = PairKernel("blur");
    SetBuffer(kernels[i], 0, in);
    SetBuffer(kernels[i], 1, out);
    SetNumber(kernels[i], 2, radius);
    const size_t offset = i == 0 ? 3 : 35, items = 32;
    OK(clEnqueueNDRangeKernel(i == 0 ? queue : other, kernels[i], 1, &offset, &items, NULL, 0, NULL,
                              NULL));
  }
  OK(clFinish(queue));
  OK(clFinish(other));
  for (int i = 0; i < 2; ++i) OK(clReleaseKernel(kernels[i]));
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(out));
  ClosePairs();
}

int main(void) {
  HistogramsInPlace();
  PingPongHalves();
  ReductionsOnTwoQueues();
  TilesOfAMatrix();
  WindowInsideOfItsMargin();
}
