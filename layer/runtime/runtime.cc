// Connects the parts of gpusan in a process.
#include "layer/runtime/runtime.h"

#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hooks/common/guard.h"
#include "hooks/common/sites/jit_names.h"
#include "hooks/common/sites/mono_names.h"
#include "hooks/common/sites/python.h"
#include "hooks/common/sites/site.h"
#include "layer/runtime/sampler.h"
#include "report/base/injecting_tools.h"
#include "report/base/printable.h"
#include "report/base/privileges.h"
#include "report/base/safe_write.h"
#include "report/options/config.h"
#include "report/record/frame_source.h"
#include "report/record/perf_maps.h"
#include "report/record/state_folder.h"
#include "report/text/gpu_drivers.h"
#include "tracker/base/process_maps.h"
#include "tracker/model/apis.h"

namespace gpusan {
namespace {

bool IsDriverFrame(const SiteFrame& frame) {
  const SiteModule* module = SiteModuleById(frame.module);
  return module != nullptr && IsBelowCalls(module->path);
}

RecordFrame RecordFrameOf(const SiteFrame& frame) {
  if (frame.module != 0) return {frame.module, frame.offset};
  const JitPosition position = KnownJitPosition(frame.offset);
  if (position.function == 0) return {0, frame.offset};
  return {kFirstFunctionId + position.function,
          position.line != 0 ? SourceOffset(position.line, 0) : CodeOffset(position.offset)};
}

class CapturedFrames final : public FrameSource {
 public:
  void FindNames(SiteId site) const override {
    SiteFrame captured[kMaxSiteFrames];
    const int count = SiteFrames(site, captured, kMaxSiteFrames);
    for (int i = 0; i < count; ++i) {
      if (captured[i].module == 0) FindJitPosition(captured[i].offset);
    }
  }

  int Frames(SiteId site, RecordFrame* frames, int capacity) const override {
    SourceFrame source[kMaxSiteSourceFrames];
    int written = 0;
    const int source_count = SiteSourceFrames(site, source, kMaxSiteSourceFrames);
    for (int i = 0; i < source_count && written < capacity; ++i) {
      frames[written++] = {kFirstFunctionId + source[i].function,
                           SourceOffset(source[i].line, source[i].column)};
    }
    SiteFrame captured[kMaxSiteFrames];
    const int count = SiteFrames(site, captured, kMaxSiteFrames);
    // Skip the frames of the driver and of CUPTI, which are innermost when CUPTI reports the call.
    int first = 0;
    while (first < count && IsDriverFrame(captured[first])) ++first;
    if (first == count) first = 0;
    for (int i = first; i < count && written < capacity; ++i)
      frames[written++] = RecordFrameOf(captured[i]);
    return written;
  }

  bool Module(uint32_t id, RecordModule* module) const override {
    if (IsFunctionId(id)) {
      const SiteFunction* function = SiteFunctionById(id - kFirstFunctionId);
      if (function == nullptr) return false;
      *module = {.path = function->file,
                 .build_id = "",
                 .function = function->name,
                 .language = function->language,
                 .first_line = function->line};
      return true;
    }
    const SiteModule* known = SiteModuleById(id);
    if (known == nullptr) return false;
    *module = {.path = known->path, .build_id = known->build_id};
    return true;
  }
};

// Returns the path of the first loaded file that shows a use of the API; nullptr if there is none.
const char* LoadedDriver(const ApiInfo& api) {
  struct Search {
    const ApiInfo* api;
    const char* path;
  } search{&api, nullptr};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* search = static_cast<Search*>(data);
        if (ApiOfDriver(info->dlpi_name) != search->api) return 0;
        search->path = info->dlpi_name;
        return 1;
      },
      &search);
  return search.path;
}

// Whether the process maps a device file of the API.
bool HasDevice(const ApiInfo& api) {
  bool found = false;
  VisitMappings([&](const ProcessMapping& mapping) {
    found = IsDeviceOf(api, mapping.name);
    return !found;
  });
  return found;
}

// The same as LoadedDriver, unless the API needs a device that the process does not use.
const char* DriverInUse(const ApiInfo& api) {
  const char* driver = LoadedDriver(api);
  return driver != nullptr && (api.device.empty() || HasDevice(api)) ? driver : nullptr;
}

