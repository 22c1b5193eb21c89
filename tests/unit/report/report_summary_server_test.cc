// The service that compiles OpenCL programs for the processes of `gpusan run`, with a stand-in for
// the compiler, and what it makes of build options and macros.
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/ir/ir_kernels.h"
#include "report/kernels/opencl_source.h"
#include "report/kernels/summary_server.h"
#include "tests/unit/temporary_folder.h"

namespace gpusan {
namespace {

constexpr char kIr[] =
    "define spir_kernel void @k(ptr addrspace(1) %a) {\n"
    "  store i32 1, ptr addrspace(1) %a, align 4\n"
    "  ret void\n}\n";

class Service {
 public:
  // `script` is what the compiler does when it compiles.
  explicit Service(const std::string& script, int limit_s = 30) {
    std::ofstream(folder_ / "ir") << kIr;
    if (!script.empty()) {
      std::ofstream compiler(folder_ / "clang");
      compiler << "#!/bin/sh\n"
               << "if [ \"$1\" = --version ]; then echo fake clang 1; exit 0; fi\n"
               << "echo run >> " << (folder_ / "runs") << "\n"
               << "echo 'program: -' > /proc/self/fd/3\n"
               << script << "\n";
      compiler.close();
      chmod((folder_ / "clang").c_str(), 0755);
    }
    settings_.search_path = folder_.path();
    settings_.cache_folder = folder_ / "cache";
    settings_.limit_s = limit_s;
    REQUIRE(server_.Open(settings_).empty());
  }

  struct Answer {
    SummaryStatus status;
    std::string text;
  };
  // Asks in a child, as another process does.
  Answer Ask(const OpenClProgram& program, const std::string& raw = "") {
    const std::string result = folder_ / "answer";
    const pid_t pid = fork();
    if (pid == 0) {
      std::string answer;
      const SummaryStatus status = QuerySummaryService(
          server_.path(), raw.empty() ? EncodeProgram(program, true) : raw, 60000, &answer);
      std::ofstream(result) << static_cast<int>(status) << "\n" << answer;
      _exit(0);
    }
    while (waitpid(pid, nullptr, WNOHANG) == 0) {
      server_.Poll();
      usleep(1000);
    }
    std::ifstream file(result);
    int status = 99;
    file >> status;
    file.get();
    std::stringstream text;
    text << file.rdbuf();
    return {static_cast<SummaryStatus>(status), text.str()};
  }
  int Runs() {
    std::ifstream file(folder_ / "runs");
    int runs = 0;
    for (std::string line; std::getline(file, line);) ++runs;
    return runs;
  }

