// The reader of LLVM IR: accesses, formulas and conditions of kernels, and texts that are damaged.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "report/ir/ir_kernels.h"
#include "tracker/model/texel_access.h"

namespace gpusan {
namespace {

using Kind = SummaryAccess::Kind;

// As clang 14 writes it, with typed pointers.
constexpr char kTyped[] = R"(source_filename = "-"
%struct.S = type { i32, [3 x float], <3 x float> }

define dso_local spir_kernel void @guarded(i32 addrspace(1)* nocapture noundef readonly %0, i32 addrspace(1)* nocapture noundef writeonly %1, i32 noundef %2, %struct.S addrspace(1)* nocapture noundef writeonly %3, i32 addrspace(1)* nocapture noundef readnone %4) local_unnamed_addr #1 !kernel_arg_addr_space !8 {
  %6 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #10
  %7 = trunc i64 %6 to i32
  %8 = icmp slt i32 %7, %2
  %9 = sext i32 %7 to i64
  br i1 %8, label %10, label %15

10:                                               ; preds = %5
  %11 = getelementptr inbounds i32, i32 addrspace(1)* %0, i64 %9
  %12 = load i32, i32 addrspace(1)* %11, align 4, !tbaa !4
  %13 = shl nsw i32 %12, 1
  %14 = getelementptr inbounds i32, i32 addrspace(1)* %1, i64 %9
  store i32 %13, i32 addrspace(1)* %14, align 4, !tbaa !4
  br label %15

15:                                               ; preds = %5, %10
  %16 = getelementptr inbounds %struct.S, %struct.S addrspace(1)* %3, i64 %9, i32 1, i64 2
  store float 3.000000e+00, float addrspace(1)* %16, align 4, !tbaa !14
  ret void
}
)";

// As clang 19 writes it, with opaque pointers and names.
constexpr char kOpaque[] = R"(
define dso_local spir_kernel void @mixed(ptr addrspace(1) nocapture noundef writeonly align 4 %a, i32 noundef %w, ptr addrspace(1) noundef align 4 %count, ptr addrspace(1) nocapture noundef %out, ptr addrspace(1) noundef align 8 %escapes, ptr addrspace(1) nocapture noundef readonly captures(none) %table) local_unnamed_addr #0 {
entry:
  %x = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #3
  %y = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 1) #3
  %wide = sext i32 %w to i64
  %row = mul i64 %y, %wide
  %at = add i64 %row, %x
  %p = getelementptr inbounds nuw i32, ptr addrspace(1) %a, i64 %at
  store i32 5, ptr addrspace(1) %p, align 4
  %old = tail call spir_func i32 @_Z10atomic_incPU3AS1Vi(ptr addrspace(1) noundef %count) #4
  %n = ptrtoint ptr addrspace(1) %escapes to i64
  %both = icmp sgt i32 %w, 3
  br i1 %both, label %loop, label %exit

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %i
  %v = load i32, ptr addrspace(1) %q, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  tail call spir_func void @_Z7vstore4Dv4_imPU3AS1i(<4 x i32> noundef zeroinitializer, i64 noundef %x, ptr addrspace(1) noundef %out) #4
  ret void
}
)";

const SummaryAccess& Only(const ParameterSummary& parameter) {
  REQUIRE(parameter.known);
  REQUIRE(parameter.accesses.size() == 1);
  return parameter.accesses[0];
}

SummaryTerm Term(int64_t factor, int first = 0, int second = 0) {
  SummaryTerm term;
  term.factor = factor;
  term.symbols[0] = static_cast<uint16_t>(first);
  term.symbols[1] = static_cast<uint16_t>(second);
  return term;
}

