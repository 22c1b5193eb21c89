// Guarded pages: what is noticed, that the program goes on, and whose faults are whose.
#include "hooks/host/page_guard.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <thread>

#include "hooks/common/guard.h"
#include "hooks/common/sites/site.h"

namespace {

using gpusan::GuardedAccess;
using gpusan::PageGuards;

constexpr size_t kPage = 4096;

// Pages that go with the test.
struct Pages {
  explicit Pages(size_t count)
      : bytes(count * kPage),
        data(static_cast<volatile char*>(
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))),
        begin(reinterpret_cast<uintptr_t>(data)) {}
  ~Pages() {
    PageGuards::RemoveIn(begin, begin + bytes);
    PageGuards::Take(0);
    munmap(const_cast<char*>(data), bytes);
  }
  const size_t bytes;
  volatile char* const data;
  const uintptr_t begin;
};

sigjmp_buf g_back;
volatile int g_faults = 0;
void OnProgramFault(int) {
  g_faults = g_faults + 1;
  siglongjmp(g_back, 1);
}

// Installs the handler for the time of a test.
struct ProgramHandler {
  ProgramHandler() {
    struct sigaction action = {};
    action.sa_handler = &OnProgramFault;
    sigaction(SIGSEGV, &action, &old);
    g_faults = 0;
  }
  ~ProgramHandler() { sigaction(SIGSEGV, &old, nullptr); }
  struct sigaction old;
};

// Writes a byte, or is brought back by the handler.
[[gnu::noinline]] void WriteAndComeBack(volatile char* at) {
  if (sigsetjmp(g_back, 1) == 0) *at = 1;
}

TEST_CASE("a write to a guarded page is noted once, with its address, and is executed") {
  Pages pages(2);
  REQUIRE(PageGuards::Guard(pages.begin, pages.begin + pages.bytes, false, 7));
  CHECK(pages.data[10] == 0);  // reads are none of this guard's business
  CHECK_FALSE(PageGuards::Noticed());
  pages.data[kPage + 10] = 5;
  pages.data[20] = 6;
  CHECK(pages.data[kPage + 10] == 5);
  CHECK(pages.data[20] == 6);
  REQUIRE(PageGuards::Noticed());
  const std::vector<GuardedAccess> accesses = PageGuards::Take(0);
  REQUIRE(accesses.size() == 1);
  CHECK(accesses[0].tag == 7);
  CHECK(accesses[0].state == 0);
  CHECK(accesses[0].address == pages.begin + kPage + 10);
  CHECK(accesses[0].write);
  gpusan::SiteFrame frames[4];
  REQUIRE(gpusan::SiteFrames(accesses[0].site, frames, 4) > 1);
  CHECK_FALSE(PageGuards::Noticed());
}

TEST_CASE("a guard of a part of a page notes accesses to its bytes alone") {
  Pages pages(2);
  CHECK_FALSE(PageGuards::Guard(pages.begin + 256, pages.begin + 320, false, 7));
  REQUIRE(PageGuards::Guard(pages.begin + 256, pages.begin + 320, false, 7, true));
  pages.data[320] = 1;
  CHECK_FALSE(PageGuards::Noticed());
  pages.data[256] = 2;  // the page is open until Resume
  CHECK_FALSE(PageGuards::Noticed());
  PageGuards::Resume();
  CHECK(pages.data[256] == 2);
  pages.data[319] = 3;
  CHECK(pages.data[319] == 3);
  const std::vector<GuardedAccess> accesses = PageGuards::Take(0);
  REQUIRE(accesses.size() == 1);
  CHECK(accesses[0].address == pages.begin + 319);
}

TEST_CASE("guards of parts of one page are independent") {
  Pages pages(2);
  REQUIRE(PageGuards::Guard(pages.begin, pages.begin + 64, false, 1, true));
  REQUIRE(PageGuards::Guard(pages.begin + 256, pages.begin + 320, false, 2, true));
  REQUIRE(PageGuards::Guard(pages.begin + 4000, pages.begin + 4200, true, 3, true));
  pages.data[0] = 1;
  PageGuards::Resume();
  CHECK(pages.data[kPage + 100] == 0);
  pages.data[300] = 1;
  PageGuards::Remove(3);
  pages.data[kPage] = 1;
  const std::vector<GuardedAccess> accesses = PageGuards::Take(0);
  REQUIRE(accesses.size() == 3);
  CHECK(accesses[0].tag == 1);
  CHECK(accesses[1].tag == 3);
  CHECK(accesses[2].tag == 2);
  CHECK_FALSE(PageGuards::Any());
}

TEST_CASE("a system call beside a guard of a part of a page succeeds") {
  Pages pages(1);
  REQUIRE(PageGuards::Guard(pages.begin, pages.begin + 64, true, 1, true));
  PageGuards::NoteAccess(pages.begin + 64, 64, true, nullptr);
  CHECK_FALSE(PageGuards::Noticed());
  CHECK(pages.data[64] == 0);
  PageGuards::Resume();
  PageGuards::NoteAccess(pages.begin + 60, 64, true, nullptr);
  REQUIRE(PageGuards::Take(0).size() == 1);
}

