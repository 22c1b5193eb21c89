// Starts clang with bounded time and memory, and reads what it writes.
#include "report/kernels/clang.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "report/base/regular_file.h"
#include "report/base/safe_write.h"
#include "report/kernels/ir_kernels.h"
#include "report/kernels/opencl_source.h"

namespace gpusan {
namespace {

constexpr size_t kMaxOutput = size_t{256} << 20;
constexpr size_t kMaxIncluded = size_t{16} << 20;
// The descriptor at which clang writes the names of the files that it read.
constexpr int kFilesFd = 3;

int MemoryFile(const char* name) { return memfd_create(name, MFD_CLOEXEC); }

std::string ContentOf(int fd, size_t most) {
  struct stat status = {};
  if (fstat(fd, &status) != 0 || status.st_size <= 0 || static_cast<size_t>(status.st_size) > most)
    return "";
  std::string text(static_cast<size_t>(status.st_size), '\0');
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t count =
        pread(fd, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  text.resize(done);
  return text;
}

void Limit(int what, rlim_t value) {
  rlimit limit = {};
  if (getrlimit(static_cast<__rlimit_resource>(what), &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max = std::min(value, limit.rlim_max);
  setrlimit(static_cast<__rlimit_resource>(what), &limit);
}

enum class Ended : uint8_t { kWell, kBadly, kTimedOut };

// Runs a command with these descriptors as 0, 1 and 3; errors go to /dev/null.
Ended Run(const std::vector<std::string>& words, const std::string& folder, int input, int output,
          int files, int limit_s) {
  int alive[2];
  if (pipe2(alive, O_CLOEXEC) != 0) return Ended::kBadly;
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_RDWR);
    // Move the descriptors to numbers from 10 on, so that dup2 overwrites none of them.
    const int held = fcntl(alive[1], F_DUPFD, 10);
    const int in = fcntl(input >= 0 ? input : nothing, F_DUPFD, 10);
    const int out = fcntl(output >= 0 ? output : nothing, F_DUPFD, 10);
    const int names = files >= 0 ? fcntl(files, F_DUPFD, 10) : -1;
    const int errors = fcntl(nothing, F_DUPFD, 10);
    if (held < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(errors, 2) < 0) _exit(127);
    if (names >= 0 && dup2(names, kFilesFd) < 0) _exit(127);
    for (const int fd : {in, out, names, errors}) {
      if (fd >= 0) close(fd);
    }
    if (chdir(folder.c_str()) != 0 && chdir("/") != 0) _exit(127);
    Limit(RLIMIT_CPU, static_cast<rlim_t>(limit_s));
    Limit(RLIMIT_AS, rlim_t{8} << 30);
    Limit(RLIMIT_FSIZE, kMaxOutput);
    Limit(RLIMIT_CORE, 0);
    // `held` stays open in clang: the other end hangs up when it has ended.
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(alive[1]);
  if (pid < 0) {
    close(alive[0]);
    return Ended::kBadly;
  }
  const int64_t deadline = NowMs() + int64_t{limit_s} * 1000;
  bool timed_out = false;
  for (;;) {
    const int64_t left = deadline - NowMs();
    if (left <= 0) {
      timed_out = true;
      break;
    }
    pollfd end = {alive[0], POLLIN, 0};
    const int count = poll(&end, 1, static_cast<int>(std::min<int64_t>(left, 60000)));
    if (count > 0 || (count < 0 && errno != EINTR)) break;
  }
  close(alive[0]);
  if (timed_out) kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (timed_out || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) return Ended::kTimedOut;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Ended::kWell : Ended::kBadly;
}

// The files in a rule of make, except the source and clang's own headers.
std::vector<std::string> FilesOf(const std::string& rule) {
  std::vector<std::string> files;
  const size_t colon = rule.find(':');
  std::string file;
  const auto end_file = [&] {
    if (!file.empty() && file != "-" && file.find("/opencl-c") == std::string::npos)
      files.push_back(file);
    file.clear();
  };
  for (size_t i = colon == std::string::npos ? rule.size() : colon + 1; i < rule.size(); ++i) {
    if (rule[i] == '\\' && i + 1 < rule.size()) {
      if (rule[++i] != '\n') file.push_back(rule[i]);
    } else if (rule[i] == ' ' || rule[i] == '\n') {
      end_file();
    } else {
      file.push_back(rule[i]);
    }
  }
  end_file();
  return files;
}

// Writes the headers of clCompileProgram below `folder`. Returns false if a name leads out of it.
bool WriteHeaders(const OpenClProgram& program, const std::string& folder) {
  for (const auto& [name, text] : program.headers) {
    const std::filesystem::path path(name);
    if (name.empty() || path.is_absolute()) return false;
    for (const std::filesystem::path& part : path) {
      if (part == "..") return false;
    }
    const std::string file = folder + "/" + name;
    if (MakeParentFolders(file) != 0) return false;
    const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return false;
    const bool written = WriteAll(fd, text) == 0;
    close(fd);
    if (!written) return false;
  }
  return true;
}

}  // namespace

Compiler FindCompiler(const std::string& search_path) {
  std::vector<std::string> names = {"clang"};
  for (int version = 21; version >= 14; --version)
    names.push_back("clang-" + std::to_string(version));
  for (const std::string& name : names) {
    for (size_t begin = 0; begin <= search_path.size();) {
      const size_t end = std::min(search_path.find(':', begin), search_path.size());
      const std::string folder = search_path.substr(begin, end - begin);
      begin = end + 1;
      const std::string path = folder + "/" + name;
      if (folder.empty() || folder[0] != '/' || access(path.c_str(), X_OK) != 0) continue;
      const int output = MemoryFile("gpusan-version");
      if (output < 0) continue;
      const Ended ended = Run({path, "--version"}, "/", -1, output, -1, 20);
      std::string version = ContentOf(output, 1 << 16);
      close(output);
      version = version.substr(0, version.find('\n'));
      if (ended == Ended::kWell && !version.empty()) return {path, version};
    }
  }
  return {};
}

CompiledProgram CompileProgram(const Compiler& compiler, const OpenClProgram& program,
                               const std::string& folder, int limit_s) {
  CompiledProgram result;
  const ClangOptions options = TranslateOptions(program);
  std::vector<std::string_view> texts = {program.source};
  for (const auto& header : program.headers) texts.push_back(header.second);
  std::vector<std::string> macros;
  if (!options.understood || !AgreeOnMacros(program, options, texts, &macros) ||
      !WriteHeaders(program, folder))
    return result;
  const int input = MemoryFile("gpusan-source");
  const int output = MemoryFile("gpusan-ir");
  const int names = MemoryFile("gpusan-files");
  std::vector<std::string> included;
  const auto compile = [&] {
    std::vector<std::string> words = {compiler.path, "-target", "spir64", "-x", "cl"};
    if (!program.headers.empty()) words.push_back("-I" + folder);
    words.insert(words.end(), options.arguments.begin(), options.arguments.end());
    words.insert(words.end(), macros.begin(), macros.end());
    for (const char* word : {"-Xclang", "-finclude-default-header", "-O2", "-fno-vectorize",
                             "-fno-slp-vectorize", "-fno-unroll-loops", "-w", "-S", "-emit-llvm",
                             "-MD", "-MT", "program", "-MF", "/proc/self/fd/3", "-o", "-", "-"}) {
      words.push_back(word);
    }
    if (ftruncate(output, 0) != 0 || ftruncate(names, 0) != 0) return Ended::kBadly;
    lseek(input, 0, SEEK_SET);
    lseek(output, 0, SEEK_SET);
    lseek(names, 0, SEEK_SET);
    const Ended ended = Run(words, program.working_folder.empty() ? "/" : program.working_folder,
                            input, output, names, limit_s);
    included = FilesOf(ContentOf(names, size_t{1} << 20));
    return ended;
  };
  if (input >= 0 && output >= 0 && names >= 0 && WriteAll(input, program.source) == 0) {
    Ended ended = compile();
    // The files that the program includes may depend on further macros.
    std::vector<std::string> contents;
    bool outside = false, readable = true;
    for (const std::string& file : included) {
      if (file.compare(0, folder.size() + 1, folder + "/") == 0) continue;
      outside = true;
      std::string why;
      const std::string path = file[0] == '/' ? file : program.working_folder + "/" + file;
      contents.emplace_back();
      readable &= ReadRegularFile(path, kMaxIncluded, &contents.back(), &why);
    }
    if (ended == Ended::kWell && outside) {
      texts.insert(texts.end(), contents.begin(), contents.end());
      const std::vector<std::string> before = std::move(macros);
      macros.clear();
      if (!readable || !AgreeOnMacros(program, options, texts, &macros)) {
        ended = Ended::kBadly;
      } else if (macros != before) {
        const std::vector<std::string> files = std::exchange(included, {});
        ended = compile();
        // Other files now: what they depend on is not known.
        if (included != files) ended = Ended::kBadly;
      }
    }
    if (ended == Ended::kTimedOut) {
      result.result = CompiledProgram::Result::kTimedOut;
    } else if (ended == Ended::kWell) {
      const std::string ir = ContentOf(output, kMaxOutput);
      if (!ir.empty()) {
        result.result = CompiledProgram::Result::kSummaries;
        result.summaries = EncodeSummaries(SummarizeIr(ir));
        result.self_contained = !outside;
      }
    }
  }
  for (const int fd : {input, output, names}) {
    if (fd >= 0) close(fd);
  }
  return result;
}

}  // namespace gpusan
