// Defect: A kernel sums a list in shared virtual memory. The program frees the second node, which
// the kernel reaches through the first one only, while the kernel is pending. clSetKernelExecInfo
// names the node.
// Fix: The node is freed when the kernel has ended.
// EXPECT error free-in-flight clSVMFree at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY pending-command at PENDING
// The defect may end the process in the driver.
// EXIT any
#include "common/opencl.h"

static const char kSource[] =
    "typedef struct Node { ulong next; int value, unused; } Node;\n"
    "kernel void sum(global Node* node, global int* out) {\n"
    "  int sum = 0;\n"
    "  for (; node; node = (global Node*)node->next) sum += node->value;\n"
    "  *out = sum;\n"
    "}\n";

typedef struct {
  cl_ulong next;
  cl_int value, unused;
} Node;

int main(void) {
  Open(0);
  cl_kernel sum = NewKernel(kSource, "sum");
  // @CREATED
  Node* second = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(Node), 0);
  Node* first = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(Node), 0);
  Node node = {0, 2, 0};
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, second, &node, sizeof(node), 0, NULL, NULL));
  node.next = (cl_ulong)second;
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, first, &node, sizeof(node), 0, NULL, NULL));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(cl_int), NULL, &error));
  void* nodes[] = {second};
  OK(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(nodes), nodes));
  OK(clSetKernelArgSVMPointer(sum, 0, first));
  OK(clSetKernelArg(sum, 1, sizeof(out), &out));
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  const size_t items = 1;
  // @PENDING
  OK(clEnqueueNDRangeKernel(queue, sum, 1, NULL, &items, NULL, 1, &gate, NULL));
#ifdef DEFECT
  // @HERE
  clSVMFree(context, second);
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#ifndef DEFECT
  clSVMFree(context, second);
#endif
  clSVMFree(context, first);
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(sum));
  CLOSE(gate);
}
