// Objects come, are counted, retained, released, recycled and reported when they are left.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/tracker/tracker_fixture.h"

#include "tracker/memory/growth_watch.h"
#include "tracker/state/memory_use.h"

namespace gpusan::test {
namespace {

using Strings = std::vector<std::string>;
constexpr KindMask kMemory = AnyOf(ObjectKind::kBuffer, ObjectKind::kImage);

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kCycles = 200000;
#else
constexpr int kCycles = 3000000;
#endif

uint64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

TEST_CASE_METHOD(TrackerFixture,
                 "a released handle is known, until it is used again for a new object") {
  Resource* buffer = NewBuffer(0x30, 64, nullptr, 0, 20);
  const WeakRef<Resource> weak(buffer);
  Release(buffer, 21);
  In(kWriteCall, 22,
     [&](Call& call) { CHECK(tracker.objects().Use(call, 0x30, kMemory, "buffer") == nullptr); });
  const std::vector<Finding> findings = sink.Take();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule == RuleId::kUseAfterFree);
  CHECK(findings[0].site == 22);
  CHECK(findings[0].parties.at(0).role == "release");
  CHECK(findings[0].parties.at(0).site == 21);
  CHECK(findings[0].parties.at(1).site == 20);
  Resource* again = NewBuffer(0x30, 128);
  CHECK(again != buffer);
  CHECK(weak.get() == buffer);  // still in the graveyard
  In(kWriteCall, 23,
     [&](Call& call) { CHECK(tracker.objects().Use(call, 0x30, kMemory, "buffer") == again); });
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture,
                 "the graveyard lets go in the end, and then the handle is unknown") {
  Resource* buffer = NewBuffer(0x30, 64);
  const WeakRef<Resource> weak(buffer);
  Release(buffer);
  for (uintptr_t i = 0; i < 300; ++i) Release(NewBuffer(0x1000 + i * 8, 64));
  CHECK(weak.get() == nullptr);
  CHECK(tracker.objects().Find(Api::kOpenCL, 0x30) == nullptr);
  In(kWriteCall, 22,
     [&](Call& call) { CHECK(tracker.objects().Use(call, 0x30, kMemory, "buffer") == nullptr); });
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture, "a recent look-up finds what the table has") {
  Objects& objects = tracker.objects();
  const auto recent = [&](uintptr_t handle) {
    Object* found = objects.FindRecent(Recent::kMemory, Api::kOpenCL, handle);
    CHECK(found == objects.Find(Api::kOpenCL, handle));
    return found;
  };
  CHECK(recent(0x30) == nullptr);
  Resource* buffer = NewBuffer(0x30, 64);
  CHECK(recent(0x30) == buffer);
  CHECK(recent(0x30) == buffer);
  Resource* other = NewBuffer(0x30, 64);  // its release was not seen
  CHECK(recent(0x30) == other);
  Release(other);
  CHECK(recent(0x30) == other);
  for (uintptr_t i = 0; i < 300; ++i) {
    Resource* one = NewBuffer(0x1000 + i * 8, 64);
    CHECK(recent(0x1000 + i * 8) == one);
    Release(one);
  }
  CHECK(recent(0x30) == nullptr);
  CHECK(objects.FindRecent(Recent::kMemory, Api::kCuda, 0x30) == nullptr);
}

// By its handle alone, with nothing written.
Resource* NewPlainBuffer(TrackerFixture& fixture, uintptr_t handle) {
  return fixture.In(kCreateCall, 20, [&](Call& call) {
    ResourceSpec spec;
    spec.handle = handle;
    spec.bytes = 64;
    return fixture.tracker.objects().NewResource(call, spec);
  });
}
void ReleasePlainly(TrackerFixture& fixture, Resource* resource, SiteId site = 4) {
  REQUIRE(fixture.tracker.objects().ReleasePlain(*resource, site));
}
Resource* Renew(TrackerFixture& fixture, Resource* resource, bool pristine = true) {
  return fixture.tracker.objects().Renew(kCreateCall, 30, resource, nullptr, 128, 5,
                                         [pristine](const Resource&) { return pristine; });
}

// Bytes and site are written one after the other: a sample that mixed two lives of a resource would
// have bytes of the one at the site of the other.
TEST_CASE_METHOD(TrackerFixture, "Samples are taken while resources are released and reused") {
  std::atomic<bool> stop{false};
  std::atomic<int> mixed{0};
  std::thread sampler([&] {
    while (!stop.load(std::memory_order_relaxed)) {
      for (const SiteUse& use : LiveBySite(tracker.objects())) {
        const uint64_t bytes = use.site == 20 ? 64 : 128;
        if (use.bytes != bytes * use.count) mixed.fetch_add(1);
      }
      for (const MemoryHolder& holder : HoldersOf(tracker.objects(), Api::kOpenCL)) {
        const uint64_t bytes = holder.site == 20 ? 64 : 128;
        if (holder.bytes != bytes * holder.count) mixed.fetch_add(1);
      }
    }
  });
  bool renewed = true;
  for (int turn = 0; turn < kCycles / 200; ++turn) {
    Resource* buffer = NewPlainBuffer(*this, 0x50);
    tracker.objects().ReleasePlain(*buffer, 4);
    renewed = Renew(*this, buffer) == buffer && renewed;
    tracker.objects().ReleasePlain(*buffer, 4);
  }
  stop.store(true);
  sampler.join();
  CHECK(renewed);
  CHECK(mixed.load() == 0);
}

// A sample is no snapshot: it may count a queue that is released and the next one.
TEST_CASE_METHOD(TrackerFixture, "Samples are taken while queues get owners") {
  std::atomic<bool> stop{false};
  std::atomic<int> mixed{0};
  std::thread sampler([&] {
    while (!stop.load(std::memory_order_relaxed)) {
      for (const SiteUse& use : ObjectsBySite(tracker.objects()))
        if (use.kind != ObjectKind::kQueue || use.bytes != kObjectWeight * use.count)
          mixed.fetch_add(1);
    }
  });
  for (int turn = 0; turn < kCycles / 2000; ++turn) {
    Queue* queue = NewQueue(0x50, true);
    queue->MarkAdopted();
    queue->MarkOwned();
    queue->MarkAdopted(false);
    Release(queue);
  }
  Queue* owned = NewQueue(0x50, true);
  owned->MarkOwned();
  stop.store(true);
  sampler.join();
  CHECK(mixed.load() == 0);
  CHECK(ObjectsBySite(tracker.objects()).empty());
  Release(owned);
}

TEST_CASE_METHOD(TrackerFixture, "what nobody looked up may be made anew in its place") {
  Resource* buffer = NewPlainBuffer(*this, 0x30);
  CHECK(Renew(*this, buffer) == nullptr);  // it lives
  const WeakRef<Resource> weak(buffer);
  ReleasePlainly(*this, buffer, 21);
  CHECK(Renew(*this, buffer, false) == nullptr);
  CHECK(weak.get() == buffer);
  CHECK(tracker.objects().ledger().Of(Api::kOpenCL).live_bytes == 0);
  REQUIRE(Renew(*this, buffer) == buffer);
  CHECK(buffer->live());
  CHECK(buffer->bytes == 128);
  CHECK(buffer->created == 30);
  CHECK(buffer->released == kUnknownSite);
  CHECK(weak.get() == nullptr);
  CHECK(tracker.objects().ledger().Of(Api::kOpenCL).live_bytes == 128);
  CHECK(tracker.objects().ledger().Of(Api::kOpenCL).live_count == 1);
  // It is in no graveyard any more.
  const WeakRef<Resource> renewed(buffer);
  for (uintptr_t i = 0; i < 600; ++i) ReleasePlainly(*this, NewPlainBuffer(*this, 0x1000 + i * 8));
  CHECK(renewed.get() == buffer);
  CHECK(buffer->live());
  In(kWriteCall, 22,
     [&](Call& call) { CHECK(tracker.objects().Use(call, 0x30, kMemory, "buffer") == buffer); });
  Release(buffer, 23);
  In(kWriteCall, 24,
     [&](Call& call) { CHECK(tracker.objects().Use(call, 0x30, kMemory, "buffer") == nullptr); });
  CHECK(Rules() == Strings{"use-after-free"});
}

TEST_CASE_METHOD(TrackerFixture, "what others may refer to is not made anew") {
  Resource* buffer = NewPlainBuffer(*this, 0x30);
  CHECK(tracker.objects().Find(Api::kOpenCL, 0x30) == buffer);
  ReleasePlainly(*this, buffer);
  CHECK(Renew(*this, buffer) == nullptr);

  Resource* of_another_context = NewPlainBuffer(*this, 0x38);
  Object context;
  of_another_context->context = &context;
  ReleasePlainly(*this, of_another_context);
  CHECK(Renew(*this, of_another_context) == nullptr);
  of_another_context->context = nullptr;

  Resource* replaced = NewPlainBuffer(*this, 0x40);
  ReleasePlainly(*this, replaced);
  Resource* another = NewPlainBuffer(*this, 0x40);
  CHECK(another != replaced);
  CHECK(Renew(*this, replaced) == nullptr);

  Resource* parent = NewPlainBuffer(*this, 0x50);
  Resource* part = NewBuffer(0x51, 8, parent);
  Release(part);
  ReleasePlainly(*this, parent);
  CHECK(Renew(*this, parent) == nullptr);

  Resource* written = NewBuffer(0x60, 64);
  ReleasePlainly(*this, written);
  CHECK(Renew(*this, written) == nullptr);

  Resource* of_another_thread = NewPlainBuffer(*this, 0x70);
  std::thread([&] { ReleasePlainly(*this, of_another_thread); }).join();
  CHECK(Renew(*this, of_another_thread) == nullptr);
}

TEST_CASE_METHOD(TrackerFixture, "retained objects live until the last release") {
  Resource* buffer = NewBuffer(0x30, 64);
  In(kCreateCall, 9, [&](Call& call) { tracker.objects().Retain(call, buffer); });
  Release(buffer);
  CHECK(buffer->live());
  Release(buffer);
  CHECK_FALSE(buffer->live());
  In(kReleaseCall, 10, [&](Call& call) {
    CHECK(tracker.objects().UseForRelease(call, 0x30, kMemory, "buffer") == nullptr);
  });
  const Strings rules = Rules();
  REQUIRE(rules.size() == 1);
  CHECK((rules[0] == "over-release" || rules[0] == "double-free"));
}

TEST_CASE_METHOD(TrackerFixture, "a failed release gives the reference back") {
  Resource* buffer = NewBuffer(0x30, 64);
  In(kCreateCall, 9, [&](Call& call) { tracker.objects().Retain(call, buffer); });
  Release(buffer);
  tracker.objects().UndoRelease(buffer);
  CHECK(buffer->references == 2);
}

TEST_CASE_METHOD(TrackerFixture, "a last reference that the driver did not take is one still") {
  Resource* buffer = NewBuffer(0x30, 64);
  Queue* queue = NewQueue(0x10, true);
  Release(buffer);
  tracker.objects().UndoRelease(buffer);
  CHECK(buffer->live());
  CHECK(buffer->references == 1);
  In(kWriteCall, 9,
     [&](Call& call) { CHECK(tracker.objects().Use(call, 0x30, kMemory, "buffer") == buffer); });
  Release(buffer);
  CHECK_FALSE(buffer->live());
  CHECK(queue->live());
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture, "memory that the driver did not free is found by its address") {
  ResourceSpec spec;
  spec.kind = ObjectKind::kDeviceMemory;
  spec.handle = 0x5000;
  spec.bytes = 64;
  Resource* memory = nullptr;
  In(kCreateCall, 1, [&](Call& call) { memory = tracker.objects().NewResource(call, spec); });
  Release(memory);
  uint64_t offset = 0;
  CHECK(tracker.objects().FindAddress(0x5010, &offset) == nullptr);
  tracker.objects().UndoRelease(memory);
  CHECK(tracker.objects().FindAddress(0x5010, &offset) == memory);
  CHECK(offset == 0x10);
  In(kReleaseCall, 10, [&](Call& call) {
    CHECK(tracker.pointers().UseForFree(call, 0x5000, "pointer",
                                        MaskOf(ObjectKind::kDeviceMemory)) == memory);
  });
  Release(memory);
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture,
                 "of two released allocations with one address the last one counts") {
  ResourceSpec spec;
  spec.kind = ObjectKind::kDeviceMemory;
  spec.handle = 0x5000;
  // Threads release into different graveyards.
  for (uint64_t bytes = 64; bytes <= 64 * 16; bytes += 64) {
    spec.bytes = bytes;
    std::thread([&] {
      Resource* memory = nullptr;
      In(kCreateCall, 1, [&](Call& call) { memory = tracker.objects().NewResource(call, spec); });
      Release(memory);
    }).join();
    Resource* found = tracker.objects().FindReleased(0x5010);
    REQUIRE(found != nullptr);
    CHECK(found->bytes == bytes);
  }
}

TEST_CASE_METHOD(TrackerFixture, "a handle of another kind is not usable and said so") {
  NewQueue(0x10, true);
  In(kWriteCall, 9,
     [&](Call& call) { CHECK(tracker.objects().Use(call, 0x10, kMemory, "buffer") == nullptr); });
  CHECK(Rules() == Strings{"invalid-handle"});
}

TEST_CASE_METHOD(TrackerFixture,
                 "a sub-buffer keeps its accesses when its parent was released long ago") {
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, true);
  Resource* parent = NewBuffer(0x30, 4096);
  Resource* child = NewBuffer(0x31, 1024, parent, 1024);
  Release(parent);
  for (uintptr_t i = 0; i < 400; ++i) Release(NewBuffer(0x1000 + i * 8, 4096));
  // Buffers of now may not share what the old parent's memory kept.
  std::vector<Resource*> fresh;
  for (uintptr_t i = 0; i < 400; ++i) fresh.push_back(NewBuffer(0x8000 + i * 8, 4096));
  Transfer(a, child, true, 0, 1024);
  for (Resource* buffer : fresh) Transfer(b, buffer, true, 0, 4096);
  CHECK(Rules().empty());
  Transfer(b, child, true, 0, 1024);
  CHECK(Rules() == Strings{"race"});
  const WeakRef<Resource> weak(parent);
  Release(child);
  for (uintptr_t i = 0; i < 400; ++i) Release(NewBuffer(0x1000 + i * 8, 4096));
  CHECK(weak.get() == nullptr);
}

