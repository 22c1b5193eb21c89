// What kernels access, from PTX.
#include <catch2/catch.hpp>

#include <cstring>
#include <string>

#include "hooks/cuda/ptx/ptx_access.h"
#include "tests/unit/cuda/access_ranges.h"

namespace gpusan::cuda {
namespace {

constexpr const char* kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

KernelAccess SummaryOf(const std::string& text, size_t index = 0) {
  const PtxModule module = ReadPtxModule(text);
  REQUIRE(module.damage.empty());
  REQUIRE(module.kernels.size() > index);
  return Summarize(module, ReadPtxKernel(module, module.kernels[index]));
}

// A kernel with two pointers and a number, and `code` behind their loads and the thread's index.
KernelAccess SummaryOfCode(const std::string& code) {
  return SummaryOf(std::string(kHead) +
                   ".global .align 4 .u32 counter;\n"
                   ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {\n"
                   ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"
                   "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [n];\n"
                   "mov.u32 %r2, %tid.x; mul.wide.u32 %rd3, %r2, 4;\n" +
                   code + "\nret;\n}\n");
}

// Written by nvcc 13.0 for:
// __global__ void scale(float* y, const float* x, float a, int n) {
//   int i = blockIdx.x * blockDim.x + threadIdx.x;
//   if (i < n) y[i] = a * x[i];
// }
constexpr const char* kScale = R"(
.visible .entry scale(
	.param .u64 scale_param_0,
	.param .u64 scale_param_1,
	.param .f32 scale_param_2,
	.param .u32 scale_param_3
)
{
	.reg .pred 	%p<2>;
	.reg .f32 	%f<4>;
	.reg .b32 	%r<6>;
	.reg .b64 	%rd<8>;


	ld.param.u64 	%rd1, [scale_param_0];
	ld.param.u64 	%rd2, [scale_param_1];
	ld.param.f32 	%f1, [scale_param_2];
	ld.param.u32 	%r2, [scale_param_3];
	mov.u32 	%r3, %ctaid.x;
	mov.u32 	%r4, %ntid.x;
	mov.u32 	%r5, %tid.x;
	mad.lo.s32 	%r1, %r3, %r4, %r5;
	setp.ge.s32 	%p1, %r1, %r2;
	@%p1 bra 	$L__BB0_2;

	cvta.to.global.u64 	%rd3, %rd2;
	mul.wide.s32 	%rd4, %r1, 4;
	add.s64 	%rd5, %rd3, %rd4;
	ld.global.f32 	%f2, [%rd5];
	mul.f32 	%f3, %f2, %f1;
	cvta.to.global.u64 	%rd6, %rd1;
	add.s64 	%rd7, %rd6, %rd4;
	st.global.f32 	[%rd7], %f3;

$L__BB0_2:
	ret;

}
)";

struct ScaleParameters {
  uint64_t y = 0x7f0000000000, x = 0x7f0000100000;
  float a = 2;
  int32_t n = 1000;
};

TEST_CASE("a kernel of nvcc reads one pointer and writes the other") {
  const KernelAccess access = SummaryOf(std::string(kHead) + kScale);
  REQUIRE(access.known());
  CHECK(access.unknown == 0);
  CHECK(access.globals == 0);
  CHECK_FALSE(access.may_wait);
  CHECK(KindsAt(access, 0) == kWrites);
  CHECK(KindsAt(access, 8) == kReads);
  CHECK(KindsAt(access, 16) == 0);
  REQUIRE(access.accesses.size() == 2);
  CHECK(access.accesses[0].guards.size() == 1);
  CHECK(access.accesses[0].guards_complete);
  const ScaleParameters parameters;
  const std::vector<AccessRange> ranges =
      RangesFor(access, {{4, 1, 1}, {256, 1, 1}},
                {reinterpret_cast<const unsigned char*>(&parameters), sizeof(parameters)});
  REQUIRE(ranges.size() == 2);
  CHECK(ranges[0].bounded);
  CHECK_FALSE(ranges[0].always);
  CHECK(ranges[0].first == parameters.x);
  CHECK(ranges[0].end == parameters.x + 4 * 1024);
  CHECK(ranges[1].first == parameters.y);
}

TEST_CASE("parameters have the layout of the driver") {
  const std::string text = std::string(kHead) +
                           ".visible .entry k(.param .u32 n, .param .align 8 .b8 s[20],\n"
                           ".param .u64 .ptr .global .align 4 p) { ret; }";
  const PtxModule module = ReadPtxModule(text);
  const PtxKernel kernel = ReadPtxKernel(module, module.kernels.at(0));
  const std::vector<KernelParameter> layout = kernel.Layout();
  REQUIRE(layout.size() == 3);
  CHECK(layout[1].offset == 8);
  CHECK(layout[1].size == 20);
  CHECK(layout[2].offset == 32);
  CHECK(kernel.parameter_bytes == 40);
}

TEST_CASE("pointers in structures are found at their offset") {
  const KernelAccess access = SummaryOf(std::string(kHead) +
                                        ".visible .entry k(.param .align 8 .b8 s[24]) {\n"
                                        ".reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
                                        "ld.param.v2.u64 {%rd1, %rd2}, [s+8];\n"
                                        "ld.u32 %r1, [%rd1+4]; st.u32 [%rd2], %r1; ret; }");
  REQUIRE(access.known());
  CHECK(KindsAt(access, 0) == 0);
  CHECK(KindsAt(access, 8) == kReads);
  CHECK(KindsAt(access, 16) == kWrites);
}

TEST_CASE("a register that is written again has its last value") {
  const KernelAccess access = SummaryOfCode(
      "add.u64 %rd4, %rd1, %rd3; ld.global.f32 %f1, [%rd4];"
      "add.u64 %rd4, %rd2, %rd3; st.global.f32 [%rd4], %f1;");
  REQUIRE(access.known());
  CHECK(KindsAt(access, 0) == kReads);
  CHECK(KindsAt(access, 8) == kWrites);
}

TEST_CASE("a register that two paths write has one of the two values") {
  const KernelAccess access = SummaryOfCode(
      "setp.eq.s32 %p1, %r1, 0; mov.u64 %rd4, %rd1; @%p1 bra L; mov.u64 %rd4, %rd2;\n"
      "L: st.global.u32 [%rd4], %r1;");
  REQUIRE(access.known());
  CHECK(KindsAt(access, 0) == kWrites);
  CHECK(KindsAt(access, 8) == kWrites);
  CHECK(access.accesses.at(0).address.inexact);
}

TEST_CASE("a guarded move keeps the old pointer, too") {
  const KernelAccess access = SummaryOfCode(
      "setp.eq.s32 %p1, %r1, 0; mov.u64 %rd4, %rd1; @!%p1 mov.u64 %rd4, %rd2;"
      "st.global.u32 [%rd4], %r1;");
  CHECK(KindsAt(access, 0) == kWrites);
  CHECK(KindsAt(access, 8) == kWrites);
}

TEST_CASE("a pointer from memory is unknown") {
  const KernelAccess access = SummaryOfCode(
      "ld.global.u64 %rd4, [%rd1]; add.s64 %rd4, %rd4, %rd3; st.global.u32 [%rd4], %r1;");
  REQUIRE(access.known());
  CHECK(KindsAt(access, 0) == (kReads | kWrites));
  CHECK(access.unknown == kWrites);
}

TEST_CASE("a pointer in two words is one pointer") {
  const KernelAccess access = SummaryOfCode(
      "mov.b64 {%r3, %r4}, %rd1; mov.b64 %rd5, {%r3, %r4}; st.global.u32 [%rd5], %r1;");
  REQUIRE(access.known());
  CHECK(access.unknown == 0);
  CHECK(KindsAt(access, 0) == kWrites);
  CHECK_FALSE(access.accesses.at(0).address.inexact);
}

TEST_CASE("accesses to shared and local memory are left out") {
  const KernelAccess access = SummaryOfCode(
      ".shared .align 4 .b8 tile[64]; .local .align 8 .b8 stack[16];"
      "mov.u32 %r3, tile; st.shared.u32 [%r3], %r1; ld.shared.u32 %r4, [tile+4];"
      "mov.u64 %rd4, stack; cvta.local.u64 %rd5, %rd4; st.u32 [%rd5], %r1;"
      "atom.shared.add.u32 %r5, [%r3], 1;");
  REQUIRE(access.known());
  CHECK(access.unknown == 0);
  CHECK(access.pointers.empty());
  CHECK_FALSE(access.may_wait);
}

TEST_CASE("variables of the module are globals") {
  const KernelAccess access = SummaryOfCode("red.global.add.u32 [counter], 1;");
  REQUIRE(access.known());
  CHECK(access.globals == kAtomics);
  CHECK(access.pointers.empty());
}

TEST_CASE("atomics with a result and fences may let kernels wait") {
  const char* const used = "atom.global.add.u32 %r3, [%rd1], 1; st.global.u32 [%rd2], %r3;";
  CHECK(KindsAt(SummaryOfCode(used), 0) == kAtomics);
  CHECK(SummaryOfCode(used).may_wait);
  CHECK_FALSE(SummaryOfCode("red.global.add.u32 [%rd1], 1;").may_wait);
  CHECK(SummaryOfCode("membar.gl;").may_wait);
  CHECK(SummaryOfCode("fence.acq_rel.sys;").may_wait);
  // For the threads of a block only.
  CHECK_FALSE(SummaryOfCode("membar.cta;").may_wait);
  CHECK_FALSE(SummaryOfCode("fence.acq_rel.cta;").may_wait);
  const KernelAccess access = SummaryOfCode("ld.volatile.global.u32 %r3, [%rd1];");
  CHECK(access.may_wait);
  CHECK(access.accesses.at(0).strong);
}

TEST_CASE("a kernel that sleeps may wait only where it reads in the same loop") {
  const auto loop = [](const std::string& body) {
    return SummaryOfCode("$L_again: " + body +
                         "setp.ne.s32 %p1, %r3, 0; @%p1 bra $L_again; st.global.u32 [%rd2], %r3;");
  };
  CHECK(loop("nanosleep.u32 100; ld.global.u32 %r3, [%rd1];").waits_in_loop);
  CHECK_FALSE(loop("nanosleep.u32 100; add.s32 %r3, %r3, 1;").may_wait);
  const char* const in_front = "ld.global.u32 %r3, [%rd1]; nanosleep.u32 100;";
  CHECK_FALSE(SummaryOfCode(in_front).may_wait);
}

TEST_CASE("variables that every thread reads or writes are known by name") {
  const KernelAccess access = SummaryOf(
      std::string(kHead) +
      ".global .align 4 .b8 table[64]; .global .align 4 .b8 other[64]; .global .u32 flag, some;\n"
      ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {\n"
      ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
      "mov.u32 %r2, %tid.x; mul.wide.u32 %rd3, %r2, 4;\n"
      "ld.global.u32 %r3, [table+4]; mov.u64 %rd4, other; add.s64 %rd5, %rd4, %rd3;\n"
      "st.global.u32 [%rd5], %r3; ld.volatile.global.u32 %r4, [flag];\n"
      "setp.eq.u32 %p1, %r3, 0; @%p1 bra L; ld.global.u32 %r5, [some];\nL:\nret;\n}\n");
  REQUIRE(access.known());
  CHECK(access.globals == (kReads | kWrites));
  REQUIRE(access.variables.size() == 2);
  CHECK(access.variables[0].name == "other");
  CHECK(access.variables[0].kinds == kWrites);
  CHECK(access.variables[1].name == "table");
  CHECK(access.variables[1].kinds == kReads);
}

TEST_CASE("variables behind a loop are known, and those in the loop are not") {
  const auto code = [](const char* inside, const char* behind) {
    return SummaryOfCode(std::string("mov.u32 %r3, 0;\nL:\nadd.s32 %r3, %r3, 1;\n") + inside +
                         "setp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\n" + behind);
  };
  const KernelAccess behind = code("", "st.global.u32 [counter], %r3;");
  REQUIRE(behind.variables.size() == 1);
  CHECK(behind.variables[0].name == "counter");
  CHECK(behind.variables[0].kinds == kWrites);
  CHECK(code("setp.lt.s32 %p2, %r2, %r1;\n@%p2 st.global.u32 [counter], %r3;\n", "")
            .variables.empty());
  CHECK(code("setp.lt.s32 %p2, %r2, %r1;\n@%p2 ret;\n", "st.global.u32 [counter], %r3;")
            .variables.empty());
}

TEST_CASE("an atomic without a use of its result is a reduction") {
  const char* const code =
      GENERATE("atom.global.add.u32 %r3, [%rd1], 1;", "atom.add.f32 %f1, [%rd1], %f2;",
               "atom.global.max.u32 _, [%rd1], 1;");
  const KernelAccess access = SummaryOfCode(code);
  REQUIRE(access.accesses.size() == 1);
  CHECK(access.accesses[0].update);
  CHECK_FALSE(access.may_wait);
}

TEST_CASE("exchanges, and atomics whose result is used, are no reductions") {
  const char* const code =
      GENERATE("atom.global.exch.b32 %r3, [%rd1], 1;", "atom.global.cas.b32 %r3, [%rd1], 0, 1;",
               "atom.global.add.u32 %r3, [%rd1], 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra L;\nL:");
  const KernelAccess access = SummaryOfCode(code);
  REQUIRE(access.accesses.size() == 1);
  CHECK_FALSE(access.accesses[0].update);
  CHECK(access.may_wait);
}

TEST_CASE("conditions of 64 bits and of two comparisons") {
  const KernelAccess access = SummaryOfCode(
      "cvt.u64.u32 %rd4, %r2; cvt.u64.u32 %rd5, %r1; setp.ge.u64 %p1, %rd4, %rd5;"
      "setp.eq.s32 %p2, %r1, 7; or.pred %p3, %p1, %p2; @%p3 bra L;"
      "add.s64 %rd6, %rd1, %rd3; st.global.u32 [%rd6], %r1;\nL:");
  REQUIRE(access.known());
  REQUIRE(access.accesses.size() == 1);
  CHECK(access.accesses[0].guards.size() == 2);
  CHECK(access.accesses[0].guards_complete);
}

TEST_CASE("a load of a parameter into a larger register extends it") {
  for (const bool is_signed : {false, true}) {
    const KernelAccess access = SummaryOfCode(
        std::string("cvt.u64.u32 %rd4, %r2; ld.param.") + (is_signed ? "s32" : "u32") +
        " %rd5, [n]; setp.ge.s64 %p1, %rd4, %rd5; @%p1 bra L;"
        "add.s64 %rd6, %rd1, %rd3; st.global.u32 [%rd6], %r1;\nL:");
    REQUIRE(access.known());
    REQUIRE(access.accesses.size() == 1);
    CHECK(access.accesses[0].guards_complete);
    REQUIRE(access.accesses[0].guards.size() == 1);
    const Expression& count = access.accesses[0].guards[0].right;
    REQUIRE(count.conditions.size() == 1);
    CHECK(access.extensions[count.conditions[0]].is_signed == is_signed);
  }
}

TEST_CASE("bits that are not set in a multiple are added") {
  const auto store = [](const std::string& bits) {
    const KernelAccess access = SummaryOfCode(
        "or.b64 %rd4, %rd3, " + bits + "; add.s64 %rd6, %rd1, %rd4; st.global.u8 [%rd6], %r1;");
    REQUIRE(access.known());
    REQUIRE(access.accesses.size() == 1);
    return access.accesses[0];
  };
  const Expression four =
      Product(Expression::Of({Atom::Kind::kThread, 0}), Expression::Constant(4));
  const Expression address = Sum(Expression::Of({Atom::Kind::kParameter64, 0}), four);
  CHECK(store("3").address.terms == Sum(address, Expression::Constant(3)).terms);
  CHECK_FALSE(store("3").address.inexact);
  CHECK(store("4").address.inexact);
  CHECK(store("-1").address.inexact);
}

// As compilers of Python index an array: a negative index counts from the end.
const std::string kFromTheEnd =
    "cvt.s64.s32 %rd4, %r2; cvt.s64.s32 %rd5, %r1; add.s64 %rd4, %rd4, %rd5;"
    "shr.s64 %rd6, %rd4, 63; and.b64 %rd6, %rd6, %rd2; add.s64 %rd4, %rd4, %rd6;";

TEST_CASE("an index that may count from the end has a range where it is not negative") {
  const KernelAccess access = SummaryOfCode(kFromTheEnd +
                                            "shl.b64 %rd4, %rd4, 2; add.s64 %rd5, %rd1, %rd4;"
                                            "st.global.u32 [%rd5], %r1;");
  REQUIRE(access.known());
  CHECK(KindsAt(access, 0) == kWrites);
  CHECK(KindsAt(access, 8) == 0);
  struct {
    uint64_t a = 0x7f0000000000, elements = 1 << 20;
    int32_t first = 0;
  } parameters;
  const auto range = [&](int32_t first) {
    parameters.first = first;
    const std::vector<AccessRange> ranges =
        RangesFor(access, {{1, 1, 1}, {256, 1, 1}},
                  {reinterpret_cast<const unsigned char*>(&parameters), sizeof(parameters)});
    REQUIRE(ranges.size() == 1);
    return ranges[0];
  };
  CHECK(range(7).bounded);
  CHECK(range(7).first == parameters.a + 4 * 7);
  CHECK(range(7).end == parameters.a + 4 * (7 + 256));
  CHECK(range(INT32_MAX).bounded);
  CHECK_FALSE(range(-1).bounded);
  CHECK_FALSE(range(-256).bounded);
}

TEST_CASE("what a sign selects may be the pointer of an access") {
  const KernelAccess access =
      SummaryOfCode(kFromTheEnd + "add.s64 %rd5, %rd1, %rd4; st.global.u32 [%rd5], %r1;");
  CHECK(KindsAt(access, 0) == kWrites);
  CHECK(KindsAt(access, 8) == kWrites);
}

TEST_CASE("the lower word of a sum with a sign depends on the sign") {
  const KernelAccess access =
      SummaryOfCode(kFromTheEnd +
                    "cvt.u32.u64 %r5, %rd4; mul.wide.u32 %rd4, %r5, 4; add.s64 %rd5, %rd1, %rd4;"
                    "st.global.u32 [%rd5], %r1;");
  struct {
    uint64_t a = 0x7f0000000000, elements = 1 << 20;
    int32_t first = -300;
  } parameters;
  const auto bounded = [&] {
    const std::vector<AccessRange> ranges =
        RangesFor(access, {{1, 1, 1}, {256, 1, 1}},
                  {reinterpret_cast<const unsigned char*>(&parameters), sizeof(parameters)});
    REQUIRE(ranges.size() == 1);
    return ranges[0].bounded;
  };
  CHECK_FALSE(bounded());
  parameters.first = 5;
  CHECK(bounded());
}

// Each thread writes from its index on, `step` after `step` elements, while the index is below `n`.
std::string Loop(const std::string& step, const std::string& behind = "") {
  return "setp.ge.s32 %p1, %r2, %r1; @%p1 bra E;\n"
         "mov.u32 %r4, %ntid.x; mov.u32 %r5, %r2;\n"
         "L: mul.wide.s32 %rd4, %r5, 4; add.s64 %rd5, %rd1, %rd4; st.global.u32 [%rd5], %r1;\n" +
         step + "\nsetp.lt.s32 %p2, %r5, %r1; @%p2 bra L;\nE: " + behind;
}

TEST_CASE("a loop that strides has a bound") {
  const KernelAccess access = SummaryOfCode(Loop("add.s32 %r5, %r5, %r4;"));
  REQUIRE(access.accesses.size() == 1);
  const KernelMemoryAccess& write = access.accesses[0];
  CHECK_FALSE(write.address.inexact);
  CHECK(write.guards_complete);
  CHECK_FALSE(write.always);
  REQUIRE(write.loops.size() == 1);
  CHECK(write.guards.empty());
}

TEST_CASE("a counter may pass through another register") {
  const KernelAccess access = SummaryOfCode(Loop("add.s32 %r6, %r5, %r4; mov.u32 %r5, %r6;"));
  REQUIRE(access.accesses.size() == 1);
  CHECK(access.accesses[0].loops.size() == 1);
}

TEST_CASE("counters are unknown after their loop") {
  const KernelAccess access =
      SummaryOfCode(Loop("add.s32 %r5, %r5, %r4;",
                         "mul.wide.s32 %rd6, %r5, 4; add.s64 %rd7, %rd2, %rd6; "
                         "st.global.u32 [%rd7], %r1; add.s64 %rd8, %rd2, %rd4; "
                         "st.global.u32 [%rd8], %r1;"));
  REQUIRE(access.accesses.size() >= 3);
  CHECK(access.accesses[0].loops.size() == 1);
  for (size_t i = 1; i < 3; ++i) {
    CHECK(access.accesses[i].loops.empty());
    CHECK(access.accesses[i].address.inexact);
    CHECK(KindsAt(access, 8) == kWrites);
  }
}

TEST_CASE("registers that keep a value of the iteration before have no bound") {
  // The second store uses the address of the iteration before.
  const KernelAccess access = SummaryOfCode(
      "setp.ge.s32 %p1, %r2, %r1; @%p1 bra E;\nmov.u32 %r5, %r2; mov.u64 %rd7, %rd2;\n"
      "L: st.global.u32 [%rd7], %r1; mul.wide.s32 %rd4, %r5, 4; add.s64 %rd7, %rd1, %rd4;\n"
      "add.s32 %r5, %r5, 1; setp.lt.s32 %p2, %r5, %r1; @%p2 bra L;\nE: ");
  REQUIRE_FALSE(access.accesses.empty());
  CHECK(access.accesses[0].address.inexact);
  CHECK(access.accesses[0].loops.empty());
}

TEST_CASE("a sum that a loop changes only in some iterations, or never, has no bound") {
  for (const char* step :
       {"@%p3 add.s32 %r5, %r5, %r4;", "add.s32 %r5, %r5, %r5;", "ld.global.u32 %r5, [%rd2];",
        "setp.eq.s32 %p3, %r5, 9; @%p3 bra M; add.s32 %r5, %r5, 1; M:"}) {
    const KernelAccess access = SummaryOfCode(Loop(step));
    for (const KernelMemoryAccess& one : access.accesses) {
      CHECK(one.loops.empty());
      CHECK((one.address.inexact || one.guards_complete));
    }
  }
}

// The exits of such a loop lead back into it. Following each of them would never end.
TEST_CASE("a loop that is entered in the middle is left a bounded number of times") {
  const KernelAccess access = SummaryOfCode(
      "setp.ge.u32 %p1, %r2, %r1; @%p1 bra M;\n"
      "mov.u32 %r3, %r1;\n"
      "L: ld.global.u32 %r4, [%rd1];\n"
      "M: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r4; @%p2 bra L;\n"
      "st.global.u32 [%rd2], %r2;");
  REQUIRE(access.known());
  CHECK(KindsAt(access, 0) == kReads);
  CHECK(KindsAt(access, 8) == kWrites);
}

TEST_CASE("an instruction that the reader does not understand makes the kernel unknown") {
  const char* const code =
      GENERATE("call.uni f, ();", "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [counter, {%f1, %f2}];",
               "cp.async.bulk.shared::cluster.global [%r1], [%rd1], 16;", "brx.idx %r1, table;",
               "sust.b.1d.b32.trap [counter, {%r1}], {%r2};", "frobnicate.u32 %r1, %r2;");
  const KernelAccess access = SummaryOfCode(code);
  CHECK_FALSE(access.known());
  CHECK(KindsAt(access, 0) == (kReads | kWrites | kAtomics));
}

TEST_CASE("texture and surface objects are known, but not the memory that they refer to") {
  const KernelAccess access = SummaryOfCode(
      "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1, %f2}];"
      "setp.ge.s32 %p1, %r2, %r1; @%p1 bra L;"
      "sust.b.1d.b32.trap [%rd2, {%r1}], {%r2};\nL:");
  REQUIRE(access.known());
  CHECK(access.unknown == (kReads | kWrites));
  REQUIRE(access.accesses.size() == 2);
  CHECK(access.accesses[0].view == ViewKind::kTexture);
  CHECK(access.accesses[0].always);
  REQUIRE(access.pointers.size() == 2);
  CHECK(access.pointers[0].kinds == kReads);
  CHECK(access.accesses[1].view == ViewKind::kSurface);
  CHECK(access.accesses[1].guards.size() == 1);
  CHECK(access.accesses[1].guards_complete);
  CHECK(access.pointers[1].kinds == kWrites);
}

TEST_CASE("coordinates of texels use the result of an atomic") {
  CHECK(SummaryOfCode("atom.global.add.u32 %r3, [%rd1], 1;"
                      "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd2, {%r3}];")
            .may_wait);
}

TEST_CASE("a texel is read through a register that is a copy of the object") {
  const KernelAccess access = SummaryOfCode(
      "mov.b64 %rd4, %rd1; tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd4, {%r3}];"
      "suld.b.2d.b32.trap {%r4}, [%rd2, {%r3, %r3}]; tld4.r.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, "
      "[%rd1, {%f1, %f2}];");
  REQUIRE(access.known());
  CHECK(KindsAt(access, 0) == kReads);
  CHECK(KindsAt(access, 8) == kReads);
}

TEST_CASE("unknown code that no thread reaches does not matter") {
  CHECK(SummaryOfCode("bra L; call.uni f, ();\nL:").known());
}

TEST_CASE("lines of debuggers and scopes are skipped") {
  const KernelAccess access = SummaryOfCode(
      ".loc 1 7 3, function_name $L__info_string0, inlined_at 1 2 3\n"
      "{ .reg .b64 %rd1; mov.u64 %rd1, %rd2; st.global.u32 [%rd1], %r1; } /* in b */\n"
      "// a comment\n.pragma \"nounroll\";\n");
  REQUIRE(access.known());
  CHECK(KindsAt(access, 0) == 0);
  CHECK(KindsAt(access, 8) == kWrites);
}

TEST_CASE("every beginning of a text is read without a fault") {
  const std::string text = std::string(kHead) + kScale;
  for (size_t length = 0; length < text.size(); ++length) {
    const PtxModule module = ReadPtxModule(std::string_view(text).substr(0, length));
    for (const PtxModule::Kernel& kernel : module.kernels)
      Summarize(module, ReadPtxKernel(module, kernel));
  }
  CHECK(SummaryOf(text.substr(0, text.size() - 20)).failure != nullptr);
}

}  // namespace
}  // namespace gpusan::cuda
