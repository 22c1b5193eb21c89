// Handlers: modules, libraries, look-ups in them, and the linker.
#include "hooks/cuda/kernels/modules.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/cuda/images/probes.h"
#include "hooks/cuda/memory/memory.h"
#include "hooks/cuda/streams/context_scope.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::cuda {
namespace {

// The state of a module, library or linker beside the tracker's object.
struct Record {
  uint32_t generation = 0;                 // of the object
  ModuleImage image;                       // for libraries, which read it lazily
  std::shared_ptr<const ModuleCode> code;  // nullptr: not known
  std::string path;
  JitLog log;                         // for linkers, until they are complete
  PlainObject* library = nullptr;     // the library that the module was taken from
  std::vector<PlainObject*> modules;  // the modules that were taken from the library
  // The variables that were looked up in it, by name. Table::lock guards the list.
  std::vector<std::pair<std::string, WeakRef<Resource>>> variables;
  // The last launches that access variables which were not looked up. Table::lock guards the list.
  struct EarlyUse {
    VariableUse use;
    const Object* context;
    AccessOrigin origin;
  };
  std::vector<EarlyUse> early_uses;
};

// Grows with the tracker's objects, which are reused.
struct Table {
  SpinLock lock;
  std::map<const PlainObject*, std::shared_ptr<Record>> records;
};

constinit ProcessState<Table> g_table;
const ForkReset g_reset([] { g_table.Forget(); });

Table& TheTable() { return g_table.Get(); }

std::atomic<uint32_t> g_unloads{0};

std::shared_ptr<Record> RecordOf(const PlainObject* object) {
  if (object == nullptr) return nullptr;
  Table& table = TheTable();
  std::lock_guard lock(table.lock);
  auto it = table.records.find(object);
  if (it == table.records.end() || it->second->generation != object->generation.load())
    return nullptr;
  return it->second;
}

std::shared_ptr<Record> NewRecord(const PlainObject* object) {
  auto record = std::make_shared<Record>();
  record->generation = object->generation.load();
  Table& table = TheTable();
  std::lock_guard lock(table.lock);
  return table.records[object] = record;
}

std::shared_ptr<Record> TakeRecord(const PlainObject* object) {
  std::shared_ptr<Record> record = RecordOf(object);
  Table& table = TheTable();
  std::lock_guard lock(table.lock);
  table.records.erase(object);
  return record;
}

PlainObject* NewModule(CuCall& call, uintptr_t handle, const Object* context) {
  return call.tracker().objects().NewPlain(call, ObjectKind::kProgram, handle,
                                           const_cast<Object*>(context));
}

// Returns the handles of the functions of a module or library. Sets `count` to their number.
template <typename Handle, typename Count, typename Enumerate, typename Container>
std::vector<uintptr_t> FunctionsOf(Count query_count, Enumerate query, Container container,
                                   unsigned* count) {
  constexpr unsigned kMost = 1024;
  if (query_count == nullptr || query == nullptr || query_count(count, container) != CUDA_SUCCESS)
    return {};
  std::vector<Handle> found(std::min(*count, kMost));
  if (found.empty() || query(found.data(), found.size(), container) != CUDA_SUCCESS) return {};
  std::vector<uintptr_t> handles(found.size());
  std::transform(found.begin(), found.end(), handles.begin(),
                 [](Handle one) { return HandleOf(one); });
  return handles;
}

// Returns a phrase with names in the module or library that are similar to the name.
// Sets `any` to whether there are some.
std::string SimilarNames(const PlainObject& module, const std::string& name, bool* any) {
  unsigned count = 0;
  const std::vector<uintptr_t> handles =
      Words().KindNameOf(module) == std::string_view("library")
          ? FunctionsOf<CUkernel>(GPUSAN_CU_REAL(cuLibraryGetKernelCount),
                                  GPUSAN_CU_REAL(cuLibraryEnumerateKernels),
                                  reinterpret_cast<CUlibrary>(module.handle), &count)
          : FunctionsOf<CUfunction>(GPUSAN_CU_REAL(cuModuleGetFunctionCount),
                                    GPUSAN_CU_REAL(cuModuleEnumerateFunctions),
                                    reinterpret_cast<CUmodule>(module.handle), &count);
  if (handles.empty()) return "";
  std::string text;
  int similar = 0;
  for (uintptr_t handle : handles) {
    const std::string symbol = handle != 0 ? SymbolOf(handle) : "";
    if (symbol.empty()) continue;
    const std::string_view plain = symbol;
    const std::string known = ReadKernelType(symbol).name;
    const bool is_similar = known == name || known == name + "<>" || plain == "_" + name ||
                            "_" + symbol == name ||
                            (known.size() > name.size() + 1 &&
                             known.compare(known.size() - name.size() - 2, 2, "::") == 0 &&
                             known.compare(known.size() - name.size(), name.size(), name) == 0);
    if (!is_similar || ++similar > 3) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", "\"", symbol, "\"");
  }
  *any = !text.empty();
  if (*any) {
    return absl::StrCat(
        "it has ", text,
        ", the mangled name: look up that name, or declare the kernel extern \"C\"");
  }
  return absl::StrCat("it has ", count, count == 1 ? " function" : " functions",
                      ", none with a similar name");
}

