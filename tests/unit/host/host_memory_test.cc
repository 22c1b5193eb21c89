// The table of host blocks: interior addresses, sizes from bytes to gigabytes, stale blocks,
// mappings, threads.
#include "tracker/memory/host_memory.h"

#include <pthread.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace gpusan {
namespace {

constexpr uintptr_t kBase = 0x7f0000000000;  // addresses are numbers here: nothing is behind them

HostBlock Heap(uintptr_t begin, size_t bytes, SiteId site = 1) {
  return {begin, bytes, HostBlockKind::kHeap, site};
}

HostBlock Mapping(uintptr_t begin, size_t bytes, SiteId site = 2) {
  return {begin, bytes, HostBlockKind::kMapping, site};
}

// "begin+bytes" of the block at `address` as offsets from kBase, or "none".
std::string At(const HostMemory& memory, uintptr_t address) {
  HostBlock block;
  if (!memory.Find(address, &block)) return "none";
  return std::to_string(block.begin - kBase) + "+" + std::to_string(block.bytes) +
         (block.kind == HostBlockKind::kHeap ? " heap" : " mapping");
}

TEST_CASE("the search in a mapping that ends within a page ends") {
  HostMemory memory;
  memory.Add({0x70000000, 4000, HostBlockKind::kMapping, 3});
  HostBlock block{};
  REQUIRE(memory.FindSpan(0x70000000, 4096, &block));
  CHECK(block.bytes == 4000);
}

TEST_CASE("a heap block is found from its first byte to its last and not beyond") {
  const size_t sizes[] = {1,          24,         1024,    4096,           5000,
                          200 * 1024, 300 * 1024, 3 << 20, size_t{5} << 30};
  for (const size_t bytes : sizes) {
    HostMemory memory;
    const uintptr_t begin = kBase + 1008;
    memory.Add(Heap(begin, bytes, 7));
    HostBlock block;
    for (const uintptr_t address : {begin, begin + bytes / 2, begin + bytes - 1}) {
      REQUIRE(memory.Find(address, &block));
      CHECK(block.begin == begin);
      CHECK(block.bytes == bytes);
      CHECK(block.site == 7);
    }
    CHECK_FALSE(memory.Find(begin - 1, &block));
    CHECK_FALSE(memory.Find(begin + bytes, &block));
    CHECK_FALSE(memory.RemoveHeap(begin + 1, &block));
    REQUIRE(memory.RemoveHeap(begin, &block));
    CHECK(block.bytes == bytes);
    CHECK_FALSE(memory.Find(begin, &block));
    CHECK_FALSE(memory.Find(begin + bytes - 1, &block));
    CHECK_FALSE(memory.RemoveHeap(begin, &block));
  }
}

TEST_CASE("several blocks in one page do not hide each other") {
  HostMemory memory;
  for (int i = 0; i < 64; ++i) memory.Add(Heap(kBase + i * 64, 48));
  CHECK(At(memory, kBase + 5 * 64 + 47) == "320+48 heap");
  CHECK(At(memory, kBase + 5 * 64 + 48) == "none");
  HostBlock block;
  for (int i = 0; i < 64; i += 2) CHECK(memory.RemoveHeap(kBase + i * 64, &block));
  CHECK(At(memory, kBase + 4 * 64) == "none");
  CHECK(At(memory, kBase + 63 * 64) == "4032+48 heap");
}

TEST_CASE("a block that ends in a page and one that begins in it are both found") {
  HostMemory memory;
  memory.Add(Heap(kBase, 6000));
  memory.Add(Heap(kBase + 6000, 6000));
  CHECK(At(memory, kBase + 5999) == "0+6000 heap");
  CHECK(At(memory, kBase + 6000) == "6000+6000 heap");
  CHECK(At(memory, kBase + 8192) == "6000+6000 heap");
}

TEST_CASE("blocks across chunk boundaries of the table are found on both sides") {
  HostMemory memory;
  const uintptr_t boundary = kBase + (4 << 20);
  memory.Add(Heap(boundary - 600, 1200));
  CHECK(At(memory, boundary - 1) != "none");
  CHECK(At(memory, boundary + 599) != "none");
  CHECK(At(memory, boundary + 600) == "none");
  memory.Add(Heap(boundary + 700, 100));
  CHECK(At(memory, boundary + 599) != "none");
  HostBlock block;
  CHECK(memory.RemoveHeap(boundary - 600, &block));
  CHECK(At(memory, boundary + 10) == "none");
  CHECK(At(memory, boundary + 710) != "none");
}

TEST_CASE("a new block forgets stale blocks that it overlaps") {
  for (const size_t stale : {size_t{2000}, size_t{100000}, size_t{1} << 20, size_t{8} << 20}) {
    for (const size_t fresh : {size_t{500}, size_t{50000}, size_t{1} << 20, size_t{16} << 20}) {
      for (const uintptr_t shift : {uintptr_t{0}, uintptr_t{256}, uintptr_t{1999}}) {
        HostMemory memory;
        HostBlock block;
        memory.Add(Heap(kBase + 4096, stale, 1));
        REQUIRE(memory.Find(kBase + 4096, &block));  // warm
        memory.Add(Heap(kBase + 4096 + shift, fresh, 2));
        REQUIRE(memory.Find(kBase + 4096 + shift, &block));
        CHECK(block.site == 2);
        if (shift != 0) CHECK_FALSE(memory.Find(kBase + 4096, &block));
        if (stale > shift + fresh) CHECK_FALSE(memory.Find(kBase + 4096 + shift + fresh, &block));
      }
    }
  }
}

TEST_CASE(
    "a heap block is found before the mapping around it, and the mapping where no heap block is") {
  HostMemory memory;
  memory.Add(Mapping(kBase, 1 << 20));
  CHECK(At(memory, kBase + 5000) == "0+1048576 mapping");
  memory.Add(Heap(kBase + 4096, 2048));
  CHECK(At(memory, kBase + 5000) == "4096+2048 heap");
  CHECK(At(memory, kBase + 4095) == "0+1048576 mapping");
  HostBlock block;
  memory.RemoveHeap(kBase + 4096, &block);
  CHECK(At(memory, kBase + 5000) == "0+1048576 mapping");
}

TEST_CASE("a heap block is found in a page whose mapping was just found beside it") {
  HostMemory memory;
  memory.Add(Mapping(kBase, 1 << 20));
  memory.Add(Heap(kBase + 4096 + 1000, 2000));
  CHECK(At(memory, kBase + 4096) == "0+1048576 mapping");
  CHECK(At(memory, kBase + 4096 + 1000) == "5096+2000 heap");
  CHECK(At(memory, kBase + 4096 + 3000) == "0+1048576 mapping");
  CHECK(At(memory, kBase + 4096 + 2999) == "5096+2000 heap");
}

TEST_CASE("a large heap block in a mapping that was just found is found at once") {
  HostMemory memory;
  memory.Add(Mapping(kBase, size_t{1} << 30));
  CHECK(At(memory, kBase + (10 << 20)) == "0+1073741824 mapping");
  memory.Add(Heap(kBase + (8 << 20), 4 << 20));
  CHECK(At(memory, kBase + (10 << 20)) == "8388608+4194304 heap");
}

TEST_CASE("unmapping cuts a mapping at its ends, in the middle and across several") {
  HostMemory memory;
  memory.Add(Mapping(kBase, 16 * 4096));
  memory.RemoveMapping(kBase, 4096);
  memory.RemoveMapping(kBase + 15 * 4096, 4096);
  memory.RemoveMapping(kBase + 6 * 4096, 2 * 4096);
  CHECK(At(memory, kBase) == "none");
  CHECK(At(memory, kBase + 4096) == "4096+20480 mapping");
  CHECK(At(memory, kBase + 7 * 4096) == "none");
  CHECK(At(memory, kBase + 8 * 4096) == "32768+28672 mapping");
  memory.Add(Mapping(kBase + 64 * 4096, 4096));
  memory.RemoveMapping(kBase + 2 * 4096, 100 * 4096);
  CHECK(At(memory, kBase + 4096) == "4096+4096 mapping");
  CHECK(At(memory, kBase + 8 * 4096) == "none");
  CHECK(At(memory, kBase + 64 * 4096) == "none");
}

TEST_CASE("a new mapping replaces the mappings and blocks in its range") {
  HostMemory memory;
  memory.Add(Mapping(kBase, 16 * 4096, 1));
  memory.Add(Heap(kBase + 5 * 4096, 2000));
  memory.Add(Mapping(kBase + 4 * 4096, 4 * 4096, 2));
  CHECK(At(memory, kBase + 3 * 4096) == "0+16384 mapping");
  CHECK(At(memory, kBase + 5 * 4096) == "16384+16384 mapping");
  CHECK(At(memory, kBase + 8 * 4096) == "32768+32768 mapping");
}

TEST_CASE("a span may continue in the next mapping, and ends at a gap") {
  HostMemory memory;
  memory.Add(Mapping(kBase, 8192, 1));
  memory.Add(Mapping(kBase + 8192, 8192, 2));
  memory.Add(Mapping(kBase + 20480, 4096, 3));
  memory.Add(Heap(kBase + 9000, 2000));
  HostBlock block;
  REQUIRE(memory.FindSpan(kBase + 100, 8092, &block));
  CHECK(block.bytes == 8192);
  REQUIRE(memory.FindSpan(kBase + 100, 8093, &block));
  CHECK(block.begin == kBase);
  CHECK(block.bytes == 16384);
  CHECK(block.site == 1);
  REQUIRE(memory.FindSpan(kBase, ~uint64_t{0}, &block));
  CHECK(block.bytes == 16384);
  REQUIRE(memory.FindSpan(kBase + 9000, 4000, &block));
  CHECK(block.bytes == 2000);
  CHECK_FALSE(memory.FindSpan(kBase + 16384, 1, &block));
}

TEST_CASE("a span is not checked where the next mapping is known by its heap blocks alone") {
  HostMemory memory;
  memory.Add(Mapping(kBase, 4096));
  memory.Add(Heap(kBase + 4096, 4096));
  HostBlock block;
  CHECK(memory.FindSpan(kBase, 4096, &block));
  CHECK_FALSE(memory.FindSpan(kBase, 4097, &block));
}

TEST_CASE("unmapping forgets heap blocks of all sizes in the range") {
  HostMemory memory;
  memory.Add(Heap(kBase + 100, 2000));
  memory.Add(Heap(kBase + (3 << 20), 2 << 20));
  memory.Add(Heap(kBase + (6 << 20) - 64, 4096));
  memory.Add(Heap(kBase + (20 << 20), 2000));
  memory.RemoveMapping(kBase, 8 << 20);
  CHECK(At(memory, kBase + 200) == "none");
  CHECK(At(memory, kBase + (4 << 20)) == "none");
  CHECK(At(memory, kBase + (6 << 20)) == "none");
  CHECK(At(memory, kBase + (20 << 20)) != "none");
}

TEST_CASE("blocks that cannot be stored are rejected without side effects") {
  HostMemory memory;
  HostBlock block;
  memory.Add(Heap(kBase, 0));
  memory.Add(Heap(~uintptr_t{0} - 10, 100));
  memory.Add(Heap(uintptr_t{1} << 60, 100));
  memory.Add(Heap(kBase, size_t{2} << 40));
  memory.RemoveMapping(~uintptr_t{0} - 10, 100);
  memory.RemoveMapping(kBase, 0);
  CHECK_FALSE(memory.Find(kBase, &block));
  CHECK_FALSE(memory.Find(~uintptr_t{0}, &block));
  CHECK_FALSE(memory.RemoveHeap(~uintptr_t{0}, &block));
  CHECK_FALSE(memory.RemoveHeap(0, &block));
}

TEST_CASE("the last releases are remembered, newest first") {
  HostMemory memory;
  memory.NoteRelease(Heap(kBase, 100, 1), 10);
  memory.NoteRelease(Heap(kBase + 50, 100, 2), 11);
  HostBlock block;
  SiteId released = 0;
  REQUIRE(memory.FindReleased(kBase + 60, &block, &released));
  CHECK(block.site == 2);
  CHECK(released == 11);
  CHECK(memory.MayHaveReleased(kBase));
  CHECK(memory.MayHaveReleased(kBase + 149));
  CHECK_FALSE(memory.MayHaveReleased(kBase - 1));
  CHECK_FALSE(memory.MayHaveReleased(kBase + 150));
  CHECK_FALSE(HostMemory().MayHaveReleased(kBase));
  REQUIRE(memory.FindReleased(kBase + 10, &block, &released));
  CHECK(released == 10);
  CHECK_FALSE(memory.FindReleased(kBase + 150, &block, &released));
  for (int i = 0; i < 50000; ++i) memory.NoteRelease(Heap(kBase + 4096 + i * 128, 100), 12);
  CHECK_FALSE(memory.FindReleased(kBase + 60, &block, &released));
}

TEST_CASE("two tables do not share blocks") {
  HostMemory one, other;
  one.Add(Heap(kBase, 4096));
  HostBlock block;
  CHECK(one.Find(kBase, &block));
  CHECK_FALSE(other.Find(kBase, &block));
}

TEST_CASE("random blocks agree with a plain ordered map") {
  HostMemory memory;
  std::map<uintptr_t, size_t> model;
  std::mt19937_64 random(20240607);
  const auto forget = [&](uintptr_t begin, size_t bytes) {
    auto it = model.lower_bound(begin);
    if (it != model.begin() && std::prev(it)->first + std::prev(it)->second > begin) --it;
    while (it != model.end() && it->first < begin + bytes) it = model.erase(it);
  };
  for (int i = 0; i < 60000; ++i) {
    const uintptr_t address = kBase + random() % (64 << 20);
    const size_t bytes = 1 + random() % (size_t{1} << (random() % 23));
    HostBlock block;
    switch (random() % 8) {
      case 0:
      case 1:
      case 2:
        forget(address, bytes);
        model[address] = bytes;
        memory.Add(Heap(address, bytes));
        break;
      case 3:
      case 4: {
        auto it = model.lower_bound(address);
        if (it == model.end()) break;
        const bool removed = memory.RemoveHeap(it->first, &block);
        REQUIRE(removed);
        REQUIRE(block.bytes == it->second);
        model.erase(it);
        break;
      }
      case 5:
        if (i % 50 == 0) {
          forget(address, bytes);
          memory.RemoveMapping(address, bytes);
        }
        break;
      default: {
        auto it = model.upper_bound(address);
        const bool inside =
            it != model.begin() && address < std::prev(it)->first + std::prev(it)->second;
        const bool found = memory.Find(address, &block);
        REQUIRE(found == inside);
        if (found) REQUIRE(block.begin == std::prev(it)->first);
      }
    }
  }
}

TEST_CASE("threads add, find and remove at the same time") {
  HostMemory memory;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random(t);
      for (int i = 0; i < 20000; ++i) {
        // Threads share pages and chunks but not bytes.
        const uintptr_t begin = kBase + (random() % 512) * 65536 + t * 16384;
        const size_t bytes = 1 + random() % 16384;
        HostBlock block;
        memory.Add(Heap(begin, bytes, t + 1));
        if (!memory.Find(begin + bytes / 2, &block) || block.begin != begin ||
            block.site != SiteId(t + 1))
          ++wrong;
        if (i % 16 == 0) {
          const uintptr_t large = kBase + (size_t{1} << 30) + t * (size_t{16} << 20);
          memory.Add(Heap(large, 4 << 20, t + 1));
          memory.Add(Mapping(large + (8 << 20), 1 << 20, t + 1));
          if (!memory.Find(large + 5, &block) || block.begin != large) ++wrong;
          if (!memory.Find(large + (8 << 20) + 5, &block)) ++wrong;
          if (!memory.RemoveHeap(large, &block)) ++wrong;
          memory.RemoveMapping(large + (8 << 20), 1 << 20);
          if (memory.Find(large + 5, &block)) ++wrong;
        }
        if (!memory.RemoveHeap(begin, &block)) ++wrong;
        if (memory.Find(begin, &block)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

// Looks a block up while its thread ends, when the thread's storage is gone.
struct LateLook {
  HostMemory memory;
  bool found_running = false;
  bool found_ending = false;
};

TEST_CASE("a thread that ends finds blocks without thread-local storage") {
  LateLook look;
  look.memory.Add(Heap(kBase, 100));
  look.memory.Add(Heap(kBase + 8192, 200));
  // The destructors of keys run in the order of the keys, and this is the newest.
  pthread_key_t key;
  REQUIRE(pthread_key_create(&key, [](void* data) {
            auto& of = *static_cast<LateLook*>(data);
            HostBlock block;
            of.found_ending = of.memory.Find(kBase + 99, &block) && block.bytes == 100 &&
                              of.memory.MayHold(kBase + 99, 1) && !of.memory.MayHold(kBase + 99, 2);
          }) == 0);
  std::thread([&] {
    HostBlock block;
    look.found_running = look.memory.Find(kBase + 8192, &block) && block.bytes == 200;
    pthread_setspecific(key, &look);
  }).join();
  pthread_key_delete(key);
  CHECK(look.found_running);
  CHECK(look.found_ending);
}

TEST_CASE("the thread is busy only inside of a call") {
  CHECK_FALSE(HostMemory::BusyOnThisThread());
}

}  // namespace
}  // namespace gpusan
