// What the rules' dispatcher takes for plain is what no rule speaks of.
#include <catch2/catch.hpp>

#include "tests/unit/tracker/tracker_fixture.h"
#include "tracker/rules/rules.h"

namespace gpusan::test {
namespace {

// Every combination of values at and around the limits, of a resource of 64 bytes that is an 8x2
// image of 4 B a texel.
constexpr uint64_t kBytes = 64;
constexpr uint64_t kNear[] = {0, 1, 32, 63, 64, 65, UINT64_MAX};

struct Seen {
  int plain = 0;
  int spoken = 0;
};

class PlainFixture : public TrackerFixture {
 public:
  void Run(const gpusan::Transfer& transfer, Seen* seen) {
    In(kWriteCall, 5, [&](Call& call) {
      rules::RunAllOnTransfer(transfer, call);
      Check(rules::IsPlain(transfer), call, seen);
    });
    sink.Take();
  }
  // As each kind of transfer that it may be.
  void Run(const LinearTransfer& linear, Seen* seen) {
    gpusan::Transfer transfer;
    transfer.source.resource = linear.source;
    transfer.source.region = Region::Linear(linear.source_offset, linear.bytes);
    transfer.destination.resource = linear.destination;
    transfer.destination.region = Region::Linear(linear.destination_offset, linear.bytes);
    transfer.pattern_bytes = linear.pattern_bytes;
    for (TransferKind kind :
         {TransferKind::kWrite, TransferKind::kRead, TransferKind::kCopy, TransferKind::kFill}) {
      if ((kind == TransferKind::kFill) != (linear.source == nullptr)) continue;
      transfer.kind = kind;
      In(kWriteCall, 5, [&](Call& call) {
        rules::RunAllOnTransfer(transfer, call);
        Check(rules::IsPlain(linear), call, seen);
      });
      sink.Take();
    }
  }
  void Run(const Launch& launch, Seen* seen) {
    In(kLaunchCall, 5, [&](Call& call) {
      rules::RunAllOnLaunch(launch, call);
      Check(rules::IsPlain(launch), call, seen);
    });
    sink.Take();
  }
  void Run(const Creation& creation, Seen* seen) {
    In(kCreateCall, 2, [&](Call& call) {
      rules::RunAllOnCreate(creation, call);
      Check(rules::IsPlain(creation), call, seen);
    });
    sink.Take();
  }
  void RunRelease(const Object& object, Seen* seen) {
    In(kReleaseCall, 4, [&](Call& call) {
      rules::RunAllOnRelease(object, call);
      Check(rules::IsPlain(object), call, seen);
    });
    sink.Take();
  }
  Resource* NewMemory(uint16_t flags, const ImageInfo* image, bool initialized) {
    return In(kCreateCall, 2, [&](Call& call) {
      ResourceSpec spec;
      spec.kind = image != nullptr ? ObjectKind::kImage : ObjectKind::kBuffer;
      spec.handle = next_handle_ += 8;
      spec.bytes = kBytes;
      spec.flags = flags;
      spec.image = image;
      spec.initialized = initialized;
      return tracker.objects().NewResource(call, spec);
    });
  }

