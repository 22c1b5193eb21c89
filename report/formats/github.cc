// The format github: workflow commands, which GitHub Actions shows as annotations of the lines.
#include <string>
#include <string_view>

#include "report/base/printable.h"
#include "report/formats/formats.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

// GitHub shows 10 annotations of each level in a step.
constexpr uint64_t kMostShown = 10;

// Workflow commands end at the line, and their properties at ',' and ':'.
std::string Escaped(std::string_view text, bool property) {
  std::string escaped;
  for (const char c : text) {
    if (c == '%' || c == '\n' || c == '\r' || (property && (c == ',' || c == ':'))) {
      static constexpr char kHex[] = "0123456789ABCDEF";
      escaped += '%';
      escaped += kHex[static_cast<unsigned char>(c) >> 4];
      escaped += kHex[static_cast<unsigned char>(c) & 15];
    } else {
      escaped += c;
    }
  }
  return escaped;
}

const char* CommandOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      break;
  }
  return "notice";
}

std::string Annotation(const ReadFinding& finding, const std::string& root) {
  const TextFinding& text = finding.text;
  std::string line = std::string("::") + CommandOf(text.severity) + " ";
  const TextFrame* frame = ProgramFrame(text.frames);
  if (frame != nullptr && !frame->file.empty() && frame->line > 0) {
    line += "file=" + Escaped(Printable(RelativeTo(root, frame->file)), true) +
            ",line=" + std::to_string(frame->line) + ",";
    if (frame->column > 0) line += "col=" + std::to_string(frame->column) + ",";
  }
  std::string title = "gpusan: " + text.rule;
  if (!text.call.empty()) title += " in " + text.call;
  line += "title=" + Escaped(Printable(title), true) + "::";
  std::string message = text.what;
  if (!text.why.empty()) message += "\nwhy: " + text.why;
  for (const TextParty& party : text.parties) {
    message += "\n" + party.role + (party.text.empty() ? "" : ": " + party.text);
    const std::string place = LongLocation(party.frames, root.substr(0, root.size() - 1));
    if (!place.empty()) message += " at " + place;
  }
  if (!text.fix.empty()) message += "\nfix: " + text.fix;
  return line + Escaped(Printable(message, /*lines=*/true), false) + "\n";
}

}  // namespace

std::string WriteGithub(Collector* collector, Output* output) {
  const std::string root = SourceRoot(collector->options());
  const auto most = static_cast<uint64_t>(collector->options().max_findings);
  uint64_t written[3] = {};
  uint64_t left_out = 0;
  for (const uint32_t index : collector->table().Ranked()) {
    const FindingGroup& group = collector->table().groups()[index];
    if (group.suppression != 0) continue;
    uint64_t& of_severity = written[static_cast<int>(group.severity)];
    ReadFinding finding;
    if (most != 0 && of_severity >= most) {
      ++left_out;
    } else if (collector->Example(group, &finding)) {
      ++of_severity;
      output->Write(Annotation(finding, root));
    }
  }
  if (left_out > 0)
    return CountText(left_out, "finding has", "findings have") +
           " no annotation; --max-findings=0 writes all";
  for (const uint64_t count : written) {
    if (count > kMostShown)
      return "GitHub shows " + std::to_string(kMostShown) +
             " annotations of each level in a step; the format sarif has no such limit";
  }
  return "";
}

}  // namespace gpusan
