// Runs a command and keeps what it wrote.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gpusan {

struct Output {
  int code = -1;  // 1000 + n for signal n
  std::string out;
  std::string err;
};

using Variables = std::vector<std::pair<std::string, std::string>>;

// `when_ready` is called with the pid once the command has written its first line to stdout.
inline Output RunCommandLine(const std::vector<std::string>& words, const Variables& variables = {},
                             const std::function<void(pid_t)>& when_ready = nullptr) {
  Output output;
  int ends[2];
  if (pipe(ends) != 0) return output;
  FILE* errors = std::tmpfile();
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], 1);
    dup2(fileno(errors), 2);
    close(ends[0]);
    close(ends[1]);
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  bool called = false;
  char chunk[4096];
  for (ssize_t count; (count = read(ends[0], chunk, sizeof(chunk))) > 0;) {
    output.out.append(chunk, static_cast<size_t>(count));
    if (when_ready && !called && output.out.find('\n') != std::string::npos) {
      called = true;
      when_ready(pid);
    }
  }
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  output.code = WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
  output.err.resize(static_cast<size_t>(lseek(fileno(errors), 0, SEEK_END)));
  output.err.resize(
      static_cast<size_t>(pread(fileno(errors), output.err.data(), output.err.size(), 0)));
  std::fclose(errors);
  return output;
}

}  // namespace gpusan
