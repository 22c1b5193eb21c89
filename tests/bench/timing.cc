// Clocks, options and output of the bench programs.
#include "timing.h"

#include <dlfcn.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

namespace bench {
namespace {

int64_t ClockNs(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

[[noreturn]] void Usage(const char* program) {
  std::fprintf(stderr,
               "usage: %s [--case NAME|GROUP]... [--batches N] [--live N] [--cycles N] [--cpu N] "
               "[--ungated] [--switch-timeline]\n"
               "groups: calls (default), live, memory, threads, host\n",
               program);
  std::exit(2);
}

void StayOnCpu(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) == 0) return;
  std::perror("sched_setaffinity");
  std::exit(1);
}

}  // namespace

int64_t ThreadCpuNs() { return ClockNs(CLOCK_THREAD_CPUTIME_ID); }
int64_t WallNs() { return ClockNs(CLOCK_MONOTONIC); }

int64_t ResidentBytes() {
  // statm lags behind by what each CPU has not yet added to the process's counter; smaps_rollup
  // walks the pages.
  FILE* file = std::fopen("/proc/self/smaps_rollup", "re");
  if (file == nullptr) return 0;
  char line[256];
  long long kib = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::sscanf(line, "Rss: %lld kB", &kib) == 1) break;
  }
  std::fclose(file);
  return kib * 1024;
}

bool Options::Wants(const char* name, const char* group) const {
  if (cases.empty()) return std::strcmp(group, "calls") == 0;
  return std::any_of(cases.begin(), cases.end(),
                     [&](const std::string& wanted) { return wanted == name || wanted == group; });
}

bool TakeSwitchTimeline(int* argc, char*** argv) {
  if (*argc < 2 || std::strcmp((*argv)[1], "--switch-timeline") != 0) return false;
  (*argv)[1] = (*argv)[0];
  --*argc;
  ++*argv;
  return true;
}

Options ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--ungated") {
      options.gated = false;
      continue;
    }
    if (flag == "--switch-timeline") {
      options.switched = true;
      continue;
    }
    if (i + 1 == argc) Usage(argv[0]);
    const char* value = argv[++i];
    if (flag == "--case") {
      options.cases.emplace_back(value);
      continue;
    }
    char* end = nullptr;
    const long long number = std::strtoll(value, &end, 10);
    if (end == value || *end != '\0' || number < (flag == "--cpu" ? 0 : 1)) Usage(argv[0]);
    if (flag == "--batches") {
      options.batches = static_cast<int>(number);
    } else if (flag == "--live") {
      options.live = number;
    } else if (flag == "--cycles") {
      options.cycles = number;
    } else if (flag == "--cpu") {
      StayOnCpu(static_cast<int>(number));
    } else {
      Usage(argv[0]);
    }
  }
  return options;
}

void SwitchTimeline(bool on) {
  using Switch = void(int);
  static Switch* const change = [] {
    // A layer's names are not among those of the process.
    void* library = dlopen("libgpusan.so.0", RTLD_LAZY | RTLD_NOLOAD);
    return library == nullptr ? nullptr
                              : reinterpret_cast<Switch*>(dlsym(library, "gpusanSwitchTimeline"));
  }();
  if (change == nullptr) {
    std::fprintf(stderr, "no libgpusan.so with GPUSAN_TIMELINE_SWITCH is here\n");
    std::exit(1);
  }
  change(on ? 1 : 0);
}

void PrintValues(const char* name, const char* unit, const std::vector<double>& values) {
  std::printf("{\"case\":\"%s\",\"unit\":\"%s\",\"values\":[", name, unit);
  for (size_t i = 0; i < values.size(); ++i) std::printf("%s%.3f", i == 0 ? "" : ",", values[i]);
  std::printf("]}\n");
  std::fflush(stdout);
}

void PrintNs(const char* name, double ns) {
  std::printf("%-12s %7.1f ns\n", name, ns);
  std::fflush(stdout);
}

void PrintAttached() {
  std::set<std::string> names;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::string name = line.substr(line.rfind('/') + 1);
    if (name == "libempty_layer.so" || name.rfind("libgpusan.so", 0) == 0) names.insert(name);
  }
  std::printf("{\"attached\":[");
  const char* separator = "";
  for (const std::string& name : names) {
    std::printf("%s\"%s\"", separator, name.c_str());
    separator = ",";
  }
  std::printf("]}\n");
}

}  // namespace bench
