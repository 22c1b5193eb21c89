// What gpusan itself costs a CUDA call: over a driver whose functions return at once.
//
//   GPUSAN_OPTIONS=record=/tmp/own.%p.jsonl:print=0:leaks=0 LD_LIBRARY_PATH=INSTANT
//   LD_PRELOAD=LIBRARY
//     cuda_own_cost [--switch-timeline] [CALLS [CASE [LIVE [STREAMS [COLD]]]]]
//
// INSTANT is the folder of instant_driver's libcuda.so.1. Prints processor time of the calling
// thread in ns a call (a pair, where the case names two calls), the best of five rounds of CALLS,
// with LIVE allocations and with the calls spread over STREAMS. With COLD, which is a number of
// KiB, so much memory is written and so much code is run in front of each call, as by a program
// between two calls: caches hold little of gpusan then. Each call is timed alone, and the median
// counts. Without LD_PRELOAD it prints what the bench itself takes. A profiler shows where the time
// goes:
//   valgrind --tool=callgrind cuda_own_cost 20000 launch
#include <cuda.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "instant_blas.h"
#include "timing.h"

namespace {

constexpr int kCallsPerWait = 500;
constexpr int kDepth = 24;  // frames between a call and the loop of the case that has deep stacks

struct List {
  void* addresses[300];
  char rest[4000 - sizeof(void*) * 300];
};

CUfunction Kernel(uintptr_t number) { return reinterpret_cast<CUfunction>(number << 8); }

void Check(CUresult code) {
  if (code == CUDA_SUCCESS) return;
  std::fprintf(stderr, "cuda_own_cost: a call failed with %d\n", static_cast<int>(code));
  std::exit(1);
}

// Both have frames of one size: the stacks of `path` differ by return addresses alone.
struct Launch {
  CUstream stream;
  void** arguments;
  int kernel = 1;
};
[[gnu::noinline]] void Deep(const Launch& launch, uint32_t path, int depth);
[[gnu::noinline]] void Launched(const Launch& launch) {
  Check(cuLaunchKernel(Kernel(launch.kernel), 1, 1, 1, 64, 1, 1, 0, launch.stream, launch.arguments,
                       nullptr));
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

// What a program does between two calls, for the caches and the translation buffers.
class OtherWork {
 public:
  explicit OtherWork(size_t kib) : data_(kib << 10), code_(kib << 10) {
    if (kib == 0) return;
    void* code = mmap(nullptr, code_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) std::exit(1);
    constexpr int kReturn = 0xc3;
    std::memset(code, kReturn, code_);
    if (mprotect(code, code_, PROT_READ | PROT_EXEC) != 0) std::exit(1);
    begin_ = static_cast<char*>(code);
  }
  bool none() const { return code_ == 0; }
  void Run() {
    for (size_t at = 0; at < data_.size(); at += kLine) ++data_[at];
#if defined(__x86_64__)
    for (size_t at = 0; at < code_; at += kLine) reinterpret_cast<void (*)()>(begin_ + at)();
#endif
  }

 private:
  static constexpr size_t kLine = 64;
  std::vector<char> data_;
  size_t code_;
  char* begin_ = nullptr;
};

class Cases {
 public:
  Cases(int calls, std::string only, size_t live, size_t streams, size_t cold, bool switched)
      : calls_(calls),
        only_(std::move(only)),
        switched_(switched),
        streams_(streams),
        other_(cold) {
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
    Time("set",
         [&](PerStream& at, int) { Check(cuMemsetD8Async(at.blocks[0], 0, 64, at.stream)); });
    const float one = 1, zero = 0;
    Time("gemm", [&](PerStream& at, int) {
      const auto blocks = reinterpret_cast<float* const*>(at.blocks);
      cublasSgemm_v2(at.stream, 0, 0, 32, 32, 32, &one, blocks[0], 32, blocks[1], 32, &zero,
                     blocks[2], 32);
    });
    Time("lt", [&](PerStream& at, int) {
      const LtLayout layout = {{0, 0, 32, 32, 32, 1, 0, 0}}, result = {{0, 0, 32, 32, 32, 1, 0, 0}};
      const auto blocks = reinterpret_cast<void* const*>(at.blocks);
      cublasLtMatmul(at.stream, &n, &one, blocks[0], &layout, blocks[1], &layout, &zero, blocks[2],
                     &result, blocks[2], &result, nullptr, nullptr, 0, at.stream);
    });
    Time("record", [&](PerStream& at, int) { Check(cuEventRecord(event_, at.stream)); });
    Time("query", [&](PerStream&, int) { Check(cuEventQuery(event_)); });
    Time("malloc+free", [&](PerStream&, int) { Check(cuMemFree(Allocate(1024))); });
    Time("pool", [&](PerStream& at, int) {
      CUdeviceptr address;
      Check(cuMemAllocAsync(&address, 1024, at.stream));
      Check(cuMemFreeAsync(address, at.stream));
    });
    Time("heap-64", [&](PerStream&, int) { HeapPair(64); });
    Time("heap-2k", [&](PerStream&, int) { HeapPair(2048); });
    Train();
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

  static void HeapPair(size_t bytes) {
    void* block = std::malloc(bytes);
    asm volatile("" : "+r"(block) : : "memory");
    std::free(block);
  }

  // As frameworks do it: pointers into a few large allocations inside of classes that are passed
  // by value, small blocks of the heap in between, a stack of its own for each launch of a step,
  // and so much other work that caches hold little of it the next time. Each part is timed by
  // itself.
  void Train() {
    if (!only_.empty() && only_ != "training") return;
    ++ran_;
    constexpr int kLaunches = 128, kBlocks = 20;
    CUdeviceptr segments[6];
    for (int i = 0; i < 6; ++i) segments[i] = Allocate(size_t{i < 3 ? 2u : 20u} << 20);
    std::vector<char> other(8 << 20);
    std::vector<double> launches, lookups, heap;
    size_t at_other = 0;
    for (int i = 0; i < std::max(calls_ / 10, 2 * kLaunches); ++i) {
      const int place = i % kLaunches;
      for (int line = 0; line < 1024; ++line, at_other += 64)
        other[at_other % other.size()] = static_cast<char>(line);
      other_.Run();
      void* blocks[kBlocks];
      heap.push_back(Timed([&] {
                       for (int k = 0; k < kBlocks; ++k) blocks[k] = std::malloc(16u << (k % 6));
                       for (void* block : blocks) std::free(block);
                     }) /
                     kBlocks);
      const auto pointer = [&](int k) {
        return segments[(place + k) % 6] + static_cast<size_t>(place * 8192 + k * 512);
      };
      int n = 4096;
      CUdeviceptr body[2] = {0x3f800000, 0}, array[3] = {pointer(0), pointer(1), pointer(2)};
      CUdeviceptr params[48];
      for (int k = 0; k < 48; ++k)
        params[k] = k % 12 == 0 ? pointer(k / 12) : uintptr_t{0x155555} << 32 | unsigned(k);
      void* elementwise[] = {&n, body, array};
      void* gemm[] = {params};
      const int kernel = place % 5 == 4 ? 6 : 5;
      if (kernel == 6) {
        CUfunction function;
        lookups.push_back(Timed(
            [&] { Check(cuKernelGetFunction(&function, reinterpret_cast<CUkernel>(Kernel(6)))); }));
      }
      launches.push_back(Timed([&] {
        Deep({nullptr, kernel == 6 ? gemm : elementwise, kernel},
             static_cast<uint32_t>(place) * 2654435761u >> 8, kDepth);
      }));
      if (place == kLaunches - 1) Check(cuCtxSynchronize());
    }
    bench::PrintNs("train-launch", Median(&launches));
    bench::PrintNs("train-lookup", Median(&lookups));
    bench::PrintNs("train-heap", Median(&heap));
  }

  template <typename Body>
  static double Timed(Body body) {
    const int64_t begin = bench::WallNs();
    body();
    return static_cast<double>(bench::WallNs() - begin);
  }
  static double Median(std::vector<double>* figures) {
    std::nth_element(figures->begin(), figures->begin() + figures->size() / 2, figures->end());
    return (*figures)[figures->size() / 2];
  }

  template <typename Body>
  void Time(const char* name, Body body) {
    if (!only_.empty() && only_ != name) return;
    ++ran_;
    if (!other_.none()) return TimeCold(name, body);
    const auto measure = [&](int calls) {
      const int64_t begin = bench::ThreadCpuNs();
      size_t stream = 0;
      for (int i = 0; i < calls; ++i) {
        body(streams_[stream], i);
        if (++stream == streams_.size()) stream = 0;
        if (i % kCallsPerWait == 0) Check(cuCtxSynchronize());
      }
      return bench::ThreadCpuNs() - begin;
    };
    bench::MeasureBest(name, calls_, switched_, measure);
  }

  template <typename Body>
  void TimeCold(const char* name, Body body) {
    std::vector<double> figures;
    size_t stream = 0;
    for (int i = 0; i < calls_; ++i) {
      other_.Run();
      figures.push_back(Timed([&] { body(streams_[stream], i); }));
      if (++stream == streams_.size()) stream = 0;
      if (i % kCallsPerWait == 0) Check(cuCtxSynchronize());
    }
    bench::PrintNs(name, Median(&figures));
  }

  const int calls_;
  const std::string only_;
  const bool switched_;  // calls without and with a timeline in turn, printed as JSON
  int ran_ = 0;
  std::vector<PerStream> streams_;
  OtherWork other_;
  CUevent event_;
  List list_ = {};
};

}  // namespace

int main(int argc, char** argv) {
  const bool switched = bench::TakeSwitchTimeline(&argc, &argv);
  const int calls = argc > 1 ? std::atoi(argv[1]) : 100000;
  const int live = argc > 3 ? std::atoi(argv[3]) : 0, streams = argc > 4 ? std::atoi(argv[4]) : 1;
  const int cold = argc > 5 ? std::atoi(argv[5]) : 0;
  if (argc > 6 || calls <= 0 || live < 0 || streams <= 0 || cold < 0) {
    std::fprintf(
        stderr,
        "usage: cuda_own_cost [--switch-timeline] [CALLS [CASE [LIVE [STREAMS [COLD]]]]]\n");
    return 2;
  }
  return Cases(calls, argc > 2 ? argv[2] : "", static_cast<size_t>(live),
               static_cast<size_t>(streams), static_cast<size_t>(cold), switched)
      .Run();
}
