// Whether the process has more rights than the user who started it.
#include "report/base/privileges.h"

#include <sys/auxv.h>

namespace gpusan {

bool RunsWithRaisedPrivileges() { return getauxval(AT_SECURE) != 0; }

}  // namespace gpusan