TEST_CASE_METHOD(TrackerFixture,
                 "sub-buffers race through their parent where they overlap, and only there") {
  Queue* a = NewQueue(0x10, true);
  Queue* b = NewQueue(0x20, true);
  Resource* parent = NewBuffer(0x30, 4096);
  Resource* left = NewBuffer(0x31, 2048, parent, 0);
  Resource* right = NewBuffer(0x32, 2048, parent, 2048);
  Resource* middle = NewBuffer(0x33, 2048, parent, 1024);
  Transfer(a, left, true, 0, 2048);
  Transfer(b, right, true, 0, 2048);
  CHECK(Rules().empty());
  Transfer(b, middle, true, 0, 1024);
  CHECK(Rules() == Strings{"race"});
}

TEST_CASE_METHOD(TrackerFixture, "leaks are grouped by the site that made the objects") {
  for (uintptr_t i = 0; i < 10; ++i) NewBuffer(0x1000 + i * 8, 100, nullptr, 0, 31);
  NewBuffer(0x30, 7, nullptr, 0, 32);
  Release(NewBuffer(0x31, 7, nullptr, 0, 33));
  tracker.ReportLeaks(words, Api::kOpenCL, nullptr);
  const std::vector<Finding> findings = sink.Take();
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].rule == RuleId::kLeak);
  CHECK(findings[0].site == 31);
  auto fact = [](const Finding& finding, const std::string& key) {
    for (const Fact& fact : finding.facts) {
      if (fact.key == key) return std::get<uint64_t>(fact.value);
    }
    return uint64_t{0};
  };
  CHECK(fact(findings[0], "leaked_bytes") == 1000);
  CHECK(fact(findings[0], "objects") == 10);
  CHECK(findings[1].site == 32);
}

