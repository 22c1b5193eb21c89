// The description of an entry point.
#pragma once

#include "tracker/model/ids.h"

namespace gpusan {

// Static for the life of the process; compared by address.
struct CallInfo {
  const char* name;
  Api api;
};

}  // namespace gpusan
