// Soak loops of `gpusan run` as their user sees them, off and on a terminal.
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/unit/subprocess.h"
#include "tests/unit/temporary_folder.h"

namespace gpusan {
namespace {

using Catch::Matchers::Contains;

// Another build of the command, with sanitizers in it, may take its place (tests/sanitize.sh).
const char* Command() {
  const char* other = std::getenv("GPUSAN_COMMAND");
  return other != nullptr ? other : COMMAND;
}

Output Gpusan(std::vector<std::string> words) {
  words.insert(words.begin(), Command());
  return RunCommandLine(words, {{"GPUSAN_LIBRARY", FAKE_LIBRARY},
                                {"GPUSAN_OPTIONS", ""},
                                {"OPENCL_LAYERS", ""},
                                {"LD_PRELOAD", ""}});
}

std::string Content(const std::string& path) {
  std::ifstream file(path);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

TEST_CASE("A program is repeated as often as requested, and its findings are merged") {
  const Output output = Gpusan({"run", "--repeat=3", VICTIM, "error"});
  CHECK(output.code == 66);
  CHECK_THAT(output.err, Contains("gpusan: 3 iterations in "));
  CHECK_THAT(output.err, Contains("gpusan: 1 error in 3 processes"));
  CHECK_THAT(output.err, Contains("gpusan:   error   3x  host-buffer-overrun  "));
  CHECK_THAT(output.err, !Contains("\r"));  // no status where there is no terminal
}

TEST_CASE("A loop ends with the first iteration that fails") {
  TemporaryFolder folder;
  const std::string turns = folder / "turns";
  const Output output =
      Gpusan({"run", "--repeat=0", "sh", "-c",
              "echo turn >> " + turns + "; test $(wc -l < " + turns + ") -lt 3 || exit 7"});
  CHECK(output.code == 7);
  CHECK(Content(turns) == "turn\nturn\nturn\n");
}

TEST_CASE("A loop continues until the given time, and its last iteration is not interrupted") {
  TemporaryFolder folder;
  const Output output =
      Gpusan({"run", "--until=+1s", "sh", "-c", "sleep 0.1; echo turn >> " + (folder / "turns")});
  CHECK(output.code == 0);
  const std::string turns = Content(folder / "turns");
  CHECK(turns.size() >= 5);
  CHECK_THAT(output.err, Contains("gpusan: " + std::to_string(turns.size() / 5) + " iteration"));
}

TEST_CASE("A program that exceeds the time limit receives SIGTERM") {
  const Output hangs = Gpusan({"run", "--timeout=1", VICTIM, "call", "wait"});
  CHECK(hangs.code == 124);
  CHECK_THAT(hangs.err, Contains("took longer than --timeout and was terminated"));
  CHECK_THAT(hangs.err, Contains("incomplete: "));
  const Output obeys = Gpusan(
      {"run", "--timeout=1s", "sh", "-c", "trap 'exit 0' TERM; while true; do sleep 0.05; done"});
  CHECK(obeys.code == 0);
}

TEST_CASE("Invalid times are rejected before the program runs") {
  for (const std::string flag : {"--timeout=soon", "--timeout=0", "--until=8h", "--until=noon"}) {
    const Output output = Gpusan({"run", flag, VICTIM, "args", "ran"});
    CHECK(output.code == 70);
    CHECK(output.out.empty());
    CHECK_THAT(output.err, Contains("it must be"));
  }
}

TEST_CASE("The file of metrics exists while the program runs") {
  TemporaryFolder folder;
  const std::string file = folder / "live.prom";
  const Output output = Gpusan({"run", "--metrics=" + file, "sh", "-c",
                                "until test -e " + file + "; do sleep 0.02; done; echo seen"});
  CHECK(output.out == "seen\n");
  CHECK_THAT(Content(file), Contains("gpusan_processes") && Catch::Matchers::EndsWith("# EOF\n"));
}

class Terminal {
 public:
  explicit Terminal(std::vector<const char*> words) {
    winsize size = {.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
    pid_ = forkpty(&fd_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    setenv("GPUSAN_LIBRARY", FAKE_LIBRARY, 1);
    setenv("TERM", "xterm", 1);
    setenv("GPUSAN_OPTIONS", "", 1);
    words.insert(words.begin(), Command());
    words.push_back(nullptr);
    execv(Command(), const_cast<char* const*>(words.data()));
    _exit(127);
  }
  ~Terminal() { close(fd_); }

  // What came until then; all that came where it ended before.
  std::string ReadUntil(const std::string& text) {
    std::string seen;
    char c;
    while ((text.empty() || seen.find(text) == std::string::npos) && read(fd_, &c, 1) == 1)
      seen += c;
    return seen;
  }
  void Press(char key) { REQUIRE(write(fd_, &key, 1) == 1); }
  int ExitCode() {
    int status = 0;
    waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int fd_ = -1;
  pid_t pid_ = -1;
};

TEST_CASE("On a terminal a loop shows its progress, and Ctrl-C ends the loop and still reports") {
  Terminal terminal({"run", "--repeat=0", VICTIM, "error", "ready", "wait"});
  CHECK_THAT(terminal.ReadUntil("ready"), Contains("ready"));
  // In a row of its own, which does not scroll; the cursor goes back to where the program left it.
  CHECK_THAT(terminal.ReadUntil("1 finding\033[0m\033[K\0338"),
             Contains("\033[1;23r") && Contains("\0337\033[24;1H\033[7mgpusan: 0:00:0"));
  terminal.Press('C' - '@');
  const std::string rest = terminal.ReadUntil("");
  CHECK_THAT(rest, Contains("gpusan: 1 iteration in "));
  CHECK_THAT(rest, Contains("1x") && Contains("host-buffer-overrun"));
  CHECK_THAT(rest, Contains("\033[r\033[24;1H\033[K\0338"));
  CHECK(terminal.ExitCode() == 128 + SIGINT);
}

TEST_CASE("A program that does not run in a loop has no status line") {
  Terminal terminal({"run", VICTIM, "error"});
  CHECK_THAT(terminal.ReadUntil(""), !Contains("\033[24;1H"));
  CHECK(terminal.ExitCode() == 66);
}

TEST_CASE("A loop prints no progress with --quiet") {
  Terminal terminal({"run", "--quiet", "--repeat=2", VICTIM, "call"});
  CHECK(terminal.ReadUntil("").empty());
  CHECK(terminal.ExitCode() == 0);
}

}  // namespace
}  // namespace gpusan
