// Completes the environments of programs that a process under `gpusan run` starts.
#include "layer/process/child_environment.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "report/base/executable_file.h"
#include "report/base/injecting_tools.h"
#include "report/base/privileges.h"
#include "report/record/attach_log.h"
#include "report/record/summary_service.h"

namespace gpusan {

enum class Form : unsigned char { kList, kWhole };

// One variable of gpusan in this process, as it was at the start.
struct ChildEnvironment::Variable {
  const char* name;
  Form form;
  bool prepend;         // of kList: the place of the part
  bool names_library;   // it makes the loader, or the loader of an API, open the library
  bool injects;         // the one tool that the CUDA driver, or NVTX, loads
  const char* part;     // gpusan's part of the value; nullptr: the variable is not gpusan's
  const char* setting;  // "NAME=part"
};

namespace {

using Variable = ChildEnvironment::Variable;

// Also in report/command/run_environment.cc, which sets them.
Variable g_variables[] = {
    {"LD_PRELOAD", Form::kList, true, true, false, nullptr, nullptr},
    {"OPENCL_LAYERS", Form::kList, false, true, false, nullptr, nullptr},
    {"CUDA_INJECTION64_PATH", Form::kWhole, true, true, true, nullptr, nullptr},
    {"NVTX_INJECTION64_PATH", Form::kWhole, true, true, true, nullptr, nullptr},
    {"VK_ADD_LAYER_PATH", Form::kList, true, true, false, nullptr, nullptr},
    {"VK_INSTANCE_LAYERS", Form::kList, true, true, false, nullptr, nullptr},
    {"ASAN_OPTIONS", Form::kList, false, true, false, nullptr, nullptr},
    {"GPUSAN_OPTIONS", Form::kWhole, true, false, false, nullptr, nullptr},
    {kAttachLogVariable, Form::kWhole, true, false, false, nullptr, nullptr},
    {kRunVariable, Form::kWhole, true, false, false, nullptr, nullptr},
    {kSummaryServiceVariable, Form::kWhole, true, false, false, nullptr, nullptr},
};

constinit std::atomic<const char*> g_log{nullptr};  // set last; nullptr: not under `gpusan run`
bool g_follows = false;

// The runtime of the address sanitizer ends a program in which it is not the first library. It
// works behind gpusan, whose malloc calls that of the sanitizer.
constexpr char kLinkOrderOption[] = "verify_asan_link_order=0";

constexpr size_t kMostEntries = size_t{1} << 14;  // larger environments stay as they are

// The separators of LD_PRELOAD; the other lists have colons only, and no blanks in gpusan's part.
bool Separates(char c) { return c == ':' || c == ' '; }

// Returns the position of `part` in a list, or nullptr.
const char* FindPart(const char* list, const char* part) {
  const size_t size = std::strlen(part);
  for (const char* at = std::strstr(list, part); at != nullptr; at = std::strstr(at + 1, part)) {
    const bool begins = at == list || Separates(at[-1]);
    if (begins && (at[size] == '\0' || Separates(at[size]))) return at;
  }
  return nullptr;
}

// The value of an entry "NAME=value" with that name; nullptr for other entries.
const char* ValueOf(const char* entry, const char* name) {
  const size_t size = std::strlen(name);
  return std::strncmp(entry, name, size) == 0 && entry[size] == '=' ? entry + size + 1 : nullptr;
}

// The value in the environment; nullptr without one.
const char* ValueIn(char* const* environment, const char* name) {
  for (char* const* entry = environment; entry != nullptr && *entry != nullptr; ++entry) {
    if (const char* value = ValueOf(*entry, name); value != nullptr) return value;
  }
  return nullptr;
}

// Whether the environment is one that another `gpusan run` made.
bool IsOfAnotherRun(char* const* environment) {
  for (const Variable& variable : g_variables) {
    if (std::strcmp(variable.name, kRunVariable) != 0 || variable.part == nullptr) continue;
    const char* run = ValueIn(environment, kRunVariable);
    return run != nullptr && std::strcmp(run, variable.part) != 0;
  }
  return false;
}

bool HasPart(const Variable& variable, const char* value) {
  return variable.form == Form::kWhole ? std::strcmp(value, variable.part) == 0
                                       : FindPart(value, variable.part) != nullptr;
}

// The runtime of a sanitizer must be the first library.
bool NamesSanitizer(const char* value) {
  for (const char* name :
       {"libasan", "libtsan", "liblsan", "libubsan", "libhwasan", "libclang_rt"}) {
    if (std::strstr(value, name) != nullptr) return true;
  }
  return false;
}

char* const kEmpty[] = {nullptr};  // clearenv leaves no list

// The change of an entry of the environment.
enum class Change : unsigned char { kNone, kJoin, kRemove };

// `loads`: whether the variable may name the library.
Change ChangeOf(const Variable& variable, const char* value, bool loads) {
  if (variable.part == nullptr || !variable.names_library) return Change::kNone;
  const bool has = HasPart(variable, value);
  if (!loads) return has ? Change::kRemove : Change::kNone;
  // A value that the program chose for a variable that is no list stays.
  return g_follows && !has && variable.form == Form::kList ? Change::kJoin : Change::kNone;
}

const Variable* VariableOf(const char* entry, const char** value) {
  for (const Variable& variable : g_variables) {
    *value = ValueOf(entry, variable.name);
    if (*value != nullptr) return &variable;
  }
  return nullptr;
}

char* Append(char* to, const char* text, size_t size) {
  std::memcpy(to, text, size);
  return to + size;
}
char* Append(char* to, const char* text) { return Append(to, text, std::strlen(text)); }

// "NAME=value" with gpusan's part added. Returns the end, after the terminator.
char* WriteJoined(char* to, const Variable& variable, const char* value) {
  to = Append(to, variable.name);
  *to++ = '=';
  const bool first =
      variable.prepend && !(std::strcmp(variable.name, "LD_PRELOAD") == 0 && NamesSanitizer(value));
  if (first || *value == '\0') to = Append(to, variable.part);
  if (*value != '\0') {
    if (first) *to++ = ':';
    to = Append(to, value);
    if (!first) {
      *to++ = ':';
      to = Append(to, variable.part);
    }
  }
  *to++ = '\0';
  return to;
}

// "NAME=value" without gpusan's part. Returns the end, or nullptr if nothing is left of the value.
char* WriteWithout(char* to, const Variable& variable, const char* value) {
  if (variable.form == Form::kWhole) return nullptr;
  const char* part = FindPart(value, variable.part);
  const char* rest = part + std::strlen(variable.part);
  size_t before = static_cast<size_t>(part - value);
  if (*rest != '\0') {
    ++rest;  // the separator after it
  } else if (before > 0) {
    --before;
  }
  if (before == 0 && *rest == '\0') return nullptr;
  to = Append(to, variable.name);
  *to++ = '=';
  to = Append(to, value, before);
  to = Append(to, rest);
  *to++ = '\0';
  return to;
}

const char* OwnPath() {
  Dl_info info;
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<void*>(&OwnPath), &info, reinterpret_cast<void**>(&map),
              RTLD_DL_LINKMAP) == 0 ||
      map == nullptr)
    return "";
  return map->l_name;
}

