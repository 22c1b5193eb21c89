// Summaries of OpenCL kernels from PTX. Its form is that of NVIDIA's OpenCL driver 580.
#include "hooks/cuda/summaries/opencl_summaries.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

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
  const std::vector<ParameterSummary>& parameters = kernels[0].parameters;
  REQUIRE(parameters[0].accesses.size() == 1);
  CHECK(parameters[0].accesses[0].kind == Kind::kRead);
  REQUIRE(parameters[1].accesses.size() == 1);
  CHECK(parameters[1].accesses[0].kind == Kind::kWrite);
  for (const int i : {0, 1}) {
    const SummaryAccess& access = parameters[i].accesses[0];
    CHECK(access.ranged);
    CHECK(access.guarded);
    CHECK(access.offset == SummaryFormula{{4, {kGlobalId}}});
    // i < n
    REQUIRE(access.guards.size() == 1);
    CHECK(access.guards[0].kind == SummaryGuard::Kind::kNegative);
    CHECK(access.guards[0].value == SummaryFormula{{1, {kGlobalId}}, {-1, {kArgument + 2}}});
    REQUIRE(!access.offset_fits.empty());
    for (const SummaryFit& fit : access.offset_fits) {
      CHECK(fit.value == SummaryFormula{{1, {kGlobalId}}});
      CHECK(fit.bits == 32);
      CHECK(fit.is_signed);
    }
  }
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

// The only access through the only parameter of a kernel that stores at p[index]; `index` sets %rd2
// from the other registers.
SummaryAccess StoreAt(const std::string& index) {
  const std::vector<KernelSummary> kernels = SummariesOfPtx(std::string(kHead) + R"(
.entry store(.param .u64 .ptr .global .align 4 p, .param .u32 n, .param .u64 m)
{
	.reg .b64 	%rd<16>;
	.reg .b32 	%r<16>;
	ld.param.u64 	%rd1, [p];
	ld.param.u32 	%r14, [n];
	ld.param.u64 	%rd14, [m];
	mov.u32 	%r1, %tid.x;
	mov.u32 	%r2, %ctaid.x;
	mov.u32 	%r3, %ntid.x;
	mov.b32 	%r4, %envreg0;
	mov.b32 	%r5, %envreg3;
	mov.b32 	%r6, %envreg6;
	mov.u32 	%r7, %nctaid.x;
)" + index + R"(
	shl.b64 	%rd3, %rd2, 2;
	add.s64 	%rd4, %rd1, %rd3;
	st.global.u32 	[%rd4], %r1;
	ret;
}
)");
  REQUIRE(kernels.size() == 1);
  REQUIRE(kernels[0].parameters[0].accesses.size() == 1);
  const SummaryAccess access = kernels[0].parameters[0].accesses[0];
  CHECK(access.kind == Kind::kWrite);
  CHECK(access.guarded);
  return access;
}

constexpr const char* kGlobalIdOf32Bits = R"(
	mad.lo.s32 	%r10, %r2, %r3, %r5;
	add.s32 	%r11, %r10, %r1;
)";

TEST_CASE("Numbers of a launch in OpenCL's PTX") {
  const auto offset_of = [](const std::string& index) {
    const SummaryAccess access = StoreAt(index);
    CHECK(access.ranged);
    return access.offset;
  };
  const std::string id = kGlobalIdOf32Bits;
  SECTION("Indices of 32 bits") {
    CHECK(offset_of(id + "cvt.s64.s32 %rd2, %r11;") == SummaryFormula{{4, {kGlobalId}}});
    CHECK(offset_of(id + "cvt.u64.u32 %rd2, %r11;") == SummaryFormula{{4, {kGlobalId}}});
    CHECK(offset_of(id + "mad.lo.s32 %r12, %r11, %r14, 5; cvt.s64.s32 %rd2, %r12;") ==
          SummaryFormula{{4, {kGlobalId, kArgument + 1}}, {20, {}}});
  }
  SECTION("Indices that are cut to 32 bits") {
    CHECK(offset_of(id + "cvt.u64.u32 %rd5, %r11; and.b64 %rd2, %rd5, 4294967295;") ==
          SummaryFormula{{4, {kGlobalId}}});
    CHECK(
        offset_of(id + "cvt.u64.u32 %rd5, %r11; shl.b64 %rd6, %rd5, 32; shr.u64 %rd2, %rd6, 31;") ==
        SummaryFormula{{8, {kGlobalId}}});
    CHECK(offset_of(id + "cvt.u64.u32 %rd5, %r11; shl.b64 %rd6, %rd5, 2;"
                         "and.b64 %rd2, %rd6, 17179869180;") == SummaryFormula{{16, {kGlobalId}}});
  }
  SECTION("Groups and sizes") {
    CHECK(offset_of("add.s32 %r10, %r2, %r4; cvt.u64.u32 %rd2, %r10;") ==
          SummaryFormula{{4, {kGroupId}}});
    CHECK(offset_of("cvt.u64.u32 %rd2, %r6;") == SummaryFormula{{4, {kGroupCount}}});
    CHECK(offset_of("mul.lo.s32 %r10, %r6, %r3; cvt.u64.u32 %rd2, %r10;") ==
          SummaryFormula{{4, {kGlobalSize}}});
    CHECK(offset_of("cvt.u64.u32 %rd2, %r1;") == SummaryFormula{{4, {kLocalId}}});
    CHECK(offset_of("cvt.s64.s32 %rd5, %r1; add.s64 %rd2, %rd5, %rd14;") ==
          SummaryFormula{{4, {kLocalId}}, {4, {kArgument + 2}}});
  }
}

// The driver may run a launch in parts, which have registers of their own.
TEST_CASE("A register that has no meaning alone gives no byte range") {
  const char* const indices[] = {
      "cvt.u64.u32 %rd2, %r2;",  // the group in its part
      "cvt.u64.u32 %rd2, %r7;",  // the groups of a part
      "cvt.s64.s32 %rd2, %r5;",  // the offset of a part
      "mad.lo.s32 %r10, %r2, %r3, %r1; cvt.u64.u32 %rd2, %r10;",
      "mul.wide.s32 %rd2, %r2, %r3;",
      "add.s32 %r10, %r2, %r5; cvt.s64.s32 %rd2, %r10;",  // registers that do not belong together
      "mov.b32 %r10, %envreg9; cvt.s64.s32 %rd2, %r10;",
      "mov.b32 %r10, %envregs; cvt.s64.s32 %rd2, %r10;",
      "mov.b32 %r10, %envreg99999; cvt.s64.s32 %rd2, %r10;",
  };
  for (const char* const index : indices) {
    CAPTURE(index);
    CHECK_FALSE(StoreAt(index).ranged);
  }
}

TEST_CASE("The parts of a global ID of 64 bits need no more bits than the ID") {
  // As the driver writes get_global_id(0) where it is used in 64 bits.
  const SummaryAccess access = StoreAt(R"(
	cvt.s64.s32 	%rd5, %r5;
	mul.wide.s32 	%rd6, %r3, %r2;
	cvt.s64.s32 	%rd7, %r1;
	add.s64 	%rd8, %rd7, %rd5;
	add.s64 	%rd2, %rd8, %rd6;
)");
  CHECK(access.ranged);
  CHECK(access.offset == SummaryFormula{{4, {kGlobalId}}});
  for (const SummaryFit& fit : access.offset_fits)
    CHECK(fit.value == SummaryFormula{{1, {kGlobalId}}});
}

TEST_CASE("Only a kernel that writes through a loaded pointer is left out") {
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
