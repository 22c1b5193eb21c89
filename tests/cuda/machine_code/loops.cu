// Kernels with loops, and what check_sure.py expects of them: "sure" are accesses that a thread
// surely makes if the conditions hold; "not sure" names kinds of which nothing may be sure.
#include <cassert>
#include <cstdint>

// As the arrays and the loops of element-wise kernels of frameworks: compilers unroll the loops by
// four, with a loop for the remainder.
struct Array {
  char* data;
  int64_t bytes;
  int shape, stride;
};
template <typename T>
__device__ T& At(const Array& array, int64_t i) {
  return *reinterpret_cast<T*>(array.data + static_cast<int>(i) * array.stride);
}
#define EACH(i, n)                                                                            \
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < (n);      \
       i += static_cast<int64_t>(blockDim.x) * gridDim.x)

extern "C" {

// sure: r4 [word@20*tid.x + word@20*ntid.x*ctaid.x + param@0] if tid.x + ntid.x*ctaid.x < param@48
// sure: w4 [word@44*tid.x + word@44*ntid.x*ctaid.x + param@24] if tid.x + ntid.x*ctaid.x < param@48
__global__ void unary(Array in, Array out, int64_t n) { EACH(i, n) At<float>(out, i) = At<float>(in, i) * 2; }
// sure: r4 [word@20*tid.x + word@20*ntid.x*ctaid.x + param@0] if tid.x + ntid.x*ctaid.x < param@72
// sure: r4 [word@44*tid.x + word@44*ntid.x*ctaid.x + param@24] if tid.x + ntid.x*ctaid.x < param@72
// sure: w1 [word@68*tid.x + word@68*ntid.x*ctaid.x + param@48] if tid.x + ntid.x*ctaid.x < param@72
__global__ void binary(Array a, Array b, Array out, int64_t n) {
  EACH(i, n) At<char>(out, i) = At<float>(a, i) < At<float>(b, i);
}
// sure: w8 [word@28*tid.x + word@28*ntid.x*ctaid.x + param@8] if tid.x + ntid.x*ctaid.x < param@32
__global__ void fill(double value, Array out, int64_t n) { EACH(i, n) At<double>(out, i) = value; }
// sure: r4 [4*tid.x + 4*ntid.x*ctaid.x + param@0] if tid.x + ntid.x*ctaid.x < param@8
// sure: w4 [4*tid.x + 4*ntid.x*ctaid.x + param@0] if tid.x + ntid.x*ctaid.x < param@8
__global__ void in_place(float* data, int64_t n) { EACH(i, n) data[i] += 1; }
// As compilers of Python index arrays: a negative index counts from the end.
// sure: w4 [4*tid.x + 4*ntid.x*ctaid.x + param@0 + 4*param@16] if tid.x + ntid.x*ctaid.x < param@24
__global__ void from_the_end(float* data, int64_t size, int64_t first, int64_t n) {
  int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    int64_t at = first + i;
    data[at + (at >> 63 & size)] = 1;
  }
}
// sure: w4 [4*tid.x + 4*ntid.x*ctaid.x + param@0 + 4*param@16*ctaid.y] if tid.x + ntid.x*ctaid.x < param@16
__global__ void from_the_ends(float* data, int64_t rows, int64_t columns) {
  int64_t x = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < columns) data[(y + (y >> 63 & rows)) * columns + x + (x >> 63 & columns)] = 1;
}
// One side of a branch on data, and the other: both write.
// sure: w4 [4*tid.x + 4*ntid.x*ctaid.x + param@0] if tid.x + ntid.x*ctaid.x < word@16
__global__ void on_both_sides(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] > 3)
    out[i] = in[i] * in[i + n];
  else
    out[i] = in[i + 2 * n];
}
// Where it is written depends on data, but it is.
// sure: w4 [param@0 + ?] if tid.x + ntid.x*ctaid.x < param@16
__global__ void scatter(float* out, const int* where, int64_t n) {
#pragma unroll 1
  EACH(i, n) out[where[i] & 1023] = 1;
}

