// Every row of hooks/cuda/libraries: the wrapper passes all arguments and the code on, and the row
// records the accesses that the prototype shows, which is const for memory that is only read.
//
// Runs under gpusan, over the fake driver and the stand-ins. Prints what differs; exit code 1 then.
#include <array>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "common/cuda.h"
#include "cuda/library_rows/stand_ins.h"
#include "layer/runtime/gpusan.h"

// Macros write the arguments of some rows.
#define GPUSAN_DECLARE(name, failure, parameters, ...) extern "C" int name parameters;
#define GPUSAN_LIBRARY(name, ...) GPUSAN_DECLARE(name, __VA_ARGS__)
#define GPUSAN_LIBRARY_AFTER GPUSAN_LIBRARY
#define GPUSAN_LIBRARY_OF_HOST GPUSAN_LIBRARY
#define GPUSAN_LIBRARY_OF_REQUEST GPUSAN_LIBRARY
#define GPUSAN_LIBRARY_OF_REQUESTS GPUSAN_LIBRARY
#include "layer/attach/library_rows.inc"

namespace {

#define DONE(call) CHECK((call) == 0)

constexpr size_t kBytes = 65536, kMost = 24;
constexpr int kCode = 17, kPlan = 5;

CUstream library_stream, other_stream;
CUdeviceptr memory[kMost];
char* block;
int failures = 0;

// A parameter of a row.
struct Parameter {
  std::string type, name;
  bool pointer() const { return type.back() == '*'; }
  bool constant() const { return type.rfind("const ", 0) == 0; }
};

// Splits "(const void* a, int lda)".
std::vector<Parameter> ParametersOf(std::string_view text) {
  std::vector<Parameter> parameters;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view one = text.substr(0, comma);
    const size_t space = one.rfind(' ');
    parameters.push_back({std::string(one.substr(0, space)), std::string(one.substr(space + 1))});
    text.remove_prefix(std::min(text.size(), comma + 2));
  }
  return parameters;
}

bool Starts(std::string_view text, std::string_view with) { return text.rfind(with, 0) == 0; }

// Parameters that point to memory of the device.
bool IsData(const Parameter& parameter) {
  static const std::set<std::string> kNames = {"a",      "b",       "c",      "d",     "x",
                                               "y",      "result",  "send",   "input", "output",
                                               "pivots", "receive", "buffer", "info",  "tau"};
  return parameter.pointer() && kNames.count(parameter.name) != 0;
}

// What a row leaves out, with the reason.
const char* LeftOut(const std::string& row, const Parameter& parameter) {
  const std::string& name = parameter.name;
  if (name == "result") return "scalars are in host memory";
  if (row.find("trsm") != std::string::npos && name == "a") return "a triangle";
  if (row.find("potrs") != std::string::npos && name == "a") return "a triangle";
  if (Starts(row, "cusparse") && (name == "x" || name == "b")) return "only entries that are used";
  return nullptr;
}
bool IsRead(const std::string& row, const Parameter& parameter) {
  return parameter.constant() || (Starts(row, "cusparse") && parameter.name == "a") ||
         (Starts(row, "cufft") && parameter.name == "input");
}
bool IsWritten(const std::string& row, const Parameter& parameter) {
  return !IsRead(row, parameter) || (parameter.name == "input" && row.find("C2R") == 1);
}

uint64_t ValueOf(const std::vector<Parameter>& all, size_t index) {
  // One in every type: half, float and double.
  static const uint64_t kOne[2] = {0x3c003c003c003c00, 0x3c003c003c003c00};
  static std::array<uint64_t, 64> storage;  // of host objects: requests, states, sizes
  const Parameter& parameter = all[index];
  const std::string& name = parameter.name;
  if (IsData(parameter)) return memory[index];
  if (name == "handle") return reinterpret_cast<uintptr_t>(library_stream);
  if (name == "stream") return reinterpret_cast<uintptr_t>(library_stream);
  if (name == "alpha" || name == "beta") return reinterpret_cast<uintptr_t>(kOne);
  // The parts of two ranks.
  static const int kCounts[2] = {kSize, kSize}, kStarts[2] = {0, kSize};
  if (parameter.type == "const int*")
    return reinterpret_cast<uintptr_t>(name.find("counts") != std::string::npos ? kCounts
                                                                                : kStarts);
  if (parameter.pointer()) return reinterpret_cast<uintptr_t>(&storage[2 * index]);
  // In a broadcast the memory is written if another rank is the root.
  if (name == "root") return all[0].constant() ? 1 : 0;
  if (name == "plan") return kPlan;
  if (name == "compute") return 68;  // CUBLAS_COMPUTE_32F
  if (name == "batch" || Starts(name, "inc")) return 1;
  if (Starts(name, "stride")) return kSize * kSize;
  for (const char* zero : {"trans", "side", "fill", "diagonal", "peer", "to", "from"}) {
    if (Starts(name, zero)) return 0;
  }
  if (name.find("type") != std::string::npos) return 0;  // floats; bytes of NCCL
  return kSize;
}

