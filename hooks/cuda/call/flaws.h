// Flaws: the findings about a command's arguments, kept as text so that the report of a device
// fault can name them beside the command. Thread-safe.
#pragma once

#include <string>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// The findings of the call so far, notes excluded, as one text; skips the first `from` findings.
// Empty if there are none.
std::string FlawsOf(const CuCall& call, size_t from = 0);
// Keeps FlawsOf(call) for the command. Keeps the newest texts of a fixed number of commands.
void NoteFlaws(const CuCall& call, const Command& command);
// The text that NoteFlaws kept for the command with that epoch; empty if there is none.
std::string NotedFlaws(Epoch epoch);

}  // namespace gpusan::cuda
