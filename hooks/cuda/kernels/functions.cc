// Kernels as launches need them: names and parameters, asked of the driver once for each function.
#include "hooks/cuda/kernels/functions.h"

#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/common/base/process_state.h"
#include "hooks/common/kernel_summaries.h"
#include "hooks/cuda/arrays/tensor_maps.h"
#include "hooks/cuda/deferral/deferral_queue.h"
#include "hooks/cuda/kernels/argument_list.h"
#include "hooks/cuda/kernels/launch_execution.h"
#include "hooks/cuda/kernels/library_scope.h"
#include "hooks/cuda/kernels/modules.h"
#include "hooks/cuda/streams/contexts.h"
#include "hooks/cuda/types/numba_arguments.h"
#include "tracker/memory/handle_map.h"
#include "tracker/order/waiting_kernels.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxParameters = 4096;

// The functions of the process; they refer to the tracker's kernels.
struct Table {
  HandleMap<Function> live;
  SpinLock lock;
  std::vector<Function*> listed;                                    // the entries of `live`
  std::map<uintptr_t, std::vector<std::unique_ptr<Function>>> all;  // by handle; never freed
  std::map<uintptr_t, std::string> names;
  std::atomic<bool> module_memory{false};
};

constinit ProcessState<Table> g_table;
// Incremented when an entry leaves a table's `live`, and when the table is replaced.
constinit std::atomic<uint32_t> g_forgotten{1};

Table& TheTable() { return g_table.Get(); }

std::string QueryName(uintptr_t handle) {
  const char* name = nullptr;
  const auto of_function = GPUSAN_CU_REAL(cuFuncGetName);
  if (of_function != nullptr &&
      of_function(&name, reinterpret_cast<CUfunction>(handle)) == CUDA_SUCCESS && name != nullptr) {
    return name;
  }
  const auto of_kernel = GPUSAN_CU_REAL(cuKernelGetName);
  if (of_kernel != nullptr &&
      of_kernel(&name, reinterpret_cast<CUkernel>(handle)) == CUDA_SUCCESS && name != nullptr) {
    return name;
  }
  return "";
}

// Both queries return CUDA_ERROR_INVALID_VALUE after the last parameter.
template <typename Query, typename Handle>
bool QueryLayout(Query query, Handle handle, std::vector<Parameter>* parameters) {
  if (query == nullptr) return false;
  parameters->clear();
  for (size_t i = 0; i < kMaxParameters; ++i) {
    size_t offset = 0, bytes = 0;
    const CUresult code = query(handle, i, &offset, &bytes);
    if (code == CUDA_ERROR_INVALID_VALUE) return true;
    if (code != CUDA_SUCCESS) return false;
    Parameter& parameter = parameters->emplace_back();
    parameter.offset = static_cast<uint32_t>(offset);
    parameter.bytes = static_cast<uint32_t>(bytes);
  }
  return false;
}

// Without the driver's help: scalars have the layout of C, up to the first class.
bool GuessLayout(const KernelType& type, std::vector<Parameter>* parameters) {
  parameters->clear();
  uint32_t offset = 0;
  for (const ParameterType& parameter : type.parameters) {
    if (parameter.bytes == 0) return false;
    offset = (offset + parameter.bytes - 1) / parameter.bytes * parameter.bytes;
    parameters->push_back({offset, parameter.bytes, {}});
    offset += parameter.bytes;
  }
  return type.known;
}

// True if the parameters of the name match those of the driver as far as both are known.
bool Agrees(const KernelType& type, const std::vector<Parameter>& parameters) {
  if (!type.known || type.parameters.size() != parameters.size()) return false;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ParameterType& named = type.parameters[i];
    if (named.bytes != 0 && named.bytes != parameters[i].bytes) return false;
  }
  return true;
}