TEST_CASE("a guarded access has its range and its condition") {
  const std::vector<KernelSummary> kernels = SummarizeIr(kTyped);
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "guarded");
  REQUIRE(kernels[0].parameters.size() == 5);
  const SummaryAccess& read = Only(kernels[0].parameters[0]);
  CHECK(read.kind == Kind::kRead);
  CHECK(read.ranged);
  CHECK(read.bytes == 4);
  CHECK(read.offset == SummaryFormula{Term(4, kGlobalId)});
  CHECK(read.guarded);
  REQUIRE(read.guards.size() == 1);
  CHECK(read.guards[0].kind == SummaryGuard::Kind::kNegative);
  CHECK(read.guards[0].value == SummaryFormula{Term(1, kGlobalId), Term(-1, kArgument + 2)});
  CHECK_FALSE(read.fits.empty());  // the identifier must fit into an int
  CHECK(Only(kernels[0].parameters[1]).kind == Kind::kWrite);
  CHECK_FALSE(kernels[0].parameters[2].known);
  const SummaryAccess& field = Only(kernels[0].parameters[3]);
  CHECK(field.guards.empty());
  CHECK(field.guarded);
  CHECK(field.offset == SummaryFormula{Term(32, kGlobalId), Term(12)});
  CHECK(kernels[0].parameters[4].known);
  CHECK(kernels[0].parameters[4].accesses.empty());
}

// `if (uint(get_local_id(0)) < 16) out[i] = 1`, where the compiler tests the upper bits instead.
std::string TextOfHighBits(const std::string& mask, const std::string& predicate) {
  return "define spir_kernel void @f(ptr addrspace(1) %out) {\n"
         "  %l = call spir_func i64 @_Z12get_local_idj(i32 0)\n"
         "  %high = and i64 %l, " +
         mask + "\n  %all = icmp " + predicate +
         " i64 %high, 0\n  br i1 %all, label %yes, label %no\n\nyes:\n"
         "  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %l\n"
         "  store i32 1, ptr addrspace(1) %p, align 4\n  br label %no\n\nno:\n  ret void\n}\n";
}

TEST_CASE("a test of the upper bits is a comparison with a power of two") {
  for (const bool zero : {true, false}) {
    const auto kernels = SummarizeIr(TextOfHighBits("4294967280", zero ? "eq" : "ne"));
    REQUIRE(kernels.size() == 1);
    const SummaryAccess& write = Only(kernels[0].parameters[0]);
    CHECK(write.guarded);
    REQUIRE(write.guards.size() == 1);
    CHECK(write.guards[0].kind ==
          (zero ? SummaryGuard::Kind::kNegative : SummaryGuard::Kind::kNotNegative));
    CHECK(write.guards[0].value == SummaryFormula{Term(1, kLocalId), Term(-16)});
    // The identifier must fit into the bits up to the highest one of the mask.
    CHECK(std::any_of(write.fits.begin(), write.fits.end(), [](const SummaryFit& fit) {
      return fit.bits == 32 && !fit.is_signed && fit.value == SummaryFormula{Term(1, kLocalId)};
    }));
  }
  const auto whole = SummarizeIr(TextOfHighBits("-64", "eq"));
  REQUIRE(whole.size() == 1);
  CHECK(Only(whole[0].parameters[0]).guards[0].value ==
        SummaryFormula{Term(1, kLocalId), Term(-64)});
  // Two runs of bits are no such comparison.
  const auto holes = SummarizeIr(TextOfHighBits("4294967056", "eq"));
  REQUIRE(holes.size() == 1);
  CHECK_FALSE(Only(holes[0].parameters[0]).guarded);
}

TEST_CASE("rows, atomics, loops, vectors and escaped pointers are read") {
  const std::vector<KernelSummary> kernels = SummarizeIr(kOpaque);
  REQUIRE(kernels.size() == 1);
  const std::vector<ParameterSummary>& parameters = kernels[0].parameters;
  REQUIRE(parameters.size() == 12);  // and their updates
  CHECK(Only(parameters[0]).offset ==
        SummaryFormula{Term(4, kGlobalId + 1, kArgument + 1), Term(4, kGlobalId)});
  CHECK(Only(parameters[2]).kind == Kind::kAtomic);
  REQUIRE(parameters[3].known);
  REQUIRE(parameters[3].accesses.size() == 3);
  const SummaryAccess& loop = parameters[3].accesses[0];
  CHECK(loop.kind == Kind::kRead);
  CHECK_FALSE(loop.ranged);
  CHECK(loop.guarded);  // by a comparison of an argument, not by the number of iterations
  REQUIRE(loop.guards.size() == 1);
  CHECK(loop.guards[0].kind == SummaryGuard::Kind::kPositive);
  const SummaryAccess& first = parameters[3].accesses[1];
  CHECK(first.ranged);
  CHECK(first.guarded);
  CHECK(first.kind == Kind::kRead);
  const SummaryAccess& vector = parameters[3].accesses[2];
  CHECK(vector.kind == Kind::kWrite);
  CHECK(vector.bytes == 16);
  CHECK(vector.offset == SummaryFormula{Term(16, kGlobalId)});
  CHECK_FALSE(parameters[4].known);
  CHECK(parameters[5].known);  // never used
  const SummaryAccess& update = Only(parameters[8]);
  CHECK(update.kind == Kind::kRead);
  CHECK(update.bytes == 4);
  CHECK(update.guarded);
  CHECK(parameters[6].accesses.empty());
}

