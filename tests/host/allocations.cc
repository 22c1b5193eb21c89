// Allocates in every way there is, from several threads, checks the contents, and with the probe
// that each block is known by its size while it lives and unknown afterwards. Prints the same with
// and without gpusan.
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "tests/host/probe.h"

namespace {

std::atomic<int> failures{0};
gpusan_probe_find_fn find;

void Expect(bool good, const char* what) {
  if (good) return;
  ++failures;
  fprintf(stderr, "failed: %s\n", what);
}

// The block is known from its first byte to its last and not one further.
void Known(const void* memory, size_t bytes, const char* what) {
  if (find == nullptr) return;
  long offset = -1;
  const char* begin = static_cast<const char*>(memory);
  Expect(find(begin, &offset) == static_cast<long>(bytes) && offset == 0, what);
  Expect(find(begin + bytes - 1, &offset) == static_cast<long>(bytes) &&
             offset == static_cast<long>(bytes) - 1,
         what);
}

void Unknown(const void* memory, const char* what) {
  if (find != nullptr) Expect(find(memory, nullptr) == -1, what);
}

// Keeps the compiler from pairing and removing allocations.
void* Opaque(void* memory) {
  asm volatile("" : "+r"(memory) : : "memory");
  return memory;
}

struct Way {
  const char* name;
  void* (*allocate)(size_t);
  void (*release)(void*, size_t);
};

void Free(void* memory, size_t) { free(memory); }
constexpr auto kAlign = std::align_val_t{64};

const Way kWays[] = {
    {"malloc", [](size_t n) { return malloc(n); }, Free},
    {"calloc", [](size_t n) { return calloc(n / 8 + 1, 8); }, Free},
    {"realloc", [](size_t n) { return realloc(malloc(n / 2), n); }, Free},
    {"reallocarray", [](size_t n) { return reallocarray(nullptr, n, 1); }, Free},
    {"memalign", [](size_t n) { return memalign(256, n); }, Free},
    {"posix_memalign",
     [](size_t n) {
       void* memory = nullptr;
       return posix_memalign(&memory, 128, n) == 0 ? memory : nullptr;
     },
     Free},
    {"aligned_alloc", [](size_t n) { return aligned_alloc(64, n / 64 * 64 + 64); }, Free},
    {"valloc", [](size_t n) { return valloc(n); }, Free},
    {"new", [](size_t n) { return ::operator new(n); },
     [](void* p, size_t) { ::operator delete(p); }},
    {"new sized", [](size_t n) { return ::operator new(n); },
     [](void* p, size_t n) { ::operator delete(p, n); }},
    {"new[]", [](size_t n) { return ::operator new[](n); },
     [](void* p, size_t) { ::operator delete[](p); }},
    {"new nothrow", [](size_t n) { return ::operator new(n, std::nothrow); },
     [](void* p, size_t) { ::operator delete(p, std::nothrow); }},
    {"new aligned", [](size_t n) { return ::operator new(n, kAlign); },
     [](void* p, size_t) { ::operator delete(p, kAlign); }},
    {"new[] aligned nothrow", [](size_t n) { return ::operator new[](n, kAlign, std::nothrow); },
     [](void* p, size_t) { ::operator delete[](p, kAlign); }},
};

uint64_t Work(unsigned seed, int rounds, bool check) {
  struct Held {
    unsigned char* memory;
    size_t bytes;
    const Way* way;
    unsigned char mark;
  };
  std::vector<Held> held;
  uint64_t sum = 0;
  for (int i = 0; i < rounds; ++i) {
    seed = seed * 1103515245 + 12345;
    const Way& way = kWays[(seed >> 16) % std::size(kWays)];
    seed = seed * 1103515245 + 12345;
    const size_t bytes = 2048 + (seed >> 12) % (i % 64 == 0 ? 600000 : 6000);
    auto* memory = static_cast<unsigned char*>(Opaque(way.allocate(bytes)));
    Expect(memory != nullptr, way.name);
    const auto mark = static_cast<unsigned char>(i);
    memset(memory, mark, bytes);
    if (check && find != nullptr) {
      long offset = -1;
      Expect(find(memory + bytes / 2, &offset) >= static_cast<long>(bytes) &&
                 offset == static_cast<long>(bytes / 2),
             way.name);
    }
    held.push_back({memory, bytes, &way, mark});
    if (held.size() > 40) {
      const size_t victim = seed % held.size();
      const Held gone = held[victim];
      Expect(gone.memory[0] == gone.mark && gone.memory[gone.bytes - 1] == gone.mark, "contents");
      sum += gone.memory[gone.bytes / 2];
      gone.way->release(gone.memory, gone.bytes);
      held[victim] = held.back();
      held.pop_back();
    }
  }
  for (const Held& left : held) left.way->release(left.memory, left.bytes);
  return sum;
}

int handler_calls = 0;

void Exceptions() {
  const size_t absurd = size_t{1} << 62;
  const volatile size_t too_much = absurd;
  int thrown = 0;
  for (int i = 0; i < 3; ++i) {
    try {
      Opaque(::operator new(too_much));
    } catch (const std::bad_alloc&) {
      ++thrown;
    }
    try {
      Opaque(::operator new[](too_much, kAlign));
    } catch (const std::bad_alloc&) {
      ++thrown;
    }
  }
  Expect(thrown == 6, "bad_alloc is thrown");
  Expect(::operator new(too_much, std::nothrow) == nullptr, "nothrow answers null");
  std::set_new_handler([] {
    if (++handler_calls == 3) std::set_new_handler(nullptr);
  });
  try {
    Opaque(::operator new(too_much));
  } catch (const std::bad_alloc&) {
    ++thrown;
  }
  Expect(thrown == 7 && handler_calls == 3, "the new_handler is called");
  void* after = Opaque(malloc(5000));
  free(after);
  after = Opaque(malloc(5000));
  Known(after, 5000, "a block after bad_alloc");
  free(after);
  errno = 0;
  Expect(Opaque(malloc(too_much)) == nullptr && errno == ENOMEM, "malloc fails with ENOMEM");
  Expect(Opaque(calloc(too_much, 8)) == nullptr, "calloc notices the overflow");
  Expect(Opaque(reallocarray(nullptr, too_much, 8)) == nullptr,
         "reallocarray notices the overflow");
}

void Sizes() {
  char* memory = static_cast<char*>(Opaque(malloc(3000)));
  Known(memory, 3000, "malloc");
  memory = static_cast<char*>(Opaque(realloc(memory, 9000)));
  Known(memory, 9000, "realloc grows");
  memory = static_cast<char*>(Opaque(realloc(memory, 2000)));
  Known(memory, 2000, "realloc shrinks");
  const size_t absurd = size_t{1} << 62;
  const volatile size_t too_much = absurd;
  Expect(Opaque(realloc(memory, too_much)) == nullptr, "realloc fails");
  Known(memory, 2000, "a block lives on when its realloc fails");
  free(memory);
  Unknown(memory, "free");
  memory = static_cast<char*>(Opaque(malloc(3001)));
  const size_t usable = malloc_usable_size(memory);
  Expect(usable >= 3001, "malloc_usable_size");
  Known(memory, usable, "a block whose usable size was asked for");
  free(memory);
  char* numbers = new char[4000];
  Opaque(numbers);
  Known(numbers, 4000, "new[]");
  delete[] numbers;
  std::vector<double> vector(1000);
  Known(vector.data(), 8000, "a vector's storage");
  void* small = Opaque(malloc(100));
  Unknown(small, "a small block");
  free(small);
}

void Mappings() {
  constexpr size_t kPage = 4096;
  char* area = static_cast<char*>(
      mmap(nullptr, 16 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  Expect(area != MAP_FAILED, "mmap");
  Known(area, 16 * kPage, "mmap");
  munmap(area + 4 * kPage, kPage);
  Unknown(area + 4 * kPage, "munmap of a page");
  Known(area, 4 * kPage, "the part before a hole");
  Known(area + 5 * kPage, 11 * kPage, "the part behind a hole");
  char* moved =
      static_cast<char*>(mremap(area + 5 * kPage, 11 * kPage, 40 * kPage, MREMAP_MAYMOVE));
  Expect(moved != MAP_FAILED, "mremap");
  Known(moved, 40 * kPage, "mremap");
  munmap(moved, 40 * kPage);
  munmap(area, 4 * kPage);
  Unknown(area, "munmap");
  Expect(mmap(nullptr, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED &&
             errno == EINVAL,
         "errno");
}

void Observed() {
  const auto frees = reinterpret_cast<gpusan_probe_frees_fn>(Probe("gpusan_probe_frees"));
  if (frees == nullptr) return;
  const int before = frees();
  free(Opaque(malloc(5000)));
  free(Opaque(malloc(100)));
  ::operator delete(Opaque(::operator new(5000)));
  void* area = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(area, 4096);
  free(Opaque(realloc(Opaque(malloc(5000)), 90000)));
  const int told = frees() - before;
  Expect(told == 5, "the observer is notified of each release of a known block, once");
  const auto depth = reinterpret_cast<gpusan_probe_depth_fn>(Probe("gpusan_probe_depth"));
  void* memory = Opaque(malloc(5000));
  Expect(depth(memory) > 2, "a block has the stack of its creation");
  free(memory);
}

}  // namespace

int main(int argc, char** argv) {
  const bool sizes = argc > 1 && strcmp(argv[1], "check") == 0;
  if (sizes) find = reinterpret_cast<gpusan_probe_find_fn>(Probe("gpusan_probe_find"));
  PROBE_CALL(activate);
  if (sizes) Sizes();
  if (strcmp(argv[argc - 1], "no-exceptions") != 0) Exceptions();
  if (sizes) Mappings();
  if (sizes) Observed();
  uint64_t sums[4] = {};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) threads.emplace_back([&, t] { sums[t] = Work(t, 4000, true); });
  for (std::thread& thread : threads) thread.join();
  for (const uint64_t sum : sums) printf("%llu\n", static_cast<unsigned long long>(sum));
  printf("failures %d\n", failures.load());
  return failures == 0 ? 0 : 1;
}
