// The `gpusan` command: options, their sources, wrong command lines, and help.
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "report/options/options.h"
#include "tests/unit/report/report_gpusan.h"
#include "tracker/model/rule_ids.h"

namespace gpusan {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

TEST_CASE(
    "An error before the start prints one line and returns 70, and the program does not run") {
  TemporaryFolder folder;
  std::ofstream(folder / "bad") << "race:a\nrac:b\n";
  std::ofstream(folder / "text") << "hello\n";
  struct Case {
    std::vector<std::string> words;
    Variables variables;
    std::string complaint;
  };
  const std::vector<Case> cases = {
      {{"run"}, {}, "gpusan: no program to run; see 'gpusan run --help'\n"},
      {{"run", "--"}, {}, "gpusan: no program to run; see 'gpusan run --help'\n"},
      {{"run", "nonesuch-program"},
       {},
       "gpusan: cannot run 'nonesuch-program': No such file or directory\n"},
      {{"run", folder / "text"},
       {},
       "gpusan: cannot run '" + (folder / "text") + "': Permission denied\n"},
      {{"run", folder.path()},
       {},
       "gpusan: cannot run '" + folder.path() + "': Permission denied\n"},
      {{"run", "--fial-on=note", "echo", "x"},
       {},
       "gpusan: unknown flag '--fial-on' of 'gpusan run'; did you mean '--fail-on'?\n"},
      {{"run", "-q", "echo", "x"},
       {},
       "gpusan: unknown flag '-q' of 'gpusan run'; 'gpusan run --help' lists the known ones\n"},
      {{"run", "--fail-on=bad", "echo", "x"},
       {},
       "gpusan: bad value 'bad' for option 'fail_on' in flag --fail-on: it must be one of note, "
       "warning, error, new, never\n"},
      {{"run", "--host-block-min=x", "echo", "x"},
       {},
       "gpusan: bad value 'x' for option 'host_block_min' in flag --host-block-min; it must be a "
       "number that is not negative, "
       "such as 1024 or 1K; the value stays 1024\n"},
      {{"run", "--fail-on"}, {}, "gpusan: flag '--fail-on' has no value; write --fail-on=...\n"},
      {{"run", "--disable=rase", "echo", "x"},
       {},
       "gpusan: bad value 'rase' for option 'disable' in flag --disable: unknown check 'rase'; did "
       "you mean 'race'?\n"},
      {{"run", "--suppressions=" + (folder / "none"), "echo", "x"},
       {},
       "gpusan: suppressions: " + (folder / "none") + ": No such file or directory\n"},
      {{"run", "--suppressions=" + (folder / "bad"), "echo", "x"},
       {},
       "gpusan: suppressions: " + (folder / "bad") +
           ":2:1: unknown check 'rac'; did you mean 'race'?\n"},
      {{"run", "--output=/dev/null/x", "echo", "x"},
       {},
       "gpusan: --output: /dev/null/x: Not a directory\n"},
      {{"run", "--record=a/b.jsonl", "echo", "x"},
       {},
       "gpusan: flag --record: the value for 'gpusan run' must be a file name that "
       "contains .jsonl, without a folder; name the folder with --output\n"},
      {{"run", "echo", "x"},
       {{"GPUSAN_LIBRARY", folder / "no.so"}},
       "gpusan: cannot load the library: " + (folder / "no.so") + ": No such file or directory\n"},
      {{"run", "echo", "x"},
       {{"GPUSAN_LIBRARY", folder / "text"}},
       "gpusan: cannot load the library: " + (folder / "text") + ": not a shared library\n"},
      {{"rnu"}, {}, "gpusan: unknown command 'rnu'; did you mean 'run'?\n"},
      {{"report"}, {}, "gpusan: no record file named; see 'gpusan report --help'\n"},
      {{"report", "--sup=x", "f"},
       {},
       "gpusan: unknown flag '--sup' of 'gpusan report'; 'gpusan report --help' lists the known "
       "ones\n"},
  };
  for (const Case& one : cases) {
    const Output output = Gpusan(one.words, one.variables);
    CAPTURE(one.words);
    CHECK(output.code == 70);
    CHECK(output.out.empty());
    CHECK(output.err == one.complaint);
  }
}

TEST_CASE("An invalid part of GPUSAN_OPTIONS is reported once, and the other parts are used") {
  const Output output = Gpusan({"run", VICTIM, "call"},
                               {{"GPUSAN_OPTIONS", "leaks=0:pirnt=1:host_block_min=7:record=x"}});
  REQUIRE(output.code == 0);
  REQUIRE(output.err ==
          "gpusan: unknown option 'pirnt' in GPUSAN_OPTIONS, column 9; did you mean 'print'? "
          "(ignored)\n"
          "gpusan: option 'record' in GPUSAN_OPTIONS is not used by gpusan run; use --output\n"
          "gpusan: no findings in 1 process\n");
}

TEST_CASE("Options reach the process, flags before GPUSAN_OPTIONS") {
  TemporaryFolder folder;
  const std::string out = folder / "a:b %p 'c'/d";
  const Output output =
      Gpusan({"run", "--host-block-min=2K", "--no-leaks", "--output", out, VICTIM, "call"},
             {{"GPUSAN_OPTIONS", "host_block_min=7:max_per_fingerprint=3"}});
  REQUIRE(output.code == 0);
  std::string records;
  for (const auto& entry : std::filesystem::directory_iterator(out)) {
    CHECK_THAT(entry.path().filename().string(),
               StartsWith("report_victim.") && EndsWith(".jsonl"));
    records += Content(entry.path().string());
  }
  REQUIRE_THAT(records, Contains("\"host_block_min\":2048"));
  REQUIRE_THAT(records, Contains("\"leaks\":0"));
  REQUIRE_THAT(records, Contains("\"max_per_fingerprint\":3"));
  REQUIRE_THAT(output.err, Contains("gpusan: records: " + out + "\n"));
}

TEST_CASE("The environment names the library for each attach path") {
  const std::string script = "echo \"$LD_PRELOAD|$OPENCL_LAYERS\"";
  const std::string library = FAKE_LIBRARY;
  CHECK(Gpusan({"run", "sh", "-c", script}).out == library + "|" + library + "\n");
  CHECK(Gpusan({"run", "--opencl-attach=preload", "sh", "-c", script}).out == library + "|\n");
  CHECK(Gpusan({"run", "sh", "-c", script}, {{"OPENCL_LAYERS", "/x.so"}}).out ==
        library + "|/x.so:" + library + "\n");
}

TEST_CASE("A library whose path has blanks and colons is loaded through a link") {
  TemporaryFolder folder;
  const std::string home = folder / "a b:c";
  const std::string temporary = folder / "tmp";
  std::filesystem::create_directories(home);
  std::filesystem::create_directories(temporary);
  std::filesystem::copy_file(FAKE_LIBRARY, home + "/libgpusan.so");
  const Variables variables = {{"GPUSAN_LIBRARY", home + "/libgpusan.so"}, {"TMPDIR", temporary}};
  CHECK(Gpusan({"run", VICTIM, "error"}, variables).code == 66);
  CHECK(std::filesystem::is_empty(temporary));
  const Output environment = Gpusan({"run", "--quiet", "env"}, variables);
  CHECK_THAT(environment.out, Contains("LD_PRELOAD=" + temporary + "/gpusan-library.") &&
                                  Contains("\nVK_ADD_LAYER_PATH=" + temporary));
}

TEST_CASE("An attach path that is switched off is named with the setting that did it") {
  const std::string seen = "gpusan: no call of a GPU API was seen\n";
  const std::string cuda = "gpusan: CUDA was not watched: it was switched off by ";
  CHECK(Gpusan({"run", "--cuda-attach=off", "true"}).err == seen + cuda + "--cuda-attach=off\n");
  CHECK(Gpusan({"run", "true"}, {{"GPUSAN_OPTIONS", "cuda_attach=off"}}).err ==
        seen + cuda + "cuda_attach=off in GPUSAN_OPTIONS\n");
  CHECK(Gpusan({"run", "--cuda-attach=preload", "true"}, {{"GPUSAN_OPTIONS", "cuda_attach=off"}})
            .err == seen);
  CHECK_THAT(Gpusan({"run", "--opencl-attach=off", VICTIM, "error"}).err,
             EndsWith("gpusan: OpenCL was not watched: it was switched off by "
                      "--opencl-attach=off\n"));
  CHECK(Gpusan({"run", "--quiet", "--cuda-attach=off", "true"}).err.empty());
}

TEST_CASE("The old spelling of an option still works, and the new one is named once") {
  const std::string once =
      "gpusan: option 'cuda-door' is now called 'cuda-attach'; the old name still works\n";
  CHECK(Gpusan({"run", "--cuda-door=off", "true"}).err ==
        once + "gpusan: no call of a GPU API was seen\n" +
            "gpusan: CUDA was not watched: it was switched off by --cuda-attach=off\n");
}

TEST_CASE("gpusan names the tool of CUDA_INJECTION64_PATH that it replaces") {
  const Variables other = {{"CUDA_INJECTION64_PATH", "/tool.so"}};
  const std::string print = "echo $CUDA_INJECTION64_PATH";
  const Output asked = Gpusan({"run", "--cuda-attach=cupti", "sh", "-c", print}, other);
  CHECK(asked.out == FAKE_LIBRARY "\n");
  CHECK_THAT(asked.err, StartsWith("gpusan: CUDA_INJECTION64_PATH is /tool.so, which "
                                   "--cuda-attach=cupti replaces"));
  const Output left = Gpusan({"run", "sh", "-c", print}, other);
  CHECK(left.out == "/tool.so\n");
  CHECK_THAT(left.err,
             StartsWith("gpusan: CUDA_INJECTION64_PATH is /tool.so: gpusan watches CUDA by "
                        "LD_PRELOAD alone, and not in programs that bypass it\n"));
  CHECK_THAT(Gpusan({"run", "--cuda-attach=preload", "true"}, other).err,
             !Contains("CUDA_INJECTION64_PATH"));
}

TEST_CASE("A tool that the CUDA driver loads gets its variables unset") {
  TemporaryFolder folder;
  const std::string tool = folder / "compute-sanitizer";
  std::ofstream(tool) << "#!/bin/sh\n"
                         "echo \"$CUDA_INJECTION64_PATH,$NVTX_INJECTION64_PATH,$LD_PRELOAD\"\n";
  REQUIRE(chmod(tool.c_str(), 0700) == 0);
  const Output run = Gpusan({"run", tool});
  CHECK(run.out == ",," FAKE_LIBRARY "\n");
  CHECK_THAT(run.err, StartsWith("gpusan: CUDA_INJECTION64_PATH is left to compute-sanitizer: "));
  CHECK_THAT(Gpusan({"run", "--cuda-attach=cupti", tool}).err,
             StartsWith("gpusan: compute-sanitizer does not work with --cuda-attach=cupti"));
}

TEST_CASE("Options set colour and the amount of text") {
  CHECK_THAT(Gpusan({"run", VICTIM, "error"}).err, !Contains("\033"));
  CHECK_THAT(Gpusan({"run", "--color=always", VICTIM, "error"}).err, Contains("\033[1;31merror"));
  const Output brief = Gpusan({"run", "-v", "--brief", VICTIM, "call", "error"});
  CHECK_THAT(brief.err, !Contains("where:") && Contains("  allocation: 256 B block at "));
  CHECK_THAT(Gpusan({"run", "--brief", "-v", VICTIM, "error"}).err, Contains("where:"));
  const Output bad = Gpusan({"run", "--color=red", VICTIM});
  CHECK_THAT(bad.err, Contains("it must be one of auto, always, never"));
}

TEST_CASE("The version has a short flag, and the checks are aligned") {
  CHECK(Gpusan({"-V"}).out == Gpusan({"--version"}).out);
  std::istringstream lines(Gpusan({"--list-checks"}).out);
  std::set<size_t> columns;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 2, "  ") != 0) continue;
    const size_t severity = line.find_first_not_of(' ', line.find(' ', 2));
    columns.insert(severity);
    columns.insert(1000 + line.find_first_not_of(' ', line.find(' ', severity)));
  }
  CHECK(columns.size() == 2);
}

