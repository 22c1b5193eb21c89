// Options files: what their lines say, and what is answered to lines that are wrong.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "report/options/config.h"
#include "tests/unit/temporary_folder.h"

namespace gpusan {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("A line sets an option, comments and blank lines set none") {
  Configuration configuration;
  REQUIRE(ParseConfig("# night\n\n  host-block-min=4K  # small ones\r\nstrict\nleaks =off\n"
                      "record = C:/a b%p.jsonl\t# no quotes needed\n",
                      "f", "run", &configuration)
              .empty());
  CHECK(configuration.options.host_block_min == 4096);
  CHECK(configuration.options.strict);
  CHECK_FALSE(configuration.options.leaks);
  CHECK(configuration.options.record == "C:/a b%p.jsonl");
  CHECK(configuration.origins ==
        std::map<std::string, std::string>{
            {"host_block_min", "f:3"}, {"strict", "f:4"}, {"leaks", "f:5"}, {"record", "f:6"}});
}

TEST_CASE("A quoted value keeps characters that would end an unquoted one") {
  for (const auto& [line, value] :
       std::vector<std::pair<std::string, std::string>>{{"' a # b '", " a # b "},
                                                        {"\"a \\\" \\\\ b\" # c", "a \" \\ b"},
                                                        {"''", ""},
                                                        {"a#b", "a#b"},
                                                        {"it's", "it's"},
                                                        {"", ""},
                                                        {"# c", ""}}) {
    Configuration configuration;
    CAPTURE(line);
    REQUIRE(ParseConfig("record = " + line, "f", "run", &configuration).empty());
    CHECK(configuration.options.record == value);
  }
}

TEST_CASE("An error is reported with its line, its column and the fix, and the other lines apply") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"leks = 0", "f:2:1: unknown option 'leks'; did you mean 'leaks'?"},
      {" leaks = 2",
       "f:2:10: bad value '2' for option 'leaks'; it must be 1 or 0; the value stays 1"},
      {"leaks 0", "f:2:7: expected '=' after 'leaks'; write 'name = value'"},
      {"= 0", "f:2:1: expected an option before '='"},
      {"record", "f:2:1: option 'record' has no value; write 'record = ...'"},
      {"record = 'a", "f:2:10: the quote that begins here has no end; write ' after the value"},
      {"record = 'a' b",
       "f:2:14: only a comment may follow a quoted value; put all of it between the "
       "quotes"},
      {"strict\nstrict = 0",
       "f:3:1: option 'strict' is set in line 2 already; remove one of the lines"},
      {"config = g", "f:2:1: one options file cannot name another; put its lines here"},
      {"[rum]", "f:2:2: unknown command 'rum'; did you mean 'run'?"},
      {"[run", "f:2:1: this '[' has no ']'"},
      {"[run] leaks", "f:2:7: only a comment may follow ']'"},
      {"[diff]\nformat = json",
       "f:3:1: 'gpusan diff' has no option 'format'; these commands have it: report"},
      {"vulkan_attach = preload",
       "f:2:17: bad value 'preload' for option 'vulkan_attach': it must be one of auto, layer, "
       "off"},
  };
  for (const auto& [lines, complaint] : cases) {
    Configuration configuration;
    CAPTURE(lines);
    CHECK(ParseConfig("host_block_min=1\n" + lines + "\n", "f", "run", &configuration) ==
          Lines{complaint});
    CHECK(configuration.options.host_block_min == 1);
    CHECK(configuration.options.leaks);
    CHECK(configuration.options.vulkan_attach == "auto");
  }
}

TEST_CASE("A section applies only to its command and overrides the lines before it") {
  constexpr char kText[] =
      "fail_on = warning\nleaks = 0\n[diff]\nfail-on = new\n[run]\nleaks = 1\n";
  Configuration run, diff, process;
  REQUIRE(ParseConfig(kText, "f", "run", &run).empty());
  REQUIRE(ParseConfig(kText, "f", "diff", &diff).empty());
  REQUIRE(ParseConfig(kText, "f", "", &process).empty());
  CHECK(run.options.fail_on == "warning");
  CHECK(run.options.leaks);
  CHECK(diff.options.fail_on == "new");
  CHECK(diff.options.leaks);
  CHECK_FALSE(diff.Given("leaks"));
  CHECK_FALSE(process.options.leaks);
  CHECK_FALSE(process.Given("fail_on"));
}

TEST_CASE("The printed configuration is a file that sets the same") {
  Configuration configuration;
  configuration.options.record = " a \"b\" \\ # %p.jsonl";
  configuration.options.strict = true;
  configuration.options.output = "'x'";
  const std::string text = ConfigurationText(configuration, "run");
  Configuration read;
  CHECK(ParseConfig(text, "f", "run", &read) == Lines{});
  CHECK(read.options.record == configuration.options.record);
  CHECK(read.options.output == configuration.options.output);
  CHECK(ConfigurationText(read, "").find("strict = 1") != std::string::npos);
}

TEST_CASE("A folder, and a file that is not an options file, are rejected with one line") {
  Configuration configuration;
  CHECK(LoadConfig("/", "run", &configuration) == Lines{"/: Is a directory"});
  CHECK(LoadConfig("/dev/zero", "run", &configuration) ==
        Lines{"/dev/zero: a device, not a regular file; name a regular file"});
  TemporaryFolder folder;
  // Nobody writes into it: who opened it to read would wait for ever.
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(LoadConfig(folder / "pipe", "run", &configuration) ==
        Lines{folder / "pipe" + ": a pipe, not a regular file; name a regular file"});
  std::ofstream(folder / "large") << std::string((1 << 20) + 1, '\n');
  CHECK(LoadConfig(folder / "large", "run", &configuration) ==
        Lines{folder / "large" + ": larger than 1048576 bytes; shorten it"});
}

TEST_CASE("A line that is too long is one error, and the other lines apply") {
  Configuration configuration;
  CHECK(ParseConfig("disable = " + std::string(100000, 'x') + "\nstrict\n", "f", "run",
                    &configuration) ==
        Lines{"f:1:65537: the line is longer than 65536 characters; shorten it"});
  CHECK(configuration.options.strict);
}

}  // namespace
}  // namespace gpusan
