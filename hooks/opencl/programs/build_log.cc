// Queries build logs and shortens them for findings.
#include "hooks/opencl/programs/build_log.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"

namespace gpusan::opencl {
namespace {

constexpr size_t kMaxLines = 12;
constexpr size_t kMaxBytes = 1024;
// Larger logs are not read.
constexpr size_t kMaxLog = size_t{16} << 20;

std::vector<cl_device_id> DevicesOf(ClCall& call, cl_program program) {
  cl_uint count = 0;
  const auto info = GPUSAN_NEXT(call, clGetProgramInfo);
  if (info == nullptr ||
      info(program, CL_PROGRAM_NUM_DEVICES, sizeof(count), &count, nullptr) != CL_SUCCESS)
    return {};
  std::vector<cl_device_id> devices(count);
  if (count == 0 || info(program, CL_PROGRAM_DEVICES, count * sizeof(cl_device_id), devices.data(),
                         nullptr) != CL_SUCCESS)
    return {};
  return devices;
}

std::string LogOf(ClCall& call, cl_program program, cl_device_id device) {
  const auto info = GPUSAN_NEXT(call, clGetProgramBuildInfo);
  size_t size = 0;
  if (info(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS || size <= 1 ||
      size > kMaxLog)
    return "";
  std::string log(size, '\0');
  if (info(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr) != CL_SUCCESS)
    return "";
  log.resize(log.find('\0') == std::string::npos ? size : log.find('\0'));
  return log;
}

}  // namespace

std::string BeginOfLog(std::string_view log) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t last = log.find_last_not_of(kBlank);
  if (last == std::string_view::npos) return "";
  log = log.substr(0, last + 1);
  log.remove_prefix(std::min(log.find_first_not_of("\r\n"), log.size()));
  std::string text;
  size_t lines = 0, bytes = 0, left_out = 0;
  while (!log.empty()) {
    const size_t end = std::min(log.find('\n'), log.size());
    std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    // A first line that is too long is cut between UTF-8 characters; later lines are kept whole or
    // left out.
    const bool cut = lines == 0 && line.size() > kMaxBytes;
    if (cut) {
      size_t keep = kMaxBytes;
      while (keep > 0 && (static_cast<unsigned char>(line[keep]) & 0xC0) == 0x80) --keep;
      line = line.substr(0, keep);
    }
    if (left_out != 0 || lines == kMaxLines || bytes + line.size() > kMaxBytes) {
      ++left_out;
      continue;
    }
    text.append("\n").append(line).append(cut ? "..." : "");
    ++lines;
    bytes += line.size();
  }
  if (left_out == 0) return "the build log:" + text;
  return absl::StrCat("the build log begins:", text, "\n(", left_out,
                      left_out == 1 ? " more line)" : " more lines)");
}

std::string BuildLogText(ClCall& call, cl_program program, cl_uint num_devices,
                         const cl_device_id* devices) {
  const auto info = GPUSAN_NEXT(call, clGetProgramBuildInfo);
  if (info == nullptr || program == nullptr) return "";
  std::vector<cl_device_id> own;
  if (devices == nullptr || num_devices == 0) {
    own = DevicesOf(call, program);
    devices = own.data();
    num_devices = static_cast<cl_uint>(own.size());
  }
  std::string other;
  for (cl_uint i = 0; i < num_devices; ++i) {
    std::string log = BeginOfLog(LogOf(call, program, devices[i]));
    if (log.empty()) continue;
    cl_build_status status = CL_BUILD_NONE;
    info(program, devices[i], CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, nullptr);
    if (status == CL_BUILD_ERROR) return log;
    if (other.empty()) other = std::move(log);
  }
  return other;
}

std::string NoExecutableText(ClCall& call, cl_program program) {
  const auto info = GPUSAN_NEXT(call, clGetProgramBuildInfo);
  if (info == nullptr || program == nullptr) return "";
  const char* text = "";
  for (cl_device_id device : DevicesOf(call, program)) {
    cl_build_status status = CL_BUILD_SUCCESS;
    if (info(program, device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, nullptr) !=
        CL_SUCCESS)
      continue;
    if (status == CL_BUILD_ERROR) return "the last build of program failed";
    if (status == CL_BUILD_IN_PROGRESS) return "the build of program is not complete";
    if (status == CL_BUILD_NONE) text = "program was not built";
  }
  return text;
}

}  // namespace gpusan::opencl
