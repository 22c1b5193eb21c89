// Host data in variables: parts of a struct as one range, a part of an array, objects of one section
// of their own that the program uses as an array, a constant, and a variable with an alias.
#include "common/opencl.h"

enum { kCount = 256 };

static struct {
  float low[kCount], high[kCount];
} g_halves = {{1}, {2}};
static float g_room[4 * kCount];
static const float g_constant[kCount] = {3};
static float g_named[kCount] = {4};
extern float g_alias[kCount] __attribute__((alias("g_named")));
#define ROW __attribute__((section("rows"), used, aligned(4)))
ROW static float g_row_one[kCount] = {5};
ROW static float g_row_two[kCount] = {6};
extern const float __start_rows[], __stop_rows[];

static void Write(cl_mem buffer, const void* from, size_t bytes) {
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL));
}

int main(void) {
  Open(0);
  const size_t row = kCount * sizeof(float);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 2 * row, NULL, &error));
  Write(buffer, g_halves.low, sizeof(g_halves));
  Write(buffer, g_constant, row);
  Write(buffer, g_alias, row);
  const float* first = g_row_one < g_row_two ? g_row_one : g_row_two;
  Write(buffer, first, (size_t)(__stop_rows - __start_rows) * sizeof(float));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 2 * row, g_room + kCount, 0, NULL, NULL));
  CLOSE(buffer);
}
