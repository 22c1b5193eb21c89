// Values by conditions, first iterations of loops, products and unsigned integers that fall below
// 0, compared with the accesses of each work item.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "report/ir/ir_kernels.h"
#include "tracker/calls/launch_box.h"
#include "tracker/calls/launch_uses.h"

namespace gpusan {
namespace {

struct Launch {
  int n, m, items;
  int group;  // [work items] in a work-group
};
// Adds the bytes that the work item `x` accesses.
using Model = std::function<void(const Launch&, int x, std::set<int64_t>*)>;

// Compares the summary of a kernel that writes single bytes of its first parameter with the model.
// Returns the number of launches whose first and last byte are known.
int Compare(const std::string& body, const Model& model) {
  const std::string ir =
      "define dso_local spir_kernel void @k(ptr addrspace(1) %a, i32 %n, i32 %m, "
      "ptr addrspace(1) readonly %data) {\nentry:\n"
      "  %id = tail call spir_func i64 @_Z13get_global_idj(i32 0)\n"
      "  %x = trunc i64 %id to i32\n"
      "  %local64 = tail call spir_func i64 @_Z12get_local_idj(i32 0)\n"
      "  %l = trunc i64 %local64 to i32\n"
      "  %group64 = tail call spir_func i64 @_Z12get_group_idj(i32 0)\n"
      "  %g = trunc i64 %group64 to i32\n"
      "  %size64 = tail call spir_func i64 @_Z14get_local_sizej(i32 0)\n"
      "  %size = trunc i64 %size64 to i32\n" +
      body + "}\ndeclare i64 @_Z13get_global_idj(i32)\ndeclare i64 @_Z12get_local_idj(i32)\n" +
      "declare i64 @_Z12get_group_idj(i32)\ndeclare i64 @_Z14get_local_sizej(i32)\ndeclare i32 "
      "@_Z5mul24ii(i32, i32)\n" +
      "declare i32 @_Z5mad24iii(i32, i32, i32)\n";
  std::vector<KernelSummary> kernels;
  REQUIRE(DecodeSummaries(EncodeSummaries(SummarizeIr(ir)), &kernels));
  REQUIRE(kernels.size() == 1);
  REQUIRE(kernels[0].parameters[0].known);
  std::mt19937 random(1);
  int known = 0;
  for (int i = 0; i < 300; ++i) {
    const auto number = [&](int most) { return static_cast<int>(random() % (most + 1)); };
    Launch launch = {number(12), number(9), 1 + number(15), 1};
    if (launch.items % 4 == 0) launch.group = 4;
    LaunchShape shape;
    shape.local_size[0] = static_cast<uint64_t>(launch.group);
    shape.global_size[0] = static_cast<uint64_t>(launch.items);
    std::vector<LaunchInteger> values = {
        {0, 0}, {static_cast<uint64_t>(launch.n), 4}, {static_cast<uint64_t>(launch.m), 4}, {0, 0}};
    for (const DerivedNumber& derived : kernels[0].derived)
      values.push_back(ValueOf(derived, shape, values));
    const LaunchUse use = UsesOf(kernels[0].parameters[0], shape, values).writes;
    std::set<int64_t> bytes;
    for (int x = 0; x < launch.items; ++x) model(launch, x, &bytes);
    const auto has_all = [&](int64_t first, int64_t last) {
      for (int64_t byte = first; byte < last; ++byte) {
        if (bytes.count(byte) == 0) return false;
      }
      return true;
    };
    CAPTURE(launch.n, launch.m, launch.items, use.first, use.last, use.end_first, use.end_last);
    CHECK((use.possible || bytes.empty()));
    CHECK(!(use.sure && bytes.empty()));
    if (bytes.empty()) continue;
    if (use.ranged) CHECK((use.first <= *bytes.begin() && *bytes.rbegin() < use.last));
    if (use.exact) CHECK(has_all(use.first, use.last));
    if (use.has_core()) CHECK(has_all(use.core_first, use.core_last));
    if (!use.has_ends()) continue;
    CHECK(bytes.count(use.end_first) == 1);
    CHECK(bytes.count(use.end_last - 1) == 1);
    known += use.end_last - 1 == *bytes.rbegin() ? 1 : 0;
  }
  return known;
}

// Writes a byte at the index %d of 32 bits.
const std::string kWrite =
    "  %w = sext i32 %d to i64\n"
    "  %p = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %w\n"
    "  store i8 1, ptr addrspace(1) %p\n";

TEST_CASE("a number that a condition chooses has its value") {
  CHECK(Compare("  %c = icmp slt i32 %n, %m\n  %s = select i1 %c, i32 %n, i32 3\n"
                "  %d = add nsw i32 %s, %x\n" +
                    kWrite + "  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  bytes->insert((launch.n < launch.m ? launch.n : 3) + x);
                }) == 300);
  // Without the value that is not chosen, which may be undefined.
  CHECK(Compare("  %c = icmp eq i32 %m, 0\n  %q = sdiv i32 %n, %m\n"
                "  %s = select i1 %c, i32 5, i32 %q\n  %d = mul nsw i32 %s, %x\n" +
                    kWrite + "  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  bytes->insert((launch.m == 0 ? 5 : launch.n / launch.m) * x);
                }) == 300);
  CHECK(Compare("  %c = icmp ugt i32 %n, 4\n  %e = icmp sle i32 %m, %n\n"
                "  %b = select i1 %c, i1 %e, i1 false\n  %z = zext i1 %b to i32\n"
                "  %f = or i1 %c, %e\n  %g = xor i1 %f, true\n  %s = sext i1 %g to i32\n"
                "  %h = sub nsw i32 %z, %s\n  %d = add nsw i32 %h, %x\n" +
                    kWrite + "  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  const bool c = launch.n > 4, e = launch.m <= launch.n;
                  bytes->insert((c && e ? 1 : 0) + (c || e ? 0 : 1) + x);
                }) == 300);
  // The end of a loop.
  CHECK(Compare("  %c = icmp ne i32 %m, 2\n  %s = select i1 %c, i32 %n, i32 %m\n"
                "  %any = icmp sgt i32 %s, 0\n  br i1 %any, label %loop, label %exit\n"
                "loop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
                "  %r = mul nsw i32 %s, %x\n  %d = add nsw i32 %r, %k\n" +
                    kWrite +
                    "  %next = add nuw nsw i32 %k, 1\n  %more = icmp slt i32 %next, %s\n"
                    "  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  const int count = launch.m != 2 ? launch.n : launch.m;
                  for (int k = 0; k < count; ++k) bytes->insert(count * x + k);
                }) > 250);
}

