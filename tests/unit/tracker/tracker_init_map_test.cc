// Which bytes were written, against a byte array.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "tracker/memory/init_map.h"

namespace gpusan {
namespace {

constexpr uint64_t kSize = 200;

template <typename Visitor>
void ForEachByte(const Region& region, Visitor visit) {
  for (uint64_t slice = 0; slice < region.slices; ++slice) {
    for (uint64_t row = 0; row < region.rows; ++row) {
      for (uint64_t i = 0; i < region.width; ++i) {
        visit(region.offset + slice * region.slice_pitch + row * region.row_pitch + i);
      }
    }
  }
}

Region RandomRegion(std::mt19937& random) {
  for (;;) {
    const Region region = Region::Strided(random() % kSize, random() % 12 + 1, random() % 3 + 1,
                                          12 + random() % 4, random() % 2 + 1, 48 + random() % 8);
    if (region.end() <= kSize) return region;
  }
}

TEST_CASE("the init map agrees with a byte array") {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    InitMap map;
    std::vector<bool> written(kSize, false);
    CHECK(map.none());
    for (int step = 0; step < 25; ++step) {
      const Region mark = RandomRegion(random);
      map.Mark(mark, kSize);
      ForEachByte(mark, [&](uint64_t byte) { written[byte] = true; });
      const Region ask = RandomRegion(random);
      bool any = false, all = true;
      ForEachByte(ask, [&](uint64_t byte) {
        any = any || written[byte];
        all = all && written[byte];
      });
      REQUIRE(map.Untouched(ask) == !any);
      REQUIRE(map.Covered(ask) == all);
      const uint64_t count =
          static_cast<uint64_t>(std::count(written.begin(), written.end(), true));
      REQUIRE(map.WrittenBytes(kSize) == count);
      REQUIRE(map.all() == (count == kSize));
      uint64_t begin = 0, end = 0;
      const bool gap = map.FirstGap(kSize, &begin, &end);
      REQUIRE(gap == (count != kSize));
      if (gap) {
        const auto first = std::find(written.begin(), written.end(), false);
        REQUIRE(begin == static_cast<uint64_t>(first - written.begin()));
        const auto next = std::find(first, written.end(), true);
        REQUIRE(end == static_cast<uint64_t>(next - written.begin()));
      }
      const auto from = written.begin() + static_cast<long>(random() % kSize);
      const auto to =
          from + static_cast<long>(random() % static_cast<uint64_t>(written.end() - from));
      const auto first = std::find(from, to, false);
      REQUIRE(map.FirstGap(static_cast<uint64_t>(from - written.begin()),
                           static_cast<uint64_t>(to - written.begin()), &begin,
                           &end) == (first != to));
      if (first != to) {
        REQUIRE(begin == static_cast<uint64_t>(first - written.begin()));
        REQUIRE(end == static_cast<uint64_t>(std::find(first, to, true) - written.begin()));
      }
    }
  }
}

TEST_CASE("the init map has ranges on both sides of 4 GiB") {
  constexpr uint64_t kEdge = uint64_t{1} << 32, kWhole = kEdge * 2;
  std::mt19937 random(3);
  for (int round = 0; round < 400; ++round) {
    InitMap map;
    std::vector<bool> written(kSize, false);
    for (int step = 0; step < 6; ++step) {
      const uint64_t begin = random() % (kSize - 30), count = random() % 30 + 1;
      map.Mark(Region::Linear(kEdge - kSize / 2 + begin, count), kWhole);
      std::fill_n(written.begin() + static_cast<ptrdiff_t>(begin), count, true);
      const uint64_t ask = random() % (kSize - 9);
      const auto first = written.begin() + static_cast<ptrdiff_t>(ask);
      const Region region = Region::Linear(kEdge - kSize / 2 + ask, 9);
      const bool all = std::count(first, first + 9, true) == 9;
      REQUIRE(map.Untouched(region) == (std::count(first, first + 9, true) == 0));
      REQUIRE(map.Covered(region) == all);
      if (map.SurelyCovered(region)) REQUIRE(all);
      REQUIRE(map.WrittenBytes(kWhole) ==
              static_cast<uint64_t>(std::count(written.begin(), written.end(), true)));
    }
  }
}

// Marks rows, columns and single rows of a table with more rows than the map has ranges.
TEST_CASE("the init map agrees with a byte array about many rows") {
  constexpr uint64_t kPitch = 12, kRows = 1500, kTable = kPitch * kRows;
  std::mt19937 random(11);
  int exact = 0;
  for (int round = 0; round < 150; ++round) {
    InitMap map;
    std::vector<bool> written(kTable, false);
    for (int step = 0; step < 6 && !map.all(); ++step) {
      const uint64_t rows = step == 0           ? random() % 1000 + 257
                            : random() % 3 == 0 ? 1
                                                : random() % 1200 + 1;
      const uint64_t top = random() % 2 == 0 ? 0 : random() % (kRows - rows);
      const uint64_t left = random() % 4 * 2,
                     width = random() % 3 == 0 ? 4 : random() % (12 - left) + 1;
      const Region mark = Region::Strided(top * kPitch + left, width, rows, kPitch, 1, 0);
      map.Mark(mark, kTable);
      ForEachByte(mark, [&](uint64_t byte) { written[byte] = true; });
      if (map.all()) break;
      ++exact;
      REQUIRE(map.WrittenBytes(kTable) ==
              static_cast<uint64_t>(std::count(written.begin(), written.end(), true)));
      for (int question = 0; question < 20; ++question) {
        const uint64_t asked = random() % 2 == 0 ? 1 : random() % 1400 + 1;
        const Region ask =
            Region::Strided(random() % ((kRows - asked) * kPitch), random() % 12 + 1, asked,
                            asked < 900 ? kPitch + random() % 2 : kPitch, 1, 0);
        if (ask.end() > kTable) continue;
        bool any = false, all = true;
        ForEachByte(ask, [&](uint64_t byte) {
          any = any || written[byte];
          all = all && written[byte];
        });
        REQUIRE(map.Untouched(ask) == !any);
        REQUIRE(map.Covered(ask) == all);
        const uint64_t from = random() % kTable, to = from + random() % (kTable - from);
        const auto first = std::find(written.begin() + static_cast<long>(from),
                                     written.begin() + static_cast<long>(to), false);
        uint64_t begin = 0, end = 0;
        REQUIRE(map.FirstGap(from, to, &begin, &end) ==
                (first - written.begin() != static_cast<long>(to)));
        if (first - written.begin() == static_cast<long>(to)) continue;
        REQUIRE(begin == static_cast<uint64_t>(first - written.begin()));
        REQUIRE(end == static_cast<uint64_t>(
                           std::find(first, written.begin() + static_cast<long>(to), true) -
                           written.begin()));
      }
    }
  }
  CHECK(exact > 150);
}

TEST_CASE("equal rows that are written one by one are kept however many they are") {
  InitMap map;
  for (uint64_t i = 0; i < 5000; ++i) map.Mark(Region::Linear(i * 4, 2), 1 << 20);
  CHECK(map.WrittenBytes(1 << 20) == 10000);
  CHECK(map.Untouched(Region::Linear(4998, 2)));
  CHECK(map.Covered(Region::Strided(0, 2, 5000, 4, 1, 0)));
  CHECK(map.Untouched(Region::Strided(2, 2, 5000, 4, 1, 0)));
  map.Mark(Region::Strided(2, 2, 5000, 4, 1, 0), 1 << 20);
  CHECK(map.Covered(Region::Linear(0, 20000)));
  CHECK(map.WrittenBytes(1 << 20) == 20000);
}

TEST_CASE("slices of whole rows are rows") {
  InitMap map;
  map.Mark(Region::Strided(0, 64, 64, 256, 64, 64 * 256), 1 << 20);
  CHECK(map.WrittenBytes(1 << 20) == 64 * 64 * 64);
  CHECK_FALSE(map.Covered(Region::Strided(0, 256, 64, 256, 64, 64 * 256)));
  CHECK(map.Untouched(Region::Strided(64, 192, 64, 256, 64, 64 * 256)));
}

TEST_CASE("too many separate ranges count as everything written") {
  InitMap map;
  for (uint64_t i = 0; i < 256; ++i) map.Mark(Region::Linear(i * 4, 2), 1 << 20);
  CHECK_FALSE(map.all());
  CHECK(map.Untouched(Region::Linear(2, 2)));
  map.Mark(Region::Linear(257 * 4, 2), 1 << 20);
  CHECK(map.all());
}

TEST_CASE("a reset map has no written bytes") {
  InitMap map;
  map.MarkAll();
  CHECK(map.all());
  map.Reset();
  CHECK(map.none());
  CHECK(map.Untouched(Region::Linear(0, 10)));
  map.Mark(Region::Linear(0, 10), 10);
  CHECK(map.all());
}

TEST_CASE("bytes that were written with another pitch are recognized") {
  const Region rows = Region::Strided(0, 100, 8, 128, 1, 0);
  const Region block = Region::Linear(0, 800);
  InitMap linear;
  linear.Mark(block, 1024);
  CHECK(linear.HasOtherPitch(rows));
  CHECK_FALSE(linear.HasOtherPitch(Region::Strided(0, 50, 8, 128, 1, 0)));
  CHECK_FALSE(linear.HasOtherPitch(Region::Strided(128, 100, 8, 128, 1, 0)));
  InitMap strided;
  strided.Mark(rows, 1024);
  CHECK(strided.HasOtherPitch(block));
  CHECK_FALSE(strided.HasOtherPitch(Region::Linear(0, 1024)));
  // Two halves of chunks are no rows.
  InitMap halves;
  halves.Mark(Region::Strided(0, 100, 2, 200, 1, 0), 1024);
  CHECK_FALSE(halves.HasOtherPitch(Region::Linear(0, 200)));
  CHECK_FALSE(InitMap().HasOtherPitch(block));
  // One record of a table whose heads are written.
  InitMap heads;
  heads.Mark(Region::Strided(0, 64, 4, 256, 1, 0), 4096);
  CHECK_FALSE(heads.HasOtherPitch(Region::Linear(0, 256)));
}

TEST_CASE("the written first part of each row is recognized") {
  uint64_t pitch = 0;
  InitMap quarter;
  quarter.Mark(Region::Strided(0, 32, 8, 128, 1, 0), 1024);
  CHECK(quarter.WrittenShareOfRows(1024, &pitch) == 4);
  CHECK(pitch == 128);
  CHECK(quarter.WrittenShareOfRows(2048, &pitch) == 0);
  quarter.Mark(Region::Linear(512, 64), 1024);
  CHECK(quarter.WrittenShareOfRows(1024, &pitch) == 0);
  InitMap padded;
  padded.Mark(Region::Strided(0, 100, 8, 128, 1, 0), 1024);
  CHECK(padded.WrittenShareOfRows(1024, &pitch) == 0);
  CHECK(InitMap().WrittenShareOfRows(1024, &pitch) == 0);
}

}  // namespace
}  // namespace gpusan
