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
#include "report/ir/ir_kernels.h"
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

// The descriptors of a command: 0, 1 and 3, or -1. Errors go to /dev/null.
struct Descriptors {
  int input, output, files;
};

// Becomes the command. Runs in the child of fork. `alive` stays open in the command: the other end
// hangs up when the command has ended.
[[noreturn]] void Become(const std::vector<char*>& argv, const std::string& folder,
                         const Descriptors& given, int alive, int limit_s) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = open("/dev/null", O_RDWR);
  // Move the descriptors to numbers from 10 on, so that dup2 overwrites none of them.
  const auto move = [](int fd) { return fcntl(fd, F_DUPFD, 10); };
  const int held = move(alive);
  const int in = move(given.input >= 0 ? given.input : nothing);
  const int out = move(given.output >= 0 ? given.output : nothing);
  const int names = given.files >= 0 ? move(given.files) : -1;
  const int errors = move(nothing);
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
  execv(argv[0], argv.data());
  _exit(127);
}

// Waits until the other end of the pipe hangs up. Returns false if the time [ms] is over first.
bool WaitForEnd(int pipe, int64_t limit_ms) {
  const int64_t deadline = NowMs() + limit_ms;
  for (int64_t left = limit_ms; left > 0; left = deadline - NowMs()) {
    pollfd end = {pipe, POLLIN, 0};
    const int count = poll(&end, 1, static_cast<int>(std::min<int64_t>(left, 60000)));
    if (count > 0 || (count < 0 && errno != EINTR)) return true;
  }
  return false;
}

// Runs a command, for at most `limit_s` seconds.
Ended Run(const std::vector<std::string>& words, const std::string& folder,
          const Descriptors& descriptors, int limit_s) {
  int alive[2];
  if (pipe2(alive, O_CLOEXEC) != 0) return Ended::kBadly;
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) Become(argv, folder, descriptors, alive[1], limit_s);
  close(alive[1]);
  if (pid < 0) {
    close(alive[0]);
    return Ended::kBadly;
  }
  const bool timed_out = !WaitForEnd(alive[0], int64_t{limit_s} * 1000);
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

// Runs clang on one program. The files of clang are in memory.
class Compilation {
 public:
  Compilation(const Compiler& compiler, const OpenClProgram& program, const std::string& folder,
              int limit_s)
      : compiler_(compiler), program_(program), folder_(folder), limit_s_(limit_s) {}
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;
  ~Compilation() {
    for (const int fd : {input_, output_, names_}) {
      if (fd >= 0) close(fd);
    }
  }

  bool WriteSource() const {
    return input_ >= 0 && output_ >= 0 && names_ >= 0 && WriteAll(input_, program_.source) == 0;
  }
  Ended Compile(const std::vector<std::string>& arguments, const std::vector<std::string>& macros) {
    std::vector<std::string> words = {compiler_.path, "-target", "spir64", "-x", "cl"};
    if (!program_.headers.empty()) words.push_back("-I" + folder_);
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), macros.begin(), macros.end());
    for (const char* word : {"-Xclang", "-finclude-default-header", "-O2", "-fno-vectorize",
                             "-fno-slp-vectorize", "-fno-unroll-loops", "-w", "-S", "-emit-llvm",
                             "-MD", "-MT", "program", "-MF", "/proc/self/fd/3", "-o", "-", "-"}) {
      words.push_back(word);
    }
    included_.clear();
    if (ftruncate(output_, 0) != 0 || ftruncate(names_, 0) != 0) return Ended::kBadly;
    for (const int fd : {input_, output_, names_}) lseek(fd, 0, SEEK_SET);
    const Ended ended = Run(words, program_.working_folder.empty() ? "/" : program_.working_folder,
                            {input_, output_, names_}, limit_s_);
    included_ = FilesOf(ContentOf(names_, size_t{1} << 20));
    return ended;
  }
  // The files that the last compilation read.
  const std::vector<std::string>& included() const { return included_; }
  // Appends the contents of those that are not in the folder of the program's headers. Returns
  // false if one cannot be read.
  bool ReadIncluded(std::vector<std::string>* contents) const {
    bool readable = true;
    for (const std::string& file : included_) {
      if (file.compare(0, folder_.size() + 1, folder_ + "/") == 0) continue;
      std::string why;
      const std::string path = file[0] == '/' ? file : program_.working_folder + "/" + file;
      readable &= ReadRegularFile(path, kMaxIncluded, &contents->emplace_back(), &why);
    }
    return readable;
  }
  std::string Ir() const { return ContentOf(output_, kMaxOutput); }

 private:
  const Compiler& compiler_;
  const OpenClProgram& program_;
  const std::string& folder_;
  const int limit_s_;
  const int input_ = MemoryFile("gpusan-source");
  const int output_ = MemoryFile("gpusan-ir");
  const int names_ = MemoryFile("gpusan-files");
  std::vector<std::string> included_;
};

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
      const Ended ended = Run({path, "--version"}, "/", {-1, output, -1}, 20);
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
  Compilation compilation(compiler, program, folder, limit_s);
  if (!compilation.WriteSource()) return result;
  Ended ended = compilation.Compile(options.arguments, macros);
  // The files that the program includes may depend on further macros.
  std::vector<std::string> contents;
  const bool readable = compilation.ReadIncluded(&contents);
  if (ended == Ended::kWell && !contents.empty()) {
    texts.insert(texts.end(), contents.begin(), contents.end());
    const std::vector<std::string> before = std::exchange(macros, {});
    if (!readable || !AgreeOnMacros(program, options, texts, &macros)) {
      ended = Ended::kBadly;
    } else if (macros != before) {
      const std::vector<std::string> files = compilation.included();
      ended = compilation.Compile(options.arguments, macros);
      // Other files now: what they depend on is not known.
      if (compilation.included() != files) ended = Ended::kBadly;
    }
  }
  if (ended == Ended::kTimedOut) result.result = CompiledProgram::Result::kTimedOut;
  if (ended != Ended::kWell) return result;
  if (const std::string ir = compilation.Ir(); !ir.empty()) {
    result.result = CompiledProgram::Result::kSummaries;
    result.summaries = EncodeSummaries(SummarizeIr(ir));
    result.self_contained = contents.empty();
  }
  return result;
}

}  // namespace gpusan
