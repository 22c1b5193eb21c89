// The short way of plain commands finds what the long way finds, and leaves what that leaves.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/unit/tracker/tracker_fixture.h"
#include "tracker/calls/refine_launch.h"
#include "tracker/model/summary_formulas.h"
#include "tracker/rules/events/kernel_overrun.h"
#include "tracker/state/launch_patterns.h"

namespace gpusan::test {
namespace {

constexpr uint64_t kBytes = 64;

// A world of two in-order queues, an out-of-order one, three buffers and a part of one, and a
// kernel. Commands go the long way, or the short way where there is one.
class World : public TrackerFixture {
 public:
  explicit World(bool short_way) : short_way_(short_way) {
    for (uintptr_t i = 0; i < 3; ++i) queues.push_back(NewQueue(0x10 + i * 8, i != 2));
    for (uintptr_t i = 0; i < 3; ++i) buffers.push_back(NewBuffer(0x100 + i * 8, kBytes));
    buffers.push_back(NewBuffer(0x200, kBytes / 2, buffers[0], 16));
    kernel = In(kCreateCall, 1, [&](Call& call) {
      return tracker.objects().NewKernel(call, 0x8, nullptr, nullptr, "k");
    });
    kernel->arguments.resize(2);
    kernel->argument_names.resize(2);
    for (KernelArgument& argument : kernel->arguments) argument.kind = ArgumentKind::kMemory;
  }

  // Three allocations of a device, of which one was never written.
  void AddAllocations() {
    for (uintptr_t i = 0; i < 3; ++i) {
      allocations.push_back(In(kCreateCall, 2, [&](Call& call) {
        ResourceSpec spec;
        spec.kind = ObjectKind::kDeviceMemory;
        spec.handle = spec.address = 0x10000 + i * 0x1000;
        spec.bytes = kBytes;
        spec.initialized = i != 0;
        return tracker.objects().NewResource(call, spec);
      }));
    }
  }

  void Copy(int queue, int buffer, bool write, bool blocking, uint64_t offset, uint64_t bytes,
            uint64_t host, bool fails, SiteId site) {
    In(write ? kWriteCall : kReadCall, site, [&](Call& call) {
      HostCopy copy;
      copy.queue = queues[queue];
      copy.resource = buffers[buffer];
      copy.region = Region::Linear(offset, bytes);
      copy.pointer = memory_ + host;
      copy.bytes = bytes;
      copy.write = write;
      copy.blocking = blocking;
      if (short_way_ && tracker.BeginHostCopy(call, copy)) {
        ++plain;
        tracker.EndHostCopy(call, copy, fails ? -5 : 0);
        return;
      }
      Command command;
      gpusan::Transfer transfer;
      transfer.kind = write ? TransferKind::kWrite : TransferKind::kRead;
      Side& device = write ? transfer.destination : transfer.source;
      Side& host_side = write ? transfer.source : transfer.destination;
      device.resource = copy.resource;
      device.region = copy.region;
      host_side.pointer = copy.pointer;
      host_side.region = Region::Linear(0, bytes);
      transfer.blocking = blocking;
      tracker.accesses().CheckTransfer(call, transfer);
      tracker.ordering().Begin(call, command, copy.queue, {});
      if (!call.has_error()) tracker.accesses().RecordTransfer(call, command, transfer);
      if (fails) {
        tracker.accesses().NoteFailedWrite(call, transfer, -5);
        tracker.accesses().Rollback(command);
        return;
      }
      tracker.accesses().CommitTransfer(transfer);
      if (blocking) tracker.ordering().CommitBlocking(command);
    });
  }

