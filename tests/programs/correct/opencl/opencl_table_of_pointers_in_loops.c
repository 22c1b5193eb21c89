// A kernel stores through pointers that it loads in a loop from a table in shared virtual memory.
// What else it writes is not known: a copy on another queue uses memory that is not in the table.
#include "common/opencl_pairs.h"

static const char* const kSource =
    "kernel void fill(global int* global* table, int tables, global int* out) {\n"
    "  for (int t = 0; t < tables; ++t) table[t][get_global_id(0)] = t;\n"
    "  out[get_global_id(0)] = 1;\n"
    "}\n";

int main(void) {
  OpenPairs(kSource);
  int** table = clSVMAlloc(context, CL_MEM_READ_WRITE, 2 * sizeof(int*), 0);
  int* blocks[3];
  for (int i = 0; i < 3; ++i) blocks[i] = clSVMAlloc(context, CL_MEM_READ_WRITE, 256, 0);
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, table, 2 * sizeof(int*), 0, NULL, NULL));
  table[0] = blocks[0];
  table[1] = blocks[1];
  OK(clEnqueueSVMUnmap(queue, table, 0, NULL, NULL));
  cl_mem out = NewFilled(256);
  cl_kernel kernel = PairKernel("fill");
  OK(clSetKernelArgSVMPointer(kernel, 0, table));
  SetNumber(kernel, 1, 2);
  SetBuffer(kernel, 2, out);
  const void* used[] = {blocks[0], blocks[1]};
  OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(used), used));
  LaunchOn(queue, kernel, 64);
  const cl_int zero = 0;
  OK(clEnqueueSVMMemFill(other, blocks[2], &zero, sizeof(zero), 256, 0, NULL, NULL));
  OK(clFinish(other));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(out));
  for (int i = 0; i < 3; ++i) clSVMFree(context, blocks[i]);
  clSVMFree(context, table);
  ClosePairs();
}