TEST_CASE("Flags override GPUSAN_OPTIONS, which overrides the options file") {
  TemporaryFolder folder;
  std::ofstream(folder / "o.conf") << "sample_interval = 11\nhost_block_min = 12\nleaks = no\n"
                                      "print=1\n[report]\nformat = json\n[run]\nfail_on = note\n";
  const std::string config = "--config=" + (folder / "o.conf");
  const Output printed =
      Gpusan({"run", config, "--sample-interval=31", "--print-config"},
             {{"GPUSAN_OPTIONS", "sample_interval=21:host_block_min=22:fail_on=error"}});
  CHECK(printed.code == 0);
  CHECK(printed.err.empty());
  const auto line = [](std::string setting, const std::string& origin) {
    setting.resize(40, ' ');
    return "\n" + setting + "# " + origin + "\n";
  };
  CHECK_THAT(printed.out, Contains(line("sample_interval = 31", "flag --sample-interval")) &&
                              Contains(line("host_block_min = 22", "GPUSAN_OPTIONS")) &&
                              Contains(line("leaks = 0", (folder / "o.conf") + ":3")) &&
                              Contains(line("fail_on = error", "GPUSAN_OPTIONS")) &&
                              Contains(line("strict = 0", "default")) && !Contains("format"));
  // The file alone, and what is printed as a file.
  std::ofstream(folder / "printed.conf") << printed.out;
  const Output again = Gpusan({"run", "--config", folder / "printed.conf", "--print-config"});
  CHECK_THAT(again.out, Contains("sample_interval = 31") && Contains("printed.conf:"));
  CHECK(Gpusan({"run", config, VICTIM, "note"}).code == 66);
  CHECK(
      Gpusan({"run", VICTIM, "note"}, {{"GPUSAN_OPTIONS", "config=" + (folder / "o.conf")}}).code ==
      66);
  CHECK_THAT(Gpusan({"report", config, "--print-config"}).out,
             Contains("format = json") && !Contains("sample_interval"));
}

