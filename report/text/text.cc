// Layout of findings. Looks no symbols up.
#include "report/text/text.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <span>

#include "report/base/printable.h"
#include "report/base/terminal.h"
#include "report/text/json_writer.h"
#include "report/text/runtime_calls.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

constexpr char kBold[] = "\033[1m";
constexpr char kDim[] = "\033[2m";
constexpr char kReset[] = "\033[0m";

std::string Paint(const char* code, std::string_view text, const TextStyle& style) {
  if (!style.color) return std::string(text);
  return code + std::string(text) + kReset;
}

std::string Words(std::string role) {
  for (char& c : role) {
    if (c == '-' || c == '_') c = ' ';
  }
  return role;
}

// The number of characters of UTF-8 text.
size_t Length(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// The characters [begin, begin + count) of UTF-8 text.
std::string Characters(std::string_view text, size_t begin, size_t count) {
  std::string part;
  size_t index = 0;
  for (const char c : text) {
    if ((c & 0xc0) != 0x80) ++index;
    if (index > begin && index <= begin + count) part += c;
  }
  return part;
}

// The lines of the excerpt with their numbers, and a caret below the marked one. Long lines are cut
// around the caret.
void AppendExcerpt(const SourceExcerpt& excerpt, const TextStyle& style, std::string* out) {
  constexpr size_t kIndent = 6;
  constexpr size_t kWidth = 120;  // of files and pipes
  const size_t context = style.verbose ? 2 : 0;
  const size_t first = excerpt.marked > context ? excerpt.marked - context : 0;
  const std::string last = std::to_string(static_cast<size_t>(excerpt.first_line) + excerpt.marked);
  const size_t width = style.width > 0 ? static_cast<size_t>(style.width) : kWidth;
  const size_t most = std::max(width, kIndent + last.size() + 30) - kIndent - last.size() - 4;
  const size_t caret = excerpt.caret < 0 ? 0 : static_cast<size_t>(excerpt.caret);
  const size_t skipped = caret + 10 > most ? caret + 10 - most : 0;
  const auto gutter = [&](const std::string& number) {
    return std::string(kIndent + last.size() - number.size(), ' ') +
           Paint(kDim, number + " | ", style);
  };
  for (size_t i = first; i <= excerpt.marked && i < excerpt.lines.size(); ++i) {
    std::string line = excerpt.lines[i];
    if (skipped > 0 || Length(line) > most) line = Characters(line, skipped, most);
    *out += gutter(std::to_string(static_cast<size_t>(excerpt.first_line) + i)) + line + "\n";
  }
  if (excerpt.caret < 0) return;
  *out += gutter("") + std::string(caret - skipped, ' ') + Paint("\033[1;32m", "^", style) + "\n";
}

bool SameFrame(const TextFrame& a, const TextFrame& b) {
  return a.module == b.module && a.offset == b.offset && a.function == b.function &&
         a.file == b.file && a.line == b.line && a.column == b.column && a.language == b.language;
}

bool SameFrames(const std::vector<TextFrame>& a, const std::vector<TextFrame>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), SameFrame);
}

