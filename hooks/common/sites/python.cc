// Finds the interpreter, walks the frames of a thread, compares them.
#include "hooks/common/sites/python.h"

#include <dlfcn.h>
#include <link.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "hooks/common/base/next_symbol.h"
#include "hooks/common/base/safe_read.h"
#include "hooks/common/sites/modules.h"
#include "hooks/common/sites/python_code.h"
#include "hooks/common/sites/python_layout.h"
#include "hooks/common/sites/site_cache.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace python_internal {

constinit std::atomic<const Interpreter*> in_use{nullptr};
constinit std::atomic<bool> untested{false};

// The functions need neither the GIL nor a thread state.
struct Interpreter {
  PythonLayout layout;
  PythonTypes types;
  void* (*this_thread_state)() = nullptr;            // PyGILState_GetThisThreadState
  int (*is_finalizing)() = nullptr;                  // Py_IsFinalizing; may be nullptr
  int (*line_of)(void* code, int offset) = nullptr;  // PyCode_Addr2Line; may be nullptr
  uint32_t module = 0;           // of SiteFrame; 0: a program with an interpreter inside
  uintptr_t begin = 0, end = 0;  // its file in memory; empty: a program with an interpreter inside
};

namespace {

enum class State : int { kNone, kSearching, kFound, kRefused };

constinit std::atomic<State> state{State::kNone};
constinit Interpreter interpreter;
constinit std::atomic<bool> testing{false};
constinit char problem_text[160] = {};
constinit std::atomic<const char*> problem{nullptr};

// Frames that are visited at most: an interpreter puts at most one frame of its own between two.
constexpr int kMaxSteps = 2 * kMaxPythonFrames;

struct Position {
  uintptr_t code = 0;
  uintptr_t instruction = 0;  // an address or, in frame objects, an offset [bytes]
};

template <typename T>
[[gnu::always_inline]] inline bool ReadDirectly(uintptr_t address, T* value) {
  std::memcpy(value, reinterpret_cast<const void*>(address), sizeof(T));
  return true;
}

template <typename T>
bool ReadThroughKernel(uintptr_t address, T* value) {
  return ReadOwnMemory(address, value, sizeof(T)) == sizeof(T);
}

// Calls `visit` for each frame, innermost first, until it returns false. Returns false if `read`
// fails.
template <bool kFrameObjects, typename Read, typename Visit>
[[gnu::always_inline]] inline bool WalkAs(const PythonLayout& layout, uintptr_t thread_state,
                                          Read read, Visit visit) {
  uintptr_t frame = 0;
  if (!read(thread_state + layout.current, &frame)) return false;
  if (!kFrameObjects && layout.through_cframe) {
    if (frame == 0) return true;
    if (!read(frame + layout.cframe_current, &frame)) return false;
  }
  for (int step = 0; frame != 0 && step < kMaxSteps; ++step) {
    uint8_t owner = 0;
    if (!kFrameObjects && !read(frame + layout.owner, &owner)) return false;
    if (owner < kFirstInnerOwner) {
      Position position;
      if (!read(frame + layout.code, &position.code)) return false;
      position.code &= ~uintptr_t{3};  // 3.14 marks references in the low bits
      if constexpr (kFrameObjects) {
        int index = 0;
        if (!read(frame + layout.instruction, &index)) return false;
        position.instruction =
            static_cast<uintptr_t>(static_cast<intptr_t>(index)) * layout.instruction_bytes;
      } else {
        if (!read(frame + layout.instruction, &position.instruction)) return false;
      }
      if (position.code != 0 && !visit(position)) return true;
    }
    if (!read(frame + layout.previous, &frame)) return false;
  }
  return true;
}

template <typename Read, typename Visit>
[[gnu::always_inline]] inline bool Walk(const PythonLayout& layout, uintptr_t thread_state,
                                        Read read, Visit visit) {
  return layout.frame_objects ? WalkAs<true>(layout, thread_state, read, visit)
                              : WalkAs<false>(layout, thread_state, read, visit);
}

constexpr auto kDirect = [](uintptr_t address, auto* value) {
  return ReadDirectly(address, value);
};
constexpr auto kThroughKernel = [](uintptr_t address, auto* value) {
  return ReadThroughKernel(address, value);
};

// Returns 0 if the thread has none. An interpreter that ends frees the states of threads that still
// run.
uintptr_t ThreadState(const Interpreter& of) {
  if (of.is_finalizing != nullptr && of.is_finalizing() != 0) return 0;
  return reinterpret_cast<uintptr_t>(of.this_thread_state());
}

// Offset of the instruction in its code [bytes]; negative before the first one.
int OffsetOf(const Interpreter& of, const Position& position) {
  const uintptr_t begin = of.layout.frame_objects ? 0 : position.code + of.layout.instructions;
  return static_cast<int>(position.instruction - begin);
}

// The interpreter numbers the code objects from 3.12 on, until its 32 bits end. 0: no number.
[[gnu::always_inline]] inline uint32_t NumberOf(const PythonLayout& layout,
                                                const Position& position) {
  uint32_t number = 0;
  if (layout.number != 0) [[likely]]
    ReadDirectly(position.code + layout.number, &number);
  return number;
}

// Code objects die and others take their addresses, so that their numbers take part. Without
// numbers, the names do; they are in more cache lines.
[[gnu::always_inline]] inline uint64_t IdentityOf(const PythonLayout& layout,
                                                  const Position& position) {
  const uint64_t place = position.instruction ^ std::rotl<uint64_t>(position.code, 40);
  if (const uint32_t number = NumberOf(layout, position); number != 0) [[likely]]
    return place + (uint64_t{number} << 31);
  uintptr_t file = 0, name = 0;
  int line = 0;
  ReadDirectly(position.code + layout.file_name, &file);
  ReadDirectly(position.code + layout.name, &name);
  ReadDirectly(position.code + layout.first_line, &line);
  return place + std::rotl<uint64_t>(file, 17) + std::rotl<uint64_t>(name, 31) +
         (uint64_t{static_cast<uint32_t>(line)} << 44);
}

// Code that is known not to be of the import system: code objects by address and number, or file
// names if code objects have no numbers. The names of the import system exist as long as the
// interpreter. To read the names of all frames of a stack takes more cache lines.
constexpr int kOtherBits = 7;
constinit std::atomic<uint64_t> others[1 << kOtherBits] = {};

// Whether the code is of the import system, in a file named "<frozen importlib...>". A string has
// its characters after the header, in a block of a multiple of 16 bytes, so that 8 of them can be
// read from any string.
[[gnu::always_inline]] inline bool IsOfImportSystem(const PythonLayout& layout,
                                                    const Position& position) {
  constexpr std::string_view kName = "<frozen importlib";
  uintptr_t file = 0;
  uint64_t key = NumberOf(layout, position);
  if (key != 0) [[likely]] {
    key = key << 32 ^ position.code;  // each interpreter has numbers of its own
  } else {
    ReadDirectly(position.code + layout.file_name, &file);
    key = file;
  }
  std::atomic<uint64_t>& other = others[key * 0x9e3779b97f4a7c15u >> (64 - kOtherBits)];
  if (other.load(std::memory_order_relaxed) == key) [[likely]]
    return false;
  ReadDirectly(position.code + layout.file_name, &file);
  if (file == 0) return false;
  const char* const text = reinterpret_cast<const char*>(file + layout.ascii_header);
  const bool of_import = std::memcmp(text, kName.data(), 8) == 0 &&
                         std::memcmp(text + 8, kName.data() + 8, kName.size() - 8) == 0;
  if (!of_import) other.store(key, std::memory_order_relaxed);
  return of_import;
}

// Calls `visit` for each frame that takes part in a call site, innermost first, until it returns
// false. The import system takes no part, and after it only the frame that imports: modules import
// modules 20 deep, and how the outermost import came about says nothing about a call.
template <typename Visit>
[[gnu::always_inline]] inline void WalkSite(const PythonLayout& layout, uintptr_t thread_state,
                                            Visit visit) {
  bool importing = false;
  Walk(
      layout, thread_state, kDirect, [&](const Position& position) __attribute__((always_inline)) {
        if (IsOfImportSystem(layout, position)) {
          importing = true;
          return true;
        }
        return visit(position) && !importing;
      });
}

void Disable(const char* text) {
  problem.store(text, std::memory_order_release);
  state.store(State::kRefused, std::memory_order_release);
}

// Returns the definition of `name` in the global scope, or in a loaded libpython3*.
void* PythonSymbol(void* handle, const char* name) { return RealDlsym()(handle, name); }

// Opens the file of an embedded interpreter, which may not be in the global scope.
void* OpenLibrary() {
  const char* path = nullptr;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        const char* slash = std::strrchr(info->dlpi_name, '/');
        const std::string_view name = slash != nullptr ? slash + 1 : info->dlpi_name;
        // libpython3.so is the stable interface alone.
        if (!name.starts_with("libpython3.") || name == "libpython3.so") return 0;
        *static_cast<const char**>(data) = info->dlpi_name;
        return 1;
      },
      &path);
  return path != nullptr ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
}

