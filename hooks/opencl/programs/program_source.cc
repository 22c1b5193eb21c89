// Keeps the source and the intermediate language of programs, and requests the summaries of their
// kernels.
#include "hooks/opencl/programs/program_source.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hooks/common/kernel_summaries.h"
#include "hooks/common/spirv/spirv_accesses.h"
#include "tracker/calls/kept_launches.h"
#include "tracker/model/kernel_summary.h"

namespace gpusan::opencl {
namespace {

// Larger programs are not analysed.
constexpr size_t kMaxSource = size_t{16} << 20;

using Summaries = std::vector<KernelSummary>;

// The part of a program's shadow; owned by the shadow.
struct ProgramSource final : ObjectPart {
  void Recycle() override { delete this; }

  std::mutex lock;  // guards the members below
  std::string source;
  std::vector<uint32_t> il;  // SPIR-V, instead of a source
  std::vector<SpirvSpecialization> specialized;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string linked_options;  // of the program that was linked
  bool linked = false;
  bool binary = false;  // there is no source
  // The build options for which `summaries` were requested.
  bool asked = false;
  std::string asked_options;
  std::shared_ptr<const Summaries> summaries;
  // By the index of the summary: what the kernels of a function share.
  std::vector<std::shared_ptr<FunctionLaunches>> launches;