// Reads the image of a module or library that was loaded.
void ReadImage(CuCall& call, const char* path, const void* image, ModuleImage* read,
               std::shared_ptr<const ModuleCode>* code) {
  const auto look = [&](const ImageSource& source, uintptr_t address) {
    *read = ReadModuleImage(source);
    *code = ModuleCode::Of(source, *read, address);
  };
  const int saved = errno;
  if (path != nullptr) {
    look(FileImage(path), 0);
  } else {
    const MemoryImage source = MemoryImageAt(call, image);
    look(source, source.address());
  }
  errno = saved;
}

}  // namespace

void LoadedModule(CuCall& call, const CUmodule* result, const char* path, const void* image) {
  Context* context = call.current();
  Loaded(call, result);
  PlainObject* object =
      NewModule(call, HandleOf(*result), context != nullptr ? context->object : nullptr);
  if (!ModuleCode::Wanted()) return;
  ModuleImage read;
  std::shared_ptr<const ModuleCode> code;
  ReadImage(call, path, image, &read, &code);
  if (code != nullptr) NewRecord(object)->code = std::move(code);
}

void FailedModuleLoad(CuCall& call, CUresult code, const void* result, const char* path,
                      const void* image, const JitLog& log) {
  if (path == nullptr && image == nullptr) return call.FailureFact("the image is NULL");
  if (path != nullptr) call.FailureFact(absl::StrCat("the file is \"", path, "\""));
  if (!IsImageFailure(code)) return AddJitLog(call, log);
  const ModuleImage found = path != nullptr ? ImageInFile(path) : ImageAt(call, image);
  FailedModule failed;
  failed.image = &found;
  failed.name = path != nullptr ? path : "";
  failed.address = image;
  failed.log = log;
  ExplainFailedModule(call, code, failed);
  NoteTry(call, code, result);
}

void LoadedLibrary(CuCall& call, const CUlibrary* result, const char* path, const void* image) {
  Loaded(call, result);
  PlainObject* object = NewModule(call, HandleOf(*result), nullptr);
  std::shared_ptr<Record> record = NewRecord(object);
  ReadImage(call, path, image, &record->image, &record->code);
  if (path != nullptr) record->path = path;
}

void FoundModule(CuCall& call, CUmodule module, PlainObject* library) {
  Object* known = call.tracker().objects().Find(Api::kCuda, HandleOf(module));
  if (known != nullptr && known->live() && known->kind == ObjectKind::kProgram) return;
  Context* context = call.current();
  PlainObject* object =
      NewModule(call, HandleOf(module), context != nullptr ? context->object : nullptr);
  NewRecord(object)->library = library;
  if (std::shared_ptr<Record> of = RecordOf(library); of != nullptr) of->modules.push_back(object);
}

std::shared_ptr<const ModuleCode> CodeOf(const Object* module) {
  if (module == nullptr || module->kind != ObjectKind::kProgram) return nullptr;
  std::shared_ptr<Record> record = RecordOf(static_cast<const PlainObject*>(module));
  if (record != nullptr && record->library != nullptr) record = RecordOf(record->library);
  return record != nullptr ? record->code : nullptr;
}

PlainObject* UseModule(CuCall& call, const void* handle, const char* argument) {
  return static_cast<PlainObject*>(
      call.tracker().objects().Use(call, HandleOf(handle), MaskOf(ObjectKind::kProgram), argument));
}

PlainObject* ModuleOf(CuCall& call, const void* kernel) {
  Object* object =
      call.tracker().objects().Use(call, HandleOf(kernel), MaskOf(ObjectKind::kKernel), "kernel");
  if (object == nullptr) return nullptr;
  Object* program = static_cast<Kernel*>(object)->program.get();
  return program != nullptr && program->live() ? static_cast<PlainObject*>(program) : nullptr;
}

