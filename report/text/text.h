// The text layout of a finding, for stderr of the process and for the `gpusan` command.
//
//   gpusan: error: host-buffer-overrun in clEnqueueWriteImage at bad.c:42:7 (rank 1, pid 77)
//     what: ...
//     why: ...
//     where:
//       #0 upload() bad.c:42:7
//          42 |   clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, 0,
//          0);
//             |   ^
//       ... 3 frames in libframework.so
//       #4 main bad.c:60:3
//     allocation: ...
//       #0 main bad.c:12:18
//     about: image #1 "albedo", 64 KiB (65536 B), handle 0xabc
//     fix: ...
//   SUMMARY: gpusan: error host-buffer-overrun clEnqueueWriteImage bad.c:42
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/text/call_site.h"
#include "tracker/model/finding.h"

namespace gpusan {

struct TextParty {
  std::string role;
  std::string text;
  std::vector<TextFrame> frames;
  SourceExcerpt excerpt;
};

// The address of a numbered handle in the texts: "buffer", "#1", "0x5581".
struct NumberedHandle {
  std::string kind;
  std::string number;
  std::string address;
};

struct TextFinding {
  Severity severity = Severity::kError;
  std::string rule;
  std::string call;  // may be empty
  bool has_code = false;
  int64_t code = 0;
  std::string code_name;
  std::string what, why, fix;
  std::vector<TextFrame> frames;
  SourceExcerpt excerpt;
  std::vector<TextParty> parties;
  std::vector<FindingResource> resources;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<NumberedHandle> handles;  // of NumberHandles; empty: the texts have addresses
  std::string process;  // "rank 3, pid 77" where there is more than one process; else empty
  std::string seen;     // how often and where; empty: once, here
};

struct TextStyle {
  bool color = false;
  int width = 0;            // columns to wrap texts at; 0: never
  std::string base_folder;  // source files below it are shown relative to it
  bool verbose = false;     // whole names, all frames
  bool brief = false;       // the first line, what, the other parties and the fix
};

// The style for output to a descriptor (OutputWidth and WantsColor of report/base/terminal.h), -1
// for a file. `color` is a value of the option of that name. The base folder is the current folder.
TextStyle StyleFor(int fd, std::string_view color = "auto");

// Returns the finding in the layout above, with a final newline. The results of this function and
// of the two functions below are Printable.
std::string FormatFinding(const TextFinding& finding, const TextStyle& style);

// The same with only the first line, `what` and SUMMARY, for a finding with the check, call and
// location of an earlier finding. `same_event`: the earlier finding was about the same event, with
// another severity.
std::string FormatRepeatedFinding(const TextFinding& finding, const TextStyle& style,
                                  bool same_event);

// "#0 upload() bad.c:42:7", or without lines "#0 upload()+0x2a (/usr/lib/x.so+0x1234)".
std::string FormatFrame(int number, const TextFrame& frame, const TextStyle& style);

// Whether the call returned a code that means failure. Zero is success in every API, and
// replaces the code of a function without a result.
bool HasFailed(const TextFinding& finding);

// "4 B", "64 KiB (65536 B)": rounded to a tenth of a binary unit, followed by the exact number.
std::string FormatBytes(uint64_t bytes);

// `text` in bold and in the colour of the severity; unchanged if the style has no colour.
std::string ColorSeverity(Severity severity, std::string_view text, const TextStyle& style);

}  // namespace gpusan