 private:
  static void Check(bool plain, Call& call, Seen* seen) {
    if (plain) CHECK_FALSE(call.has_findings());
    seen->plain += plain;
    seen->spoken += call.has_findings();
  }
  uintptr_t next_handle_ = 0x1000;
};

const uint16_t kFlags[] = {0,
                           kKernelReadOnly,
                           kKernelWriteOnly,
                           kHostNoAccess,
                           kHostReadOnly,
                           kHostWriteOnly,
                           kKernelReadOnly | kCopiedHostMemory};

TEST_CASE_METHOD(PlainFixture, "no rule speaks of a transfer of a buffer that is plain") {
  Seen seen;
  char host[256];
  for (uint16_t flags : kFlags) {
    for (int state = 0; state < 3; ++state) {  // nothing written, all written, a write that failed
      Resource* buffer = NewMemory(flags, nullptr, state == 1);
      if (state == 2) tracker.objects().ExtraOf(*buffer).failed_write_call = &kWriteCall;
      for (uint64_t offset : kNear) {
        for (uint64_t width : kNear) {
          for (uint64_t block_bytes : {uint64_t{0}, uint64_t{32}, uint64_t{64}}) {
            for (const void* pointer :
                 {static_cast<const void*>(nullptr), static_cast<const void*>(host)}) {
              for (uint64_t pitch : {0, 16, 70}) {
                for (TransferKind kind : {TransferKind::kWrite, TransferKind::kRead}) {
                  gpusan::Transfer transfer;
                  transfer.kind = kind;
                  Side& device =
                      kind == TransferKind::kWrite ? transfer.destination : transfer.source;
                  Side& other =
                      kind == TransferKind::kWrite ? transfer.source : transfer.destination;
                  device.resource = buffer;
                  device.region = Region::Linear(offset, width);
                  other.region = Region::Linear(0, width);
                  other.pointer = pointer;
                  other.block_known = block_bytes != 0 && pointer != nullptr;
                  other.block = {reinterpret_cast<uintptr_t>(pointer), block_bytes,
                                 HostBlockKind::kHeap, 9};
                  if (pitch != 0) {
                    for (Side* side : {&device, &other}) {
                      side->pitches_given = true;
                      side->row_pitch = side->slice_pitch = pitch;
                      side->row_bytes = width;
                      side->rows = 2;
                    }
                  }
                  Run(transfer, &seen);
                }
              }
            }
          }
        }
      }
    }
  }
  CHECK(seen.plain > 100);
  CHECK(seen.spoken > 1000);
}

TEST_CASE_METHOD(PlainFixture, "no rule speaks of a transfer of an image that is plain") {
  Seen seen;
  char host[256];
  ImageInfo info;
  info.extent[0] = 8;
  info.extent[1] = 2;
  info.dimensions = 2;
  info.texel_bytes = 4;
  info.channels = 4;
  info.row_pitch = 32;
  info.slice_pitch = 64;
  for (uint16_t flags : kFlags) {
    for (bool initialized : {false, true}) {
      Resource* image = NewMemory(flags, &info, initialized);
      for (uint64_t x : {0, 1, 8}) {
        for (uint64_t width : {0, 4, 8, 9}) {
          for (uint64_t rows : {0, 1, 2, 3}) {
            for (uint64_t slices : {0, 1, 2}) {
              for (uint64_t block_bytes : {0, 16, 32, 64}) {
                for (uint64_t pitch : {0, 30, 48}) {
                  for (TransferKind kind : {TransferKind::kWrite, TransferKind::kRead}) {
                    gpusan::Transfer transfer;
                    transfer.kind = kind;
                    Side& device =
                        kind == TransferKind::kWrite ? transfer.destination : transfer.source;
                    Side& other =
                        kind == TransferKind::kWrite ? transfer.source : transfer.destination;
                    device.resource = image;
                    device.box = {{x, 0, 0}, {width, rows, slices}};
                    device.region = Region::Strided(x * 4, width * 4, rows, 32, slices, 64);
                    other.region = Region::Strided(0, width * 4, rows,
                                                   pitch != 0 ? pitch : width * 4, slices, 0);
                    other.pointer = host;
                    other.block_known = block_bytes != 0;
                    other.block = {reinterpret_cast<uintptr_t>(host), block_bytes,
                                   HostBlockKind::kHeap, 9};
                    other.pitches_given = true;
                    other.row_pitch = pitch;
                    other.row_bytes = width * 4;
                    other.rows = rows;
                    Run(transfer, &seen);
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  CHECK(seen.plain > 50);
  CHECK(seen.spoken > 1000);
}

TEST_CASE_METHOD(PlainFixture, "no rule speaks of a linear transfer that is plain") {
  Seen seen;
  Resource* other = NewMemory(0, nullptr, true);
  ImageInfo info;
  info.extent[0] = 16;
  info.dimensions = 1;
  info.texel_bytes = 4;
  info.row_pitch = info.slice_pitch = kBytes;
  for (uint16_t flags : kFlags) {
    for (const ImageInfo* image : {static_cast<const ImageInfo*>(nullptr), &std::as_const(info)}) {
      for (int state = 0; state < 3; ++state) {  // as above
        Resource* one = NewMemory(flags, image, state == 1);
        if (state == 2) tracker.objects().ExtraOf(*one).failed_write_call = &kWriteCall;
        for (uint64_t offset : kNear) {
          for (uint64_t bytes : kNear) {
            for (uint64_t pattern_bytes : {1, 2, 4}) {
              Run({one, other, offset, 0, bytes}, &seen);
              Run({other, one, 0, offset, bytes}, &seen);
              Run({nullptr, one, 0, offset, bytes, pattern_bytes}, &seen);
            }
          }
        }
      }
    }
  }
  CHECK(seen.plain > 100);
  CHECK(seen.spoken > 1000);
}

TEST_CASE_METHOD(PlainFixture, "no rule speaks of a creation that is plain") {
  Seen seen;
  ImageInfo shape;
  shape.dimensions = 2;
  shape.extent[0] = shape.extent[1] = 4;
  shape.texel_bytes = 4;
  Resource* parent = NewMemory(0, nullptr, true);
  char host[256];
  host_memory.Add({reinterpret_cast<uintptr_t>(host), 32, HostBlockKind::kHeap, 3});
  for (uint16_t flags : kFlags) {
    for (const ImageInfo* info : {static_cast<const ImageInfo*>(nullptr), &std::as_const(shape)}) {
      for (const void* pointer :
           {static_cast<const void*>(nullptr), static_cast<const void*>(host)}) {
        for (uint64_t pitch : {0, 3, 16}) {
          for (const char* conflict : {static_cast<const char*>(nullptr), "both"}) {
            for (uint64_t parent_offset : {0, 1, 16}) {
              Creation creation;
              creation.kind = info != nullptr ? ObjectKind::kImage : ObjectKind::kBuffer;
              creation.bytes = creation.host_bytes = 64;
              creation.flags = flags;
              creation.image = info;
              creation.host_pointer = pointer;
              creation.row_pitch = pitch;
              creation.conflict = conflict;
              creation.parent = parent_offset != 0 ? parent : nullptr;
              creation.parent_offset = parent_offset;
              creation.parent_alignment = 16;
              Run(creation, &seen);
            }
          }
        }
      }
    }
  }
  CHECK(seen.plain >= 14);
  CHECK(seen.spoken > 100);
}

TEST_CASE_METHOD(PlainFixture, "no rule speaks of a release that is plain") {
  Seen seen;
  Resource* mapped = NewMemory(0, nullptr, true);
  tracker.objects().ExtraOf(*mapped).mappings.push_back(
      {0x1000, Region::Linear(0, 8), 5, true, true});
  Event* user = NewUserEvent(0x8);
  user->waiters = 1;
  Queue* queue = NewQueue(0x10, true);
  Resource* busy = NewMemory(0, nullptr, true);
  const Command command = Transfer(queue, busy, true, 0, 8);
  for (const Object* object :
       {static_cast<const Object*>(NewMemory(0, nullptr, true)), static_cast<const Object*>(mapped),
        static_cast<const Object*>(user), static_cast<const Object*>(queue),
        static_cast<const Object*>(busy), static_cast<const Object*>(EventOf(0x18, command))}) {
    RunRelease(*object, &seen);
  }
  CHECK(seen.plain == 3);
  CHECK(seen.spoken == 2);
}

TEST_CASE_METHOD(PlainFixture, "no rule speaks of a launch that is plain") {
  Seen seen;
  Kernel* kernel = In(kCreateCall, 1, [&](Call& call) {
    return tracker.objects().NewKernel(call, 0x8, nullptr, nullptr, "k");
  });
  for (uint16_t flags : kFlags) {
    for (int state = 0; state < 3; ++state) {
      for (Direction direction :
           {Direction::kUnknown, Direction::kRead, Direction::kWrite, Direction::kReadWrite}) {
        for (uint64_t work_items : {1, 16, 64}) {
          for (uint16_t element_bytes : {0, 4}) {
            for (bool indirect : {false, true}) {
              Resource* buffer = NewMemory(flags, nullptr, state == 1);
              if (state == 2) tracker.objects().ExtraOf(*buffer).failed_write_call = &kWriteCall;
              LaunchArgument argument;
              argument.resource = buffer;
              argument.direction = direction;
              argument.element_bytes = element_bytes;
              argument.indirect = indirect;
              Launch launch;
              launch.kernel = kernel;
              launch.arguments = absl::MakeConstSpan(&argument, 1);
              launch.work_items = work_items;
              launch.writable_arguments = direction != Direction::kRead;
              Run(launch, &seen);
            }
          }
        }
      }
    }
  }
  CHECK(seen.plain > 50);
  CHECK(seen.spoken > 50);
}

}  // namespace
}  // namespace gpusan::test