TEST_CASE_METHOD(
    TrackerFixture,
    "a context's leaks are its own, not those of an older context in the same memory") {
  auto context = [&](uintptr_t handle) {
    return In(kCreateCall, 1, [&](Call& call) {
      return tracker.objects().NewPlain(call, ObjectKind::kContext, handle, nullptr);
    });
  };
  PlainObject* old = context(0x70);
  In(kCreateCall, 41, [&](Call& call) {
    ResourceSpec spec;
    spec.handle = 0x30;
    spec.bytes = 64;
    spec.context = old;
    return tracker.objects().NewResource(call, spec);
  });
  std::vector<PlainObject*> others;
  for (uintptr_t i = 0; i < 200; ++i) others.push_back(context(0x1000 + i * 8));
  Release(old);
  for (PlainObject* other : others) Release(other);
  PlainObject* fresh = nullptr;
  for (uintptr_t i = 0; i < 4000 && fresh != old; ++i) fresh = context(0x9000 + i * 8);
  REQUIRE(fresh == old);  // the same memory
  tracker.ReportLeaks(words, Api::kOpenCL, fresh);
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(
    TrackerFixture,
    "released memory that commands hold is noted once it piles up, and only what is still held") {
  Queue* queue = NewQueue(0x10, true);
  Queue* never = NewQueue(0x20, true);
  constexpr uint64_t kBytes = 300 * 1024;
  // One that is never waited for must not hold up the others.
  Resource* stuck = NewBuffer(0x2000, 64);
  Transfer(never, stuck, true, 0, 64);
  Release(stuck);
  for (uintptr_t i = 0; i < 100; ++i) {
    Resource* buffer = NewBuffer(0x3000 + i * 8, kBytes);
    Transfer(queue, buffer, true, 0, kBytes);
    Release(buffer, 60);
    In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitQueue(*queue); });
  }
  CHECK(Rules().empty());
  for (uintptr_t i = 0; i < 8; ++i) {
    Resource* buffer = NewBuffer(0x5000 + i * 8, kBytes);
    Transfer(queue, buffer, true, 0, kBytes);
    Release(buffer, 60);
  }
  CHECK(Rules() == Strings{"deferred-release"});
}