TEST_CASE("An error in an options file is reported with line, column and fix") {
  TemporaryFolder folder;
  std::ofstream(folder / "bad.conf") << "# soak\nleks = 1\nhost_block_min = x1\n";
  const Output output = Gpusan({"run", "--config=" + (folder / "bad.conf"), "echo", "x"});
  CHECK(output.code == 70);
  CHECK(output.out.empty());
  CHECK(output.err ==
        "gpusan: " + (folder / "bad.conf") +
            ":2:1: unknown option 'leks'; did you mean 'leaks'?\ngpusan: " + (folder / "bad.conf") +
            ":3:18: bad value 'x1' for option 'host_block_min'; it must be a number "
            "that is not negative, such as 1024 or 1K; the value stays 1024\n");
  const Output none = Gpusan({"report", "--config=" + (folder / "none"), "x"});
  CHECK(none.code == 70);
  CHECK(none.err == "gpusan: " + (folder / "none") + ": No such file or directory\n");
}

TEST_CASE("A process without the command reads its options file") {
  TemporaryFolder folder;
  std::ofstream(folder / "o.conf") << "record = '" << (folder / "%x.jsonl")
                                   << "'\nleks = 1\n"
                                      "host_block_min = 77\nfail_on = new\n[run]\nstrict = 1\n";
  const Output output = RunCommandLine(
      {VICTIM, "call"}, {{"LD_PRELOAD", FAKE_LIBRARY},
                         {"OPENCL_LAYERS", ""},
                         {"GPUSAN_OPTIONS", "print_config:config='" + (folder / "o.conf") + "'"}});
  CHECK(output.code == 0);
  CHECK_THAT(output.err, StartsWith("gpusan: " + (folder / "o.conf") +
                                    ":2:1: unknown option 'leks'; did you mean 'leaks'?\n") &&
                             Contains("# " + (folder / "o.conf") + ":3\n") && !Contains("fail_on"));
  const std::string records = Content(folder / "report_victim.jsonl");
  CHECK_THAT(records, Contains("\"host_block_min\":77") && Contains("\"strict\":0"));
}