void Keep(Variable* variable, const char* part, size_t size) {
  const size_t name = std::strlen(variable->name);
  char* setting = static_cast<char*>(std::malloc(name + size + 2));  // never freed
  if (setting == nullptr) return;
  char* end = Append(setting, variable->name, name);
  *end++ = '=';
  end = Append(end, part, size);
  *end = '\0';
  variable->setting = setting;
  variable->part = setting + name + 1;
}

}  // namespace

void RememberRun(bool follow_children) {
  if (RunsWithRaisedPrivileges()) return;
  const char* log = std::getenv(kAttachLogVariable);
  if (log == nullptr || *log == '\0' || std::getenv(kRunVariable) == nullptr) return;
  const char* library = OwnPath();
  const char* slash = std::strrchr(library, '/');
  if (slash == nullptr) return;
  for (Variable& variable : g_variables) {
    const char* value = std::getenv(variable.name);
    if (value == nullptr) continue;
    if (!variable.names_library) {
      Keep(&variable, value, std::strlen(value));
      continue;
    }
    const char* part = library;
    size_t size = std::strlen(library);
    if (std::strcmp(variable.name, "VK_ADD_LAYER_PATH") == 0)
      size = static_cast<size_t>(slash - library);
    if (std::strcmp(variable.name, "VK_INSTANCE_LAYERS") == 0) {
      part = "VK_LAYER_GPUSAN_shadow";
      size = std::strlen(part);
    }
    if (std::strcmp(variable.name, "ASAN_OPTIONS") == 0) {
      part = kLinkOrderOption;
      size = std::strlen(part);
    }
    Keep(&variable, part, size);
    // A variable that does not name gpusan belongs to the user.
    if (variable.part != nullptr && !HasPart(variable, value)) variable.part = nullptr;
  }
  g_follows = follow_children;
  for (const Variable& variable : g_variables) {
    if (std::strcmp(variable.name, kAttachLogVariable) == 0)
      g_log.store(variable.part, std::memory_order_release);
  }
}

