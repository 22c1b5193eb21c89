// Geometry of regions, against brute force.
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <set>

#include "tracker/model/region.h"

namespace gpusan {
namespace {

std::set<uint64_t> BytesOf(const Region& region) {
  std::set<uint64_t> bytes;
  for (uint64_t slice = 0; slice < region.slices; ++slice) {
    for (uint64_t row = 0; row < region.rows; ++row) {
      for (uint64_t i = 0; i < region.width; ++i) {
        bytes.insert(region.offset + slice * region.slice_pitch + row * region.row_pitch + i);
      }
    }
  }
  return bytes;
}

bool Share(const std::set<uint64_t>& a, const std::set<uint64_t>& b) {
  for (uint64_t byte : a) {
    if (b.count(byte) != 0) return true;
  }
  return false;
}

bool Includes(const std::set<uint64_t>& outer, const std::set<uint64_t>& inner) {
  for (uint64_t byte : inner) {
    if (outer.count(byte) == 0) return false;
  }
  return true;
}

Region RandomRegion(std::mt19937& random) {
  auto upto = [&](uint64_t most) { return random() % (most + 1); };
  static constexpr uint64_t kPitches[] = {4, 5, 8};
  const uint64_t row_pitch = kPitches[upto(2)];
  static constexpr uint64_t kSlicePitches[] = {16, 24, 25, 32};
  return Region::Strided(upto(40), upto(7), upto(3), row_pitch, upto(3), kSlicePitches[upto(3)]);
}

TEST_CASE("overlap and containment agree with byte sets on random small regions") {
  std::mt19937 random(20260101);
  int overlapping = 0, contained = 0, found_contained = 0;
  for (int i = 0; i < 60000; ++i) {
    const Region a = RandomRegion(random), b = RandomRegion(random);
    const std::set<uint64_t> bytes_a = BytesOf(a), bytes_b = BytesOf(b);
    INFO("a: " << a.offset << " w" << a.width << " r" << a.rows << "/" << a.row_pitch << " s"
               << a.slices << "/" << a.slice_pitch << "  b: " << b.offset << " w" << b.width << " r"
               << b.rows << "/" << b.row_pitch << " s" << b.slices << "/" << b.slice_pitch);
    const bool share = Share(bytes_a, bytes_b);
    REQUIRE(Overlaps(a, b) == share);
    REQUIRE(Overlaps(b, a) == share);
    const bool includes = Includes(bytes_a, bytes_b);
    if (Contains(a, b)) REQUIRE(includes);  // may say no for odd pitches, never yes without reason
    overlapping += share;
    contained += includes && !b.empty();
    found_contained += includes && !b.empty() && Contains(a, b);
    if (!a.empty()) REQUIRE(a.end() == *bytes_a.rbegin() + 1);
  }
  CHECK(overlapping > 5000);
  CHECK(contained > 200);
  CHECK(found_contained > 50);
}

TEST_CASE("rows without gaps are one linear range") {
  CHECK(Region::Strided(8, 16, 4, 16, 1, 0) == Region::Linear(8, 64));
  CHECK(Region::Strided(8, 16, 4, 16, 3, 64) == Region::Linear(8, 192));
  CHECK(Region::Strided(8, 16, 1, 0, 3, 16) == Region::Linear(8, 48));
  CHECK_FALSE(Region::Strided(8, 16, 4, 17, 1, 0).linear());
  CHECK_FALSE(Region::Strided(8, 16, 4, 16, 2, 100).linear());
}

TEST_CASE("containment holds for linear ranges and boxes of one layout") {
  CHECK(Contains(Region::Linear(0, 100), Region::Linear(99, 1)));
  CHECK_FALSE(Contains(Region::Linear(0, 100), Region::Linear(99, 2)));
  CHECK(Contains(Region::Linear(0, 100), Region::Strided(0, 4, 10, 10, 1, 0)));
  CHECK_FALSE(Contains(Region::Strided(0, 4, 10, 10, 1, 0), Region::Linear(0, 94)));
  CHECK(Contains(Region::Strided(0, 6, 10, 10, 1, 0), Region::Strided(11, 4, 3, 10, 1, 0)));
  CHECK(Contains(Region::Strided(0, 6, 10, 10, 1, 0), Region::Linear(11, 4)));
  CHECK(Contains(Region::Strided(5, 6, 2, 10, 1, 0), Region::Linear(0, 0)));
}

TEST_CASE("sizes that wrap around saturate") {
  CHECK(Region::Linear(UINT64_MAX - 3, 10).end() == UINT64_MAX);
  CHECK(Region::Strided(1, 8, UINT64_MAX, UINT64_MAX / 2, 2, UINT64_MAX).end() == UINT64_MAX);
  CHECK(SaturatingAdd(UINT64_MAX, 1) == UINT64_MAX);
  CHECK(SaturatingMultiply(UINT64_MAX / 2, 3) == UINT64_MAX);
}

TEST_CASE("absurd row and slice counts are answered at once") {
  const Region many = Region::Strided(0, 1, UINT32_MAX, 7, UINT32_MAX, 1u << 20);
  const Region others = Region::Strided(3, 1, UINT32_MAX, 14, UINT32_MAX, 1u << 21);
  CHECK_FALSE(Overlaps(Region::Strided(0, 1, 8, 7, UINT32_MAX, 1u << 20),
                       Region::Linear((uint64_t{1} << 51) + 1, 1)));
  CHECK(Overlaps(many, Region::Linear(uint64_t{1} << 51, 8)));
  (void)Overlaps(many, others);
  (void)Overlaps(others, many);
}

}  // namespace
}  // namespace gpusan
