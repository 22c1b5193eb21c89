// What is kept of memory that host and device share: which atoms the host changed, and which uses
// matter.
#include "hooks/vulkan/objects/device_writes.h"

#include <catch2/catch.hpp>

namespace {

using gpusan::Epoch;
using gpusan::HostClock;
using gpusan::vulkan::AtomHashes;
using gpusan::vulkan::DeviceUse;
using gpusan::vulkan::HostView;

// Mapped memory of 1 KiB with atoms of 64 B.
struct Memory {
  Memory() { hashes.Reset(sizeof(bytes), 64); }
  uintptr_t at() const { return reinterpret_cast<uintptr_t>(bytes); }
  bool Changed(uint64_t begin, uint64_t end, bool mapped = true) {
    return hashes.Changed(at(), begin, end, 0, mapped ? sizeof(bytes) : 0, &from, &to);
  }
  alignas(64) unsigned char bytes[1024] = {};
  AtomHashes hashes;
  uint64_t from = 0, to = 0;
};

TEST_CASE("a change since the agreement is found with its atoms") {
  Memory memory;
  memory.hashes.Agree(memory.at(), 0, 1024);
  CHECK_FALSE(memory.Changed(0, 1024));
  memory.bytes[200] = 1;
  memory.bytes[300] = 1;
  REQUIRE(memory.Changed(0, 1024));
  CHECK(memory.from == 192);
  CHECK(memory.to == 320);
  CHECK_FALSE(memory.Changed(0, 192));
  CHECK_FALSE(memory.Changed(320, 1024));
}

TEST_CASE("an atom that lies in the range in part only is not checked") {
  Memory memory;
  memory.hashes.Agree(memory.at(), 0, 1024);
  memory.bytes[100] = 1;
  CHECK_FALSE(memory.Changed(70, 1024));
  CHECK_FALSE(memory.Changed(0, 127));
  CHECK(memory.Changed(64, 128));
}

TEST_CASE("unknown bytes that the device has read are compared with their content then") {
  Memory memory;
  memory.hashes.Agree(memory.at(), 0, 512);
  memory.bytes[100] = 1;
  memory.hashes.KeepUnknown(memory.at(), 0, 1000);
  memory.bytes[700] = 1;
  memory.bytes[999] = 1;
  REQUIRE(memory.Changed(0, 1024));
  CHECK(memory.from == 64);
  CHECK(memory.to == 704);
  // Of the last atom, the device has read a part.
  CHECK_FALSE(memory.Changed(704, 1024));
}

TEST_CASE("bytes without an agreement are not checked") {
  Memory memory;
  memory.bytes[0] = 1;
  CHECK_FALSE(memory.Changed(0, 1024));
  memory.hashes.Agree(memory.at(), 0, 512);
  memory.hashes.Forget(10, 20);
  memory.bytes[0] = 2;
  memory.bytes[600] = 2;
  CHECK_FALSE(memory.Changed(0, 1024));
  // An agreement on parts of atoms says nothing of them.
  memory.hashes.Agree(memory.at(), 0, 1024);
  memory.hashes.Agree(memory.at(), 100, 120);
  memory.bytes[110] = 3;
  CHECK_FALSE(memory.Changed(0, 1024));
}

TEST_CASE("a change is remembered when the mapping ends, until the next agreement") {
  Memory memory;
  memory.hashes.Agree(memory.at(), 0, 1024);
  memory.bytes[64] = 1;
  memory.hashes.Close(memory.at(), 0, 1024);
  REQUIRE(memory.Changed(0, 1024, false));
  CHECK(memory.from == 64);
  CHECK(memory.to == 128);
  memory.hashes.Agree(memory.at(), 0, 1024);
  CHECK_FALSE(memory.Changed(0, 1024, false));
  // What is not mapped is not looked at.
  memory.bytes[64] = 2;
  CHECK_FALSE(memory.Changed(0, 1024, false));
}

DeviceUse Use(uint64_t begin, uint64_t end, bool write, uint64_t tick) {
  DeviceUse use;
  use.begin = begin;
  use.end = end;
  use.write = write;
  use.exact = true;
  use.epoch = Epoch(1, tick);
  return use;
}

TEST_CASE("reads are removed when they are complete, and writes stay until they are overwritten") {
  HostView view;
  auto host = std::make_unique<HostClock>();
  view.Add(Use(0, 64, false, 1), *host);
  view.Add(Use(0, 64, true, 2), *host);
  host->Join(Epoch(1, 2));
  view.Add(Use(128, 192, false, 3), *host);
  REQUIRE(view.uses.size() == 2);
  REQUIRE(view.LastWrite(0, 10) != nullptr);
  CHECK(view.LastWrite(0, 10)->epoch == Epoch(1, 2));
  CHECK(view.LastWrite(64, 128) == nullptr);
  view.Add(Use(0, 128, true, 4), *host);
  CHECK(view.uses.size() == 2);
  CHECK(view.LastWrite(0, 10)->epoch == Epoch(1, 4));
}

TEST_CASE("the number of stored uses is bounded") {
  HostView view;
  auto host = std::make_unique<HostClock>();
  for (uint64_t i = 0; i < 1000; ++i) view.Add(Use(i * 64, i * 64 + 64, true, i + 1), *host);
  CHECK(view.uses.size() == HostView::kMaxUses);
  CHECK(view.uses.back().begin == 999 * 64);
}

}  // namespace
