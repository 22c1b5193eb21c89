// Defect one_row: A kernel with a work item for each pixel runs over one row more than its buffer
// of pixels has.
// EXIT any
// EXPECT error guard-overwritten clFinish at FINISH
// EXPECT-PARTY likely-writer at SECOND
// EXPECT-PARTY possible-writer at FIRST
// EXPECT-FACT side=behind
// EXPECT-FACT changed_bytes=256
// EXPECT-FACT nearest_bytes=0
// EXPECT-FACT farthest_bytes=255
// EXPECT-FACT suspects=2
// Defect shared_memory: A kernel writes three bytes behind a block of shared virtual memory.
// EXIT any
// EXPECT error guard-overwritten clSVMFree at FREE
// EXPECT-PARTY allocation at CREATE
// EXPECT-PARTY likely-writer at LAUNCH
// EXPECT-FACT side=behind
// EXPECT-FACT nearest_bytes=2
// EXPECT-FACT changed_bytes=3
// Defect one_byte: A kernel writes the byte directly behind its buffer. The index comes from
// memory, so the code does not say which.
// EXPECT error guard-overwritten clFinish at FINISH_2
// EXPECT-PARTY allocation at CREATE_2
// EXPECT-PARTY likely-writer at LAUNCH_2
// EXPECT-FACT side=behind
// EXPECT-FACT changed_bytes=1
// EXPECT-FACT nearest_bytes=0
// EXPECT-FACT resource_bytes=1001
// EXPECT-FACT values=00
// EXPECT-FACT kernel=store
// Fix: The kernel writes up to the end of the memory.
// OPTION --guard
#include "common/opencl.h"

// Fix: It runs over the rows that the buffer has.
static void OneRow(void) {
  cl_kernel blur = NewKernel(
      "kernel void blur(global const uint* first_row, global uint* pixels) {"
      "  const size_t row = get_global_id(1) + first_row[0];"
      "  pixels[row * get_global_size(0) + get_global_id(0)] = 0;"
      "}",
      "blur");
  const cl_uint zero = 0;
  cl_mem first = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(zero), (void*)&zero, &error));
  cl_mem pixels = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 64 * 16 * 4, NULL, &error));
  OK(clSetKernelArg(blur, 0, sizeof(first), &first));
  OK(clSetKernelArg(blur, 1, sizeof(pixels), &pixels));
  const size_t whole[2] = {64, 16};
  // @FIRST
  OK(clEnqueueNDRangeKernel(queue, blur, 2, NULL, whole, NULL, 0, NULL, NULL));
#ifdef DEFECT_one_row
  const size_t size[2] = {64, 17};
#else
  const size_t size[2] = {64, 16};
#endif
  // @SECOND
  OK(clEnqueueNDRangeKernel(queue, blur, 2, NULL, size, NULL, 0, NULL, NULL));
  // @FINISH
  OK(clFinish(queue));
  RELEASE(pixels, first, blur);
}

// Fix: It writes inside of the block.
static void SharedMemory(void) {
  cl_kernel store = NewKernel(
      "kernel void store(global uchar* bytes, global const int* where, int count) {"
      "  for (int i = 0; i < count; ++i) bytes[where[i]] = 0;"
      "}",
      "store");
#ifdef DEFECT_shared_memory
  cl_int indices[3] = {502, 503, 504};
#else
  cl_int indices[3] = {497, 498, 499};
#endif
  const cl_int count = 3;
  // @CREATE
  cl_uchar* bytes = clSVMAlloc(context, CL_MEM_READ_WRITE, 500, 0);
  cl_mem where = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(indices), indices, &error));
  OK(clSetKernelArgSVMPointer(store, 0, bytes));
  OK(clSetKernelArg(store, 1, sizeof(where), &where));
  OK(clSetKernelArg(store, 2, sizeof(count), &count));
  cl_event done;
  // @LAUNCH
  OK(clEnqueueTask(queue, store, 0, NULL, &done));
  OK(clWaitForEvents(1, &done));
  OK(clReleaseEvent(done));
  OK(clReleaseMemObject(where));
  OK(clReleaseKernel(store));
  // @FREE
  clSVMFree(context, bytes);
}

// Fix: It writes the last byte of the buffer.
static void OneByte(void) {
  cl_kernel store = NewKernel(
      "kernel void store(global uchar* bytes, global const int* where, int count) {"
      "  for (int i = 0; i < count; ++i) bytes[where[i]] = 0;"
      "}",
      "store");
#ifdef DEFECT_one_byte
  cl_int index = 1001;
#else
  cl_int index = 1000;
#endif
  const cl_int count = 1;
  // @CREATE_2
  cl_mem bytes = MADE(clCreateBuffer(context, CL_MEM_WRITE_ONLY, 1001, NULL, &error));
  cl_mem where = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(index), &index, &error));
  OK(clSetKernelArg(store, 0, sizeof(bytes), &bytes));
  OK(clSetKernelArg(store, 1, sizeof(where), &where));
  OK(clSetKernelArg(store, 2, sizeof(count), &count));
  // @LAUNCH_2
  OK(clEnqueueTask(queue, store, 0, NULL, NULL));
  // @FINISH_2
  OK(clFinish(queue));
  RELEASE(bytes, where, store);
}

int main(void) {
  Open(0);
  OneRow();
  SharedMemory();
  OneByte();
  Close();
}
