// Defect: A kernel follows a pointer from its argument to a second node. clSetKernelExecInfo names
// the node. A command of the queue frees the node before the launch.
// Fix: The node is freed after the launch.
// EXPECT warning use-after-free clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at FREED
// EXPECT-FACT kernel=add
// The defect may end the process in the driver.
// EXIT any
#include "common/opencl.h"

static const char kSource[] =
    "typedef struct { global int* value; } Node;\n"
    "kernel void add(global Node* node, global int* out) { *out += *node->value; }\n";

int main(void) {
  Open(0);
  cl_kernel add = NewKernel(kSource, "add");
  // @CREATED
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
#ifdef DEFECT
  // @FREED
  OK(clEnqueueSVMFree(queue, 1, nodes, NULL, NULL, 0, NULL, NULL));
#endif
  // @HERE
  clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, NULL, 0, NULL, NULL);
#ifndef DEFECT
  OK(clEnqueueSVMFree(queue, 1, nodes, NULL, NULL, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  clSVMFree(context, node);
  CLOSE(add, out);
}