void UnloadModule(CuCall& call, const void* handle, const char* argument) {
  Tracker& tracker = call.tracker();
  auto* object = static_cast<PlainObject*>(tracker.objects().UseForRelease(
      call, HandleOf(handle), MaskOf(ObjectKind::kProgram), argument));
  if (object == nullptr) return;
  std::shared_ptr<Record> record = RecordOf(object);
  if (record != nullptr && record->library != nullptr) {
    return call.FailureFact(absl::StrCat(
        argument, " was taken from a library (cuLibraryGetModule): it is unloaded with that"));
  }
  record = TakeRecord(object);
  // Drivers wait for running kernels before they unload a module; no document requires the program
  // to wait.
  if (object->context != nullptr) {
    JoinForFree(call);
  } else {
    for (Context* context : LiveContexts()) WaitContext(call, context);
  }
  auto release = [&](const std::shared_ptr<Record>& of) {
    if (of == nullptr) return;
    for (const auto& [name, variable] : of->variables) {
      Resource* resource = variable.get();
      if (resource != nullptr && resource->live()) tracker.objects().Release(call, resource, true);
    }
  };
  release(record);
  if (record != nullptr) {
    for (PlainObject* module : record->modules) {
      if (!module->live()) continue;
      release(TakeRecord(module));
      UnloadFunctions(call, *module);
      tracker.objects().Release(call, module, true);
    }
  }
  UnloadFunctions(call, *object);
  tracker.objects().Release(call, object, true);
  g_unloads.fetch_add(1, std::memory_order_release);
}

uint32_t ModuleUnloads() { return g_unloads.load(std::memory_order_acquire); }

void FoundFunction(CuCall& call, uintptr_t handle, const char* name, PlainObject* module) {
  LookedUp(call);
  NoteFunction(call, handle, name, module);
}

size_t VariableBytes(CUmodule module, const char* name, bool) {
  const auto query = GPUSAN_CU_REAL(cuModuleGetGlobal_v2);
  size_t bytes = 0;
  return query != nullptr && query(nullptr, &bytes, module, name) == CUDA_SUCCESS ? bytes : 0;
}

size_t VariableBytes(CUlibrary library, const char* name, bool managed) {
  const auto query =
      managed ? GPUSAN_CU_REAL(cuLibraryGetManaged) : GPUSAN_CU_REAL(cuLibraryGetGlobal);
  size_t bytes = 0;
  return query != nullptr && query(nullptr, &bytes, library, name) == CUDA_SUCCESS ? bytes : 0;
}

namespace {

// The record of the library that the module was taken from, otherwise that of the module.
std::shared_ptr<Record> OwnerOf(const Object* module) {
  std::shared_ptr<Record> record = RecordOf(static_cast<const PlainObject*>(module));
  return record != nullptr && record->library != nullptr ? RecordOf(record->library) : record;
}

}  // namespace

void SetVariableUse(uint8_t kinds, LaunchArgument* argument) {
  const bool writes = (kinds & kWrites) != 0;
  argument->direction = !writes                 ? Direction::kRead
                        : (kinds & kReads) == 0 ? Direction::kWrite
                                                : Direction::kReadWrite;
  argument->derived = argument->sure = argument->somewhere = argument->may_offset = true;
}

void NoteEarlyUse(const Object* module, const VariableUse& use, const Object* context,
                  const AccessOrigin& origin) {
  constexpr size_t kMost = 16;
  const std::shared_ptr<Record> record = OwnerOf(module);
  if (record == nullptr) return;
  std::lock_guard lock(TheTable().lock);
  std::vector<Record::EarlyUse>& uses = record->early_uses;
  for (Record::EarlyUse& one : uses) {
    if (one.use.kinds == use.kinds && one.origin.epoch.timeline() == origin.epoch.timeline() &&
        one.use.name == use.name) {
      one.origin = origin;
      return;
    }
  }
  if (uses.size() >= kMost) uses.erase(uses.begin());
  uses.push_back({use, context, origin});
}

namespace {

// Adds the accesses of earlier launches to the history of a variable that was just found.
void AddEarlyUses(Tracker& tracker, const Object* module, std::string_view name,
                  Resource* variable) {
  const std::shared_ptr<Record> record = OwnerOf(module);
  if (record == nullptr) return;
  std::vector<Record::EarlyUse> uses;
  {
    std::lock_guard lock(TheTable().lock);
    std::erase_if(record->early_uses, [&](const Record::EarlyUse& one) {
      if (one.use.name != name || one.context != variable->context) return false;
      uses.push_back(one);
      return true;
    });
  }
  for (const Record::EarlyUse& one : uses) {
    if (tracker.ordering().host().Completed(one.origin.epoch)) continue;
    LaunchArgument argument;
    argument.resource = variable;
    argument.index = UINT32_MAX;
    SetVariableUse(one.use.kinds, &argument);
    Access access = AccessOf(Launch(), argument);
    access.epoch = one.origin.epoch;
    access.gates = one.origin.gates;
    access.call = one.origin.call;
    access.site = one.origin.site;
    tracker.accesses().NoteLaunchBase(*variable, variable->handle, access.epoch.timeline());
    std::lock_guard lock(variable->lock);
    variable->history.Record(access, Clock(), tracker.ordering().host(), true,
                             [](const Access&) {});
  }
}

}  // namespace