  void Run(int queue, bool fails, SiteId site) {
    In(kLaunchCall, site, [&](Call& call) {
      PlainLaunch plain_launch;
      plain_launch.queue = queues[queue];
      plain_launch.kernel = kernel;
      plain_launch.work_items = 8;
      plain_launch.may_offset = false;
      if (short_way_ && tracker.BeginPlainLaunch(call, plain_launch)) {
        ++plain;
        tracker.EndPlainLaunch(plain_launch, !fails);
        return;
      }
      std::vector<LaunchArgument> arguments;
      Launch launch;
      launch.kernel = kernel;
      launch.work_items = 8;
      for (const KernelArgument& argument : kernel->arguments) {
        if (argument.resource.get() == nullptr) continue;
        LaunchArgument& used = arguments.emplace_back();
        used.resource = argument.resource.get();
        used.direction = argument.direction;
        used.element_bytes = argument.element_bytes;
        if (argument.direction != Direction::kRead) ++launch.writable_arguments;
      }
      launch.arguments = arguments;
      Command command;
      tracker.accesses().CheckLaunch(call, launch);
      tracker.ordering().Begin(call, command, queues[queue], {});
      if (!call.has_error()) tracker.accesses().RecordLaunch(call, command, launch);
      if (fails) {
        tracker.accesses().Rollback(command);
      } else {
        tracker.accesses().CommitLaunch(launch);
      }
    });
  }

  // Runs a kernel whose code is known, with one work item for each of `items`.
  void RunKnown(int queue, uint64_t items, bool fails, SiteId site) {
    In(kLaunchCall, site, [&](Call& call) {
      PlainLaunch plain_launch;
      plain_launch.queue = queues[queue];
      plain_launch.kernel = kernel;
      plain_launch.work_items = plain_launch.shape.global_size[0] = items;
      plain_launch.may_offset = false;
      if (short_way_ && tracker.BeginPlainLaunch(call, plain_launch)) {
        ++plain;
        tracker.EndPlainLaunch(plain_launch, !fails);
        return;
      }
      if (short_way_ && RepeatKnown(call, queue, plain_launch.shape, fails)) return;
      absl::InlinedVector<LaunchArgument, 8> arguments;
      Launch launch;
      launch.kernel = kernel;
      launch.work_items = items;
      for (uint32_t i = 0; i < kernel->arguments.size(); ++i) {
        const KernelArgument& argument = kernel->arguments[i];
        launch.may_offset |= argument.MayBeOffset();
        if (argument.resource.get() == nullptr) continue;
        LaunchArgument& used = arguments.emplace_back();
        used.index = i;
        used.resource = argument.resource.get();
        used.direction = argument.direction;
        if (argument.direction != Direction::kRead) ++launch.writable_arguments;
      }
      std::vector<LaunchOverrun> overruns;
      RefineLaunch(*kernel, plain_launch.shape, &arguments, &launch, &overruns);
      for (const LaunchOverrun& overrun : overruns) {
        rules::OnKernelOverrun({kernel, overrun.argument, overrun.resource, overrun.offset,
                                overrun.first, overrun.last, overrun.gaps, overrun.verb, ""},
                               call);
      }
      launch.arguments = arguments;
      Command command;
      tracker.accesses().CheckLaunch(call, launch);
      tracker.ordering().Begin(call, command, queues[queue], {});
      if (!call.has_error()) tracker.accesses().RecordLaunch(call, command, launch);
      if (short_way_ && !call.has_findings()) KeepPattern(*kernel, plain_launch.shape, launch);
      if (fails) {
        tracker.accesses().Rollback(command);
      } else {
        tracker.accesses().CommitLaunch(launch);
      }
    });
  }

  // `from` < 0: a fill.
  void Move(int queue, int from, int to, uint64_t from_offset, uint64_t to_offset, uint64_t bytes,
            bool fails, SiteId site) {
    In(kWriteCall, site, [&](Call& call) {
      LinearTransfer linear;
      linear.source = from < 0 ? nullptr : allocations[from];
      linear.destination = allocations[to];
      linear.source_offset = from_offset;
      linear.destination_offset = to_offset;
      linear.bytes = bytes;
      linear.pattern_bytes = 4;
      Command command;
      if (short_way_ && tracker.BeginLinearTransfer(call, command, *queues[queue], linear)) {
        ++plain;
        if (fails) return tracker.RollbackLinearTransfer(call, command, linear, -5);
        return tracker.CommitLinearTransfer(linear);
      }
      gpusan::Transfer transfer;
      transfer.kind = from < 0 ? TransferKind::kFill : TransferKind::kCopy;
      transfer.pattern_bytes = 4;
      if (from >= 0) {
        transfer.source.resource = linear.source;
        transfer.source.region = Region::Linear(from_offset, bytes);
      }
      transfer.destination.resource = linear.destination;
      transfer.destination.region = Region::Linear(to_offset, bytes);
      tracker.accesses().CheckTransfer(call, transfer);
      tracker.ordering().Begin(call, command, queues[queue], {});
      if (!call.has_error()) tracker.accesses().RecordTransfer(call, command, transfer);
      if (!fails) return tracker.accesses().CommitTransfer(transfer);
      tracker.accesses().NoteFailedWrite(call, transfer, -5);
      tracker.accesses().Rollback(command);
    });
  }

