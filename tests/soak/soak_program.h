// The loop of the soak programs, for any API: what a soak must tell apart is a leak, a cache that
// fills up, and neither.
//
//   PROGRAM leak|leak-whole|plateau|clean|hold SECONDS [CYCLES_A_SECOND [SPEED]]
//
// leak keeps 64 KiB a minute in blocks of 4 KiB, leak-whole in one block; hold is clean and holds
// 100,000 blocks. SPEED makes the leak and the cache that many times as fast, for short runs. Ends
// before its time at SIGINT and SIGTERM, in order. Prints the cycles, and the processor time a
// cycle of the main thread and of the process. SOAK_MEMORY_S, where no driven clock does it: so
// many seconds apart it says what it has of memory (memory.h).
#pragma once

#include <signal.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "soak/memory.h"

namespace soak {

inline volatile sig_atomic_t stop = 0;

// Seconds.
inline double Now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// The same numbers in every run.
inline uint32_t Random() {
  static uint32_t state = 1;
  return state = state * 1664525 + 1013904223;
}

// `Api` has a type Block that is empty when made by {} and, all static, Setup(), Cycle(),
// Block Keep(size_t bytes), Block Entry(), Fill(Block), Release(Block), Empty(Block) and
// Teardown(). What is leaked is filled: what of a block without content a driver touches depends on
// where it comes to lie, and two runs of one program would grow differently. The cache's entries
// are not: the pages of those that are replaced come and go with the heap.
template <typename Api>
int Run(int count, char** arguments) {
  if (count < 3) return 2;
  const char* mode = arguments[1];
  const bool leaks = std::strncmp(mode, "leak", 4) == 0;
  // The leak is 64 KiB a minute; the cache has 256 entries that are used at random, five a second,
  // so that it fills fast and then slower, and whose entries are replaced for ever.
  const double blocks_a_minute = std::strcmp(mode, "leak-whole") == 0 ? 1 : 16;
  const size_t block_bytes = static_cast<size_t>(65536 / blocks_a_minute);
  const bool plateaus = std::strcmp(mode, "plateau") == 0;
  const double seconds = std::atof(arguments[2]);
  const double rate = count > 3 ? std::atof(arguments[3]) : 50;
  const double speed = count > 4 ? std::atof(arguments[4]) : 1;
  signal(SIGINT, [](int) { stop = 1; });
  signal(SIGTERM, [](int) { stop = 1; });
  Api::Setup();
  constexpr size_t kEntries = 256;
  static typename Api::Block cache[kEntries];
  std::vector<typename Api::Block> kept;
  kept.reserve(1 << 20);
  if (std::strcmp(mode, "hold") == 0) {
    for (int i = 0; i < 100000; ++i) kept.push_back(Api::Entry());
  }
  const double begin = Now();
  const double thread = Now(CLOCK_THREAD_CPUTIME_ID), process = Now(CLOCK_PROCESS_CPUTIME_ID);
  long cycles = 0;
  double next = begin, used = 0;
  const char* memory_s = std::getenv("SOAK_MEMORY_S");
  const double every = memory_s == nullptr ? 0 : std::atof(memory_s);
  double noted = begin;
  for (double now = begin; now < begin + seconds && stop == 0; now = Now()) {
    Api::Cycle();
    ++cycles;
    const double minutes = (now - begin) * speed / 60;
    if (leaks && static_cast<double>(kept.size()) < minutes * blocks_a_minute) {
      kept.push_back(Api::Keep(block_bytes));
      Api::Fill(kept.back());
    }
    for (; plateaus && used < minutes * 300; ++used) {
      typename Api::Block& entry = cache[Random() >> 8 & (kEntries - 1)];
      if (!Api::Empty(entry)) Api::Release(entry);
      entry = Api::Entry();
    }
    if (every > 0 && now >= noted + every) {
      noted = now;
      NoteMemory(now - begin);
    }
    next += 1 / rate;
    const double pause = next - Now();
    if (pause < 0) {
      next = Now();
      continue;
    }
    const timespec wait = {
        static_cast<time_t>(pause),
        static_cast<long>((pause - static_cast<double>(static_cast<time_t>(pause))) * 1e9)};
    nanosleep(&wait, nullptr);
  }
  const double count_of_cycles = static_cast<double>(cycles > 0 ? cycles : 1);
  std::printf("%ld cycles, %.3f us a cycle of the main thread, %.3f us of the process\n", cycles,
              (Now(CLOCK_THREAD_CPUTIME_ID) - thread) / count_of_cycles * 1e6,
              (Now(CLOCK_PROCESS_CPUTIME_ID) - process) / count_of_cycles * 1e6);
  for (const typename Api::Block& entry : cache) {
    if (!Api::Empty(entry)) Api::Release(entry);
  }
  Api::Teardown();
  return 0;
}

}  // namespace soak