TEST_CASE("products of 24 bits and of many factors have their values") {
  CHECK(Compare("  %t = call i32 @_Z5mul24ii(i32 %x, i32 %n)\n"
                "  %d = call i32 @_Z5mad24iii(i32 %m, i32 %n, i32 %t)\n" +
                    kWrite + "  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  bytes->insert(launch.m * launch.n + x * launch.n);
                }) == 300);
  CHECK(Compare("  %n1 = mul nsw i32 %x, %n\n  %n2 = mul nsw i32 %n1, %m\n"
                "  %n3 = add nsw i32 %n2, %m\n  %n4 = mul nsw i32 %n3, %n\n"
                "  %n5 = mul nsw i32 %n4, %m\n  %d = add nsw i32 %n5, %x\n" +
                    kWrite + "  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  const auto [n, m, items, group] = launch;
                  bytes->insert((x * n * m + m) * n * m + x);
                }) == 300);
}

TEST_CASE("the first iteration of a loop is known") {
  // for (s = n / 2; s > 0; s /= 2) if (x < s) a[x + s] = 1;
  CHECK(Compare("  %any = icmp sgt i32 %n, 1\n  br i1 %any, label %loop, label %exit\n"
                "loop:\n  %k = phi i32 [ %n, %entry ], [ %s, %latch ]\n  %s = lshr i32 %k, 1\n"
                "  %c = icmp sgt i32 %s, %x\n  br i1 %c, label %then, label %latch\n"
                "then:\n  %d = add nsw i32 %s, %x\n" +
                    kWrite +
                    "  br label %latch\nlatch:\n  %end = icmp ult i32 %k, 4\n"
                    "  br i1 %end, label %exit, label %loop\nexit:\n  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  for (int s = launch.n / 2; s > 0; s /= 2) {
                    if (x < s) bytes->insert(x + s);
                  }
                }) > 150);
  // A loop that the data ends, in one over the rows.
  CHECK(Compare("  %any = icmp sgt i32 %n, 0\n  br i1 %any, label %rows, label %exit\n"
                "rows:\n  %r = phi i32 [ 0, %entry ], [ %following, %done ]\n"
                "  %start = mul nsw i32 %r, %m\n  br label %loop\n"
                "loop:\n  %k = phi i32 [ 0, %rows ], [ %next, %loop ]\n"
                "  %in = add nsw i32 %start, %k\n  %d = add nsw i32 %in, %x\n" +
                    kWrite +
                    "  %at = getelementptr inbounds i32, ptr addrspace(1) %data, i64 %w\n"
                    "  %v = load i32, ptr addrspace(1) %at\n  %stop = icmp eq i32 %v, 0\n"
                    "  %next = add nuw nsw i32 %k, 1\n"
                    "  br i1 %stop, label %done, label %loop\n"
                    "done:\n  %following = add nuw nsw i32 %r, 1\n"
                    "  %more = icmp slt i32 %following, %n\n"
                    "  br i1 %more, label %rows, label %exit\nexit:\n  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  // The data is 0.
                  for (int row = 0; row < launch.n; ++row) bytes->insert(row * launch.m + x);
                }) > 150);
  // Two iterations, as the compiler writes them.
  CHECK(Compare("  br label %loop\nloop:\n  %again = phi i1 [ true, %entry ], [ false, %loop ]\n"
                "  %k = phi i32 [ 1, %entry ], [ 4, %loop ]\n"
                "  %r = mul nsw i32 %k, %n\n  %d = add nsw i32 %r, %x\n" +
                    kWrite + "  br i1 %again, label %loop, label %exit\nexit:\n  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  bytes->insert(launch.n + x);
                  bytes->insert(4 * launch.n + x);
                }) == 300);
}

