// `gpusan run` and `gpusan report` as their user sees them: what is printed, and the exit code.
#include <elf.h>
#include <pty.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <cstdint>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "report/processes/unwatched_processes.h"
#include "tests/unit/report/report_gpusan.h"

namespace gpusan {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

TEST_CASE("A program that uses no GPU is run unchanged") {
  const Output output = Gpusan({"run", "--", VICTIM, "args", "hello world"});
  REQUIRE(output.code == 0);
  REQUIRE(output.out == "hello world\n");
  REQUIRE(output.err == "gpusan: no call of a GPU API was seen\n");
}

TEST_CASE("The program's own exit code and signal win") {
  CHECK(Gpusan({"run", "false"}).code == 1);
  CHECK(Gpusan({"run", VICTIM, "error", "fail"}).code == 3);
  CHECK(Gpusan({"run", "sh", "-c", "exit 41"}).code == 41);
  const Output killed = Gpusan({"run", VICTIM, "error", "kill"});
  CHECK(killed.code == 128 + SIGKILL);
  CHECK_THAT(killed.err,
             Contains("SUMMARY: gpusan: error host-buffer-overrun clEnqueueWriteImage"));
  CHECK_THAT(killed.err, Contains("was ended by signal 9 (Killed)"));
  CHECK_THAT(killed.err, Contains("incomplete: ") && Contains("ended without an end record"));
}

TEST_CASE(
    "A finding is printed with functions, inlined frames, files and lines, and makes the exit code "
    "66") {
  const Output output = Gpusan({"run", VICTIM, "call", "error"});
  REQUIRE(output.code == 66);
  const int inlined = LineOf("line of the inlined call");
  CHECK_THAT(output.err,
             StartsWith("gpusan: error: host-buffer-overrun in clEnqueueWriteImage at ") &&
                 Contains(At(inlined) + ":3\n  what: Too much is read.\n"));
  CHECK_THAT(output.err, Contains("(inlined)\n      " + std::to_string(inlined) +
                                  " |   fake_gpu_call(severity); /* line of the inlined call */\n"
                                  "         |   ^\n"));
  CHECK_THAT(output.err, Contains("#0 upload ") && Contains(At(inlined) + ":3 (inlined)\n"));
  CHECK_THAT(output.err, Contains("#1 main ") && Contains(At(LineOf("\"error\"")) + ":"));
  CHECK_THAT(output.err, Contains("  allocation: 256 B block\n    #0 main "));
  CHECK_THAT(output.err,
             Contains(At(LineOf("\"call\"")) + ":") &&
                 Contains(" |     if (strcmp(what, \"call\") == 0) fake_gpu_call(-1);\n"));
  CHECK_THAT(output.err,
             Contains("SUMMARY: gpusan: error host-buffer-overrun clEnqueueWriteImage " +
                      At(inlined) + "\n"));
  CHECK_THAT(
      output.err,
      Contains("\n\ngpusan: 1 error in 1 process\ngpusan:   error   1x  host-buffer-overrun  ") &&
          EndsWith(At(inlined) + ":3\n"));
}

TEST_CASE("Findings below --fail-on do not change the exit code") {
  CHECK(Gpusan({"run", VICTIM, "note"}).code == 0);
  CHECK(Gpusan({"run", VICTIM, "warning"}).code == 0);
  CHECK(Gpusan({"run", "--fail-on=note", VICTIM, "note"}).code == 66);
  CHECK(Gpusan({"run", "--fail-on", "warning", VICTIM, "warning"}).code == 66);
  CHECK(Gpusan({"run", "--fail-on=never", VICTIM, "error"}).code == 0);
}

TEST_CASE("A finding is printed before the program ends") {
  TemporaryFolder folder;
  const Output output = Gpusan(
      {"run", "--output=" + (folder / "o"), VICTIM, "error", "catch", "ready", "wait"}, {},
      [&](pid_t pid) {
        std::string records;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "o"))
          records += Content(entry.path().string());
        CHECK_THAT(records, Contains("\"type\":\"finding\"") && !Contains("\"type\":\"end\""));
        kill(pid, SIGTERM);
      });
  REQUIRE(output.code == 5);
}

