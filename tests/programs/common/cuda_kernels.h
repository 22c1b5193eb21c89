// The kernels of the CUDA programs, as PTX, so that no CUDA compiler is needed to build them. The
// fake driver of the tests executes the same kernels by name. Names are mangled as a CUDA compiler
// would, since parameter types are read off them.
//
// A thread's index is blockIdx.x * blockDim.x + threadIdx.x. Without a parameter that says how many
// elements there are, a kernel touches one element for each thread of the launch.
#pragma once

// copy(const float* in, float* out): out[i] = in[i]
#define KERNEL_COPY "_Z4copyPKfPf"
// scale(float* data, float factor): data[i] *= factor
#define KERNEL_SCALE "_Z5scalePff"
// twice(float* data): data[i] *= 2
#define KERNEL_TWICE "_Z5twicePf"
// add(const float* a, const float* b, float* out, int n): where i < n, out[i] = a[i] + b[i]
#define KERNEL_ADD "_Z3addPKfS0_Pfi"
// twice_from(float* data, int offset): data[offset + i] *= 2
#define KERNEL_TWICE_FROM "_Z10twice_fromPfi"
// fill(int* out, int value): out[i] = value
#define KERNEL_FILL "_Z4fillPii"
// count(unsigned* counter): atomicAdd(counter, 1)
#define KERNEL_COUNT "_Z5countPj"
// copy_pair(Pair pair): pair.out[i] = pair.in[i]; struct Pair { const float* in; float* out; }
#define KERNEL_COPY_PAIR "_Z9copy_pair4Pair"
// poke(int* target, long index): target[index] = 1, by each thread
#define KERNEL_POKE "_Z4pokePil"
// look_up(float* out): out[i] = table[i & 255]; float table[256] is a variable of the module
#define KERNEL_LOOK_UP "_Z7look_upPf"
#define MODULE_TABLE "table"
// nothing(): does nothing
#define KERNEL_NOTHING "_Z7nothingv"

[[maybe_unused]] static const char kKernels[] = R"(
.version 7.0
.target sm_75
.address_size 64

.visible .global .align 4 .f32 table[256];

.visible .entry _Z4copyPKfPf(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %a<4>;
  .reg .f32 %f;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u64 %a0, [in];
  ld.param.u64 %a1, [out];
  mul.wide.u32 %a2, %r3, 4;
  add.u64 %a3, %a0, %a2;
  ld.f32 %f, [%a3];
  add.u64 %a3, %a1, %a2;
  st.f32 [%a3], %f;
  ret;
}

.visible .entry _Z5scalePff(.param .u64 data, .param .f32 factor)
{
  .reg .b32 %r<4>;
  .reg .b64 %a<3>;
  .reg .f32 %f<2>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u64 %a0, [data];
  ld.param.f32 %f0, [factor];
  mul.wide.u32 %a1, %r3, 4;
  add.u64 %a2, %a0, %a1;
  ld.f32 %f1, [%a2];
  mul.f32 %f1, %f1, %f0;
  st.f32 [%a2], %f1;
  ret;
}

.visible .entry _Z5twicePf(.param .u64 data)
{
  .reg .b32 %r<4>;
  .reg .b64 %a<3>;
  .reg .f32 %f;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u64 %a0, [data];
  mul.wide.u32 %a1, %r3, 4;
  add.u64 %a2, %a0, %a1;
  ld.f32 %f, [%a2];
  add.f32 %f, %f, %f;
  st.f32 [%a2], %f;
  ret;
}

.visible .entry _Z3addPKfS0_Pfi(.param .u64 a, .param .u64 b, .param .u64 out, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<5>;
  .reg .b64 %a<5>;
  .reg .f32 %f<2>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u32 %r4, [n];
  setp.ge.s32 %p, %r3, %r4;
  @%p ret;
  ld.param.u64 %a0, [a];
  ld.param.u64 %a1, [b];
  ld.param.u64 %a2, [out];
  mul.wide.u32 %a3, %r3, 4;
  add.u64 %a4, %a0, %a3;
  ld.f32 %f0, [%a4];
  add.u64 %a4, %a1, %a3;
  ld.f32 %f1, [%a4];
  add.f32 %f0, %f0, %f1;
  add.u64 %a4, %a2, %a3;
  st.f32 [%a4], %f0;
  ret;
}

.visible .entry _Z10twice_fromPfi(.param .u64 data, .param .u32 offset)
{
  .reg .b32 %r<5>;
  .reg .b64 %a<3>;
  .reg .f32 %f;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u32 %r4, [offset];
  add.u32 %r3, %r3, %r4;
  ld.param.u64 %a0, [data];
  mul.wide.u32 %a1, %r3, 4;
  add.u64 %a2, %a0, %a1;
  ld.f32 %f, [%a2];
  add.f32 %f, %f, %f;
  st.f32 [%a2], %f;
  ret;
}

.visible .entry _Z4fillPii(.param .u64 out, .param .u32 value)
{
  .reg .b32 %r<5>;
  .reg .b64 %a<3>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u64 %a0, [out];
  ld.param.u32 %r4, [value];
  mul.wide.u32 %a1, %r3, 4;
  add.u64 %a2, %a0, %a1;
  st.u32 [%a2], %r4;
  ret;
}

.visible .entry _Z5countPj(.param .u64 counter)
{
  .reg .b32 %r;
  .reg .b64 %a;
  ld.param.u64 %a, [counter];
  atom.add.u32 %r, [%a], 1;
  ret;
}

.visible .entry _Z9copy_pair4Pair(.param .align 8 .b8 pair[16])
{
  .reg .b32 %r<4>;
  .reg .b64 %a<4>;
  .reg .f32 %f;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u64 %a0, [pair];
  ld.param.u64 %a1, [pair+8];
  mul.wide.u32 %a2, %r3, 4;
  add.u64 %a3, %a0, %a2;
  ld.f32 %f, [%a3];
  add.u64 %a3, %a1, %a2;
  st.f32 [%a3], %f;
  ret;
}

.visible .entry _Z4pokePil(.param .u64 target, .param .u64 index)
{
  .reg .b32 %r;
  .reg .b64 %a<2>;
  ld.param.u64 %a0, [target];
  ld.param.u64 %a1, [index];
  shl.b64 %a1, %a1, 2;
  add.u64 %a0, %a0, %a1;
  mov.u32 %r, 1;
  st.u32 [%a0], %r;
  ret;
}

.visible .entry _Z7look_upPf(.param .u64 out)
{
  .reg .b32 %r<5>;
  .reg .b64 %a<4>;
  .reg .f32 %f;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  and.b32 %r4, %r3, 255;
  mov.u64 %a0, table;
  mul.wide.u32 %a1, %r4, 4;
  add.u64 %a0, %a0, %a1;
  ld.global.f32 %f, [%a0];
  ld.param.u64 %a2, [out];
  mul.wide.u32 %a3, %r3, 4;
  add.u64 %a2, %a2, %a3;
  st.f32 [%a2], %f;
  ret;
}

.visible .entry _Z7nothingv()
{
  ret;
}
)";
