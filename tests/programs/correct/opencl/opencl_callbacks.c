// Callbacks of events and buffers free memory, set user events and enqueue commands.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "common/opencl.h"

// The callback of a command that has ended frees the host block that the command read.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER;
static int is_freed;

static void CL_CALLBACK FreeBlock(cl_event event, cl_int status, void* block) {
  (void)event;
  if (status != CL_COMPLETE) abort();
  free(block);
  pthread_mutex_lock(&mutex);
  is_freed = 1;
  pthread_cond_signal(&freed);
  pthread_mutex_unlock(&mutex);
}

static void CallbackFreesHostBlock(void) {
  Open(0);
  char* data = calloc(1, 8192);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 0, NULL, &written));
  OK(clSetEventCallback(written, CL_COMPLETE, FreeBlock, data));
  OK(clFlush(queue));
  pthread_mutex_lock(&mutex);
  while (!is_freed) pthread_cond_wait(&freed, &mutex);
  pthread_mutex_unlock(&mutex);
  OK(clReleaseEvent(written));
  OK(clFinish(queue));
  CLOSE(buffer);
}

// The callback of one command sets the user event that another queue's command waits for.
static atomic_int set;

static void CL_CALLBACK SetNext(cl_event event, cl_int status, void* next) {
  (void)event;
  OK(clSetUserEventStatus((cl_event)next, status));
  atomic_store(&set, 1);
}

static void CallbackSetsUserEvent(void) {
  Open(0);
  cl_command_queue second = NewQueue(0);
  static int result[1024];
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_event next = MADE(clCreateUserEvent(context, &error));
  cl_event filled, read;
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(result), 0, NULL, &filled));
  OK(clSetEventCallback(filled, CL_COMPLETE, SetNext, next));
  OK(clEnqueueReadBuffer(second, buffer, CL_FALSE, 0, sizeof(result), result, 1, &next, &read));
  OK(clFlush(queue));
  OK(clWaitForEvents(1, &read));
  printf("%d\n", result[1023]);
  OK(clFinish(queue));
  // What waits may go on before the call that sets the event has returned, which still uses it.
  while (!atomic_load(&set)) sched_yield();
  CLOSE(read, filled, next, buffer, second);
}

// The callback of an event enqueues a command, flushes, sets a user event and asks for times; it does not block.
static cl_mem buffer;
static cl_event next;
static atomic_int done;

static void CL_CALLBACK OnComplete(cl_event event, cl_int status, void* data) {
  (void)status, (void)data;
  static const cl_int two = 2;
  cl_ulong end = 0;
  OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(two), &two, 0, NULL, NULL));
  OK(clFlush(queue));
  OK(clSetUserEventStatus(next, CL_COMPLETE));
  atomic_store(&done, 1);
}

static void CallsInCallback(void) {
  Open(CL_QUEUE_PROFILING_ENABLE);
  const cl_int one = 1;
  buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  next = MADE(clCreateUserEvent(context, &error));
  cl_event filled;
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 4096, 0, NULL, &filled));
  OK(clSetEventCallback(filled, CL_COMPLETE, OnComplete, NULL));
  OK(clFlush(queue));
  OK(clWaitForEvents(1, &next));
  while (atomic_load(&done) == 0) continue;
  OK(clFinish(queue));
  CLOSE(filled, next, buffer);
}

// The host block of a buffer is freed by the buffer's destructor callback, whenever that comes.
static void CL_CALLBACK DestructorCallbackFreeBlock(cl_mem buffer, void* block) {
  (void)buffer;
  free(block);
}

static void DestructorCallback(void) {
  Open(0);
  char* data = aligned_alloc(4096, 8192);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
  OK(clSetMemObjectDestructorCallback(buffer, DestructorCallbackFreeBlock, data));
  const cl_int zero = 0;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 8192, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  OK(clFinish(queue));
  Close();
}

int main(void) {
  CallbackFreesHostBlock();
  CallbackSetsUserEvent();
  CallsInCallback();
  DestructorCallback();
}