TEST_CASE("Signals that are sent to gpusan reach the program") {
  for (const int signal : {SIGTERM, SIGUSR1}) {
    const Output output = Gpusan({"run", VICTIM, "catch", "ready", "wait"}, {},
                                 [&](pid_t pid) { kill(pid, signal); });
    REQUIRE(output.out == "ready\ncaught\n");
    REQUIRE(output.code == 5);
  }
  const Output output =
      Gpusan({"run", VICTIM, "ready", "wait"}, {}, [](pid_t pid) { kill(pid, SIGINT); });
  REQUIRE(output.code == 128 + SIGINT);
}

TEST_CASE("gpusan ends with the program although a tool's thread takes its signals") {
  CHECK(Gpusan({"run", "sh", "-c", "exit 5"}, {{"LD_PRELOAD", THREAD_LIBRARY}}).code == 5);
}

TEST_CASE("On a terminal the program gets each key once, and a stopped gpusan continues") {
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (pid == 0) {
    setenv("GPUSAN_LIBRARY", FAKE_LIBRARY, 1);
    execl(COMMAND, COMMAND, "run", "--quiet", VICTIM, "call", "ready", "wait", nullptr);
    _exit(127);
  }
  const auto read_until = [&](const std::string& text) {
    std::string seen;
    char c;
    while (seen.find(text) == std::string::npos && read(terminal, &c, 1) == 1) seen += c;
    return seen;
  };
  const auto press = [&](char key) { return write(terminal, &key, 1) == 1; };
  int status = 0;
  REQUIRE_THAT(read_until("ready"), Contains("ready"));
  REQUIRE(press('Z' - '@'));
  REQUIRE(waitpid(pid, &status, WUNTRACED) == pid);
  REQUIRE(WIFSTOPPED(status));
  kill(-pid, SIGCONT);
  REQUIRE(press('C' - '@'));
  REQUIRE(waitpid(pid, &status, 0) == pid);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 128 + SIGINT);
  close(terminal);
}

TEST_CASE("One gpusan inside another loads the library once") {
  const Output output =
      Gpusan({"run", COMMAND, "run", "sh", "-c", "echo \"$LD_PRELOAD|$OPENCL_LAYERS\""});
  REQUIRE(output.out == FAKE_LIBRARY "|" FAKE_LIBRARY "\n");
}

TEST_CASE("A process that ends without its last record never counts as clean") {
  const Variables no_end = {{"GPUSAN_FAKE_END", "0"}};
  const Output output = Gpusan({"run", VICTIM, "call"}, no_end);
  REQUIRE(output.code == 70);
  REQUIRE_THAT(output.err, Contains("so this run does not count as clean"));
  CHECK(Gpusan({"run", VICTIM, "error"}, no_end).code == 66);
  CHECK(Gpusan({"run", "--fail-on=never", VICTIM, "call"}, no_end).code == 0);
}

TEST_CASE("gpusan prints a message and returns 70 if it did not attach") {
  const Output output = Gpusan({"run", VICTIM, "error"}, {{"GPUSAN_FAKE_ATTACH", "0"}});
  REQUIRE(output.code == 70);
  REQUIRE_THAT(output.err, Contains("gpusan: DID NOT ATTACH to '" VICTIM "'"));
}