// As clang 14 writes it.
constexpr char kBuiltins[] = R"(
%opencl.image2d_ro_t = type opaque
%opencl.image2d_wo_t = type opaque
%opencl.sampler_t = type opaque
%opencl.event_t = type opaque
@t = internal addrspace(3) global [64 x i32] undef, align 4

define dso_local spir_kernel void @pick(%opencl.image2d_ro_t addrspace(1)* %0, float addrspace(1)* nocapture noundef writeonly %1, i32 noundef %2, %opencl.image2d_wo_t addrspace(1)* %3) local_unnamed_addr #0 {
  %5 = tail call spir_func %opencl.sampler_t addrspace(2)* @__translate_sampler_initializer(i32 0) #6
  %6 = icmp sgt i32 %2, 3
  br i1 %6, label %7, label %13

7:                                                ; preds = %4
  %8 = tail call spir_func <4 x i32> @_Z12read_imageui14ocl_image2d_ro11ocl_samplerDv2_i(%opencl.image2d_ro_t addrspace(1)* %0, %opencl.sampler_t addrspace(2)* %5, <2 x i32> noundef zeroinitializer) #7
  %9 = extractelement <4 x i32> %8, i64 0
  %10 = uitofp i32 %9 to float
  %11 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #8
  %12 = getelementptr inbounds float, float addrspace(1)* %1, i64 %11
  store float %10, float addrspace(1)* %12, align 4, !tbaa !8
  br label %13

13:                                               ; preds = %7, %4
  tail call spir_func void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(%opencl.image2d_wo_t addrspace(1)* %3, <2 x i32> noundef zeroinitializer, <4 x float> noundef zeroinitializer) #9
  ret void
}

define dso_local spir_kernel void @tiles(i32 addrspace(1)* noundef %0, i32 addrspace(1)* noundef %1, i64 noundef %2) local_unnamed_addr #5 {
  %4 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #8
  %5 = shl i64 %4, 6
  %6 = getelementptr inbounds i32, i32 addrspace(1)* %0, i64 %5
  %7 = tail call spir_func %opencl.event_t* @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(i32 addrspace(3)* noundef getelementptr inbounds ([64 x i32], [64 x i32] addrspace(3)* @t, i64 0, i64 0), i32 addrspace(1)* noundef %6, i64 noundef 64, %opencl.event_t* null) #9
  %8 = tail call spir_func %opencl.event_t* @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(i32 addrspace(3)* noundef getelementptr inbounds ([64 x i32], [64 x i32] addrspace(3)* @t, i64 0, i64 0), i32 addrspace(1)* noundef %1, i64 noundef %2, %opencl.event_t* %7) #9
  ret void
}
)";

TEST_CASE("accesses to texels have the type of the function") {
  const std::vector<KernelSummary> kernels = SummarizeIr(kBuiltins);
  REQUIRE(kernels.size() == 2);
  const std::vector<ParameterSummary>& parameters = kernels[0].parameters;
  CHECK_FALSE(parameters[0].known);
  REQUIRE(parameters[0].accesses.size() == 1);
  CHECK(TexelTypeOf(parameters[0].accesses[0]) == TexelType::kUnsigned);
  CHECK(parameters[0].accesses[0].kind == Kind::kRead);
  CHECK(parameters[0].accesses[0].guarded);
  CHECK(parameters[0].accesses[0].guards.size() == 1);
  CHECK(TexelAccessOf(parameters[0].accesses[0])->sampler_constant == 0u);
  REQUIRE(parameters[3].accesses.size() == 2);  // of each coordinate
  CHECK(TexelTypeOf(parameters[3].accesses[0]) == TexelType::kFloat);
  CHECK(parameters[3].accesses[0].kind == Kind::kWrite);
  CHECK(Only(parameters[1]).offset == SummaryFormula{Term(4, kGlobalId)});
  CHECK_FALSE(TexelTypeOf(Only(parameters[1])));
}

