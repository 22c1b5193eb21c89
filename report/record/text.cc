// Layout of findings. Looks no symbols up.
#include "report/record/text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "report/base/printable.h"
#include "report/record/gpu_drivers.h"
#include "report/record/json_writer.h"
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

// Breaks the text between words at the width of the style. Lines after the first are indented by
// `indent` blanks.
std::string Wrap(std::string_view text, size_t first_column, size_t indent,
                 const TextStyle& style) {
  const std::string next_line = "\n" + std::string(indent, ' ');
  std::string out;
  size_t column = first_column;
  const size_t width = style.width > 0 ? static_cast<size_t>(style.width) : SIZE_MAX;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = text.find_first_of(" \n", begin);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view word = text.substr(begin, end - begin);
    if (column + word.size() > width && column > indent) {
      while (!out.empty() && out.back() == ' ') out.pop_back();
      out += next_line;
      column = indent;
    }
    out += word;
    column += word.size();
    if (end < text.size()) {
      if (text[end] == '\n') {
        out += next_line;
        column = indent;
      } else {
        out += ' ';
        ++column;
      }
    }
    begin = end + 1;
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '\n')) out.pop_back();
  return out;
}

std::string ShownFile(const std::string& file, const TextStyle& style) {
  const std::string& base = style.base_folder;
  if (base.size() > 1 && file.size() > base.size() + 1 && file.compare(0, base.size(), base) == 0 &&
      file[base.size()] == '/') {
    return file.substr(base.size() + 1);
  }
  return file;
}

bool IsInterposed(const TextFrame& frame) { return IsForwarding(frame.module); }

std::vector<TextFrame>::const_iterator FirstOfProgram(const std::vector<TextFrame>& frames) {
  const auto first = std::find_if_not(frames.begin(), frames.end(), IsInterposed);
  return first == frames.end() ? frames.begin() : first;
}

// Whether the frame is in the C or C++ runtime, which may have lines if debug information is
// installed.
bool IsRuntime(const TextFrame& frame) {
  const std::string_view name = BaseName(frame.module);
  for (const char* runtime : {"libc.so", "libc-", "libpthread.so", "libpthread-", "libstdc++.so",
                              "libgcc_s.so", "ld-linux"}) {
    if (name.starts_with(runtime)) return true;
  }
  return false;
}

// Whether the file is a header of a library, whose inlined code is rarely the cause.
bool IsSystemHeader(const std::string& file) {
  return file.compare(0, 13, "/usr/include/") == 0 || file.compare(0, 13, "/usr/lib/gcc/") == 0;
}

bool IsMain(const TextFrame& frame) { return frame.function == "main" && !frame.inlined; }

// Whether the function is start-up code of a program or thread.
bool IsStart(const TextFrame& frame) {
  if (frame.function == "_start") return true;
  if (!IsRuntime(frame)) return false;
  for (const char* start : {"__libc_start_main", "__libc_start_call_main", "start_thread", "clone",
                            "clone3", "__clone", "__clone3", "execute_native_thread_routine"}) {
    const size_t length = std::strlen(start);
    // Names may carry a version or a variant: __libc_start_main@@GLIBC_2.34, ..._impl.
    if (frame.function.compare(0, length, start) != 0) continue;
    const std::string_view rest = std::string_view(frame.function).substr(length);
    if (rest.empty() || rest.front() == '@' || rest == "_impl") return true;
  }
  return false;
}

// The frames to show: from the innermost frame of the program to its main or the first function of
// a thread. If that leaves none, all frames from the first one on.
std::span<const TextFrame> ShownFrames(const std::vector<TextFrame>& frames) {
  const auto first = FirstOfProgram(frames);
  auto last = first;
  while (last != frames.end() && !IsStart(*last)) {
    if (IsMain(*last++)) break;
  }
  if (last == first) last = frames.end();
  return {frames.data() + (first - frames.begin()), static_cast<size_t>(last - first)};
}

void AppendFrames(const std::vector<TextFrame>& frames, const TextStyle& style, std::string* out) {
  int number = 0;
  for (const TextFrame& frame : ShownFrames(frames))
    *out += "    " + FormatFrame(number++, frame, style) + "\n";
}

void AppendText(std::string_view label, std::string_view text, const TextStyle& style,
                std::string* out) {
  if (text.empty()) return;
  *out += "  " + Paint(kBold, std::string(label) + ":", style) + " " +
          Wrap(text, label.size() + 4, 6, style) + "\n";
}

std::string ResourceText(const FindingResource& resource) {
  std::string text = resource.kind;
  if (!resource.label.empty()) text += " \"" + resource.label + "\"";
  if (resource.handle != 0) text += " " + Hex(resource.handle);
  if (resource.bytes != 0) text += ", " + FormatBytes(resource.bytes);
  return text;
}

TextFrame PrintableFrame(const TextFrame& frame) {
  TextFrame clean = frame;
  clean.function = Printable(frame.function);
  clean.file = Printable(frame.file);
  clean.module = Printable(frame.module);
  return clean;
}