ChildEnvironment::ChildEnvironment(const char* file, char* const* given)
    : given_(given != nullptr ? given : kEmpty) {
  if (g_log.load(std::memory_order_acquire) == nullptr || IsOfAnotherRun(given_)) return;
  if (file != nullptr) {
    const Preload preload = PreloadOf(file);
    loads_ = preload == Preload::kLoads || preload == Preload::kStatic;
    gives_way_ = IsInjectingTool(file);
  }
  size_t entries = 0;
  size_t text = 0;
  bool changes = false;
  for (char* const* entry = given_; *entry != nullptr; ++entry, ++entries) {
    const char* value = nullptr;
    const Variable* variable = VariableOf(*entry, &value);
    if (variable == nullptr || ChangeOf(*variable, value, MayName(*variable)) == Change::kNone)
      continue;
    changes = true;
    text += std::strlen(*entry) + std::strlen(variable->part) + 2;
  }
  for (const Variable& variable : g_variables) missing_ += IsMissing(variable) ? 1 : 0;
  if ((!changes && missing_ == 0) || entries > kMostEntries) return;
  bytes_ = (entries + missing_ + 1) * sizeof(char*) + text;
}

bool ChildEnvironment::MayName(const Variable& variable) const {
  return loads_ && !(gives_way_ && variable.injects);
}

bool ChildEnvironment::IsMissing(const Variable& variable) const {
  return variable.part != nullptr && g_follows && (MayName(variable) || !variable.names_library) &&
         ValueIn(given_, variable.name) == nullptr;
}

char* const* ChildEnvironment::Build(void* buffer) const {
  char** const environment = static_cast<char**>(buffer);
  size_t entries = 0;
  for (char* const* entry = given_; *entry != nullptr; ++entry) ++entries;
  char* text = reinterpret_cast<char*>(environment + entries + missing_ + 1);
  size_t count = 0;
  for (char* const* entry = given_; *entry != nullptr; ++entry) {
    const char* value = nullptr;
    const Variable* variable = VariableOf(*entry, &value);
    const Change change =
        variable == nullptr ? Change::kNone : ChangeOf(*variable, value, MayName(*variable));
    if (change == Change::kNone) {
      environment[count++] = *entry;
      continue;
    }
    char* const end = change == Change::kJoin ? WriteJoined(text, *variable, value)
                                              : WriteWithout(text, *variable, value);
    if (end == nullptr) continue;
    environment[count++] = text;
    text = end;
  }
  for (const Variable& variable : g_variables) {
    if (IsMissing(variable)) environment[count++] = const_cast<char*>(variable.setting);
  }
  environment[count] = nullptr;
  return environment;
}

bool IsFollowed(char* const* environment) {
  if (g_log.load(std::memory_order_acquire) == nullptr) return true;
  const Variable& preload = g_variables[0];
  const char* value = ValueIn(environment, preload.name);
  return preload.part == nullptr || (value != nullptr && HasPart(preload, value));
}

bool LogExec(const char* file, char* const* environment) {
  const char* log = g_log.load(std::memory_order_acquire);
  if (log == nullptr || file == nullptr || IsOfAnotherRun(environment) || access(file, X_OK) != 0)
    return false;
  AppendToLog(log, kLogExec, getpid(), file);
  return true;
}

void LogFailedExec() {
  if (const char* log = g_log.load(std::memory_order_acquire); log != nullptr)
    AppendToLog(log, kLogFailed, getpid(), nullptr);
}

void LogSpawned(pid_t child, const char* file, char* const* environment) {
  if (const char* log = g_log.load(std::memory_order_acquire);
      log != nullptr && file != nullptr && !IsOfAnotherRun(environment))
    AppendToLog(log, kLogSpawned, child, file);
}

void LogShell(const char* command) {
  if (const char* log = g_log.load(std::memory_order_acquire); log != nullptr)
    AppendToLog(log, kLogShell, getpid(), command);
}

}  // namespace gpusan
