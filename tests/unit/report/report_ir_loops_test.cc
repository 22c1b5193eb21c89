// The reader of LLVM IR on loops: counted ones, those that stride over a launch, and others.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "report/ir/ir_kernels.h"
#include "tracker/calls/launch_box.h"
#include "tracker/calls/launch_uses.h"

namespace gpusan {
namespace {

// for (int i = begin + get_global_id(0); i < end; i += get_global_size(0)) out[i] = in[i];
constexpr char kStride[] = R"(
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %begin, i32 %end) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %narrow = trunc i64 %id to i32
  %first = add nsw i32 %narrow, %begin
  %enters = icmp slt i32 %first, %end
  br i1 %enters, label %loop, label %exit
loop:
  %i = phi i32 [ %next, %loop ], [ %first, %entry ]
  %wide = sext i32 %i to i64
  %from = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %wide
  %v = load i32, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %wide
  store i32 %v, ptr addrspace(1) %to, align 4
  %size = call spir_func i64 @_Z15get_global_sizej(i32 0)
  %step = trunc i64 %size to i32
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
})";

// for (int k = LAST; k CONDITION; k += STEP) out[get_global_id(0) * n + k] = 0;
std::string Counted(const std::string& in_front, const std::string& first, const std::string& step,
                    const std::string& condition, const std::string& body = "") {
  return "define spir_kernel void @k(ptr addrspace(1) %out, i32 %n, ptr addrspace(1) %other) {\n"
         "entry:\n"
         "  %id = call spir_func i64 @_Z13get_global_idj(i32 0)\n"
         "  %narrow = trunc i64 %id to i32\n"
         "  %row = mul nsw i32 %narrow, %n\n"
         "  %last = add nsw i32 %n, -1\n" +
         in_front +
         "loop:\n"
         "  %k = phi i32 [ " +
         first +
         ", %entry ], [ %next, %latch ]\n"
         "  %at = add nsw i32 %row, %k\n"
         "  %wide = sext i32 %at to i64\n"
         "  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %wide\n"
         "  store i32 0, ptr addrspace(1) %to, align 4\n" +
         (body.empty() ? "  br label %latch\n" : body) +
         "latch:\n"
         "  %next = add nsw i32 %k, " +
         step +
         "\n"
         "  %more = icmp " +
         condition +
         "\n"
         "  br i1 %more, label %loop, label %exit\n"
         "exit:\n"
         "  ret void\n"
         "}\n";
}
const std::string kIfPositive =
    "  %enters = icmp sgt i32 %n, 0\n  br i1 %enters, label %loop, label %exit\n";
const std::string kAlways = "  br label %loop\n";

LaunchUses EvaluatedUses(const std::string& ir, size_t parameter, uint64_t items,
                         const std::vector<int>& integers) {
  const std::vector<KernelSummary> kernels = SummarizeIr(ir);
  REQUIRE(kernels.size() == 1);
  REQUIRE(kernels[0].parameters[parameter].known);
  // As it comes from another process.
  std::vector<KernelSummary> again;
  REQUIRE(DecodeSummaries(EncodeSummaries(kernels), &again));
  const ParameterSummary& summary = again[0].parameters[parameter];
  LaunchShape shape;
  shape.global_size[0] = items;
  std::vector<LaunchInteger> values;
  for (const int integer : integers)
    values.push_back({static_cast<uint64_t>(static_cast<uint32_t>(integer)), 4});
  values.resize(again[0].parameters.size());
  for (const DerivedNumber& number : again[0].derived)
    values.push_back(ValueOf(number, shape, values));
  LaunchUses prepared;
  LaunchProgram({&summary}).Evaluate(shape, values, absl::MakeSpan(&prepared, 1));
  const LaunchUses uses = UsesOf(summary, shape, values);
  CHECK(prepared.writes.first == uses.writes.first);
  CHECK(prepared.writes.last == uses.writes.last);
  CHECK(prepared.writes.exact == uses.writes.exact);
  CHECK(prepared.writes.sure == uses.writes.sure);
  return uses;
}

