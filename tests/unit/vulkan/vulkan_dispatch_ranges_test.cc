// The bytes of buffers that a dispatch accesses, by the code of its shader and its groups.
#include "hooks/vulkan/spirv/dispatch_ranges.h"

#include <catch2/catch.hpp>

#include "address.comp.h"
#include "count.comp.h"
#include "moved.comp.h"
#include "part.comp.h"
#include "scale.comp.h"
#include "some.comp.h"
#include "window.comp.h"

namespace gpusan::vulkan {
namespace {

uint64_t AllHave4096(uint32_t, uint32_t) { return 4096; }

// The part of 4096 B that the shader reads or writes.
KnownBytes PartOf(const DispatchRanges& ranges, const Groups& groups, uint32_t binding, bool write,
                  Region* region, const DispatchRanges::BytesOfBinding& bytes = AllHave4096,
                  const PushedNumbers& pushed = {}) {
  *region = Region::Linear(0, 4096);
  const DispatchRanges::Uses uses = ranges.UsesOf({groups, {}, pushed}, bytes);
  const LaunchUses* found = ranges.Find(uses, 0, binding);
  return found != nullptr ? Narrow(*found, write, region) : KnownBytes::kNothing;
}

TEST_CASE("A dispatch writes the bytes of its invocations, up to the length of the input") {
  const auto ranges = DispatchRanges::Read(scale_comp, "main", nullptr);
  REQUIRE(ranges != nullptr);
  Region region;
  CHECK(PartOf(*ranges, {4, 1, 1}, 1, true, &region) == KnownBytes::kExactly);
  CHECK((region.offset == 0 && region.width == 1024));
  CHECK(PartOf(*ranges, {4, 1, 1}, 1, false, &region) == KnownBytes::kNone);
  CHECK(PartOf(*ranges, {4, 1, 1}, 0, false, &region) == KnownBytes::kExactly);
  CHECK(region.width == 1024);
  const auto short_input = [](uint32_t, uint32_t binding) { return binding == 0 ? 512u : 4096u; };
  CHECK(PartOf(*ranges, {4, 1, 1}, 1, true, &region, short_input) == KnownBytes::kExactly);
  CHECK(region.width == 512);
  // The length of the input is not known: the invocations may write nothing.
  const auto no_input = [](uint32_t, uint32_t binding) { return binding == 0 ? 0u : 4096u; };
  CHECK(PartOf(*ranges, {4, 1, 1}, 1, true, &region, no_input) != KnownBytes::kExactly);
  // More invocations than the buffer has words.
  CHECK(PartOf(*ranges, {64, 1, 1}, 1, true, &region) == KnownBytes::kExactly);
  CHECK(region.width == 4096);
}

TEST_CASE("The constants of a pipeline move the bytes of its dispatches") {
  const uint32_t first = 256;
  const VkSpecializationMapEntry entry = {0, 0, sizeof(first)};
  VkSpecializationInfo info = {1, &entry, sizeof(first), &first};
  const auto ranges = DispatchRanges::Read(part_comp, "main", &info);
  REQUIRE(ranges != nullptr);
  Region region;
  CHECK(PartOf(*ranges, {2, 1, 1}, 0, true, &region) == KnownBytes::kExactly);
  CHECK((region.offset == 1024 && region.width == 512));
  // Behind the end of the buffer robust access may touch other bytes of it.
  CHECK(PartOf(*ranges, {16, 1, 1}, 0, true, &region) == KnownBytes::kNothing);
  CHECK(region.width == 4096);
  // Data that is too short for its entry.
  info.dataSize = 2;
  CHECK(DispatchRanges::Read(part_comp, "main", &info) == nullptr);
}

TEST_CASE("A write that depends on data is not certain, and atomic ones have no bytes") {
  const auto some = DispatchRanges::Read(some_comp, "main", nullptr);
  REQUIRE(some != nullptr);
  Region region;
  CHECK(PartOf(*some, {4, 1, 1}, 1, true, &region) == KnownBytes::kMaybe);
  CHECK((region.offset == 0 && region.width == 1024));
  CHECK(PartOf(*some, {4, 1, 1}, 0, false, &region) == KnownBytes::kExactly);
  const auto count = DispatchRanges::Read(count_comp, "main", nullptr);
  REQUIRE(count != nullptr);
  CHECK(PartOf(*count, {4, 1, 1}, 1, true, &region) == KnownBytes::kNothing);
}

TEST_CASE("Push constants choose the bytes of a dispatch, where they are known") {
  const auto ranges = DispatchRanges::Read(window_comp, "main", nullptr);
  REQUIRE(ranges != nullptr);
  REQUIRE(ranges->reads_pushes());
  Region region;
  const auto part = [&](const PushConstants& constants) {
    return PartOf(*ranges, {2, 1, 1}, 0, true, &region, AllHave4096, ranges->Pushed(constants));
  };
  PushConstants constants;
  CHECK(part(constants) != KnownBytes::kExactly);
  const uint32_t window[] = {100, 50};
  constants.Write(0, sizeof(window), window);
  CHECK(part(constants) == KnownBytes::kExactly);
  CHECK((region.offset == 400 && region.width == 200));
  // One of them changes. The group sizes limit the other one.
  const uint32_t count = 1000;
  constants.Write(4, sizeof(count), &count);
  CHECK(part(constants) == KnownBytes::kExactly);
  CHECK((region.offset == 400 && region.width == 512));
  const uint32_t none = 0;
  constants.Write(4, sizeof(none), &none);
  CHECK(part(constants) == KnownBytes::kNone);
  // Only the second one is known.
  constants.known = 2;
  CHECK(part(constants) == KnownBytes::kNone);
  const uint32_t some = 10;
  constants.Write(4, sizeof(some), &some);
  CHECK(part(constants) != KnownBytes::kExactly);
  // Outside of what is kept, or not in whole words.
  constants.Write(PushConstants::kMost, 4, &some);
  constants.Write(2, 4, &some);
  constants.Write(PushConstants::kMost - 4, 4, &some);
  CHECK(constants.known == (uint32_t{1} << 31 | 2));
}

TEST_CASE("An unknown module or entry point has no known accesses") {
  CHECK(DispatchRanges::Read({}, "main", nullptr) == nullptr);
  CHECK(DispatchRanges::Read(scale_comp, nullptr, nullptr) == nullptr);
  CHECK(DispatchRanges::Read(scale_comp, "other", nullptr) == nullptr);
  CHECK(DispatchRanges::Read(absl::MakeConstSpan(scale_comp).first(40), "main", nullptr) ==
        nullptr);
}

TEST_CASE("The bytes behind an address in the push constants are known") {
  const auto none = [](uint32_t, uint32_t) -> uint64_t { return 0; };
  const auto direct = DispatchRanges::Read(address_comp, "main", nullptr);
  REQUIRE(direct != nullptr);
  REQUIRE(direct->addresses().size() == 1);
  CHECK(direct->addresses()[0].offset == 0);
  const auto written = direct->UsesOf({{4, 1, 1}, {}, {}}, none);
  Region region = Region::Linear(64, 4096);
  CHECK(Narrow(direct->UsesOfAddress(*written, 0), true, &region) == KnownBytes::kExactly);
  CHECK((region.offset == 64 && region.width == 1024));
  CHECK(Narrow(direct->UsesOfAddress(*written, 0), false, &region) == KnownBytes::kNone);
  const auto past = FindPastTheEnd(direct->UsesOfAddress(*written, 0).writes, 1000);
  REQUIRE(past.has_value());
  CHECK((past->first == 0 && past->last == 1024));
  CHECK(!FindPastTheEnd(direct->UsesOfAddress(*written, 0).writes, 1024).has_value());

  // Converted from a number, and kept in a local variable.
  const auto moved = DispatchRanges::Read(moved_comp, "main", nullptr);
  REQUIRE(moved != nullptr);
  REQUIRE(moved->addresses().size() == 1);
  CHECK(moved->addresses()[0].offset == 8);
  PushConstants constants;
  const uint32_t window[] = {2, 100};
  constants.Write(0, sizeof(window), window);
  const auto added = moved->UsesOf({{4, 1, 1}, {}, moved->Pushed(constants)}, none);
  for (const bool write : {false, true}) {
    region = Region::Linear(0, 4096);
    CHECK(Narrow(moved->UsesOfAddress(*added, 0), write, &region) == KnownBytes::kExactly);
    CHECK((region.offset == 8 && region.width == 400));
  }
  uint64_t address = 0;
  CHECK(!constants.Read(8, sizeof(address), &address));
  const uint64_t pushed = 0x123456789abc;
  constants.Write(8, sizeof(pushed), &pushed);
  REQUIRE(constants.Read(8, sizeof(address), &address));
  CHECK(address == pushed);
  CHECK(!constants.Read(PushConstants::kMost - 4, sizeof(address), &address));
}

}  // namespace
}  // namespace gpusan::vulkan
