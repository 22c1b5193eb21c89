// The kernels of cuda_code.h, which describes them. make_cuda_code.py compiles them.
#include <cooperative_groups.h>

struct Pair {
  int count;
  const float* in;
  float gain;
  float* out;
};

struct Tiles {
  char* data[2];
};

struct Array {
  char* data;
  long long bytes;
  int elements, stride;
};

__global__ void code_fill(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }

__global__ void code_copy(int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

__global__ void code_set(int* out, int value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

__global__ void code_add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

__global__ void code_twice(float* data) { data[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

__global__ void code_twice_from(float* data, int offset) {
  data[offset + int(blockIdx.x * blockDim.x + threadIdx.x)] *= 2;
}

__global__ void code_choose(float* a, float* b, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (first != 0)
    a[i] = 1;
  else
    b[i] = 1;
}

__global__ void code_table(float** table, int row) {
  table[row][blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void code_count(unsigned* counters, const unsigned* keys) {
  atomicAdd(&counters[keys[blockIdx.x * blockDim.x + threadIdx.x] & 63], 1u);
}

__global__ void code_pair(Pair pair) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  pair.out[i] = pair.in[i] * pair.gain;
}

__global__ void code_stride(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] + 1;
}

__global__ void code_unused(float* in, float* unused, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;
}

__global__ void code_produce(float* data, volatile int* flag) {
  data[threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

__global__ void code_consume(const float* data, volatile int* flag, float* out) {
  if (threadIdx.x == 0)
    while (*flag == 0) {
    }
  __syncthreads();
  __threadfence();
  out[threadIdx.x] = __ldcg(data + threadIdx.x) + 1;
}

__global__ void code_rotate(int* data) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  int next = data[i + 1 == all ? 0 : i + 1];
  cooperative_groups::this_grid().sync();
  data[i] = next;
}

__global__ void code_rows(float* out, int width, int height, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * pitch + x] = 1;
}

// Each warp has a row.
__global__ void __launch_bounds__(128) code_warp_rows(float* out, int pitch) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, x = threadIdx.x % 32;
  out[row * pitch + x] = 1;
}

// As element-wise kernels of frameworks: blocks with all their elements work on vectors, the last
// block guards each element.
__global__ void __launch_bounds__(128) code_tiles(int n, Tiles tiles) {
  constexpr int each = 4, tile = 128 * each;
  int remaining = n - tile * blockIdx.x;
  float* out = (float*)tiles.data[0] + tile * blockIdx.x;
  float* in = (float*)tiles.data[1] + tile * blockIdx.x;
  if (remaining < tile) {
    float values[each];
    for (int i = 0, t = threadIdx.x; i < each; ++i, t += 128)
      if (t < remaining) values[i] = in[t];
    for (int i = 0, t = threadIdx.x; i < each; ++i, t += 128)
      if (t < remaining) out[t] = values[i] + 1;
  } else {
    float4 value = ((float4*)in)[threadIdx.x];
    value.x += 1, value.y += 1, value.z += 1, value.w += 1;
    ((float4*)out)[threadIdx.x] = value;
  }
}

__global__ void code_set_long(int* out, int value, long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

// As compilers of Python index arrays.
__global__ void code_from_end(int* out, long long size, long long first, long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long at = first + i;
  out[at + (at >> 63 & size)] = 1;
}

// Both divisors are arguments, as in tensor libraries.
__global__ void code_image(float* out, int width, int pitch, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i / width * pitch + i % width] = 1;
}

// Without a mangled name: nothing is known of its parameters but their sizes.
extern "C" __global__ void plain_copy(int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

__global__ void code_masked(const float* in, const unsigned char* mask, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[i] != 0) out[i] = in[i];
}

__global__ void code_masked_from(const unsigned char* mask, float* out, long long first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[i] != 0) out[first + i] = 1;
}

__global__ void code_doubled(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i / 2];
}

__global__ void code_backwards(float* end, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) end[-1 - i] = 1;
}

__global__ void code_every_third(float* end, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) end[-1 - 3 * static_cast<long long>(i)] = 1;
}

__global__ void code_sum(const float* in, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}

// A step of a reduction inside of one buffer.
__global__ void code_halves(float* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += data[i + n];
}

__global__ void code_block_rows(float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = 1;
}

__global__ void code_pick(const float* a, const float* b, const int* which, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* from = which[i] != 0 ? a : b;
  out[i] = from[i];
}