TEST_CASE("A process that uses OpenCL without gpusan is reported") {
  TemporaryFolder folder;
  const std::string driver = folder / "libpocl.so.9";
  std::filesystem::copy_file(FAKE_LIBRARY, driver);
  for (const bool with_gpusan : {false, true}) {
    const std::string preload = driver + (with_gpusan ? ":" FAKE_LIBRARY : "");
    RunCommandLine({VICTIM, "ready", "wait"}, {{"LD_PRELOAD", preload}}, [&](pid_t pid) {
      UnwatchedProcesses unwatched(FAKE_LIBRARY);
      CHECK(unwatched.Inspect(getpid()).empty());
      const std::vector<std::string> lines = unwatched.Inspect(getpid());
      if (with_gpusan) {
        CHECK(lines.empty());
      } else {
        CHECK(lines == std::vector<std::string>{
                           "process " + std::to_string(pid) + " uses OpenCL (" + driver +
                           ") and gpusan is NOT ATTACHED to it; its calls are not checked"});
        CHECK(unwatched.Inspect(getpid()).empty());
      }
      kill(pid, SIGKILL);
    });
  }
}

TEST_CASE("gpusan warns about a statically linked program and runs it") {
  const Output output = Gpusan({"run", STATIC_VICTIM, "args", "hello"});
  REQUIRE(output.code == 70);
  REQUIRE(output.out == "hello\n");
  REQUIRE(output.err == "gpusan: WARNING: gpusan cannot attach: " STATIC_VICTIM
                        " is linked statically, so no library can be loaded into it; the "
                        "program runs without checks\n"
                        "gpusan: nothing was checked\n");
  CHECK(Gpusan({"run", "sh", "-c", STATIC_VICTIM " args hello"}).code == 0);
}

TEST_CASE("Findings that do not fit on the disk are printed, and the run does not count as clean") {
  const Output output =
      Gpusan({"run", "sh", "-c", "(ulimit -f 0; exec \"$0\" call error 2>&1) | cat >&2", VICTIM});
  REQUIRE(output.code == 70);
  CHECK_THAT(output.err, Contains("gpusan: cannot write ") && Contains("File too large"));
  CHECK_THAT(output.err, Contains("gpusan: error: host-buffer-overrun in clEnqueueWriteImage"));
  CHECK_THAT(output.err, !Contains("DID NOT ATTACH"));
  CHECK_THAT(output.err, EndsWith("gpusan: no record could be read\n"));
}

TEST_CASE("gpusan warns about a setuid program and runs it") {
  TemporaryFolder folder;
  const std::string program = folder / "victim";
  std::filesystem::copy_file(VICTIM, program);
  struct statvfs mount;
  constexpr uid_t kNobody = 65534;
  if (chown(program.c_str(), kNobody, kNobody) != 0 || chmod(program.c_str(), 04755) != 0 ||
      statvfs(program.c_str(), &mount) != 0 || (mount.f_flag & ST_NOSUID) != 0) {
    WARN("skipped: it takes root and a folder without nosuid to make a setuid program");
    return;
  }
  const Output output = Gpusan({"run", program, "args", "hello"});
  REQUIRE(output.code == 70);
  REQUIRE(output.out == "hello\n");
  REQUIRE(output.err == "gpusan: WARNING: gpusan cannot attach: " + program +
                            " runs with other rights than yours (setuid, setgid or capabilities), "
                            "so the loader ignores gpusan; the program runs without "
                            "checks\ngpusan: nothing was checked\n");
}

