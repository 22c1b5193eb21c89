// Options: what GPUSAN_OPTIONS may say and what is answered to what it may not.
#include <catch2/catch.hpp>

#include <sstream>

#include "report/options/flags.h"
#include "report/options/nearest.h"
#include "report/options/options.h"
#include "report/text/redaction.h"

namespace gpusan {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("Without a text every option has its default") {
  Options options;
  REQUIRE(ParseOptions("", "GPUSAN_OPTIONS", &options).empty());
  REQUIRE(options.record == "gpusan.%x.%p.jsonl");
  REQUIRE(options.print);
  REQUIRE(options.host_block_min == 1024);
}

TEST_CASE("Values of every type are parsed") {
  Options options;
  REQUIRE(ParseOptions("print=0:host_block_min=4K:record=/tmp/a.jsonl:leaks=off", "GPUSAN_OPTIONS",
                       &options)
              .empty());
  REQUIRE_FALSE(options.print);
  REQUIRE_FALSE(options.leaks);
  REQUIRE(options.host_block_min == 4096);
  REQUIRE(options.record == "/tmp/a.jsonl");
}

TEST_CASE("A bool needs no value, empty parts are skipped, and dashes equal underscores") {
  Options options;
  REQUIRE(ParseOptions("::help::host-block-min=2:", "GPUSAN_OPTIONS", &options).empty());
  REQUIRE(options.help);
  REQUIRE(options.host_block_min == 2);
}

TEST_CASE("A value with a colon may be quoted or escaped") {
  for (const char* text : {"record='C:/a b'", "record=\"C:/a b\"", "record=C\\:/a b"}) {
    Options options;
    REQUIRE(ParseOptions(text, "GPUSAN_OPTIONS", &options).empty());
    REQUIRE(options.record == "C:/a b");
  }
}

TEST_CASE("A quoted value is unchanged after it is written and parsed") {
  for (std::string value : {"plain", "a:b", "a\\b", "it's", "say \"x\":'y'\\", ""}) {
    Options options;
    REQUIRE(ParseOptions("record=" + QuoteOptionValue(value), "GPUSAN_OPTIONS", &options).empty());
    REQUIRE(options.record == value);
  }
}

TEST_CASE("An unknown option is named with its origin and the nearest known one, and ignored") {
  Options options;
  const auto complaints = ParseOptions("pirnt=0:leaks=0", "GPUSAN_OPTIONS", &options);
  REQUIRE(complaints.size() == 1);
  REQUIRE_THAT(
      complaints[0],
      Contains("unknown option 'pirnt' in GPUSAN_OPTIONS, column 1; did you mean 'print'?"));
  REQUIRE(options.print);
  REQUIRE_FALSE(options.leaks);
}

TEST_CASE("An unknown option that resembles nothing points to the list") {
  Options options;
  const auto complaints = ParseOptions("zzzzqqqq=0", "GPUSAN_OPTIONS", &options);
  REQUIRE(complaints.size() == 1);
  REQUIRE_THAT(complaints[0], Contains("help=1"));
}

TEST_CASE("An old spelling sets the option under its new name") {
  Options options;
  std::vector<std::string> given;
  REQUIRE(ParseOptions("opencl_door=off:cuda-door=cupti", "GPUSAN_OPTIONS", &options,
                       OptionScope::kProcess, &given)
              .empty());
  REQUIRE(options.opencl_attach == "off");
  REQUIRE(options.cuda_attach == "cupti");
  REQUIRE(given == std::vector<std::string>{"opencl_attach", "cuda_attach"});
  REQUIRE(FindOption("vulkan_door") == FindOption("vulkan_attach"));
}

TEST_CASE("A value that is not one of the choices is rejected with a list of the choices") {
  Options options;
  REQUIRE_THAT(SetOption("vulkan_attach", "preload", "", OptionScope::kProcess, &options),
               Contains("it must be one of auto, layer, off"));
  REQUIRE(options.vulkan_attach == "auto");
  REQUIRE_THAT(FlagHelp("report"), Contains("--format=text|json|"));
}

TEST_CASE("A repeated flag of a list adds to it") {
  const ParsedFlags flags = ParseFlags(
      {"--report=sarif:a,junit:b", "--require=cuda", "--report", "html:c", "program"}, "run", true);
  CHECK(flags.complaint.empty());
  CHECK(flags.options().report == "sarif:a,junit:b,html:c");
  CHECK(flags.options().require == "cuda");
  Options options;
  CHECK_THAT(SetOption("require", "opencl,gl", "", OptionScope::kCommand, &options),
             Contains("its elements must be of opencl, cuda, vulkan"));
  CHECK(SetOption("require", "opencl,vulkan", "", OptionScope::kCommand, &options).empty());
}

TEST_CASE("Arguments are redacted by globs") {
  using Words = std::vector<std::string>;
  const Words words = {"app", "--token=abc", "--password", "secret", "-v", "key-1", "--password"};
  CHECK(Redacted(words, "") == words);
  CHECK(Redacted(words, "--token=*,--password,key-*") == Words{"app", "--token=[redacted]",
                                                               "--password", "[redacted]", "-v",
                                                               "[redacted]", "[redacted]"});
  CHECK(Redacted(words, "nothing") == words);
}

TEST_CASE("A bad value leaves the option unchanged, and the message names the valid values") {
  for (const char* text : {"host_block_min=", "host_block_min=-1", "host_block_min=1x",
                           "host_block_min=0x10", "host_block_min=99999999999999999999",
                           "host_block_min=9999999999999G", "host_block_min=K"}) {
    Options options;
    const auto complaints = ParseOptions(text, "GPUSAN_OPTIONS", &options);
    CAPTURE(text);
    REQUIRE(complaints.size() == 1);
    REQUIRE_THAT(complaints[0], Contains("'host_block_min'") && Contains("GPUSAN_OPTIONS") &&
                                    Contains("the value stays 1024"));
    REQUIRE(options.host_block_min == 1024);
  }
  Options options;
  REQUIRE_THAT(ParseOptions("print=maybe", "GPUSAN_OPTIONS", &options).at(0),
               Contains("it must be 1 or 0"));
}

TEST_CASE("An option that needs a value and has none is an error") {
  Options options;
  const auto complaints = ParseOptions("record", "GPUSAN_OPTIONS", &options);
  REQUIRE(complaints.size() == 1);
  REQUIRE_THAT(complaints[0], Contains("has no value"));
  REQUIRE(options.record == "gpusan.%x.%p.jsonl");
}

TEST_CASE("Options of the command are rejected in the process") {
  Options options;
  const auto complaints = ParseOptions("fail_on=note", "GPUSAN_OPTIONS", &options);
  REQUIRE(complaints.size() == 1);
  REQUIRE_THAT(complaints[0], Contains("gpusan run --fail_on"));
  REQUIRE(options.fail_on == "error");
}

TEST_CASE("Advice is off by default, and all other checks are on") {
  constexpr RuleInfo kSome[] = {{"race", Severity::kError, "synchronization", ""},
                                {"leak", Severity::kError, "lifetime", ""},
                                {"implicit", Severity::kNote, kAdviceGroup.data(), ""},
                                {"pageable", Severity::kNote, kAdviceGroup.data(), ""}};
  Options options;
  CHECK(DisabledRules(options, kSome) == 0b1100);
  options.enable = "pageable";
  CHECK(DisabledRules(options, kSome) == 0b0100);
  options.enable = "pageable, implicit,race";
  CHECK(DisabledRules(options, kSome) == 0);
  options.disable = " leak ,implicit";
  CHECK(DisabledRules(options, kSome) == 0b0110);
}

TEST_CASE("A check that is not known is named with its place and the nearest one") {
  Options options;
  REQUIRE_FALSE(ParseOptions("disable=race,leek", "GPUSAN_OPTIONS", &options).empty());
  CHECK(ParseOptions("disable=race,leek", "GPUSAN_OPTIONS", &options).front() ==
        "bad value 'race,leek' for option 'disable' in GPUSAN_OPTIONS, column 1: unknown check "
        "'leek'; did you mean 'leak'?");
  CHECK(options.disable.empty());
  CHECK(SetOption("enable", "everything", "flag --enable", OptionScope::kCommand, &options) ==
        "bad value 'everything' for option 'enable' in flag --enable: unknown check 'everything'; "
        "gpusan --list-checks names them");
  CHECK(SetOption("disable", "race, leak", "flag --disable", OptionScope::kCommand, &options) ==
        "");
  CHECK(options.disable == "race, leak");
}

TEST_CASE("The help table has each option of its scope with its default") {
  const std::string table = OptionHelp(OptionScope::kProcess, "");
  for (int i = 0; i < kOptionCount; ++i) {
    CAPTURE(kOptions[i].name);
    const std::string name = "\n  " + std::string(kOptions[i].name);
    const bool listed = ("\n" + table).find(name + "=") != std::string::npos ||
                        ("\n" + table).find(name + " ") != std::string::npos;
    REQUIRE(listed == (kOptions[i].scope == OptionScope::kProcess));
  }
  REQUIRE_THAT(table, Contains("(default: 1024)"));
}

TEST_CASE("Options are listed as they are written: choices, numbers, switches") {
  const std::string flags = FlagHelp("run");
  CHECK_THAT(flags, Contains("  --fail-on=note|warning|error|new|never\n"));
  CHECK_THAT(flags, Contains("  --color=auto|always|never "));
  CHECK_THAT(flags, Contains("  --repeat=N "));
  CHECK_THAT(flags, Contains("  --print-config "));
  CHECK_THAT(flags, Contains("  --[no-]leaks "));
  CHECK_THAT(flags, Contains("  --quiet "));
  CHECK_THAT(flags, !Contains("=bool"));
  CHECK_THAT(OptionHelp(OptionScope::kProcess, ""), Contains("  leaks=0|1 "));
}

TEST_CASE("The help fits the columns, and its texts begin in one column") {
  std::istringstream lines(FlagHelp("run", 80));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
    const bool is_option = line.compare(0, 4, "  --") == 0;
    const size_t text = line.find_first_not_of(' ', is_option ? line.find("  ", 4) : 0);
    if (text != std::string::npos) CHECK(text == 30);
  }
}

TEST_CASE("The distance counts insertions, deletions, replacements and swaps") {
  REQUIRE(EditDistance("", "abc") == 3);
  REQUIRE(EditDistance("fail-on", "fail_on") == 0);
  REQUIRE(EditDistance("pirnt", "print") == 1);
  REQUIRE(EditDistance("kitten", "sitting") == 3);
}

}  // namespace
}  // namespace gpusan