  TemporaryFolder folder_;
  SummaryServerSettings settings_;
  SummaryServer server_;
};

std::string CatIr(const TemporaryFolder& folder) { return "cat " + (folder / "ir"); }

OpenClProgram Program(const std::string& source) {
  OpenClProgram program;
  program.source = source;
  program.device_version = "OpenCL 3.0 fake";
  program.language = "OpenCL C 1.2 fake";
  program.extensions = "cl_khr_fp64 cl_khr_int64";
  program.working_folder = "/";
  return program;
}

TEST_CASE("a program is compiled once, and its summaries come back") {
  TemporaryFolder ir;
  std::ofstream(ir / "ir") << kIr;
  Service service(CatIr(ir));
  const Service::Answer first = service.Ask(Program("kernel void k(global int* a) { *a = 1; }"));
  REQUIRE(first.status == SummaryStatus::kSummaries);
  CHECK(first.text == EncodeSummaries(SummarizeIr(kIr)));
  const Service::Answer again = service.Ask(Program("kernel void k(global int* a) { *a = 1; }"));
  CHECK(again.text == first.text);
  CHECK(service.Runs() == 1);  // from the cache
  service.Ask(Program("kernel void other(global int* a) { *a = 1; }"));
  CHECK(service.Runs() == 2);
  CHECK(service.server_.Notes().empty());
}

TEST_CASE("without a compiler the answer and the summary say so") {
  Service service("");
  CHECK(service.Ask(Program("kernel void k() {}")).status == SummaryStatus::kNoCompiler);
  CHECK(service.Ask(Program("kernel void k() {}")).status == SummaryStatus::kNoCompiler);
  CHECK(service.server_.Notes() ==
        "gpusan: what the kernels of 2 OpenCL programs read and write is not known, because no "
        "clang was found; install clang to find more races\n");
}

TEST_CASE("a compiler that fails, dies, hangs or writes nonsense gives no summaries") {
  for (const char* script : {"exit 1", "kill -9 $$", "exit 0"}) {
    Service service(script);
    CHECK(service.Ask(Program("x")).status == SummaryStatus::kUnknown);
    CHECK(service.server_.Notes().find("clang could not compile it") != std::string::npos);
  }
  Service nonsense("echo 'define spir_kernel void @k('");
  const Service::Answer answer = nonsense.Ask(Program("x"));
  CHECK(answer.status == SummaryStatus::kSummaries);
  CHECK(answer.text == EncodeSummaries({}));
  Service slow("sleep 100", 1);
  CHECK(slow.Ask(Program("x")).status == SummaryStatus::kUnknown);
  CHECK(slow.server_.Notes().find("took more than 1 s") != std::string::npos);
}

TEST_CASE("the folder of a killed command is removed, and no other") {
  TemporaryFolder root;
  const char* const before = std::getenv("TMPDIR");
  const std::string restored = before == nullptr ? "" : before;
  setenv("TMPDIR", root.path().c_str(), 1);
  SummaryServer running;
  REQUIRE(running.Open({}).empty());
  const std::string in_use = std::filesystem::path(running.path()).parent_path().string();
  std::filesystem::create_directories(root / "gpusan-kernels.killed/headers.1");
  std::filesystem::create_directory(root / "gpusan-kernels.new");
  std::filesystem::create_directory(root / "other.old");
  const timespec long_ago[2] = {{1000, 0}, {1000, 0}};
  for (const std::string& folder : {in_use, root / "gpusan-kernels.killed", root / "other.old"})
    REQUIRE(utimensat(AT_FDCWD, folder.c_str(), long_ago, 0) == 0);
  {
    SummaryServer ending;
    REQUIRE(ending.Open({}).empty());
  }
  CHECK(std::filesystem::exists(in_use));
  CHECK_FALSE(std::filesystem::exists(root / "gpusan-kernels.killed"));
  CHECK(std::filesystem::exists(root / "gpusan-kernels.new"));
  CHECK(std::filesystem::exists(root / "other.old"));
  if (restored.empty())
    unsetenv("TMPDIR");
  else
    setenv("TMPDIR", restored.c_str(), 1);
}

TEST_CASE("an invalid request ends only its own connection") {
  TemporaryFolder ir;
  std::ofstream(ir / "ir") << kIr;
  Service service(CatIr(ir));
  CHECK(service.Ask({}, "nonsense").status == SummaryStatus::kNoService);
  // A peer that connects and says nothing does not hold up others.
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, service.server_.path().c_str());
  const int silent = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(connect(silent, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
  CHECK(service.Ask(Program("x")).status == SummaryStatus::kSummaries);
  close(silent);
  std::string answer;
  CHECK(QuerySummaryService("/nowhere/socket", "x", 1000, &answer) == SummaryStatus::kNoService);
}

TEST_CASE("nothing is left behind") {
  std::string path;
  {
    Service service("exit 1");
    path = service.server_.path();
    CHECK(std::filesystem::exists(path));
    service.Ask(Program("x"));
  }
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK_FALSE(std::filesystem::exists(std::filesystem::path(path).parent_path()));
}

TEST_CASE("headers of clCompileProgram stay in their folder") {
  TemporaryFolder ir;
  std::ofstream(ir / "ir") << kIr;
  Service service(CatIr(ir));
  OpenClProgram program = Program("#include \"a/b.h\"\n");
  program.headers = {{"a/b.h", "x"}};
  CHECK(service.Ask(program).status == SummaryStatus::kSummaries);
  program.headers = {{"../b.h", "x"}};
  CHECK(service.Ask(program).status == SummaryStatus::kUnknown);
  program.headers = {{"/tmp/gpusan-b.h", "x"}};
  CHECK(service.Ask(program).status == SummaryStatus::kUnknown);
}

TEST_CASE("build options become options of clang") {
  OpenClProgram program = Program("");
  program.options =
      "-D N=4 -DNAME=\"a b\" -I /inc -cl-mad-enable -cl-nv-verbose -Werror -g -cl-std=CL2.0";
  const ClangOptions options = TranslateOptions(program);
  CHECK(options.understood);
  CHECK(options.names_language);
  CHECK(options.arguments == std::vector<std::string>{"-DN=4", "-DNAME=a b", "-I/inc",
                                                      "-cl-mad-enable", "-cl-std=CL2.0"});
  CHECK(options.defined == std::vector<std::string>{"N", "NAME"});
  for (const char* bad : {"-include x.h", "-x spir", "-cl-std=CL9.9", "-D", "@file"}) {
    program.options = bad;
    CHECK_FALSE(TranslateOptions(program).understood);
  }
  program.options = "";
  CHECK(TranslateOptions(program).arguments == std::vector<std::string>{"-cl-std=CL1.2"});
}

// Returns whether the macros on which `source` depends are known, and the definitions.
bool Agrees(const std::string& source, std::vector<std::string>* arguments) {
  const OpenClProgram program = Program(source);
  arguments->clear();
  return AgreeOnMacros(program, TranslateOptions(program), {program.source}, arguments);
}

TEST_CASE("a program that depends on the driver's macros is compiled as the driver does") {
  std::vector<std::string> arguments;
  CHECK(Agrees("#ifdef cl_khr_fp64\n#endif\n#if defined(cl_khr_other)\n#endif\n", &arguments));
  CHECK(arguments ==
        std::vector<std::string>{"-D__OPENCL_VERSION__=300", "-Dcl_khr_fp64=1", "-Ucl_khr_other"});
  CHECK(Agrees("#if __OPENCL_VERSION__ >= CL_VERSION_1_2\n#endif\n", &arguments));
  CHECK(arguments[1] == "-DCL_VERSION_1_2=120");
  CHECK(Agrees("#ifndef __MY_H\n#define __MY_H\n#endif\n", &arguments));
  CHECK(Agrees("#ifdef FAST\n#elif N > 3\n#endif\n", &arguments));
  CHECK(Agrees("#if __OPENCL_C_VERSION__ < 120\n#endif\n", &arguments));
  CHECK(Agrees("#if __OPENCL_C_VERSION__>=110 && N\n#endif\n", &arguments));
  CHECK_FALSE(Agrees("#if __OPENCL_C_VERSION__ >= 200\n#endif\n", &arguments));
  CHECK_FALSE(Agrees("#if __OPENCL_C_VERSION__ <= 120\n#endif\n", &arguments));
  CHECK_FALSE(Agrees("#ifdef __NV_CL_C_VERSION\n#endif\n", &arguments));
  CHECK_FALSE(Agrees("#if 0\n#elif \\\n defined(__AMD__)\n#endif\n", &arguments));
  CHECK_FALSE(Agrees("# if __has_include(\"x\")\n#endif\n", &arguments));
}

}  // namespace
}  // namespace gpusan
