// A program that asks all about its buffers and shared memory, and uses them up to their last byte. Guard zones change no
// answer and no result.
// OPTION --guard
#include <unistd.h>

#include "common/opencl.h"

enum { kBytes = 5000 };

static volatile int destroyed = 0;
static void CL_CALLBACK OnDestroyed(cl_mem memory, void* data) {
  (void)memory;
  *(volatile int*)data += 1;
}

static void Check(int holds, int line) {
  if (holds) return;
  fprintf(stderr, "line %d does not hold\n", line);
  abort();
}
#define CHECK(condition) Check((condition), __LINE__)

static size_t SizeOf(cl_mem memory, cl_mem_info parameter) {
  size_t answer = 12345;
  OK(clGetMemObjectInfo(memory, parameter, sizeof(answer), &answer, NULL));
  return answer;
}
static cl_uint CountOf(cl_mem memory, cl_mem_info parameter) {
  cl_uint answer = 12345;
  OK(clGetMemObjectInfo(memory, parameter, sizeof(answer), &answer, NULL));
  return answer;
}
static cl_mem ParentOf(cl_mem memory) {
  cl_mem answer = (cl_mem)(void*)&destroyed;
  OK(clGetMemObjectInfo(memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(answer), &answer, NULL));
  return answer;
}
static cl_mem_flags FlagsOf(cl_mem memory) {
  cl_mem_flags answer = 0;
  OK(clGetMemObjectInfo(memory, CL_MEM_FLAGS, sizeof(answer), &answer, NULL));
  return answer;
}

static void UseBuffer(cl_mem_flags flags, size_t bytes) {
  unsigned char* data = malloc(bytes);
  unsigned char* back = malloc(bytes);
  for (size_t i = 0; i < bytes; ++i) data[i] = (unsigned char)(i * 7);
  cl_mem buffer = MADE(clCreateBuffer(context, flags, bytes, (flags & CL_MEM_COPY_HOST_PTR) != 0 ? data : NULL, &error));
  CHECK(SizeOf(buffer, CL_MEM_SIZE) == bytes);
  CHECK(SizeOf(buffer, CL_MEM_OFFSET) == 0);
  CHECK(CountOf(buffer, CL_MEM_TYPE) == CL_MEM_OBJECT_BUFFER);
  CHECK(CountOf(buffer, CL_MEM_REFERENCE_COUNT) == 1);
  CHECK(CountOf(buffer, CL_MEM_MAP_COUNT) == 0);
  CHECK(ParentOf(buffer) == NULL);
  CHECK((FlagsOf(buffer) & ~(cl_mem_flags)CL_MEM_READ_WRITE) == (flags & ~(cl_mem_flags)CL_MEM_READ_WRITE));
  cl_context of;
  OK(clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof(of), &of, NULL));
  CHECK(of == context);
  OK(clSetMemObjectDestructorCallback(buffer, OnDestroyed, (void*)&destroyed));
  if ((flags & CL_MEM_COPY_HOST_PTR) == 0)
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  memset(back, 0, bytes);
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, back, 0, NULL, NULL));
  CHECK(memcmp(data, back, bytes) == 0);

  unsigned char* mapped = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &error));
  CHECK(memcmp(mapped, data, bytes) == 0);
  CHECK(CountOf(buffer, CL_MEM_MAP_COUNT) == 1);
  memset(mapped, 9, bytes);
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));

  const cl_buffer_region region = {1024, bytes - 1024};
  cl_mem part = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  CHECK(SizeOf(part, CL_MEM_SIZE) == bytes - 1024);
  CHECK(SizeOf(part, CL_MEM_OFFSET) == 1024);
  CHECK(ParentOf(part) == buffer);
  const unsigned char five = 5;
  OK(clEnqueueFillBuffer(queue, part, &five, 1, 0, bytes - 1024, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, back, 0, NULL, NULL));
  CHECK(back[0] == 9 && back[1023] == 9 && back[1024] == 5 && back[bytes - 1] == 5);
  OK(clEnqueueCopyBuffer(queue, buffer, part, 0, 100, 500, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, part, CL_TRUE, 100, 500, back, 0, NULL, NULL));
  CHECK(back[0] == 9 && back[499] == 9);
  OK(clEnqueueMigrateMemObjects(queue, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
  OK(clFinish(queue));
  // The part holds the buffer.
  const int before = destroyed;
  OK(clReleaseMemObject(buffer));
  CHECK(destroyed == before);
  OK(clEnqueueReadBuffer(queue, part, CL_TRUE, 0, 100, back, 0, NULL, NULL));
  CHECK(back[0] == 5 && back[99] == 5);
  OK(clReleaseMemObject(part));
  // The driver may still hold it for the command that ends.
  for (int i = 0; i < 5000 && destroyed == before; ++i) usleep(1000);
  CHECK(destroyed == before + 1);
  free(data);
  free(back);
}

static void RunKernels(void) {
  cl_kernel add = NewKernel(
      "kernel void add(global const int* a, global int* b) {"
      "  b[get_global_id(0)] += a[get_global_id(0)];"
      "}",
      "add");
  static cl_int a[kBytes], b[kBytes];
  for (int i = 0; i < kBytes; ++i) {
    a[i] = i;
    b[i] = 2 * i;
  }
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(a), a, &error));
  cl_int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(b), 64);
  CHECK(shared != NULL && (uintptr_t)shared % 64 == 0);
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, shared, b, sizeof(b), 0, NULL, NULL));
  OK(clSetKernelArg(add, 0, sizeof(in), &in));
  OK(clSetKernelArgSVMPointer(add, 1, shared));
  const size_t items = kBytes;
  OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, shared, sizeof(b), 0, NULL, NULL));
  for (int i = 0; i < kBytes; ++i) CHECK(shared[i] == 3 * i);
  OK(clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL));
  void* freed[1] = {shared};
  OK(clEnqueueSVMFree(queue, 1, freed, NULL, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(in));
  OK(clReleaseKernel(add));
}

int main(void) {
  Open(0);
  const cl_mem_flags all[] = {0,
                              CL_MEM_READ_WRITE,
                              CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                              CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i) {
    UseBuffer(all[i], kBytes);
    UseBuffer(all[i], 3 << 20);
  }
  cl_mem closed = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 77, NULL, &error));
  CHECK(FlagsOf(closed) == (CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
  CHECK(SizeOf(closed, CL_MEM_SIZE) == 77);
  OK(clReleaseMemObject(closed));
  RunKernels();
  cl_uint references = 0;
  OK(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof(references), &references, NULL));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
}
