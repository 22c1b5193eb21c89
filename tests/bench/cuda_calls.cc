// What CUDA calls cost the calling thread, on a machine with a GPU. Prints a JSON line a case.
//
//   cuda_calls [--switch-timeline] [--batches N] [--live N] [--streams N] [--case NAME]
//
// A batch is timed by the CPU clock of the thread; the device is waited for between batches and not timed, so that no call
// waits for room in a queue.
#include <cuda.h>
#include <cuda_runtime.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tests/programs/common/cuda_kernels.h"
#include "timing.h"

namespace {

void Check(int code, const char* what) {
  if (code == 0) return;
  std::fprintf(stderr, "cuda_calls: %s failed with %d\n", what, code);
  std::exit(1);
}
#define CHECK(call) Check(static_cast<int>(call), #call)

double ThreadNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

struct Options {
  int batches = 60;
  int live = 0;
  int streams = 1;
  std::string only;
  bool switched = false;  // batches without and with a timeline in turn
};

void Measure(const Options& options, const char* name, int calls, const std::function<void(int)>& body) {
  if (!options.only.empty() && options.only != name) return;
  const auto measure = [&] {
    const double begin = ThreadNs();
    for (int i = 0; i < calls; ++i) body(i);
    const double end = ThreadNs();
    CHECK(cudaDeviceSynchronize());
    return (end - begin) / calls;
  };
  if (options.switched) return bench::MeasureSwitched(options.batches, name, "ns", measure);
  std::vector<double> figures;
  for (int batch = -5; batch < options.batches; ++batch) {
    const double figure = measure();
    if (batch >= 0) figures.push_back(figure);
  }
  std::sort(figures.begin(), figures.end());
  std::printf("{\"case\":\"%s\",\"live\":%d,\"streams\":%d,\"median_ns\":%.1f,\"min_ns\":%.1f}\n", name, options.live,
              options.streams, figures[figures.size() / 2], figures[0]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.switched = bench::TakeSwitchTimeline(&argc, &argv);
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--batches") == 0) options.batches = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--live") == 0) options.live = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--streams") == 0) options.streams = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--case") == 0) options.only = argv[i + 1];
  }
  CHECK(cudaFree(nullptr));
  CUmodule module;
  CUfunction add, nothing;
  CHECK(cuModuleLoadData(&module, kKernels));
  CHECK(cuModuleGetFunction(&add, module, KERNEL_ADD));
  CHECK(cuModuleGetFunction(&nothing, module, KERNEL_NOTHING));
  std::vector<void*> live(static_cast<size_t>(options.live));
  for (void*& block : live) CHECK(cudaMalloc(&block, 512));
  std::vector<cudaStream_t> streams(static_cast<size_t>(options.streams));
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));
  const auto stream = [&](int i) { return streams[static_cast<size_t>(i) % streams.size()]; };
  // Every stream has memory of its own.
  std::vector<float*> a(streams.size()), b(streams.size()), c(streams.size()), host(streams.size());
  for (size_t i = 0; i < streams.size(); ++i) {
    for (float** block : {&a[i], &b[i], &c[i]}) {
      CHECK(cudaMalloc(reinterpret_cast<void**>(block), 4096));
      CHECK(cudaMemset(*block, 0, 4096));
    }
    CHECK(cudaMallocHost(reinterpret_cast<void**>(&host[i]), 4096));
  }
  cudaEvent_t event;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CHECK(cudaDeviceSynchronize());

  Measure(options, "launch", 200, [&](int i) {
    const size_t s = static_cast<size_t>(i) % streams.size();
    int n = 256;
    void* arguments[] = {&a[s], &b[s], &c[s], &n};
    CHECK(cuLaunchKernel(add, 1, 1, 1, 256, 1, 1, 0, streams[s], arguments, nullptr));
  });
  Measure(options, "launch_nothing", 200, [&](int i) {
    CHECK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream(i), nullptr, nullptr));
  });
  Measure(options, "memcpy_async", 200, [&](int i) {
    const size_t s = static_cast<size_t>(i) % streams.size();
    CHECK(cudaMemcpyAsync(a[s], host[s], 64, cudaMemcpyHostToDevice, streams[s]));
  });
  Measure(options, "memset_async", 200, [&](int i) {
    const size_t s = static_cast<size_t>(i) % streams.size();
    CHECK(cudaMemsetAsync(a[s], 0, 64, streams[s]));
  });
  Measure(options, "event_record", 500, [&](int i) { CHECK(cudaEventRecord(event, stream(i))); });
  Measure(options, "event_query", 500, [&](int) { (void)cudaEventQuery(event); });
  Measure(options, "malloc_free", 100, [&](int) {
    void* block;
    CHECK(cudaMalloc(&block, 1024));
    CHECK(cudaFree(block));
  });
  Measure(options, "malloc_async_free_async", 200, [&](int i) {
    void* block;
    CHECK(cudaMallocAsync(&block, 1024, stream(i)));
    CHECK(cudaFreeAsync(block, stream(i)));
  });

  CHECK(cudaEventDestroy(event));
  for (size_t i = 0; i < streams.size(); ++i) {
    for (float* block : {a[i], b[i], c[i]}) CHECK(cudaFree(block));
    CHECK(cudaFreeHost(host[i]));
    CHECK(cudaStreamDestroy(streams[i]));
  }
  for (void* block : live) CHECK(cudaFree(block));
  CHECK(cuModuleUnload(module));
  return 0;
}
