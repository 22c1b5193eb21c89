// Names and open ranges of threads.
#include "hooks/common/thread_words.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <new>

#include "hooks/common/base/fork_reset.h"
#include "tracker/base/pages.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {
namespace {

constexpr size_t kMostOpen = 32;  // of deeper ranges, only the number is kept

// A text that is cut at the beginning of a character of UTF-8.
template <size_t kBytes>
class CutText {
 public:
  void Set(std::string_view text) {
    size_t size = std::min(text.size(), kBytes - 1);
    while (size < text.size() && size > 0 && (text[size] & 0xc0) == 0x80) --size;
    std::memcpy(text_, text.data(), size);
    text_[size] = '\0';
  }
  bool empty() const { return text_[0] == '\0'; }
  const char* get() const { return text_; }

 private:
  char text_[kBytes] = {};
};

struct Range {
  const void* domain;
  uint32_t published;  // its position in the sequence of g_published, plus 1; 0: none yet
  CutText<116> name;
};

// The ranges that deferred commands refer to: a ring, to which a thread copies a range at its first
// command, and again when other ranges have followed. The deferral queue has room for fewer
// commands than the rest of the ring.
constexpr size_t kPublished = 2048;
constexpr uint32_t kFresh = 128;
constexpr size_t kNameWords = sizeof(Range::name) / 8 + 1;
struct PublishedRange {
  std::atomic<uint16_t> number{0};  // 0: being written
  std::atomic<uint64_t> name[kNameWords] = {};
};
constinit PublishedRange g_published[kPublished];
// Open ranges of a domain that have no element.
struct Deeper {
  const void* domain = nullptr;
  int count = 0;  // 0: the element is free
};
constexpr size_t kMostDeeper = 4;
constinit std::atomic<uint32_t> g_numbers{0};

}  // namespace

namespace thread_words_internal {

struct Words {
  Words* next;  // under g_lock
  int32_t thread;
  CutText<64> name;  // under g_lock
  size_t open = 0;
  Deeper deeper[kMostDeeper];
  Range ranges[kMostOpen];
};

__attribute__((tls_model("initial-exec"))) constinit thread_local Words* of_thread = nullptr;

}  // namespace thread_words_internal

namespace {

using thread_words_internal::of_thread;
using thread_words_internal::Words;

// The names of the threads that ended last: their calls may be processed later.
struct Ended {
  int32_t thread = 0;
  time_t second = 0;  // when it ended
  CutText<64> name;
};
constexpr size_t kEnded = 16;
constexpr time_t kEndedSeconds = 2;  // then another thread may have the number

constinit SpinLock g_lock;  // a leaf; of the three below
constinit Words* g_first = nullptr;
constinit Ended g_ended_threads[kEnded];
constinit size_t g_next_ended = 0;
constinit std::atomic<uint32_t> g_key{0};  // pthread_key_t + 1
// Set when the thread ends: it has no words from then on.
__attribute__((tls_model("initial-exec"))) constinit thread_local bool g_ended = false;
__attribute__((tls_model("initial-exec"))) constinit thread_local uint16_t g_processed = 0;

int32_t ThisThread() { return static_cast<int32_t>(syscall(SYS_gettid)); }

time_t Now() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec;
}

void GiveBack(void*) {
  Words* const words = of_thread;
  g_ended = true;
  of_thread = nullptr;
  if (words == nullptr) return;
  {
    std::lock_guard lock(g_lock);
    Words** at = &g_first;
    while (*at != nullptr && *at != words) at = &(*at)->next;
    if (*at != nullptr) *at = words->next;
    if (!words->name.empty())
      g_ended_threads[g_next_ended++ % kEnded] = {words->thread, Now(), words->name};
  }
  FreePages(words, sizeof(Words));
}

// Early, so that the key is among those that pthread_setspecific stores without allocating.
__attribute__((constructor)) void MakeKey() {
  pthread_key_t key;
  if (pthread_key_create(&key, GiveBack) == 0) g_key.store(key + 1, std::memory_order_release);
}

// In the child, the other threads do not exist.
const ForkReset g_reset([] {
  new (&g_lock) SpinLock;
  g_first = of_thread;
  for (Ended& one : g_ended_threads) one.thread = 0;
  if (of_thread == nullptr) return;
  of_thread->next = nullptr;
  of_thread->thread = ThisThread();
});

Words* OfThread() {
  if (of_thread != nullptr || g_ended) return of_thread;
  const uint32_t key = g_key.load(std::memory_order_acquire);
  void* const pages = key != 0 ? AllocatePages(sizeof(Words)) : nullptr;
  if (pages == nullptr) return nullptr;
  auto* words = new (pages) Words;
  words->thread = ThisThread();
  pthread_setspecific(key - 1, words);
  of_thread = words;
  std::lock_guard lock(g_lock);
  words->next = g_first;
  return g_first = words;
}