// A reduction as frameworks have it: the lanes and the steps depend on an argument.
// first thread: r
// sure: w4 [param@0 + ?] if tid.x < word@24
__global__ void reduce(float* out, const float* in, int64_t n, int each) {
  __shared__ float all[256];
  int lane = threadIdx.x & (each - 1), row = threadIdx.x >> __popc(each - 1);
  float sum = 0;
  for (int64_t i = lane + int64_t{row} * each; i < n; i += int64_t{256 >> __popc(each - 1)} * each)
    sum += in[i];
  all[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 128; k >= each; k >>= 1) {
    if (threadIdx.x < k) all[threadIdx.x] += all[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x < each) out[lane] = all[threadIdx.x];
}
// Behind a loop that data ends.
// sure: w4 [param@0 + ?] if tid.x < word@16
__global__ void behind_a_loop(int* out, const int* next, int n) {
  if (threadIdx.x >= n) return;
  int at = threadIdx.x;
  while (next[at] >= 0) at = next[at];
  out[at] = 1;
}
// A failed assertion ends the kernel.
// sure: w4 [param@0 + ?] if tid.x < word@16
__global__ void behind_an_assertion(int* out, const int* where, int n) {
  if (threadIdx.x >= n) return;
  assert(where[threadIdx.x] >= 0);
  out[where[threadIdx.x] & 1023] = 1;
}

// The blocks of these have up to 128 threads.
__global__ void __launch_bounds__(128) masked_index(float* out);
__global__ void __launch_bounds__(128) masked_too_far(float* out);
__global__ void __launch_bounds__(128) bits_in_both(float* out);

// No bit of the index is lost in a block of 128 threads, and none is set in both operands.
// sure: w4 always [16*tid.x + 4096*ctaid.x + param@0]
__global__ void masked_index(float* out) {
  unsigned i;
  asm("{.reg .b32 t; shl.b32 t, %1, 2; and.b32 t, t, 508; or.b32 %0, t, %2;}"
      : "=r"(i)
      : "r"(threadIdx.x), "r"(blockIdx.x << 10));
  out[i] = 1;
}
// sure: w4 always [4*tid.x + 8192*tid.y + param@0]
__global__ void masked_index_of_any_block(float* out) {
  unsigned i;
  asm("{.reg .b32 t; and.b32 t, %1, 1023; shl.b32 %0, %2, 11; xor.b32 %0, %0, t;}"
      : "=r"(i)
      : "r"(threadIdx.x), "r"(threadIdx.y));
  out[i] = 1;
}
// Bits are lost: a field of the index is left.
// sure: w4 always [16*tid.x[5:0] + param@0]
__global__ void masked_too_far(float* out) {
  unsigned i;
  asm("{.reg .b32 t; shl.b32 t, %1, 2; and.b32 %0, t, 252;}" : "=r"(i) : "r"(threadIdx.x));
  out[i] = 1;
}
// sure: w4 always [16*tid.x[6:0] + param@0]
__global__ void masked_in_larger_blocks(float* out) {
  unsigned i;
  asm("{.reg .b32 t; shl.b32 t, %1, 2; and.b32 %0, t, 508;}" : "=r"(i) : "r"(threadIdx.x));
  out[i] = 1;
}
// Bits are set in both operands.
// sure: w4 always [param@0 + ?]
__global__ void bits_in_both(float* out) {
  unsigned i;
  asm("{.reg .b32 t; shl.b32 t, %2, 6; or.b32 %0, t, %1;}" : "=r"(i) : "r"(threadIdx.x), "r"(blockIdx.x));
  out[i] = 1;
}
// The warp and the lane, by division and remainder.
// sure: w4 always [4*tid.x[4:0] + 16*word@8*ctaid.x + 4*word@8*tid.x[31:5] + param@0]
__global__ void rows_of_warps(float* out, int pitch) {
  out[(int)(blockIdx.x * 4 + threadIdx.x / 32) * pitch + threadIdx.x % 32] = 1;
}
// Tiles of 8 columns.
// sure: w4 always [4*tid.x[2:0] + 4*word@8*tid.x[31:3] + param@0] if tid.x[2:0] < word@12 | w4 [4*tid.x[2:0] + 4*word@8*tid.x[31:3] + param@0] if tid.x[2:0] < word@12
__global__ void tiles_of_columns(float* out, int pitch, unsigned columns) {
  unsigned x = threadIdx.x % 8, y = threadIdx.x / 8;
  if (x < columns) out[(int)y * pitch + x] = 1;
}

// The first thread writes nothing.
// not sure: w
__global__ void all_but_the_first(float* out, int mask) {
  int bits = threadIdx.x & mask;
  if (bits != 0) out[bits] = 1;
}
// not sure: w
__global__ void ends_in_a_loop(float* out, const int* in, int n) {
  int i = 0;
  do {
    if (in[i] == 7) return;
  } while (++i < n);
  out[threadIdx.x] = 1;
}
// not sure: w
__global__ void by_data(float* out, const float* in, int64_t n) {
  EACH(i, n) if (in[i] > 3) out[i] = 1;
}
// not sure: w
__global__ void leaves_before(float* out, const float* in, int64_t n) {
  EACH(i, n) {
    if (in[i] > 3) break;
    out[i] = 1;
  }
}
// The first element is left out.
// not sure: w
__global__ void skips_some(float* out, const int* skip, int64_t n) {
  EACH(i, n) {
    if (i == skip[0]) continue;
    out[i] = 1;
  }
}
// Only one of both is written.
// not sure: w
__global__ void one_of_two(float* a, float* b, const int* which, int64_t n) {
  EACH(i, n) (which[i] != 0 ? a : b)[i] = 1;
}
// The number of iterations depends on data.
// not sure: w
__global__ void as_often_as(float* out, const int* count) {
  for (int i = 0; i < count[threadIdx.x]; ++i) out[i * 32 + threadIdx.x] = 1;
}
// The compiler sets the lowest bits of a multiple of 4.
// sure: w4 [12 + 16*tid.x + 16*ntid.x*ctaid.x + param@0] if 3 + 4*tid.x + 4*ntid.x*ctaid.x < param@8
__global__ void last_of_four(float* out, int64_t n) {
  int64_t i = ((int64_t)(int)blockIdx.x * (int)blockDim.x + (int)threadIdx.x) * 4;
  if (i + 3 < n) out[i + 3] = 1;
}
// The lowest bit may be set already.
// not sure: w
__global__ void odd(float* out, int64_t n) {
  int64_t i = (int64_t)(int)blockIdx.x * (int)blockDim.x + (int)threadIdx.x;
  if ((i | 1) < n) out[i | 1] = 1;
}
// not sure: w
__global__ void different_on_each_side(float* out, const int* which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (which[i] == 7) return;
  if (which[i] > 3)
    out[i] = which[i + n];
  else
    out[2 * i] = which[i + 2 * n];
}
}