// "14 frames in libtorch_cuda.so, libc10.so", for frames[begin] to frames[end - 1].
std::string FoldedText(std::span<const TextFrame> frames, size_t begin, size_t end) {
  constexpr size_t kNamed = 3;
  std::vector<std::string> names;
  for (size_t i = begin; i < end; ++i) {
    std::string name = LibraryName(frames, i);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  std::string text = CountText(end - begin, "frame", "frames") + " in ";
  for (size_t i = 0; i < std::min(names.size(), kNamed); ++i)
    text += (i > 0 ? ", " : "") + Printable(names[i]);
  if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
  return text;
}

void AppendFrames(const std::vector<TextFrame>& frames, const SourceExcerpt& excerpt,
                  const TextStyle& style, std::string* out) {
  constexpr size_t kLeastFolded = 2;
  const std::span<const TextFrame> shown = ShownFrames(frames);
  for (size_t i = 0; i < shown.size();) {
    size_t end = i;
    if (!style.verbose && i > 0) {
      while (end < shown.size() && IsLibraryFrame(shown, end)) ++end;
    }
    if (end - i >= kLeastFolded) {
      *out += "    " + Paint(kDim, "... " + FoldedText(shown, i, end), style) + "\n";
      i = end;
      continue;
    }
    // Recursion.
    end = i + 1;
    while (!style.verbose && end < shown.size() && SameFrame(shown[i], shown[end])) ++end;
    const size_t times = end - i;
    *out += "    " + FormatFrame(static_cast<int>(i), shown[i], style) +
            (times > 1 ? " [" + std::to_string(times) + " times]" : "") + "\n";
    if (excerpt.frame >= 0 && frames.data() + excerpt.frame == &shown[i])
      AppendExcerpt(excerpt, style, out);
    i = end;
  }
}

void AppendText(std::string_view label, std::string_view text, const TextStyle& style,
                std::string* out) {
  if (text.empty()) return;
  *out += "  " + Paint(kBold, std::string(label) + ":", style) + " " +
          Wrapped(text, label.size() + 4, 6, style.width) + "\n";
}

std::string ResourceText(const FindingResource& resource, const TextFinding& finding) {
  const std::string address = Hex(resource.handle);
  const auto numbered =
      std::find_if(finding.handles.begin(), finding.handles.end(),
                   [&](const NumberedHandle& one) { return one.address == address; });
  const bool has_number = resource.handle != 0 && numbered != finding.handles.end();
  std::string text = has_number ? numbered->kind + " " + numbered->number : resource.kind;
  if (!resource.label.empty()) text += " \"" + resource.label + "\"";
  if (resource.handle != 0 && !has_number) text += " " + address;
  if (resource.bytes != 0) text += ", " + FormatBytes(resource.bytes);
  if (has_number) text += ", handle " + address;
  return text;
}

// The resources, and the addresses of what else the texts number.
std::string AboutText(const TextFinding& finding) {
  std::string about;
  const auto add = [&](const std::string& text) { about += (about.empty() ? "" : "; ") + text; };
  for (const FindingResource& resource : finding.resources) add(ResourceText(resource, finding));
  for (const NumberedHandle& one : finding.handles) {
    const bool is_resource = std::any_of(
        finding.resources.begin(), finding.resources.end(),
        [&](const FindingResource& resource) { return Hex(resource.handle) == one.address; });
    if (!is_resource) add(one.kind + " " + one.number + " is " + one.address);
  }
  return about;
}

TextFrame PrintableFrame(const TextFrame& frame) {
  TextFrame clean = frame;
  clean.function = Printable(frame.function);
  clean.file = Printable(frame.file);
  clean.module = Printable(frame.module);
  clean.language = Printable(frame.language);
  return clean;
}

// The names of functions as source files have them: the headers of CUDA and cuBLAS define
// cuMemAlloc as cuMemAlloc_v2.
std::string WithoutVersions(std::string text) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (size_t at = text.find("_v"); at != std::string::npos; at = text.find("_v", at + 1)) {
    size_t begin = at, end = at + 2;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    const std::string_view name = std::string_view(text).substr(begin, at - begin);
    const bool versioned =
        name.starts_with("cublas") || (name.size() > 2 && name.starts_with("cu") &&
                                       std::isupper(static_cast<unsigned char>(name[2])) != 0);
    if (versioned && end > at + 2 && (end == text.size() || !is_word(text[end])))
      text.erase(at, end - at);
  }
  return text;
}

// All but the frames.
TextFinding PrintableFinding(const TextFinding& finding) {
  TextFinding clean = finding;
  for (std::string* text : {&clean.rule, &clean.code_name, &clean.process})
    *text = Printable(*text);
  clean.call = WithoutVersions(Printable(clean.call));
  for (NumberedHandle& one : clean.handles) one.kind = Printable(one.kind);
  for (std::string* text : {&clean.what, &clean.why, &clean.fix, &clean.seen})
    *text = WithoutVersions(Printable(*text, /*lines=*/true));
  for (TextParty& party : clean.parties) {
    party.role = Printable(party.role);
    party.text = WithoutVersions(Printable(party.text, /*lines=*/true));
  }
  for (FindingResource& resource : clean.resources) {
    resource.kind = Printable(resource.kind);
    resource.label = Printable(resource.label);
  }
  for (auto& [key, value] : clean.facts) {
    key = Printable(key);
    value = Printable(value, /*lines=*/true);
  }
  return clean;
}

}  // namespace

TextStyle StyleFor(int fd, std::string_view color) {
  TextStyle style;
  style.color = WantsColor(fd, color);
  style.width = OutputWidth(fd, style.color);
  char folder[4096];
  if (getcwd(folder, sizeof(folder)) != nullptr) style.base_folder = folder;
  return style;
}

std::string ColorSeverity(Severity severity, std::string_view text, const TextStyle& style) {
  switch (severity) {
    case Severity::kError:
      return Paint("\033[1;31m", text, style);
    case Severity::kWarning:
      return Paint("\033[1;33m", text, style);
    case Severity::kNote:
      break;
  }
  return Paint("\033[1;36m", text, style);
}

std::string FormatBytes(uint64_t bytes) {
  std::string exact = std::to_string(bytes) + " B";
  static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return exact;
  int unit = 0;
  double value = static_cast<double>(bytes) / 1024;
  while (value >= 1024 && unit < 5) {
    value /= 1024;
    ++unit;
  }
  char text[64];
  const bool whole = value == static_cast<double>(static_cast<uint64_t>(value));
  std::snprintf(text, sizeof(text), whole ? "%.0f %s (%s)" : "%.1f %s (%s)", value, kUnits[unit],
                exact.c_str());
  return text;
}

