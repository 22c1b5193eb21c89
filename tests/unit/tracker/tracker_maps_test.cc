// Handle map, address map, slab and host shadow, also with several threads.
#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "tracker/base/compact_vector.h"
#include "tracker/base/slab.h"
#include "tracker/memory/handle_map.h"
#include "tracker/memory/released_regions.h"
#include "tracker/objects/address_map.h"
#include "tracker/order/host_shadow.h"

namespace gpusan {
namespace {

struct Node {
  Node* next_free = nullptr;
  std::atomic<uint64_t> value{0};
};

TEST_CASE("the handle map agrees with std::map over random insertions and removals") {
  auto map = std::make_unique<HandleMap<Node>>();
  std::map<uintptr_t, Node*> expected;
  std::vector<Node> nodes(64);
  std::mt19937 random(11);
  for (int step = 0; step < 200000; ++step) {
    const uintptr_t key = (random() % 3000 + 1) * 8;
    Node* node = &nodes[random() % nodes.size()];
    if (random() % 2 == 0) {
      const auto found = expected.find(key);
      REQUIRE(map->Insert(key, node) == (found == expected.end() ? nullptr : found->second));
      expected[key] = node;
    } else {
      const auto found = expected.find(key);
      const bool there = found != expected.end() && found->second == node;
      REQUIRE(map->Erase(key, node) == there);
      if (there) expected.erase(found);
    }
    const uintptr_t other = (random() % 3000 + 1) * 8;
    const auto found = expected.find(other);
    REQUIRE(map->Find(other) == (found == expected.end() ? nullptr : found->second));
  }
  for (uintptr_t key = 8; key <= 3000 * 8; key += 8) {
    const auto found = expected.find(key);
    REQUIRE(map->Find(key) == (found == expected.end() ? nullptr : found->second));
  }
}

TEST_CASE("readers of the handle map find lasting entries while writers insert and remove others") {
  auto map = std::make_unique<HandleMap<Node>>();
  constexpr uintptr_t kStable = 2000;
  std::vector<Node> stable(kStable);
  for (uintptr_t i = 0; i < kStable; ++i) map->Insert((i + 1) * 16, &stable[i]);
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      Node node;
      for (int round = 0; round < 30; ++round) {
        for (uintptr_t i = 0; i < 500; ++i)
          map->Insert((i + 1) * 16 + 8 + (t + 1) * 1000000, &node);
        for (uintptr_t i = 0; i < 500; ++i) {
          if (!map->Erase((i + 1) * 16 + 8 + (t + 1) * 1000000, &node)) ++wrong;
        }
      }
    });
  }
  for (unsigned t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      while (!stop.load(std::memory_order_relaxed)) {
        for (int i = 0; i < 1000; ++i) {
          const uintptr_t at = random() % kStable;
          if (map->Find((at + 1) * 16) != &stable[at]) ++wrong;
          if (map->Find((at + 1) * 16 + 8) != nullptr) ++wrong;
        }
      }
    });
  }
  threads[0].join();
  threads[1].join();
  stop.store(true, std::memory_order_relaxed);
  threads[2].join();
  threads[3].join();
  CHECK(wrong == 0);
}

TEST_CASE("a slab reuses memory and never returns one object twice") {
  auto slab = std::make_unique<Slab<Node>>();
  std::set<Node*> live;
  for (int i = 0; i < 5000; ++i) REQUIRE(live.insert(slab->New()).second);
  const size_t peak = slab->bytes_mapped();
  for (int round = 0; round < 5; ++round) {
    for (Node* node : live) slab->Delete(node);
    live.clear();
    for (int i = 0; i < 5000; ++i) REQUIRE(live.insert(slab->New()).second);
  }
  CHECK(slab->bytes_mapped() == peak);
  size_t seen = 0;
  slab->ForEach([&](Node&) { ++seen; });
  CHECK(seen >= live.size());
}

TEST_CASE("a slab has memory for objects that were created alone, and visits them") {
  auto slab = std::make_unique<Slab<Node>>();
  slab->New();
  size_t seen = 0;
  slab->ForEach([&](Node&) { ++seen; });
  CHECK(seen * sizeof(Node) <= 4096);
  for (int i = 0; i < 5000; ++i) slab->New();
  seen = 0;
  slab->ForEach([&](Node&) { ++seen; });
  CHECK(seen >= 5001);
  CHECK(seen * sizeof(Node) <= 5001 * sizeof(Node) + 4096);
}

