// Defect local_memory: A kernel gets more local memory than the device has.
// EXPECT error call-failed clEnqueueNDRangeKernel at HERE
// EXPECT-FACT local_bytes=17179869184
// Defect migration: A migration of shared memory counts the bytes of a size in elements of four
// bytes again.
// EXPECT error call-failed clEnqueueSVMMigrateMem at HERE_2
// EXPECT-FACT size_bytes=16384
// EXPECT-FACT resource_bytes=4096
// Defect specialization: A specialization constant is set in a program from OpenCL C source, which
// has none.
// EXPECT warning call-failed clSetProgramSpecializationConstant at HERE_3
// EXPECT-TEXT created from OpenCL C source
// Fix: The values are right.
// EXIT any
#include "common/opencl.h"

// Fix: The kernel gets as much as its work-group needs.
static void LocalMemory(void) {
  cl_mem out = MADE(clCreateBuffer(context, 0, 256, NULL, &error));
  cl_kernel kernel = NewKernel(
      "kernel void sum(local int* scratch, global int* out) {"
      "  scratch[get_local_id(0)] = 1;"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = scratch[0]; }",
      "sum");
#ifdef DEFECT_local_memory
  const size_t bytes = (size_t)1 << 34;
#else
  const size_t bytes = 64 * sizeof(cl_int);
#endif
  const size_t items = 64;
  OK(clSetKernelArg(kernel, 0, bytes, NULL));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(kernel, out);
}

// Fix: It passes the size of the allocation.
static void Migration(void) {
  const size_t bytes = 4096;
  cl_int* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
  if (memory == NULL) abort();
  const void* begins[] = {memory};
#ifdef DEFECT_migration
  const size_t sizes[] = {bytes * sizeof(cl_int)};
#else
  const size_t sizes[] = {bytes};
#endif
  // @HERE_2
  OK(clEnqueueSVMMigrateMem(queue, 1, begins, sizes, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
  // A part, and all of it.
  const void* parts[] = {memory + 512, memory};
  const size_t part_sizes[] = {2048, 0};
  OK(clEnqueueSVMMigrateMem(queue, 2, parts, part_sizes, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
                            NULL));
  OK(clFinish(queue));
  clSVMFree(context, memory);
}

// Fix: The value is a macro of the build options.
static void Specialization(void) {
  const char* source = "kernel void fill(global int* out) { out[get_global_id(0)] = VALUE; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
#ifdef DEFECT_specialization
  const cl_int value = 7;
  // @HERE_3
  clSetProgramSpecializationConstant(program, 0, sizeof(value), &value);
#endif
  OK(clBuildProgram(program, 1, &device, "-DVALUE=7", NULL, NULL));
  RELEASE(program);
}

int main(void) {
  Open(0);
  LocalMemory();
  Migration();
  Specialization();
  Close();
}
