// Starts another program in a way in which environments get lost, or is that program.
//
//   children gpu                     calls OpenCL, and says so
//   children WAY PROGRAM ARGS...     starts PROGRAM with an environment of its own: exec, execle,
//                                    fexecve, execveat, execveat-file, vfork, spawn, spawnp; with
//                                    an empty one: cleared; by the system call itself: syscall;
//                                    system after clearenv; daemon that outlives this process
#define _GNU_SOURCE
#include <CL/cl.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int Wait(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) != child) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  if (strcmp(way, "gpu") == 0) {
    cl_uint count = 0;
    clGetPlatformIDs(0, NULL, &count);
    printf("platforms: %s\n", count > 0 ? "some" : "none");
    return 0;
  }
  if (argc < 3) return 2;
  char* own[] = {"PATH=/usr/bin:/bin", "OWN=yes", NULL};
  char** program = argv + 2;
  if (strcmp(way, "exec") == 0) {
    execve(program[0], program, own);
  } else if (strcmp(way, "execle") == 0) {
    execle(program[0], program[0], program[1], (char*)NULL, own);
  } else if (strcmp(way, "cleared") == 0) {
    clearenv();
    execv(program[0], program);
  } else if (strcmp(way, "fexecve") == 0) {
    fexecve(open(program[0], O_RDONLY | O_CLOEXEC), program, own);
  } else if (strcmp(way, "execveat") == 0) {
    execveat(AT_FDCWD, program[0], program, own, 0);
  } else if (strcmp(way, "execveat-file") == 0) {
    execveat(open(program[0], O_PATH | O_CLOEXEC), "", program, own, AT_EMPTY_PATH);
  } else if (strcmp(way, "syscall") == 0) {
    syscall(SYS_execve, program[0], program, own);
  } else if (strcmp(way, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      execvpe(program[0], program, own);
      _exit(99);
    }
    return Wait(child);
  } else if (strcmp(way, "vfork") == 0) {
    const pid_t child = vfork();
    if (child == 0) {
      execve(program[0], program, own);
      _exit(99);
    }
    return Wait(child);
  } else if (strcmp(way, "spawn") == 0 || strcmp(way, "spawnp") == 0) {
    pid_t child = 0;
    const int failed = strcmp(way, "spawn") == 0
                           ? posix_spawn(&child, program[0], NULL, NULL, program, own)
                           : posix_spawnp(&child, program[0], NULL, NULL, program, own);
    return failed != 0 ? 98 : Wait(child);
  } else if (strcmp(way, "system") == 0) {
    clearenv();
    char command[4096];
    snprintf(command, sizeof(command), "'%s' '%s'", program[0], argc > 3 ? program[1] : "");
    return WEXITSTATUS(system(command));
  } else if (strcmp(way, "daemon") == 0) {
    if (fork() == 0) {
      setsid();
      if (fork() == 0) {
        for (int fd = 0; fd < 3; ++fd) close(fd);
        execv(program[0], program);
      }
      _exit(0);
    }
    usleep(300000);
    return 0;
  }
  return 97;
}
