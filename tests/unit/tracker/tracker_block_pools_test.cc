// Blocks of the program's own allocators.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/tracker/tracker_fixture.h"

namespace gpusan::test {
namespace {

using Strings = std::vector<std::string>;
constexpr CallInfo kAllocateCall = {"allocate", Api::kCuda};
constexpr CallInfo kFreeCall = {"free", Api::kCuda};
constexpr uintptr_t kBase = 0x40000000;
constexpr uint64_t kBytes = uint64_t{4} << 20;

class Pools : public TrackerFixture {
 public:
  Pools() { parent = NewMemory(kBase, kBytes); }

  Resource* NewMemory(uintptr_t address, uint64_t bytes) {
    return In(kAllocateCall, 10, [&](Call& call) {
      ResourceSpec spec;
      spec.kind = ObjectKind::kDeviceMemory;
      spec.handle = address;
      spec.bytes = bytes;
      return tracker.objects().NewResource(call, spec);
    });
  }
  Resource* Allocate(uint64_t offset, uint64_t bytes, Queue* queue = nullptr,
                     bool written = false) {
    return In(kAllocateCall, 20, [&](Call& call) {
      BlockPools::NewBlock block;
      block.address = kBase + offset;
      block.bytes = bytes;
      block.written = written;
      block.queue = queue;
      return pools.Allocate(call, kBase, block);
    });
  }
  bool Free(uint64_t offset, Queue* queue = nullptr) {
    return In(kFreeCall, 21,
              [&](Call& call) { return pools.Free(call, kBase, kBase + offset, queue); });
  }
  Resource* At(uint64_t offset) {
    uint64_t inside = 0;
    return tracker.objects().FindAddress(kBase + offset, &inside);
  }