constexpr char kCoordinates[] = R"(
define dso_local spir_kernel void @blur(%opencl.image2d_ro_t addrspace(1)* %0, %opencl.sampler_t addrspace(2)* %1, %opencl.image2d_array_wo_t addrspace(1)* %2) {
  %4 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #4
  %5 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 1) #4
  %6 = insertelement <2 x i64> poison, i64 %4, i64 0
  %7 = insertelement <2 x i64> %6, i64 %5, i64 1
  %8 = trunc <2 x i64> %7 to <2 x i32>
  %9 = shufflevector <2 x i32> %8, <2 x i32> poison, <4 x i32> <i32 0, i32 1, i32 undef, i32 undef>
  %10 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 2) #4
  %11 = trunc i64 %10 to i32
  %12 = insertelement <4 x i32> %9, i32 0, i64 3
  %13 = insertelement <4 x i32> %12, i32 %11, i64 2
  %14 = add <2 x i32> %8, <i32 -1, i32 2>
  %15 = tail call spir_func <4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i(%opencl.image2d_ro_t addrspace(1)* %0, <2 x i32> noundef %14) #6
  %16 = tail call spir_func <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(%opencl.image2d_ro_t addrspace(1)* %0, %opencl.sampler_t addrspace(2)* %1, <2 x i32> noundef %8) #6
  %17 = fadd <4 x float> %15, %16
  tail call spir_func void @_Z12write_imagef20ocl_image2d_array_woDv4_iDv4_f(%opencl.image2d_array_wo_t addrspace(1)* %2, <4 x i32> noundef %13, <4 x float> noundef %17) #5
  ret void
}
)";

TEST_CASE("accesses to texels have the coordinates that must be inside of the image") {
  const std::vector<KernelSummary> kernels = SummarizeIr(kCoordinates);
  REQUIRE(kernels.size() == 1);
  const std::vector<SummaryAccess>& reads = kernels[0].parameters[0].accesses;
  REQUIRE(reads.size() == 3);
  for (uint32_t i = 0; i < 2; ++i) {
    const std::optional<TexelAccess> texel = TexelAccessOf(reads[i]);
    REQUIRE(texel);
    CHECK(texel->dimension == i);
    CHECK_FALSE(texel->sampled);
    CHECK(reads[i].offset ==
          SummaryFormula{Term(1, kGlobalId + static_cast<int>(i)), Term(i == 0 ? -1 : 2)});
    CHECK_FALSE(reads[i].offset_fits.empty());
  }
  const std::optional<TexelAccess> sampled = TexelAccessOf(reads[2]);
  REQUIRE(sampled);
  CHECK(sampled->sampled);
  CHECK(sampled->integer_coordinates);
  CHECK(sampled->sampler_parameter == 1u);
  CHECK_FALSE(sampled->dimension);
  // With the layer.
  const std::vector<SummaryAccess>& writes = kernels[0].parameters[2].accesses;
  REQUIRE(writes.size() == 3);
  for (uint32_t i = 0; i < 3; ++i) {
    CHECK(TexelAccessOf(writes[i])->dimension == i);
    CHECK(writes[i].kind == Kind::kWrite);
    CHECK(writes[i].offset == SummaryFormula{Term(1, kGlobalId + static_cast<int>(i))});
  }
}