bool Is(const LaunchUse& use, int64_t first, int64_t last, bool exact) {
  return use.possible && use.ranged && use.first == first && use.last == last && use.exact == exact;
}

}  // namespace

TEST_CASE("a loop that strides over the launch accesses each element once") {
  for (const int items : {1, 5, 16}) {
    for (int begin = 0; begin < 40; begin += 13) {
      for (int end = 0; end < 40; ++end) {
        std::set<int64_t> written;
        for (int id = 0; id < items; ++id) {
          for (int i = begin + id; i < end; i += items) written.insert(i);
        }
        const LaunchUses reads =
            EvaluatedUses(kStride, 0, static_cast<uint64_t>(items), {0, 0, begin, end});
        const LaunchUses uses =
            EvaluatedUses(kStride, 1, static_cast<uint64_t>(items), {0, 0, begin, end});
        CHECK(uses.writes.possible == !written.empty());
        CHECK(reads.reads.possible == !written.empty());
        if (written.empty()) continue;
        CHECK(Is(uses.writes, *written.begin() * 4, *written.rbegin() * 4 + 4, true));
        CHECK(Is(reads.reads, *written.begin() * 4, *written.rbegin() * 4 + 4, true));
      }
    }
  }
}

TEST_CASE("a stride over part of the launch, or over more, is no exact range") {
  std::string ir = kStride;
  ir.replace(ir.find("%step = trunc"), 13, "%size32 = trunc");
  ir.replace(ir.find("add i32 %i, %step"), 17, "add i32 %i, 8");
  CHECK(Is(EvaluatedUses(ir, 1, 4, {0, 0, 0, 40}).writes, 0, 160, false));
  CHECK(Is(EvaluatedUses(ir, 1, 16, {0, 0, 0, 40}).writes, 0, 160, false));
  CHECK(Is(EvaluatedUses(ir, 1, 8, {0, 0, 0, 40}).writes, 0, 160, true));
}

TEST_CASE("a loop with a count accesses a row for each work item") {
  const std::string up = Counted(kIfPositive, "0", "1", "slt i32 %next, %n");
  CHECK(Is(EvaluatedUses(up, 0, 8, {0, 10}).writes, 0, 320, true));
  CHECK(Is(EvaluatedUses(up, 0, 8, {0, 1}).writes, 0, 32, true));
  CHECK_FALSE(EvaluatedUses(up, 0, 8, {0, 0}).writes.possible);
  CHECK_FALSE(EvaluatedUses(up, 0, 8, {0, -5}).writes.possible);
  // Without an iteration it does not matter that the row has no address.
  std::string unsigned_row = up;
  unsigned_row.replace(unsigned_row.find("sext i32 %at"), 12, "zext i32 %at");
  CHECK(Is(EvaluatedUses(unsigned_row, 0, 8, {0, 10}).writes, 0, 320, true));
  CHECK_FALSE(EvaluatedUses(unsigned_row, 0, 8, {0, -5}).writes.possible);
  const std::string down = Counted(kIfPositive, "%last", "-1", "sgt i32 %k, 0");
  CHECK(Is(EvaluatedUses(down, 0, 8, {0, 10}).writes, 0, 320, true));
  const std::string not_equal = Counted(kIfPositive, "0", "1", "ne i32 %next, %n");
  CHECK(Is(EvaluatedUses(not_equal, 0, 8, {0, 10}).writes, 0, 320, true));
  const std::string two = Counted(kIfPositive, "0", "2", "slt i32 %next, %n");
  CHECK(Is(EvaluatedUses(two, 0, 8, {0, 10}).writes, 0, 316, false));
  const std::string constant = Counted(kAlways, "0", "1", "slt i32 %next, 3");
  CHECK(Is(EvaluatedUses(constant, 0, 1, {0, 10}).writes, 0, 12, true));
}

