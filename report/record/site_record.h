// Frames of call sites in records.
//
// Thread-safe: nothing here has a state.
#pragma once

#include <cstdint>
#include <span>

#include "report/record/frame_source.h"
#include "report/text/call_site.h"
#include "report/text/json_writer.h"

namespace gpusan {

// Appends the member "site".
void AppendSite(std::span<const RecordFrame> frames, JsonWriter* json);

// The frame of a function that belongs to no loaded file. `module` has a function.
TextFrame SourceTextFrame(const RecordModule& module, uint64_t offset);

}  // namespace gpusan