TEST_CASE_METHOD(TrackerFixture,
                 "many small releases that are complete do not count against a large one") {
  Queue* queue = NewQueue(0x10, true);
  for (uintptr_t i = 0; i < 200; ++i) {
    Resource* buffer = NewBuffer(0x3000 + i * 8, 5000);
    Transfer(queue, buffer, true, 0, 5000);
    Release(buffer, 60);
  }
  In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitQueue(*queue); });
  Resource* large = NewBuffer(0x2000, 1000000);
  Transfer(queue, large, true, 0, 1000000);
  Release(large, 60);
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture,
                 "create and release cycles cost no memory, whichever thread releases") {
  Queue* queue = NewQueue(0x10, true);
  auto cycle = [&](int count) {
    for (int i = 0; i < count; ++i) {
      Resource* buffer = NewBuffer(0x100000 + (i * 64) % 0x40000, 4096);
      Event* event = EventOf(0x900000 + (i * 64) % 0x40000, Transfer(queue, buffer, true, 0, 4096));
      if (i % 16 == 0) In(kWaitCall, 9, [&](Call&) { tracker.ordering().WaitEvent(*event); });
      Release(event);
      Release(buffer);
    }
  };
  std::thread(cycle, 20000).join();
  cycle(20000);
  const uint64_t before = ResidentBytes();
  cycle(kCycles / 2);
  std::thread(cycle, kCycles / 2).join();
  const uint64_t grown = ResidentBytes() - std::min(before, ResidentBytes());
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(grown < 2 << 20);
#endif
  INFO(grown);
  CHECK(tracker.objects().ledger().Of(Api::kOpenCL).live_bytes == 0);
}

