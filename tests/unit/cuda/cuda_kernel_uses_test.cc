// The text of what a kernel accesses, which is kept on disk.
#include <catch2/catch.hpp>

#include <string>

#include "hooks/cuda/ptx/ptx_access.h"
#include "hooks/cuda/summaries/kernel_uses.h"

namespace gpusan::cuda {
namespace {

const std::vector<uint32_t> kOffsets = {0, 8, 16}, kSizes = {8, 8, 4};

// `store`: the instruction that uses %r3 and the address %rd5.
KernelUses SomeUses(const std::string& store = "st.global.u32 [%rd5], %r3;") {
  const std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {\n"
      ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
      "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [n];\n"
      "mov.u32 %r2, %tid.x; mul.wide.s32 %rd3, %r2, 4; setp.ge.s32 %p1, %r2, %r1; @%p1 ret;\n"
      "add.s64 %rd4, %rd1, %rd3; ld.global.u32 %r3, [%rd4];\n"
      "add.s64 %rd5, %rd2, %rd3; " +
      store + " ret; }";
  const PtxModule module = ReadPtxModule(text);
  return {Summarize(module, ReadPtxKernel(module, module.kernels.at(0))), kOffsets, kSizes};
}

TEST_CASE("uses that are read back from their text are unchanged") {
  const KernelUses uses = SomeUses();
  REQUIRE(uses.pointers().size() == 2);
  const std::optional<KernelUses> read = KernelUses::FromText(uses.Text(), kSizes);
  REQUIRE(read);
  CHECK(read->Text() == uses.Text());
  const LaunchInteger count = {10, 4};
  std::vector<LaunchUses> before(2), after(2);
  gpusan::LaunchShape shape;
  shape.global_size[0] = shape.local_size[0] = 64;
  uses.Evaluate(shape, {&count, 1}, absl::MakeSpan(before));
  read->Evaluate(shape, {&count, 1}, absl::MakeSpan(after));
  CHECK(before[1].writes.ranged);
  CHECK(before[1].writes.last == 40);
  CHECK(before[1].writes.exact);
  CHECK(after[1].writes.last == before[1].writes.last);
  CHECK(after[0].reads.last == 40);
}

TEST_CASE("accesses after a wait are apart from the others") {
  const KernelUses uses = SomeUses("membar.gl; st.global.u32 [%rd5], %r3;");
  REQUIRE(uses.may_wait());
  const std::optional<KernelUses> read = KernelUses::FromText(uses.Text(), kSizes);
  REQUIRE(read);
  CHECK(read->Text() == uses.Text());
  REQUIRE(read->evaluated() == uses.evaluated());
  const LaunchInteger count = {10, 4};
  gpusan::LaunchShape shape;
  shape.global_size[0] = shape.local_size[0] = 64;
  std::vector<LaunchUses> all(read->evaluated());
  read->Evaluate(shape, {&count, 1}, absl::MakeSpan(all));
  CHECK(!all[1].writes.sure);
  const LaunchUses* waited = read->WaitedOf(1, all);
  REQUIRE(waited != nullptr);
  CHECK(waited->writes.sure);
  CHECK(waited->writes.core_last == 40);
  CHECK(SomeUses().WaitedOf(1, all) == nullptr);
}

// A kernel that stores to out[x + y * 64], where the code computes x and y from %r1, the index in
// the block. Parameters: out, a flag.
KernelUses UsesOfTiles(const std::string& code) {
  const std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 out, .param .u32 n) {\n"
      ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
      "ld.param.u64 %rd1, [out]; ld.param.u32 %r8, [n]; mov.u32 %r1, %tid.x;\n" +
      code +
      "mad.lo.u32 %r4, %r3, 64, %r2; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
      "st.global.u32 [%rd3], %r8; ret; }";
  const PtxModule module = ReadPtxModule(text);
  return {Summarize(module, ReadPtxKernel(module, module.kernels.at(0))), {0, 8}, {8, 4}};
}

LaunchUse WritesOf(const KernelUses& uses, uint32_t threads) {
  std::vector<LaunchUses> of_launch(1);
  gpusan::LaunchShape shape;
  shape.global_size[0] = shape.local_size[0] = threads;
  const LaunchInteger flag = {1, 4};
  uses.Evaluate(shape, absl::MakeSpan(&flag, uses.integers().size()), absl::MakeSpan(of_launch));
  return of_launch[0].writes;
}

TEST_CASE("fields of the index in the block have byte ranges") {
  for (const char* code : {"and.b32 %r2, %r1, 31; shr.u32 %r3, %r1, 5;\n",
                           "bfe.u32 %r2, %r1, 0, 5; shr.s32 %r3, %r1, 5;\n",
                           "shl.b32 %r5, %r1, 2; and.b32 %r2, %r1, 31; shr.u32 %r3, %r5, 7;\n",
                           "shr.u32 %r3, %r1, 5; shl.b32 %r5, %r3, 5; sub.s32 %r2, %r1, %r5;\n"}) {
    const KernelUses uses = UsesOfTiles(code);
    REQUIRE(uses.pointers().size() == 1);
    const std::optional<KernelUses> read = KernelUses::FromText(uses.Text(), {8, 4});
    REQUIRE(read);
    for (const KernelUses* one : {&uses, &*read}) {
      const LaunchUse writes = WritesOf(*one, 128);
      CHECK(writes.sure);
      CHECK(writes.ranged);
      CHECK(writes.first == 0);
      CHECK(writes.last == 4 * (3 * 64 + 32));
      // The last warp is not whole.
      CHECK_FALSE(WritesOf(*one, 100).ranged);
    }
  }
  // One thread of each warp, and of the first.
  const KernelUses leaders = UsesOfTiles(
      "and.b32 %r2, %r1, 31; shr.u32 %r3, %r1, 5; setp.ne.u32 %p1, %r2, 0; @%p1 ret;\n");
  CHECK(WritesOf(leaders, 128).sure);
  CHECK(WritesOf(leaders, 128).last == 4 * 3 * 64 + 4);
  // The index itself depends on its fields.
  const KernelUses mixed = UsesOfTiles(
      "and.b32 %r2, %r1, 31; shr.u32 %r3, %r1, 5; setp.ge.u32 %p1, %r1, 40; @%p1 ret;\n");
  CHECK(WritesOf(mixed, 128).possible);
  CHECK_FALSE(WritesOf(mixed, 128).ranged);
  const KernelUses overlapping = UsesOfTiles("and.b32 %r2, %r1, 31; shr.u32 %r3, %r1, 4;\n");
  CHECK_FALSE(WritesOf(overlapping, 128).ranged);
}

TEST_CASE("reductions are updates, also in the text form") {
  CHECK_FALSE(SomeUses().has_updates());
  CHECK_FALSE(SomeUses("atom.global.exch.b32 %r4, [%rd5], %r3;").has_updates());
  const KernelUses uses = SomeUses("red.global.add.u32 [%rd5], %r3;");
  REQUIRE(uses.has_updates());
  REQUIRE(uses.evaluated() == 4);
  const std::optional<KernelUses> read = KernelUses::FromText(uses.Text(), kSizes);
  REQUIRE(read);
  CHECK(read->Text() == uses.Text());
  const LaunchInteger count = {10, 4};
  std::vector<LaunchUses> of_launch(4);
  gpusan::LaunchShape shape;
  shape.global_size[0] = shape.local_size[0] = 64;
  read->Evaluate(shape, {&count, 1}, absl::MakeSpan(of_launch));
  CHECK(of_launch[1].atomics.possible);
  CHECK_FALSE(of_launch[2].reads.possible);
  CHECK(of_launch[3].reads.sure);
  CHECK(of_launch[3].reads.core_last == 40);
}

KernelUses UsesOfVariables() {
  KernelAccess access;
  access.failure = nullptr;
  access.variables = {{"table", kReads}, {"other", kReads | kWrites}};
  return {access, kOffsets, kSizes};
}

TEST_CASE("variables of the module are kept in the text form") {
  const KernelUses uses = UsesOfVariables();
  const std::optional<KernelUses> read = KernelUses::FromText(uses.Text(), kSizes);
  REQUIRE(read);
  CHECK(read->Text() == uses.Text());
  REQUIRE(read->variables().size() == 2);
  CHECK(read->variables()[0].name == "table");
  CHECK(read->variables()[0].kinds == kReads);
  CHECK(read->variables()[1].name == "other");
  CHECK(read->variables()[1].kinds == (kReads | kWrites));
}

KernelUses UsesOfTexels() {
  return SomeUses("tex.1d.v4.s32.s32 {%r3, %r4, %r5, %r6}, [%rd2, {%r2}];");
}

TEST_CASE("texture objects are known, also in the text form") {
  const KernelUses uses = UsesOfTexels();
  const std::optional<KernelUses> read = KernelUses::FromText(uses.Text(), kSizes);
  REQUIRE(read);
  CHECK(read->Text() == uses.Text());
  REQUIRE(read->pointers().size() == 2);
  CHECK(read->pointers()[0].view == ViewKind::kNone);
  const KernelUses::Pointer& texture = read->pointers()[1];
  CHECK(texture.view == ViewKind::kTexture);
  REQUIRE(texture.handle < read->integers().size());
  CHECK(read->integers()[texture.handle] == texture.word);
  gpusan::LaunchShape shape;
  shape.global_size[0] = shape.local_size[0] = 64;
  std::vector<LaunchUses> some(2), none(2);
  std::vector<LaunchInteger> integers(read->integers().size(), {10, 4});
  read->Evaluate(shape, integers, absl::MakeSpan(some));
  CHECK(some[1].reads.sure);
  for (LaunchInteger& one : integers) one.value = 0;
  read->Evaluate(shape, integers, absl::MakeSpan(none));
  CHECK_FALSE(none[1].reads.sure);
}

TEST_CASE("a text that is cut or does not fit the parameters is rejected") {
  const std::string text = SomeUses().Text();
  for (const std::string& one : {text, SomeUses("red.global.add.u32 [%rd5], %r3;").Text(),
                                 UsesOfVariables().Text(), UsesOfTexels().Text()}) {
    for (size_t length = 0; length < one.size(); ++length)
      CHECK_FALSE(KernelUses::FromText(one.substr(0, length), kSizes));
  }
  CHECK_FALSE(KernelUses::FromText(text, {8, 4, 4}));
  CHECK_FALSE(KernelUses::FromText(text, {8, 8}));
  CHECK_FALSE(KernelUses::FromText("0 1 0 0 8\n" + text.substr(text.find('\n') + 1), kSizes));
}

}  // namespace
}  // namespace gpusan::cuda