std::string FormatFrame(int number, const TextFrame& recorded, const TextStyle& style) {
  const TextFrame frame = PrintableFrame(recorded);
  std::string text = "#" + std::to_string(number);
  const bool has_line = !frame.file.empty() && frame.line > 0;
  if (!frame.function.empty()) {
    text += " " +
            Paint(kBold, style.verbose ? frame.function : ShortFunctionName(frame.function), style);
    if (!has_line && frame.function_offset != 0) text += "+" + Hex(frame.function_offset);
  }
  if (has_line) {
    text += " " + ShownFile(frame.file, style.base_folder) + ":" + std::to_string(frame.line);
    if (frame.column > 0) text += ":" + std::to_string(frame.column);
    if (frame.inlined) text += " (inlined)";
    return text;
  }
  if (frame.IsInterpreted()) {
    if (frame.file.empty()) return text;
    text += " in " + ShownFile(frame.file, style.base_folder);
    return frame.function_line > 0 ? text + " from line " + std::to_string(frame.function_line)
                                   : text;
  }
  if (frame.module.empty()) return text + " " + Hex(frame.offset);
  return text + " " + Paint(kDim, "(" + frame.module + "+" + Hex(frame.offset) + ")", style);
}

namespace {

// Accesses of the host that page protection finds are no calls.
std::string CallText(const std::string& call) {
  if (call == "host-read") return "a host read";
  if (call == "host-write") return "a host write";
  return call;
}

// "gpusan: error: race in clEnqueueReadBuffer at bad.c:42:7, which returned CL_... (-5) (pid 77)".
std::string FirstLine(const TextFinding& finding, const TextStyle& style) {
  std::string line =
      "gpusan: " + ColorSeverity(finding.severity, SeverityName(finding.severity), style) + ": " +
      Paint(kBold, finding.rule, style);
  if (!finding.call.empty()) line += " in " + Paint(kBold, CallText(finding.call), style);
  if (const std::string place = LongLocation(finding.frames, style.base_folder); !place.empty())
    line += " at " + Paint(kBold, place, style);
  if (HasFailed(finding)) {
    const std::string number = std::to_string(finding.code);
    line += ", which returned " +
            (finding.code_name.empty()
                 ? number
                 : CodeNameFor(finding.call, finding.code_name) + " (" + number + ")");
  }
  if (!finding.process.empty()) line += " (" + finding.process + ")";
  return line + "\n";
}

// Without blanks inside its words, for grep. `call`: as in the record.
std::string SummaryLine(const TextFinding& finding, const std::string& call) {
  return std::string("SUMMARY: gpusan: ") + SeverityName(finding.severity) + " " + finding.rule +
         " " + (call.empty() ? "-" : Printable(call)) + " " + ShortLocation(finding.frames) + "\n";
}

void AppendParties(const TextFinding& finding, const TextStyle& style, std::string* out) {
  for (size_t i = 0; i < finding.parties.size(); ++i) {
    const TextParty& party = finding.parties[i];
    const std::string role = Words(party.role);
    std::string text = party.text;
    if (style.brief) {
      const std::string place = LongLocation(party.frames, style.base_folder);
      if (!place.empty()) text += (text.empty() ? "at " : " at ") + place;
    }
    if (text.empty()) {
      *out += "  " + Paint(kBold, role + ":", style) + "\n";
    } else {
      AppendText(role, text, style, out);
    }
    // Parties with one call site show it once, below the last of them.
    const bool again =
        i + 1 < finding.parties.size() && SameFrames(party.frames, finding.parties[i + 1].frames);
    if (!style.brief && !again) AppendFrames(party.frames, party.excerpt, style, out);
  }
}

}  // namespace

bool HasFailed(const TextFinding& finding) { return finding.has_code && finding.code != 0; }

std::string FormatFinding(const TextFinding& recorded, const TextStyle& style) {
  const TextFinding finding = PrintableFinding(recorded);
  std::string out = FirstLine(finding, style);
  AppendText("what", finding.what, style, &out);
  if (style.brief) {
    AppendParties(finding, style, &out);
    AppendText("fix", finding.fix, style, &out);
    return out + SummaryLine(finding, recorded.call);
  }
  AppendText("why", finding.why, style, &out);
  if (finding.frames.empty()) {
    if (!finding.call.empty())
      AppendText("where", "not known; the call stack could not be taken", style, &out);
  } else {
    out += "  " + Paint(kBold, "where:", style) + "\n";
    AppendFrames(finding.frames, finding.excerpt, style, &out);
  }
  AppendParties(finding, style, &out);
  AppendText("about", AboutText(finding), style, &out);
  std::string facts;
  for (const auto& [key, value] : finding.facts) {
    if (!facts.empty()) facts += ", ";
    facts.append(key).append("=").append(value);
  }
  AppendText("facts", facts, style, &out);
  AppendText("fix", finding.fix, style, &out);
  AppendText("seen", finding.seen, style, &out);
  return out + SummaryLine(finding, recorded.call);
}

std::string FormatRepeatedFinding(const TextFinding& recorded, const TextStyle& style,
                                  bool same_event) {
  const TextFinding finding = PrintableFinding(recorded);
  std::string out = FirstLine(finding, style);
  AppendText("what", finding.what, style, &out);
  AppendText("more",
             same_event ? "this finding replaces the one above"
                        : "as above, with other parties; --verbose shows all of it",
             style, &out);
  AppendText("seen", finding.seen, style, &out);
  return out + SummaryLine(finding, recorded.call);
}

}  // namespace gpusan