TEST_CASE_METHOD(TrackerFixture, "a handle is found as long as its last object is remembered") {
  Resource* first = NewBuffer(0x40, 64);
  Release(first);
  Resource* again = NewBuffer(0x40, 64);
  CHECK(again != first);
  Release(NewBuffer(0x48, 64));
  auto forget = [&] {
    for (uintptr_t i = 0; i < 1000; ++i) Release(NewBuffer(0x10000 + i * 8, 64));
  };
  forget();
  CHECK(tracker.objects().Find(Api::kOpenCL, 0x40) == again);
  CHECK(tracker.objects().Find(Api::kOpenCL, 0x48) == nullptr);
  Release(again);
  CHECK(tracker.objects().Find(Api::kOpenCL, 0x40) == again);
  forget();
  CHECK(tracker.objects().Find(Api::kOpenCL, 0x40) == nullptr);
}

TEST_CASE_METHOD(TrackerFixture, "what threads hold is summed up, whoever releases it") {
  Resource* mine = NewBuffer(0x40, 1000);
  std::vector<Resource*> others(8);
  for (size_t i = 0; i < others.size(); ++i)
    std::thread([&] { others[i] = NewBuffer(0x1000 + i * 8, 100 + i); }).join();
  CHECK(tracker.objects().ledger().Of(Api::kOpenCL).live_bytes == 1828);
  CHECK(tracker.objects().ledger().Of(Api::kOpenCL).live_count == 9);
  std::thread([&] { Release(mine); }).join();
  for (Resource* other : others) Release(other);
  CHECK(tracker.objects().ledger().Of(Api::kOpenCL).live_bytes == 0);
  CHECK(tracker.objects().ledger().Of(Api::kOpenCL).live_count == 0);
  CHECK(tracker.objects().ledger().Of(Api::kOpenCL).peak_bytes == 1828);
  CHECK(tracker.objects().ledger().Of(Api::kOpenCL).largest_bytes == 1000);
}