template <typename Argument>
Argument As(uint64_t word) {
  if constexpr (std::is_pointer_v<Argument>) {
    return reinterpret_cast<Argument>(word);
  } else {
    return static_cast<Argument>(word);
  }
}

template <typename... Arguments, size_t... kIndex>
int CallWith(int (*function)(Arguments...), const std::vector<uint64_t>& words,
             std::index_sequence<kIndex...>) {
  return function(As<Arguments>(words[kIndex])...);
}

void Fail(const std::string& row, const std::string& text) {
  ++failures;
  std::printf("%s %s\n", row.c_str(), text.c_str());
}

// Whether a call beside a pending upload, or a pending download, of the memory is a race.
template <typename Call>
bool Races(CUdeviceptr pending, bool upload, Call call) {
  const uint64_t before = gpusan_finding_count();
  OK(upload ? cuMemcpyHtoDAsync(pending, block, kBytes, other_stream)
            : cuMemcpyDtoHAsync(block, pending, kBytes, other_stream));
  call();
  OK(cuCtxSynchronize());
  DONE(MPI_Finalize());  // ends the requests
  return gpusan_finding_count() != before;
}

template <typename... Arguments>
void CheckPassed(const char* name, int (*function)(Arguments...), const char* text) {
  constexpr auto kAll = std::make_index_sequence<sizeof...(Arguments)>();
  std::vector<uint64_t> words;
  const std::vector<Parameter> all = ParametersOf(text);
  if (all.size() != sizeof...(Arguments)) return Fail(name, "is not understood by this test");
  // Different arguments; requests are read, so that they have storage.
  static uint64_t storage[4 * kMost];
  for (size_t i = 0; i < all.size(); ++i)
    words.push_back(all[i].pointer() ? reinterpret_cast<uintptr_t>(&storage[4 * i]) : i % 2);
  LastCall().code = kCode;
  const int code = CallWith(function, words, kAll);
  if (code != kCode) Fail(name, "returns another code");
  if (LastCall().name != std::string_view(name))
    Fail(name, "calls " + std::string(LastCall().name));
  if (LastCall().words != words) Fail(name, "passes other arguments");
  LastCall().code = 0;
}

template <typename... Arguments>
void CheckAccesses(const std::string& row, int (*function)(Arguments...), const char* text) {
  constexpr auto kAll = std::make_index_sequence<sizeof...(Arguments)>();
  const std::vector<Parameter> all = ParametersOf(text);
  std::vector<uint64_t> words;
  for (size_t i = 0; i < all.size(); ++i) words.push_back(ValueOf(all, i));
  const auto call = [&] { (void)CallWith(function, words, kAll); };
  for (size_t i = 0; i < all.size(); ++i) {
    if (!IsData(all[i])) continue;
    const bool known = LeftOut(row, all[i]) == nullptr;
    if (Races(memory[i], true, call) != known)
      Fail(row, all[i].name + (known ? ": no access" : ": an access"));
    if (known && Races(memory[i], false, call) != IsWritten(row, all[i]))
      Fail(row, all[i].name + (IsWritten(row, all[i]) ? ": no write" : ": a write"));
  }
}

// The type of a plan for a function that executes one.
int TypeOf(const std::string& row) {
  static constexpr std::pair<const char*, int> kTypes[] = {
      {"R2C", 0x2a}, {"C2R", 0x2c}, {"Z2Z", 0x69}, {"D2Z", 0x6a}, {"Z2D", 0x6c}};
  for (const auto& [name, type] : kTypes) {
    if (row.find(name) != std::string::npos) return type;
  }
  return 0x29;  // C2C
}

void Plan(int type) {
  int plan = kPlan;
  DONE(cufftPlan1d(&plan, kSize, type, 1));
  DONE(cufftSetStream(kPlan, library_stream));
}

void Execute() { (void)cufftExecC2C(kPlan, (void*)memory[0], (void*)memory[1], 0); }