// Stores the file of the interpreter, unless it is a program that contains an interpreter.
void FindFileOfInterpreter() {
  const uint32_t id = ResolveFrame(interpreter.types.code).module;
  const SiteModule* module = SiteModuleById(id);
  if (module == nullptr) return;
  const std::string_view name = BaseName(module->path);
  if (!name.starts_with("libpython3.") && !name.starts_with("python3") && name != "python") return;
  interpreter.module = id;
  dl_find_object object;
  if (_dl_find_object(reinterpret_cast<void*>(interpreter.types.code), &object) != 0) return;
  interpreter.begin = reinterpret_cast<uintptr_t>(object.dlfo_map_start);
  interpreter.end = reinterpret_cast<uintptr_t>(object.dlfo_map_end);
}

// Returns false if there is no interpreter behind `handle`.
bool Describe(void* handle) {
  const auto version = reinterpret_cast<const char* (*)()>(PythonSymbol(handle, "Py_GetVersion"));
  if (version == nullptr) return false;
  interpreter.this_thread_state =
      reinterpret_cast<void* (*)()>(PythonSymbol(handle, "PyGILState_GetThisThreadState"));
  interpreter.is_finalizing = reinterpret_cast<int (*)()>(PythonSymbol(handle, "Py_IsFinalizing"));
  if (interpreter.is_finalizing == nullptr) {
    interpreter.is_finalizing =
        reinterpret_cast<int (*)()>(PythonSymbol(handle, "_Py_IsFinalizing"));
  }
  interpreter.line_of =
      reinterpret_cast<int (*)(void*, int)>(PythonSymbol(handle, "PyCode_Addr2Line"));
  interpreter.types = {
      reinterpret_cast<uintptr_t>(PythonSymbol(handle, "PyCode_Type")),
      reinterpret_cast<uintptr_t>(PythonSymbol(handle, "PyUnicode_Type")),
      reinterpret_cast<uintptr_t>(PythonSymbol(handle, "PyBytes_Type")),
  };
  if (interpreter.this_thread_state == nullptr || interpreter.types.code == 0 ||
      interpreter.types.string == 0 || interpreter.types.bytes == 0)
    return false;
  const char* const text = version();
  const int minor = std::strncmp(text, "3.", 2) == 0 ? std::atoi(text + 2) : 0;
  const bool free_threaded = std::strstr(text, "free-threading") != nullptr;
  if (free_threaded ||
      !FindPythonLayout(minor, PythonSymbol(handle, "_PyRuntime"), &interpreter.layout)) {
    const int length = static_cast<int>(std::strcspn(text, " ("));
    std::snprintf(problem_text, sizeof(problem_text),
                  "call sites have no Python frames, because gpusan cannot read those of Python "
                  "%.*s%s",
                  length, text, free_threaded ? " without GIL" : "");
    Disable(problem_text);
    return true;
  }
  state.store(State::kFound, std::memory_order_release);
  untested.store(true, std::memory_order_release);
  return true;
}

}  // namespace