TEST_CASE("of iterations whose number is not known, the first one has a range") {
  const auto unranged = [](const std::string& ir) {
    const LaunchUses uses = EvaluatedUses(ir, 0, 8, {0, 10});
    CHECK(uses.writes.sure);
    CHECK_FALSE(uses.writes.ranged);
    CHECK(uses.writes.core_first == 0);
    CHECK(uses.writes.core_last == 4);
    CHECK(uses.writes.end_last == 7 * 40 + 4);
  };
  // The first iteration runs without a condition.
  unranged(Counted(kAlways, "0", "1", "slt i32 %next, %n"));
  // Another condition in front of the loop.
  unranged(Counted("  %enters = icmp sgt i32 %n, 5\n  br i1 %enters, label %loop, label %exit\n",
                   "0", "1", "slt i32 %next, %n"));
  // The loop may end in its middle.
  const std::string ends =
      "  %v = load i32, ptr addrspace(1) %other, align 4\n"
      "  %stop = icmp eq i32 %v, 0\n"
      "  br i1 %stop, label %exit, label %latch\n";
  unranged(Counted(kIfPositive, "0", "1", "slt i32 %next, %n", ends));
  // The counter may jump over the end.
  unranged(Counted(kIfPositive, "0", "2", "ne i32 %next, %n"));
  // The counter may wrap around.
  const std::string wraps = Counted(kAlways, "0", "%n", "slt i32 %next, 2147483647");
  CHECK(EvaluatedUses(wraps, 0, 1, {0, 0x60000000}).writes.possible);
  CHECK_FALSE(EvaluatedUses(wraps, 0, 1, {0, 0x60000000}).writes.has_core());
}

TEST_CASE("a condition on data inside of a loop leaves the range of the loop") {
  const std::string body =
      "  %v = load i32, ptr addrspace(1) %other, align 4\n"
      "  %c = icmp eq i32 %v, 0\n"
      "  br i1 %c, label %then, label %latch\n"
      "then:\n"
      "  %deep = sext i32 %k to i64\n"
      "  %there = getelementptr inbounds i32, ptr addrspace(1) %other, i64 %deep\n"
      "  store i32 1, ptr addrspace(1) %there, align 4\n"
      "  br label %latch\n";
  const LaunchUses uses =
      EvaluatedUses(Counted(kIfPositive, "0", "1", "slt i32 %next, %n", body), 2, 8, {0, 10});
  CHECK(Is(uses.writes, 0, 40, false));
  CHECK_FALSE(uses.writes.sure);
}

TEST_CASE("an unsigned count that is not 0 is that of the iterations") {
  std::string ir =
      Counted("  %enters = icmp ne i32 %n, 0\n  br i1 %enters, label %loop, label %exit\n", "0",
              "1", "ult i32 %next, %n");
  CHECK(Is(EvaluatedUses(ir, 0, 8, {0, 10}).writes, 0, 320, true));
  CHECK_FALSE(EvaluatedUses(ir, 0, 8, {0, 0}).writes.possible);
  // 2^32 - 1 iterations.
  CHECK_FALSE(EvaluatedUses(ir, 0, 8, {0, -1}).writes.ranged);
  // Another number.
  ir.replace(ir.find("icmp ne i32 %n, 0"), 17, "icmp ne i32 %n, 1");
  CHECK_FALSE(EvaluatedUses(ir, 0, 8, {0, 10}).writes.ranged);
}

// for (int k = FIRST; k < BOUND; ++k) out[k] = 0; where the header compares, because it has a call.
std::string TestedInTheHeader(const std::string& first, const std::string& bound) {
  return "define spir_kernel void @k(ptr addrspace(1) %out, i32 %n, i32 %m) {\n"
         "entry:\n"
         "  %id = call spir_func i64 @_Z13get_global_idj(i32 0)\n"
         "  %t = trunc i64 %id to i32\n"
         "  %begin = mul nsw i32 %t, %m\n"
         "  %end = add nsw i32 %begin, %m\n"
         "  br label %loop\n"
         "loop:\n"
         "  %k = phi i32 [ " +
         first +
         ", %entry ], [ %next, %body ]\n"
         "  %bound = call spir_func i32 @_Z3minii(i32 " +
         bound +
         ", i32 %n)\n"
         "  %more = icmp slt i32 %k, %bound\n"
         "  br i1 %more, label %body, label %exit\n"
         "body:\n"
         "  %wide = sext i32 %k to i64\n"
         "  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %wide\n"
         "  store i32 0, ptr addrspace(1) %to, align 4\n"
         "  %next = add nsw i32 %k, 1\n"
         "  br label %loop\n"
         "exit:\n"
         "  ret void\n"
         "}\n";
}