TEST_CASE_METHOD(TrackerFixture, "threads may retain, release and look up one object at once") {
  Resource* buffer = NewBuffer(0x30, 64);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        In(kCreateCall, 9, [&](Call& call) { tracker.objects().Retain(call, buffer); });
        In(kWriteCall, 9,
           [&](Call& call) { tracker.objects().Use(call, 0x30, kMemory, "buffer"); });
        Release(buffer);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(buffer->references == 1);
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(TrackerFixture, "a use of a released host block is found where it is certain") {
  Resource* buffer = NewBuffer(0x30, 1 << 20, nullptr, 0, 20);
  const uintptr_t base = 0x7f0000100000;
  host_memory.NoteRelease({base, 8192, HostBlockKind::kHeap, 5}, 6);
  const auto write = [&](uintptr_t address, uint64_t bytes) {
    In(kWriteCall, 22, [&](Call& call) {
      gpusan::Transfer transfer;
      transfer.kind = TransferKind::kWrite;
      transfer.source.pointer = reinterpret_cast<const void*>(address);
      transfer.source.region = Region::Linear(0, bytes);
      transfer.destination.resource = buffer;
      transfer.destination.region = Region::Linear(0, bytes);
      tracker.accesses().CheckTransfer(call, transfer);
    });
    return Rules();
  };
  CHECK(write(base + 1024, 4096) == Strings{"use-after-free"});
  // Too small to be known if it were there again; more than the block had; a block that is known.
  CHECK(write(base + 1024, 1000).empty());
  CHECK(write(base + 4096, 8192).empty());
  CHECK(write(base - 4096, 8192).empty());
  host_memory.Add({base, 8192, HostBlockKind::kHeap, 7});
  CHECK(write(base + 1024, 4096).empty());
}

TEST_CASE("a live object costs little shadow memory") {
  CHECK(sizeof(Resource) + 16 <= 320);
  CHECK(sizeof(Event) <= 256);
}

TEST_CASE_METHOD(TrackerFixture,
                 "what an API keeps of a resource is given back when it is forgotten") {
  struct Part final : ObjectPart {
    explicit Part(int* count) : recycled(count) {}
    void Recycle() override { ++*recycled; }
    int* recycled;
  };
  constexpr int kMade = 600;
  int recycled = 0;
  std::vector<std::unique_ptr<Part>> parts;
  for (int i = 0; i < kMade; ++i) {
    Resource* memory = In(kCreateCall, 1, [&](Call& call) {
      ResourceSpec spec;
      spec.kind = ObjectKind::kPhysicalMemory;
      spec.handle = 0x1000 + static_cast<uintptr_t>(i);
      spec.bytes = 4096;
      return tracker.objects().NewResource(call, spec);
    });
    memory->part = parts.emplace_back(std::make_unique<Part>(&recycled)).get();
    In(kReleaseCall, 2, [&](Call& call) { tracker.objects().Release(call, memory); });
  }
  // Some are kept for a while, so that their use can be reported.
  CHECK(recycled == kMade - 256);
}

}  // namespace
}  // namespace gpusan::test
