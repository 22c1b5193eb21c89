// Description of an entry point.
#pragma once

#include "tracker/model/ids.h"

namespace gpusan {

// Has static storage duration. Compared by address.
struct CallInfo {
  const char* name;
  Api api;
};

}  // namespace gpusan
