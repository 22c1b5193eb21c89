// Defect argument: A kernel argument is set to shared virtual memory that was freed.
// EXPECT error use-after-free clSetKernelArgSVMPointer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
// Defect map: Shared virtual memory is mapped and moved after it was freed.
// EXPECT error use-after-free clEnqueueSVMMap at MAP
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY release at RELEASED_2
// EXPECT error use-after-free clEnqueueSVMMigrateMem at MOVE
// EXIT any
// Defect in_queue: A command uses shared virtual memory that an earlier command of the queue frees.
// EXPECT error use-after-free clEnqueueWriteBuffer at HERE_2
// EXPECT-PARTY release at FREED
// EXIT any
// Fix: The shared memory is freed behind the last use.
#include "common/opencl.h"

// Fix: Shared virtual memory is freed after the kernel that uses it has ended.
static void Argument(void) {
  // Memory of this size is unmapped when it is freed. Smaller memory may be in use again, and devices with system SVM
  // accept any memory.
  enum { kBytes = 64 << 20 };
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  // @CREATED
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
#ifndef DEFECT_argument
  clSetKernelArgSVMPointer(kernel, 0, shared);
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
#endif
  // @RELEASED
  clSVMFree(context, shared);
#ifdef DEFECT_argument
  // @HERE
  clSetKernelArgSVMPointer(kernel, 0, shared);
#endif
  RELEASE(kernel);
}

// Fix: Shared virtual memory is mapped and moved before it is freed.
static void MapFreedSvm(void) {
  // @CREATED_2
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 8192, 0);
#ifdef DEFECT_map
  // @RELEASED_2
  clSVMFree(context, shared);
#endif
  // @MAP
  clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, 8192, 0, NULL, NULL);
#ifndef DEFECT_map
  clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL);
#endif
  // @MOVE
  clEnqueueSVMMigrateMem(queue, 1, (const void**)&shared, NULL, 0, 0, NULL, NULL);
  clFinish(queue);
#ifndef DEFECT_map
  clSVMFree(context, shared);
#endif
}

// Fix: The memory is freed behind the last command that uses it.
static void InQueue(void) {
  cl_mem to = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 8192, 0);
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, 8192, 0, NULL, NULL));
  memset(memory, 1, 8192);
  OK(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL));
#ifdef DEFECT_in_queue
  // @FREED
  OK(clEnqueueSVMFree(queue, 1, &memory, NULL, NULL, 0, NULL, NULL));
#endif
  // @HERE_2
  clEnqueueWriteBuffer(queue, to, CL_FALSE, 0, 8192, memory, 0, NULL, NULL);
#ifndef DEFECT_in_queue
  OK(clEnqueueSVMFree(queue, 1, &memory, NULL, NULL, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  RELEASE(to);
}

int main(void) {
  Open(0);
  Argument();
  MapFreedSvm();
  InQueue();
  Close();
}