TEST_CASE("gpusan warns about a program of another architecture and runs it if the machine can") {
  TemporaryFolder folder;
  const std::string program = folder / "i386";
  // A whole program for i386: write(1, "hi\n", 3); exit(0).
  const std::string code(
      "\xb8\x04\0\0\0\xbb\x01\0\0\0\xb9\x73\x80\x04\x08\xba\x03\0\0\0\xcd\x80"
      "\xb8\x01\0\0\0\x31\xdb\xcd\x80hi\n",
      34);
  Elf32_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS32;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = EM_386;
  header.e_version = EV_CURRENT;
  header.e_phoff = header.e_ehsize = sizeof(header);
  header.e_phentsize = sizeof(Elf32_Phdr);
  header.e_phnum = 1;
  Elf32_Phdr segment = {};
  segment.p_type = PT_LOAD;
  segment.p_vaddr = segment.p_paddr = 0x08048000;
  segment.p_filesz = segment.p_memsz = sizeof(header) + sizeof(segment) + code.size();
  segment.p_flags = PF_R | PF_X;
  segment.p_align = 0x1000;
  header.e_entry = segment.p_vaddr + sizeof(header) + sizeof(segment);
  {
    std::ofstream file(program, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof(header));
    file.write(reinterpret_cast<const char*>(&segment), sizeof(segment));
    file << code;
  }
  REQUIRE(chmod(program.c_str(), 0755) == 0);
  const Output bare = RunCommandLine({program}, {});
  const Output output = Gpusan({"run", program});
  const std::string warning = "gpusan: WARNING: gpusan cannot attach: " + program +
                              " is built for another architecture than gpusan; the program runs "
                              "without checks\n";
  if (bare.code != 0) {
    WARN("this machine does not run programs for i386");
    REQUIRE_THAT(output.err, StartsWith(warning));
    REQUIRE(output.code != 0);
    return;
  }
  REQUIRE(bare.out == "hi\n");
  REQUIRE(output.code == 70);
  REQUIRE(output.out == "hi\n");
  REQUIRE(output.err == warning + "gpusan: nothing was checked\n");
}

TEST_CASE("Findings of children are followed and counted over all processes") {
  const std::string script = std::string(VICTIM) + " error; " + VICTIM + " error note; true";
  const Output output = Gpusan({"run", "sh", "-c", script});
  REQUIRE(output.code == 66);
  REQUIRE_THAT(output.err, Contains("gpusan: 1 error, 1 note in 2 processes\n"
                                    "gpusan:   error   2x  host-buffer-overrun  ") &&
                               Contains("\ngpusan:   note    1x  host-buffer-overrun  "));
  REQUIRE_THAT(output.err,
               Contains("gpusan: note: host-buffer-overrun in clEnqueueWriteImage at ") &&
                   Contains(" (pid "));
}

TEST_CASE(
    "Suppressed findings are neither printed nor counted, and the lines say how often they were of "
    "use") {
  TemporaryFolder folder;
  std::ofstream(folder / "s") << "host-buffer-overrun:upload\nleak:*\n";
  const Output output = Gpusan({"run", "--suppressions=" + (folder / "s"), VICTIM, "error"});
  REQUIRE(output.code == 0);
  REQUIRE(output.err ==
          "gpusan: no findings in 1 process; 1 suppressed\n"
          "gpusan:   suppression " +
              (folder / "s") +
              ":1 host-buffer-overrun:upload 1 hit\n"
              "gpusan:   suppression " +
              (folder / "s") + ":2 leak:* 0 hits\n");
}

TEST_CASE("Two runs that share a folder follow their own processes") {
  TemporaryFolder folder;
  const std::string out = "--output=" + (folder / "o");
  const Output first =
      Gpusan({"run", out, VICTIM, "error", "catch", "ready", "wait"}, {}, [&](pid_t pid) {
        // The other begins and ends while this one is under way.
        const Output second = Gpusan({"run", out, VICTIM, "note"});
        CHECK(second.code == 0);
        CHECK_THAT(second.err, Contains("1 note in 1 process") && !Contains("error"));
        kill(pid, SIGTERM);
      });
  CHECK_THAT(first.err, Contains("gpusan: 1 error in 1 process\n") && !Contains("note"));
  CHECK_THAT(Gpusan({"report", folder / "o"}).err, Contains("in 2 processes"));
}

TEST_CASE("With --quiet there are findings and no summary") {
  CHECK(Gpusan({"run", "--quiet", VICTIM, "call"}).err.empty());
  const Output output = Gpusan({"run", "--quiet", VICTIM, "error"});
  REQUIRE(output.code == 66);
  REQUIRE_THAT(output.err,
               EndsWith("SUMMARY: gpusan: error host-buffer-overrun clEnqueueWriteImage " +
                        At(LineOf("line of the inlined call")) + "\n"));
}