Configuration ReadConfiguration() {
  Configuration configuration = ReadProcessConfiguration();
  if (RunsWithRaisedPrivileges()) {
    KeepNoHostBlocks();
    return configuration;
  }
  SetHostBlockMin(static_cast<size_t>(configuration.options.host_block_min));
  return configuration;
}

// At the end of the process, after the last record.
void RemoveMapOfRun(const char* reason) {
  if (std::strcmp(reason, "exec") != 0 && std::getenv(kPerfMapsVariable) != nullptr)
    RemovePerfMap();
}

bool IsPreloaded() {
  const char* list = std::getenv("LD_PRELOAD");
  return list != nullptr && std::strstr(list, "libgpusan") != nullptr;
}

// Storage without a destructor, because the objects are used after all static destructors.
alignas(Runtime) char runtime_storage[sizeof(Runtime)];
alignas(CapturedFrames) char frames_storage[sizeof(CapturedFrames)];
constinit std::atomic<int> state{0};  // 0: not created, 1: being created, 2: created

}  // namespace

Runtime& Runtime::Get() {
  Runtime* runtime = reinterpret_cast<Runtime*>(runtime_storage);
  if (__builtin_expect(state.load(std::memory_order_acquire) == 2, true)) return *runtime;
  int expected = 0;
  if (state.compare_exchange_strong(expected, 1, std::memory_order_acq_rel)) {
    ReentryGuard guard;
    new (runtime) Runtime;
    state.store(2, std::memory_order_release);
  }
  while (state.load(std::memory_order_acquire) != 2) sched_yield();
  return *runtime;
}

Runtime::Runtime()
    : configuration_(ReadConfiguration()),
      writer_(new RecordWriter(options(), GPUSAN_VERSION, new (frames_storage) CapturedFrames)),
      pid_(getpid()) {
  writer_->SetSettings(SettingsText(configuration_));
}

void Runtime::ApplySettings(const std::vector<LayerSetting>& settings) {
  if (RunsWithRaisedPrivileges()) return;
  ReentryGuard guard;
  const bool working = activated_.load(std::memory_order_acquire) != 0;
  std::lock_guard lock(settings_);
  std::vector<std::string> complaints;
  const auto before = configuration_.origins;
  if (!read_folder_settings_) complaints = LoadFolderSettings(working, &configuration_);
  read_folder_settings_ = true;
  for (std::string& complaint : ApplyProgramSettings(settings, working, &configuration_))
    complaints.push_back(std::move(complaint));
  for (const std::string& complaint : complaints)
    WriteToStderr("gpusan: " + Printable(complaint) + "\n");
  if (working || configuration_.origins == before) return;
  SetHostBlockMin(static_cast<size_t>(options().host_block_min));
  writer_->SetOptions(options());
  writer_->SetSettings(SettingsText(configuration_));
  if (options().print_config) WriteToStderr(ConfigurationText(configuration_, ""));
}

void Runtime::WarnAboutPython() {
  const char* const problem = PythonProblem();
  if (problem != nullptr && !warned_about_python_.exchange(true, std::memory_order_relaxed))
    writer_->Warn(problem);
}

void Runtime::KeepRecordsInStateFolder() {
  if (configuration_.Given("record") || IsPreloaded()) return;
  const std::string folder = StateFolder();
  if (folder.empty()) return;
  std::string pattern;
  for (const char c : folder) pattern += c == '%' ? "%%" : std::string(1, c);
  configuration_.options.record = pattern + "/" + configuration_.options.record;
  // The child of a fork comes here again.
  configuration_.origins["record"] = "the state folder";
  writer_->SetOptions(options());
  if (options().print) {
    WriteToStderr("gpusan: records are written to " + folder +
                  "; the option 'record' names another place\n");
  }
}

void Runtime::ExpectGpu() {
  ReentryGuard guard;
  ExpectGpuUse();
  FindPython();
  FindMono();
  dlerror();  // of a look-up that failed here, of which the program must not hear
}

