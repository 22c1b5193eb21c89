// What gpusan costs CUDA calls, measured in one process: batches of calls as the program makes them
// and batches of the driver's own functions take turns, since one process of a virtual machine is
// faster than the next by more than what is to be measured. Prints a JSON line a case. Alone it
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
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "cuda_fixture.h"
#include "timing.h"

namespace {

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "cuda_paired: %s\n", what.c_str());
  std::exit(1);
}

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

double Median(std::vector<double> figures) {
  std::sort(figures.begin(), figures.end());
  return figures[figures.size() / 2];
}

class Bench {
 public:
  explicit Bench(const bench::CudaOptions& options) : options_(options) {}

  void Measure(const char* name, int calls,
               const std::function<void(const Functions&, int)>& body) {
    if (!options_.only.empty() && options_.only != name) return;
    std::vector<double> figures[2], differences;
    for (int batch = -5; batch < options_.batches; ++batch) {
      double took[2];
      for (int turn = 0; turn < 2; ++turn) {
        const int who = (turn + batch) & 1;
        const int64_t begin = bench::ThreadCpuNs();
        for (int i = 0; i < calls; ++i) body(functions_[who], i);
        took[who] = static_cast<double>(bench::ThreadCpuNs() - begin) / calls;
        CHECK_CUDA(cuCtxSynchronize());
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
  const bench::CudaOptions options_;
  const Functions functions_[2] = {RealFunctions(), Functions()};
};

}  // namespace

int main(int argc, char** argv) {
  const bench::CudaOptions options(argc, argv);
  bench::CudaFixture with(options);
  Bench bench(options);
  bench.Measure("launch", 200, [&](const Functions& f, int i) {
    auto& at = with.at(i);
    int n = 256;
    void* arguments[] = {&at.a, &at.b, &at.c, &n};
    CHECK_CUDA(f.cuLaunchKernel(with.add, 1, 1, 1, 256, 1, 1, 0, at.stream, arguments, nullptr));
  });
  // Two kernels in turn, as a solver has them: no launch repeats the one before it.
  bench.Measure("launch_in_turn", 200, [&](const Functions& f, int i) {
    auto& at = with.at(i);
    int n = 256;
    void* forth[] = {&at.a, &at.b, &at.c, &n};
    void* back[] = {&at.c, &at.b, &at.a, &n};
    CHECK_CUDA(f.cuLaunchKernel(with.add, 1, 1, 1, 256, 1, 1, 0, at.stream,
                                i % 2 == 0 ? forth : back, nullptr));
  });
  bench.Measure("launch_nothing", 200, [&](const Functions& f, int i) {
    CHECK_CUDA(
        f.cuLaunchKernel(with.nothing, 1, 1, 1, 1, 1, 1, 0, with.at(i).stream, nullptr, nullptr));
  });
  bench.Measure("memcpy_async", 200, [&](const Functions& f, int i) {
    auto& at = with.at(i);
    CHECK_CUDA(f.cuMemcpyHtoDAsync(at.a, at.host, 64, at.stream));
  });
  bench.Measure("memset_async", 200, [&](const Functions& f, int i) {
    CHECK_CUDA(f.cuMemsetD8Async(with.at(i).a, 0, 64, with.at(i).stream));
  });
  bench.Measure("event_record", 500, [&](const Functions& f, int i) {
    CHECK_CUDA(f.cuEventRecord(with.event, with.at(i).stream));
  });
  bench.Measure("event_query", 500,
                [&](const Functions& f, int) { (void)f.cuEventQuery(with.event); });
  bench.Measure("malloc_free", 100, [&](const Functions& f, int) {
    CUdeviceptr block;
    CHECK_CUDA(f.cuMemAlloc(&block, 1024));
    CHECK_CUDA(f.cuMemFree(block));
  });
  bench.Measure("malloc_async_free_async", 200, [&](const Functions& f, int i) {
    CUdeviceptr block;
    CHECK_CUDA(f.cuMemAllocAsync(&block, 1024, with.at(i).stream));
    CHECK_CUDA(f.cuMemFreeAsync(block, with.at(i).stream));
  });
}
