// Handlers of the process for faults.
#include "tracker/memory/fault_handlers.h"

#include <signal.h>

namespace gpusan {

bool MayRepeatAccesses() {
  struct sigaction action;
  if (sigaction(SIGSEGV, nullptr, &action) != 0) return true;
  const bool none = (action.sa_flags & SA_SIGINFO) == 0 &&
                    (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN);
  return !none && (action.sa_flags & SA_RESETHAND) == 0;
}

}  // namespace gpusan
