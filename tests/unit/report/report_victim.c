/* A program for the tests of the command: its arguments say what it does, one after the other. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void fake_gpu_call(int severity) __attribute__((weak));

static inline __attribute__((always_inline)) void upload(int severity) {
  fake_gpu_call(severity); /* line of the inlined call */
}

static void on_signal(int number) {
  (void)number;
  static const char kText[] = "caught\n";
  if (write(1, kText, sizeof(kText) - 1) < 0) _exit(1);
  _exit(5);
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const char* what = argv[i];
    if (strcmp(what, "call") == 0) fake_gpu_call(-1);
    if (strcmp(what, "note") == 0) upload(0);
    if (strcmp(what, "warning") == 0) upload(1);
    if (strcmp(what, "error") == 0) upload(2);
    if (strcmp(what, "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(what, "fail") == 0) return 3;
    if (strcmp(what, "args") == 0) printf("%s\n", argv[++i]);
    if (strcmp(what, "catch") == 0) signal(SIGTERM, on_signal), signal(SIGUSR1, on_signal);
    if (strcmp(what, "ready") == 0) puts("ready"), fflush(stdout);
    if (strcmp(what, "wait") == 0) pause();
    if (strcmp(what, "child") == 0) {
      if (fork() == 0) return 0;
      wait(NULL);
    }
  }
  return 0;
}
