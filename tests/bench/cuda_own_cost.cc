// What gpusan itself costs a CUDA call: over a driver whose functions return at once.
//
//   GPUSAN_OPTIONS=record=/tmp/own.%p.jsonl:print=0:leaks=0 LD_LIBRARY_PATH=INSTANT LD_PRELOAD=LIBRARY
//     cuda_own_cost [CALLS [CASE [LIVE [STREAMS]]]]
//
// INSTANT is the folder of instant_driver's libcuda.so.1. Prints processor time of the calling thread
// in ns a call (a pair, where the case names two calls), the best of five rounds of CALLS, with LIVE
// allocations and with the calls spread over STREAMS. Without LD_PRELOAD it prints what the bench
// itself takes. A profiler shows where the time goes:
//   valgrind --tool=callgrind cuda_own_cost 20000 launch
#include <cuda.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int kRounds = 5;
constexpr int kCallsPerWait = 500;
constexpr int kDepth = 24;  // frames between a call and the loop of the case that has deep stacks

struct List {
  void* addresses[300];
  char rest[4000 - sizeof(void*) * 300];
};

CUfunction Kernel(uintptr_t number) { return reinterpret_cast<CUfunction>(number << 8); }

int64_t ThreadNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

void Check(CUresult code) {
  if (code == CUDA_SUCCESS) return;
  std::fprintf(stderr, "cuda_own_cost: a call failed with %d\n", static_cast<int>(code));
  std::exit(1);
}

// Both have frames of one size: the stacks of `path` differ by return addresses alone.
struct Launch {
  CUstream stream;
  void** arguments;
};
[[gnu::noinline]] void Deep(const Launch& launch, uint32_t path, int depth);
[[gnu::noinline]] void Launched(const Launch& launch) {
  Check(cuLaunchKernel(Kernel(1), 1, 1, 1, 64, 1, 1, 0, launch.stream, launch.arguments, nullptr));
  asm volatile("" ::: "memory");
}
[[gnu::noinline]] void Deep(const Launch& launch, uint32_t path, int depth) {
  if (depth == 0) {
    Launched(launch);
  } else if ((path & 1) != 0) {
    Deep(launch, path >> 1, depth - 1);
    asm volatile("# one" ::: "memory");
  } else {
    Deep(launch, path >> 1, depth - 1);
    asm volatile("# other" ::: "memory");
  }
  asm volatile("" ::: "memory");
}

class Cases {
 public:
  Cases(int calls, std::string only, size_t live, size_t streams)
      : calls_(calls), only_(std::move(only)), streams_(streams) {
    Check(cuInit(0));
    for (size_t i = 0; i < live; ++i) Allocate(512);
    for (PerStream& at : streams_) {
      Check(cuStreamCreate(&at.stream, CU_STREAM_DEFAULT));
      for (CUdeviceptr& block : at.blocks) {
        block = Allocate(4096);
        Check(cuMemsetD8Async(block, 0, 4096, at.stream));
      }
      Check(cuMemAllocHost(&at.host, 4096));
    }
    Check(cuEventCreate(&event_, CU_EVENT_DISABLE_TIMING));
    for (void*& address : list_.addresses) address = reinterpret_cast<void*>(Allocate(512));
    Check(cuCtxSynchronize());
  }