// As element-wise kernels of frameworks that hand arrays: the compiler unrolls the loop by four.
__device__ float& element(const Array& array, long long i) {
  return *(float*)(array.data + (int)i * array.stride);
}
__global__ void code_each(Array in, Array out, long long n) {
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)blockDim.x * gridDim.x)
    element(out, i) = element(in, i) * 2;
}

__global__ void code_each_positive(const float* in, float* out, long long n) {
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)blockDim.x * gridDim.x)
    if (in[i] > 0) out[i] = in[i];
}

// A reduction as frameworks have it: lanes and steps depend on an argument. For one block of 256 threads.
__global__ void code_reduce(const float* in, float* out, long long n, int each) {
  __shared__ float all[256];
  int lane = threadIdx.x & (each - 1), row = threadIdx.x >> __popc(each - 1);
  float sum = 0;
  for (long long i = lane + (long long)row * each; i < n; i += (long long)(256 >> __popc(each - 1)) * each)
    sum += in[i];
  all[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 128; k >= each; k >>= 1) {
    if (threadIdx.x < k) all[threadIdx.x] += all[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x < each) out[lane] = all[threadIdx.x];
}

// Where an element of the output is in memory, as tensor libraries have it: the index is divided by the sizes of the
// dimensions, by a multiplication and a shift.
struct Divisor {
  unsigned size, factor, shift;
};
struct Layout {
  int dimensions;
  Divisor divisors[2];
  int strides[2];  // bytes; of the dimension that changes fastest first
};
__global__ void code_layout(int n, Layout layout, char* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned left = i, offset = 0;
  for (int d = 0; d < 2; ++d) {
    if (d == layout.dimensions) break;
    unsigned next = (__umulhi(left, layout.divisors[d].factor) + left) >> layout.divisors[d].shift;
    offset += (left - next * layout.divisors[d].size) * layout.strides[d];
    left = next;
  }
  *reinterpret_cast<float*>(out + offset) = 1;
}

// Puts inputs behind each other, 4 elements a thread, as tensor libraries have it: blockIdx.y is the number of the input.
struct Inputs {
  const float4* data[2];
  unsigned offsets[2], sizes[2];  // elements
};
__global__ void code_join(float4* out, const __grid_constant__ Inputs inputs, unsigned width) {
  unsigned in = blockIdx.y;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < inputs.sizes[in] / 4; i += gridDim.x * blockDim.x)
    out[inputs.offsets[in] * width / 4 + i] = inputs.data[in][i];
}

__global__ void code_publish(float* data, volatile int* flag) {
  data[threadIdx.x] = 1;
  if (flag == nullptr) return;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

// The sum of all blocks, as frameworks have it: the last block that arrives adds what the others wrote. In blocks of 256 threads.
struct Total {
  const float* in;
  float *sum, *partial;
  unsigned* arrived;
  int n;
};
__global__ void code_total(Total total) {
  __shared__ float all[256];
  __shared__ bool last;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total.n; i += gridDim.x * blockDim.x) sum += total.in[i];
  all[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 256; ++i) sum += all[i];
    total.partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(total.arrived, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  sum = 0;
  for (int i = 0; i < gridDim.x; ++i) sum += total.partial[i];
  *total.sum = sum;
}

// Rows of an allocation with a pitch, as the manual of CUDA addresses them.
__global__ void code_pitched(float* out, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float* row = (float*)((char*)out + y * pitch);
  row[x] = 1;
}

// Threads that start late.
__global__ void code_delayed(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < i; ++k) __nanosleep(1000);
  if (i < n) out[i] = 1;
}

// A wait for a plain flag, which only works because the compiler reads it again after each sleep.
__global__ void code_poll(const int* flag, int* out) {
  while (*flag == 0) __nanosleep(1000);
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// A loop whose number of iterations the compiler computes by a division, to unroll it.
__global__ void code_add_long(double* y, const double* x, double a, long long n) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) y[i] += a * x[i];
}

// One channel of interleaved data.
__global__ void code_spread(float* out, const float* in, int n, int stride, int first) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[first + i * stride] = in[i];
}

// The tiles of the output are those of the input with columns and rows exchanged.
__global__ void code_transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// A pointer that travels as an integer.
__global__ void code_at(unsigned long long address, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ((float*)address)[i] = 1;
}
