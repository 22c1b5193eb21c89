// Tasks and the order in which they run: what a GPU's queues do, with the order chosen by the test.
//
// A task runs after its predecessors, and nothing else is promised. GPUSAN_FAKE_CUDA_ORDER says who
// runs when:
//   fifo   one thread a lane (a stream, a branch of a graph) runs the lane's tasks in the order of
//   submission eager  a task has run before the call that submitted it returns late   nothing runs
//   before somebody waits for it; of what is not ordered, the last submitted runs first
// Everything here is called with the driver's lock held, except Task::run.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_SCHEDULER_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_SCHEDULER_H_

#include <cuda.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace fake {

struct Context;
struct Task;
using TaskPtr = std::shared_ptr<Task>;

enum class Order { kFifo, kEager, kLate };
Order TheOrder();

// The one lock of the driver. Held by every entry point, released while a call waits and while a
// task runs.
extern std::mutex& lock;

// Bytes that a task touches, so that "late" finds the unordered task that would spoil them.
struct Access {
  uintptr_t begin;
  uintptr_t end;
  bool write;
};

struct Task {
  std::function<CUresult()> run;  // without the lock; an error is the context's from then on
  std::function<bool()> ready;    // with the lock; a stream memory operation waits for it
  std::vector<Access> accesses;
  std::shared_ptr<Context> context;

  // The scheduler's own.
  uint64_t sequence = 0;
  size_t unmet = 0;
  std::vector<TaskPtr> predecessors;
  std::vector<TaskPtr> successors;
  bool wanted = false;
  bool running = false;
  bool done = false;
  int64_t finished_ns = 0;
};

// A thread's worth of tasks. The thread starts with the first task and ends with the last owner.
struct Lane {
  ~Lane();
  struct Queue {
    std::deque<TaskPtr> tasks;
    bool closed = false;
  };
  std::shared_ptr<Queue> queue;
};

// Submits a task after `predecessors` (null and finished ones are passed over).
void Submit(Lane& lane, const TaskPtr& task, const std::vector<TaskPtr>& predecessors);
// Waits until the tasks are done.
void Wait(const std::vector<TaskPtr>& tasks);
// Waits until all that was submitted to the context so far (to every context, if null) is done.
void WaitForContext(const Context* context);
// True when the task is done. In "late" order, asking lets one task run, so that a program which
// polls gets on.
bool Poll(const TaskPtr& task);
bool PollContext(const Context* context);
// A value in memory changed: tasks with `ready` are asked again.
void Changed();
int64_t NowNs();

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_SCHEDULER_H_
