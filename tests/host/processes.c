// Every way to make and to leave a process. The first argument says which; the output is the same
// with and without gpusan.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/host/probe.h"

extern char** environ;
static volatile int stop;

static int Wait(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void* Churn(void* argument) {
  while (!stop) {
    void* blocks[16];
    for (int i = 0; i < 16; ++i) blocks[i] = malloc(1500 + 700 * i);
    for (int i = 0; i < 16; ++i) free(blocks[i]);
  }
  return argument;
}

static void UseMemory(void) {
  for (int i = 0; i < 200; ++i) free(realloc(malloc(3000 + i), 60000));
}

static volatile sig_atomic_t ticks;

// Maps and unmaps in a signal handler, as garbage collectors and profilers do.
static void Tick(int number) {
  (void)number;
  const int saved_errno = errno;
  char* page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) {
    page[0] = 1;
    munmap(page, 8192);
  }
  ++ticks;
  errno = saved_errno;
}

// Signals that arrive inside of malloc, of our tables and of the unwinder.
static int SignalStorm(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = Tick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval often = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &often, NULL);
  while (ticks < 3000) UseMemory();
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  return ticks >= 3000;
}

static void InHandler(void) { free(malloc(4000)); }

// Forks while other threads are inside of malloc; children use memory, threads and the probe.
static int ForkStorm(void) {
  pthread_t threads[3];
  pthread_atfork(InHandler, InHandler, InHandler);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, Churn, NULL);
  int good = 0;
  for (int i = 0; i < 60; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      UseMemory();
      if (i % 3 == 0) PROBE_CALL(activate);
      if (i % 2 == 0) _exit(7);
      exit(7);
    }
    UseMemory();
    good += Wait(child) == 7;
  }
  stop = 1;
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return good;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (strcmp(what, "child") == 0) {
    UseMemory();
    printf("child here: %s\n", argc > 2 ? argv[2] : "");
    return 5;
  }
  if (strcmp(what, "idle") != 0) PROBE_CALL(activate);
  PROBE_CALL(count, +1);
  UseMemory();
  char* child_argv[] = {argv[0], "child", "x", NULL};
  if (strcmp(what, "fork-storm") == 0) {
    printf("good children %d\n", ForkStorm());
  } else if (strcmp(what, "signal-storm") == 0) {
    printf("signals %d\n", SignalStorm());
  } else if (strcmp(what, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      PROBE_CALL(activate);
      UseMemory();
      exit(9);
    }
    printf("child %d\n", Wait(child));
  } else if (strcmp(what, "fork-quiet") == 0) {
    const pid_t child = fork();
    if (child == 0) exit(9);
    printf("child %d\n", Wait(child));
  } else if (strcmp(what, "fork-exec") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      execv("/nonexistent/program", child_argv);
      execl(argv[0], argv[0], "child", "by execl", (char*)NULL);
      _exit(99);
    }
    printf("child %d\n", Wait(child));
  } else if (strcmp(what, "vfork") == 0) {
    const pid_t child = vfork();
    if (child == 0) {
      execve(argv[0], child_argv, environ);
      _exit(99);
    }
    printf("child %d\n", Wait(child));
    const pid_t failed = vfork();
    if (failed == 0) {
      execve("/nonexistent/program", child_argv, environ);
      _exit(88);
    }
    printf("child %d\n", Wait(failed));
  } else if (strcmp(what, "spawn") == 0) {
    pid_t child = 0;
    if (posix_spawn(&child, argv[0], NULL, NULL, child_argv, environ) != 0) return 1;
    printf("child %d\n", Wait(child));
    printf("system %d\n", WEXITSTATUS(system("exit 6")));
    FILE* pipe = popen("echo from a pipe", "r");
    char line[64] = "";
    if (pipe == NULL || fgets(line, sizeof(line), pipe) == NULL) return 1;
    printf("%s", line);
    printf("pclose %d\n", pclose(pipe));
  } else if (strcmp(what, "exec") == 0) {
    printf("failed exec %d\n", execl("/nonexistent/program", "program", (char*)NULL));
    char* environment[] = {"ONLY=this", NULL};
    (void)environment;
    execle(argv[0], argv[0], "child", "by execle", (char*)NULL, environ);
    return 1;
  } else if (strcmp(what, "exec-failed") == 0) {
    const int code = execvp("nonexistent-program-of-gpusan", child_argv);
    printf("failed exec %d %d\n", code, errno == ENOENT);
  } else if (strcmp(what, "_exit") == 0) {
    _exit(11);
  } else if (strcmp(what, "_Exit") == 0) {
    _Exit(12);
  } else if (strcmp(what, "quick_exit") == 0) {
    quick_exit(13);
  } else if (strcmp(what, "abort") == 0) {
    abort();
  } else if (strcmp(what, "kill") == 0) {
    kill(getpid(), SIGKILL);
  } else if (strcmp(what, "term") == 0) {
    kill(getpid(), SIGTERM);
  } else if (strcmp(what, "thread-exit") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, Churn, NULL);
    exit(14);  // with a thread inside of malloc
  } else if (strcmp(what, "closed") == 0) {
    close(0);
    close(2);
    for (int fd = 3; fd < 256; ++fd) close(fd);
    UseMemory();
    printf("still here\n");
  }
  return 0;
}