  void RunWith(int queue, std::vector<LaunchArgument> arguments, bool counts, bool fails,
               SiteId site) {
    In(kLaunchCall, site, [&](Call& call) {
      const int64_t count = 8;
      Launch launch;
      launch.kernel = kernel;
      launch.work_items = 8;
      launch.arguments = arguments;
      if (counts) launch.integers = absl::MakeConstSpan(&count, 1);
      for (const LaunchArgument& argument : arguments)
        launch.writable_arguments += argument.direction != Direction::kRead;
      Command command;
      bool writes = true;
      if (short_way_ && tracker.BeginPlainLaunch(call, command, *queues[queue], launch, &writes)) {
        ++plain;
        if (fails) tracker.accesses().TouchAll(command, launch);
      } else {
        tracker.accesses().CheckLaunch(call, launch);
        tracker.ordering().Begin(call, command, queues[queue], {});
        if (!call.has_error()) tracker.accesses().RecordLaunch(call, command, launch);
      }
      if (fails) {
        tracker.accesses().Rollback(command);
      } else if (writes) {
        tracker.accesses().CommitLaunch(launch);
      }
    });
  }

  // The findings since the last call and whom they name, sorted: nothing is promised of the order
  // within a call.
  std::vector<std::string> Found() {
    std::vector<std::string> found;
    for (const Finding& finding : sink.Take()) {
      std::string& text =
          found.emplace_back(absl::StrCat(InfoOf(finding.rule).id, " at ", finding.site));
      for (const Party& party : finding.parties) absl::StrAppend(&text, ", ", party.site);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  std::vector<Queue*> queues;
  std::vector<Resource*> buffers;
  std::vector<Resource*> allocations;
  Kernel* kernel;
  int plain = 0;
  int repeated = 0;

 private:
  // A launch that needs the clock of a command, for example in an out-of-order queue.
  bool RepeatKnown(Call& call, int queue, const LaunchShape& shape, bool fails) {
    const auto kept = HoldRepeated(*kernel, shape, queues[queue]->context);
    if (kept == nullptr) return false;
    ++repeated;
    Command command;
    tracker.ordering().Begin(call, command, queues[queue], {});
    tracker.accesses().RecordRepeated(call, command, *kernel, *kept->pattern());
    if (fails) tracker.accesses().Rollback(command);
    return true;
  }

  const bool short_way_;
  // In one window of HostShadow in every run and in both worlds: accesses that cross a window have
  // an entry in each.
  alignas(256) char memory_[256] = {};
};

TEST_CASE("a plain command has the same findings on the fast path, in random programs") {
  int plain = 0, found = 0;
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    std::mt19937 random(seed);
    World short_way(true), long_way(false);
    World* const worlds[] = {&short_way, &long_way};
    Event* gates[2] = {};
    for (SiteId site = 10; site < 110; ++site) {
      const int queue = random() % 3, buffer = random() % 4;
      const uint64_t bytes = 8 << random() % 2, offset = random() % 3 * 8;
      const uint64_t host = random() % 3 * 8;
      const bool write = random() % 2 == 0, fails = random() % 16 == 0;
      const bool blocking = gates[0] == nullptr && random() % 8 == 0;
      const uint32_t act = random() % 16, direction = random();
      for (int i = 0; i < 2; ++i) {
        World& world = *worlds[i];
        Tracker& tracker = world.tracker;
        if (act < 9) {
          world.Copy(queue, buffer, write, blocking, offset, bytes, host, fails, site);
        } else if (act < 12) {
          world.Run(queue, fails, site);
        } else if (act == 12) {
          world.kernel->arguments[write].resource = WeakRef<Resource>(world.buffers[buffer]);
          world.kernel->arguments[write].direction =
              direction % 2 == 0 ? Direction::kRead : Direction::kUnknown;
        } else if (act == 13 && gates[0] == nullptr) {
          world.In(kWaitCall, site,
                   [&](Call&) { tracker.ordering().WaitQueue(*world.queues[queue]); });
        } else if (act == 14) {
          // A queue behind a gate, and the gate's end.
          if (gates[i] == nullptr) {
            gates[i] = world.NewUserEvent(0x1000 + site * 8);
            world.Barrier(world.queues[queue], {gates[i]});
          } else {
            world.Signal(gates[i], 0, site);
            gates[i] = nullptr;
          }
        }
      }
      INFO("seed " << seed << ", site " << site);
      const std::vector<std::string> expected = long_way.Found();
      REQUIRE(short_way.Found() == expected);
      found += !expected.empty();
      REQUIRE((gates[0] == nullptr) == (gates[1] == nullptr));
    }
    plain += short_way.plain;
  }
  CHECK(plain > 10000);
  CHECK(found > 1000);
}

TEST_CASE("commands on device allocations have the same findings on the fast path") {
  int plain = 0, found = 0;
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    std::mt19937 random(seed);
    World short_way(true), long_way(false);
    short_way.AddAllocations();
    long_way.AddAllocations();
    for (SiteId site = 10; site < 110; ++site) {
      const uint32_t act = random() % 8;
      const int queue = random() % 3, from = static_cast<int>(random() % 4) - 1, to = random() % 3;
      const uint64_t bytes = 6 << random() % 5, from_offset = random() % 4 * 8,
                     to_offset = random() % 4 * 4;
      const bool fails = random() % 16 == 0, counts = random() % 2 == 0;
      std::vector<std::pair<int, LaunchArgument>> wanted(random() % 4);
      for (auto& [which, argument] : wanted) {
        which = random() % 3;
        argument.offset = random() % 3 * 16;
        argument.direction = random() % 2 == 0 ? Direction::kRead : Direction::kUnknown;
        argument.element_bytes = random() % 2 * 4;
        argument.indirect = random() % 4 == 0;
        argument.may_offset = random() % 4 == 0;
      }
      for (World* world : {&short_way, &long_way}) {
        if (act < 4) {
          world->Move(queue, from, to, from_offset, to_offset, bytes, fails, site);
        } else if (act < 7) {
          std::vector<LaunchArgument> arguments;
          for (const auto& [which, argument] : wanted) {
            arguments.push_back(argument);
            arguments.back().resource = world->allocations[which];
          }
          world->RunWith(queue, arguments, counts, fails, site);
        } else {
          world->In(kWaitCall, site,
                    [&](Call&) { world->tracker.ordering().WaitQueue(*world->queues[queue]); });
        }
      }
      INFO("seed " << seed << ", site " << site);
      const std::vector<std::string> expected = long_way.Found();
      REQUIRE(short_way.Found() == expected);
      found += !expected.empty();
    }
    plain += short_way.plain;
  }
  CHECK(plain > 5000);
  CHECK(found > 1000);
}

// A kernel that reads and writes elements through its pointers, some of them beside those of its
// work items or by an integer.
std::shared_ptr<const KernelSummary> RandomSummary(std::mt19937& random) {
  auto summary = std::make_shared<KernelSummary>();
  for (int i = 0; i < 2; ++i) {
    ParameterSummary& parameter = summary->parameters.emplace_back();
    parameter.known = random() % 8 != 0;
    for (uint32_t count = random() % 3; count > 0; --count) {
      SummaryAccess& access = parameter.accesses.emplace_back();
      const auto kind = random() % 8;
      access.kind = kind == 0  ? SummaryAccess::Kind::kAtomic
                    : kind < 4 ? SummaryAccess::Kind::kRead
                               : SummaryAccess::Kind::kWrite;
      access.ranged = random() % 4 != 0;
      access.guarded = random() % 4 != 0;
      access.bytes = 4;
      SummaryTerm item, integer, first;
      item.factor = 4;
      item.symbols[0] = kGlobalId;
      integer.factor = 4;
      integer.symbols[0] = kArgument + 2;
      first.factor = static_cast<int64_t>(random() % 4) * 4 - 4;
      access.offset = {item, first};
      if (random() % 2 == 0) access.offset.push_back(integer);
    }
  }
  summary->parameters.emplace_back().known = true;
  return summary;
}

TEST_CASE("a launch that repeats another one has the same findings on the fast path") {
  int plain = 0, repeated = 0, found = 0;
  for (uint32_t seed = 1; seed <= 600; ++seed) {
    std::mt19937 random(seed);
    World short_way(true), long_way(false);
    World* const worlds[] = {&short_way, &long_way};
    const auto summary = RandomSummary(random);
    for (World* world : worlds) {
      world->kernel->summary = summary;
      world->kernel->arguments.resize(3);
      world->kernel->argument_names.resize(3);
      world->kernel->arguments[0].direction =
          seed % 3 == 0 ? Direction::kRead : Direction::kUnknown;
      KernelArgument& integer = world->kernel->arguments[2];
      integer.kind = ArgumentKind::kValue;
      integer.integral = integer.set = true;
      integer.value_bytes = 4;
      for (Resource* buffer : world->buffers) {
        if (buffer->root == buffer && seed % 4 != 0)
          buffer->init.Mark(Region::Linear(0, kBytes), kBytes);
      }
    }
    for (SiteId site = 10; site < 110; ++site) {
      const uint32_t act = random() % 16, buffer = random() % 4, queue = random() % 3;
      const uint32_t integer = random() % 3;
      const uint64_t items = 4 << random() % 2;
      const bool fails = random() % 16 == 0, write = random() % 2 == 0;
      for (World* world : worlds) {
        KernelArgument* arguments = world->kernel->arguments.data();
        if (act < 10) {
          world->RunKnown(queue, items, fails, site);
        } else if (act < 12) {
          world->Copy(queue, buffer, write, false, 0, 16, 0, fails, site);
        } else if (act < 14) {
          arguments[write].resource = WeakRef<Resource>(world->buffers[buffer]);
        } else if (act == 14) {
          arguments[2].value = integer;
        } else {
          world->In(kWaitCall, site,
                    [&](Call&) { world->tracker.ordering().WaitQueue(*world->queues[queue]); });
        }
      }
      INFO("seed " << seed << ", site " << site);
      const std::vector<std::string> expected = long_way.Found();
      REQUIRE(short_way.Found() == expected);
      found += !expected.empty();
    }
    plain += short_way.plain;
    repeated += short_way.repeated;
  }
  CHECK(plain > 5000);
  CHECK(repeated > 1000);
  CHECK(found > 1000);
}

TEST_CASE("a plain copy that fails leaves no access behind") {
  World world(true);
  world.Copy(0, 1, true, false, 0, 16, 0, true, 10);
  world.Copy(1, 1, true, false, 0, 16, 64, false, 11);
  CHECK(world.Found().empty());
  CHECK(world.plain == 2);
}

TEST_CASE("the fast path rejects host memory that is too small or released") {
  World world(true);
  char block[32];
  world.host_memory.Add({reinterpret_cast<uintptr_t>(block), 16, HostBlockKind::kHeap, 3});
  world.In(kWriteCall, 10, [&](Call& call) {
    HostCopy copy;
    copy.queue = world.queues[0];
    copy.resource = world.buffers[0];
    copy.region = Region::Linear(0, 32);
    copy.pointer = block;
    copy.bytes = 32;
    copy.write = true;
    copy.blocking = false;
    CHECK_FALSE(world.tracker.BeginHostCopy(call, copy));
    copy.region = Region::Linear(0, 16);
    copy.bytes = 16;
    CHECK(world.tracker.BeginHostCopy(call, copy));
    // Nothing is known of the rest, until it may have been a block that was released.
    copy.pointer = block + 16;
    CHECK(world.tracker.BeginHostCopy(call, copy));
    world.host_memory.NoteRelease(
        {reinterpret_cast<uintptr_t>(block) + 16, 16, HostBlockKind::kHeap, 3}, 4);
    CHECK_FALSE(world.tracker.BeginHostCopy(call, copy));
  });
}

}  // namespace
}  // namespace gpusan::test
