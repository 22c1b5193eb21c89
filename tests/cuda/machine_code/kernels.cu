// Kernels whose access summaries check_summaries.py checks, for each architecture. The line above a kernel says what it must
// find: the kinds of access (r, w, a) by offset in the parameter block, and of unknown addresses. "PTX: unknown" stands where
// the PTX of a kernel is not understood.
#include <cuda_pipeline.h>

#include <cstdint>

struct Array {
  float* data;
  int n;
  const float* in;
};

__noinline__ __device__ void Store(float* p, int i) { p[i] = i * 2.f; }

__device__ unsigned counter;

extern "C" {

// summary: 0 w, 8 r
__global__ void scale(float* y, const float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
// summary: 0 w
__global__ void fill(float* y, float a) { y[blockIdx.x * blockDim.x + threadIdx.x] = a; }
// summary: 0 w, 16 r
__global__ void in_struct(Array v) {
  int i = threadIdx.x;
  if (i < v.n) v.data[i] = v.in[i];
}
// summary: 0 a, 8 r
__global__ void histogram(unsigned* h, const unsigned char* d, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&h[d[i]], 1);
}
// summary: 0 r, unknown w
__global__ void indirect(float** p, int n) { p[0][threadIdx.x] = n; }
// summary: 0 w, 8 w
__global__ void choose(float* a, float* b, int which) {
  float* p = which ? a : b;
  p[threadIdx.x] = 1;
}
// summary: 0 w, 8 w, 16 r
__global__ void choose_by_value(float* a, float* b, const float* c) {
  float* p = a;
  if (c[threadIdx.x] > 1) p = b;
  p[threadIdx.x] = 1;
}
// summary: 0 w, 8 r
__global__ void shared_memory(float* out, const float* in) {
  __shared__ float s[256];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}
// summary: 0 w, 8 r
__global__ void wide_stride(double* out, const double2* in, int64_t stride) {
  out[threadIdx.x * stride] = in[blockIdx.y].x;
}
// summary: 0 w, 8 r
__global__ void async_copy(float4* out, const float4* in) {
  __shared__ float4 s[128];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = s[127 - threadIdx.x];
}
// summary: 0 rw
__global__ void walk(float* p, int n) {
  for (int i = 0; i < n; ++i) {
    *p += 1;
    p += 17;
  }
}
// summary: 0 w, 8 r
__global__ void flip(float* o, const float* __restrict__ i, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < w && y < h) o[y * w + x] = i[(h - 1 - y) * w + x];
}
// summary: 0 a
__global__ void atomics(unsigned long long* o) {
  atomicCAS(o, 1ull, 2ull);
  atomicAdd(reinterpret_cast<double*>(o) + 1, 1.0);
  atomicMax(o + 2, 5ull);
}
// summary: 0 w; PTX: unknown
__global__ void caller(float* p, int i) {
  Store(p, i);
  Store(p + 3, i + 1);
}
// summary: 0 w, 8 r
__global__ void divide(int64_t* o, const int64_t* i, int64_t by) { o[threadIdx.x] = i[threadIdx.x] / by; }
// summary: 0 w, 8 r, 16 r
__global__ void gather(float* o, const float* in, const int64_t* index) { o[threadIdx.x] = in[index[threadIdx.x]]; }
// summary: 0 w, 8 r
__global__ void aligned(int4* o, const char* in) {
  auto base = reinterpret_cast<const int4*>(reinterpret_cast<uintptr_t>(in) & ~uintptr_t{15});
  o[threadIdx.x] = base[threadIdx.x];
}
// summary: 0 r, globals a
__global__ void count(const int* in) {
  if (in[threadIdx.x] > 0) atomicAdd(&counter, 1);
}
}