void Summarize(Function* function) {
  int writable = 0, output = -1;
  for (size_t i = 0; i < function->parameters.size(); ++i) {
    const Parameter& parameter = function->parameters[i];
    function->argument_bytes += InWholeWords(parameter.bytes);
    if (parameter.bytes == kTensorMapBytes) function->argument_bytes += 2 * sizeof(uint64_t);
    switch (parameter.type.kind) {
      case ParameterKind::kPointer:
        function->reaches_unseen |= parameter.type.may_hold_addresses;
        if (parameter.type.constant) break;
        ++writable;
        output = static_cast<int>(i);
        break;
      case ParameterKind::kInteger:
        // It may be a texture or surface object.
        function->reaches_unseen |= parameter.bytes == 8 && !parameter.type.is_signed;
        break;
      case ParameterKind::kFloat:
        break;
      case ParameterKind::kUnknown:
      case ParameterKind::kOther:
        if (parameter.bytes < 8) break;
        function->reaches_unseen = true;
        writable += 2;
        break;
    }
  }
  if (!function->types_known) function->reaches_unseen = true;
  function->writable = function->types_known ? writable : 2;
  function->output = writable == 1 ? output : -1;
}

// The summary of smaller code is derived faster than it is read from a file [bytes].
constexpr size_t kWorthAFile = 8192;

// The accesses of the kernel; nullptr: unknown. From the cache on disk if that is faster.
std::shared_ptr<const KernelUses> UsesOf(const FoundKernel& kernel,
                                         const std::vector<uint32_t>& offsets,
                                         const std::vector<uint32_t>& sizes) {
  constexpr std::string_view kKind = "cuda";
  constexpr int kVersion = kKernelUsesVersion * 1000 + kSummaryVersion;
  const KernelSummaryService* service = kernel_summary_service.load(std::memory_order_acquire);
  const bool cached = service != nullptr && kernel.code_bytes() >= kWorthAFile;
  std::string content, text;
  if (cached) {
    content = kernel.Content();
    // The summary is in terms of parameters.
    for (size_t i = 0; i < offsets.size(); ++i)
      absl::StrAppend(&content, "\n", offsets[i], " ", sizes[i]);
    if (service->load(kKind, kVersion, content, &text)) {
      if (text.empty()) return nullptr;
      if (auto uses = KernelUses::FromText(text, sizes))
        return std::make_shared<const KernelUses>(*std::move(uses));
    }
  }
  const KernelAccess access = kernel.Summarize();
  std::shared_ptr<const KernelUses> uses;
  if (access.known()) uses = std::make_shared<const KernelUses>(access, offsets, sizes);
  if (cached) service->store(kKind, kVersion, content, uses != nullptr ? uses->Text() : "");
  return uses;
}

// Prepares executions of the code.
void LearnToExecute(Function* function, const KernelUses& uses, const FoundKernel& kernel) {
  constexpr uint32_t kMaxBlockBytes = 4096, kMaxCodeBytes = 1 << 18;
  const Parameter& last = function->parameters.back();
  const uint32_t bytes = InWholeWords(last.offset + last.bytes);
  if (bytes > kMaxBlockBytes || kernel.code_bytes() > kMaxCodeBytes) return;
  std::vector<uint32_t> pointers;
  for (const KernelUses::Pointer& pointer : uses.pointers())
    pointers.push_back(function->parameters[pointer.word.parameter].offset + pointer.word.offset);
  function->block_words = bytes / 8;
  // A launch that is too large for the queue would become slower.
  constexpr size_t kOtherBytes = 256;
  if (MostArgumentWords(*function) * 8 + kOtherBytes > DeferredRoom::kMostBytes) {
    function->block_words = 0;
    return;
  }
  std::unique_ptr<const ThreadCode> code = kernel.CopyCode();
  if (code == nullptr) return;
  function->execution = std::make_shared<LaunchExecution>(std::move(code), pointers);
  function->executes.store(uses.has_open_accesses(), std::memory_order_relaxed);
  if (uses.has_open_accesses() || uses.has_unbounded_accesses())
    function->first_launches.store(Function::kFirstLaunches, std::memory_order_relaxed);
}

