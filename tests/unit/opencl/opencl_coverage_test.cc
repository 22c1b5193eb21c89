// Every function of the loader's dispatch table, and every extension function with a row, is
// watched or passed on purpose.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "hooks/common/self_time.h"
#include "hooks/opencl/dispatch/extensions.h"
#include "tracker/tracker.h"

namespace gpusan::opencl {
namespace {

struct Rows {
  std::set<std::string> handled;
  std::map<std::string, std::string> passed;  // reasons
  size_t count = 0;
};

Rows EntryPoints() {
  Rows rows;
#define GPUSAN_CL_HANDLED(name) ++rows.count, rows.handled.insert(#name);
#define GPUSAN_CL_PASS(name, reason) ++rows.count, rows.passed[#name] = reason;
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS
  return rows;
}

// The members of struct _cl_icd_dispatch in the installed header, without the reserved ones of
// other systems' builds: a name that stands for several systems is named once.
std::vector<std::string> DispatchEntries() {
  std::ifstream header(CL_ICD_HEADER);
  std::stringstream text;
  text << header.rdbuf();
  std::string body = text.str();
  const size_t begin = body.find("typedef struct _cl_icd_dispatch");
  const size_t end = body.find("} cl_icd_dispatch;");
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  body = body.substr(begin, end - begin);
  std::vector<std::string> names;
  // "cl_api_clX clX;", in newer headers "clX_t *clX;", or "void *clX;" where the system has no such
  // function.
  const std::regex member(R"(\b(?:cl_api_\w+\s+|cl\w+_t\s*\*\s*|void\s*\*\s*)(cl\w+);)");
  std::set<std::string> seen;
  for (std::sregex_iterator at(body.begin(), body.end(), member), none; at != none; ++at) {
    if (seen.insert((*at)[1]).second) names.push_back((*at)[1]);
  }
  return names;
}

std::set<std::string> ExportedNames() {
  std::set<std::string> names;
  FILE* pipe = popen("nm -D --defined-only '" LIBRARY "'", "r");
  REQUIRE(pipe != nullptr);
  char line[512];
  while (fgets(line, sizeof(line), pipe) != nullptr) {
    char name[400];
    if (sscanf(line, "%*s %*s %399s", name) == 1) names.insert(name);
  }
  CHECK(pclose(pipe) == 0);
  return names;
}

TEST_CASE("every entry of the loader's dispatch table has one row") {
  const Rows rows = EntryPoints();
  const std::vector<std::string> entries = DispatchEntries();
  // The header and the compiler must see the same struct; its members are pointers.
  CHECK(entries.size() == sizeof(cl_icd_dispatch) / sizeof(void*));
  CHECK(rows.count == rows.handled.size() + rows.passed.size());
  for (const std::string& name : entries) {
    CAPTURE(name);
    CHECK(rows.handled.count(name) + rows.passed.count(name) == 1);
  }
  const std::set<std::string> known(entries.begin(), entries.end());
  for (const std::string& name : rows.handled) {
    CAPTURE(name);
    CHECK(known.count(name) == 1);
  }
  for (const auto& [name, reason] : rows.passed) {
    CAPTURE(name);
    CHECK(known.count(name) == 1);
    CHECK_FALSE(reason.empty());
  }
  std::cout << entries.size() << " entries: " << rows.handled.size() << " watched, "
            << rows.passed.size() << " passed\n";
}

TEST_CASE("the library exports every watched entry point and no other") {
  const Rows rows = EntryPoints();
  const std::set<std::string> exported = ExportedNames();
  for (const std::string& name : rows.handled) {
    CAPTURE(name);
    CHECK(exported.count(name) == 1);
  }
  for (const auto& [name, reason] : rows.passed) {
    CAPTURE(name);
    CHECK(exported.count(name) == 0);
  }
}

struct Extension {
  const char* name;
  Treatment treatment;
  const char* core;
  bool revised;
};

std::vector<Extension> Extensions() {
  return {
#define EXTENSION(name, type, core, treatment) {#name, Treatment::treatment, #core, false},
#define REVISED_EXTENSION(name, old_type, new_type, extension, revision, core) \
  {#name, Treatment::kOwn, #core, true},
#include "hooks/opencl/extension_entry_points.def"
  };
}

// Addresses that are told apart; nobody calls them.
char reals[kRealsPerExtension + 1];

TEST_CASE("every extension function is treated as its row says") {
  const Rows rows = EntryPoints();
  std::map<Treatment, int> counts;
  std::set<std::string> names;
  const RevisionOf newest = [](const char*) { return CL_MAKE_VERSION(0, 9, 8); };
  for (const Extension& row : Extensions()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    ++counts[row.treatment];
    if (std::string(row.core) != "none")
      CHECK(rows.handled.count(row.core) + rows.passed.count(row.core) == 1);
    void* given = WrapExtension(row.name, &reals[0], kLayerPath, newest);
    switch (row.treatment) {
      case Treatment::kAsCore:
      case Treatment::kOwn:
        CHECK(given != &reals[0]);
        break;
      case Treatment::kDispatch:
        CHECK(rows.handled.count(row.name) + rows.passed.count(row.name) == 1);
        CHECK(given == &reals[0]);
        // A driver's own function, when the program is linked with the driver.
        CHECK((WrapExtension(row.name, &reals[0], kExportPath, newest) != &reals[0]) ==
              (rows.handled.count(row.name) == 1));
        break;
      case Treatment::kPass:
        CHECK(given == &reals[0]);
        break;
    }
  }
  std::cout << names.size() << " extension functions: " << counts[Treatment::kAsCore]
            << " as core, " << counts[Treatment::kOwn] << " of their own, "
            << counts[Treatment::kDispatch] << " in the table, " << counts[Treatment::kPass]
            << " passed\n";
}

TEST_CASE("functions of several platforms keep wrappers of their own") {
  const RevisionOf none = [](const char*) { return cl_version{0}; };
  std::set<void*> wrappers;
  for (int i = 0; i < kRealsPerExtension; ++i) {
    void* wrapper = WrapExtension("clCreateCommandBufferKHR", &reals[i], kLayerPath, none);
    CHECK(wrapper != &reals[i]);
    CHECK(WrapExtension("clCreateCommandBufferKHR", &reals[i], kLayerPath, none) == wrapper);
    wrappers.insert(wrapper);
  }
  CHECK(wrappers.size() == kRealsPerExtension);
  void* one_too_many = &reals[kRealsPerExtension];
  CHECK(WrapExtension("clCreateCommandBufferKHR", one_too_many, kLayerPath, none) == one_too_many);
}

TEST_CASE("functions whose parameters changed are wrapped by the revision, and not without one") {
  const char* const name = "clCommandFillBufferKHR";
  void* old_wrapper = WrapExtension(name, &reals[1], kLayerPath, [](const char* extension) {
    CHECK(std::string(extension) == "cl_khr_command_buffer");
    return CL_MAKE_VERSION(0, 9, 4);
  });
  void* new_wrapper = WrapExtension(name, &reals[1], kLayerPath,
                                    [](const char*) { return CL_MAKE_VERSION(0, 9, 5); });
  CHECK(old_wrapper != &reals[1]);
  CHECK(new_wrapper != &reals[1]);
  CHECK(old_wrapper != new_wrapper);
  CHECK(WrapExtension(name, &reals[1], kLayerPath, [](const char*) { return cl_version{0}; }) ==
        &reals[1]);
}

struct CountedFindings : FindingSink {
  int count = 0;
  void Report(Finding&&) override { ++count; }
} findings;

Tracker* TestTracker(AttachPath) {
  static HostMemory host;
  static Tracker* const tracker = new Tracker(findings, host, TrackerOptions());
  return tracker;
}

constexpr auto kRealCall = std::chrono::milliseconds(5);
int measured_calls = 0;

cl_int CL_API_CALL SlowWhenMeasured(cl_mem, cl_mem) {
  if (SelfTime::Current() != nullptr) {
    ++measured_calls;
    std::this_thread::sleep_for(kRealCall);
  }
  return CL_SUCCESS;
}

TEST_CASE("one of 251 calls of extension functions is measured, without its real call") {
  Hooks hooks;
  hooks.tracker = &TestTracker;
  SetHooks(hooks);
  const auto wrapper = reinterpret_cast<clSetContentSizeBufferPoCL_fn>(WrapExtension(
      "clSetContentSizeBufferPoCL", reinterpret_cast<void*>(&SlowWhenMeasured), kLayerPath, {}));
  REQUIRE(wrapper != &SlowWhenMeasured);
  SelfTime::Reset();
  const uint64_t calls_before = CallsSeen();
  std::thread thread([&] {
    const auto buffer = reinterpret_cast<cl_mem>(&reals[0]);
    for (int i = 0; i < 251 * 4; ++i) wrapper(buffer, buffer);
  });
  thread.join();
  CHECK(CallsSeen() - calls_before == 251 * 4);
  CHECK(measured_calls == 4);
  CHECK(findings.count == 0);
  // Each real call that was measured as gpusan's own time would add kRealCall.
  const std::chrono::nanoseconds own(SelfTime::OwnNs() / 251);
  CHECK(own.count() > 0);
  CHECK(own < 4 * kRealCall);
  SelfTime::Reset();
  SetHooks(Hooks());
}

TEST_CASE("an unknown extension function is passed on") {
  CHECK(WrapExtension("clNobodyKnowsEXT", &reals[0], kLayerPath, {}) == &reals[0]);
  CHECK(WrapExtension("clNobodyKnowsEXT", &reals[0], kExportPath, {}) == &reals[0]);
}

}  // namespace
}  // namespace gpusan::opencl
