// Formulas of quotients, remainders, shifts and masks of numbers that are known at a launch,
// compared with the results of the operations.
#include <catch2/catch.hpp>
#include <climits>
#include <optional>
#include <string>
#include <vector>

#include "report/kernels/ir_kernels.h"
#include "tracker/calls/launch_box.h"
#include "tracker/calls/launch_uses.h"

namespace gpusan {
namespace {

std::vector<KernelSummary> Sent(const std::string& ir) {
  std::vector<KernelSummary> again;
  REQUIRE(DecodeSummaries(EncodeSummaries(SummarizeIr(ir)), &again));
  REQUIRE(again.size() == 1);
  return again;
}

LaunchUses EvaluatedUses(const KernelSummary& kernel, const std::vector<int>& integers,
                         uint64_t items = 1) {
  LaunchShape shape;
  shape.global_size[0] = items;
  std::vector<LaunchInteger> values = {{0, 0}};  // the pointer
  for (const int integer : integers)
    values.push_back({static_cast<uint64_t>(static_cast<uint32_t>(integer)), 4});
  for (const DerivedNumber& number : kernel.derived)
    values.push_back(ValueOf(number, shape, values));
  REQUIRE(kernel.parameters[0].known);
  return UsesOf(kernel.parameters[0], shape, values);
}

std::string WriteAt(const std::string& operation) {
  return "define dso_local spir_kernel void @k(ptr addrspace(1) %a, i32 %n, i32 %m) {\n"
         "entry:\n  %d = " +
         operation +
         "\n  %w = sext i32 %d to i64\n"
         "  %p = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %w\n"
         "  store i8 1, ptr addrspace(1) %p\n  ret void\n}\n";
}

// The result of an operation; nullopt: it is undefined.
std::optional<int> Result(const std::string& op, int n, int m) {
  const auto a = static_cast<unsigned>(n), b = static_cast<unsigned>(m);
  if (op == "and") return n & m;
  if (op == "ashr" || op == "lshr") {
    if (m < 0 || m > 31) return std::nullopt;
    return op == "ashr" ? n >> m : static_cast<int>(a >> b);
  }
  if (m == 0 || (n == INT_MIN && m == -1)) return std::nullopt;
  if (op == "sdiv") return n / m;
  if (op == "srem") return n % m;
  return static_cast<int>(op == "udiv" ? a / b : a % b);
}

}  // namespace

TEST_CASE("derived numbers have the results of the operations, or are not known") {
  const std::vector<int> numbers = {INT_MIN, -100, -9, -8, -3, -1,  0,      1,
                                    2,       3,    4,  7,  15, 100, 0xffff, INT_MAX};
  for (const std::string op : {"sdiv", "udiv", "srem", "urem", "and", "ashr", "lshr"}) {
    const bool shifts = op == "ashr" || op == "lshr";
    for (const int m : numbers) {
      const bool constant = shifts || m == 3 || m == -8;
      if (shifts && (m < 0 || m > 31)) continue;
      const KernelSummary kernel =
          Sent(WriteAt(op + " i32 %n, " + (constant ? std::to_string(m) : "%m")))[0];
      for (const int n : numbers) {
        CAPTURE(op, n, m);
        const std::optional<int> result = Result(op, n, m);
        const LaunchUse writes = EvaluatedUses(kernel, {n, m}).writes;
        if (writes.ranged) {
          REQUIRE(result);
          CHECK(writes.first == *result);
          CHECK(writes.last == int64_t{*result} + 1);
        }
        const bool is_signed = op[0] == 's' || op[0] == 'a';
        CHECK(writes.ranged == (result.has_value() && (is_signed || (n >= 0 && m >= 0))));
      }
    }
  }
}

TEST_CASE("an operation of numbers that differ between work items has no formula") {
  for (const char* operation : {"sdiv i32 %t, 4", "srem i32 %n, %t", "lshr i32 %t, 1"}) {
    std::string ir = WriteAt(operation);
    ir.insert(ir.find("  %d"),
              "  %x = tail call spir_func i64 @_Z13get_global_idj(i32 0)\n"
              "  %t = trunc i64 %x to i32\n");
    const KernelSummary kernel = Sent(ir)[0];
    CHECK(kernel.derived.empty());
    CHECK_FALSE(EvaluatedUses(kernel, {8, 0}, 4).writes.ranged);
  }
}

TEST_CASE("a loop to a quotient runs if the dividend is at least the divisor") {
  const std::string ir =
      "define dso_local spir_kernel void @k(ptr addrspace(1) %a, i32 %n) {\n"
      "entry:\n"
      "  %q = lshr i32 %n, 2\n"
      "  %none = icmp ult i32 %n, 4\n"
      "  br i1 %none, label %exit, label %loop\n"
      "loop:\n"
      "  %i = phi i32 [ %next, %loop ], [ 0, %entry ]\n"
      "  %w = zext i32 %i to i64\n"
      "  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %w\n"
      "  store i32 1, ptr addrspace(1) %p\n"
      "  %next = add nuw nsw i32 %i, 1\n"
      "  %more = icmp ult i32 %next, %q\n"
      "  br i1 %more, label %loop, label %exit\n"
      "exit:\n"
      "  ret void\n"
      "}\n";
  const KernelSummary kernel = Sent(ir)[0];
  for (int n = 0; n < 20; ++n) {
    CAPTURE(n);
    const LaunchUse writes = EvaluatedUses(kernel, {n}).writes;
    CHECK(writes.sure == (n >= 4));
    if (n < 4) continue;
    CHECK(writes.exact);
    CHECK(writes.first == 0);
    CHECK(writes.last == n / 4 * 4);
  }
}

TEST_CASE("a loop to a multiple runs if its factor is not negative") {
  // for (int i = 0; i <= 2 * r; ++i), with the comparison of r that LLVM puts in front.
  const std::string ir =
      "define dso_local spir_kernel void @k(ptr addrspace(1) %a, i32 %r) {\n"
      "entry:\n"
      "  %last = shl nsw i32 %r, 1\n"
      "  %none = icmp slt i32 %r, 0\n"
      "  br i1 %none, label %exit, label %loop\n"
      "loop:\n"
      "  %i = phi i32 [ %next, %loop ], [ 0, %entry ]\n"
      "  %w = zext i32 %i to i64\n"
      "  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %w\n"
      "  store i32 1, ptr addrspace(1) %p\n"
      "  %next = add nuw nsw i32 %i, 1\n"
      "  %more = icmp slt i32 %i, %last\n"
      "  br i1 %more, label %loop, label %exit\n"
      "exit:\n"
      "  ret void\n"
      "}\n";
  const KernelSummary kernel = Sent(ir)[0];
  for (int r = -3; r < 5; ++r) {
    CAPTURE(r);
    const LaunchUse writes = EvaluatedUses(kernel, {r}).writes;
    CHECK(writes.sure == (r >= 0));
    if (r >= 0) CHECK(writes.last == 4 * (2 * r + 1));
  }
}

TEST_CASE("a loop without a comparison in front of it has the bounds of the loop around it") {
  // for (j = 0; j <= 2 * r; ++j) for (i = 0; i <= 2 * r; ++i) a[10 * j + i] = 1;
  const std::string ir =
      "define dso_local spir_kernel void @k(ptr addrspace(1) %a, i32 %r) {\n"
      "entry:\n"
      "  %last = shl nsw i32 %r, 1\n"
      "  %none = icmp slt i32 %r, 0\n"
      "  br i1 %none, label %exit, label %outer\n"
      "outer:\n"
      "  %j = phi i32 [ %after, %behind ], [ 0, %entry ]\n"
      "  %row = mul nsw i32 %j, 10\n"
      "  br label %inner\n"
      "inner:\n"
      "  %i = phi i32 [ %next, %inner ], [ 0, %outer ]\n"
      "  %at = add nsw i32 %row, %i\n"
      "  %w = sext i32 %at to i64\n"
      "  %p = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %w\n"
      "  store i8 1, ptr addrspace(1) %p\n"
      "  %next = add nuw nsw i32 %i, 1\n"
      "  %more = icmp slt i32 %i, %last\n"
      "  br i1 %more, label %inner, label %behind\n"
      "behind:\n"
      "  %after = add nuw nsw i32 %j, 1\n"
      "  %further = icmp slt i32 %j, %last\n"
      "  br i1 %further, label %outer, label %exit\n"
      "exit:\n"
      "  ret void\n"
      "}\n";
  const KernelSummary kernel = Sent(ir)[0];
  for (int r = -2; r < 5; ++r) {
    CAPTURE(r);
    const LaunchUse writes = EvaluatedUses(kernel, {r}).writes;
    CHECK(writes.sure == (r >= 0));
    if (r < 0) continue;
    CHECK(writes.ranged);
    CHECK(writes.last == 2 * r * 11 + 1);
  }
}

}  // namespace gpusan
