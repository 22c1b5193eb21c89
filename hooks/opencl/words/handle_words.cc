// Reads the first words of handles without an access that could fault.
#include "hooks/opencl/words/handle_words.h"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace gpusan::opencl {
namespace {

enum class Form : uint8_t { kUnknown, kTable, kOther };
std::atomic<Form> g_form{Form::kUnknown};

enum class Reading : uint8_t { kRead, kInvalid, kRefused };

// Reads the word at `address`. kRefused: the operating system does not permit the read.
Reading ReadWord(uintptr_t address, uintptr_t* word) {
  const int saved_errno = errno;
  const iovec local = {word, sizeof(*word)};
  const iovec remote = {reinterpret_cast<void*>(address), sizeof(*word)};
  const long got = syscall(SYS_process_vm_readv, getpid(), &local, 1L, &remote, 1L, 0L);
  const bool invalid = got >= 0 || errno == EFAULT;
  errno = saved_errno;
  if (got == static_cast<long>(sizeof(*word))) return Reading::kRead;
  return invalid ? Reading::kInvalid : Reading::kRefused;
}

// Reads the first word of the table to which the word at `handle` points.
Reading ReadTable(uintptr_t handle) {
  uintptr_t table = 0, first = 0;
  const Reading reading = ReadWord(handle, &table);
  return reading == Reading::kRead ? ReadWord(table, &first) : reading;
}

}  // namespace

void LearnHandleForm(const void* handle) {
  if (g_form.load(std::memory_order_relaxed) != Form::kUnknown || handle == nullptr) return;
  const bool table = ReadTable(reinterpret_cast<uintptr_t>(handle)) == Reading::kRead;
  g_form.store(table ? Form::kTable : Form::kOther, std::memory_order_relaxed);
}

bool NamesNoObject(uintptr_t handle) {
  return g_form.load(std::memory_order_relaxed) == Form::kTable &&
         ReadTable(handle) == Reading::kInvalid;
}

}  // namespace gpusan::opencl
