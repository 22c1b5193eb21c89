// Defect: Stages of a transform, a reduction and a sort have indices outside of their values.
// Fix: The host runs the stages that the number of values has.
#include "common/opencl.h"

// Defect: The stages of a transform of 64 values are numbered from 0, but the host also runs stage
// 6. The butterflies of that stage pair values that are 64 elements apart.
// Fix: The last stage is number 5.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=stage
// EXPECT-FACT outside_bytes=128
static void ButterflyOfAStageTooMany(void) {
  static const char kSource[] =
      "kernel void stage(global float* values, uint number) {\n"
      "  uint i = get_global_id(0), half_size = 1u << number;\n"
      "  uint low = i & (half_size - 1);\n"
      "  uint first = ((i - low) << 1) + low, second = first + half_size;\n"
      "  float a = values[first], b = values[second];\n"
      "  values[first] = a + b;\n"
      "  values[second] = a - b;\n"
      "}\n";
  enum { kValues = 64 };
  cl_kernel kernel = NewKernel(kSource, "stage");
  static cl_float host[4 * kValues];
  cl_mem values =
      MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kValues * sizeof(cl_float), host, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(values), &values));
  const size_t items = kValues / 2;
#ifdef DEFECT
  const cl_uint stages = 7;
#else
  const cl_uint stages = 6;
#endif
  for (cl_uint stage = 0; stage < stages; ++stage) {
    OK(clSetKernelArg(kernel, 1, sizeof(stage), &stage));
    // @HERE
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  OK(clReleaseMemObject(values));
  OK(clReleaseKernel(kernel));
}

// Defect: A reduction in place adds the upper half of the values to the lower half, and halves the
// number of values until one is left. The host passes the number of values as the first half.
// Fix: The host passes half the number of values.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=reduce
// EXPECT-FACT last_byte=8191
// EXPECT-FACT outside_bytes=4096
static void HalvesFromTheWholeCount(void) {
  static const char kSource[] =
      "kernel void reduce(global float* values, int first) {\n"
      "  int i = get_global_id(0);\n"
      "  for (int distance = first; distance > 0; distance >>= 1) {\n"
      "    if (i < distance) values[i] += values[i + distance];\n"
      "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
      "  }\n"
      "}\n";
  enum { kValues = 1024 };
  cl_kernel kernel = NewKernel(kSource, "reduce");
  // Behind the values there is room for the elements that are outside.
  static cl_float host[2 * kValues];
  cl_mem values =
      MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kValues * sizeof(cl_float), host, &error));
#ifdef DEFECT
  const cl_int first = kValues;
#else
  const cl_int first = kValues / 2;
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(values), &values));
  OK(clSetKernelArg(kernel, 1, sizeof(first), &first));
  const size_t items = kValues;
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, values);
}

// Defect: A bitonic sort compares each value with its partner, whose index differs in one bit. The
// buffer has 1000 values, which is no power of two, so that partners are outside.
// Fix: The buffer is padded to 1024 values.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT kernel=partners
// EXPECT-FACT last_byte=4095
// EXPECT-FACT outside_bytes=96
static void PartnerOutsideOfTheValues(void) {
  static const char kSource[] =
      "kernel void partners(global const uint* in, global uint* out, uint distance) {\n"
      "  uint i = get_global_id(0);\n"
      "  uint mine = in[i], other = in[i ^ distance];\n"
      "  out[i] = (i & distance) == 0 ? min(mine, other) : max(mine, other);\n"
      "}\n";
  enum { kValues = 1000, kPadded = 1024 };
  cl_kernel kernel = NewKernel(kSource, "partners");
  // Behind the values there is room for the elements that are outside.
  static cl_uint host[2 * kPadded];
#ifdef DEFECT
  const size_t values = kValues;
#else
  const size_t values = kPadded;
#endif
  const size_t bytes = values * sizeof(cl_uint);
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
  const cl_uint distance = 512;
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, sizeof(distance), &distance));
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &values, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(kernel));
}

// Defect: The host sizes the table of a counting sort, 16 digits for each work-group, for groups of
// 128 work items, and launches groups of 64. The compiler writes the condition of the kernel as a
// test of the upper bits.
// Fix: The groups of the launch have 128 work items.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_DIGITS
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=count
// EXPECT-FACT outside_bytes=512
static void DigitsOfMoreGroups(void) {
  static const char kSource[] =
      "kernel void count(global const uint* keys, global uint* table, uint shift) {\n"
      "  local uint bins[16];\n"
      "  uint item = get_local_id(0);\n"
      "  if (item < 16) bins[item] = 0;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  atomic_inc(&bins[(keys[get_global_id(0)] >> shift) & 15]);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (item < 16) table[item * get_num_groups(0) + get_group_id(0)] = bins[item];\n"
      "}\n";
  enum { kKeys = 1024, kGroups = 8 };
  cl_kernel kernel = NewKernel(kSource, "count");
  static cl_uint keys[kKeys], host[2 * 16 * kGroups];
  cl_mem input = MADE(
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(keys), keys, &error));
  // Behind the table there is room for as many counts again.
  cl_mem table = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(host) / 2, host, &error));
  const cl_uint shift = 4;
  OK(clSetKernelArg(kernel, 0, sizeof(input), &input));
  OK(clSetKernelArg(kernel, 1, sizeof(table), &table));
  OK(clSetKernelArg(kernel, 2, sizeof(shift), &shift));
#ifdef DEFECT
  const size_t group = 64;
#else
  const size_t group = kKeys / kGroups;
#endif
  const size_t items = kKeys;
  // @HERE_DIGITS
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(input, table, kernel);
}

int main(void) {
  Open(0);
  ButterflyOfAStageTooMany();
  HalvesFromTheWholeCount();
  PartnerOutsideOfTheValues();
  DigitsOfMoreGroups();
  Close();
}
