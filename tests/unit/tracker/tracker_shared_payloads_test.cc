// Memory and semaphores that one API exports and another API imports: the way from a descriptor to
// the object, the order of signals and waits, and accesses of both sides.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/unit/tracker/tracker_fixture.h"

namespace gpusan::test {
namespace {

constexpr CallInfo kExporterCall = {"export", Api::kVulkan};

// A file without a name, closed at the end.
class File {
 public:
  File() : descriptor_(memfd_create("shared", 0)) {}
  ~File() { close(descriptor_); }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

class SharedFixture : public TrackerFixture {
 public:
  SharedFixture() { payloads().ExpectImports(); }
  SharedPayloads& payloads() { return tracker.objects().shared_payloads(); }

  // The exporting API accesses bytes of its memory.
  Command Export(Queue* queue, Resource* memory, bool write, uint64_t begin, uint64_t bytes) {
    Command command;
    In(kExporterCall, 8, [&](Call& call) {
      tracker.ordering().Begin(call, command, queue, {});
      Access access;
      access.region = Region::Linear(begin, bytes);
      access.call = &kExporterCall;
      access.site = 8;
      access.write = write;
      access.read = !write;
      tracker.accesses().RecordByExporter(call, command, *memory, access);
    });
    return command;
  }
  PlainObject* NewSemaphore(uintptr_t handle) {
    return In(kExporterCall, 9, [&](Call& call) {
      return tracker.objects().NewPlain(call, ObjectKind::kSemaphore, handle, nullptr);
    });
  }
  void WaitForShared(Queue* queue, Object* semaphore, SharedSemaphore* state, uint64_t value = 0) {
    In(kWaitCall, 11, [&](Call& call) {
      tracker.ordering().WaitForShared(call, *queue, *semaphore, *state, value);
    });
  }
  void SignalShared(Queue* queue, Object* semaphore, SharedSemaphore* state, uint64_t value = 0) {
    In(kExporterCall, 10, [&](Call& call) {
      SignalList::Signal signal;
      signal.value = value;
      signal.point = tracker.ordering().Snap(*queue);
      tracker.ordering().SignalShared(call, *semaphore, *state, std::move(signal));
    });
  }
};

TEST_CASE("a descriptor names the object that was exported with it") {
  SharedFixture fixture;
  Resource* memory = fixture.NewBuffer(0x100, 4096);
  const File file, other;
  REQUIRE(fixture.payloads().Export(file.get(), *memory));
  CHECK(fixture.payloads().Find(file.get()).get() == memory);
  CHECK(fixture.payloads().Find(other.get()).get() == nullptr);
  CHECK(fixture.payloads().Find(-1).get() == nullptr);
  const int duplicate = dup(file.get());
  CHECK(fixture.payloads().Find(duplicate).get() == memory);
  close(duplicate);
}

TEST_CASE("a descriptor that replaced an exported one has no object") {
  SharedFixture fixture;
  Resource* memory = fixture.NewBuffer(0x100, 4096);
  const File file, other;
  REQUIRE(fixture.payloads().Export(file.get(), *memory));
  REQUIRE(dup2(other.get(), file.get()) == file.get());
  CHECK(fixture.payloads().Find(file.get()).get() == nullptr);
}

TEST_CASE("an export is found until it is imported or its object is released") {
  SharedFixture fixture;
  Resource* memory = fixture.NewBuffer(0x100, 4096);
  Resource* released = fixture.NewBuffer(0x200, 4096);
  const File first, second;
  REQUIRE(fixture.payloads().Export(first.get(), *memory));
  REQUIRE(fixture.payloads().Export(second.get(), *released));
  fixture.payloads().Imported(fixture.payloads().Find(first.get()));
  CHECK(fixture.payloads().Find(first.get()).get() == nullptr);
  fixture.Release(released);
  CHECK(fixture.payloads().Find(second.get()).get() == nullptr);
}

TEST_CASE("an export without an importing API is not recorded, and the open file is unchanged") {
  TrackerFixture fixture;
  Resource* memory = fixture.NewBuffer(0x100, 4096);
  const File file;
  CHECK_FALSE(fixture.tracker.objects().shared_payloads().Export(file.get(), *memory));
  CHECK(fcntl(file.get(), F_GETSIG) == 0);
}

TEST_CASE("many exports under one number each name their own object") {
  SharedFixture fixture;
  for (uintptr_t i = 0; i < 200; ++i) {
    Resource* memory = fixture.NewBuffer(0x1000 + i, 4096);
    const File file;
    REQUIRE(fixture.payloads().Export(file.get(), *memory));
    CHECK(fixture.payloads().Find(file.get()).get() == memory);
  }
}

TEST_CASE("accesses of both APIs to shared bytes race without an order") {
  SharedFixture fixture;
  Queue* exporter = fixture.NewQueue(0x10, true);
  Queue* importer = fixture.NewQueue(0x11, true);
  Resource* memory = fixture.NewBuffer(0x100, 8192);
  Resource* imported = fixture.NewBuffer(0x200, 4096);
  fixture.tracker.accesses().NoteImport(*memory, *imported, 4096);
  fixture.Export(exporter, memory, true, 0, 8192);
  fixture.Transfer(importer, imported, false, 0, 4096);
  CHECK(fixture.Rules() == std::vector<std::string>{"race"});
  fixture.tracker.ordering().WaitQueue(*exporter);
  fixture.tracker.ordering().WaitQueue(*importer);
  fixture.Transfer(importer, imported, true, 0, 4096);
  fixture.Export(exporter, memory, false, 4096, 16);
  CHECK(fixture.Rules() == std::vector<std::string>{"race"});
  fixture.Export(exporter, memory, true, 0, 4096);  // in front of the imported part
  CHECK(fixture.Rules().empty());
}

TEST_CASE("accesses of the exporting API alone are not compared and do not keep the import") {
  SharedFixture fixture;
  Queue* a = fixture.NewQueue(0x10, true);
  Queue* b = fixture.NewQueue(0x11, true);
  Resource* memory = fixture.NewBuffer(0x100, 4096);
  Resource* imported = fixture.NewBuffer(0x200, 4096);
  fixture.tracker.accesses().NoteImport(*memory, *imported, 0);
  fixture.Export(a, memory, true, 0, 4096);
  fixture.Export(b, memory, true, 0, 4096);
  CHECK(imported->history.FindPending(Region::Linear(0, 4096), false,
                                      fixture.tracker.ordering().host()) == nullptr);
  fixture.Release(imported);
  fixture.Export(b, memory, true, 0, 4096);
  CHECK(fixture.Rules().empty());
}

TEST_CASE("a shared semaphore orders both APIs, whichever side comes first") {
  const bool timeline = GENERATE(false, true);
  const bool wait_first = GENERATE(false, true);
  CAPTURE(timeline, wait_first);
  SharedFixture fixture;
  Queue* exporter = fixture.NewQueue(0x10, true);
  Queue* importer = fixture.NewQueue(0x11, true);
  Resource* memory = fixture.NewBuffer(0x100, 4096);
  Resource* imported = fixture.NewBuffer(0x200, 4096);
  fixture.tracker.accesses().NoteImport(*memory, *imported, 0);
  PlainObject* semaphore = fixture.NewSemaphore(0x300);
  SharedSemaphore state;
  state.timeline = timeline;
  const uint64_t value = timeline ? 5 : 0;
  if (wait_first) {
    fixture.WaitForShared(importer, semaphore, &state, value);
    fixture.Transfer(importer, imported, true, 0, 4096);
  }
  fixture.Export(exporter, memory, false, 0, 4096);
  fixture.SignalShared(exporter, semaphore, &state, value);
  if (!wait_first) {
    fixture.WaitForShared(importer, semaphore, &state, value);
    fixture.Transfer(importer, imported, true, 0, 4096);
  }
  CHECK(fixture.Rules().empty());
  // What follows the signal is not ordered.
  fixture.Export(exporter, memory, true, 0, 4096);
  CHECK(fixture.Rules() == std::vector<std::string>{"race"});
}

TEST_CASE("each early wait for a binary semaphore takes a signal of its own") {
  SharedFixture fixture;
  Queue* exporter = fixture.NewQueue(0x10, true);
  Queue* first = fixture.NewQueue(0x11, true);
  Queue* second = fixture.NewQueue(0x12, true);
  Resource* memory = fixture.NewBuffer(0x100, 4096);
  Resource* imported = fixture.NewBuffer(0x200, 4096);
  fixture.tracker.accesses().NoteImport(*memory, *imported, 0);
  PlainObject* semaphore = fixture.NewSemaphore(0x300);
  SharedSemaphore state;
  fixture.WaitForShared(first, semaphore, &state);
  fixture.Transfer(first, imported, false, 0, 2048);
  fixture.WaitForShared(second, semaphore, &state);
  fixture.Transfer(second, imported, false, 2048, 2048);
  fixture.SignalShared(exporter, semaphore, &state);
  fixture.Export(exporter, memory, true, 2048, 2048);  // races with nothing that ran before it
  fixture.SignalShared(exporter, semaphore, &state);
  CHECK(fixture.Rules().empty());
  fixture.Export(exporter, memory, true, 0, 2048);
  CHECK(fixture.Rules() == std::vector<std::string>{"race"});
}

}  // namespace
}  // namespace gpusan::test