  int Run() {
    int n = 64;
    Time("launch", [&](PerStream& at, int) {
      void* arguments[] = {&at.blocks[0], &at.blocks[1], &at.blocks[2], &n};
      Check(cuLaunchKernel(Kernel(1), 1, 1, 1, 64, 1, 1, 0, at.stream, arguments, nullptr));
    });
    Time("nothing", [&](PerStream& at, int) {
      Check(cuLaunchKernel(Kernel(2), 1, 1, 1, 64, 1, 1, 0, at.stream, nullptr, nullptr));
    });
    Time("deep", [&](PerStream& at, int i) {
      void* arguments[] = {&at.blocks[0], &at.blocks[1], &at.blocks[2], &n};
      Deep({at.stream, arguments}, 0, kDepth);
      (void)i;
    });
    // 61 stacks in turn.
    Time("deep-61", [&](PerStream& at, int i) {
      void* arguments[] = {&at.blocks[0], &at.blocks[1], &at.blocks[2], &n};
      Deep({at.stream, arguments}, static_cast<uint32_t>(i % 61), kDepth);
    });
    // None of 16 million stacks comes again soon.
    Time("deep-new", [&](PerStream& at, int i) {
      void* arguments[] = {&at.blocks[0], &at.blocks[1], &at.blocks[2], &n};
      Deep({at.stream, arguments}, static_cast<uint32_t>(i) * 2654435761u >> 8, kDepth);
    });
    Time("list", [&](PerStream& at, int) {
      void* arguments[] = {&list_, &at.blocks[2]};
      Check(cuLaunchKernel(Kernel(3), 1, 1, 1, 64, 1, 1, 0, at.stream, arguments, nullptr));
    });
    Time("scalar", [&](PerStream& at, int) {
      const float alpha[16] = {};
      const void* address = &alpha[3];
      void* arguments[] = {&address, &at.blocks[2], &n};
      Check(cuLaunchKernel(Kernel(4), 1, 1, 1, 64, 1, 1, 0, at.stream, arguments, nullptr));
    });
    Time("copy", [&](PerStream& at, int) {
      Check(cuMemcpyHtoDAsync(at.blocks[0], at.host, 64, at.stream));
    });
    Time("set", [&](PerStream& at, int) {
      Check(cuMemsetD8Async(at.blocks[0], 0, 64, at.stream));
    });
    Time("record", [&](PerStream& at, int) { Check(cuEventRecord(event_, at.stream)); });
    Time("query", [&](PerStream&, int) { Check(cuEventQuery(event_)); });
    Time("malloc+free", [&](PerStream&, int) { Check(cuMemFree(Allocate(1024))); });
    if (ran_ == 0) std::fprintf(stderr, "cuda_own_cost: no case '%s'\n", only_.c_str());
    return ran_ == 0;
  }

 private:
  struct PerStream {
    CUstream stream;
    CUdeviceptr blocks[3];
    void* host;
  };

  static CUdeviceptr Allocate(size_t bytes) {
    CUdeviceptr address;
    Check(cuMemAlloc(&address, bytes));
    return address;
  }

  template <typename Body>
  void Time(const char* name, Body body) {
    if (!only_.empty() && only_ != name) return;
    ++ran_;
    int64_t best = INT64_MAX;
    for (int round = 0; round < kRounds; ++round) {
      const int64_t begin = ThreadNs();
      size_t stream = 0;
      for (int i = 0; i < calls_; ++i) {
        body(streams_[stream], i);
        if (++stream == streams_.size()) stream = 0;
        if (i % kCallsPerWait == 0) Check(cuCtxSynchronize());
      }
      best = std::min(best, ThreadNs() - begin);
    }
    std::printf("%-12s %7.1f ns\n", name, static_cast<double>(best) / calls_);
    std::fflush(stdout);
  }

  const int calls_;
  const std::string only_;
  int ran_ = 0;
  std::vector<PerStream> streams_;
  CUevent event_;
  List list_ = {};
};

}  // namespace

int main(int argc, char** argv) {
  const int calls = argc > 1 ? std::atoi(argv[1]) : 100000;
  const int live = argc > 3 ? std::atoi(argv[3]) : 0, streams = argc > 4 ? std::atoi(argv[4]) : 1;
  if (argc > 5 || calls <= 0 || live < 0 || streams <= 0) {
    std::fprintf(stderr, "usage: cuda_own_cost [CALLS [CASE [LIVE [STREAMS]]]]\n");
    return 2;
  }
  return Cases(calls, argc > 2 ? argv[2] : "", static_cast<size_t>(live),
               static_cast<size_t>(streams))
      .Run();
}