TEST_CASE("a compact vector agrees with std::vector") {
  CompactVector<uint64_t> compact;
  std::vector<uint64_t> plain;
  std::mt19937 random(5);
  CHECK(sizeof(compact) == sizeof(void*));
  for (int step = 0; step < 5000; ++step) {
    const uint32_t choice = random() % 16;
    if (choice < 8) {
      plain.push_back(random());
      compact.push_back(plain.back());
    } else if (choice < 10 && !plain.empty()) {
      plain.push_back(plain.front());
      compact.push_back(compact[0]);
    } else if (choice < 15 && !plain.empty()) {
      const size_t at = random() % plain.size();
      plain.erase(plain.begin() + static_cast<ptrdiff_t>(at));
      compact.erase(at);
    } else if (random() % 8 == 0) {
      plain.clear();
      compact.clear();
    }
    REQUIRE(compact.size() == plain.size());
    REQUIRE(compact.empty() == plain.empty());
    REQUIRE(std::equal(compact.begin(), compact.end(), plain.begin()));
  }
}

TEST_CASE("objects that are created on one thread and deleted on another are reused") {
  auto slab = std::make_unique<Slab<Node>>();
  using Nodes = std::array<Node*, 400>;
  std::atomic<Nodes*> box{nullptr};
  constexpr int kCount = 500;
  // The threads hand over many objects at once, because on a busy machine each hand-over takes a
  // time slice of the scheduler.
  std::thread consumer([&] {
    for (int i = 0; i < kCount;) {
      const std::unique_ptr<Nodes> nodes(box.exchange(nullptr, std::memory_order_acq_rel));
      if (nodes == nullptr) {
        std::this_thread::yield();
        continue;
      }
      for (Node* node : *nodes) slab->Delete(node);
      ++i;
    }
  });
  std::thread producer([&] {
    for (int i = 0; i < kCount; ++i) {
      auto nodes = std::make_unique<Nodes>();
      for (Node*& node : *nodes) node = slab->New();
      Nodes* empty = nullptr;
      while (!box.compare_exchange_weak(empty, nodes.get(), std::memory_order_acq_rel)) {
        empty = nullptr;
        std::this_thread::yield();
      }
      nodes.release();
    }
  });
  producer.join();
  consumer.join();
  CHECK(slab->bytes_mapped() <= 8 * 64 * 1024);
}

TEST_CASE("objects that a thread keeps of a slab are reused after its end") {
  auto slab = std::make_unique<Slab<Node>>();
  for (int i = 0; i < 3000; ++i) {
    std::thread([&] {
      std::set<Node*> live;
      for (int j = 0; j < 20; ++j) REQUIRE(live.insert(slab->New()).second);
      for (Node* node : live) slab->Delete(node);
    }).join();
  }
  // Each of the threads kept all 20.
  CHECK(slab->bytes_mapped() <= 8 * 64 * 1024);
}

TEST_CASE("a destroyed slab leaves no objects in threads") {
  for (int i = 0; i < 1000; ++i) {
    auto slab = std::make_unique<Slab<Node>>();
    Node* node = slab->New();
    slab->Delete(node);
    CHECK(slab->New() == node);
  }
}