void FoundVariable(CuCall& call, PlainObject* module, const char* name, CUdeviceptr address,
                   size_t bytes, bool managed) {
  if (address == 0 || bytes == 0) return;
  // Large enough for an address that a kernel may load.
  if (bytes >= sizeof(void*)) NoteModuleMemory();
  Tracker& tracker = call.tracker();
  uint64_t offset = 0;
  const Resource* known = tracker.objects().FindAddress(address, &offset);
  if (known != nullptr && (!known->adopted || (offset == 0 && known->bytes == bytes))) return;
  const auto query = GPUSAN_CU_REAL(cuPointerGetAttribute);
  const ContextScope scope(module != nullptr ? ContextOfObject(module->context) : nullptr);
  unsigned is_managed = 0;
  if (!managed && query != nullptr &&
      query(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address) == CUDA_SUCCESS)
    managed = is_managed != 0;
  Resource* variable = NewLinear(call, managed ? ObjectKind::kManaged : ObjectKind::kDeviceMemory,
                                 address, bytes, managed ? kMappedHost : 0);
  variable->MarkOwned();
  // Loading initializes the variable from the image or with zeros.
  tracker.accesses().MarkWritten(variable, Region::Linear(0, bytes));
  if (module == nullptr) return;
  std::shared_ptr<Record> record = RecordOf(module);
  if (record == nullptr) record = NewRecord(module);
  {
    std::lock_guard lock(TheTable().lock);
    record->variables.emplace_back(name != nullptr ? name : "", variable);
  }
  found_variables.store(true, std::memory_order_release);
  if (name != nullptr) AddEarlyUses(tracker, module, name, variable);
}

Resource* VariableOf(const Object* module, std::string_view name) {
  const std::shared_ptr<Record> record = OwnerOf(module);
  if (record == nullptr) return nullptr;
  Resource* found = nullptr;
  std::lock_guard lock(TheTable().lock);
  for (const auto& [known, variable] : record->variables) {
    Resource* resource = variable.get();
    if (known != name || resource == nullptr || !resource->live()) continue;
    if (found != nullptr) return nullptr;
    found = resource;
  }
  return found;
}

void FailedLookUp(CuCall& call, CUresult code, PlainObject* module, const char* name,
                  bool is_function) {
  if (module == nullptr) return;
  if (code == CUDA_ERROR_NOT_FOUND && name != nullptr && is_function) {
    const std::string missing =
        absl::StrCat(ObjectText(*module, call.words()), " has no function \"", name, "\"");
    bool similar = false;
    const std::string names = SimilarNames(*module, name, &similar);
    if (similar) {
      call.FailureFact(missing);
      return call.FailureFact(names);
    }
    // Programs probe for kernels that some builds lack. A use of the missing one is reported by
    // itself.
    rules::OnFaultyCall({rules::CallFault::kNoSuchFunction,
                         {{"code", call.words().CodeName(code)},
                          {"number", uint64_t{code}},
                          {"missing", missing},
                          {"names", names.empty() ? "" : "; " + names}}},
                        call);
    return call.SetExplained();
  }
  if (!IsImageFailure(code)) return;
  std::shared_ptr<Record> record = RecordOf(module);
  if (record == nullptr || record->image.form == ModuleImage::Form::kUnreadable) return;
  FailedModule failed;
  failed.image = &record->image;
  failed.name = record->path;
  failed.module = module;
  failed.tried = LookedUp(call);
  ExplainFailedModule(call, code, failed);
  NoteTry(call, code, nullptr);
}

void RefusedByLinker(CuCall& call, CUresult code, CUjitInputType type, const void* data,
                     size_t bytes, const char* path, PlainObject* linker) {
  const std::shared_ptr<Record> record = RecordOf(linker);
  const JitLog log = record != nullptr ? record->log : JitLog();
  // Archives contain images and are none.
  if (!IsImageFailure(code) || type == CU_JIT_INPUT_LIBRARY || (data == nullptr && path == nullptr))
    return AddJitLog(call, log);
  const ModuleImage found = path != nullptr ? ImageInFile(path) : ImageAt(call, data, bytes);
  FailedModule failed;
  failed.image = &found;
  failed.name = path != nullptr ? path : "";
  failed.log = log;
  ExplainFailedModule(call, code, failed);
}

void StartedLinker(CuCall& call, CUlinkState linker, const JitLog& log) {
  Context* context = call.current();
  PlainObject* object =
      NewModule(call, HandleOf(linker), context != nullptr ? context->object : nullptr);
  NewRecord(object)->log = log;
}

void FailedLink(CuCall& call, CUresult, PlainObject* linker) {
  if (const std::shared_ptr<Record> record = RecordOf(linker); record != nullptr)
    AddJitLog(call, record->log);
}

}  // namespace gpusan::cuda