uint64_t PositionIn(const Interpreter& of) {
  const uintptr_t thread_state = ThreadState(of);
  if (thread_state == 0) return 0;
  uint64_t sum = 0;
  int count = 0;
  WalkSite(
      of.layout, thread_state, [&](const Position& position) __attribute__((always_inline)) {
        sum += IdentityOf(of.layout, position) * site_internal::kFactors.at[count];
        return ++count < kMaxPythonFrames;
      });
  return sum;
}
static_assert(kMaxPythonFrames <= kMaxSiteFrames);

bool IsImportingIn(const Interpreter& of) {
  constexpr int kFrames = 8;  // between the import and the code that it runs, in most cases
  const uintptr_t thread_state = ThreadState(of);
  if (thread_state == 0) return false;
  bool imports = false;
  int count = 0;
  Walk(of.layout, thread_state, kDirect, [&](const Position& position) {
    imports = IsOfImportSystem(of.layout, position);
    return !imports && ++count < kFrames;
  });
  return imports;
}

namespace {

enum class Outcome { kNoFrames, kRight, kWrong };

// Reads the frames of the thread through the kernel, and compares the line of the innermost one.
Outcome TestFrames(uintptr_t thread_state) {
  int count = 0;
  bool right = true;
  const bool readable =
      Walk(interpreter.layout, thread_state, kThroughKernel, [&](const Position& position) {
        SourceFrame frame;
        const int offset = OffsetOf(interpreter, position);
        right =
            ReadPythonCode(interpreter.layout, interpreter.types, position.code, offset, &frame);
        if (right && count == 0 && interpreter.line_of != nullptr && offset >= 0) {
          const int line = interpreter.line_of(reinterpret_cast<void*>(position.code), offset);
          right = line <= 0 || line == static_cast<int>(frame.line);
        }
        return right && ++count < kMaxPythonFrames;
      });
  if (!readable || !right) return Outcome::kWrong;
  return count > 0 ? Outcome::kRight : Outcome::kNoFrames;
}

}  // namespace

