// Stack capture: same place, same site; other path, other site; modules with path and build-id.
#include "hooks/common/sites/site.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace gpusan {
namespace {

// What an exported wrapper does.
__attribute__((noinline)) SiteId Wrapper(int max_frames = kMaxSiteFrames) {
  const SiteId site =
      CaptureSite(__builtin_return_address(0), __builtin_frame_address(0), max_frames);
  asm volatile("" ::: "memory");
  return site;
}

#define GPUSAN_TEST_FUNCTION __attribute__((noinline, noclone))
GPUSAN_TEST_FUNCTION SiteId Inner() {
  const SiteId site = Wrapper();
  asm volatile("" ::: "memory");
  return site;
}
GPUSAN_TEST_FUNCTION SiteId ByOnePath() {
  const SiteId site = Inner();
  asm volatile("" ::: "memory");
  return site;
}
GPUSAN_TEST_FUNCTION SiteId ByAnotherPath() {
  const SiteId site = Inner();
  asm volatile("" ::: "memory");
  return site;
}
GPUSAN_TEST_FUNCTION SiteId Deep(int depth) {
  const SiteId site = depth == 0 ? Wrapper() : Deep(depth - 1);
  asm volatile("" ::: "memory");
  return site;
}

// A stack of `depth` frames of one size that differ by return addresses alone: one of 2^depth.
GPUSAN_TEST_FUNCTION SiteId ByPath(uint32_t path, int depth) {
  SiteId site;
  if (depth == 0) {
    site = Inner();
  } else if ((path & 1) != 0) {
    site = ByPath(path >> 1, depth - 1);
    asm volatile("# one" ::: "memory");
  } else {
    site = ByPath(path >> 1, depth - 1);
    asm volatile("# other" ::: "memory");
  }
  asm volatile("" ::: "memory");
  return site;
}

std::vector<SiteFrame> FramesOf(SiteId site) {
  std::vector<SiteFrame> frames(kMaxSiteFrames);
  frames.resize(SiteFrames(site, frames.data(), kMaxSiteFrames));
  return frames;
}

TEST_CASE("the same place has the same site, cold and warm") {
  std::vector<SiteId> sites(10);
  for (SiteId& site : sites) site = ByOnePath();
  CHECK(sites == std::vector<SiteId>(10, sites[0]));
  CHECK(sites[0] != kUnknownSite);
}

TEST_CASE("two paths that meet in the same frame stay two sites") {
  using Function = SiteId (*)();
  const volatile Function paths[] = {ByOnePath, ByAnotherPath};
  SiteId sites[2][5];
  // One call instruction, so that Inner has the same frame address and differs by its caller alone.
  for (int i = 0; i < 10; ++i) sites[i % 2][i / 2] = paths[i % 2]();
  for (int i = 1; i < 5; ++i) {
    CHECK(sites[0][i] == sites[0][0]);
    CHECK(sites[1][i] == sites[1][0]);
  }
  CHECK(sites[0][0] != sites[1][0]);
}

TEST_CASE("stacks that differ in distant frames have different sites, however many alternate") {
  // More than a thread keeps warm, in the same order again and in other ones.
  constexpr uint32_t kStacks = 1500;
  std::vector<SiteId> sites;
  for (uint32_t round = 0; round < 4; ++round) {
    for (uint32_t i = 0; i < kStacks; ++i) {
      const uint32_t stack = round < 2 ? i : (i * 7 + round) % (round == 2 ? kStacks : 40);
      const SiteId site = ByPath(stack * 2654435761u >> 12, 20);
      if (round == 0) sites.push_back(site);
      REQUIRE(site == sites[stack]);
    }
  }
  // All that differs is which of two calls each frame came by: so do the frames.
  std::sort(sites.begin(), sites.end());
  CHECK(std::unique(sites.begin(), sites.end()) == sites.end());
}

TEST_CASE("the first frame is the caller of the wrapper, in this program's file") {
  const std::vector<SiteFrame> frames = FramesOf(ByOnePath());
  REQUIRE(frames.size() > 2);
  const SiteModule* module = SiteModuleById(frames[0].module);
  REQUIRE(module != nullptr);
  char path[4096] = {};
  REQUIRE(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
  CHECK(std::string(module->path) == path);
  CHECK(std::string(module->build_id).find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(frames[0].module == frames[1].module);
  CHECK(frames[0].offset != frames[1].offset);
}

TEST_CASE("an unknown module and an unknown site have no text") {
  SiteFrame frame;
  CHECK(SiteModuleById(0) == nullptr);
  CHECK(SiteModuleById(1000000) == nullptr);
  CHECK(SiteFrames(kUnknownSite, &frame, 1) == 0);
  CHECK(SiteFrames(0xffffffff, &frame, 1) == 0);
}

TEST_CASE("a deep stack is cut and a short capacity is kept") {
  const SiteId site = Deep(100);
  CHECK(FramesOf(site).size() == kMaxSiteFrames);
  SiteFrame frames[2];
  CHECK(SiteFrames(site, frames, 2) == 2);
  CHECK(FramesOf(Deep(3)).size() > 4);
}

TEST_CASE("a caller alone has one frame") {
  const SiteId site = CaptureCaller(reinterpret_cast<const void*>(&ByOnePath));
  CHECK(FramesOf(site).size() == 1);
  CHECK(site == CaptureCaller(reinterpret_cast<const void*>(&ByOnePath)));
}

TEST_CASE("an address of no file is kept as it is") {
  static char data[16];
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  (void)data;
  const std::vector<SiteFrame> frames = FramesOf(CaptureCaller(page));
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].module == 0);
  CHECK(frames[0].offset == reinterpret_cast<uintptr_t>(page));
  munmap(page, 4096);
}

TEST_CASE("the same call site keeps its id after another file is unloaded") {
  std::vector<SiteId> sites(4);
  for (SiteId& site : sites) {
    site = ByOnePath();
    ForgetUnloadedModules();
  }
  CHECK(sites == std::vector<SiteId>(4, sites[0]));
}

TEST_CASE("threads share sites and may end while others capture") {
  SiteId sites[8][4];
  for (int round = 0; round < 2; ++round) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t, round] {
        for (int i = 0; i < 2000; ++i) sites[round * 4 + t][i % 4] = Inner();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  for (auto& site : sites) {
    CHECK(FramesOf(site[0])[0].offset == FramesOf(sites[0][0])[0].offset);
    CHECK(site[0] == sites[0][0]);
  }
}

TEST_CASE("a capture after the thread's cache was given back still works") {
  static SiteId late;
  pthread_key_t key;
  REQUIRE(pthread_key_create(&key, [](void*) { late = ByOnePath(); }) == 0);
  std::thread([&] {
    ByOnePath();
    pthread_setspecific(key, &late);
  }).join();
  CHECK(late != kUnknownSite);
  pthread_key_delete(key);
}

ucontext_t main_context, coroutine_context;
SiteId coroutine_site;
void Coroutine() {
  coroutine_site = ByOnePath();
  coroutine_site = ByOnePath();
  swapcontext(&coroutine_context, &main_context);
}

TEST_CASE("a coroutine's stack may vanish and come back smaller at the same place") {
  constexpr size_t kBytes = 256 * 1024;
  char* area = static_cast<char*>(
      mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  REQUIRE(area != MAP_FAILED);
  for (int round = 0; round < 4; ++round) {
    // Each round the stack ends a page lower: what an earlier capture saw above it is out of reach
    // now.
    const size_t bytes = kBytes - static_cast<size_t>(round) * 4096;
    REQUIRE(mprotect(area, kBytes, PROT_NONE) == 0);
    REQUIRE(mprotect(area, bytes, PROT_READ | PROT_WRITE) == 0);
    REQUIRE(getcontext(&coroutine_context) == 0);
    coroutine_context.uc_stack.ss_sp = area;
    coroutine_context.uc_stack.ss_size = bytes;
    coroutine_context.uc_link = &main_context;
    makecontext(&coroutine_context, Coroutine, 0);
    coroutine_site = kUnknownSite;
    REQUIRE(swapcontext(&main_context, &coroutine_context) == 0);
    CHECK(coroutine_site != kUnknownSite);
  }
  munmap(area, kBytes);
}

SiteId signal_site;
TEST_CASE("a signal handler on its own stack has a site") {
  static char stack[64 * 1024];
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof(stack);
  REQUIRE(sigaltstack(&alternate, nullptr) == 0);
  struct sigaction action = {}, before = {};
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = [](int) { signal_site = ByOnePath(); };
  REQUIRE(sigaction(SIGUSR1, &action, &before) == 0);
  for (int i = 0; i < 3; ++i) {
    signal_site = kUnknownSite;
    raise(SIGUSR1);
    CHECK(signal_site != kUnknownSite);
  }
  sigaction(SIGUSR1, &before, nullptr);
  alternate.ss_flags = SS_DISABLE;
  sigaltstack(&alternate, nullptr);
}

TEST_CASE("sites stay valid in the child of a fork") {
  const SiteId site = ByOnePath();
  const size_t depth = FramesOf(site).size();
  const pid_t child = fork();
  if (child == 0) {
    ResetSitesAfterFork();
    const bool same = FramesOf(site).size() == depth && Deep(7) != kUnknownSite;
    _exit(same ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

}  // namespace
}  // namespace gpusan