TEST_CASE("a pointer that advances in a loop has the places of all iterations") {
  CHECK(Compare("  %any = icmp sgt i32 %m, 0\n  br i1 %any, label %first, label %exit\n"
                "first:\n  %start = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %id\n"
                "  %step = sext i32 %n to i64\n  br label %loop\n"
                "loop:\n  %k = phi i32 [ 0, %first ], [ %next, %loop ]\n"
                "  %p = phi ptr addrspace(1) [ %start, %first ], [ %after, %loop ]\n"
                "  store i8 1, ptr addrspace(1) %p\n"
                "  %after = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %step\n"
                "  %next = add nuw nsw i32 %k, 1\n  %more = icmp slt i32 %next, %m\n"
                "  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  for (int k = 0; k < launch.m; ++k) bytes->insert(x + k * launch.n);
                }) > 250);
}

TEST_CASE("each group strides over its own part") {
  // for (i = local; i < n; i += size) a[group * n + i] = 1;
  CHECK(Compare("  %row = mul nsw i32 %g, %n\n  %any = icmp slt i32 %l, %n\n"
                "  br i1 %any, label %loop, label %exit\n"
                "loop:\n  %i = phi i32 [ %l, %entry ], [ %next, %loop ]\n"
                "  %d = add nsw i32 %row, %i\n" +
                    kWrite +
                    "  %next = add nsw i32 %i, %size\n  %more = icmp slt i32 %next, %n\n"
                    "  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  for (int i = x % launch.group; i < launch.n; i += launch.group)
                    bytes->insert(x / launch.group * launch.n + i);
                }) > 250);
}

