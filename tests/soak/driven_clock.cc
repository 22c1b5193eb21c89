// A clock that only the program's own sleeps move, for soak programs of which each run is the same.
//
// Linked into a program, it stands in front of the C library for the driver and gpusan too. A sleep
// of the main thread takes no time and moves the clock. Under gpusan with sample_signal, variables
// make the program ask for the samples of its time:
//   SOAK_SAMPLE_MS  so many milliseconds apart; the sleep goes on when the sample has been written
//   SOAK_MEMORY     file that gets a line about memory at each (memory.h)
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "memory.h"

namespace {

constexpr int64_t kSecond = 1000000000;
constexpr int kPatienceS = 60;  // of the world's time

std::atomic<int64_t> slept_ns{0};

int64_t SampleEveryNs() {
  static const int64_t every = [] {
    const char* text = getenv("SOAK_SAMPLE_MS");
    return text == nullptr ? int64_t{0} : std::atoll(text) * 1000000;
  }();
  return every;
}

sem_t* Written() {
  static sem_t semaphore = [] {
    sem_t made;
    sem_init(&made, 0, 0);
    return made;
  }();
  return &semaphore;
}

void Sample() {
  if (getenv("GPUSAN_OPTIONS") != nullptr) {
    kill(getpid(), SIGUSR2);
    timespec until;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &until);
    until.tv_sec += kPatienceS;
    while (sem_clockwait(Written(), CLOCK_MONOTONIC, &until) != 0) {
      if (errno != ETIMEDOUT) continue;
      fprintf(stderr, "no sample came within %d s\n", kPatienceS);
      abort();
    }
  }
  soak::NoteMemory(static_cast<double>(slept_ns.load()) / 1e9);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const long failed = syscall(SYS_clock_gettime, clock, now);
  if (failed != 0 || (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME))
    return failed != 0 ? -1 : 0;
  static std::atomic<int64_t> begins[2] = {0, 0};
  std::atomic<int64_t>& begin = begins[clock == CLOCK_REALTIME];
  int64_t none = 0;
  begin.compare_exchange_strong(none, now->tv_sec * kSecond + now->tv_nsec);
  const int64_t ns = begin.load() + slept_ns.load();
  now->tv_sec = ns / kSecond;
  now->tv_nsec = ns % kSecond;
  return 0;
}

int nanosleep(const timespec* time, timespec* left) {
  if (getpid() != gettid()) return static_cast<int>(syscall(SYS_nanosleep, time, left));
  const int64_t from = slept_ns.load(), to = from + time->tv_sec * kSecond + time->tv_nsec;
  const int64_t every = SampleEveryNs();
  if (every == 0) {
    slept_ns.store(to);
    return 0;
  }
  for (int64_t at = (from / every + 1) * every; at <= to; at += every) {
    slept_ns.store(at);
    Sample();
  }
  slept_ns.store(to);
  return 0;
}

// Tells when gpusan has written a sample, with what it needs in front of it.
ssize_t write(int file, const void* bytes, size_t size) {
  constexpr char kSample[] = "{\"type\":\"sample\"";
  const ssize_t written = syscall(SYS_write, file, bytes, size);
  if (memmem(bytes, size, kSample, sizeof(kSample) - 1) != nullptr) sem_post(Written());
  return written;
}

}  // extern "C"
