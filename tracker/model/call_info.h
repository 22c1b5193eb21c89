// Description of an entry point.
#pragma once

#include "tracker/model/ids.h"

namespace gpusan {

// Has static storage duration. Compared by address.
struct CallInfo {
  const char* name;
  Api api;
  // The names of the parameters that AccessKind::argument counts, from 1 on. nullptr: it counts the
  // arguments of a kernel.
  const char* const* operands = nullptr;
};

}  // namespace gpusan
