// The text layout of a finding, for stderr of the process and for the `gpusan` command.
//
//   gpusan: error: host-buffer-overrun in clEnqueueWriteImage, which returned CL_SUCCESS (0)
//     what: ...
//     why: ...
//     where:
//       #0 upload() bad.c:42:7
//     allocation: ...
//       #0 main bad.c:12:18
//     fix: ...
//   SUMMARY: gpusan: error host-buffer-overrun clEnqueueWriteImage bad.c:42
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracker/model/finding.h"

namespace gpusan {

// One frame, with the fields that are known.
struct TextFrame {
  std::string function;  // demangled; empty: not known
  std::string file;      // source file; empty: not known
  int line = 0;          // from 1; 0: not known
  int column = 0;        // from 1; 0: not known
  std::string module;    // path of the loaded file; empty: not known
  uint64_t offset =
      0;  // in that file, of the return address; without a module the absolute address
  uint64_t function_offset =
      0;                  // from the begin of the function; shown where file and line are not known
  bool inlined = false;   // into the next frame
  int function_line = 0;  // where the function begins, in its file; 0: not known
};

struct TextParty {
  std::string role;
  std::string text;
  std::vector<TextFrame> frames;
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
  std::vector<TextParty> parties;
  std::vector<FindingResource> resources;
  std::vector<std::pair<std::string, std::string>> facts;
  std::string seen;  // how often and where; empty: once, here
};

struct TextStyle {
  bool color = false;
  int width = 0;            // columns to wrap texts at; 0: never
  std::string base_folder;  // source files below it are shown relative to it
};

// The style for a descriptor: the width of the terminal and colour (none with NO_COLOR or
// TERM=dumb) on a terminal, plain text elsewhere. The base folder is the current folder.
TextStyle StyleFor(int fd);

// The finding in the layout above, with a final newline. The result
// and those of the two functions below are Printable.
std::string FormatFinding(const TextFinding& finding, const TextStyle& style);

// "#0 upload() bad.c:42:7", or without lines "#0 upload()+0x2a (/usr/lib/x.so+0x1234)".
std::string FormatFrame(int number, const TextFrame& frame, const TextStyle& style);

// "bad.c:42" (base name) of the innermost frame with a line, where frames of the program precede
// those of the C library; else "module+0x12" of the innermost frame; else "unknown". No spaces.
std::string ShortLocation(const std::vector<TextFrame>& frames);

// The innermost frame of the program itself: not of the ICD loader or gpusan, and one with a line
// if any has one; nullptr without frames.
const TextFrame* ProgramFrame(const std::vector<TextFrame>& frames);

// "4 B", "64 KiB (65536 B)": rounded to a tenth of a binary unit, followed by the exact number.
std::string FormatBytes(uint64_t bytes);

// `text` in bold and in the colour of the severity; unchanged if the style has no colour.
std::string ColorSeverity(Severity severity, std::string_view text, const TextStyle& style);

}  // namespace gpusan