TEST_CASE("At most --max-findings findings are printed, and the table has all") {
  const Output output = Gpusan({"run", "--max-findings=1", VICTIM, "error", "warning", "note"});
  CHECK(output.code == 66);
  CHECK(std::regex_search(output.err, std::regex("SUMMARY: gpusan: error ")));
  // The second is at the place of the first and is folded.
  CHECK_THAT(output.err,
             Contains("  more: as above, with other parties; --verbose shows all of it\n"
                      "SUMMARY: gpusan: warning "));
  CHECK_THAT(output.err, !Contains("SUMMARY: gpusan: note"));
  CHECK_THAT(output.err, Contains("gpusan: 1 finding is not printed above; --max-findings=0") &&
                             Contains("gpusan:   warning 1x  host-buffer-overrun  ") &&
                             Contains("gpusan:   note    1x  host-buffer-overrun  "));
}

TEST_CASE("A closed stderr changes nothing for the program") {
  const Output output = RunCommandLine(
      {"sh", "-c", "exec \"$0\" run \"$1\" args ok error 2>&-", COMMAND, VICTIM}, kWithLibrary);
  REQUIRE(output.out == "ok\n");
  REQUIRE(output.code == 66);
}

TEST_CASE("Messages never go into a file that took the number of a closed standard file") {
  TemporaryFolder folder;
  Gpusan({"run", "--output=" + (folder / "o"), VICTIM, "error"});
  const std::string expected = Gpusan({"report", folder / "o"}).out;
  const Output output =
      RunCommandLine({"sh", "-c", "exec \"$0\" report -o \"$1\" \"$2\" <&- >&- 2>&-", COMMAND,
                      folder / "report.txt", folder / "o"});
  CHECK(output.code == 0);
  CHECK(Content(folder / "report.txt") == expected);
  // The program sees what its caller closed.
  const Output closed = RunCommandLine({"sh", "-c",
                                        "exec \"$0\" run --quiet sh -c 'for i in 0 1 2; do [ ! -e "
                                        "/proc/self/fd/$i ] || exit 9; done' "
                                        "<&- >&- 2>&-",
                                        COMMAND},
                                       kWithLibrary);
  CHECK(closed.code == 0);
}

TEST_CASE("A caller that ignores SIGCHLD gets the exit code of the program") {
  const Output output =
      RunCommandLine({"env", "--ignore-signal=CHLD", COMMAND, "run", VICTIM, "fail"}, kWithLibrary);
  CHECK(output.code == 3);
  // The program inherits what its caller decided.
  const Output ignored = RunCommandLine(
      {"env", "--ignore-signal=CHLD", COMMAND, "run", "grep", "SigIgn", "/proc/self/status"},
      kWithLibrary);
  const uint64_t signals =
      std::stoull("0" + ignored.out.substr(ignored.out.find('\t') + 1), nullptr, 16);
  CHECK((signals >> (SIGCHLD - 1) & 1) == 1);
}

TEST_CASE("The summary escapes control characters in the names of programs and folders") {
  TemporaryFolder folder;
  const std::string program = folder / "victim\x1b[31m";
  std::filesystem::copy_file(VICTIM, program);
  const Output output =
      Gpusan({"run", "--output=" + (folder / "o\x1b[31m"), program, "error", "kill"});
  CHECK(output.code == 128 + SIGKILL);
  CHECK_THAT(output.err, Contains("victim\\x1b[31m' was ended by signal 9") &&
                             Contains("gpusan: records: " + (folder / "o\\x1b[31m\n")) &&
                             !Contains("\x1b"));
}