TEST_CASE("threads share a slab without sharing an object") {
  auto slab = std::make_unique<Slab<Node>>();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::vector<Node*> mine;
      for (int round = 0; round < 300; ++round) {
        for (int i = 0; i < 20; ++i) {
          mine.push_back(slab->New());
          mine.back()->value.store(t + 1, std::memory_order_relaxed);
        }
        for (Node* node : mine) {
          if (node->value.load(std::memory_order_relaxed) != t + 1) ++wrong;
          slab->Delete(node);
        }
        mine.clear();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("the address map finds the resource around an interior address") {
  AddressMap map;
  Resource a, b;
  a.bytes = 100;
  b.bytes = 50;
  CHECK(map.unused());
  map.Insert(1000, &a);
  map.Insert(1100, &b);
  CHECK(map.Find(999) == nullptr);
  CHECK(map.Find(1000) == &a);
  CHECK(map.Find(1099) == &a);
  CHECK(map.Find(1100) == &b);
  CHECK(map.Find(1149) == &b);
  CHECK(map.Find(1150) == nullptr);
  CHECK_FALSE(map.Erase(1000, &b));
  CHECK(map.Erase(1000, &a));
  CHECK(map.Find(1050) == nullptr);
  CHECK_FALSE(map.Erase(1000, &a));
}

TEST_CASE("the address map returns the newer of two overlapping resources") {
  AddressMap map;
  Resource old, larger, next;
  old.bytes = 0x1000;
  larger.bytes = 0x400000;
  next.bytes = 0x400000;
  map.Insert(0x10001000, &old);
  map.Insert(0x10000000, &larger);
  map.Insert(0x10400000, &next);
  CHECK(map.Find(0x10002000) == &larger);
  CHECK(map.Find(0x10001800) == &larger);
  CHECK(map.Find(0x103fffff) == &larger);
  CHECK(map.Find(0x10400001) == &next);
  CHECK(map.Erase(0x10000000, &larger));
  CHECK(map.Find(0x10002000) == nullptr);
  CHECK(map.Find(0x10400001) == &next);
}

TEST_CASE("the address map finds each of a hundred thousand resources") {
  constexpr int kCount = 100000;
  constexpr uintptr_t kBase = 0x7f0000000000, kStep = 512;
  auto resources = std::make_unique<Resource[]>(kCount);
  AddressMap map;
  for (int i = 0; i < kCount; ++i) {
    resources[i].bytes = 400;
    map.Insert(kBase + i * kStep, &resources[i]);
  }
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) {
    wrong += map.Find(kBase + i * kStep) != &resources[i];
    wrong += map.Find(kBase + i * kStep + 399) != &resources[i];
    wrong += map.Find(kBase + i * kStep + 400) != nullptr;
  }
  for (int i = 0; i < kCount; i += 2) wrong += !map.Erase(kBase + i * kStep, &resources[i]);
  for (int i = 0; i < kCount; ++i)
    wrong += map.Find(kBase + i * kStep + 8) != (i % 2 != 0 ? &resources[i] : nullptr);
  CHECK(wrong == 0);
}

void Place(Resource* resource, uintptr_t address) {
  resource->handle = address;
  resource->state.store(ObjectState::kLive);
}

TEST_CASE("the address map agrees with a model over large and small resources that come and go") {
  constexpr uintptr_t kBase = 0x7f0000000000;
  constexpr int kPlaces = 96;  // of 4 MiB each, more than the hints' period apart in part
  const auto place = [&](int i) {
    return kBase + (uintptr_t{1} << 22) * i + (i % 3 == 0 ? uintptr_t{1} << 31 : 0);
  };
  auto resources = std::make_unique<Resource[]>(kPlaces);
  auto map = std::make_unique<AddressMap>();
  std::vector<bool> there(kPlaces);
  std::mt19937_64 random(5);
  constexpr uint64_t kSizes[] = {1, 512, 70000, (1 << 20) - 1, 1 << 20, (1 << 21) + 512, 4 << 20};
  int wrong = 0;
  for (int step = 0; step < 200000; ++step) {
    const int i = static_cast<int>(random() % kPlaces);
    if (random() % 8 == 0) {
      if (there[i]) {
        resources[i].state.store(ObjectState::kReleased);
        wrong += !map->Erase(place(i), &resources[i]);
      } else {
        resources[i].bytes = kSizes[random() % std::size(kSizes)];
        Place(&resources[i], place(i));
        map->Insert(place(i), &resources[i]);
      }
      there[i] = !there[i];
    }
    const int asked = static_cast<int>(random() % kPlaces);
    uint64_t offset = random() % (4 << 20);
    if (step % 3 == 0) offset = 0;
    if (step % 3 == 1 && there[asked]) offset = resources[asked].bytes - 1;
    Resource* const expected =
        there[asked] && offset < resources[asked].bytes ? &resources[asked] : nullptr;
    wrong += map->Find(place(asked) + offset) != expected;
    wrong += map->FindRecent(place(asked) + offset) != expected;
    wrong += expected != nullptr && !map->Spans(place(asked) + offset);
  }
  CHECK(wrong == 0);
  CHECK_FALSE(map->Spans(kBase - 1));
  CHECK(map->FindRecent(kBase - 1) == nullptr);
}

TEST_CASE(
    "look-ups in a newer resource do not return a large resource whose release was not "
    "intercepted") {
  AddressMap map;
  Resource old, inside, again;
  old.bytes = 8 << 20;
  inside.bytes = 512;
  again.bytes = 2 << 20;
  Place(&old, 0x40000000);
  Place(&inside, 0x40300000);
  Place(&again, 0x40000000);
  map.Insert(0x40000000, &old);
  CHECK(map.FindRecent(0x40600000) == &old);
  map.Insert(0x40300000, &inside);
  CHECK(map.FindRecent(0x40300010) == &inside);
  CHECK(map.FindRecent(0x40600000) == nullptr);
  CHECK(map.FindRecent(0x40300200) == nullptr);
  map.Insert(0x40000000, &again);
  CHECK(map.FindRecent(0x40000000) == &again);
  CHECK(map.FindRecent(0x401fffff) == &again);
  CHECK(map.FindRecent(0x40200000) == nullptr);
}

TEST_CASE("a resource that threads look up repeatedly is not found after it is erased") {
  constexpr uintptr_t kBase = 0x7f0000000000;
  AddressMap map;
  Resource first, second, keeps;
  first.bytes = second.bytes = keeps.bytes = 512;
  Place(&keeps, kBase + 4096);
  first.handle = second.handle = kBase;
  map.Insert(kBase + 4096, &keeps);
  std::atomic<bool> stop{false};
  std::atomic<int> strange{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 2; ++t) {
    readers.emplace_back([&] {
      while (!stop.load(std::memory_order_relaxed)) {
        const Resource* found = map.FindRecent(kBase);
        if (found != nullptr && found != &first && found != &second) ++strange;
        if (map.FindRecent(kBase + 4096) != &keeps) ++strange;
      }
    });
  }
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    Resource* now = i % 2 == 0 ? &first : &second;
    now->state.store(ObjectState::kLive);
    map.Insert(kBase, now);
    wrong += map.FindRecent(kBase) != now;
    now->state.store(ObjectState::kReleased);
    wrong += !map.Erase(kBase, now);
    wrong += map.FindRecent(kBase) != nullptr;
  }
  stop.store(true);
  for (std::thread& reader : readers) reader.join();
  CHECK(wrong == 0);
  CHECK(strange.load() == 0);
}