// All but the frames.
TextFinding PrintableFinding(const TextFinding& finding) {
  TextFinding clean = finding;
  for (std::string* text : {&clean.rule, &clean.call, &clean.code_name}) *text = Printable(*text);
  for (std::string* text : {&clean.what, &clean.why, &clean.fix, &clean.seen})
    *text = Printable(*text, /*lines=*/true);
  for (TextParty& party : clean.parties) {
    party.role = Printable(party.role);
    party.text = Printable(party.text, /*lines=*/true);
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

TextStyle StyleFor(int fd) {
  TextStyle style;
  if (isatty(fd) == 1) {
    const char* no_color = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    style.color = (no_color == nullptr || *no_color == '\0') && terminal != nullptr &&
                  std::strcmp(terminal, "dumb") != 0;
    winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) style.width = size.ws_col;
  }
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
    text += " " + Paint(kBold, frame.function, style);
    if (!has_line && frame.function_offset != 0) text += "+" + Hex(frame.function_offset);
  }
  if (has_line) {
    text += " " + ShownFile(frame.file, style) + ":" + std::to_string(frame.line);
    if (frame.column > 0) text += ":" + std::to_string(frame.column);
    if (frame.inlined) text += " (inlined)";
    return text;
  }
  if (frame.module.empty()) return text + " " + Hex(frame.offset);
  return text + " " + Paint(kDim, "(" + frame.module + "+" + Hex(frame.offset) + ")", style);
}

const TextFrame* ProgramFrame(const std::vector<TextFrame>& frames) {
  const std::span<const TextFrame> shown = ShownFrames(frames);
  if (shown.empty()) return nullptr;
  const TextFrame* best = nullptr;
  for (const TextFrame& frame : shown) {
    if (frame.file.empty() || frame.line <= 0 || IsSystemHeader(frame.file)) continue;
    const bool own = !IsRuntime(frame);
    if (best == nullptr || own) best = &frame;
    if (own) break;
  }
  return best != nullptr ? best : &shown.front();
}

std::string ShortLocation(const std::vector<TextFrame>& frames) {
  std::string location = "unknown";
  if (const TextFrame* frame = ProgramFrame(frames); frame != nullptr) {
    const std::string module(BaseName(frame->module));
    if (!frame->file.empty() && frame->line > 0 && !IsSystemHeader(frame->file)) {
      location = std::string(BaseName(frame->file)) + ":" + std::to_string(frame->line);
    } else {
      location = module.empty() ? Hex(frame->offset) : module + "+" + Hex(frame->offset);
    }
  }
  location = Printable(location, /*lines=*/true);
  for (char& c : location) {
    if (c == ' ' || c == '\t' || c == '\n') c = '_';
  }
  return location;
}

std::string FormatFinding(const TextFinding& recorded, const TextStyle& style) {
  const TextFinding finding = PrintableFinding(recorded);
  const std::string severity = SeverityName(finding.severity);
  std::string out = "gpusan: " + ColorSeverity(finding.severity, severity, style) + ": " +
                    Paint(kBold, finding.rule, style);
  if (!finding.call.empty()) out += " in " + Paint(kBold, finding.call, style);
  if (finding.has_code) {
    const std::string number = std::to_string(finding.code);
    out += ", which returned " +
           (finding.code_name.empty() ? number : finding.code_name + " (" + number + ")");
  }
  out += "\n";
  AppendText("what", finding.what, style, &out);
  AppendText("why", finding.why, style, &out);
  if (finding.frames.empty()) {
    if (!finding.call.empty())
      AppendText("where", "not known; the call stack could not be taken", style, &out);
  } else {
    out += "  " + Paint(kBold, "where:", style) + "\n";
    AppendFrames(finding.frames, style, &out);
  }
  for (const TextParty& party : finding.parties) {
    const std::string role = Words(party.role);
    if (party.text.empty()) {
      out += "  " + Paint(kBold, role + ":", style) + "\n";
    } else {
      AppendText(role, party.text, style, &out);
    }
    AppendFrames(party.frames, style, &out);
  }
  std::string about;
  for (const FindingResource& resource : finding.resources) {
    about += (about.empty() ? "" : "; ") + ResourceText(resource);
  }
  AppendText("about", about, style, &out);
  std::string facts;
  for (const auto& [key, value] : finding.facts) {
    if (!facts.empty()) facts += ' ';
    facts.append(key).append("=").append(value);
  }
  AppendText("facts", facts, style, &out);
  AppendText("fix", finding.fix, style, &out);
  AppendText("seen", finding.seen, style, &out);
  out += "SUMMARY: gpusan: " + severity + " " + finding.rule + " " +
         (finding.call.empty() ? "-" : finding.call) + " " + ShortLocation(finding.frames) + "\n";
  return out;
}

}  // namespace gpusan