TEST_CASE("A report does not replace a record that it reads") {
  TemporaryFolder folder;
  Gpusan({"run", "--output=" + (folder / "o"), VICTIM, "note"});
  const std::string file = std::filesystem::directory_iterator(folder / "o")->path().string();
  const std::string records = Content(file);
  for (const std::string& input : {file, folder / "o"}) {
    const Output report = Gpusan({"report", "-o", file, input});
    CHECK(report.code == 70);
    CHECK(report.err == "gpusan: --output: " + file + ": is also read; name another file\n");
  }
  CHECK(Content(file) == records);
  CHECK(Gpusan({"report", "-o", folder / "o/report.txt", folder / "o"}).code == 0);
}

TEST_CASE("Kept records give the same report later, without the ones that were there before") {
  TemporaryFolder folder;
  const std::string out = folder / "o";
  const Output first = Gpusan({"run", "--output=" + out, VICTIM, "error"});
  const Output second = Gpusan({"run", "--output=" + out, VICTIM, "call"});
  REQUIRE(first.code == 66);
  REQUIRE(second.code == 0);
  CHECK(Gpusan({"report", "--fail-on=error", out}).code == 66);
  const Output report = Gpusan({"report", out});
  REQUIRE(report.code == 0);
  // The report knows of two processes and names the one of the finding.
  REQUIRE(std::regex_replace(report.out, std::regex(" \\(pid [0-9]+\\)\n"), "\n") ==
          first.err.substr(0, first.err.find("\n\ngpusan: 1 error") + 1));
  REQUIRE_THAT(report.out, EndsWith("\n") && Contains("SUMMARY: gpusan: error"));
  REQUIRE_THAT(
      report.err,
      StartsWith("gpusan: 1 error in 2 processes\ngpusan:   error   1x  host-buffer-overrun"));
}

TEST_CASE("A truncated file is reported as far as it goes") {
  TemporaryFolder folder;
  Gpusan({"run", "--output=" + (folder / "o"), VICTIM, "note"});
  const std::string file = std::filesystem::directory_iterator(folder / "o")->path().string();
  const std::string records = Content(file);
  std::filesystem::resize_file(file, records.size() - 10);
  const Output report = Gpusan({"report", file});
  REQUIRE(report.code == 70);
  REQUIRE_THAT(report.out, StartsWith("gpusan: note: host-buffer-overrun"));
  REQUIRE_THAT(report.err, StartsWith("gpusan: " + file + ":" + std::to_string(Lines(records)) +
                                      ": the last record is truncated and was skipped\n"));
}

TEST_CASE("Unreadable files are one line each") {
  TemporaryFolder folder;
  const Output none = Gpusan({"report", folder / "none"});
  CHECK(none.code == 70);
  CHECK_THAT(none.err, StartsWith("gpusan: cannot read " + (folder / "none") +
                                  ": No such file or directory\n"));
  const Output empty = Gpusan({"report", folder.path()});
  CHECK(empty.code == 70);
  CHECK_THAT(empty.err, StartsWith("gpusan: no record files (*.jsonl) in " + folder.path() + "\n"));
}

TEST_CASE("Symbols are omitted if the file is not the one that ran") {
  TemporaryFolder folder;
  std::ofstream(folder / "r.jsonl")
      << R"({"type":"process","version":1,"pid":1})"
      << "\n"
      << R"({"type":"module","id":1,"path":")" VICTIM R"(","build_id":"0123"})"
      << "\n"
      << R"({"type":"finding","rule":"leak","severity":"note","site":[[1,4660]],"fingerprint":"v0-1"})"
      << "\n"
      << R"({"type":"end","reason":"exit"})"
      << "\n";
  const Output report = Gpusan({"report", folder / "r.jsonl"});
  REQUIRE(report.code == 0);
  REQUIRE_THAT(report.err, Contains(VICTIM " is not the file that ran"));
  REQUIRE_THAT(report.out, Contains("    #0 (" VICTIM "+0x1234)\n"));
}

}  // namespace
}  // namespace gpusan