TEST_CASE("Checks, version and help are on stdout with exit code 0") {
  const Output checks = Gpusan({"--list-checks"});
  CHECK(checks.code == 0);
  for (const RuleInfo& rule : kRules)
    CHECK_THAT(checks.out, Contains("  " + std::string(rule.id) + " ") && Contains(rule.help));
  // With the commit where the sources are in a repository.
  CHECK_THAT(Gpusan({"--version"}).out,
             Catch::Matchers::Matches(
                 "gpusan [0-9]+\\.[0-9]+\\.[0-9]+( \\(commit [0-9a-f]+(, changed)?\\))?\n"));
  CHECK_THAT(Gpusan({"--help"}).out, Contains("gpusan run") && Contains("gpusan report"));
  const Output run = Gpusan({"run", "--help"});
  CHECK(run.code == 0);
  for (int i = 0; i < kOptionCount; ++i) {
    std::string flag = kOptions[i].name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    if (!Takes(kOptions[i], "run")) continue;
    CHECK_THAT(run.out, Contains("  --" + flag) || Contains("  --[no-]" + flag));
  }
  CHECK_THAT(Gpusan({"report", "--help"}).out,
             Contains("--suppressions=") && Contains("--format=") && !Contains("leaks"));
}

TEST_CASE("help=1 prints the table of options from inside the process") {
  const Output output = Gpusan({"run", VICTIM, "call"}, {{"GPUSAN_OPTIONS", "help=1"}});
  REQUIRE(output.code == 0);
  REQUIRE_THAT(output.err,
               Contains("gpusan: options, as GPUSAN_OPTIONS=") && Contains("  host_block_min=N"));
}

TEST_CASE("The man page names every option, every check and every exit code") {
  std::string page = Content(MAN_PAGE);
  page.erase(std::remove(page.begin(), page.end(), '\\'), page.end());
  for (int i = 0; i < kOptionCount; ++i) {
    std::string flag = kOptions[i].name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    CAPTURE(flag);
    CHECK_THAT(page, Contains("--" + flag));
    if (kOptions[i].scope == OptionScope::kProcess) CHECK_THAT(page, Contains(kOptions[i].name));
  }
  for (const RuleInfo& rule : kRules) CHECK_THAT(page, Contains(rule.id));
  for (const char* code : {"66", "70"}) CHECK_THAT(page, Contains(code));
}

}  // namespace
}  // namespace gpusan
