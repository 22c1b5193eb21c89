// The fingerprint that is equal for the same finding in different runs, on different hosts and in
// different builds.
//
// Version 1 is the first half of a SHA-256 over check, API, call, kinds of resource, and the frames
// of the call site and of every party in order. A frame contributes
//   - the function, without the suffixes that a compiler gives to its clones;
//   - the base name of the loaded file, without the text after ".so";
//   - the position in the function: the line less the function's first line, and the column;
//   without
//     debug information the offset of the code in the function. In system libraries only the
//     innermost frame contributes its position, since their builds differ between hosts.
// In a stack with functions of an interpreter, such as Python, these functions contribute, and the
// other frames only outside of libraries. A function contributes language, base name of the file,
// name and position; without position in a package that is installed apart from the program. The
// position of code outside of functions is the number of lines with code before it. Functions that
// a runtime compiled inside the process contribute their position only if their lines are known.
//
// A frame without a function contributes file, build-id and offset; a frame without a file does not
// contribute its address. Frames of the C library, of loaders and of gpusan, frames outside of
// main, and repeated frames (recursion) are skipped.
//
// The fingerprint does not depend on load addresses, hosts or the order of findings, and survives a
// rebuild that does not change the functions on these stacks. It needs symbols, so the command
// computes it; inside the process the v0 fingerprint of report/record/process_fingerprint.h, which
// changes with every build, counts findings.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "report/text/text.h"

namespace gpusan {

struct FindingKey {
  std::array<uint8_t, 16> bytes = {};

  bool operator==(const FindingKey&) const = default;
  auto operator<=>(const FindingKey&) const = default;
};

// `build_id` of a loaded file, lower-case hex or empty.
using BuildIds = std::function<std::string(const std::string& module)>;

// The fingerprint of a finding with symbols. Thread-safe, like the functions below.
FindingKey KeyOf(const TextFinding& finding, std::string_view api, const BuildIds& build_ids);

// "v1-" and 32 hex digits.
std::string KeyText(const FindingKey& key);

// Parses the text of KeyText. Returns false for other text.
bool ParseKey(std::string_view text, FindingKey* key);

// The name of the function without ".constprop.0", ".isra.1", ".part.2", ".cold", ".lto_priv.3" and
// the like.
std::string WithoutCloneSuffix(const std::string& function);

}  // namespace gpusan
