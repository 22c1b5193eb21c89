// The serving process and its children.
#include "report/kernels/summary_server.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <new>

#include "report/base/temporary_root.h"
#include "report/ir/ir_kernels.h"
#include "report/kernels/clang.h"
#include "report/record/summary_cache.h"
#include "report/record/summary_service.h"

namespace gpusan {
namespace {

constexpr int kMostAtOnce = 4;
constexpr int64_t kRequestMs = 60000;
constexpr std::string_view kFolderName = "gpusan-kernels.";
constexpr time_t kAbandonedSeconds = 3600;

// An entry of the cache: the compiler's version in a line, and the summaries.
std::string EntryOf(const std::string& version, const std::string& summaries) {
  return version + "\n" + summaries;
}

// A file descriptor that holds the lock of a folder; -1 if another process holds it.
int LockFolder(const std::string& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return -1;
}

// Removes the folders of killed commands of this user from the folder `root`. A command locks its
// folder just after it has created it, so folders that are new are left alone.
void RemoveAbandonedFolders(const std::string& root) {
  DIR* const entries = opendir(root.c_str());
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries)) {
    if (std::string_view(entry->d_name).substr(0, kFolderName.size()) != kFolderName) continue;
    const std::string folder = root + "/" + entry->d_name;
    struct stat status;
    if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
        status.st_uid != geteuid() || time(nullptr) - status.st_mtime < kAbandonedSeconds)
      continue;
    const int lock = LockFolder(folder);
    if (lock < 0) continue;
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    close(lock);
  }
  closedir(entries);
}

}  // namespace

struct SummaryServer::Counters {
  std::atomic<uint32_t> programs{0};
  std::atomic<uint32_t> without_compiler{0};
  std::atomic<uint32_t> rejected{0};
  std::atomic<uint32_t> timed_out{0};
};

SummaryServer::~SummaryServer() {
  if (owner_ != getpid()) return;
  if (server_ > 0) {
    kill(server_, SIGKILL);
    waitpid(server_, nullptr, 0);
  }
  if (socket_ >= 0) close(socket_);
  std::error_code ignored;
  if (!folder_.empty()) {
    std::filesystem::remove_all(folder_, ignored);
    RemoveAbandonedFolders(std::filesystem::path(folder_).parent_path().string());
  }
  if (lock_ >= 0) close(lock_);
  if (counters_ != nullptr) munmap(counters_, sizeof(Counters));
}

std::string SummaryServer::Open(const SummaryServerSettings& settings) {
  settings_ = settings;
  owner_ = getpid();
  std::string folder = TemporaryRoot();
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string name = "/" + std::string(kFolderName) + "XXXXXX";
  constexpr std::string_view kSocket = "/socket";
  if (folder.size() + name.size() + kSocket.size() >= sizeof(address.sun_path)) folder = "/tmp";
  folder += name;
  if (mkdtemp(folder.data()) == nullptr)
    return "cannot make a temporary folder " + folder + ": " + std::strerror(errno);
  folder_ = folder;
  lock_ = LockFolder(folder_);
  const std::string path = folder_ + std::string(kSocket);
  std::memcpy(address.sun_path, path.data(), path.size());
  socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0 || bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
      listen(socket_, 128) != 0)
    return "cannot open the socket " + path + ": " + std::strerror(errno);
  void* memory =
      mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return std::string("cannot map memory: ") + std::strerror(errno);
  counters_ = new (memory) Counters;
  path_ = path;
  return "";
}

void SummaryServer::Poll() {
  if (path_.empty()) return;
  // A serving process that was killed is started again at the next request.
  if (server_ > 0 && waitpid(server_, nullptr, WNOHANG) == server_) server_ = 0;
  if (server_ > 0) return;
  pollfd waiting = {socket_, POLLIN, 0};
  if (poll(&waiting, 1, 0) == 1 && (waiting.revents & POLLIN) != 0) Start();
}

bool SummaryServer::Start() {
  const pid_t pid = fork();
  if (pid == 0) Serve();
  if (pid > 0) server_ = pid;
  return pid > 0;
}

