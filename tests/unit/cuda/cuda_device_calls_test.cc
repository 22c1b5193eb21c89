// Calls of functions of the driver in machine code and in PTX: device asserts and device printf.
#include <catch2/catch.hpp>

#include <string>

#include "hooks/cuda/machine_code/cubin_access.h"
#include "hooks/cuda/ptx/ptx_access.h"
#include "tests/unit/cuda/access_ranges.h"
#include "tests/unit/cuda/cuda_small_cubin.h"

namespace gpusan::cuda {
namespace {

KernelAccess SummaryOf(const SmallCubin& small) {
  const std::vector<unsigned char> bytes = small.Bytes();
  const Cubin cubin = ReadCubin(bytes);
  REQUIRE(cubin.kernels.size() == 1);
  return Summarize(cubin.kernels[0]);
}

// __global__ void kernel(float* out, int n) {
//   if (n != 1) function(...);
//   out[threadIdx.x] = 0;
// }
SmallCubin CallUnless1(const std::string& function) {
  SmallCubin small;
  small.function = function;
  small.parameters = {{0, 8}, {8, 4}};
  small.code = {0x00008600ff007b82, 0x000e620000000800,   // LDC R0, c[0x0][0x218]
                0x000000010000780c, 0x002fda0003f05270,   // ISETP.NE.AND P0, PT, R0, 0x1, PT
                0x0000000000108947, 0x001fea0003800000,   // @!P0 BRA behind the call
                0x0000000000007802, 0x000fe20000000f00,   // MOV R0, 0x0
                0x0100000000027b82, 0x0000620000000a00,   // LDC.64 R2, c[0x4][R0]
                0x000000001014794e, 0x000fce0000000000,   // LEPC R20, behind the call
                0x0000000002007343, 0x002fea0003c00000,   // CALL.ABS.NOINC R2
                0x0000000000057919, 0x000e220000002100,   // S2R R5, SR_TID.X
                0x00008400ff027b82, 0x000e220000000a00,   // LDC.64 R2, c[0x0][0x210]
                0x0000000405027825, 0x001fca00078e0002,   // IMAD.WIDE.U32 R2, R5, 0x4, R2
                0x000000ff02007986, 0x000fe2000c101924,   // STG.E desc[UR36][R2.64], RZ
                0x000000000000794d, 0x000fea0003800000};  // EXIT
  return small;
}

// __global__ void kernel() { variable = 0; }
SmallCubin StoreToVariable() {
  SmallCubin small;
  small.function = "variable";
  small.is_variable = true;
  small.parameters = {{0, 8}};
  small.code = {0x0000000000007802, 0x000fe20000000f00,   // MOV R0, 0x0
                0x0100000000027b82, 0x0000620000000a00,   // LDC.64 R2, c[0x4][R0]
                0x000000ff02007986, 0x000fe2000c101924,   // STG.E desc[UR36][R2.64], RZ
                0x000000000000794d, 0x000fea0003800000};  // EXIT
  return small;
}

TEST_CASE("a variable whose address is in constant bank 4 is known by name") {
  SmallCubin small = StoreToVariable();
  const KernelAccess access = SummaryOf(small);
  REQUIRE(access.known());
  CHECK(access.globals == kWrites);
  REQUIRE(access.variables.size() == 1);
  CHECK(access.variables[0].name == "variable");
  CHECK(access.variables[0].kinds == kWrites);
  small.is_variable = false;
  CHECK(SummaryOf(small).variables.empty());
}

// The index of an instruction in the list above, times two.
constexpr size_t kLoadFunction = 8, kReturnAddress = 10, kCall = 12;

// __global__ void kernel(float* out) { printf(""); out[threadIdx.x] = 2; }, of sm_80.
SmallCubin PrintOnSm80() {
  SmallCubin small;
  small.architecture = 80;
  small.parameter_base = 0x160;
  small.function = "vprintf";
  small.parameters = {{0, 8}};
  small.code = {0x0000000000007802, 0x000fe20000000f00,   // MOV R0, 0x0
                0x0100000000027b82, 0x0000620000000a00,   // LDC.64 R2, c[0x4][R0]
                0x000000000008734e, 0x000fe40000000000,   // LEPC R8
                0x000000a0000b7802, 0x000fe40000000f00,   // MOV R11, 0xa0
                0x0000002000147802, 0x000fe40000000f00,   // MOV R20, 0x20
                0x0000000000157802, 0x000fe40000000f00,   // MOV R21, 0x0
                0x0000000000007802, 0x001fc40000000f00,   // MOV R0, 0x0
                0x0000000b14147210, 0x000fc8000791e108,   // IADD3 R20, P0, P1, -R20, R11, R8
                0x0000001500157210, 0x000fc800007e2509,   // IADD3.X R21, ~R0, R21, R9, P0, P1
                0x0000000002007343, 0x002fea0003c00000,   // CALL.ABS.NOINC R2
                0x0000000000027919, 0x000e220000002100,   // S2R R2, SR_TID.X
                0x00000004ff037424, 0x000fe400078e00ff,   // IMAD.MOV.U32 R3, RZ, RZ, 0x4
                0x0000580002027625, 0x001fca00078e0003,   // IMAD.WIDE.U32 R2, R2, R3, c[0x0][0x160]
                0x0000000502007986, 0x000fe2000c101924,   // STG.E [R2.64], R5
                0x000000000000794d, 0x000fea0003800000};  // EXIT
  return small;
}

constexpr const char* kCallInPtx = R"(.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b);
.extern .func __assertfail (.param .b64 a);
.visible .entry kernel(.param .u64 out, .param .u32 n)
{
	.reg .pred 	%p<2>;
	.reg .b32 	%r<4>;
	.reg .b64 	%rd<11>;
	ld.param.u64 	%rd1, [out];
	ld.param.u32 	%r1, [n];
	setp.eq.s32 	%p1, %r1, 1;
	@%p1 bra 	$L__BB1_2;
	{ // callseq 1, 0
	.reg .b32 temp_param_reg;
	.param .b64 param0;
	st.param.b64 	[param0+0], 0;
	CALL
	} // callseq 1
$L__BB1_2:
	mov.u32 	%r2, %tid.x;
	mul.wide.u32 	%rd9, %r2, 4;
	add.s64 	%rd10, %rd1, %rd9;
	st.global.u32 	[%rd10], 0;
	ret;
})";

KernelAccess SummaryOfPtx(const std::string& call) {
  std::string text = kCallInPtx;
  text.replace(text.find("CALL"), 4, call);
  const PtxModule module = ReadPtxModule(text);
  REQUIRE(module.damage.empty());
  REQUIRE(module.kernels.size() == 1);
  return Summarize(module, ReadPtxKernel(module, module.kernels[0]));
}

TEST_CASE("a failed assertion ends the thread") {
  const bool ptx = GENERATE(false, true);
  const KernelAccess access = ptx ? SummaryOfPtx("call.uni __assertfail, (param0);")
                                  : SummaryOf(CallUnless1("__assertfail"));
  REQUIRE(access.known());
  CHECK(access.unknown == 0);
  CHECK(KindsAt(access, 0) == kWrites);
  REQUIRE(access.accesses.size() == 1);
  const KernelMemoryAccess& write = access.accesses[0];
  CHECK(!write.always);
  CHECK(!write.address.inexact);
  REQUIRE(write.guards.size() == 1);
  CHECK(write.guards[0].relation == AccessGuard::Relation::kEqual);
  CHECK(write.guards_complete);
}

TEST_CASE("a call of printf returns, and may read any text") {
  const bool ptx = GENERATE(false, true);
  const KernelAccess access = ptx ? SummaryOfPtx("call.uni (retval0), vprintf, (param0, param0);")
                                  : SummaryOf(CallUnless1("vprintf"));
  REQUIRE(access.known());
  CHECK(access.unknown == kReads);
  REQUIRE(access.accesses.size() == 1);
  CHECK(access.accesses[0].guards.empty());
  CHECK(access.accesses[0].guards_complete);
  CHECK(!access.accesses[0].address.inexact);
}

TEST_CASE("a call of another function makes the kernel unknown") {
  const std::string function = GENERATE("malloc", "cudaLaunchDeviceV2", "");
  CHECK(!SummaryOf(CallUnless1(function)).known());
  CHECK(!SummaryOfPtx("call.uni (retval0), malloc, (param0);").known());
  CHECK(!SummaryOfPtx("call (retval0), %rd1, (param0), prototype_0;").known());
}

TEST_CASE("a function whose address comes from elsewhere makes the kernel unknown") {
  SmallCubin small = CallUnless1("__assertfail");
  small.code[kLoadFunction] = 0x00c0000000027b82;  // LDC.64 R2, c[0x3][R0]
  CHECK(!SummaryOf(small).known());
  small.code[kLoadFunction] = 0x0100020000027b82;  // LDC.64 R2, c[0x4][R0+0x8]
  CHECK(!SummaryOf(small).known());
}

TEST_CASE("a call that is relative to a register makes the kernel unknown") {
  SmallCubin small = CallUnless1("__assertfail");
  small.code[kCall] = 0xfffffffc06c87344;  // CALL.REL.NOINC R6
  CHECK(!SummaryOf(small).known());
}

TEST_CASE("printf must return behind the call") {
  CHECK(SummaryOf(PrintOnSm80()).known());
  CHECK(KindsAt(SummaryOf(PrintOnSm80()), 0) == (kReads | kWrites));
  SmallCubin elsewhere = PrintOnSm80();
  elsewhere.code[6] = 0x000000b0000b7802;  // MOV R11, 0xb0
  CHECK(!SummaryOf(elsewhere).known());
  elsewhere = CallUnless1("vprintf");
  elsewhere.code[kReturnAddress] = 0x000000002014794e;
  CHECK(!SummaryOf(elsewhere).known());
}

}  // namespace
}  // namespace gpusan::cuda
