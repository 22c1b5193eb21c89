// The accesses of the first thread of a launch, found by executing its code with the arguments of
// the launch.
//
// Values that the code loads from memory, and values that depend on them, are unknown. If a branch
// depends on an unknown value, the execution continues after the branch, and the registers that
// either side writes are unknown. The execution ends where the thread may end, and at a limit of
// steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hooks/cuda/machine_code/cubin.h"

namespace gpusan::cuda {

struct ThreadInput {
  std::span<const unsigned char> parameters;  // the parameter block
  // The offsets of non-null pointers in the parameter block, ascending. Only the bits kPointerBits
  // of a pointer are known. A result that depends on other bits is unknown, except for comparisons
  // with 0.
  std::span<const uint32_t> pointers;
  static constexpr uint64_t kPointerBits = 0xff;
  uint32_t grid_size[3] = {1, 1, 1};   // [blocks]
  uint32_t block_size[3] = {1, 1, 1};  // [threads]
  // Execute only what comes before everything that can order accesses of threads.
  bool before_waits = false;
};

// Bytes that the thread surely accesses, not atomically.
struct ThreadAccess {
  uint32_t pointer = 0;  // index in ThreadInput::pointers
  bool write = false;    // else it reads
  int64_t offset = 0;    // from the pointer [bytes]
  uint8_t bytes = 0;     // 0: which bytes is not known

  auto operator<=>(const ThreadAccess&) const = default;
};

struct ThreadTrace {
  std::vector<ThreadAccess> accesses;  // ascending, each once
  // The words of 4 bytes of the parameter block on which the accesses depend, by index.
  std::vector<uint32_t> words;
  // Why the execution ended, for people.
  const char* end = "not executed";
};

// The code of a kernel, as a copy. Constant after creation, thread-safe.
class ThreadCode {
 public:
  explicit ThreadCode(const CubinKernel& kernel);
  ThreadCode(const ThreadCode&) = delete;
  ThreadCode& operator=(const ThreadCode&) = delete;

  // Executes the code of thread 0 of block 0. Without accesses if the code is not understood.
  // Bounded time: about 1 ms.
  ThreadTrace Execute(const ThreadInput& input) const;

 private:
  std::vector<unsigned char> code_;
  CubinKernel kernel_;  // without names
  // The only functions that the code calls by their addresses are those of failed assertions, from
  // which no thread returns.
  bool calls_failure_only_ = false;
};

}  // namespace gpusan::cuda