// Sets what the code of the function accesses.
void LearnUses(Function* function, const FoundKernel& kernel) {
  std::vector<uint32_t> offsets, sizes;
  for (const Parameter& parameter : function->parameters) {
    if (!offsets.empty() && parameter.offset < offsets.back()) return;
    offsets.push_back(parameter.offset);
    sizes.push_back(parameter.bytes);
  }
  std::shared_ptr<const KernelUses> uses = UsesOf(kernel, offsets, sizes);
  if (uses == nullptr || uses->pointers().size() > INT16_MAX) return;
  function->needed = uses->integers();
  function->needed_integers = static_cast<uint32_t>(function->needed.size());
  function->whole_pointers.assign(function->parameters.size(), -1);
  for (size_t i = 0; i < uses->pointers().size(); ++i) {
    if (uses->pointers()[i].view != ViewKind::kNone) {
      function->views.push_back(static_cast<int16_t>(i));
      continue;
    }
    const ParameterWord& word = uses->pointers()[i].word;
    const Parameter& parameter = function->parameters[word.parameter];
    const ParameterKind kind = parameter.type.kind;
    if (parameter.bytes == 8 &&
        (kind == ParameterKind::kPointer || kind == ParameterKind::kUnknown)) {
      function->whole_pointers[word.parameter] = static_cast<int16_t>(i);
    } else {
      function->needed.push_back(word);
      function->inner_pointers.push_back(static_cast<int16_t>(i));
    }
  }
  function->pointer_runs =
      RunsOf(absl::MakeConstSpan(function->needed).subspan(function->needed_integers));
  for (const WordRun& run : function->pointer_runs) {
    const Parameter& parameter = function->parameters[run.parameter];
    if (run.parameter < 64 && run.offset == 0 && parameter.bytes > 8 &&
        run.count >= parameter.bytes / 8)
      function->covered |= uint64_t{1} << run.parameter;
  }
  function->last_uses = std::make_unique<LastUses>();
  if (!uses->pointers().empty()) LearnToExecute(function, *uses, kernel);
  function->uses = std::move(uses);
}

// A module that is loaded again has the same code.
bool SameUses(const Function& a, const Function& b) {
  if (a.uses == nullptr || b.uses == nullptr) return a.uses == b.uses;
  return a.uses->Text() == b.uses->Text();
}

void Learn(Function* function, const std::shared_ptr<const ModuleCode>& code) {
  Table& table = TheTable();
  function->symbol = QueryName(function->handle);
  if (function->symbol.empty()) {
    std::lock_guard lock(table.lock);
    auto it = table.names.find(function->handle);
    if (it != table.names.end()) function->symbol = it->second;
  }
  const KernelType type = ReadKernelType(function->symbol);
  function->layout_known =
      QueryLayout(GPUSAN_CU_REAL(cuFuncGetParamInfo),
                  reinterpret_cast<CUfunction>(function->handle), &function->parameters) ||
      QueryLayout(GPUSAN_CU_REAL(cuKernelGetParamInfo),
                  reinterpret_cast<CUkernel>(function->handle), &function->parameters) ||
      GuessLayout(type, &function->parameters);
  FoundKernel kernel;
  const bool found = code != nullptr && code->Find(function->symbol, &kernel);
  if (!function->layout_known && found && !kernel.parameters().empty()) {
    // Drivers before CUDA 12.4 have no query; the code contains the same.
    function->parameters.clear();
    for (const KernelParameter& parameter : kernel.parameters())
      function->parameters.push_back({parameter.offset, parameter.size, {}});
    function->layout_known = true;
  }
  if (!function->layout_known) function->parameters.clear();
  if (function->layout_known && Agrees(type, function->parameters)) {
    function->types_known = true;
    for (size_t i = 0; i < type.parameters.size(); ++i)
      function->parameters[i].type = type.parameters[i];
  }
  Summarize(function);
  if (found && function->layout_known) LearnUses(function, kernel);
  // Kernels of libraries wait for nothing that others write.
  if (library_scope == 0) {
    function->writes_flags = function->uses != nullptr && function->uses->may_wait();
    function->waits_for_flags = function->uses != nullptr && function->uses->waits_in_loop();
    if (function->uses == nullptr || function->waits_for_flags) NoteWaitingKernel();
  }
  function->name = function->symbol.empty() ? "?" : type.name;
}

// Returns the live kernel object for the handle if an intercepted call returned it.
Kernel* NotedKernel(CuCall& call, uintptr_t handle) {
  Object* object = call.tracker().objects().Find(Api::kCuda, handle);
  if (object == nullptr || object->kind != ObjectKind::kKernel || !object->live()) return nullptr;
  return static_cast<Kernel*>(object);
}

