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

struct alignas(32) Wide {
  float values[8];
};
struct alignas(64) Descriptor {
  char bytes[128];
};

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
// Since sm_100, one instruction loads or stores all 32 bytes.
// summary: 0 w, 8 r; PTX: unknown
__global__ void wide(Wide* out, const Wide* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + 1] = in[i];
  if (i < 7) out[i - 3] = in[i - 2];
}
// Since sm_120, a function of the driver makes the copies of clusters.
// summary: 0 r, unknown rwa; PTX: unknown
__global__ void bulk(float* const* table) {
#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200
  __shared__ alignas(128) float tile[32];
  __shared__ alignas(8) uint64_t arrived;
  auto to = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
  auto bar = static_cast<uint32_t>(__cvta_generic_to_shared(&arrived));
  float* memory = table[0];
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(bar) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" ::"r"(to), "l"(memory), "r"(bar)
               : "memory");
  asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra L; }" ::"r"(bar) : "memory");
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%1], [%0], 128;" ::"r"(to), "l"(memory) : "memory");
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%1], [%0], 128;" ::"r"(to), "l"(memory) : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
#else
  float* memory = table[0];
  memory[threadIdx.x] = memory[threadIdx.x + 32];
  atomicAdd(memory + 64, 1);
#endif
}
// By a descriptor of a tensor among the parameters.
// summary: unknown rwa; PTX: unknown
__global__ void tensor(const __grid_constant__ Descriptor map, float* const* table) {
#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200
  __shared__ alignas(128) float tile[32];
  __shared__ alignas(8) uint64_t arrived;
  auto to = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
  auto bar = static_cast<uint32_t>(__cvta_generic_to_shared(&arrived));
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(to), "l"(&map),
               "r"(0), "r"(bar)
               : "memory");
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%1, {%2}], [%0];" ::"r"(to), "l"(&map), "r"(0) : "memory");
  asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%1, {%2}], [%0];" ::"r"(to), "l"(&map), "r"(0) : "memory");
  asm volatile("cp.async.bulk.prefetch.tensor.1d.L2.global [%0, {%1}];" ::"l"(&map), "r"(0) : "memory");
#else
  float* volatile pointers[1];
  float* memory = pointers[threadIdx.x & 0];
  memory[threadIdx.x] = memory[threadIdx.x + 32];
  atomicAdd(memory + 64, 1);
#endif
}
// summary: 0 w; PTX: unknown
__global__ void elected(float* out) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  int one;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 %0, 1, 0, p; }" : "=r"(one));
  if (one != 0) out[blockIdx.x] = 1;
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#else
  out[blockIdx.x] = 1;
#endif
}
// summary: 0 w; PTX: unknown
__global__ void packed(unsigned* out, int a, int b) {
  unsigned both;
  asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, 0;" : "=r"(both) : "r"(a), "r"(b));
  if (a > 1000) asm volatile("trap;");
  out[threadIdx.x] = both;
}
}
