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
// Defect block_of_a_pool: A block of a pool of shared virtual memory is mapped after the pool took
// it back.
// EXPECT error use-after-free clEnqueueSVMMap at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-PARTY release at RELEASED_3
// EXPECT error use-after-free clEnqueueSVMUnmap at UNMAP
// Defect listed_node: A kernel follows a pointer from its argument to a second node.
// clSetKernelExecInfo names the node. A command of the queue frees the node before the launch.
// EXPECT warning use-after-free clEnqueueNDRangeKernel at HERE_4
// EXPECT-PARTY allocation at CREATED_4
// EXPECT-PARTY release at FREED_2
// EXPECT-FACT kernel=add
// EXIT any
// Fix: The shared memory is freed behind the last use.
#include "../../../../layer/runtime/gpusan.h"
#include "common/opencl.h"

// Fix: Shared virtual memory is freed after the kernel that uses it has ended.
static void Argument(void) {
  // Memory of this size is unmapped when it is freed. Smaller memory may be in use again, and
  // devices with system SVM accept any memory.
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

// Fix: The pool takes the block back after the map.
static void BlockOfAPool(void) {
  char* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 65536, 0);
  const uint64_t pool =
      gpusan_pool_create(GPUSAN_API_OPENCL, (uint64_t)(uintptr_t)memory, GPUSAN_POOL_EXACT);
  char* block = memory + 4096;
  // @CREATED_3
  gpusan_block_alloc(pool, (uint64_t)(uintptr_t)block, 4096, GPUSAN_NO_STREAM, 0);
#ifdef DEFECT_block_of_a_pool
  // @RELEASED_3
  gpusan_block_free(pool, (uint64_t)(uintptr_t)block, GPUSAN_NO_STREAM);
#endif
  // @HERE_3
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, block, 4096, 0, NULL, NULL));
  // @UNMAP
  OK(clEnqueueSVMUnmap(queue, block, 0, NULL, NULL));
  OK(clFinish(queue));
#ifndef DEFECT_block_of_a_pool
  gpusan_block_free(pool, (uint64_t)(uintptr_t)block, GPUSAN_NO_STREAM);
#endif
  clSVMFree(context, memory);
}

// Fix: The node is freed after the launch.
static const char kSource[] =
    "typedef struct { global int* value; } Node;\n"
    "kernel void add(global Node* node, global int* out) { *out += *node->value; }\n";

static void ListedNode(void) {
  cl_kernel add = NewKernel(kSource, "add");
  // @CREATED_4
  cl_int* value = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  cl_int** node = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  const cl_int two = 2, none = 0;
  OK(clEnqueueSVMMemFill(queue, value, &two, sizeof(two), 4096, 0, NULL, NULL));
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, node, &value, sizeof(value), 0, NULL, NULL));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(cl_int), NULL, &error));
  OK(clEnqueueFillBuffer(queue, out, &none, sizeof(none), 0, sizeof(none), 0, NULL, NULL));
  void* nodes[] = {value};
  OK(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(nodes), nodes));
  OK(clSetKernelArgSVMPointer(add, 0, node));
  OK(clSetKernelArg(add, 1, sizeof(out), &out));
  const size_t items = 1;
#ifdef DEFECT_listed_node
  // @FREED_2
  OK(clEnqueueSVMFree(queue, 1, nodes, NULL, NULL, 0, NULL, NULL));
#endif
  // @HERE_4
  clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, NULL, 0, NULL, NULL);
#ifndef DEFECT_listed_node
  OK(clEnqueueSVMFree(queue, 1, nodes, NULL, NULL, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  clSVMFree(context, node);
  RELEASE(add, out);
}

int main(void) {
  Open(0);
  Argument();
  MapFreedSvm();
  InQueue();
  BlockOfAPool();
  ListedNode();
  Close();
}