[[gnu::noinline]] Function* Adopt(CuCall& call, uintptr_t handle) {
  Table& table = TheTable();
  auto fresh = std::make_unique<Function>();
  fresh->handle = handle;
  Kernel* kernel = NotedKernel(call, handle);
  Learn(fresh.get(), kernel != nullptr ? CodeOf(kernel->program.get()) : nullptr);
  if (kernel == nullptr) {
    kernel = call.tracker().objects().NewKernel(call, handle, nullptr, nullptr, fresh->name);
    kernel->MarkAdopted();
  }
  fresh->kernel = kernel;
  std::vector<std::string> names;
  if (fresh->layout_known) names = NumbaArgumentNames(fresh->symbol, fresh->parameters.size());
  std::lock_guard lock(table.lock);
  if (Function* other = table.live.Find(handle); other != nullptr) return other;
  // Reuses a dropped entry that is unchanged, so that memory stays bounded.
  auto& known = table.all[handle];
  Function* function = nullptr;
  for (const auto& old : known) {
    if (old->symbol == fresh->symbol && old->parameters.size() == fresh->parameters.size() &&
        old->types_known == fresh->types_known && old->kernel == kernel && SameUses(*old, *fresh)) {
      function = old.get();
    }
  }
  if (function == nullptr) function = known.emplace_back(std::move(fresh)).get();
  // Findings read the names, and only after a launch, for which the function must be in the table.
  if (kernel->argument_names.empty() && !names.empty()) kernel->argument_names = std::move(names);
  table.live.Insert(handle, function);
  table.listed.push_back(function);
  return function;
}

// Cache of the functions that this thread launched last; the table itself takes several cache
// lines. Initially, and after a fork, all zero.
struct LastFunctions {
  uint32_t forgotten = 0;
  Function* last[3] = {};
};
constinit thread_local LastFunctions last_functions;

// Cache of the functions that any thread launched last, by handle: one cache line for each. An
// entry was not dropped, except if another thread dropped it during the look-up.
constinit std::atomic<Function*> g_recent[64] = {};

void ForgetRecent() {
  for (std::atomic<Function*>& recent : g_recent) recent.store(nullptr, std::memory_order_relaxed);
}

}  // namespace

Function* KnownFunction(CUfunction handle) {
  const uintptr_t key = HandleOf(handle);
  const uint32_t forgotten = g_forgotten.load(std::memory_order_acquire);
  LastFunctions& known = last_functions;
  Function*& last = known.last[(key >> 8) % std::size(known.last)];
  if (known.forgotten == forgotten && last != nullptr && last->handle == key) [[likely]]
    return last;
  std::atomic<Function*>& recent = g_recent[key * 0x9e3779b97f4a7c15u >> 58];
  Function* function = recent.load(std::memory_order_acquire);
  if (function == nullptr || function->handle != key) {
    function = key != 0 ? TheTable().live.Find(key) : nullptr;
    if (function == nullptr) return nullptr;
    if (g_forgotten.load(std::memory_order_acquire) == forgotten)
      recent.store(function, std::memory_order_release);
  }
  if (known.forgotten != forgotten) {
    known = LastFunctions();
    known.forgotten = forgotten;
  }
  last = function;
  return function;
}

namespace {

[[gnu::noinline]] Function* NewFunction(CuCall& call, uintptr_t key) {
  static Function* const nobody = [] {
    auto* function = new Function;
    function->reaches_unseen = true;
    return function;
  }();
  if (key == 0) return nobody;
  const Object* known = call.tracker().objects().Find(Api::kCuda, key);
  if (known != nullptr && known->kind == ObjectKind::kKernel && !known->live()) {
    // The driver must not be asked about an unloaded function.
    call.tracker().objects().Use(call, key, MaskOf(ObjectKind::kKernel), "f");
    return nobody;
  }
  return Adopt(call, key);
}

}  // namespace

Function* FunctionOf(CuCall& call, CUfunction handle) {
  Function* known = KnownFunction(handle);
  return known != nullptr ? known : NewFunction(call, HandleOf(handle));
}

