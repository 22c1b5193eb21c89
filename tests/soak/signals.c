/* A program with a use of its own for SIGUSR2, or none; its argument says which:
 *   default         nothing: the signal kills it
 *   handler         has a handler before it uses OpenCL
 *   later           has a handler from after that on
 *   ignore          ignores the signal
 *   wait            blocks the signal and waits for it
 *   child           the child of a fork that uses no OpenCL
 *   stdin           nothing; the signal comes from outside, until stdin ends
 * Says what became of the signal. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "programs/common/opencl.h"

static volatile sig_atomic_t caught = 0;
static void OnSignal(int number) {
  (void)number;
  caught = 1;
}

static void Use(void) {
  Open(0);
  Close();
}

static void Raise(void) { kill(getpid(), SIGUSR2); }

int main(int count, char** arguments) {
  const char* what = count > 1 ? arguments[1] : "";
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  if (strcmp(what, "handler") == 0) signal(SIGUSR2, OnSignal);
  if (strcmp(what, "ignore") == 0) signal(SIGUSR2, SIG_IGN);
  if (strcmp(what, "wait") == 0) sigprocmask(SIG_BLOCK, &set, NULL);
  Use();
  if (strcmp(what, "later") == 0) signal(SIGUSR2, OnSignal);
  if (strcmp(what, "child") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      Raise();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("child %s\n", WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "lived");
    return 0;
  }
  if (strcmp(what, "stdin") == 0) {
    puts("ready");
    fflush(stdout);
    char c;
    while (read(0, &c, 1) != 0) { /* a handler of the driver's may interrupt it */
    }
  } else {
    Raise();
  }
  if (strcmp(what, "wait") == 0) {
    int number = 0;
    sigwait(&set, &number);
    caught = number == SIGUSR2;
  }
  printf("%s\n", caught ? "caught" : "lived");
  return 0;
}
