// Kernels of tensor libraries, reduced to what decides about the bytes that the first thread accesses, and what
// check_sure.py expects of them.
#include <cstdint>

struct Divisor {
  unsigned size, factor, shift;
};
struct Layout {
  int dimensions;
  Divisor divisors[4];
  int strides[4];
};
__device__ unsigned OffsetOf(const Layout& layout, unsigned i) {
  unsigned offset = 0;
#pragma unroll
  for (int d = 0; d < 4; ++d) {
    if (d == layout.dimensions) break;
    unsigned next = (__umulhi(i, layout.divisors[d].factor) + i) >> layout.divisors[d].shift;
    offset += (i - next * layout.divisors[d].size) * layout.strides[d];
    i = next;
  }
  return offset;
}

extern "C" {

// Each division calls a function in rare cases.
// sure: w4 [4*tid.x + 4*ntid.x*ctaid.x + param@0] if tid.x + ntid.x*ctaid.x < word@24
// sure: w4 [4*tid.x + 4*ntid.x*ctaid.x + param@8] if tid.x + ntid.x*ctaid.x < word@24
__global__ void divisions(float* a, float* b, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i] / in[i + n];
  a[i] = x;
  b[i] = in[i + 2 * n] / (in[i + 3 * n] / in[i + 4 * n]);
}

// first thread at: r w
__global__ void strided(char* out, const char* in, Layout to, Layout from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    *reinterpret_cast<int*>(out + OffsetOf(to, i)) = *reinterpret_cast<const int*>(in + OffsetOf(from, i));
}
// The divisions do not change what data adds to 0.
// not known: w
__global__ void strided_from(char* out, const unsigned* first, Layout to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *reinterpret_cast<int*>(out + OffsetOf(to, i) + first[0] / 8) = 1;
}

// A fourth of the elements, of a number without a sign and of one with a sign.
// first thread at: w
__global__ void fourths(float4* out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) out[i] = {};
}
// first thread at: w
__global__ void signed_fourths(float4* out, int n) {
  for (int i = threadIdx.x; i < n / 4; i += blockDim.x) out[i] = {};
}
// not sure: w
__global__ void fourths_of_memory(float4* out, const unsigned* n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n[0] / 4; i += gridDim.x * blockDim.x) out[i] = {};
}
// Data, not an argument, decides where it begins.
// not known: w
__global__ void behind_fourths(float4* out, const unsigned* offset, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x)
    out[offset[0] / 4 + i] = {};
}

// first thread at: w
__global__ void one_of_each_block(int* out, int n) {
  if (n != 0 && threadIdx.x != 0) return;
  out[blockIdx.x] = n;
}
// The other threads write.
// not sure: w
__global__ void all_but_the_first(int* out, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0) return;
  out[n] = 1;
}
// not known: w
__global__ void chosen(int* a, int* b, const int* which) { (which[0] != 0 ? a : b)[threadIdx.x] = 1; }

// Without the flag, nothing waits.
// sure: w4 [4*tid.x + param@0] if 0 == param@8 | w4 [4*tid.x + param@0] if param@8 == 0
__global__ void publish(float* data, volatile int* flag) {
  data[threadIdx.x] = 1;
  if (flag == nullptr) return;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

// The last block may have one row only. The compiler compares the smaller one of two numbers.
// sure: w4 [4*tid.x + 8*word@20*ctaid.x + param@0] if -2*ctaid.x + word@16 >= 1
__global__ void two_rows(float* out, const float* in, int n, int width) {
  int first = 2 * blockIdx.x;
  int rows = min(n - first, 2);
  float sum[2] = {};
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    if (i < rows) sum[i] = in[(first + i) * width + threadIdx.x];
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    if (i >= rows) break;
    out[(first + i) * width + threadIdx.x] = sum[i] + sum[1 - i];
  }
}
// Data decides how many rows there are.
// not sure: w
__global__ void rows_of_memory(float* out, const int* n, int width) {
  int rows = min(n[0], 2);
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    if (i >= rows) break;
    out[i * width + threadIdx.x] = rows;
  }
}
}