TEST_CASE("a guard against reads notes a read and the state of the guard") {
  Pages pages(1);
  pages.data[3] = 9;
  REQUIRE(PageGuards::Guard(pages.begin, pages.begin + kPage, true, 1));
  PageGuards::SetState(1, 4);
  CHECK(pages.data[3] == 9);
  const std::vector<GuardedAccess> accesses = PageGuards::Take(0);
  REQUIRE(accesses.size() == 1);
  CHECK_FALSE(accesses[0].write);
  CHECK(accesses[0].state == 4);
}

TEST_CASE("only whole pages are guarded") {
  Pages pages(3);
  CHECK_FALSE(PageGuards::Guard(pages.begin + 1, pages.begin + kPage, true, 1));
  REQUIRE(PageGuards::Guard(pages.begin + 1, pages.begin + 3 * kPage - 1, true, 1));
  pages.data[0] = 1;
  pages.data[2 * kPage] = 1;
  CHECK_FALSE(PageGuards::Noticed());
  pages.data[kPage] = 1;
  CHECK(PageGuards::Take(0).size() == 1);
}

TEST_CASE("guards that overlap are removed one by one") {
  Pages pages(2);
  REQUIRE(PageGuards::Guard(pages.begin, pages.begin + 2 * kPage, false, 1));
  REQUIRE(PageGuards::Guard(pages.begin + kPage, pages.begin + 2 * kPage, true, 2));
  CHECK(pages.data[kPage] == 0);
  std::vector<GuardedAccess> accesses = PageGuards::Take(0);
  REQUIRE(accesses.size() == 1);
  CHECK(accesses[0].tag == 2);
  pages.data[kPage] = 1;
  accesses = PageGuards::Take(0);
  REQUIRE(accesses.size() == 1);
  CHECK(accesses[0].tag == 1);
}

TEST_CASE("pages of removed guards are open, and the other pages stay guarded") {
  Pages pages(2);
  REQUIRE(PageGuards::Guard(pages.begin, pages.begin + 2 * kPage, true, 1));
  REQUIRE(PageGuards::Guard(pages.begin, pages.begin + kPage, true, 2));
  PageGuards::Remove(1);
  pages.data[kPage] = 1;
  CHECK_FALSE(PageGuards::Noticed());
  pages.data[0] = 1;
  CHECK(PageGuards::Take(0).size() == 1);
}

TEST_CASE("accesses inside gpusan open the pages and do not count as accesses of the program") {
  Pages pages(1);
  REQUIRE(PageGuards::Guard(pages.begin, pages.begin + kPage, true, 1));
  {
    gpusan::ReentryGuard inside;
    pages.data[0] = 1;
  }
  CHECK_FALSE(PageGuards::Noticed());
  CHECK(pages.data[0] == 1);
}

TEST_CASE("other faults of the program reach its own handler") {
  ProgramHandler handler;
  Pages pages(1), other(1);
  REQUIRE(PageGuards::Guard(pages.begin, pages.begin + kPage, true, 1));
  mprotect(const_cast<char*>(other.data), kPage, PROT_NONE);
  for (int i = 0; i < 3; ++i) WriteAndComeBack(other.data);
  CHECK(g_faults == 3);
  pages.data[0] = 1;
  CHECK(g_faults == 3);
  CHECK(PageGuards::Take(0).size() == 1);
}

TEST_CASE("the next guard restores gpusan's handler before one that the program has installed") {
  Pages pages(2);
  REQUIRE(PageGuards::Guard(pages.begin, pages.begin + kPage, true, 1));
  PageGuards::Remove(1);
  ProgramHandler handler;
  REQUIRE(PageGuards::Guard(pages.begin + kPage, pages.begin + 2 * kPage, true, 2));
  pages.data[kPage] = 1;
  CHECK(g_faults == 0);
  CHECK(PageGuards::Take(0).size() == 1);
}

TEST_CASE("a fault without a handler ends the process as without gpusan") {
  Pages pages(1), other(1);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    PageGuards::Guard(pages.begin, pages.begin + kPage, true, 1);
    mprotect(const_cast<char*>(other.data), kPage, PROT_NONE);
    other.data[0] = 1;
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGSEGV);
}

TEST_CASE("all threads that fault on the same guard continue") {
  for (int round = 0; round < 50; ++round) {
    Pages pages(4);
    for (uint64_t page = 0; page < 4; ++page)
      REQUIRE(PageGuards::Guard(pages.begin, pages.begin + pages.bytes, true, page));
    std::vector<std::thread> threads;
    for (size_t i = 0; i < 3; ++i) {
      threads.emplace_back([&pages, i] {
        for (size_t at = i; at < pages.bytes; at += kPage) pages.data[at] = 1;
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(pages.data[3 * kPage] == 1);
    CHECK(PageGuards::Take(0).size() >= 4);
  }
}

}  // namespace
