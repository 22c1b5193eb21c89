// Kernels whose bytes mostly no polynomial describes, and what check_executions.py expects of launches ("launch") and
// check_sure.py of the summaries ("sure").
#include <cstdint>

struct Divisor {
  unsigned size, factor, shift;
};

extern "C" {

// Divisions by arguments.
// launch 8 128 p 24 32 1000: w4:0+0
// launch 8 128 p 24 32 0:
__global__ void tiles(int* out, int width, int pitch, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i / width * pitch + i % width] = i;
}
// launch 4 64 p 37 5 1 0 0: w4:0+28
// launch 4 64 p 4294967295 2 1 0 0: w4:0+8589934588
// launch 4 64 p 4000000000 4000000000 1 0 0: w4:0+4
// launch 4 64 p 4000000001 4000000000 1 0 0: w4:0+4
// launch 4 64 p 3999999999 4000000000 1 0 0: w4:0+0
// launch 4 64 p 7 1 2 0 0: w4:0+56
__global__ void quotient(unsigned* out, unsigned a, unsigned b, unsigned step, int zero, int one) {
  if (threadIdx.x == 0) out[(size_t)(a / b) * step + one + zero] = 1;
}
// launch 1 32 p+256 -37 5: w4:0-28
// launch 1 32 p+256 37 -5: w4:0-28
// launch 1 32 p+256 -37 -5: w4:0+28
// launch 1 32 p -2147483648 1:
__global__ void signed_quotient(int* out, int a, int b) {
  if (threadIdx.x == 0 && a / b > -1000) out[a / b] = 1;
}
// launch 1 32 p 1000003 77: w4:0+16
__global__ void remainder_of(unsigned* out, unsigned a, unsigned b) { out[a % b + threadIdx.x] = 1; }

// A loop whose step is the size of the block.
// launch 1 100 p p 1000: r4:0+0 r4:0+400 r4:0+800 r4:0+1200 r4:0+1600 r4:0+2000 r4:0+2400 r4:0+2800 r4:0+3200 r4:0+3600 w4:1+0
// launch 1 100 p p 250: r4:0+0 r4:0+400 r4:0+800 w4:1+0
// launch 1 100 p p 0: w4:1+0
__global__ void block_sum(const float* in, float* out, int n) {
  __shared__ float all[256];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
  all[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 100; ++i) sum += all[i];
    out[blockIdx.x] = sum;
  }
}

// As many elements at once as the alignment of the pointer allows. Since sm_100, the branch is of a form that is not decoded.
// launch 1 32 p 64: w16:0+0 w16:0+512 |
// launch 1 32 p+4 64: w4:0+0 w4:0+128 w4:0+256 w4:0+384 w4:0+512 w4:0+640 w4:0+768 w4:0+896 |
__global__ void aligned(float* out, int n) {
  if (reinterpret_cast<uintptr_t>(out) % 16 == 0) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) reinterpret_cast<float4*>(out)[i] = float4();
  } else {
    for (int i = threadIdx.x; i < 4 * n; i += blockDim.x) out[i] = 0;
  }
}

// What memory holds is not known; what follows is.
// launch 1 32 p p p: r4:1+0 w4:2+0
__global__ void by_memory(int* out, const int* which, int* last) {
  if (which[0] == 1) {
    out[0] = 1;
  } else {
    for (int i = 0; i < which[0]; ++i) out[i] = 2;
  }
  last[threadIdx.x] = 3;
}
// Neither is where the thread ends behind a condition on memory.
// launch 1 32 p p: r4:0+0
__global__ void ends_by_memory(const int* which, int* out) {
  if (which[threadIdx.x] == 0) return;
  out[threadIdx.x] = 1;
}
// A pointer that is compared with another one decides nothing that is known.
// launch 1 32 p p: w4:1+4
__global__ void same_pointer(int* a, int* b) {
  if (a == b + 1) a[threadIdx.x] = 1;
  b[threadIdx.x + 1] = 2;
}
// launch 1 32 p p: w4:0+0 w4:1+0
// launch 1 32 0 p: w4:1+0
__global__ void optional_pointer(int* a, int* b) {
  if (a != nullptr) a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
}
// launch 1 32 p 9 3: w4:0+12
// launch 1 32 p 2 3: w4:0+8
__global__ void smaller(int* out, int a, int b) { out[min(a, b) + threadIdx.x] = 1; }
// launch 1 32 p 9 3 4: w4:0+28
// launch 1 32 p 1 3 9: w4:0+16
__global__ void smaller_sum(int* out, int a, int b, int c) { out[min(a + b, c + 3) + threadIdx.x] = 1; }