TEST_CASE("a loop that its header tests runs up to the least bound") {
  const std::string plain = TestedInTheHeader("0", "%m");
  for (int n = -1; n < 6; ++n) {
    for (int m = -1; m < 6; ++m) {
      const LaunchUse writes = EvaluatedUses(plain, 0, 1, {0, n, m}).writes;
      CHECK(writes.sure == (std::min(n, m) > 0));
      if (writes.sure) CHECK(Is(writes, 0, 4 * std::min(n, m), true));
    }
  }
  // A chunk of m elements for each of 8 work items, up to element n.
  const std::string chunks = TestedInTheHeader("%begin", "%end");
  CHECK(Is(EvaluatedUses(chunks, 0, 8, {0, 80, 10}).writes, 0, 320, true));
  const LaunchUse less = EvaluatedUses(chunks, 0, 8, {0, 75, 10}).writes;
  CHECK(less.sure);
  CHECK_FALSE(less.exact);
  CHECK(less.core_last <= 300);
  CHECK_FALSE(EvaluatedUses(chunks, 0, 8, {0, 75, 0}).writes.possible);
}

TEST_CASE("accesses in a header that tests have no range") {
  std::string ir = TestedInTheHeader("0", "%m");
  ir.insert(ir.find("  %bound"),
            "  %far = sext i32 %k to i64\n"
            "  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %far\n"
            "  store i32 1, ptr addrspace(1) %p, align 4\n");
  const LaunchUse writes = EvaluatedUses(ir, 0, 8, {0, 0, 0}).writes;
  CHECK(writes.sure);
  CHECK_FALSE(writes.ranged);
}

TEST_CASE("a block of variable length is accessed up to its end") {
  const std::string ir =
      "define spir_kernel void @k(ptr addrspace(1) %out, i32 %n, ptr addrspace(1) %in) {\n"
      "entry:\n"
      "  %id = call spir_func i64 @_Z13get_global_idj(i32 0)\n"
      "  %some = icmp sgt i32 %n, 0\n"
      "  br i1 %some, label %then, label %exit\n"
      "then:\n"
      "  %count = zext i32 %n to i64\n"
      "  %bytes = shl nuw nsw i64 %count, 2\n"
      "  %row = mul nuw nsw i64 %id, %count\n"
      "  %to = getelementptr float, ptr addrspace(1) %out, i64 %row\n"
      "  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 "
      "%in, i64 %bytes, i1 false)\n"
      "  br label %exit\n"
      "exit:\n"
      "  ret void\n"
      "}\n";
  for (int n = -1; n < 6; ++n) {
    const LaunchUse writes = EvaluatedUses(ir, 0, 8, {0, n}).writes;
    const LaunchUse reads = EvaluatedUses(ir, 2, 8, {0, n}).reads;
    CHECK(writes.sure == (n > 0));
    CHECK(reads.sure == (n > 0));
    if (n <= 0) continue;
    CHECK(Is(writes, 0, 32 * n, true));
    CHECK(Is(reads, 0, 4 * n, true));
  }
}

TEST_CASE("the counter is unknown after its loop") {
  std::string ir = Counted(kIfPositive, "0", "1", "slt i32 %next, %n");
  ir.replace(ir.find("exit:\n"), 6,
             "exit:\n"
             "  %end = phi i32 [ 0, %entry ], [ %next, %latch ]\n"
             "  %far = sext i32 %end to i64\n"
             "  %p = getelementptr inbounds i32, ptr addrspace(1) %other, i64 %far\n"
             "  store i32 1, ptr addrspace(1) %p, align 4\n");
  const LaunchUses uses = EvaluatedUses(ir, 2, 8, {0, 10});
  CHECK(uses.writes.possible);
  CHECK_FALSE(uses.writes.ranged);
}

}  // namespace gpusan
