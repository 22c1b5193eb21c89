// The names that the program gives its threads, and their open ranges (NVTX).
//
// The thread that opens and closes ranges takes no lock, and allocates at its first range or name
// only. Texts are cut. Threads whose memory cannot be allocated have no name and no ranges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpusan {

namespace thread_words_internal {
struct Words;
extern __attribute__((tls_model("initial-exec"))) constinit thread_local Words* of_thread;
[[gnu::noinline]] uint16_t Publish();
}  // namespace thread_words_internal

// Opens a range of the calling thread. The ranges of each domain are a stack of their own. Returns
// the number of ranges of the domain that were open before, or a negative number if the range is
// not kept.
int PushRange(const void* domain, std::string_view name);
// Closes the innermost range of the domain. Returns the number of ranges of the domain that are
// still open, or a negative number if none was.
int PopRange(const void* domain);

// Returns the innermost open range of the calling thread that has a name; "" if there is none.
std::string InnermostRange();
// Returns a number that means the range of InnermostRange(), for a call that another thread
// processes; 0: none. The name of a number is kept while fewer than 1,900 newer numbers exist.
inline uint16_t NumberInnermostRange() {
  if (thread_words_internal::of_thread == nullptr) [[likely]]
    return 0;
  return thread_words_internal::Publish();
}
// Sets the range of the call that the calling thread processes for another thread, by its number.
void SetProcessedRange(uint16_t number);
// Returns its name; "" if there is none, or if it is lost.
std::string ProcessedRange();

// Names the calling thread, or another one that has a range or a name. `thread`: as gettid().
void NameThread(int32_t thread, std::string_view name);
// Returns the name of a thread that runs or has just ended; "": it has none. Thread-safe.
std::string ThreadName(int32_t thread);

}  // namespace gpusan