void Test() {
  const uintptr_t thread_state = ThreadState(interpreter);
  if (thread_state == 0 || testing.exchange(true, std::memory_order_acq_rel)) return;
  Outcome outcome = TestFrames(thread_state);
  if (outcome == Outcome::kWrong) {
    // The field has 2 or 16 bits in different builds of 3.14.
    interpreter.layout.interned_bits = 16;
    outcome = TestFrames(thread_state);
  }
  if (outcome == Outcome::kWrong) {
    untested.store(false, std::memory_order_release);
    Disable(
        "call sites have no Python frames, because this build of Python has another layout of "
        "frames "
        "than its version");
  } else if (outcome == Outcome::kRight) {
    FindFileOfInterpreter();
    untested.store(false, std::memory_order_release);
    in_use.store(&interpreter, std::memory_order_release);
  }
  testing.store(false, std::memory_order_release);
}

}  // namespace python_internal

using namespace python_internal;

namespace {

bool IsOwnModule(const SourceFrame& frame) {
  const SiteFunction* function = SiteFunctionById(frame.function);
  return function != nullptr && std::strcmp(function->file, kOwnPythonFile) == 0;
}

}  // namespace

int CapturePythonFrames(SourceFrame* frames, int capacity) {
  const Interpreter* const of = in_use.load(std::memory_order_acquire);
  const uintptr_t thread_state = of != nullptr ? ThreadState(*of) : 0;
  if (thread_state == 0 || capacity <= 0) return 0;
  int count = 0;
  if (capacity > kMaxPythonFrames) capacity = kMaxPythonFrames;
  WalkSite(of->layout, thread_state, [&](const Position& position) {
    const uint64_t identity = IdentityOf(of->layout, position);
    if (FindPythonPosition(identity, &frames[count])) {
      ++count;
    } else if (ReadPythonCode(of->layout, of->types, position.code, OffsetOf(*of, position),
                              &frames[count])) {
      KeepPythonPosition(identity, frames[count++]);
    }
    if (count == 1 && IsOwnModule(frames[0])) count = 0;
    return count < capacity;
  });
  return count;
}

void FindPython() {
  State expected = State::kNone;
  if (!state.compare_exchange_strong(expected, State::kSearching)) return;
  if (Describe(RTLD_DEFAULT)) return;
  if (void* library = OpenLibrary(); library != nullptr) {
    const bool found = Describe(library);
    dlclose(library);
    if (found) return;
  }
  state.store(State::kNone, std::memory_order_release);
}

void ForgetUnloadedPython() {
  if (state.load(std::memory_order_acquire) != State::kFound ||
      IsInLoadedFile(reinterpret_cast<const void*>(interpreter.types.code)))
    return;
  untested.store(false, std::memory_order_release);
  in_use.store(nullptr, std::memory_order_release);
}

bool IsInterpreterCode(const void* address) {
  const Interpreter* const of = in_use.load(std::memory_order_acquire);
  const auto number = reinterpret_cast<uintptr_t>(address);
  return of != nullptr && number >= of->begin && number < of->end;
}

bool IsInterpreterFrame(const SiteFrame& frame) {
  const Interpreter* const of = in_use.load(std::memory_order_acquire);
  return of != nullptr && frame.module != 0 && frame.module == of->module;
}

const char* PythonProblem() { return problem.load(std::memory_order_acquire); }

}  // namespace gpusan
