// What gpusan costs CUDA calls, told in one process: batches of calls as the program makes them and
// batches of the driver's own functions take turns, since one process of a virtual machine is
// faster than the next by more than what is to be told. Prints a JSON line a case. Alone it
// compares the driver with itself.
//
//   [LD_PRELOAD=libgpusan.so] cuda_paired [--batches N] [--live N] [--streams N] [--case NAME]
//
// Batches are timed by the CPU clock of the thread; the device is waited for between them and not
// timed.
#include <cuda.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tests/programs/common/cuda_kernels.h"

namespace {

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "cuda_paired: %s\n", what.c_str());
  std::exit(1);
}
void Check(CUresult code, const char* what) {
  if (code != CUDA_SUCCESS) Fail(std::string(what) + " failed with " + std::to_string(code));
}
#define CHECK(call) Check(call, #call)

// The driver's library as it is on disk: what its symbols are whoever stands in front of them.
class Driver {
 public:
  Driver() {
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* self) {
          if (std::strstr(info->dlpi_name, "libcuda.so") == nullptr) return 0;
          static_cast<Driver*>(self)->Open(info->dlpi_name, info->dlpi_addr);
          return 1;
        },
        this);
    if (image_ == nullptr) Fail("libcuda.so is not loaded");
  }

  template <typename Function>
  Function* Find(Function*, const char* name) const {
    const auto* header = reinterpret_cast<const Elf64_Ehdr*>(image_);
    const auto* sections = reinterpret_cast<const Elf64_Shdr*>(image_ + header->e_shoff);
    for (int i = 0; i < header->e_shnum; ++i) {
      if (sections[i].sh_type != SHT_DYNSYM) continue;
      const auto* symbols = reinterpret_cast<const Elf64_Sym*>(image_ + sections[i].sh_offset);
      const char* names = image_ + sections[sections[i].sh_link].sh_offset;
      for (size_t k = 0; k < sections[i].sh_size / sizeof(Elf64_Sym); ++k) {
        if (symbols[k].st_value != 0 && std::strcmp(names + symbols[k].st_name, name) == 0)
          return reinterpret_cast<Function*>(base_ + symbols[k].st_value);
      }
    }
    Fail(std::string("libcuda.so has no ") + name);
  }

 private:
  void Open(const char* path, uintptr_t base) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) Fail(std::string("cannot read ") + path);
    void* image =
        mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (image == MAP_FAILED) Fail(std::string("cannot map ") + path);
    image_ = static_cast<const char*>(image);
    base_ = base;
  }

  const char* image_ = nullptr;
  uintptr_t base_ = 0;
};

#define TEXT_OF(name) #name
#define NAME_OF(name) TEXT_OF(name)
// The member has the name that the header's macros make of it.
#define EACH_FUNCTION(of)                                                                         \
  of(cuLaunchKernel) of(cuMemcpyHtoDAsync) of(cuMemsetD8Async) of(cuEventRecord) of(cuEventQuery) \
      of(cuMemAlloc) of(cuMemFree) of(cuMemAllocAsync) of(cuMemFreeAsync)

struct Functions {
#define MEMBER(name) decltype(&::name) name = &::name;
  EACH_FUNCTION(MEMBER)
};

Functions RealFunctions() {
  const Driver driver;
  Functions real;
#define FIND(name) real.name = driver.Find(real.name, NAME_OF(name));
  EACH_FUNCTION(FIND)
  return real;
}

double ThreadNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double Median(std::vector<double> figures) {
  std::sort(figures.begin(), figures.end());
  return figures[figures.size() / 2];
}

