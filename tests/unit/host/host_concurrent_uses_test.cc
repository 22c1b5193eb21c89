// Uses of one object by the calls of several threads.
#include <catch2/catch.hpp>
#include <thread>

#include "hooks/common/concurrent_uses.h"

namespace gpusan {
namespace {

constexpr CallInfo kFirst = {"first", Api::kVulkan};
constexpr CallInfo kSecond = {"second", Api::kVulkan};

// Begins and ends a use on another thread. Returns whether it overlaps.
bool UseOnThread(LastUser& object, OtherUse* other) {
  bool overlaps = false;
  std::thread([&] {
    UsesOfCall uses;
    overlaps = uses.Begin(object, kSecond, 2, 0, other);
  }).join();
  return overlaps;
}

TEST_CASE("a use inside of another thread's call is found and described") {
  LastUser object;
  OtherUse other;
  UsesOfCall uses;
  CHECK_FALSE(uses.Begin(object, kFirst, 7, 5, &other));
  REQUIRE(UseOnThread(object, &other));
  CHECK(other.call == &kFirst);
  CHECK(other.site == 7);
  CHECK(other.part == 5);
  CHECK(other.thread != 0);
  CHECK_FALSE(OneThreadUsed());
}

TEST_CASE("a use after the end of another thread's call is not reported") {
  LastUser object, another;
  OtherUse other;
  {
    UsesOfCall uses;
    CHECK_FALSE(uses.Begin(object, kFirst, 7, 0, &other));
  }
  CHECK_FALSE(UseOnThread(object, &other));
  UsesOfCall uses;
  CHECK_FALSE(uses.Begin(another, kFirst, 7, 0, &other));
  CHECK_FALSE(UseOnThread(object, &other));
  CHECK_FALSE(object.IsThisThread());
  CHECK_FALSE(object.InUse(&other));
}

TEST_CASE("a call inside of a call of the same thread ends its own uses only") {
  LastUser object, inner;
  OtherUse other;
  UsesOfCall uses;
  CHECK_FALSE(uses.Begin(object, kFirst, 7, 0, &other));
  {
    UsesOfCall nested;
    CHECK_FALSE(nested.Begin(object, kSecond, 8, 0, &other));
    CHECK_FALSE(nested.Begin(inner, kSecond, 8, 0, &other));
    CHECK(UseOnThread(inner, &other));
  }
  CHECK_FALSE(UseOnThread(inner, &other));
  CHECK(UseOnThread(object, &other));
  CHECK(other.call == &kFirst);
}

TEST_CASE("more uses than a thread keeps do not matter") {
  LastUser objects[2 * ThreadUses::kMost];
  OtherUse other;
  {
    UsesOfCall uses;
    for (LastUser& object : objects) CHECK_FALSE(uses.Begin(object, kFirst, 7, 0, &other));
    CHECK(UseOnThread(objects[0], &other));
    CHECK_FALSE(UseOnThread(objects[2 * ThreadUses::kMost - 1], &other));
  }
  for (LastUser& object : objects) CHECK_FALSE(UseOnThread(object, &other));
}

TEST_CASE("a thread that ends leaves no use behind") {
  LastUser object;
  for (int i = 0; i < 100; ++i) {
    OtherUse other;
    CHECK_FALSE(UseOnThread(object, &other));
  }
}

}  // namespace
}  // namespace gpusan