Function* FunctionOf(CuCall& call, CUfunction function, CUkernel kernel) {
  const auto launched = reinterpret_cast<CUfunction>(kernel);
  const bool by_kernel =
      function == nullptr ||
      (kernel != nullptr && KnownFunction(function) == nullptr &&
       NotedKernel(call, HandleOf(function)) == nullptr &&
       (KnownFunction(launched) != nullptr || NotedKernel(call, HandleOf(launched)) != nullptr));
  return FunctionOf(call, by_kernel ? launched : function);
}

namespace {

// The last look-ups of kernels, each noted with any function and with its own. Two different
// entries collide with probability 2^-32 at most, which hides a finding and never invents one.
constinit std::atomic<uint64_t> g_answers[128] = {};

constexpr uint64_t kMix = 0x9e3779b97f4a7c15u;
std::atomic<uint64_t>& AnswerOf(uintptr_t kernel, uintptr_t function) {
  return g_answers[(kernel * kMix >> 58) * 2 + (function != 0)];
}
uint64_t MixedAnswer(uintptr_t kernel, uintptr_t function, uint32_t forgotten) {
  return (kernel * kMix ^ function) * kMix ^ uint64_t { forgotten } << 32;
}

}  // namespace

void NoteFunction(CuCall& call, uintptr_t handle, const char* name, PlainObject* module) {
  if (handle == 0) return;
  Kernel* kernel = NotedKernel(call, handle);
  const bool same_module = kernel != nullptr && kernel->program.get() == module;
  // Libraries repeat the look-up before each launch. A handle means the same function as long as
  // its module is loaded.
  if (same_module && module != nullptr) return;
  const std::string symbol = name != nullptr ? name : QueryName(handle);
  const std::string short_name = symbol.empty() ? "?" : ReadKernelType(symbol).name;
  if (same_module && kernel->name == short_name) return;
  ProcessDeferred();
  call.tracker().objects().NewKernel(call, handle, module != nullptr ? module->context : nullptr,
                                     module, short_name);
  // The handle means a different function now: what was learned about the old one does not apply.
  Table& table = TheTable();
  std::lock_guard lock(table.lock);
  if (Function* old = table.live.Find(handle); old != nullptr) table.live.Erase(handle, old);
  g_forgotten.fetch_add(1, std::memory_order_release);
  ForgetRecent();
  if (!symbol.empty()) table.names[handle] = symbol;
}

bool WasAnswered(uintptr_t kernel, uintptr_t function) {
  const uint32_t forgotten = g_forgotten.load(std::memory_order_acquire);
  return AnswerOf(kernel, function).load(std::memory_order_relaxed) ==
         MixedAnswer(kernel, function, forgotten);
}

void NoteAnswer(uintptr_t kernel, uintptr_t function) {
  const uint32_t forgotten = g_forgotten.load(std::memory_order_acquire);
  for (uintptr_t with : {uintptr_t{0}, function}) {
    AnswerOf(kernel, with).store(MixedAnswer(kernel, with, forgotten), std::memory_order_relaxed);
  }
}

std::string SymbolOf(uintptr_t handle) { return QueryName(handle); }

void UnloadFunctions(CuCall& call, const PlainObject& module) {
  for (Kernel* kernel : call.tracker().objects().KernelsOf(module)) {
    kernel->references.store(1, std::memory_order_relaxed);
    call.tracker().objects().Release(call, kernel, true);
  }
  ForgetFunctions();
}

void ForgetFunctions() {
  Table& table = TheTable();
  std::lock_guard lock(table.lock);
  for (Function* function : table.listed) table.live.Erase(function->handle, function);
  table.listed.clear();
  g_forgotten.fetch_add(1, std::memory_order_release);
  ForgetRecent();
}

namespace {

const ForkReset g_reset([] {
  g_table.Forget();
  g_forgotten.fetch_add(1, std::memory_order_release);
  ForgetRecent();
});

const Observing g_on_context_end(context_ended, &ForgetFunctions);

}  // namespace

void NoteModuleMemory() { TheTable().module_memory.store(true, std::memory_order_relaxed); }

bool ReachesUnseen(const Function& function) {
  return function.reaches_unseen || TheTable().module_memory.load(std::memory_order_relaxed);
}

}  // namespace gpusan::cuda
