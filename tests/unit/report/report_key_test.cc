// Fingerprints: what they depend on, and what not.
#include <catch2/catch.hpp>

#include "report/base/sha256.h"
#include "report/findings/stable_fingerprint.h"

namespace gpusan {
namespace {

std::string Hex(const std::array<uint8_t, 32>& digest) {
  std::string text;
  for (const uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string Sha(std::string_view text) {
  Sha256 hash;
  hash.Add(text);
  return Hex(hash.Digest());
}

TEST_CASE("SHA-256 gives the digests of FIPS 180-4's examples, however the text comes") {
  CHECK(Sha("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(Sha("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(Sha("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  Sha256 million;
  for (int i = 0; i < 10000; ++i) million.Add(std::string(100, 'a'));
  CHECK(Hex(million.Digest()) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TextFrame Frame(std::string function, int line, std::string module = "/opt/app/bin/app") {
  TextFrame frame;
  frame.function = std::move(function);
  frame.file = "/src/a.cc";
  frame.line = line;
  frame.column = 3;
  frame.function_line = 100;
  frame.module = std::move(module);
  frame.offset = 0x1000 + static_cast<uint64_t>(line);
  return frame;
}

TextFinding SomeFinding() {
  TextFinding finding;
  finding.rule = "race";
  finding.severity = Severity::kError;
  finding.call = "clEnqueueReadBuffer";
  finding.what = "w";
  finding.frames = {Frame("upload(int)", 107), Frame("main", 120)};
  finding.parties.push_back({"pending-command", "t", {Frame("main", 110)}});
  finding.resources.push_back({"buffer", 0x1234, 64, "l"});
  return finding;
}

std::string Key(const TextFinding& finding, const std::string& build_id = "aa") {
  return KeyText(KeyOf(finding, "opencl", [&](const std::string&) { return build_id; }));
}

TEST_CASE("Version 1 of the fingerprint does not change") {
  CHECK(Key(SomeFinding()) == "v1-af35973732670cbbec513d514d3a6ba0");
}

TEST_CASE("Addresses, texts, folders, builds and frames outside of main do not count") {
  const std::string key = Key(SomeFinding());
  TextFinding finding = SomeFinding();
  finding.what = "other words";
  finding.resources[0].handle = 0x9999;
  finding.resources[0].bytes = 65;
  finding.parties[0].text = "0x7f00";
  finding.facts.emplace_back("bytes", "5");
  finding.severity = Severity::kWarning;
  for (auto* frames : {&finding.frames, &finding.parties[0].frames}) {
    for (TextFrame& frame : *frames) {
      frame.offset += 0x500;
      frame.line += 40;  // a function was put in front of it
      frame.function_line += 40;
      frame.file = "/home/b/src/a.cc";
      frame.module = "/home/b/app";
    }
  }
  finding.frames[0].function = "upload(int) [clone .constprop.0]";
  finding.frames.push_back(Frame("_start", 1));
  finding.frames.insert(finding.frames.begin(), Frame("clEnqueueReadBuffer", 5,
                                                      "/usr/lib/x86_64-linux-gnu/libOpenCL.so.1"));
  CHECK(Key(finding, "bb") == key);
}

TEST_CASE("Recursion counts once, and libraries of the system by function alone") {
  TextFinding finding = SomeFinding();
  finding.frames = {Frame("upload(int)", 107), Frame("walk", 111), Frame("walk", 111),
                    Frame("std::thread::run", 5, "/usr/lib/x86_64-linux-gnu/libx.so.1.2"),
                    Frame("main", 120)};
  const std::string key = Key(finding);
  finding.frames.insert(finding.frames.begin() + 1, Frame("walk", 111));
  finding.frames[4].line = 77;
  finding.frames[4].module = "/lib/libx.so.1.3";
  CHECK(Key(finding) == key);
}

TEST_CASE("Check, API, call, kind of resource and every place of site and parties count") {
  const std::string key = Key(SomeFinding());
  const auto changed = [&](const std::function<void(TextFinding*)>& change) {
    TextFinding finding = SomeFinding();
    change(&finding);
    return Key(finding) != key;
  };
  CHECK(changed([](TextFinding* f) { f->rule = "host-race"; }));
  CHECK(changed([](TextFinding* f) { f->call = "clEnqueueWriteBuffer"; }));
  CHECK(changed([](TextFinding* f) { f->resources[0].kind = "image"; }));
  CHECK(changed([](TextFinding* f) { f->resources.clear(); }));
  CHECK(changed([](TextFinding* f) { f->frames[0].line = 108; }));
  CHECK(changed([](TextFinding* f) { f->frames[0].column = 4; }));
  CHECK(changed([](TextFinding* f) { f->frames[0].function = "upload(long)"; }));
  CHECK(changed([](TextFinding* f) { f->frames[1].line = 121; }));
  CHECK(changed([](TextFinding* f) { f->frames[0].module = "/opt/app/lib/libapp.so"; }));
  CHECK(changed([](TextFinding* f) { f->parties[0].frames[0].line = 111; }));
  CHECK(changed([](TextFinding* f) { f->parties[0].role = "allocation"; }));
  CHECK(KeyText(KeyOf(SomeFinding(), "cuda", [](const std::string&) { return "aa"; })) != key);
}

TEST_CASE("Without lines the offset in the function counts, without a function file and build") {
  TextFinding finding = SomeFinding();
  finding.frames[0].line = 0;
  finding.frames[0].function_offset = 16;
  const std::string with_symbol = Key(finding);
  finding.frames[0].offset += 64;
  CHECK(Key(finding, "bb") == with_symbol);
  finding.frames[0].function_offset = 17;
  CHECK(Key(finding) != with_symbol);
  finding.frames[0].function.clear();
  const std::string without = Key(finding);
  CHECK(Key(finding, "bb") != without);
  finding.frames[0].offset += 1;
  CHECK(Key(finding) != without);
}

TEST_CASE("Names lose the suffixes that compilers give to clones, and nothing else") {
  CHECK(WithoutCloneSuffix("f.constprop.0") == "f");
  CHECK(WithoutCloneSuffix("f.part.0.isra.1.cold") == "f");
  CHECK(WithoutCloneSuffix("ns::f(int) [clone .isra.0] [clone .cold]") == "ns::f(int)");
  CHECK(WithoutCloneSuffix("operator[](int)") == "operator[](int)");
  CHECK(WithoutCloneSuffix("f[abi:cxx11]") == "f[abi:cxx11]");
}

TEST_CASE("A key is read back from its text, and from no other") {
  const FindingKey key = KeyOf(SomeFinding(), "opencl", [](const std::string&) { return ""; });
  FindingKey read;
  REQUIRE(ParseKey(KeyText(key), &read));
  CHECK(read == key);
  for (const std::string text :
       {"", "v0-0123456789abcdef", "v1-012", "v1-0123456789abcdef0123456789abcdeg",
        "v2-0123456789abcdef0123456789abcdef"}) {
    CHECK_FALSE(ParseKey(text, &read));
  }
}

}  // namespace
}  // namespace gpusan
