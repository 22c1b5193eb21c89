// Kernels that hide what they access, as kernels.cu: "unknown kernel" stands where nothing may be
// said.
#include <cassert>
#include <cstdint>
#include <cstdio>

struct Rows {
  float* rows[4];
};
union Either {
  float* pointer;
  uint64_t number;
};
struct Wrapped {
  int tag;
  Either either;
};

__constant__ float* constant_pointer;
__device__ float* device_pointer;

using Function = void (*)(float*);
__device__ void SetOne(float* p) { p[threadIdx.x] = 1; }
__device__ void SetTwo(float* p) { p[threadIdx.x] = 2; }
__device__ Function functions[2] = {SetOne, SetTwo};

__noinline__ __device__ float Sum(float* p, int n) {
  if (n <= 0) return p[0];
  p[n] = 1;
  return Sum(p, n - 1) + n;
}

extern "C" {

// summary: 0 w, 8 r
__global__ void asserts(float* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  assert(in[i] >= 0 && in[i] < n);
  out[in[i]] = 1;
}
// summary: 0 w, 8 r, unknown r
__global__ void prints(float* out, const int* in) {
  if (in[threadIdx.x] != 0) printf("%d\n", threadIdx.x);
  out[threadIdx.x] = 1;
}
// summary: unknown kernel
__global__ void calls_a_pointer(float* out, int k) { functions[k & 1](out); }
// summary: unknown kernel
__global__ void uses_the_heap(float** out) { out[threadIdx.x] = static_cast<float*>(malloc(16)); }
// summary: 0 rw; PTX: unknown
__global__ void recursion(float* out, int n) { out[0] = Sum(out, n); }
// summary: unknown w
__global__ void writes_by_a_constant(int) { constant_pointer[threadIdx.x] = 1; }
// summary: globals r, unknown w
__global__ void writes_by_a_variable(int) { device_pointer[threadIdx.x] = 1; }
// summary: unknown w
__global__ void inline_table(Rows table, int k) { table.rows[k][threadIdx.x] = 1; }
// summary: 8 w
__global__ void in_a_union(Wrapped wrapped) {
  if (wrapped.tag == 1) wrapped.either.pointer[threadIdx.x] = 1;
}
// summary: unknown r, 0 w, 8 r
__global__ void reads_a_texture(float* out, cudaTextureObject_t texture) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}
// summary: unknown w, 0 w
__global__ void writes_a_surface(cudaSurfaceObject_t surface) {
  surf1Dwrite(1.f, surface, threadIdx.x * 4);
}
// summary: unknown r, 0 w, 8 r
__global__ void gathers(float4* out, cudaTextureObject_t texture) {
  out[threadIdx.x] = tex2Dgather<float4>(texture, threadIdx.x, 1.f, 0);
}
// summary: unknown r, 0 w, 8 r
__global__ void by_gradients(float2* out, cudaTextureObject_t texture) {
  const float2 step = {1.f, 2.f};
  out[threadIdx.x] = tex2DGrad<float2>(texture, threadIdx.x, 1.f, step, step);
}
// summary: unknown r, 0 w, 8 r
__global__ void reads_layers(float4* out, cudaTextureObject_t texture) {
  out[threadIdx.x] = tex2DLayered<float4>(texture, threadIdx.x, 1.f, 2);
}
// summary: unknown rw, 0 rw
__global__ void changes_a_surface(cudaSurfaceObject_t surface) {
  const float4 value = surf2Dread<float4>(surface, threadIdx.x * 16, 0);
  surf2Dwrite(value, surface, threadIdx.x * 16, 1);
}
// summary: 0 a
__global__ void atomics_alone(int* out) { atomicMax(&out[threadIdx.x & 7], threadIdx.x); }
// summary: 0 w
__global__ void by_a_number(uint64_t address) {
  reinterpret_cast<float*>(address + 4 * threadIdx.x)[0] = 1;
}
// summary: unknown w
__global__ void by_shared_memory(float* a, float* b) {
  __shared__ float* both[2];
  if (threadIdx.x == 0) {
    both[0] = a;
    both[1] = b;
  }
  __syncthreads();
  both[threadIdx.x & 1][threadIdx.x] = 1;
}
// summary: 0 w
__global__ void from_another_lane(float* out) {
  const auto own = reinterpret_cast<uint64_t>(out + threadIdx.x);
  reinterpret_cast<float*>(__shfl_xor_sync(~0u, own, 1))[0] = 1;
}
}
