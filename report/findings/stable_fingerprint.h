// The fingerprint by which findings of different runs, hosts and builds are the same.
//
// Version 1 is the first half of a SHA-256 over check, API, call, kinds of resource, and the frames
// of the site and of every party in order. Of a frame count
//   - the function, without the suffixes that a compiler gives to its clones;
//   - the base name of the loaded file, without what follows ".so";
//   - the place in the function: line less the function's first line, and column; without debug
//     information the offset of the code in the function. In libraries of the system the place
//     counts for the innermost frame only, since their builds differ between hosts.
// A frame without a function counts by file, build-id and offset; one without a file not by its
// address. Frames of the C library, of loaders and of gpusan, those outside of main, and repeats of
// a frame (recursion) do not count.
//
// So it does not change with load addresses, hosts, the order of findings, or a rebuild that leaves
// the functions on these stacks as they are. It needs symbols, therefore the command computes it;
// inside the process findings are counted by the v0 fingerprint of
// report/record/process_fingerprint.h, which changes with every build.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "report/record/text.h"

namespace gpusan {

struct FindingKey {
  std::array<uint8_t, 16> bytes = {};

  bool operator==(const FindingKey&) const = default;
  auto operator<=>(const FindingKey&) const = default;
};

// `build_id` of a loaded file, lower-case hex or empty.
using BuildIds = std::function<std::string(const std::string& module)>;

// `finding` with its symbols.
FindingKey KeyOf(const TextFinding& finding, std::string_view api, const BuildIds& build_ids);

// "v1-" and 32 hex digits.
std::string KeyText(const FindingKey& key);

// False when the text is none of those.
bool ParseKey(std::string_view text, FindingKey* key);

// The function without ".constprop.0", ".isra.1", ".part.2", ".cold", ".lto_priv.3" and the like.
std::string WithoutCloneSuffix(const std::string& function);

}  // namespace gpusan
