// Memory that the program has protected, and pages with small blocks in use.
#include "tracker/memory/protected_memory.h"

#include <signal.h>
#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <cstdint>

#include "tracker/memory/small_uses.h"
#include "tracker/memory/unmapped_memory.h"

namespace gpusan {
namespace {

constexpr uintptr_t kPage = 4096;

TEST_CASE("a protected range is found where it overlaps an access") {
  const uintptr_t at = 64 * kPage;
  CHECK(FindProtected(at, kPage, true) == 0);
  NoteProtected(at, 4 * kPage, true);
  CHECK(FindProtected(at - kPage, kPage, true) == 0);
  CHECK(FindProtected(at - kPage, kPage + 1, true) == at);
  CHECK(FindProtected(at + kPage + 8, 8, true) == at + kPage + 8);
  CHECK(FindProtected(at + 4 * kPage, 8, true) == 0);
  CHECK(FindProtected(at, 8, false) == 0);
  NoteProtected(at, 4 * kPage, false);
  CHECK(FindProtected(at, 8, false) == at);
  ForgetProtected(at, 4 * kPage);
  CHECK(FindProtected(at, 4 * kPage, true) == 0);
  CHECK(protected_internal::ranges_in_use == 0);
}

TEST_CASE("a part of a protected range becomes accessible") {
  const uintptr_t at = 64 * kPage;
  NoteProtected(at, 8 * kPage, true);
  ForgetProtected(at + 2 * kPage, 2 * kPage);
  CHECK(FindProtected(at, kPage, true) == at);
  CHECK(FindProtected(at + 2 * kPage, 2 * kPage, true) == 0);
  CHECK(FindProtected(at + 3 * kPage, 2 * kPage, true) == at + 4 * kPage);
  CHECK(FindProtected(at + 4 * kPage, 8, false) == 0);
  ForgetProtected(at, 8 * kPage);
  CHECK(protected_internal::ranges_in_use == 0);
}

TEST_CASE("the newest of many protected ranges are kept") {
  for (uintptr_t i = 1; i <= 100; ++i) NoteProtected(2 * i * kPage, kPage, true);
  CHECK(protected_internal::ranges_in_use == 64);
  CHECK(FindProtected(2 * kPage, kPage, true) == 0);
  CHECK(FindProtected(200 * kPage, kPage, true) == 200 * kPage);
  ForgetProtected(0, 1000 * kPage);
  CHECK(protected_internal::ranges_in_use == 0);
}

TEST_CASE("the mappings of the process decide about a protected address") {
  void* memory =
      mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  const auto at = reinterpret_cast<uintptr_t>(memory);
  const auto handler = signal(SIGSEGV, SIG_DFL);  // that of the test framework
  CHECK_FALSE(IsProtected(at, true));
  REQUIRE(mprotect(memory, kPage, PROT_READ) == 0);
  CHECK(IsProtected(at, true));
  CHECK_FALSE(IsProtected(at, false));
  CHECK_FALSE(IsProtected(at + kPage, true));
  REQUIRE(mprotect(memory, kPage, PROT_NONE) == 0);
  CHECK(IsProtected(at, false));
  signal(SIGSEGV, [](int) {});
  CHECK_FALSE(IsProtected(at, false));
  signal(SIGSEGV, SIG_DFL);
  REQUIRE(munmap(memory, 2 * kPage) == 0);
  CHECK_FALSE(IsProtected(at, true));
  signal(SIGSEGV, handler);
}

TEST_CASE("memory counts as unmapped as soon as the program unmaps it") {
  constexpr uintptr_t kWindow = uintptr_t{2} << 20;
  char* memory = static_cast<char*>(
      mmap(nullptr, 3 * kWindow, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  REQUIRE(memory != MAP_FAILED);
  const uintptr_t window = (reinterpret_cast<uintptr_t>(memory) + kWindow - 1) / kWindow * kWindow;
  CHECK_FALSE(MayBeUnmapped(window + kPage));
  CHECK_FALSE(MayBeUnmapped(window + 7 * kPage));
  REQUIRE(munmap(reinterpret_cast<void*>(window + 7 * kPage), kPage) == 0);
  ForgetMappedPages();
  CHECK_FALSE(MayBeUnmapped(window + kPage));
  CHECK(MayBeUnmapped(window + 7 * kPage));
  const auto handler = signal(SIGSEGV, SIG_DFL);  // that of the test framework
  CHECK(IsUnmapped(window + 7 * kPage));
  signal(SIGSEGV, handler);
  munmap(memory, 3 * kWindow);
}

TEST_CASE("the pages of small blocks in use") {
  const uintptr_t block = 64 * kPage - 32;
  CHECK_FALSE(MayBeInSmallUse(block, block + 64));
  NoteSmallUse(block + 40);  // in the second page of the block
  CHECK(MayBeInSmallUse(block, block + 64));
  CHECK_FALSE(MayBeInSmallUse(block, block + 32));
  CHECK(MayBeInSmallUse(block + 100, block + 132));
  ForgetSmallUses(block + 40);
  CHECK_FALSE(MayBeInSmallUse(block, block + 64));
}

}  // namespace
}  // namespace gpusan