void SummaryServer::Serve() {
  // Signals of the terminal go to the command, which ends this process.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != owner_) _exit(0);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDWR);
  const int listener = fcntl(socket_, F_DUPFD_CLOEXEC, 10);
  if (nothing < 0 || listener < 0) _exit(1);
  for (const int fd : {0, 1, 2}) dup2(nothing, fd);
  // The command's other files must not stay open because of this process.
  for (int fd = 3; fd < 1024; ++fd) {
    if (fd != listener) close(fd);
  }
  umask(077);
  const Compiler compiler = FindCompiler(settings_.search_path);
  int running = 0;
  for (;;) {
    while (running > 0 && waitpid(-1, nullptr, running >= kMostAtOnce ? 0 : WNOHANG) > 0) --running;
    pollfd waiting = {listener, POLLIN, 0};
    poll(&waiting, 1, running > 0 ? 100 : -1);
    const int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0) continue;
    const pid_t server = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != server) _exit(0);
      close(listener);
      Answer(connection, compiler);
      _exit(0);
    }
    if (pid > 0) ++running;
    close(connection);
  }
}

void SummaryServer::Answer(int connection, const Compiler& compiler) {
  ucred peer = {};
  socklen_t size = sizeof(peer);
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid())
    return;
  uint8_t status = 0;
  std::string request;
  OpenClProgram program;
  if (!ReceiveMessage(connection, kMaxSummaryRequest, &status, &request, NowMs() + kRequestMs) ||
      !DecodeProgram(request, &program))
    return;
  counters_->programs.fetch_add(1);
  const auto answer = [&](SummaryStatus result, const std::string& text) {
    SendMessage(connection, static_cast<uint8_t>(result), text, NowMs() + kRequestMs);
  };
  const SummaryCache cache(settings_.cache_folder);
  const SummaryCache::Key key =
      SummaryCache::KeyOf(kOpenClCode, kSummaryVersion, EncodeProgram(program, false));
  const std::string version = compiler.version + ", reader " + std::to_string(kIrReaderVersion);
  std::string entry;
  if (cache.Load(key, &entry)) {
    const size_t line = entry.find('\n');
    const bool fits =
        line != std::string::npos && (compiler.path.empty() || entry.substr(0, line) == version);
    if (fits) return answer(SummaryStatus::kSummaries, entry.substr(line + 1));
  }
  if (compiler.path.empty()) {
    counters_->without_compiler.fetch_add(1);
    return answer(SummaryStatus::kNoCompiler, "");
  }
  std::string folder = folder_ + "/headers.XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return answer(SummaryStatus::kUnknown, "");
  const CompiledProgram compiled = CompileProgram(compiler, program, folder, settings_.limit_s);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  switch (compiled.result) {
    case CompiledProgram::Result::kSummaries:
      if (compiled.self_contained) cache.Store(key, EntryOf(version, compiled.summaries));
      return answer(SummaryStatus::kSummaries, compiled.summaries);
    case CompiledProgram::Result::kTimedOut:
      counters_->timed_out.fetch_add(1);
      break;
    case CompiledProgram::Result::kRejected:
      counters_->rejected.fetch_add(1);
      break;
  }
  answer(SummaryStatus::kUnknown, "");
}

std::string SummaryServer::Notes() const {
  if (counters_ == nullptr) return "";
  const auto programs = [](uint32_t count) {
    return std::to_string(count) + (count == 1 ? " OpenCL program" : " OpenCL programs");
  };
  std::string notes;
  if (const uint32_t count = counters_->without_compiler.load(); count != 0) {
    notes += "gpusan: what the kernels of " + programs(count) +
             " read and write is not known, because no clang was found; install clang to find more "
             "races\n";
  }
  if (const uint32_t count = counters_->rejected.load(); count != 0) {
    notes += "gpusan: what the kernels of " + programs(count) +
             " read and write is not known, because clang could not compile " +
             (count == 1 ? "it" : "them") + " as the driver did\n";
  }
  if (const uint32_t count = counters_->timed_out.load(); count != 0) {
    notes += "gpusan: clang took more than " + std::to_string(settings_.limit_s) + " s for " +
             programs(count) + "; what their kernels read and write is not known\n";
  }
  return notes;
}

}  // namespace gpusan
