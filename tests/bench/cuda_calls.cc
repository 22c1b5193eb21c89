// What CUDA calls cost the calling thread, on a machine with a GPU. Prints a JSON line a case.
//
//   cuda_calls [--switch-timeline] [--batches N] [--live N] [--streams N] [--case NAME]
//
// A batch is timed by the CPU clock of the thread; the device is waited for between batches and not
// timed, so that no call waits for room in a queue.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "cuda_fixture.h"
#include "timing.h"

namespace {

struct Options : bench::CudaOptions {
  using CudaOptions::CudaOptions;
  bool switched = false;  // batches without and with a timeline in turn
};

void Measure(const Options& options, const char* name, int calls,
             const std::function<void(int)>& body) {
  if (!options.only.empty() && options.only != name) return;
  const auto measure = [&] {
    const int64_t begin = bench::ThreadCpuNs();
    for (int i = 0; i < calls; ++i) body(i);
    const int64_t end = bench::ThreadCpuNs();
    CHECK_CUDA(cudaDeviceSynchronize());
    return static_cast<double>(end - begin) / calls;
  };
  if (options.switched) return bench::MeasureSwitched(options.batches, name, "ns", measure);
  std::vector<double> figures;
  for (int batch = -5; batch < options.batches; ++batch) {
    const double figure = measure();
    if (batch >= 0) figures.push_back(figure);
  }
  std::sort(figures.begin(), figures.end());
  std::printf("{\"case\":\"%s\",\"live\":%d,\"streams\":%d,\"median_ns\":%.1f,\"min_ns\":%.1f}\n",
              name, options.live, options.streams, figures[figures.size() / 2], figures[0]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const bool switched = bench::TakeSwitchTimeline(&argc, &argv);
  Options options(argc, argv);
  options.switched = switched;
  CHECK_CUDA(cudaFree(nullptr));  // the runtime makes itself ready
  bench::CudaFixture with(options);
  const auto pointer = [](CUdeviceptr address) { return reinterpret_cast<void*>(address); };

  Measure(options, "launch", 200, [&](int i) {
    auto& at = with.at(i);
    int n = 256;
    void* arguments[] = {&at.a, &at.b, &at.c, &n};
    CHECK_CUDA(cuLaunchKernel(with.add, 1, 1, 1, 256, 1, 1, 0, at.stream, arguments, nullptr));
  });
  Measure(options, "launch_of_code", 200, [&](int i) {
    auto& at = with.at(i);
    int n = 256;
    void* arguments[] = {&at.a, &at.b, &at.c, &n};
    CHECK_CUDA(cuLaunchKernel(with.code_add, 1, 1, 1, 256, 1, 1, 0, at.stream, arguments, nullptr));
  });
  Measure(options, "launch_nothing", 200, [&](int i) {
    CHECK_CUDA(
        cuLaunchKernel(with.nothing, 1, 1, 1, 1, 1, 1, 0, with.at(i).stream, nullptr, nullptr));
  });
  Measure(options, "memcpy_async", 200, [&](int i) {
    auto& at = with.at(i);
    CHECK_CUDA(cudaMemcpyAsync(pointer(at.a), at.host, 64, cudaMemcpyHostToDevice, at.stream));
  });
  Measure(options, "memset_async", 200, [&](int i) {
    CHECK_CUDA(cudaMemsetAsync(pointer(with.at(i).a), 0, 64, with.at(i).stream));
  });
  Measure(options, "event_record", 500,
          [&](int i) { CHECK_CUDA(cudaEventRecord(with.event, with.at(i).stream)); });
  Measure(options, "event_query", 500, [&](int) { (void)cudaEventQuery(with.event); });
  Measure(options, "malloc_free", 100, [&](int) {
    void* block;
    CHECK_CUDA(cudaMalloc(&block, 1024));
    CHECK_CUDA(cudaFree(block));
  });
  Measure(options, "malloc_async_free_async", 200, [&](int i) {
    void* block;
    CHECK_CUDA(cudaMallocAsync(&block, 1024, with.at(i).stream));
    CHECK_CUDA(cudaFreeAsync(block, with.at(i).stream));
  });
}