TEST_CASE("images are types of the target from LLVM 16 on") {
  const std::vector<KernelSummary> kernels = SummarizeIr(
      R"(define spir_kernel void @load(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %0, ptr addrspace(1) nocapture noundef writeonly align 4 %1) {
  %3 = tail call spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32 18) #3
  %4 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #4
  %5 = tail call spir_func <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %0, target("spirv.Sampler") %3, <2 x i32> noundef zeroinitializer) #5
  %6 = extractelement <4 x float> %5, i64 0
  %7 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %4
  store float %6, ptr addrspace(1) %7, align 4
  ret void
}
)");
  REQUIRE(kernels.size() == 1);
  const std::vector<ParameterSummary>& parameters = kernels[0].parameters;
  CHECK_FALSE(parameters[0].known);
  REQUIRE(parameters[0].accesses.size() == 1);
  CHECK(TexelTypeOf(parameters[0].accesses[0]) == TexelType::kFloat);
  CHECK(parameters[0].accesses[0].kind == Kind::kRead);
  CHECK(Only(parameters[1]).offset == SummaryFormula{Term(4, kGlobalId)});
}

TEST_CASE("copies of a work-group have bytes") {
  const std::vector<KernelSummary> kernels = SummarizeIr(kBuiltins);
  REQUIRE(kernels.size() == 2);
  const SummaryAccess& tile = Only(kernels[1].parameters[0]);
  CHECK(tile.kind == Kind::kRead);
  CHECK(tile.bytes == 256);
  CHECK(tile.offset == SummaryFormula{Term(256, kGroupId)});
  // As many elements as an argument says.
  const SummaryAccess& counted = Only(kernels[1].parameters[1]);
  CHECK(counted.ranged);
  CHECK(counted.guarded);
  CHECK(counted.guards.size() == 1);
}

TEST_CASE("exchanges, and counters that are set by a volatile store, are no updates") {
  for (const char* other :
       {"  %o = tail call spir_func i32 @_Z11atomic_xchgPU3AS1Vii(ptr addrspace(1) %a, i32 1)\n",
        "  store volatile i32 0, ptr addrspace(1) %a, align 4\n"}) {
    const std::vector<KernelSummary> kernels = SummarizeIr(
        std::string("define spir_kernel void @k(ptr addrspace(1) %a) {\n") + other +
        "  %v = tail call spir_func i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) %a, i32 1)\n"
        "  ret void\n}\n");
    REQUIRE(kernels.size() == 1);
    REQUIRE(kernels[0].parameters.size() == 2);
    CHECK(kernels[0].parameters[1].accesses.empty());
  }
}

// Returns whether anything is known of parameter 0 of a kernel of these parameters and this body.
bool KnowsFirst(const std::string& parameters, const std::string& body) {
  const std::vector<KernelSummary> kernels =
      SummarizeIr("define spir_kernel void @k(" + parameters + ") {\n" + body + "  ret void\n}\n");
  REQUIRE(kernels.size() == 1);
  REQUIRE(!kernels[0].parameters.empty());
  return kernels[0].parameters[0].known;
}

TEST_CASE("an instruction that may write any memory makes the kernel unknown") {
  const std::string two = "ptr addrspace(1) readonly %a, ptr addrspace(1) readonly %t";
  const std::string load = "  %v = load i32, ptr addrspace(1) %a, align 4\n";
  CHECK(KnowsFirst(two, load));
  CHECK_FALSE(KnowsFirst(two, load + "  %p = load ptr addrspace(1), ptr addrspace(1) %t\n"
                                     "  store i32 1, ptr addrspace(1) %p, align 4\n"));
  CHECK_FALSE(KnowsFirst(two, load + "  call spir_func void @elsewhere(i32 1)\n"));
  CHECK_FALSE(KnowsFirst(two, load + "  call spir_func void %f(i32 1)\n"));
  CHECK_FALSE(KnowsFirst(two, load + "  %p = inttoptr i64 %v to ptr addrspace(1)\n"
                                     "  store i32 1, ptr addrspace(1) %p, align 4\n"));
  CHECK(KnowsFirst(two, load + "  %l = alloca i32\n  store i32 1, ptr %l, align 4\n"));
  CHECK(KnowsFirst(two, load + "  %r = call spir_func float @_Z3sinf(float 1.0)\n"));
}

TEST_CASE("a pointer that may be one of several parameters is not attributed to any of them") {
  const std::vector<KernelSummary> kernels = SummarizeIr(
      "define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) writeonly %b, i1 %c) {\n"
      "  %p = select i1 %c, ptr addrspace(1) %a, ptr addrspace(1) %b\n"
      "  store i32 1, ptr addrspace(1) %p, align 4\n"
      "  ret void\n}\n");
  REQUIRE(kernels.size() == 1);
  CHECK_FALSE(kernels[0].parameters[0].known);
  const SummaryAccess& write = Only(kernels[0].parameters[1]);  // LLVM says writeonly
  CHECK(write.kind == Kind::kWrite);
  CHECK_FALSE(write.guarded);
  CHECK_FALSE(write.ranged);
}

