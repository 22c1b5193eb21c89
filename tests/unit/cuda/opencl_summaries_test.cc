// Summaries of OpenCL kernels from PTX. Its form is that of NVIDIA's OpenCL driver 580.
#include "hooks/cuda/kernels/opencl_summaries.h"

#include <catch2/catch.hpp>
#include <string>

namespace gpusan::cuda {
namespace {

constexpr const char* kHead =
    ".version 9.0\n.target sm_90, texmode_independent\n.address_size 64\n";

using Kind = SummaryAccess::Kind;

TEST_CASE("Reads and writes through the parameters of an OpenCL kernel are known") {
  // kernel void add(global const float* a, global float* b, int n) {
  //   int i = get_global_id(0);
  //   if (i < n) b[i] = a[i];
  // }
  const std::vector<KernelSummary> kernels = SummariesOfPtx(std::string(kHead) + R"(
.entry add(
	.param .u64 .ptr .global .align 4 add_param_0,
	.param .u64 .ptr .global .align 4 add_param_1,
	.param .u32 add_param_2
)
{
	.reg .pred 	%p<2>;
	.reg .f32 	%f<2>;
	.reg .b32 	%r<7>;
	.reg .b64 	%rd<13>;

	ld.param.u64 	%rd2, [add_param_0];
	ld.param.u64 	%rd4, [add_param_1];
	ld.param.u32 	%r1, [add_param_2];
	mov.b32 	%r2, %envreg3;
	cvt.s64.s32 	%rd5, %r2;
	mov.u32 	%r3, %ntid.x;
	mov.u32 	%r4, %ctaid.x;
	mul.wide.s32 	%rd6, %r3, %r4;
	mov.u32 	%r5, %tid.x;
	cvt.s64.s32 	%rd7, %r5;
	add.s64 	%rd8, %rd7, %rd5;
	add.s64 	%rd1, %rd8, %rd6;
	cvt.u32.u64 	%r6, %rd1;
	setp.ge.s32 	%p1, %r6, %r1;
	@%p1 bra 	$L__BB0_2;

	shl.b64 	%rd9, %rd1, 32;
	shr.s64 	%rd10, %rd9, 30;
	add.s64 	%rd11, %rd2, %rd10;
	ld.global.f32 	%f1, [%rd11];
	add.s64 	%rd12, %rd4, %rd10;
	st.global.f32 	[%rd12], %f1;

$L__BB0_2:
	ret;
}
)");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "add");
  REQUIRE(kernels[0].parameters.size() == 3);
  const auto& [name, parameters] = kernels[0];
  REQUIRE(parameters[0].accesses.size() == 1);
  CHECK(parameters[0].accesses[0].kind == Kind::kRead);
  CHECK_FALSE(parameters[0].accesses[0].ranged);
  CHECK_FALSE(parameters[0].accesses[0].guarded);
  REQUIRE(parameters[1].accesses.size() == 1);
  CHECK(parameters[1].accesses[0].kind == Kind::kWrite);
  CHECK(parameters[2].known);
  CHECK(parameters[2].accesses.empty());
}

TEST_CASE("An access that every launch makes has a byte range") {
  const std::vector<KernelSummary> kernels = SummariesOfPtx(std::string(kHead) + R"(
.entry first(.param .u64 .ptr .global .align 4 p, .param .u64 .ptr .shared .align 4 l)
{
	.reg .b64 	%rd<2>;
	.reg .b32 	%r<2>;
	ld.param.u64 	%rd1, [p];
	mov.u32 	%r1, 3;
	st.global.u32 	[%rd1+8], %r1;
	ret;
}
)");
  REQUIRE(kernels.size() == 1);
  REQUIRE(kernels[0].parameters.size() == 2);
  REQUIRE(kernels[0].parameters[0].accesses.size() == 1);
  const SummaryAccess& access = kernels[0].parameters[0].accesses[0];
  CHECK(access.ranged);
  CHECK(access.guarded);
  CHECK(access.bytes == 4);
  REQUIRE(access.offset.size() == 1);
  CHECK(access.offset[0].factor == 8);
  CHECK(kernels[0].parameters[1].accesses.empty());
}

TEST_CASE("A group's index gives no byte range: the driver may run a launch in parts") {
  const std::vector<KernelSummary> kernels = SummariesOfPtx(std::string(kHead) + R"(
.entry groups(.param .u64 .ptr .global .align 4 p)
{
	.reg .b64 	%rd<4>;
	.reg .b32 	%r<2>;
	ld.param.u64 	%rd1, [p];
	mov.u32 	%r1, %ctaid.x;
	mul.wide.u32 	%rd2, %r1, 4;
	add.s64 	%rd3, %rd1, %rd2;
	st.global.u32 	[%rd3], %r1;
	ret;
}
)");
  REQUIRE(kernels.size() == 1);
  REQUIRE(kernels[0].parameters[0].accesses.size() == 1);
  CHECK_FALSE(kernels[0].parameters[0].accesses[0].ranged);
  CHECK(kernels[0].parameters[0].accesses[0].guarded);
}

TEST_CASE("A kernel that writes through a loaded pointer is left out, and the others are not") {
  const std::vector<KernelSummary> kernels = SummariesOfPtx(std::string(kHead) + R"(
.entry loaded(.param .u64 .ptr .global .align 8 p)
{
	.reg .b64 	%rd<3>;
	ld.param.u64 	%rd1, [p];
	ld.global.u64 	%rd2, [%rd1];
	st.global.u64 	[%rd2], %rd1;
	ret;
}
.entry nothing()
{
	ret;
}
)");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "nothing");
  CHECK(kernels[0].parameters.empty());
}

TEST_CASE("A text that is no PTX has no kernels") {
  CHECK(SummariesOfPtx("").empty());
  CHECK(SummariesOfPtx("\x7f"
                       "ELF")
            .empty());
  CHECK(SummariesOfPtx(".entry k(.param .u64").empty());
}

}  // namespace
}  // namespace gpusan::cuda
