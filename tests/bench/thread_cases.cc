// How the rate of calls grows from one thread to two.
#include "thread_cases.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

namespace bench {
namespace {

// What one thread has to itself. A slot is a cache line of its own: the bench must not be what
// fails to scale.
struct alignas(128) Lane {
  explicit Lane(const Fixture& fixture, bool gated)
      : queue(fixture.NewQueue()),
        kernel(fixture.NewKernel()),
        buffer(fixture.NewBuffer()),
        gate(fixture.context, queue, gated) {
    fixture.WriteBuffer(buffer);
  }
  ~Lane() {
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(queue);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  cl_command_queue queue;
  cl_kernel kernel;
  cl_mem buffer;
  Gate gate;
  unsigned char host[Fixture::kHostBytes] = {};
  int64_t begin = 0;  // wall clock of the last batch
  int64_t end = 0;
};

// How often the calling thread was taken off its core against its will. Waiting for a lock does not
// count.
int64_t Preemptions() {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

// Runs `work(lane)` on the calling thread alone, or on it and a second thread that start at the
// same moment.
class TwoThreads {
 public:
  TwoThreads(Lane& first, Lane& second, std::function<void(Lane&)> work)
      : first_(first), second_(second), work_(std::move(work)), helper_([this] { Serve(); }) {}
  ~TwoThreads() {
    stop_ = true;
    Wake();
    helper_.join();
  }
  TwoThreads(const TwoThreads&) = delete;
  TwoThreads& operator=(const TwoThreads&) = delete;

  // Wall ns of one batch; 0 if another process took the core meanwhile.
  int64_t One() {
    const int64_t preemptions = Preemptions();
    Timed(first_);
    return Preemptions() == preemptions ? first_.end - first_.begin : 0;
  }

  // Wall ns from the first start to the last end of two batches at once; 0 if another process took
  // a core meanwhile.
  int64_t Both() {
    ready_ = false;
    go_ = false;
    done_ = false;
    Wake();
    while (!ready_) std::this_thread::yield();
    const int64_t preemptions = Preemptions();
    go_ = true;
    Timed(first_);
    const bool undisturbed = Preemptions() == preemptions;
    while (!done_) std::this_thread::yield();
    if (!undisturbed || helper_preempted_) return 0;
    return std::max(first_.end, second_.end) - std::min(first_.begin, second_.begin);
  }

 private:
  void Timed(Lane& lane) {
    lane.begin = WallNs();
    work_(lane);
    lane.end = WallNs();
  }

  void Wake() {
    turn_.fetch_add(1);
    turn_.notify_one();
  }

  void Serve() {
    for (int seen = 0;; ++seen) {
      turn_.wait(seen);  // asleep, not spinning, while the first thread is timed alone
      if (stop_) return;
      const int64_t preemptions = Preemptions();
      ready_ = true;
      while (!go_) {
      }
      Timed(second_);
      helper_preempted_ = Preemptions() != preemptions;
      done_ = true;
    }
  }

  Lane& first_;
  Lane& second_;
  std::function<void(Lane&)> work_;
  bool helper_preempted_ = false;  // published by done_
  std::atomic<int> turn_{0};
  std::atomic<bool> stop_{false};
  std::atomic<bool> ready_{false};
  std::atomic<bool> go_{false};
  std::atomic<bool> done_{false};
  std::thread helper_;
};

void Scaling(const Fixture& fixture, const Options& options, const char* name, bool enqueues,
             const std::function<void(Lane&)>& work) {
  if (!options.Wants(name, "threads")) return;
  const auto first = std::make_unique<Lane>(fixture, enqueues && options.gated);
  const auto second = std::make_unique<Lane>(fixture, enqueues && options.gated);
  TwoThreads threads(*first, *second, work);
  const auto around = [&](auto timed) {
    first->gate.Close();
    second->gate.Close();
    const int64_t ns = timed();
    first->gate.Open();
    second->gate.Open();
    return static_cast<double>(ns);
  };
  // The second thread's heap and the driver's free lists need a few batches until they no longer
  // grow.
  constexpr int kWarmUp = 10;
  std::vector<double> ratios;
  const auto wanted = static_cast<size_t>(options.batches);
  for (int attempt = -kWarmUp; ratios.size() < wanted && attempt < 4 * options.batches; ++attempt) {
    const double one = around([&] { return threads.One(); });
    const double both = around([&] { return threads.Both(); });
    if (attempt >= 0 && one > 0 && both > 0) ratios.push_back(2 * one / both);
  }
  if (ratios.empty()) return;  // the machine was never quiet enough for a single batch
  PrintValues(name, "x", ratios);
}

}  // namespace

void RunThreadCases(const Fixture& fixture, const Options& options) {
  Scaling(fixture, options, "threads_set_arg", false, [](Lane& lane) {
    for (int i = 0; i < 50'000; ++i) {
      Check(clSetKernelArg(lane.kernel, 0, sizeof(cl_mem), &lane.buffer), "clSetKernelArg");
    }
  });
  Scaling(fixture, options, "threads_buffer_pair", false, [&fixture](Lane&) {
    for (int i = 0; i < 5000; ++i)
      Check(clReleaseMemObject(fixture.NewBuffer()), "clReleaseMemObject");
  });
  Scaling(fixture, options, "threads_write", true, [](Lane& lane) {
    for (int i = 0; i < 1000; ++i) {
      Check(clEnqueueWriteBuffer(lane.queue, lane.buffer, CL_FALSE, 0, 64, lane.host, 0, nullptr,
                                 nullptr),
            "clEnqueueWriteBuffer");
    }
  });
}

}  // namespace bench
