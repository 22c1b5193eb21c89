// Fuzz target: summaries of kernels from other processes and from the cache on disk, requests for
// them, and the options and macros of OpenCL programs. The first byte chooses the reader.
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/kernels/opencl_source.h"
#include "report/record/summary_cache.h"
#include "report/record/summary_service.h"
#include "tests/fuzz/input_file.h"
#include "tracker/model/kernel_summary.h"

using namespace gpusan;

namespace {

void Translate(const OpenClProgram& program) {
  const ClangOptions options = TranslateOptions(program);
  std::vector<std::string_view> texts = {program.source};
  for (const auto& [name, text] : program.headers) texts.push_back(text);
  std::vector<std::string> arguments;
  AgreeOnMacros(program, options, texts, &arguments);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0: {
      std::vector<KernelSummary> kernels, again;
      if (DecodeSummaries(text, &kernels) &&
          (!DecodeSummaries(EncodeSummaries(kernels), &again) || again.size() != kernels.size()))
        __builtin_trap();
      break;
    }
    case 1: {
      // The file under the key, and the folder with files of others.
      static const std::string folder = "/dev/shm/gpusan-fuzz." + std::to_string(getpid());
      mkdir(folder.c_str(), 0700);
      const SummaryCache cache(folder, 4096);
      const SummaryCache::Key key = SummaryCache::KeyOf("fuzz", 1, "code");
      cache.Store(key, "value");
      std::string name = folder + "/";
      for (const uint8_t byte : key) {
        name += "0123456789abcdef"[byte >> 4];
        name += "0123456789abcdef"[byte & 15];
      }
      name += ".summary";
      std::string value;
      if (!cache.Load(key, &value) || value != "value") __builtin_trap();
      const InputFile file("entry");
      file.Write(data + 1, size - 1);
      rename(file.path().c_str(), name.c_str());
      cache.Load(key, &value);
      unlink(name.c_str());
      rmdir(folder.c_str());
      break;
    }
    case 2: {
      OpenClProgram program;
      if (DecodeProgram(text, &program)) Translate(program);
      break;
    }
    default: {
      OpenClProgram program;
      const size_t line = text.find('\n');
      program.options = text.substr(0, line);
      program.source = line == std::string::npos ? "" : text.substr(line + 1);
      program.extensions = "cl_khr_fp64";
      program.device_version = "OpenCL 3.0 PoCL";
      program.language = "OpenCL C 1.2";
      OpenClProgram read;
      if (!DecodeProgram(EncodeProgram(program, true), &read) || read.source != program.source)
        __builtin_trap();
      Translate(program);
      break;
    }
  }
  return 0;
}
