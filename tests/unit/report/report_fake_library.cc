// A stand-in for libgpusan.so in the tests of the command: it attaches, and reports what the
// program asks it to.
//
// GPUSAN_FAKE_ATTACH=0: it stays away. A program that calls fake_gpu_call gets a record file; the
// end record is written when it exits, unless GPUSAN_FAKE_END=0.
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "report/options/config.h"
#include "report/record/attach_log.h"
#include "report/record/record_name.h"
#include "report/record/record_writer.h"

namespace gpusan {
namespace {

bool IsOff(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::strcmp(value, "0") == 0;
}

// Sites are return addresses: 1 that of the last call, 2 that of the call before.
class AddressFrames final : public FrameSource {
 public:
  int Frames(SiteId site, RecordFrame* frames, int) const override {
    if (site == 0 || addresses[site - 1] == 0) return 0;
    Dl_info info;
    link_map* map = nullptr;
    if (dladdr1(reinterpret_cast<void*>(addresses[site - 1]), &info, reinterpret_cast<void**>(&map),
                RTLD_DL_LINKMAP) == 0) {
      return 0;
    }
    frames[0] = {1, addresses[site - 1] - map->l_addr};
    return 1;
  }

  bool Module(uint32_t id, RecordModule* module) const override {
    if (id != 1) return false;
    static const std::string& path = *new std::string(ExecutablePath());
    *module = {path, ""};
    return true;
  }

  uintptr_t addresses[2] = {};
};

AddressFrames* g_frames = nullptr;
RecordWriter* g_writer = nullptr;

__attribute__((constructor)) void Attach() {
  if (IsOff("GPUSAN_FAKE_ATTACH")) return;
  AppendAttachLog();
  g_frames = new AddressFrames;
  g_writer = new RecordWriter(ReadProcessConfiguration().options, "0.1.0", g_frames);
}

__attribute__((destructor)) void Detach() {
  if (g_writer != nullptr && !IsOff("GPUSAN_FAKE_END"))
    g_writer->End({"exit", {{"opencl", 1}}, {}, {}});
}

}  // namespace
}  // namespace gpusan

// severity: 0 note, 1 warning, 2 error, negative: a call without a finding.
extern "C" __attribute__((visibility("default"), noinline)) void fake_gpu_call(int severity) {
  using namespace gpusan;
  if (g_writer == nullptr) return;
  g_frames->addresses[1] = g_frames->addresses[0];
  g_frames->addresses[0] = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  g_writer->Start();
  if (severity < 0) return;
  Finding finding;
  finding.rule = RuleId::kHostBufferOverrun;
  finding.severity = static_cast<Severity>(severity);
  finding.api = Api::kOpenCL;
  finding.call = "clEnqueueWriteImage";
  finding.site = 1;
  finding.what = "Too much is read.";
  finding.parties.push_back({"allocation", "256 B block", 2});
  finding.resources.push_back({"image", 0x1234, 16, "albedo"});
  g_writer->Report(std::move(finding));
}
