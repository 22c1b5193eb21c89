// The time of the first launch of a kernel: the analysis of its code, and the cache on disk
// instead.
//
// usage: kernel_analysis CAPABILITY FOLDER LIBRARY...
// CAPABILITY is 90 for 9.0. FOLDER is an empty folder for the cache. Prints processor time by size
// of the code.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "hooks/cuda/machine_code/cubin.h"
#include "hooks/cuda/machine_code/cubin_access.h"
#include "hooks/cuda/summaries/kernel_uses.h"
#include "report/record/summary_cache.h"
#include "tests/unit/cuda/library_parts.h"

namespace gpusan::cuda {
namespace {

// Kernels of one size that are measured, so that large libraries take no hours.
constexpr size_t kMostOfASize = 200;

double ThreadMicros() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

struct Times {
  std::vector<double> analyse, load, store;
};

double Median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times.empty() ? 0 : times[times.size() / 2];
}

void Measure(const CubinKernel& kernel, const SummaryCache& cache, Times* times) {
  std::vector<uint32_t> offsets, sizes;
  for (const KernelParameter& parameter : kernel.parameters) {
    offsets.push_back(parameter.offset);
    sizes.push_back(parameter.size);
  }
  double start = ThreadMicros();
  const KernelAccess access = Summarize(kernel);
  if (!access.known()) return;
  const KernelUses uses(access, offsets, sizes);
  times->analyse.push_back(ThreadMicros() - start);
  const std::string_view code(reinterpret_cast<const char*>(kernel.code.data()),
                              kernel.code.size());
  start = ThreadMicros();
  cache.Store(SummaryCache::KeyOf("cuda", 1, code), uses.Text());
  times->store.push_back(ThreadMicros() - start);
  std::string text;
  start = ThreadMicros();
  const bool loaded = cache.Load(SummaryCache::KeyOf("cuda", 1, code), &text) &&
                      KernelUses::FromText(text, sizes).has_value();
  times->load.push_back(ThreadMicros() - start);
  if (!loaded) std::printf("a summary of %zu bytes is not in the cache\n", text.size());
}

int Run(int argc, char** argv) {
  const auto device = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  const SummaryCache cache(argv[2]);
  std::map<size_t, Times> by_size;
  for (int i = 3; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const std::vector<unsigned char> library{std::istreambuf_iterator<char>(file),
                                             std::istreambuf_iterator<char>()};
    ForEachPart(library, device, false, [&](std::span<const unsigned char> code) {
      for (const CubinKernel& kernel : ReadCubin(code).kernels) {
        size_t limit = 1024;
        while (limit < kernel.code.size()) limit *= 2;
        Times& times = by_size[limit];
        if (times.analyse.size() < kMostOfASize) Measure(kernel, cache, &times);
      }
    });
  }
  for (const auto& [limit, times] : by_size) {
    std::printf("up to %zu B: %zu kernels, us (median): analyse %.0f, load %.0f, store %.0f\n",
                limit, times.analyse.size(), Median(times.analyse), Median(times.load),
                Median(times.store));
  }
  return 0;
}

}  // namespace
}  // namespace gpusan::cuda

int main(int argc, char** argv) {
  if (argc >= 4) return gpusan::cuda::Run(argc, argv);
  std::fprintf(stderr, "usage: kernel_analysis CAPABILITY FOLDER LIBRARY...\n");
  return 2;
}