// The index by another multiplication, and two switches.
// launch 64 32 p 3 1431655766 0: w4:0+20
__global__ void switched(int* out, int kind, unsigned factor, int shift) {
  unsigned i = __umulhi(15u, factor) >> shift;
  switch (kind) {
    case 3:
      out[i + threadIdx.x] = 1;
      break;
    case 4:
      out[2 * i] = 2;
      break;
  }
}

// The cases of a switch are a table of addresses.
// sure: w4 [4*tid.x + param@0]
// sure: r4 always [4*tid.x + param@8]
// launch 1 32 p p 3: r4:1+0 w4:0+0
// launch 1 32 p p 9: r4:1+0 w4:0+0
__global__ void by_table(float* out, const float* in, int kind) {
  float value = in[threadIdx.x];
  switch (kind) {
    case 0:
      value = sqrtf(value);
      break;
    case 1:
      value = value * value + 3;
      break;
    case 2:
      value = sinf(value);
      break;
    case 3:
      value = 1 / value;
      break;
    case 4:
      value = expf(value);
      break;
    case 5:
      value = out[threadIdx.x + 64];
      break;
    case 6:
      value = rsqrtf(value);
      break;
  }
  out[threadIdx.x] = value;
}
// What comes in front of the first instruction by which blocks can wait for each other happens in any case.
// unwaited 4 256 p p p p 1024: r4:0+0
// unwaited 4 256 p+16 p p p 2048: r4:0+0 r4:0+4096
__global__ void total(const float* in, float* sum, float* partial, unsigned* arrived, int n) {
  __shared__ float all[256];
  __shared__ bool last;
  float own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += in[i];
  all[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 256; ++i) own += all[i];
    partial[blockIdx.x] = own;
    __threadfence();
    last = atomicAdd(arrived, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  own = 0;
  for (int i = 0; i < gridDim.x; ++i) own += partial[i];
  *sum = own;
}
// unwaited 4 256 p p:
__global__ void ticket(float* data, unsigned* next) {
  __shared__ unsigned block;
  if (threadIdx.x == 0) block = atomicAdd(next, 1);
  __syncthreads();
  data[block * blockDim.x + threadIdx.x] = 1;
}
// Another thread of the block waits, and the first thread for it: at a barrier, in its warp, by shared memory.
// unwaited 1 64 p p p: w4:2+0
__global__ void behind_a_barrier(int* data, volatile int* flag, int* early) {
  early[threadIdx.x] = 1;
  if (threadIdx.x == 33) {
    while (*flag == 0) {
    }
  }
  __syncthreads();
  data[threadIdx.x] = 1;
}
// The loops over ranges of Numba: if the signs of length and step agree, their quotient is the number
// of iterations.
// launch 4 128 p0 1000: w4:0+0 w4:0+2048
// launch 4 128 p0 300: w4:0+0
// launch 4 128 p0 0:
__global__ void range(float* out, long long n) {
  long long at = (long long)(int)blockIdx.x * (int)blockDim.x + (int)threadIdx.x;
  long long step = (long long)(int)gridDim.x * (int)blockDim.x, length = n - at, count = 0;
  if (step == 0) return;
  if ((step > 0) == (length > 0)) {
    count = length / step;
    if (length - count * step > 0) ++count;
  }
  for (; count > 0; --count, at += step) out[at] = 1;
}
// unwaited 1 32 p p:
__global__ void behind_a_lane(int* data, volatile int* flag) {
  if (threadIdx.x == 1) {
    while (*flag == 0) {
    }
  }
  __syncwarp();
  data[threadIdx.x] = 1;
}
// unwaited 1 64 p p:
__global__ void behind_shared_memory(int* data, volatile int* flag) {
  __shared__ volatile int go;
  if (threadIdx.x == 40) {
    while (*flag == 0) {
    }
    go = 1;
  }
  while (go == 0) {
  }
  data[threadIdx.x] = 1;
}
// unwaited 1 32 p p p: r4:1+0
__global__ void may_wait(int* data, const int* which, volatile int* flag) {
  if (which[0] != 0) {
    while (*flag == 0) {
    }
  }
  data[threadIdx.x] = 1;
}
}
