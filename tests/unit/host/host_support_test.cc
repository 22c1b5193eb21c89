// What interception of host memory is built on: the lock, memory from the kernel, the real
// functions.
#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "hooks/common/base/next_symbol.h"
#include "hooks/common/guard.h"
#include "tracker/base/pages.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {
namespace {

TEST_CASE("a spin lock lets one thread in at a time, also when threads outnumber processors") {
  SpinLock lock;
  long value = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20000; ++i) {
        std::lock_guard guard(lock);
        ++value;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(value == 160000);
}

TEST_CASE("a taken spin lock cannot be taken again and a free one can") {
  SpinLock lock;
  CHECK(lock.try_lock());
  CHECK_FALSE(lock.try_lock());
  lock.unlock();
  CHECK(lock.try_lock());
  lock.unlock();
}

TEST_CASE("a sleeping thread gets the lock when it is released") {
  SpinLock lock;
  lock.lock();
  bool entered = false;
  std::thread waiter([&] {
    std::lock_guard guard(lock);
    entered = true;
  });
  std::this_thread::yield();
  CHECK_FALSE(entered);
  lock.unlock();
  waiter.join();
  CHECK(entered);
}

TEST_CASE("pages are zeroed and keep errno") {
  errno = 77;
  auto* pages = static_cast<char*>(AllocatePages(100000));
  REQUIRE(pages != nullptr);
  CHECK(pages[0] == 0);
  CHECK(pages[99999] == 0);
  CHECK(AllocatePages(size_t{1} << 62) == nullptr);
  FreePages(pages, 100000);
  CHECK(errno == 77);
}

TEST_CASE("an arena hands out pieces that do not overlap and reuses them by size") {
  PageArena arena;
  std::set<char*> pieces;
  for (size_t bytes = 1; bytes < 3000; bytes += 7) {
    auto* piece = static_cast<char*>(arena.Allocate(bytes));
    REQUIRE(piece != nullptr);
    CHECK(reinterpret_cast<uintptr_t>(piece) % 16 == 0);
    memset(piece, 0xff, bytes);
    CHECK(pieces.insert(piece).second);
  }
  void* first = arena.Allocate(100);
  arena.Free(first, 100);
  CHECK(arena.Allocate(112) == first);
}

TEST_CASE("the real dlsym is the C library's and finds what the program would find") {
  void* handle = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(handle != nullptr);
  CHECK(reinterpret_cast<void*>(RealDlsym()) == dlsym(handle, "dlsym"));
  CHECK(reinterpret_cast<void*>(RealDlvsym()) == dlsym(handle, "dlvsym"));
  CHECK(SymbolOfFile("libc.so.6", "qsort") == dlsym(handle, "qsort"));
  CHECK(SymbolOfFile("libc.so.6", "no_such_function_anywhere") == nullptr);
  CHECK(SymbolOfFile("libnosuch.so", "qsort") == nullptr);
  dlclose(handle);
}

TEST_CASE("guards nest, and a pause suspends them") {
  CHECK_FALSE(ReentryGuard::Active());
  {
    ReentryGuard outer;
    ReentryGuard inner;
    CHECK(ReentryGuard::Active());
    {
      ReentryPause pause;
      CHECK_FALSE(ReentryGuard::Active());
      ReentryGuard again;
      CHECK(ReentryGuard::Active());
    }
    CHECK(ReentryGuard::Active());
    std::thread([] { CHECK_FALSE(ReentryGuard::Active()); }).join();
  }
  CHECK_FALSE(ReentryGuard::Active());
}

}  // namespace
}  // namespace gpusan