  void SetSummaries(std::shared_ptr<const Summaries> made) {
    summaries = std::move(made);
    launches.clear();
  }
  // Requires summaries.
  const std::shared_ptr<FunctionLaunches>& LaunchesOf(size_t index) {
    launches.resize(summaries->size());
    if (launches[index] == nullptr) {
      launches[index] = std::make_shared<FunctionLaunches>(
          std::shared_ptr<const KernelSummary>(summaries, &(*summaries)[index]));
    }
    return launches[index];
  }
};

const KernelSummaryService* Service() {
  return kernel_summary_service.load(std::memory_order_acquire);
}

ProgramSource* SourceOf(ClCall& call, cl_program program) {
  Object* object = call.tracker().objects().Find(Api::kOpenCL, HandleOf(program));
  if (object == nullptr || object->kind != ObjectKind::kProgram) return nullptr;
  return static_cast<ProgramSource*>(static_cast<PlainObject*>(object)->part);
}

std::string DeviceText(ClCall& call, cl_device_id device, cl_device_info what) {
  const auto info = GPUSAN_NEXT(call, clGetDeviceInfo);
  size_t size = 0;
  if (info == nullptr || info(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0 ||
      size > (1 << 20))
    return "";
  std::string text(size, '\0');
  if (info(device, what, size, text.data(), nullptr) != CL_SUCCESS) return "";
  text.resize(std::strlen(text.c_str()));
  return text;
}

// Queries the properties of the devices that decide how the program is compiled. Returns false if
// they differ, or have addresses of other than 64 bits.
bool AskDevices(ClCall& call, cl_program program, ProgramText* text) {
  const auto info = GPUSAN_NEXT(call, clGetProgramInfo);
  const auto device_info = GPUSAN_NEXT(call, clGetDeviceInfo);
  cl_uint count = 0;
  if (info == nullptr || device_info == nullptr ||
      info(program, CL_PROGRAM_NUM_DEVICES, sizeof(count), &count, nullptr) != CL_SUCCESS ||
      count == 0 || count > 1024)
    return false;
  std::vector<cl_device_id> devices(count);
  if (info(program, CL_PROGRAM_DEVICES, count * sizeof(cl_device_id), devices.data(), nullptr) !=
      CL_SUCCESS)
    return false;
  for (cl_uint i = 0; i < count; ++i) {
    cl_uint bits = 0;
    if (device_info(devices[i], CL_DEVICE_ADDRESS_BITS, sizeof(bits), &bits, nullptr) !=
            CL_SUCCESS ||
        bits != 64)
      return false;
    const std::string extensions = DeviceText(call, devices[i], CL_DEVICE_EXTENSIONS);
    const std::string version = DeviceText(call, devices[i], CL_DEVICE_VERSION);
    const std::string language = DeviceText(call, devices[i], CL_DEVICE_OPENCL_C_VERSION);
    if (i == 0) {
      text->extensions = extensions;
      text->device_version = version;
      text->language = language;
    } else if (extensions != text->extensions || version != text->device_version ||
               language != text->language) {
      return false;
    }
  }
  return true;
}

// SPIR-V is read in the process: it needs no compiler.
std::shared_ptr<const Summaries> SummariesOf(const std::vector<uint32_t>& il,
                                             const std::vector<SpirvSpecialization>& specialized) {
  auto summaries = std::make_shared<Summaries>();
  for (SpirvKernel& kernel : AnalyseSpirv(il, specialized))
    summaries->push_back(std::move(kernel.summary));
  return summaries;
}

// Returns the binary of a program for one device of NVIDIA's driver, whose binaries are PTX. Empty:
// another driver, for which the question may be expensive, or several devices.
std::string PtxOf(ClCall& call, cl_program program) {
  const auto info = GPUSAN_NEXT(call, clGetProgramInfo);
  cl_uint count = 0;
  cl_device_id device = nullptr;
  if (info == nullptr ||
      info(program, CL_PROGRAM_NUM_DEVICES, sizeof(count), &count, nullptr) != CL_SUCCESS ||
      count != 1 ||
      info(program, CL_PROGRAM_DEVICES, sizeof(cl_device_id), &device, nullptr) != CL_SUCCESS ||
      DeviceText(call, device, CL_DEVICE_VERSION).find("CUDA") == std::string::npos)
    return "";
  size_t bytes = 0;
  if (info(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, nullptr) != CL_SUCCESS ||
      bytes == 0 || bytes > kMaxSource)
    return "";
  std::string text(bytes, '\0');
  char* place = text.data();
  if (info(program, CL_PROGRAM_BINARIES, sizeof(char*), &place, nullptr) != CL_SUCCESS) return "";
  text.resize(std::strlen(text.c_str()));
  return text;
}

std::shared_ptr<const Summaries> SummariesOfBinary(ClCall& call, const PlainObject& program) {
  if (Service()->ptx == nullptr) return nullptr;
  const std::string text = PtxOf(call, reinterpret_cast<cl_program>(program.handle));
  if (text.empty()) return nullptr;
  auto summaries = std::make_shared<Summaries>();
  Service()->ptx(text, summaries.get());
  return summaries;
}

std::shared_ptr<const Summaries> SummariesOfSource(ClCall& call, const PlainObject& program,
                                                   const ProgramSource& source,
                                                   const std::string& options) {
  ProgramText text;
  if (!AskDevices(call, reinterpret_cast<cl_program>(program.handle), &text)) return nullptr;
  text.source = source.source;
  text.options = options;
  text.headers = source.headers;
  std::string answer;
  auto summaries = std::make_shared<Summaries>();
  if (!Service()->opencl(text, &answer) || !DecodeSummaries(answer, summaries.get()))
    return nullptr;
  return summaries;
}

std::shared_ptr<const Summaries> Ask(ClCall& call, const PlainObject& program,
                                     const ProgramSource& source, const std::string& options) {
  if (!source.il.empty()) return SummariesOf(source.il, source.specialized);
  std::shared_ptr<const Summaries> summaries;
  if (!source.binary) summaries = SummariesOfSource(call, program, source, options);
  return summaries != nullptr ? summaries : SummariesOfBinary(call, program);
}

// Whether the summary is one of this kernel: as many parameters, or twice as many if it lists
// updates (launch_updates.h), and memory, also local memory, where it has accesses.
bool Matches(const KernelSummary& summary, const Kernel& kernel) {
  const size_t count = summary.parameters.size();
  if (summary.name != kernel.name ||
      (count != kernel.arguments.size() && count != 2 * kernel.arguments.size()))
    return false;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const ArgumentKind kind = kernel.arguments[i].kind;
    if (!summary.parameters[i].accesses.empty() && kind != ArgumentKind::kMemory &&
        kind != ArgumentKind::kLocal && kind != ArgumentKind::kUnknown)
      return false;
  }
  return true;
}

}  // namespace

void KeepSource(PlainObject* program, cl_uint count, const char** strings, const size_t* lengths) {
  if (program == nullptr || program->part != nullptr || Service() == nullptr) return;
  auto source = std::make_unique<ProgramSource>();
  for (cl_uint i = 0; i < count; ++i) {
    if (strings[i] == nullptr) return;
    const size_t length =
        lengths != nullptr && lengths[i] != 0 ? lengths[i] : std::strlen(strings[i]);
    if (length > kMaxSource - source->source.size()) return;
    source->source.append(strings[i], length);
  }
  program->part = source.release();
}

void KeepIl(PlainObject* program, const void* il, size_t length) {
  if (program == nullptr || program->part != nullptr || Service() == nullptr || il == nullptr ||
      length > kMaxSource || length < sizeof(uint32_t))
    return;
  auto source = std::make_unique<ProgramSource>();
  source->il.resize(length / sizeof(uint32_t));
  std::memcpy(source->il.data(), il, source->il.size() * sizeof(uint32_t));
  program->part = source.release();
}

void KeepBinary(PlainObject* program) {
  if (program == nullptr || program->part != nullptr || Service() == nullptr) return;
  auto source = std::make_unique<ProgramSource>();
  source->binary = true;
  program->part = source.release();
}

void KeepSpecialization(PlainObject* program, cl_uint id, size_t size, const void* value) {
  if (program == nullptr || program->part == nullptr || value == nullptr) return;
  auto& source = *static_cast<ProgramSource*>(program->part);
  SpirvSpecialization one = {id, 0};
  if (size > sizeof(one.value)) return;
  std::memcpy(&one.value, value, size);
  std::lock_guard lock(source.lock);
  std::erase_if(source.specialized, [&](const auto& other) { return other.id == id; });
  source.specialized.push_back(one);
}

void KeepHeaders(ClCall& call, PlainObject* program, cl_uint count, const cl_program* headers,
                 const char** names) {
  if (program == nullptr || program->part == nullptr) return;
  std::vector<std::pair<std::string, std::string>> kept;
  bool complete = true;
  for (cl_uint i = 0; headers != nullptr && names != nullptr && i < count; ++i) {
    ProgramSource* header = SourceOf(call, headers[i]);
    complete &= header != nullptr && names[i] != nullptr;
    if (!complete) break;
    std::lock_guard lock(header->lock);
    kept.emplace_back(names[i], header->source);
  }
  auto& source = *static_cast<ProgramSource*>(program->part);
  std::lock_guard lock(source.lock);
  source.headers = std::move(kept);
  source.asked = !complete;
  source.asked_options = program->text;
  source.SetSummaries(nullptr);
}

void KeepLinked(ClCall& call, PlainObject* linked, const char* options, cl_uint count,
                const cl_program* programs) {
  if (linked == nullptr || linked->part != nullptr || programs == nullptr ||
      (options != nullptr && std::strstr(options, "-create-library") != nullptr))
    return;
  if (count != 1) return KeepBinary(linked);
  ProgramSource* input = SourceOf(call, programs[0]);
  const Object* object = call.tracker().objects().Find(Api::kOpenCL, HandleOf(programs[0]));
  if (input == nullptr || object == nullptr) return;
  auto source = std::make_unique<ProgramSource>();
  std::lock_guard lock(input->lock);
  source->source = input->source;
  source->headers = input->headers;
  source->il = input->il;
  source->binary = input->binary;
  source->specialized = input->specialized;
  source->linked = true;
  source->linked_options =
      input->linked ? input->linked_options : static_cast<const PlainObject*>(object)->text;
  linked->part = source.release();
}

void AnalyseChangeable(ClCall& call, PlainObject* program) {
  if (program == nullptr || program->part == nullptr || Service() == nullptr) return;
  auto& source = *static_cast<ProgramSource*>(program->part);
  std::lock_guard lock(source.lock);
  if (source.linked || (source.il.empty() && source.source.find("include") == std::string::npos))
    return;
  source.asked = true;
  source.asked_options = program->text;
  source.SetSummaries(Ask(call, *program, source, program->text));
}

void AttachSummary(ClCall& call, PlainObject* program, Kernel* kernel) {
  if (program == nullptr || program->part == nullptr || Service() == nullptr) return;
  auto& source = *static_cast<ProgramSource*>(program->part);
  std::lock_guard lock(source.lock);
  const std::string& options = source.linked ? source.linked_options : program->text;
  if (!source.asked || source.asked_options != options) {
    source.asked = true;
    source.asked_options = options;
    source.SetSummaries(Ask(call, *program, source, options));
  }
  if (source.summaries == nullptr) return;
  for (size_t i = 0; i < source.summaries->size(); ++i) {
    const KernelSummary& summary = (*source.summaries)[i];
    if (!Matches(summary, *kernel)) continue;
    kernel->summary = std::shared_ptr<const KernelSummary>(source.summaries, &summary);
    kernel->kept = std::make_shared<KeptLaunches>(source.LaunchesOf(i));
  }
}

}  // namespace gpusan::opencl
