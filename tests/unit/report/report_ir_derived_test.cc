// Formulas of quotients, remainders, shifts and masks of numbers that are known at a launch,
// compared with the results of the operations.
#include <algorithm>
#include <catch2/catch.hpp>
#include <climits>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "report/ir/ir_kernels.h"
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

// Compares the stores of %a[d], where d is computed from the global identifier %t and the arguments
// %n and %m by the lines `code`, with those of each work item. Returns in how many launches the
// range is exact.
int CompareItems(const std::string& code, const std::function<int(int t, int n, int m)>& value) {
  std::string ir = WriteAt("add i32 %e, 0");
  ir.insert(ir.find("  %d"),
            "  %x = tail call spir_func i64 @_Z13get_global_idj(i32 0)\n"
            "  %t = trunc i64 %x to i32\n" +
                code);
  const KernelSummary kernel = Sent(ir)[0];
  int exact = 0;
  for (const uint64_t items : {1, 2, 4, 6, 8, 12, 16, 30}) {
    for (const int n : {1, 2, 3, 4, 5, 8, 16}) {
      for (const int m : {0, 1, 2, 3, 4}) {
        CAPTURE(code, items, n, m);
        const LaunchUse writes = EvaluatedUses(kernel, {n, m}, items).writes;
        std::set<int64_t> bytes;
        for (int item = 0; item < static_cast<int>(items); ++item) bytes.insert(value(item, n, m));
        CHECK(writes.sure);
        if (writes.ranged) {
          CHECK(writes.first <= *bytes.begin());
          CHECK(writes.last > *bytes.rbegin());
        }
        if (writes.has_ends()) {
          CHECK(bytes.count(writes.end_first) == 1);
          CHECK(bytes.count(writes.end_last - 1) == 1);
        }
        for (int64_t byte = writes.core_first; byte < writes.core_last; ++byte)
          CHECK(bytes.count(byte) == 1);
        exact += writes.exact || (writes.has_ends() && writes.end_first == writes.first &&
                                  writes.end_last == writes.last);
      }
    }
  }
  return exact;
}

TEST_CASE("parts of identifiers have the values of the work items") {
  CHECK(CompareItems("  %e = udiv i32 %t, %n\n", [](int t, int n, int) { return t / n; }) == 280);
  CHECK(CompareItems("  %e = srem i32 %t, %n\n", [](int t, int n, int) { return t % n; }) > 150);
  CHECK(CompareItems("  %e = xor i32 %m, %t\n", [](int t, int, int m) { return t ^ m; }) > 100);
  CHECK(CompareItems("  %e = and i32 %t, 3\n", [](int t, int, int) { return t & 3; }) == 280);
  CHECK(CompareItems("  %e = and i32 %t, -4\n", [](int t, int, int) { return t & -4; }) > 30);
  CHECK(CompareItems("  %e = lshr i32 %t, 1\n", [](int t, int, int) { return t >> 1; }) == 280);
  CHECK(CompareItems("  %e = ashr i32 %t, %m\n", [](int t, int, int m) { return t >> m; }) == 280);
  CHECK(CompareItems("  %e = shl i32 %t, %m\n", [](int t, int, int m) { return t << m; }) == 280);
}

TEST_CASE("quotients and remainders together have the values of the work items") {
  // x = t % n, y = t / n, as LLVM computes them.
  const std::string parts =
      "  %y = udiv i32 %t, %n\n"
      "  %row = mul i32 %y, %n\n"
      "  %x1 = sub i32 %t, %row\n";
  CHECK(CompareItems(parts + "  %e = add i32 %row, %x1\n", [](int t, int, int) { return t; }) ==
        280);
  CHECK(CompareItems(parts + "  %s = mul i32 %x1, 40\n  %e = add i32 %s, %y\n",
                     [](int t, int n, int) { return t % n * 40 + t / n; }) > 80);
  CHECK(CompareItems(parts + "  %s = shl i32 %t, 1\n  %e = add i32 %s, %x1\n",
                     [](int t, int n, int) { return 2 * t + t % n; }) > 80);
  // The butterflies of a transform: the bits from m on move up by one.
  CHECK(CompareItems("  %size = shl nuw i32 1, %m\n"
                     "  %mask = add i32 %size, -1\n"
                     "  %low = and i32 %mask, %t\n"
                     "  %high = sub i32 %t, %low\n"
                     "  %twice = shl i32 %high, 1\n"
                     "  %first = add i32 %twice, %low\n"
                     "  %e = add i32 %first, %size\n",
                     [](int t, int, int m) {
                       const int low = t & ((1 << m) - 1);
                       return 2 * (t - low) + low + (1 << m);
                     }) > 80);
}

TEST_CASE("a part of a negative number, and one by a number that differs, have no range") {
  for (const char* operation :
       {"sdiv i32 %minus, 4", "srem i32 %minus, %n", "srem i32 %n, %t", "udiv i32 %t, %t",
        "xor i32 %minus, 3", "and i32 %t, 5", "udiv i32 %t, %zero", "lshr i32 %t, %t"}) {
    std::string ir = WriteAt(operation);
    ir.insert(ir.find("  %d"),
              "  %x = tail call spir_func i64 @_Z13get_global_idj(i32 0)\n"
              "  %t = trunc i64 %x to i32\n"
              "  %minus = sub i32 %t, 5\n"
              "  %zero = sub i32 %n, 8\n");
    CAPTURE(operation);
    const KernelSummary kernel = Sent(ir)[0];
    CHECK(kernel.derived.empty());
    const LaunchUse writes = EvaluatedUses(kernel, {8, 0}, 4).writes;
    CHECK_FALSE(writes.ranged);
    CHECK_FALSE(writes.has_core());
  }
}

TEST_CASE("an extreme of arguments has its value") {
  for (const int n : {-3, 0, 4, 9}) {
    for (const int m : {-7, 2, 9}) {
      const auto first = [&](const std::string& call) {
        const LaunchUse writes = EvaluatedUses(Sent(WriteAt("call " + call))[0], {n, m}).writes;
        return writes.ranged ? std::optional<int64_t>(writes.first) : std::nullopt;
      };
      CHECK(first("spir_func i32 @_Z3minii(i32 %n, i32 %m)") == std::min(n, m));
      CHECK(first("i32 @llvm.smax.i32(i32 %n, i32 %m)") == std::max(n, m));
      CHECK(first("spir_func i32 @_Z5clampiii(i32 %n, i32 0, i32 5)") ==
            std::max(0, std::min(n, 5)));
      const bool has_unsigned = n >= 0 && m >= 0;
      CHECK(first("spir_func i32 @_Z3maxjj(i32 %n, i32 %m)") ==
            (has_unsigned ? std::optional<int64_t>(std::max(n, m)) : std::nullopt));
    }
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
