// Transfers use variables of the program: on the stack, of static storage, and of a function that
// called.
#include "common/opencl.h"

// Host memory on the stack, in ever deeper and shallower frames, for transfers that block.
static void RoundTrip(cl_mem buffer, int depth) {
  char data[2048 + 64 * 16];
  memset(data, 'a' + depth, sizeof(data));
  const size_t bytes = 2048 + 64 * (size_t)depth;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  printf("%c", data[bytes - 1]);
  if (depth < 16) RoundTrip(buffer, depth + 1);
}

static void StackArrays(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  RoundTrip(buffer, 0);
  RoundTrip(buffer, 8);
  printf("\n");
  RELEASE(buffer);
}

// Host data in variables: parts of a struct as one range, a part of an array, objects of one section
// of their own that the program uses as an array, a constant, and a variable with an alias.
enum { kCount = 256 };

static struct {
  float low[kCount], high[kCount];
} g_halves = {{1}, {2}};
static float g_room[4 * kCount];
static float g_named[kCount] = {4};
extern float g_alias[kCount] __attribute__((alias("g_named")));
#define ROW __attribute__((section("rows"), used, aligned(4)))
ROW static float g_row_one[kCount] = {5};
ROW static float g_row_two[kCount] = {6};
extern const float __start_rows[], __stop_rows[];

static void Write(cl_mem buffer, const void* from, size_t bytes) {
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL));
}

static void StaticArrays(void) {
  static const float g_constant[kCount] = {3};
  const size_t row = kCount * sizeof(float);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 2 * row, NULL, &error));
  Write(buffer, g_halves.low, sizeof(g_halves));
  Write(buffer, g_constant, row);
  Write(buffer, g_alias, row);
  const float* first = g_row_one < g_row_two ? g_row_one : g_row_two;
  Write(buffer, first, (size_t)(__stop_rows - __start_rows) * sizeof(float));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 2 * row, g_room + kCount, 0, NULL, NULL));
  RELEASE(buffer);
}

// The storage of a buffer is a local array of a function that still runs, or of one that has waited
// for the commands and released the buffer.
__attribute__((noinline)) static cl_int SumOf(cl_mem to, int first) {
  cl_int table[1024], result[1024];
  for (int i = 0; i < 1024; ++i) table[i] = first + i;
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(table), table, &error));
  OK(clEnqueueCopyBuffer(queue, buffer, to, 0, 0, sizeof(table), 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  return result[0] + result[1023];
}

__attribute__((noinline)) static void Enqueue(cl_mem from, cl_mem to) {
  volatile char used[8192];
  used[0] = 1;
  OK(clEnqueueCopyBuffer(queue, from, to, 0, 0, 4096, 0, NULL, NULL));
  used[8191] = used[0];
}

static void StorageOfACaller(void) {
  cl_mem copy = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  if (SumOf(copy, 1) != 1025) abort();
  cl_int own[1024] = {7};
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(own), own, &error));
  Enqueue(buffer, copy);
  OK(clFinish(queue));
  Enqueue(copy, buffer);
  if (SumOf(copy, 2) != 1027) abort();
  OK(clFinish(queue));
  RELEASE(buffer, copy);
}

int main(void) {
  Open(0);
  StackArrays();
  StaticArrays();
  StorageOfACaller();
  Close();
}
