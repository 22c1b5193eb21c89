// The service of `gpusan run` that supplies summaries of kernels to the processes of the program.
// The command runs the compiler outside of these processes.
//
// A process connects to a Unix socket, which an environment variable names, sends one request and
// receives one answer. Each request has its own connection, so that a fork or the end of either
// process needs no cleanup.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpusan {

inline constexpr char kSummaryServiceVariable[] = "GPUSAN_KERNEL_SERVICE";
// Limits of a message [bytes].
inline constexpr size_t kMaxSummaryRequest = size_t{32} << 20;
inline constexpr size_t kMaxSummaryAnswer = size_t{4} << 20;
// The kind of code in the cache.
inline constexpr char kOpenClCode[] = "opencl-c";

// An OpenCL C program as the driver built it.
struct OpenClProgram {
  std::string source;
  std::string options;
  // clCompileProgram: names in #include directives, and texts.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string extensions;      // CL_DEVICE_EXTENSIONS
  std::string device_version;  // CL_DEVICE_VERSION
  std::string language;        // CL_DEVICE_OPENCL_C_VERSION
  std::string working_folder;  // of the process; not part of the cache's key
};

// The program as a message. Without the working folder, it is the key of the cache.
std::string EncodeProgram(const OpenClProgram& program, bool working_folder);
// Returns false if the message is damaged.
bool DecodeProgram(std::string_view message, OpenClProgram* program);

enum class SummaryStatus : uint8_t {
  kSummaries,   // the answer is a text of EncodeSummaries
  kNoCompiler,  // no clang is installed
  kUnknown,     // the compiler did not understand the program
  kNoService,   // the service cannot be reached or does not answer
};

// Sends a request to the service at `path` and waits for the answer, at most `patience_ms` in
// total. Leaves no descriptor, raises no signal, keeps errno. Thread-safe.
SummaryStatus QuerySummaryService(const std::string& path, std::string_view request,
                                  int patience_ms, std::string* answer);

// Sends or receives one message on a socket until `deadline_ms` (of NowMs). Returns false on
// errors, timeouts and messages of more than `most` bytes.
bool SendMessage(int socket, uint8_t status, std::string_view text, int64_t deadline_ms);
bool ReceiveMessage(int socket, size_t most, uint8_t* status, std::string* text,
                    int64_t deadline_ms);
// Milliseconds of the monotonic clock.
int64_t NowMs();

}  // namespace gpusan