// The rows of plans: what they say is used when the plan is executed.
template <typename... Arguments>
void CheckPlan(const std::string& row, int (*function)(Arguments...), const char* text) {
  constexpr auto kAll = std::make_index_sequence<sizeof...(Arguments)>();
  const std::vector<Parameter> all = ParametersOf(text);
  static long long lengths[4] = {kSize, kSize, kSize, kSize};
  static int short_lengths[4] = {kSize, kSize, kSize, kSize};
  static int plan = kPlan;
  static size_t bytes;
  std::vector<uint64_t> words;
  for (const Parameter& one : all) {
    const std::string& name = one.name;
    words.push_back(name == "plan" && one.pointer()     ? reinterpret_cast<uintptr_t>(&plan)
                    : name == "plan"                    ? uint64_t{kPlan}
                    : one.type == "int*" && name == "n" ? reinterpret_cast<uintptr_t>(short_lengths)
                    : name == "n"                       ? reinterpret_cast<uintptr_t>(lengths)
                    : name == "bytes"                   ? reinterpret_cast<uintptr_t>(&bytes)
                    : name == "stream" ? reinterpret_cast<uintptr_t>(library_stream)
                    : one.pointer()    ? 0
                    : name == "itype" || name == "otype" ? 4  // CUDA_C_32F
                    : name == "type"                     ? 0x29
                    : name == "rank" || name == "batch"  ? 1
                                                         : uint64_t{kSize});
  }
  Plan(0x2a);
  const bool ends = row == "cufftDestroy" || row.find("Callback") != std::string::npos;
  if (row == "cufftSetStream" || ends) Plan(0x29);
  (void)CallWith(function, words, kAll);
  if (Starts(row, "cufftPlan")) DONE(cufftSetStream(kPlan, library_stream));
  if (Races(memory[1], false, Execute) == ends)
    Fail(row, ends ? "keeps the plan" : "does not make the plan known");
  // A real transform would write less: the last element tells them apart.
  DONE(cufftDestroy(kPlan));
}

// The rows that end requests: the request reads its buffer until then.
template <typename... Arguments>
void CheckRequests(const std::string& row, int (*function)(Arguments...), const char* text) {
  constexpr auto kAll = std::make_index_sequence<sizeof...(Arguments)>();
  const std::vector<Parameter> all = ParametersOf(text);
  static void* request;
  static int one, none;
  static uint64_t status[64];
  request = &request;
  one = 1;
  none = 0;
  std::vector<uint64_t> words;
  for (const Parameter& parameter : all) {
    const std::string& name = parameter.name;
    const bool ends = Starts(name, "request") || name == "window";
    words.push_back(ends && parameter.type == "void*"       ? reinterpret_cast<uintptr_t>(request)
                    : ends                                  ? reinterpret_cast<uintptr_t>(&request)
                    : name == "flag" || name == "completed" ? reinterpret_cast<uintptr_t>(&one)
                    : Starts(name, "ind")                   ? reinterpret_cast<uintptr_t>(&none)
                    : name == "count"                       ? 1
                                                            : reinterpret_cast<uintptr_t>(status));
  }
  const auto write = [] {
    OK(cuMemsetD8(memory[0], 0, kBytes));
    OK(cuCtxSynchronize());
  };
  for (const bool ended : {true, false}) {
    const uint64_t before = gpusan_finding_count();
    DONE(MPI_Isend((void*)memory[0], kSize, status, 0, 0, status, &request));
    if (ended) (void)CallWith(function, words, kAll);
    write();
    if (!ended) (void)CallWith(function, words, kAll);
    if ((gpusan_finding_count() == before) != ended)
      Fail(row, ended ? "does not end the request" : ": the request reads nothing");
  }
}

template <typename... Arguments>
void Check(const std::string& row, int (*function)(Arguments...), const char* text) {
  if (Starts(row, "cudnn") || Starts(row, "ncclGroup")) return;  // cudalib_* of tests/programs
  if (Starts(row, "cufft") && row.find("Exec") == std::string::npos)
    return CheckPlan(row, function, text);
  if (Starts(row, "cufft")) Plan(TypeOf(row));
  CheckAccesses(row, function, text);
}

}  // namespace

int main() {
  if (!gpusan_is_present()) return 77;
  Open();
  library_stream = NewStream();
  other_stream = NewStream();
  for (CUdeviceptr& one : memory) one = NewZeros(kBytes);
  OK(cuMemAllocHost((void**)&block, kBytes));
  int rows = 0;
#define GPUSAN_CHECK(name, failure, parameters, ...) \
  ++rows;                                            \
  CheckPassed(#name, &name, #parameters);            \
  Check(#name, &name, #parameters);
#define GPUSAN_LIBRARY(name, ...) GPUSAN_CHECK(name, __VA_ARGS__)
#define GPUSAN_LIBRARY_AFTER GPUSAN_LIBRARY
#define GPUSAN_LIBRARY_OF_HOST GPUSAN_LIBRARY
#define GPUSAN_LIBRARY_OF_REQUEST GPUSAN_LIBRARY
#define GPUSAN_LIBRARY_OF_REQUESTS(name, failure, parameters, ...) \
  ++rows;                                                          \
  CheckPassed(#name, &name, #parameters);                          \
  CheckRequests(#name, &name, #parameters);
#include "layer/attach/library_rows.inc"
  for (CUdeviceptr one : memory) OK(cuMemFree(one));
  OK(cuMemFreeHost(block));
  OK(cuStreamDestroy(other_stream));
  OK(cuStreamDestroy(library_stream));
  Close();
  std::printf("%d rows, %d differ\n", rows, failures);
  return failures == 0 ? 0 : 1;
}
