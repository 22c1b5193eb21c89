// Wrappers of extension functions, generated from the rows of extension_entry_points.def.
#pragma once

#include <functional>

#include "hooks/opencl/call/attach_path.h"
#include "hooks/opencl/words/extension_types.h"

namespace gpusan::opencl {

// The treatments of rows; extension_entry_points.def explains them.
enum class Treatment { kAsCore, kOwn, kDispatch, kPass };

// Returns the revision of an extension behind the looked-up address; 0 if it is not known.
using RevisionOf = std::function<cl_version(const char* extension)>;

// Returns the address to give to the program for an extension function whose real address is
// `real`, which is not nullptr: a wrapper, or `real` itself if the name has no row, if its row
// needs no wrapper, or if all wrappers of the name belong to other real functions. `path`: the
// attach path of the look-up; the handler calls the driver on the same path. Thread-safe.
void* WrapExtension(const char* name, void* real, AttachPath path, const RevisionOf& revision_of);

// The number of real functions of one name, those of several platforms, that can have a wrapper.
inline constexpr int kRealsPerExtension = 4;

}  // namespace gpusan::opencl