TEST_CASE("the last work items in front of several limits are known") {
  // if (4 * group + local < n && 2 * local + group < m) a[group * m + 8 * local] = 1;
  CHECK(Compare("  %b = shl nsw i32 %g, 2\n  %at = add nsw i32 %b, %l\n"
                "  %c = icmp slt i32 %at, %n\n  %e = shl nsw i32 %l, 1\n"
                "  %to = add nsw i32 %e, %g\n  %f = icmp slt i32 %to, %m\n"
                "  %both = and i1 %c, %f\n  br i1 %both, label %then, label %exit\nthen:\n"
                "  %row = mul nsw i32 %g, %m\n  %h = shl nsw i32 %l, 3\n"
                "  %d = add nsw i32 %row, %h\n" +
                    kWrite + "  br label %exit\nexit:\n  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  const int group = x / launch.group, local = x % launch.group;
                  if (4 * group + local < launch.n && 2 * local + group < launch.m)
                    bytes->insert(group * launch.m + 8 * local);
                }) > 100);
}

TEST_CASE("an unsigned index that falls below 0 is a large one") {
  const std::string write =
      "  %w = zext i32 %d to i64\n"
      "  %p = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %w\n"
      "  store i8 1, ptr addrspace(1) %p\n";
  CHECK(Compare("  %d = sub i32 %x, %n\n" + write + "  ret void\n",
                [](const Launch& launch, int x, std::set<int64_t>* bytes) {
                  bytes->insert(static_cast<uint32_t>(x - launch.n));
                }) > 250);
  CHECK(Compare("  %c = icmp ne i32 %x, 0\n  br i1 %c, label %then, label %exit\nthen:\n"
                "  %d = add i32 %x, -1\n" +
                    write + "  br label %exit\nexit:\n  ret void\n",
                [](const Launch&, int x, std::set<int64_t>* bytes) {
                  if (x > 0) bytes->insert(x - 1);
                }) > 250);
}

TEST_CASE("integers in small vectors and structures that are passed by value are known") {
  const std::string ir =
      "%struct.P = type { i32, i16, i16 }\n"
      "define spir_kernel void @k(ptr addrspace(1) %a, <2 x i32> %size, "
      "ptr nocapture noundef readonly byval(%struct.P) align 4 %p, ptr addrspace(1) %b) {\n"
      "  %y = extractelement <2 x i32> %size, i64 1\n  %w = sext i32 %y to i64\n"
      "  %to = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %w\n"
      "  store i8 1, ptr addrspace(1) %to\n"
      "  %field = getelementptr inbounds %struct.P, ptr %p, i64 0, i32 2\n"
      "  %v = load i16, ptr %field\n  %x = sext i16 %v to i64\n"
      "  %at = getelementptr inbounds i8, ptr addrspace(1) %b, i64 %x\n"
      "  store i8 1, ptr addrspace(1) %at\n  ret void\n}\n";
  std::vector<KernelSummary> kernels;
  REQUIRE(DecodeSummaries(EncodeSummaries(SummarizeIr(ir)), &kernels));
  REQUIRE(kernels.size() == 1);
  const LaunchShape shape;
  const auto written = [&](size_t parameter, std::vector<LaunchInteger> values) {
    for (const DerivedNumber& derived : kernels[0].derived)
      values.push_back(ValueOf(derived, shape, values));
    return UsesOf(kernels[0].parameters[parameter], shape, values).writes;
  };
  const std::vector<LaunchInteger> values = {
      {0, 0}, {uint64_t{7} << 32 | 3, 8}, {uint64_t{0xfffe} << 48 | 1, 8}, {0, 0}};
  CHECK(written(0, values).exact);
  CHECK(written(0, values).first == 7);
  CHECK(written(3, values).exact);
  CHECK(written(3, values).first == -2);
  CHECK_FALSE(written(0, {{0, 0}, {3, 0}, {1, 0}, {0, 0}}).ranged);
}

}  // namespace
}  // namespace gpusan