TEST_CASE("an image that the kernel does not use has no access") {
  const std::vector<KernelSummary> kernels = SummarizeIr(
      "%opencl.image2d_ro_t = type opaque\n"
      "define spir_kernel void @k(%opencl.image2d_ro_t addrspace(1)* %a, "
      "%opencl.image2d_ro_t addrspace(1)* nocapture readnone %b) {\n"
      "  %w = tail call spir_func i32 @_Z15get_image_width14ocl_image2d_ro("
      "%opencl.image2d_ro_t addrspace(1)* %a)\n"
      "  ret void\n}\n");
  REQUIRE(kernels.size() == 1);
  CHECK_FALSE(kernels[0].parameters[0].known);
  CHECK(kernels[0].parameters[1].known);
  CHECK(kernels[0].parameters[1].accesses.empty());
}

TEST_CASE("the members of a structure are one access") {
  const std::vector<KernelSummary> kernels = SummarizeIr(
      "%struct.P = type { i32, i32, i64 }\n"
      "define spir_kernel void @k(ptr addrspace(1) %a) {\n"
      "  %x = call spir_func i64 @_Z13get_global_idj(i32 0)\n"
      "  %second = getelementptr %struct.P, ptr addrspace(1) %a, i64 %x, i32 1\n"
      "  store i32 2, ptr addrspace(1) %second, align 4\n"
      "  %first = getelementptr %struct.P, ptr addrspace(1) %a, i64 %x, i32 0\n"
      "  store i32 1, ptr addrspace(1) %first, align 4\n"
      "  %third = getelementptr %struct.P, ptr addrspace(1) %a, i64 %x, i32 2\n"
      "  %v = load i64, ptr addrspace(1) %third, align 8\n"
      "  ret void\n}\n");
  REQUIRE(kernels.size() == 1);
  const ParameterSummary& parameter = kernels[0].parameters[0];
  REQUIRE(parameter.known);
  REQUIRE(parameter.accesses.size() == 2);
  CHECK(parameter.accesses[0].kind == Kind::kWrite);
  CHECK(parameter.accesses[0].bytes == 8);
  CHECK(parameter.accesses[0].offset == SummaryFormula{Term(16, kGlobalId)});
  CHECK(parameter.accesses[1].kind == Kind::kRead);
  CHECK(parameter.accesses[1].bytes == 8);
}

TEST_CASE("volatile accesses count as atomic, and conditions on data are not known") {
  const std::vector<KernelSummary> kernels = SummarizeIr(
      "define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {\n"
      "  %v = load volatile i32, ptr addrspace(1) %a, align 4\n"
      "  %c = icmp eq i32 %v, 0\n"
      "  br i1 %c, label %1, label %2\n"
      "1:\n"
      "  store i32 1, ptr addrspace(1) %b, align 4\n"
      "  br label %2\n"
      "2:\n"
      "  ret void\n}\n");
  REQUIRE(kernels.size() == 1);
  CHECK(Only(kernels[0].parameters[0]).kind == Kind::kAtomic);
  CHECK_FALSE(Only(kernels[0].parameters[1]).guarded);
}

TEST_CASE("a cut or changed text is read without a fault") {
  for (const std::string& text : {std::string(kTyped), std::string(kOpaque)}) {
    for (size_t length = 0; length < text.size(); length += 7) SummarizeIr(text.substr(0, length));
    for (size_t at = 0; at < text.size(); at += 11) {
      for (const char other : {'(', '"', '%', '<', ' ', '9', '\n'}) {
        std::string changed = text;
        changed[at] = other;
        SummarizeIr(changed);
      }
    }
  }
  SummarizeIr(std::string("define spir_kernel void @k(") + std::string(10000, '[') + ") {\n}\n");
  SummarizeIr("%s = type { %s }\ndefine spir_kernel void @k(%s addrspace(1)* %0) {\nret void\n}\n");
}

