// Installs a filter of system calls after its start, and goes on using OpenCL: gpusan must make no
// system call in calls without findings that a program does not make by itself. Prints the numbers
// of all others.
//
//   seccomp [finding]    finding: also makes an error, and allows what a finding needs
#define _GNU_SOURCE
#include <CL/cl.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kBytes = 1 << 16, kMost = 512 };
static volatile sig_atomic_t refused[kMost];

static void OnRefused(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)context;
  if (info->si_syscall >= 0 && info->si_syscall < kMost) ++refused[info->si_syscall];
}

// Memory, waiting, reading and writing what is open, the end: what programs, drivers and the C
// library do all the time.
static const int kAllowed[] = {
    SYS_futex,         SYS_read,        SYS_write,           SYS_mmap,   SYS_munmap,
    SYS_brk,           SYS_mprotect,    SYS_madvise,         SYS_mremap, SYS_sched_yield,
    SYS_rt_sigreturn,  SYS_nanosleep,   SYS_clock_nanosleep, SYS_exit,   SYS_exit_group,
    SYS_clock_gettime, SYS_gettimeofday};
enum { kCount = sizeof(kAllowed) / sizeof(kAllowed[0]) };
// And these for a finding and for the end of the record.
static const int kOfFindings[] = {SYS_getpid,         SYS_gettid,          SYS_rt_sigpending,
                                  SYS_rt_sigprocmask, SYS_rt_sigtimedwait, SYS_newfstatat,
                                  SYS_fstat};
enum { kOfFindingsCount = sizeof(kOfFindings) / sizeof(kOfFindings[0]) };

static int Filter(int findings) {
  const int count = kCount + (findings ? kOfFindingsCount : 0);
  struct sock_filter code[kCount + kOfFindingsCount + 4];
  int at = 0;
  code[at++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int i = 0; i < count; ++i) {
    const int number = i < kCount ? kAllowed[i] : kOfFindings[i - kCount];
    code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, count - i, 0);
  }
  code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog program = {(unsigned short)at, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0
             ? 0
             : errno;
}

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;

// Memory of no allocation: each round transfers from another page.
enum { kPages = 400, kPageBytes = 4096 };
static char pages[kPages][kPageBytes];
static int next_page;

static int Work(int rounds) {
  int failed = 0;
  for (int i = 0; i < rounds; ++i) {
    char* host = malloc(kBytes);
    if (host == NULL) return 1;
    for (int j = 0; j < kBytes; ++j) host[j] = (char)j;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, NULL, NULL);
    failed |= clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, host, 0, NULL, NULL);
    const size_t global = 64;
    failed |= clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
    failed |= clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    failed |= clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, host, 0, NULL, NULL);
    failed |= clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kPageBytes,
                                   pages[next_page++ % kPages], 0, NULL, NULL);
    failed |= clFinish(queue);
    failed |= clReleaseMemObject(buffer);
    free(host);
  }
  return failed;
}

int main(int argc, char** argv) {
  const int findings = argc > 1 && strcmp(argv[1], "finding") == 0;
  cl_platform_id platform = NULL;
  cl_device_id device = NULL;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
    return 77;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  const char* source = "kernel void twice(global int* data) { data[get_global_id(0)] *= 2; }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  if (clBuildProgram(program, 1, &device, NULL, NULL, NULL) != CL_SUCCESS) return 77;
  kernel = clCreateKernel(program, "twice", NULL);
  printf("warm: %d\n", Work(20));
  struct sigaction action = {0};
  action.sa_sigaction = OnRefused;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, NULL);
  if (Filter(findings) != 0) return 77;
  const int failed = Work(300);
  if (findings) {
    static char host[kBytes];
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes / 2, NULL, NULL);
    clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, host, 0, NULL, NULL);
    clReleaseMemObject(buffer);
  }
  int others = 0;
  for (int i = 0; i < kMost; ++i) {
    if (refused[i] == 0) continue;
    printf("system call %d: %d times\n", i, (int)refused[i]);
    ++others;
  }
  printf("filtered: %d, others: %d\n", failed, others);
  fflush(stdout);
  _exit(failed != 0 || others != 0);
}
