// The rule event of a required argument that is NULL.
#pragma once

#include "tracker/calls/call.h"

namespace gpusan::rules {

// A required argument that is NULL, or a required member of a structure that an argument points to.
struct NullArgument {
  const char* owner = "";  // the function or structure
  const char* name = "";   // of the parameter or member
  bool handle = false;     // a handle; otherwise a pointer
  // The valid usage of a pointer that is required only with other state; nullptr: always required.
  const char* vuid = nullptr;
};
void OnNullArgument(const NullArgument& argument, Call& call);

}  // namespace gpusan::rules