constexpr char kLocals[] = R"(
@k.tile = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@other.tile = internal unnamed_addr addrspace(3) global [8 x i32] undef, align 4

define dso_local spir_kernel void @k(float addrspace(1)* noundef %0) {
  %2 = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #2
  %3 = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 1) #2
  %4 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @k.tile, i64 0, i64 %2, i64 %3
  store float 1.000000e+00, float addrspace(3)* %4, align 4
  %5 = load float, float addrspace(3)* getelementptr inbounds ([16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @k.tile, i64 0, i64 1, i64 2), align 8
  store float %5, float addrspace(1)* %0, align 4
  ret void
}
)";

TEST_CASE("accesses to variables in local memory have their bytes") {
  const std::vector<KernelSummary> kernels = SummarizeIr(kLocals);
  REQUIRE(kernels.size() == 1);
  CHECK(Only(kernels[0].parameters[0]).kind == Kind::kWrite);
  REQUIRE(kernels[0].local_arrays.size() == 1);
  const LocalArraySummary& tile = kernels[0].local_arrays[0];
  CHECK(tile.name == "tile");
  CHECK(tile.bytes == 1024);
  REQUIRE(tile.accesses.size() == 2);
  CHECK(tile.accesses[0].kind == Kind::kWrite);
  CHECK(tile.accesses[0].offset == SummaryFormula{Term(64, kLocalId), Term(4, kLocalId + 1)});
  CHECK(tile.accesses[1].kind == Kind::kRead);
  CHECK(tile.accesses[1].offset == SummaryFormula{Term(72)});
}

// Addresses that depend on a condition, as LLVM joins the accesses of several paths.
constexpr char kJoined[] = R"(
define dso_local spir_kernel void @sides(i32 addrspace(1)* nocapture noundef readonly %0, i32 addrspace(1)* nocapture noundef %1, i32 noundef %2) {
  %4 = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #4
  %5 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #4
  switch i64 %4, label %10 [
    i64 0, label %7
    i64 15, label %6
  ]

6:                                                ; preds = %3
  br label %7

7:                                                ; preds = %3, %6
  %8 = phi i64 [ 1, %6 ], [ -1, %3 ]
  %9 = add nsw i64 %5, %8
  %p = getelementptr inbounds i32, i32 addrspace(1)* %0, i64 %9
  %v = load i32, i32 addrspace(1)* %p, align 4
  br label %10

10:                                               ; preds = %7, %3
  %11 = sext i32 %2 to i64
  %12 = tail call spir_func i64 @_Z3minll(i64 noundef %5, i64 noundef %11) #4
  %q = getelementptr inbounds i32, i32 addrspace(1)* %1, i64 %12
  store i32 1, i32 addrspace(1)* %q, align 4
  ret void
}
define dso_local spir_kernel void @data(i32 addrspace(1)* nocapture noundef readonly %0, i32 addrspace(1)* nocapture noundef %1) {
  %3 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #4
  %4 = getelementptr inbounds i32, i32 addrspace(1)* %0, i64 %3
  %5 = load i32, i32 addrspace(1)* %4, align 4
  %6 = icmp sgt i32 %5, 0
  %7 = select i1 %6, i64 %3, i64 0
  %8 = getelementptr inbounds i32, i32 addrspace(1)* %1, i64 %7
  store i32 1, i32 addrspace(1)* %8, align 4
  ret void
}
)";