struct Options {
  int batches = 60;
  int live = 0;
  int streams = 1;
  std::string only;
};

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options) {}

  void Measure(const char* name, int calls,
               const std::function<void(const Functions&, int)>& body) {
    if (!options_.only.empty() && options_.only != name) return;
    std::vector<double> figures[2], differences;
    for (int batch = -5; batch < options_.batches; ++batch) {
      double took[2];
      for (int turn = 0; turn < 2; ++turn) {
        const int who = (turn + batch) & 1;
        const double begin = ThreadNs();
        for (int i = 0; i < calls; ++i) body(functions_[who], i);
        took[who] = (ThreadNs() - begin) / calls;
        CHECK(cuCtxSynchronize());
      }
      if (batch < 0) continue;
      for (int who = 0; who < 2; ++who) figures[who].push_back(took[who]);
      differences.push_back(took[1] - took[0]);
    }
    std::printf(
        "{\"case\":\"%s\",\"live\":%d,\"streams\":%d,\"bare_ns\":%.1f,\"watched_ns\":%.1f,\"more_"
        "ns\":%.1f}\n",
        name, options_.live, options_.streams, Median(figures[0]), Median(figures[1]),
        Median(differences));
    std::fflush(stdout);
  }

 private:
  const Options options_;
  const Functions functions_[2] = {RealFunctions(), Functions()};
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--batches") == 0) options.batches = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--live") == 0) options.live = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--streams") == 0) options.streams = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--case") == 0) options.only = argv[i + 1];
  }
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CUmodule module;
  CUfunction add, nothing;
  CHECK(cuModuleLoadData(&module, kKernels));
  CHECK(cuModuleGetFunction(&add, module, KERNEL_ADD));
  CHECK(cuModuleGetFunction(&nothing, module, KERNEL_NOTHING));
  std::vector<CUdeviceptr> live(static_cast<size_t>(options.live));
  for (CUdeviceptr& block : live) CHECK(cuMemAlloc(&block, 512));
  const size_t count = static_cast<size_t>(options.streams);
  std::vector<CUstream> streams(count);
  // Every stream has memory of its own.
  std::vector<CUdeviceptr> a(count), b(count), c(count);
  std::vector<void*> host(count);
  for (size_t i = 0; i < count; ++i) {
    CHECK(cuStreamCreate(&streams[i], CU_STREAM_DEFAULT));
    for (CUdeviceptr* block : {&a[i], &b[i], &c[i]}) {
      CHECK(cuMemAlloc(block, 4096));
      CHECK(cuMemsetD8(*block, 0, 4096));
    }
    CHECK(cuMemAllocHost(&host[i], 4096));
  }
  CUevent event;
  CHECK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  CHECK(cuCtxSynchronize());

  Bench bench(options);
  const auto at = [&](int i) { return static_cast<size_t>(i) % count; };
  bench.Measure("launch", 200, [&](const Functions& f, int i) {
    const size_t s = at(i);
    int n = 256;
    void* arguments[] = {&a[s], &b[s], &c[s], &n};
    CHECK(f.cuLaunchKernel(add, 1, 1, 1, 256, 1, 1, 0, streams[s], arguments, nullptr));
  });
  // Two kernels in turn, as a solver has them: no launch repeats the one before it.
  bench.Measure("launch_in_turn", 200, [&](const Functions& f, int i) {
    const size_t s = at(i);
    int n = 256;
    void* forth[] = {&a[s], &b[s], &c[s], &n};
    void* back[] = {&c[s], &b[s], &a[s], &n};
    CHECK(f.cuLaunchKernel(add, 1, 1, 1, 256, 1, 1, 0, streams[s], i % 2 == 0 ? forth : back,
                           nullptr));
  });
  bench.Measure("launch_nothing", 200, [&](const Functions& f, int i) {
    CHECK(f.cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, streams[at(i)], nullptr, nullptr));
  });
  bench.Measure("memcpy_async", 200, [&](const Functions& f, int i) {
    CHECK(f.cuMemcpyHtoDAsync(a[at(i)], host[at(i)], 64, streams[at(i)]));
  });
  bench.Measure("memset_async", 200, [&](const Functions& f, int i) {
    CHECK(f.cuMemsetD8Async(a[at(i)], 0, 64, streams[at(i)]));
  });
  bench.Measure("event_record", 500,
                [&](const Functions& f, int i) { CHECK(f.cuEventRecord(event, streams[at(i)])); });
  bench.Measure("event_query", 500, [&](const Functions& f, int) { (void)f.cuEventQuery(event); });
  bench.Measure("malloc_free", 100, [&](const Functions& f, int) {
    CUdeviceptr block;
    CHECK(f.cuMemAlloc(&block, 1024));
    CHECK(f.cuMemFree(block));
  });
  bench.Measure("malloc_async_free_async", 200, [&](const Functions& f, int i) {
    CUdeviceptr block;
    CHECK(f.cuMemAllocAsync(&block, 1024, streams[at(i)]));
    CHECK(f.cuMemFreeAsync(block, streams[at(i)]));
  });

  CHECK(cuEventDestroy(event));
  for (size_t i = 0; i < count; ++i) {
    for (CUdeviceptr block : {a[i], b[i], c[i]}) CHECK(cuMemFree(block));
    CHECK(cuMemFreeHost(host[i]));
    CHECK(cuStreamDestroy(streams[i]));
  }
  for (CUdeviceptr block : live) CHECK(cuMemFree(block));
  CHECK(cuModuleUnload(module));
  CHECK(cuDevicePrimaryCtxRelease(device));
}
