// Normalizes frames and hashes them.
#include "report/findings/stable_fingerprint.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "report/base/sha256.h"
#include "report/text/gpu_drivers.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

constexpr std::string_view kPrefix = "v1-";

std::string ModuleName(const std::string& path) {
  std::string name(BaseName(path));
  // "libx.so.1.2" and "libx-1.2.so": the text after ".so" changes with releases.
  const size_t so = name.find(".so.");
  if (so != std::string::npos) name.resize(so + 3);
  return name;
}

bool IsOfSystem(const std::string& path) {
  for (const char* folder : {"/usr/lib", "/lib", "/usr/local/lib"}) {
    if (path.compare(0, std::strlen(folder), folder) == 0) return true;
  }
  return false;
}

// Files between the program and the functions that it calls, or that call it. They differ between
// hosts.
bool IsBetween(const std::string& path) {
  const std::string_view name = BaseName(path);
  return name.starts_with('[') || name.starts_with("libc.so") ||
         name.starts_with("libpthread.so") || name.starts_with("ld-linux") || IsForwarding(path);
}

std::string PlaceIn(const TextFrame& frame) {
  if (frame.line > 0 && !frame.file.empty()) {
    // Without the function's first line, the line would change with every edit above it.
    if (frame.function_line <= 0) return "column " + std::to_string(frame.column);
    return std::to_string(frame.line - frame.function_line) + ":" + std::to_string(frame.column);
  }
  return "+" + std::to_string(frame.function_offset);
}

std::string InterpretedFrame(const TextFrame& frame, bool library) {
  std::string text =
      frame.language + "|" + std::string(BaseName(frame.file)) + "|" + frame.function;
  // The offset in code that was compiled in the process differs between runs.
  const bool has_place = !IsCompiledInProcess(frame) || frame.line > 0;
  if (has_place && !library) text += "|" + PlaceIn(frame);
  return text;
}

std::string NormalFrame(const TextFrame& frame, bool innermost, const BuildIds& build_ids) {
  const std::string module = ModuleName(frame.module);
  if (frame.module.empty()) return "?";
  if (frame.function.empty()) {
    return module + "|" + build_ids(frame.module) + "|" + std::to_string(frame.offset);
  }
  std::string text = module + "|" + WithoutCloneSuffix(frame.function);
  if (innermost || !IsOfSystem(frame.module)) text += "|" + PlaceIn(frame);
  return text;
}

// Adds texts with their lengths, so that different lists give different bytes.
class Hasher {
 public:
  void Add(std::string_view text) {
    hash_.Add(std::to_string(text.size()) + ":");
    hash_.Add(text);
  }

  void Add(const std::vector<TextFrame>& frames, const BuildIds& build_ids) {
    std::string last;
    bool innermost = true;
    const bool interpreted = std::any_of(frames.begin(), frames.end(),
                                         [](const TextFrame& one) { return one.IsInterpreted(); });
    for (size_t i = 0; i < frames.size(); ++i) {
      const TextFrame& frame = frames[i];
      if (IsBetween(frame.module)) continue;
      const bool library = interpreted && IsLibraryFrame(frames, i);
      if (library && !frame.IsInterpreted()) continue;
      std::string normal = frame.IsInterpreted() ? InterpretedFrame(frame, library)
                                                 : NormalFrame(frame, innermost, build_ids);
      innermost = false;
      if (normal != last) Add(normal);
      last = std::move(normal);
      if (frame.function == "main" && !frame.inlined && !frame.IsInterpreted()) break;
    }
    Add("");
  }

  FindingKey Key() {
    const auto digest = hash_.Digest();
    FindingKey key;
    std::copy_n(digest.begin(), key.bytes.size(), key.bytes.begin());
    return key;
  }

 private:
  Sha256 hash_;
};

int Digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::string WithoutCloneSuffix(const std::string& function) {
  static constexpr std::string_view kSuffixes[] = {".constprop", ".isra",     ".part",
                                                   ".cold",      ".lto_priv", ".llvm"};
  size_t end = function.size();
  // Demanglers print them as " [clone .isra.0]".
  while (end > 0 && function[end - 1] == ']') {
    const size_t clone = function.rfind(" [clone .", end - 1);
    if (clone == std::string::npos) break;
    end = clone;
  }
  std::string name = function.substr(0, end);
  for (const std::string_view suffix : kSuffixes) {
    const size_t at = name.find(suffix);
    if (at != std::string::npos && at > 0) name.resize(at);
  }
  return name;
}

FindingKey KeyOf(const TextFinding& finding, std::string_view api, const BuildIds& build_ids) {
  Hasher hash;
  hash.Add("gpusan finding 1");
  hash.Add(finding.rule);
  hash.Add(api);
  hash.Add(finding.call);
  for (const FindingResource& resource : finding.resources) hash.Add(resource.kind);
  hash.Add("");
  hash.Add(finding.frames, build_ids);
  for (const TextParty& party : finding.parties) {
    hash.Add(party.role);
    hash.Add(party.frames, build_ids);
  }
  return hash.Key();
}

std::string KeyText(const FindingKey& key) {
  return std::string(kPrefix) + HexBytes(key.bytes.data(), key.bytes.size());
}

bool ParseKey(std::string_view text, FindingKey* key) {
  if (text.size() != kPrefix.size() + 32 || text.substr(0, kPrefix.size()) != kPrefix) return false;
  text.remove_prefix(kPrefix.size());
  for (size_t i = 0; i < key->bytes.size(); ++i) {
    const int high = Digit(text[2 * i]);
    const int low = Digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    key->bytes[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return true;
}

}  // namespace gpusan
