// Memory that comes and goes in the order of queues, and what goes with a context.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/tracker/tracker_fixture.h"

namespace gpusan::test {
namespace {

using Strings = std::vector<std::string>;
constexpr CallInfo kAllocateCall = {"allocate", Api::kCuda};
constexpr CallInfo kFreeCall = {"free", Api::kCuda};

class OrderedMemory : public TrackerFixture {
 public:
  Resource* Allocate(Queue* queue, uintptr_t address, uint64_t bytes) {
    return In(kAllocateCall, 10, [&](Call& call) {
      Command command;
      tracker.ordering().Begin(call, command, queue, {});
      ResourceSpec spec;
      spec.kind = ObjectKind::kDeviceMemory;
      spec.handle = address;
      spec.bytes = bytes;
      spec.flags = kStreamOrdered | kOutlivesContext;
      Resource* resource = tracker.objects().NewResource(call, spec);
      tracker.accesses().RecordLifetime(call, command, resource, AccessRole::kAllocation);
      return resource;
    });
  }
  void Free(Queue* queue, Resource* resource) {
    In(kFreeCall, 11, [&](Call& call) {
      Command command;
      tracker.ordering().Begin(call, command, queue, {});
      tracker.accesses().RecordLifetime(call, command, resource, AccessRole::kFree);
      resource->flags |= kFreedInOrder;
      tracker.objects().Release(call, resource, true);
    });
  }
};

TEST_CASE_METHOD(OrderedMemory, "memory belongs to other queues only behind its allocation") {
  Queue* first = NewQueue(0x10, true);
  Queue* second = NewQueue(0x20, true);
  Resource* memory = Allocate(first, 0x100000, 4096);
  Transfer(first, memory, true, 0, 1024);
  CHECK(Rules().empty());
  Transfer(second, memory, true, 2048, 1024, {}, 30);
  const std::vector<Finding> findings = sink.Take();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule == RuleId::kStreamOrderAlloc);
  CHECK(findings[0].site == 30);
  CHECK(findings[0].parties.at(0).site == 10);
}

TEST_CASE_METHOD(OrderedMemory, "a queue that was ordered behind the allocation may use it") {
  Queue* first = NewQueue(0x10, true);
  Queue* second = NewQueue(0x20, true);
  Resource* memory = Allocate(first, 0x100000, 4096);
  tracker.ordering().OrderBehind(*second, tracker.ordering().Snap(*first));
  Transfer(second, memory, true, 0, 4096);
  Free(second, memory);
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(OrderedMemory, "a free must be behind what other queues do with the memory") {
  Queue* first = NewQueue(0x10, true);
  Queue* second = NewQueue(0x20, true);
  Resource* memory = Allocate(first, 0x100000, 4096);
  tracker.ordering().OrderBehind(*second, tracker.ordering().Snap(*first));
  Transfer(second, memory, true, 0, 4096, {}, 31);
  Free(first, memory);
  const std::vector<Finding> findings = sink.Take();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule == RuleId::kStreamOrderAlloc);
  CHECK(findings[0].parties.at(0).site == 31);
}

TEST_CASE_METHOD(OrderedMemory, "work behind the free names no memory, and a new allocation does") {
  Queue* queue = NewQueue(0x10, true);
  Free(queue, Allocate(queue, 0x100000, 4096));
  In(kReadCall, 32,
     [&](Call& call) { tracker.pointers().CheckDevicePointer(call, 0x100010, 4, "pointer"); });
  CHECK(Rules() == Strings{"stream-order-alloc"});
  Queue* other = NewQueue(0x20, true);
  Resource* again = Allocate(other, 0x100000, 4096);
  Transfer(other, again, true, 0, 4096);
  CHECK(Rules().empty());
}

TEST_CASE_METHOD(OrderedMemory, "freeing in order is no release that is put off") {
  Queue* queue = NewQueue(0x10, true);
  for (int i = 0; i < 64; ++i) {
    Resource* memory = Allocate(queue, 0x100000, uint64_t{1} << 20);
    Transfer(queue, memory, true, 0, 4096);
    Free(queue, memory);
  }
  CHECK(Rules().empty());
  CHECK(tracker.objects().pending_releases().Bytes(Api::kOpenCL) == 0);
}

TEST_CASE_METHOD(OrderedMemory, "a context takes its memory along, but not that of pools") {
  PlainObject* context = In(kAllocateCall, 1, [&](Call& call) {
    return tracker.objects().NewPlain(call, ObjectKind::kContext, 0x1, nullptr);
  });
  auto allocate = [&](uintptr_t address, uint16_t flags, Resource* parent) {
    return In(kAllocateCall, 2, [&](Call& call) {
      ResourceSpec spec;
      spec.kind = ObjectKind::kDeviceMemory;
      spec.handle = address;
      spec.bytes = 4096;
      spec.flags = flags;
      spec.context = context;
      spec.parent = parent;
      return tracker.objects().NewResource(call, spec);
    });
  };
  Resource* own = allocate(0x100000, 0, nullptr);
  Resource* part = allocate(0x200000, 0, own);
  part->MarkOwned();
  Resource* pooled = allocate(0x300000, kStreamOrdered | kOutlivesContext, nullptr);
  CHECK(tracker.objects().PartsOf(*own) == std::vector<Resource*>{part});
  tracker.ReportLeaks(words, Api::kCuda, context);
  const std::vector<Finding> leaks = sink.Take();
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].resources.at(0).handle == 0x100000);
  In(kFreeCall, 3, [&](Call& call) { tracker.objects().ReleaseAllOf(call, context); });
  CHECK(Rules().empty());
  uint64_t offset;
  CHECK(tracker.objects().FindAddress(0x100000, &offset) == nullptr);
  CHECK(tracker.objects().FindAddress(0x200000, &offset) == nullptr);
  CHECK(tracker.objects().FindAddress(0x300000, &offset) == pooled);
}

TEST_CASE_METHOD(OrderedMemory,
                 "what a failed creation left is distinguished from other unknown values") {
  constexpr KindMask kMemory = MaskOf(ObjectKind::kDeviceMemory);
  In(kAllocateCall, 40, [&](Call& call) {
    tracker.objects().NoteFailedCreation(call, ObjectKind::kDeviceMemory, 2, 4096, 0xabc0);
  });
  In(kReadCall, 41, [&](Call& call) {
    CHECK_FALSE(tracker.objects().CheckFailedCreation(call, 0xdef0, kMemory, "pointer"));
    CHECK(tracker.objects().CheckFailedCreation(call, 0xabc0, kMemory, "pointer"));
  });
  CHECK(Rules() == Strings{"error-ignored"});
}

}  // namespace
}  // namespace gpusan::test
