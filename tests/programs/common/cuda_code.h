// The kernels of programs as a compiler of CUDA hands them to the driver: their names and what they
// do. cuda_code_image.h has their machine code for sm_90, and PTX for other devices. gpusan reads
// from the code what they access. The fake driver of the tests executes the same kernels by name.
//
// kernels/cuda_code.cu is their source. The index i of a thread is
// blockIdx.x * blockDim.x + threadIdx.x.
#pragma once

#include "cuda_code_image.h"

// code_fill(int* out, int value): out[i] = value
#define CODE_FILL "_Z9code_fillPii"
// code_copy(int* in, int* out): out[i] = in[i]
#define CODE_COPY "_Z9code_copyPiS_"
// code_set(int* out, int value, int n): where i < n, out[i] = value
#define CODE_SET "_Z8code_setPiii"
// code_add(const float* a, const float* b, float* out, int n): where i < n, out[i] = a[i] + b[i]
#define CODE_ADD "_Z8code_addPKfS0_Pfi"
// code_twice(float* data): data[i] *= 2
#define CODE_TWICE "_Z10code_twicePf"
// code_twice_from(float* data, int offset): data[offset + i] *= 2
#define CODE_TWICE_FROM "_Z15code_twice_fromPfi"
// code_choose(float* a, float* b, int first): (first != 0 ? a : b)[i] = 1
#define CODE_CHOOSE "_Z11code_choosePfS_i"
// code_table(float** table, int row): table[row][i] = 1
#define CODE_TABLE "_Z10code_tablePPfi"
// code_count(unsigned* counters, const unsigned* keys): atomicAdd(&counters[keys[i] & 63], 1)
#define CODE_COUNT "_Z10code_countPjPKj"
// code_pair(Pair pair): pair.out[i] = pair.in[i] * pair.gain
// struct Pair { int count; const float* in; float gain; float* out; }
#define CODE_PAIR "_Z9code_pair4Pair"
// code_stride(const float* in, float* out, int n): out[i] = in[i] + 1 up to n, in a loop
#define CODE_STRIDE "_Z11code_stridePKfPfi"
// code_unused(float* in, float* unused, float* out): out[i] = in[i] + 1
#define CODE_UNUSED "_Z11code_unusedPfS_S_"
// code_produce(float* data, volatile int* flag): one block; data[i] = 1, then *flag = 1
#define CODE_PRODUCE "_Z12code_producePfPVi"
// code_consume(const float* data, volatile int* flag, float* out): one block; waits until *flag is
// not 0, then out[i] = data[i] + 1
#define CODE_CONSUME "_Z12code_consumePKfPViPf"
// code_rotate(int* data): data[i] = data[i + 1], the last one data[0]; a cooperative kernel
#define CODE_ROTATE "_Z11code_rotatePi"
// code_rows(float* out, int width, int height, int pitch): out[y * pitch + x] = 1 where x < width
// and y < height, with y in the grid's second dimension
#define CODE_ROWS "_Z9code_rowsPfiii"
// code_warp_rows(float* out, int pitch): out[y * pitch + x] = 1 for x below 32, where the warps of
// the grid are the rows y; in blocks of 128 threads
#define CODE_WARP_ROWS "_Z14code_warp_rowsPfi"
// code_tiles(int n, Tiles tiles): where i < n, out[i] = in[i] + 1, in blocks of 128 threads for 512
// elements each. struct Tiles { float *out, *in; }, aligned to 16 bytes
#define CODE_TILES "_Z10code_tilesi5Tiles"
// code_set_long(int* out, int value, long long n): as code_set
#define CODE_SET_LONG "_Z13code_set_longPiix"
// code_from_end(int* out, long long size, long long first, long long n): where i < n,
// out[first + i] = 1; a negative index counts from the end of `size` elements
#define CODE_FROM_END "_Z13code_from_endPixxx"
// plain_copy(int* in, int* out): as code_copy; the name says nothing of the parameters
#define CODE_PLAIN_COPY "plain_copy"
// code_masked(const float* in, const unsigned char* mask, float* out): where mask[i] is not 0,
// out[i] = in[i]
#define CODE_MASKED "_Z11code_maskedPKfPKhPf"
// code_masked_from(const unsigned char* mask, float* out, long long first): where mask[i] is not 0,
// out[first + i] = 1
#define CODE_MASKED_FROM "_Z16code_masked_fromPKhPfx"
// code_doubled(const float* in, float* out, int n): where i < n, out[i] = in[i / 2]
#define CODE_DOUBLED "_Z12code_doubledPKfPfi"
// code_backwards(float* end, int n): where i < n, end[-1 - i] = 1
#define CODE_BACKWARDS "_Z14code_backwardsPfi"
// code_every_third(float* end, int n): where i < n, end[-1 - 3 * i] = 1
#define CODE_EVERY_THIRD "_Z16code_every_thirdPfi"
// code_sum(const float* in, float* sum, int n): where i < n, atomicAdd(sum, in[i])
#define CODE_SUM "_Z8code_sumPKfPfi"
// code_halves(float* data, int n): where i < n, data[i] += data[i + n]
#define CODE_HALVES "_Z11code_halvesPfi"
// code_block_rows(float* out, int n): out[blockIdx.x * n + x] = 1 for each x below n, in a loop of
// each block
#define CODE_BLOCK_ROWS "_Z15code_block_rowsPfi"
// code_pick(const float* a, const float* b, const int* which, float* out): out[i] = (which[i] != 0
// ? a : b)[i]
#define CODE_PICK "_Z9code_pickPKfS0_PKiPf"
// code_each(Array in, Array out, long long n): where i < n, out[i] = in[i] * 2, in an unrolled loop
// struct Array { char* data; long long bytes; int elements, stride; }, the stride in bytes
#define CODE_EACH "_Z9code_each5ArrayS_x"
// code_each_positive(const float* in, float* out, long long n): where i < n and in[i] > 0,
// out[i] = in[i], in an unrolled loop
#define CODE_EACH_POSITIVE "_Z18code_each_positivePKfPfx"
// code_reduce(const float* in, float* out, long long n, int each): one block of 256 threads;
// out[k] = the sum of in[i] with i % each == k, for a power of two `each`
#define CODE_REDUCE "_Z11code_reducePKfPfxi"
// code_layout(int n, Layout layout, char* out): where i < n, the float of the index i is 1; its
// place follows from the layout
// struct Layout { int dimensions; Divisor divisors[2]; int strides[2]; }, strides in bytes
// struct Divisor { unsigned size, factor, shift; }: x / size is (x * factor / 2^32 + x) >> shift
#define CODE_LAYOUT "_Z11code_layouti6LayoutPc"
// code_join(float4* out, Inputs inputs, unsigned width): copies input blockIdx.y behind
// inputs.offsets[blockIdx.y] * width elements of the output
// struct Inputs { const float4* data[2]; unsigned offsets[2], sizes[2]; }, in floats
#define CODE_JOIN "_Z9code_joinP6float46Inputsj"
// code_image(float* out, int width, int pitch, int n): where i < n, out[i / width * pitch + i %
// width] = 1
#define CODE_IMAGE "_Z10code_imagePfiii"
// code_publish(float* data, volatile int* flag): one block; data[i] = 1, then *flag = 1 if flag is
// not null
#define CODE_PUBLISH "_Z12code_publishPfPVi"
// code_total(Total total): the sum of in[i] for i < n. Each block of 256 threads writes its sum
// into partial, and the last one that increments arrived adds them
// struct Total { const float* in; float *sum, *partial; unsigned* arrived; int n; }
#define CODE_TOTAL "_Z10code_total5Total"
// code_pitched(float* out, size_t pitch, int width, int height): where x < width and y < height,
// the float x of the row y is 1. The rows are `pitch` bytes apart; y is in the grid's second
// dimension
#define CODE_PITCHED "_Z12code_pitchedPfmii"
// code_delayed(int* out, int n): where i < n, out[i] = 1, after i microseconds
#define CODE_DELAYED "_Z12code_delayedPii"
// code_poll(const int* flag, int* out): waits until the plain *flag is not 0, then out[i] = 1
#define CODE_POLL "_Z9code_pollPKiPi"
// code_add_long(double* y, const double* x, double a, long long n): y[i] += a * x[i] up to n, in a
// loop that the compiler unrolls
#define CODE_ADD_LONG "_Z13code_add_longPdPKddx"
// code_spread(float* out, const float* in, int n, int stride, int first):
// out[first + i * stride] = in[i] up to n, in a loop
#define CODE_SPREAD "_Z11code_spreadPfPKfiii"
// code_transpose(float* out, const float* in, int width, int height): out[x * height + y] =
// in[y * width + x], by tiles of 32 x 32 elements; in blocks of 32 x 8 threads
#define CODE_TRANSPOSE "_Z14code_transposePfPKfii"
// code_at(unsigned long long address, int n): where i < n, element i of the floats at the address
// is 1
#define CODE_AT "_Z7code_atyi"