void Runtime::ActivateSlow(int number, const char* name) {
  const uint64_t bit = uint64_t{1} << number;
  if ((activated_.fetch_or(bit, std::memory_order_acq_rel) & bit) != 0) return;
  ReentryGuard guard;
  ExpectGpu();
  NoteGpuUse();
  if (std::strcmp(name, kVulkanLayer) == 0 && activated_.load(std::memory_order_acquire) == bit)
    KeepRecordsInStateFolder();
  writer_->AddAttachPath(name);
  writer_->Start();
  WarnAboutPython();
  // Only the first attach path starts the sampler. The child of a fork starts with no bit set.
  if (Samples() && activated_.load(std::memory_order_acquire) == bit) {
    StartSampler(options().sample_interval, options().sample_signal,
                 [] { Get().Sample(/*last=*/false); });
  }
}

void Runtime::Sample(bool last) {
  const Lifecycle* lifecycle = lifecycle_.load(std::memory_order_acquire);
  if (lifecycle == nullptr || lifecycle->sample == nullptr) return;
  std::lock_guard lock(sampling_);
  if (sampled_last_ && !last) return;
  sampled_last_ = last;
  SampleRecord sample;
  lifecycle->sample(&sample, last);
  writer_->Write(sample);
}

// For processes that do not run under the gpusan command, which prints these lines in its summary.
void Runtime::SaySwitchedOffApis(const char* reason) const {
  if (!options().print || std::strcmp(reason, "exec") == 0 ||
      forked_.load(std::memory_order_relaxed))
    return;
  for (const ApiInfo& api : kApis) {
    const std::string text = SwitchedOffText(configuration_, api);
    if (!text.empty() && LoadedDriver(api) != nullptr) WriteToStderr("gpusan: " + text + "\n");
  }
}

void Runtime::End(const char* reason, bool leaks) {
  if (RunsWithRaisedPrivileges()) return;
  if (pid_.load(std::memory_order_relaxed) != getpid()) return;
  ReentryGuard guard;
  SaySwitchedOffApis(reason);
  if (activated_.load(std::memory_order_acquire) == 0) {
    const char* driver = nullptr;
    for (const ApiInfo& api : kApis) {
      if (driver != nullptr || forked_.load(std::memory_order_relaxed)) break;
      if (AttachOf(options(), api.api) != "off") driver = DriverInUse(api);
    }
    if (driver == nullptr || IsDebugAgent(program_invocation_name)) {
      // A warning may have opened the record file.
      EndRecord end;
      end.reason = reason;
      writer_->End(end);
      RemoveMapOfRun(reason);
      return;
    }
    const char* why = "none of its calls came through gpusan";
#ifndef GPUSAN_CUDA
    if (ApiOfDriver(driver) == &InfoOf(Api::kCuda))
      why = "this gpusan was built without CUDA: its calls were not watched";
#endif
    writer_->Warn(std::string(driver) + " was loaded and " + why);
  }
  WarnAboutPython();
  if (Samples()) Sample(/*last=*/true);
  EndRecord end;
  end.reason = reason;
  const Lifecycle* lifecycle = lifecycle_.load(std::memory_order_acquire);
  if (lifecycle != nullptr && lifecycle->at_end != nullptr)
    lifecycle->at_end(&end, leaks && options().leaks);
  if (SitesDropped() != 0) end.dropped.emplace_back("sites", SitesDropped());
  writer_->End(end);
  RemoveMapOfRun(reason);
  if (std::strcmp(reason, "exec") != 0) return;
  // If the exec fails, the process continues and takes samples again.
  std::lock_guard lock(sampling_);
  sampled_last_ = false;
}

int Runtime::ExitCode(int status) const {
  const auto code = static_cast<int>(options().exitcode);
  return status == 0 && code != 0 && writer_->errors() > 0 ? code : status;
}

void Runtime::PrepareFork() { writer_->PrepareFork(); }

void Runtime::AfterForkInParent() { writer_->AfterForkInParent(); }

void Runtime::AfterForkInChild() {
  pid_.store(getpid(), std::memory_order_relaxed);
  activated_.store(0, std::memory_order_relaxed);
  forked_.store(true, std::memory_order_relaxed);
  ResetSitesAfterFork();
  ResetHostBlocksAfterFork();
  ForgetSampler();
  new (&sampling_) std::mutex;  // another thread may have held it
  sampled_last_ = false;
  const Lifecycle* lifecycle = lifecycle_.load(std::memory_order_acquire);
  if (lifecycle != nullptr && lifecycle->in_fork_child != nullptr) lifecycle->in_fork_child();
  writer_->AfterForkInChild();
}

}  // namespace gpusan
