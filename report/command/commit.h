// The commit from which the command was built.
#pragma once

namespace gpusan {

// "0123456789ab", or "0123456789ab, changed" if the sources differed from the commit. Empty if it
// is unknown. Written by manifests/packaging/commit.py at build time.
extern const char kCommit[];

}  // namespace gpusan