  BlockPools& pools = tracker.block_pools();
  Resource* parent = nullptr;
};

TEST_CASE_METHOD(Pools, "addresses find blocks, and the parent or nothing between them") {
  const bool exact = GENERATE(false, true);
  CHECK_FALSE(pools.any());
  REQUIRE(pools.Create(*parent, exact));
  CHECK_FALSE(pools.Create(*parent, exact));
  Resource* between = exact ? nullptr : parent;
  CHECK(At(0) == between);
  Resource* first = Allocate(0, 4096);
  Resource* large = Allocate(1 << 20, 2 << 20);
  CHECK(At(0) == first);
  CHECK(At(4095) == first);
  CHECK(At(4096) == between);
  CHECK(At((3 << 20) - 1) == large);
  CHECK(At(3 << 20) == between);
  CHECK(pools.Find(kBase + kBytes - 1) == kBase);
  CHECK(pools.Find(kBase + kBytes) == 0);
  CHECK(Free(0));
  CHECK_FALSE(Free(0));
  CHECK(At(0) == between);
  CHECK(tracker.objects().FindReleased(kBase + 100) == first);
  In(kFreeCall, 22, [&](Call& call) { pools.Destroy(call, kBase); });
  CHECK(At(0) == parent);
  CHECK(At(2 << 20) == parent);
  CHECK(tracker.objects().FindReleased(kBase + 100) == nullptr);
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(Pools, "the next owner of the same bytes inherits the pending accesses") {
  Queue* first = NewQueue(0x10, true);
  Queue* second = NewQueue(0x20, true);
  REQUIRE(pools.Create(*parent, false));
  Transfer(first, Allocate(4096, 4096), true, 1024, 1024);
  CHECK(Free(4096));
  Resource* again = Allocate(0, 8192);
  Transfer(first, again, true, 0, 8192);  // the same queue
  CHECK(Rules().empty());
  CHECK(Free(0));
  again = Allocate(5120, 512);
  Transfer(second, again, true, 256, 256, {}, 30);
  const std::vector<Finding> findings = sink.Take();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule == RuleId::kRace);
  CHECK(findings[0].site == 30);
  CHECK(findings[0].facts.back().key == "reused");
}

TEST_CASE_METHOD(Pools, "a reuse that is ordered, elsewhere or complete is right") {
  Queue* first = NewQueue(0x10, true);
  Queue* second = NewQueue(0x20, true);
  REQUIRE(pools.Create(*parent, false));
  Transfer(first, Allocate(0, 4096), true, 0, 4096);
  CHECK(Free(0));
  SECTION("behind a snapshot") {
    tracker.ordering().OrderBehind(*second, tracker.ordering().Snap(*first));
    Transfer(second, Allocate(0, 4096), true, 0, 4096);
  }
  SECTION("other bytes") { Transfer(second, Allocate(4096, 4096), true, 0, 4096); }
  SECTION("the host has waited") {
    tracker.ordering().WaitSnapshot(tracker.ordering().Snap(*first));
    Transfer(second, Allocate(0, 4096), true, 0, 4096);
  }
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(Pools, "the allocator orders the uses that it was told") {
  Queue* owner = NewQueue(0x10, true);
  Queue* other = NewQueue(0x20, true);
  REQUIRE(pools.Create(*parent, false));
  Resource* block = Allocate(0, 4096, owner);
  tracker.ordering().OrderBehind(*other, tracker.ordering().Snap(*owner));
  Transfer(other, block, true, 0, 4096);
  const bool told = GENERATE(false, true);
  if (told) pools.NoteUse(kBase, kBase, *other);
  CHECK(Free(0, owner));
  CHECK(Rules() == (told ? Strings{} : Strings{"stream-order-alloc"}));
}

TEST_CASE_METHOD(Pools, "a new block is unwritten, unless it has content") {
  Queue* queue = NewQueue(0x10, true);
  REQUIRE(pools.Create(*parent, false));
  Resource* block = Allocate(0, 4096);
  Transfer(queue, block, true, 0, 4096);
  CHECK(block->init.Covered(Region::Linear(0, 4096)));
  CHECK(Free(0));
  CHECK(Allocate(0, 4096)->init.none());
  CHECK(Allocate(8192, 4096, nullptr, true)->init.all());
}

TEST_CASE_METHOD(Pools, "a contradiction ends the pool for good") {
  REQUIRE(pools.Create(*parent, true));
  REQUIRE(Allocate(4096, 4096) != nullptr);
  SECTION("over the beginning") { CHECK(Allocate(0, 4097) == nullptr); }
  SECTION("over the end") { CHECK(Allocate(8191, 4096) == nullptr); }
  SECTION("beyond the parent") { CHECK(Allocate(kBytes - 1, 2) == nullptr); }
  CHECK(At(4096) == parent);
  CHECK_FALSE(pools.Create(*parent, true));
  CHECK(Allocate(0, 4096) == nullptr);
  CHECK_FALSE(Free(4096));
  CHECK(Rules().empty());
  // Other memory in its place may be divided.
  In(kFreeCall, 22, [&](Call& call) { tracker.objects().Release(call, parent); });
  CHECK(pools.Create(*NewMemory(kBase, kBytes), true));
}

TEST_CASE_METHOD(Pools, "a parent that was released unseen ends its pool") {
  REQUIRE(pools.Create(*parent, false));
  REQUIRE(Allocate(0, 4096) != nullptr);
  In(kFreeCall, 22, [&](Call& call) { tracker.objects().Release(call, parent, true); });
  CHECK(At(4096) == nullptr);
  CHECK(pools.Find(kBase + 4096) == 0);
  CHECK(Allocate(4096, 4096) == nullptr);
}

TEST_CASE_METHOD(Pools, "leaks are those of blocks") {
  REQUIRE(pools.Create(*parent, false));
  Allocate(0, 4096);
  Allocate(4096, 1024);
  REQUIRE(Free(4096));
  tracker.ReportLeaks(words, Api::kCuda, nullptr);
  const std::vector<Finding> findings = sink.Take();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].site == 20);
  CHECK(findings[0].what.find("4 KiB") != std::string::npos);
}

}  // namespace
}  // namespace gpusan::test