Access HostAccess(Epoch epoch, uint64_t offset, uint64_t bytes, bool write) {
  Access access;
  access.region = Region::Linear(offset, bytes);
  access.epoch = epoch;
  access.write = write;
  access.read = !write;
  return access;
}

TEST_CASE(
    "the host shadow reports each conflicting command once, however many windows the two share") {
  auto shadow = std::make_unique<HostShadow>();
  static HostClock host;
  const Clock none;
  constexpr uint64_t kMiB = 1 << 20;
  for (const uint64_t bytes : {uint64_t{64}, kMiB, 600 * kMiB}) {
    for (const uint64_t shift : {uint64_t{0}, uint64_t{32}, kMiB / 2}) {
      const Access first = HostAccess(Epoch(1, 1), 3 * kMiB + 17, bytes, true);
      shadow->Record(first, none, host, true, [](const Access&) {});
      int seen = 0;
      const Access second = HostAccess(Epoch(2, 1), 3 * kMiB + 17 + shift, bytes, false);
      shadow->Record(second, none, host, false, [&](const Access&) { ++seen; });
      INFO(bytes << " bytes, second begins " << shift << " later");
      CHECK(seen == (shift < bytes ? 1 : 0));
      CHECK(shadow->busy());
      shadow->Remove(first.region, first.epoch);
      CHECK_FALSE(shadow->busy());
    }
  }
}

TEST_CASE("the host shadow has pending accesses until the host has waited") {
  auto shadow = std::make_unique<HostShadow>();
  static HostClock host;
  const Clock none;
  shadow->Record(HostAccess(Epoch(1, 1), 1 << 20, 1 << 19, true), none, host, true,
                 [](const Access&) {});
  Access pending;
  CHECK(shadow->FindPending(Region::Linear((1 << 20) + 5, 1), host, &pending));
  CHECK(pending.epoch == Epoch(1, 1));
  CHECK_FALSE(shadow->FindPending(Region::Linear((1 << 20) - 5, 5), host, &pending));
  host.Join(Epoch(1, 1));
  CHECK_FALSE(shadow->FindPending(Region::Linear(1 << 20, 1 << 19), host, &pending));
  CHECK_FALSE(shadow->busy());
}

TEST_CASE("a region contains the memory that was released in it, and no other region does") {
  auto regions = std::make_unique<ReleasedRegions>();
  constexpr uintptr_t kGiB = uintptr_t{1} << 30;
  CHECK_FALSE(regions->MayHold(5 * kGiB));
  regions->Add(5 * kGiB - 8, 2 * kGiB + 16);
  CHECK(regions->MayHold(5 * kGiB - 8));
  CHECK(regions->MayHold(6 * kGiB));
  CHECK(regions->MayHold(7 * kGiB + 7));
  CHECK_FALSE(regions->MayHold(3 * kGiB));
  CHECK_FALSE(regions->MayHold(9 * kGiB));
  CHECK(regions->count() == 1);
  // Nothing is known of addresses that no process has.
  regions->Add(~uintptr_t{0} - 7, 8);
  CHECK(regions->MayHold(~uintptr_t{0}));
}

}  // namespace
}  // namespace gpusan