TEST_CASE("an address that depends on a condition is one of several accesses") {
  using Guard = SummaryGuard::Kind;
  const std::vector<KernelSummary> kernels = SummarizeIr(kJoined);
  REQUIRE(kernels.size() == 2);
  const std::vector<SummaryAccess>& reads = kernels[0].parameters[0].accesses;
  REQUIRE(reads.size() == 2);
  CHECK(reads[1].offset == SummaryFormula{Term(4, kGlobalId), Term(4)});
  CHECK(reads[0].offset == SummaryFormula{Term(4, kGlobalId), Term(-4)});
  for (const SummaryAccess& read : reads) {
    CHECK(read.guarded);
    CHECK(read.ranged);
    REQUIRE(read.guards.size() == 1);
    CHECK(read.guards[0].kind == Guard::kZero);
  }
  CHECK(reads[1].guards[0].value == SummaryFormula{Term(1, kLocalId), Term(-15)});
  CHECK(reads[0].guards[0].value == SummaryFormula{Term(1, kLocalId)});
  const std::vector<SummaryAccess>& writes = kernels[0].parameters[1].accesses;
  REQUIRE(writes.size() == 2);
  CHECK(writes[0].offset == SummaryFormula{Term(4, kGlobalId)});
  CHECK(writes[1].offset == SummaryFormula{Term(4, kArgument + 2)});
  CHECK(writes[0].guards[0].kind == Guard::kNegative);
  CHECK(writes[1].guards[0].kind == Guard::kNotNegative);
  // A condition on data is not known: the access remains one.
  const SummaryAccess& any = Only(kernels[1].parameters[1]);
  CHECK(any.guarded);
  CHECK(any.guards.empty());
  CHECK_FALSE(any.ranged);
}

// Structures passed by value, as clang 14 and clang 19 write them.
constexpr char kValues[] = R"(
%struct.Body = type { <4 x float>, i8, [15 x i8] }
%struct.Packed = type <{ i8, i32 }>
%struct.Ray = type { <3 x float>, i32, [12 x i8] }
%struct.Node = type { i32 addrspace(1)*, i32 }
%struct.Empty = type {}
define dso_local spir_kernel void @typed(float addrspace(1)* nocapture noundef writeonly %0, %struct.Body* nocapture noundef readonly byval(%struct.Body) align 16 %1, %struct.Packed* nocapture noundef readonly byval(%struct.Packed) align 1 %2, %struct.Node* nocapture noundef byval(%struct.Node) align 8 %3, <3 x i8> noundef %4, i16 noundef zeroext %5, %struct.Empty* byval(%struct.Empty) align 1 %6, float addrspace(3)* %7) {
  ret void
}
define dso_local spir_kernel void @opaque(ptr addrspace(1) nocapture noundef writeonly %a, ptr nocapture noundef readonly byval(%struct.Ray) align 16 %b, ptr byval([3 x double]) align 8 %c, target("spirv.Sampler") %d, ptr %e) {
entry:
  ret void
}
)";

TEST_CASE("parameters that are passed by value have their sizes, unless pointers are in them") {
  const std::vector<KernelSummary> kernels = SummarizeIr(kValues);
  REQUIRE(kernels.size() == 2);
  const auto sizes = [](const KernelSummary& kernel) {
    std::vector<uint32_t> bytes;
    for (const ParameterSummary& parameter : kernel.parameters)
      bytes.push_back(parameter.value_bytes);
    return bytes;
  };
  CHECK(sizes(kernels[0]) == std::vector<uint32_t>{0, 32, 5, 0, 4, 2, 0, 0});
  CHECK(sizes(kernels[1]) == std::vector<uint32_t>{0, 32, 24, 0, 0});
  std::vector<KernelSummary> again;
  REQUIRE(DecodeSummaries(EncodeSummaries(kernels), &again));
  CHECK(sizes(again[0]) == sizes(kernels[0]));
}

TEST_CASE("summaries survive their text form, and damaged texts are rejected") {
  std::vector<KernelSummary> kernels = SummarizeIr(kTyped);
  for (KernelSummary& kernel : SummarizeIr(kLocals)) kernels.push_back(std::move(kernel));
  for (KernelSummary& kernel : SummarizeIr(kOpaque)) kernels.push_back(std::move(kernel));
  const std::string text = EncodeSummaries(kernels);
  std::vector<KernelSummary> again;
  REQUIRE(DecodeSummaries(text, &again));
  CHECK(EncodeSummaries(again) == text);
  for (size_t length = 0; length < text.size(); ++length)
    CHECK_FALSE(DecodeSummaries(text.substr(0, length), &again));
  CHECK_FALSE(DecodeSummaries(text + "x", &again));
  CHECK_FALSE(DecodeSummaries("gpusan-kernel-summaries 999\nend\n", &again));
  CHECK_FALSE(DecodeSummaries("gpusan-kernel-summaries 1\nk 99999999 \nend\n", &again));
  CHECK(again.empty());
}

}  // namespace
}  // namespace gpusan
