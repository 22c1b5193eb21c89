// fork, exec, and a loop over signalfd.
#include "report/processes/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace gpusan {
namespace {

// All signals except those that report a fault of this process and those that stop a background
// process which uses the terminal.
sigset_t HandledSignals() {
  sigset_t set;
  sigfillset(&set);
  for (const int signal :
       {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGTTIN, SIGTTOU}) {
    sigdelset(&set, signal);
  }
  return set;
}

constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// The signal mask before the first program.
const sigset_t& FirstMask() {
  static const sigset_t mask = [] {
    const sigset_t handled = HandledSignals();
    sigset_t before;
    sigprocmask(SIG_BLOCK, &handled, &before);
    return before;
  }();
  return mask;
}

// What SIGCHLD did before the first program. A caller may have left the signal ignored; the kernel
// then reaps the program and forgets its exit code.
const struct sigaction& FirstChildAction() {
  static const struct sigaction action = [] {
    struct sigaction standard = {}, before = {};
    standard.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &standard, &before);
    return before;
  }();
  return action;
}

[[noreturn]] void ExecChild(const std::vector<std::string>& arguments,
                            const std::vector<std::pair<std::string, std::string>>& environment,
                            int error_fd) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t ignored = write(error_fd, &error, sizeof(error));
  _exit(127);
}

// The errno of a failed exec; 0 when a successful exec has closed the pipe.
int StartError(int fd) {
  int error = 0;
  ssize_t count = 0;
  do {
    count = read(fd, &error, sizeof(error));
  } while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(sizeof(error)) ? error : 0;
}

void Forward(const signalfd_siginfo& info, pid_t pid, const std::function<void()>& before_stop) {
  const int signal = static_cast<int>(info.ssi_signo);
  // Signals of the kernel (SI_KERNEL: terminal keys, hang-up) went to the whole process group.
  const bool from_a_process =
      info.ssi_code == SI_USER || info.ssi_code == SI_TKILL || info.ssi_code == SI_QUEUE;
  const bool from_ourselves = static_cast<pid_t>(info.ssi_pid) == getpid();
  if (from_a_process && !from_ourselves) {
    if (info.ssi_code == SI_QUEUE) {
      sigval value = {};
      value.sival_ptr = reinterpret_cast<void*>(info.ssi_ptr);
      sigqueue(pid, signal, value);
    } else {
      kill(pid, signal);
    }
  }
  // Stop as the program does, so that the shell notices. SIGCONT wakes this process, which forwards
  // it.
  if (signal != SIGTSTP) return;
  if (before_stop) before_stop();
  raise(SIGSTOP);
}

// Whether the program has ended.
bool Reap(ProgramResult* result) {
  int status = 0;
  if (waitpid(result->pid, &status, WNOHANG) != result->pid) return false;
  result->signaled = WIFSIGNALED(status);
  result->code = result->signaled ? WTERMSIG(status) : WEXITSTATUS(status);
  return true;
}

}  // namespace

bool AskedToEnd() {
  FirstMask();
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  for (const int ending : kEnding) {
    if (sigismember(&pending, ending) == 1) return true;
  }
  return false;
}

ProgramResult RunProgram(const std::vector<std::string>& arguments,
                         const std::vector<std::pair<std::string, std::string>>& environment,
                         int tick_ms, const std::function<void(int pid)>& on_tick,
                         const std::function<void()>& before_stop) {
  ProgramResult result;
  const sigset_t handled = HandledSignals();
  const sigset_t before = FirstMask();
  const struct sigaction& child_action = FirstChildAction();
  int ends[2];
  const int signals = signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0 || pipe2(ends, O_CLOEXEC) != 0) {
    result.start_error = errno;
    return result;
  }
  result.pid = fork();
  if (result.pid == 0) {
    sigaction(SIGCHLD, &child_action, nullptr);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    ExecChild(arguments, environment, ends[1]);
  }
  const int fork_error = errno;
  close(ends[1]);
  result.start_error = result.pid < 0 ? fork_error : StartError(ends[0]);
  close(ends[0]);
  if (result.start_error != 0) {
    if (result.pid > 0) waitpid(result.pid, nullptr, 0);
    close(signals);
    return result;
  }
  bool ended = false;
  while (!ended) {
    pollfd ready = {signals, POLLIN, 0};
    if (poll(&ready, 1, tick_ms) == 0) {
      on_tick(result.pid);
      // A thread that a tool started in this process may have taken SIGCHLD.
      ended = Reap(&result);
    }
    signalfd_siginfo info;
    while (read(signals, &info, sizeof(info)) == static_cast<ssize_t>(sizeof(info))) {
      if (info.ssi_signo == SIGCHLD) {
        ended = Reap(&result) || ended;
      } else if (info.ssi_signo != SIGPIPE && !ended) {
        for (const int ending : kEnding)
          result.asked_to_end |= info.ssi_signo == static_cast<uint32_t>(ending);
        Forward(info, result.pid, before_stop);
      }
    }
  }
  close(signals);
  return result;
}

}  // namespace gpusan