// The innermost range with a name; nullptr: there is none.
Range* Innermost() {
  Words* const words = of_thread;
  if (words == nullptr) return nullptr;
  for (size_t i = words->open; i > 0; --i) {
    if (!words->ranges[i - 1].name.empty()) return &words->ranges[i - 1];
  }
  return nullptr;
}

// The ranges of the domain without an element; nullptr: there are none.
Deeper* DeeperOf(Words& words, const void* domain) {
  for (Deeper& one : words.deeper) {
    if (one.count != 0 && one.domain == domain) return &one;
  }
  return nullptr;
}

int CountOpen(Words& words, const void* domain) {
  const Deeper* deeper = DeeperOf(words, domain);
  return static_cast<int>(std::count_if(words.ranges, words.ranges + words.open,
                                        [&](const Range& one) { return one.domain == domain; })) +
         (deeper != nullptr ? deeper->count : 0);
}

// Counts a range of the domain that has no element. Returns false if too many domains have some.
bool CountDeeper(Words& words, const void* domain) {
  Deeper* deeper = DeeperOf(words, domain);
  if (deeper == nullptr) {
    deeper = std::find_if(words.deeper, words.deeper + kMostDeeper,
                          [](const Deeper& one) { return one.count == 0; });
    if (deeper == words.deeper + kMostDeeper) return false;
    deeper->domain = domain;
  }
  ++deeper->count;
  return true;
}

uint16_t NumberOf(uint32_t sequence) { return static_cast<uint16_t>(sequence % UINT16_MAX + 1); }

Words* Find(int32_t thread) {
  Words* words = g_first;
  while (words != nullptr && words->thread != thread) words = words->next;
  return words;
}

}  // namespace

uint16_t thread_words_internal::Publish() {
  Range* const range = Innermost();
  if (range == nullptr) return 0;
  if (range->published != 0 &&
      g_numbers.load(std::memory_order_relaxed) - range->published < kFresh)
    return NumberOf(range->published - 1);
  const uint32_t sequence = g_numbers.fetch_add(1, std::memory_order_relaxed);
  const uint16_t number = NumberOf(sequence);
  PublishedRange& to = g_published[number % kPublished];
  to.number.store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  uint64_t words[kNameWords] = {};
  std::memcpy(words, range->name.get(), sizeof(range->name));
  for (size_t i = 0; i < kNameWords; ++i) to.name[i].store(words[i], std::memory_order_relaxed);
  to.number.store(number, std::memory_order_release);
  range->published = sequence + 1;
  return number;
}

int PushRange(const void* domain, std::string_view name) {
  Words* const words = OfThread();
  if (words == nullptr) return -1;
  const int before = CountOpen(*words, domain);
  if (words->open == kMostOpen) return CountDeeper(*words, domain) ? before : -1;
  Range& range = words->ranges[words->open++];
  range.domain = domain;
  range.published = 0;
  range.name.Set(name);
  return before;
}

int PopRange(const void* domain) {
  Words* const words = of_thread;
  if (words == nullptr) return -1;
  if (Deeper* deeper = DeeperOf(*words, domain); deeper != nullptr) {
    --deeper->count;
    return CountOpen(*words, domain);
  }
  for (size_t i = words->open; i > 0; --i) {
    if (words->ranges[i - 1].domain != domain) continue;
    std::move(words->ranges + i, words->ranges + words->open, words->ranges + i - 1);
    --words->open;
    return CountOpen(*words, domain);
  }
  return -1;
}

std::string InnermostRange() {
  const Range* range = Innermost();
  return range != nullptr ? range->name.get() : "";
}

void SetProcessedRange(uint16_t number) { g_processed = number; }

std::string ProcessedRange() {
  const uint16_t number = g_processed;
  const PublishedRange& from = g_published[number % kPublished];
  if (number == 0 || from.number.load(std::memory_order_acquire) != number) return "";
  uint64_t words[kNameWords];
  for (size_t i = 0; i < kNameWords; ++i) words[i] = from.name[i].load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (from.number.load(std::memory_order_relaxed) != number) return "";
  char name[sizeof(words)];
  std::memcpy(name, words, sizeof(words));
  name[sizeof(name) - 1] = '\0';
  return name;
}

void NameThread(int32_t thread, std::string_view name) {
  if (thread == ThisThread()) OfThread();
  std::lock_guard lock(g_lock);
  if (Words* const words = Find(thread); words != nullptr) words->name.Set(name);
}

std::string ThreadName(int32_t thread) {
  std::lock_guard lock(g_lock);
  if (const Words* const words = Find(thread); words != nullptr) return words->name.get();
  for (const Ended& one : g_ended_threads) {
    if (one.thread == thread && Now() - one.second < kEndedSeconds) return one.name.get();
  }
  return "";
}

}  // namespace gpusan
