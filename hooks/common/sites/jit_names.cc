// Looks up names of compiled functions in mono, then in the perf map, then in the images for a
// debugger, and caches the results.
#include "hooks/common/sites/jit_names.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>

#include "hooks/common/base/fork_reset.h"
#include "hooks/common/sites/gdb_images.h"
#include "hooks/common/sites/mono_names.h"
#include "hooks/common/sites/perf_map.h"
#include "hooks/common/sites/source_functions.h"

namespace gpusan {
namespace {

constexpr size_t kMostKnown = size_t{1} << 16;
// How long a cached result is valid. Runtimes replace code; a name may be written after the code
// ran.
constexpr int64_t kNamedFor = 1'000'000'000;  // ns
constexpr int64_t kUnnamedFor = 100'000'000;

struct Known {
  JitPosition position;
  int64_t found_ns = 0;
};

int64_t Now(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// When this process started [ns since 1970, to 10 ms]; 0 if that is not known.
int64_t ProcessStart() {
  const int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[1024];
  const ssize_t size = read(fd, text, sizeof(text) - 1);
  close(fd);
  if (size <= 0) return 0;
  text[size] = '\0';
  // The second field is the name in parentheses, which may contain anything; the start is the 22nd.
  const char* field = std::strrchr(text, ')');
  for (int i = 2; field != nullptr && i < 22; ++i) {
    field = std::strchr(field, ' ');
    if (field != nullptr) ++field;
  }
  if (field == nullptr) return 0;
  const int64_t ticks = std::strtoll(field, nullptr, 10);
  const int64_t since_boot = ticks * (1'000'000'000 / sysconf(_SC_CLK_TCK));
  constexpr int64_t kTolerance = 20'000'000;
  return Now(CLOCK_REALTIME) - (Now(CLOCK_BOOTTIME) - since_boot) - kTolerance;
}

struct State {
  std::mutex mutex;  // guards all; a leaf
  std::unordered_map<uint64_t, Known> known;
  PerfMap maps[2];  // in /tmp and in $TMPDIR
  const int64_t start = ProcessStart();
};

// Storage without a destructor: calls may follow the static destructors.
alignas(State) char storage[sizeof(State)];
constinit std::atomic<State*> state{nullptr};
constinit std::atomic_flag making = ATOMIC_FLAG_INIT;

State& TheState() {
  State* made = state.load(std::memory_order_acquire);
  while (made == nullptr) {
    if (!making.test_and_set()) state.store(new (storage) State, std::memory_order_release);
    made = state.load(std::memory_order_acquire);
  }
  return *made;
}

// What the parent had read leaks. The child's process id, and so its map, is another one.
const ForkReset g_reset([] {
  state.store(nullptr, std::memory_order_release);
  making.clear();
});

std::string MapIn(const char* folder) {
  return std::string(folder) + "/perf-" + std::to_string(getpid()) + ".map";
}

// Julia appends a number that differs between runs: "julia_train_1234".
std::string WithoutNumber(std::string name) {
  bool is_julia = false;
  for (const char* begin : {"julia_", "jlsys_", "japi1_", "jfptr_"})
    is_julia = is_julia || name.starts_with(begin);
  const size_t number = name.rfind('_');
  if (is_julia && number > 5 && number + 1 < name.size() &&
      name.find_first_not_of("0123456789", number + 1) == std::string::npos)
    name.resize(number);
  return name;
}

std::string Demangled(std::string name) {
  if (!name.starts_with("_Z")) return WithoutNumber(std::move(name));
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

uint32_t Intern(const JitFunction& function) {
  return InternFunction({.language = kJitLanguage,
                         .name = function.name.c_str(),
                         .file = function.file.c_str(),
                         .line = function.line});
}

bool LookUpInMono(uint64_t address, JitPosition* position) {
  MonoPosition found;
  if (!FindMonoPosition(address, &found)) return false;
  *position = {Intern(found.function), found.line, found.offset + 1};
  return true;
}

JitPosition LookUp(uint64_t address, State* state) {
  JitPosition position;
  if (LookUpInMono(address, &position)) return position;
  uint64_t begin = 0;
  std::string name;
  {
    const char* const value = std::getenv("TMPDIR");
    const std::string other = value != nullptr ? value : "";
    std::lock_guard lock(state->mutex);
    state->maps[0].Read(MapIn("/tmp"), state->start);
    name = state->maps[0].Find(address, &begin);
    if (name.empty() && other.starts_with('/') && other != "/tmp") {
      state->maps[1].Read(MapIn(other.c_str()), state->start);
      name = state->maps[1].Find(address, &begin);
    }
  }
  if (name.empty()) name = FunctionInGdbImages(address, &begin);
  if (name.empty()) return position;
  JitFunction function = JitFunctionNamed(name);
  function.name = Demangled(std::move(function.name));
  return {Intern(function), 0, address - begin + 1};
}

// Whether the command line asks for a map, which the user wants to keep.
bool CommandLineAsksForMap() {
  const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return true;
  char text[4096];
  const ssize_t size = read(fd, text, sizeof(text));
  close(fd);
  if (size < 0 || size == sizeof(text)) return true;
  const std::string_view words(text, static_cast<size_t>(size));
  for (const std::string_view word : {"perf", "jitmap", "PerfMap"})
    if (words.find(word) != std::string_view::npos) return true;
  return false;
}

void Keep(uint64_t return_address, const JitPosition& position, State* state) {
  const int64_t now = Now(CLOCK_MONOTONIC);
  std::lock_guard lock(state->mutex);
  if (state->known.size() >= kMostKnown) state->known.clear();
  Known& known = state->known[return_address];
  // A runtime that shuts down forgets its names.
  if (position.function != 0 || known.position.function == 0) known.position = position;
  known.found_ns = now;
}

}  // namespace

void FindMonoName(uint64_t return_address) {
  const int saved_errno = errno;
  JitPosition position;
  if (LookUpInMono(return_address - 1, &position)) Keep(return_address, position, &TheState());
  errno = saved_errno;
}

void FindJitPosition(uint64_t return_address) {
  if (return_address == 0) return;
  const int saved_errno = errno;
  State& state = TheState();
  const int64_t now = Now(CLOCK_MONOTONIC);
  bool is_fresh = false;
  {
    std::lock_guard lock(state.mutex);
    const auto known = state.known.find(return_address);
    is_fresh = known != state.known.end() &&
               now - known->second.found_ns <
                   (known->second.position.function != 0 ? kNamedFor : kUnnamedFor);
  }
  if (!is_fresh) {
    // The call is before its return address, which may belong to the next function.
    Keep(return_address, LookUp(return_address - 1, &state), &state);
  }
  errno = saved_errno;
}

JitPosition KnownJitPosition(uint64_t return_address) {
  State* const made = state.load(std::memory_order_acquire);
  if (made == nullptr) return {};
  std::lock_guard lock(made->mutex);
  const auto known = made->known.find(return_address);
  return known == made->known.end() ? JitPosition() : known->second.position;
}

void RemovePerfMap() {
  if (CommandLineAsksForMap()) return;
  const std::string path = MapIn("/tmp");
  struct stat status;
  if (lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
      status.st_nlink == 1)
    unlink(path.c_str());
}

}  // namespace gpusan
