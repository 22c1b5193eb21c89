// The three orders: a thread a lane, or one thread that runs what is wanted.
#include "scheduler.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <thread>

#include "state.h"

namespace fake {
namespace {

using std::chrono::milliseconds;

// Never destroyed: lanes' threads run until the process is gone.
struct Scheduler {
  std::mutex lock;
  std::condition_variable_any changed;
  std::map<uint64_t, TaskPtr> pending;  // submitted and not done
  std::map<uint64_t, TaskPtr> wanted;   // eager, late: may run now, by sequence
  uint64_t last_sequence = 0;
  size_t waiting_calls = 0;
  bool stuck = false;  // eager: nothing wanted can run
  bool executor_started = false;
  uint64_t calls = 0;  // submissions and waits so far
};

Scheduler& scheduler = *new Scheduler;

// How long "late" lets a program be silent before it runs what is pending after all: a program may
// wait for a host function by other means than the driver's.
constexpr milliseconds kSilence{250};
// How many later tasks "late" looks at for one that conflicts.
constexpr int kLookAhead = 1024;

bool Runnable(const Task& task) { return task.unmet == 0 && (!task.ready || task.ready()); }

void Finish(const TaskPtr& task) {
  task->done = true;
  task->running = false;
  task->finished_ns = NowNs();
  for (const TaskPtr& successor : task->successors) {
    successor->unmet -= 1;
    std::erase(successor->predecessors, task);
  }
  task->successors.clear();
  task->run = nullptr;
  task->context.reset();
  scheduler.pending.erase(task->sequence);
  scheduler.wanted.erase(task->sequence);
  scheduler.changed.notify_all();
}

// With the lock held on entry and exit. What follows a fault in its context does not run any more.
void Run(const TaskPtr& task) {
  task->running = true;
  CUresult result = CUDA_SUCCESS;
  if (task->run && (task->context == nullptr || task->context->sticky == CUDA_SUCCESS)) {
    lock.unlock();
    result = task->run();
    lock.lock();
  }
  if (result != CUDA_SUCCESS && task->context != nullptr) {
    task->context->sticky = result;
    ProcessFault() = result;
  }
  Finish(task);
}

void RunLane(const std::shared_ptr<Lane::Queue>& queue) {
  std::unique_lock<std::mutex> hold(lock);
  while (true) {
    if (queue->tasks.empty()) {
      if (queue->closed) {
        return;
      }
      scheduler.changed.wait(hold);
      continue;
    }
    TaskPtr task = queue->tasks.front();
    if (task->unmet != 0) {
      scheduler.changed.wait(hold);
    } else if (!Runnable(*task)) {
      scheduler.changed.wait_for(hold, milliseconds(1));  // the program may write the value itself
    } else {
      queue->tasks.pop_front();
      Run(task);
    }
  }
}

void Want(const TaskPtr& task) {
  std::vector<TaskPtr> rest = {task};
  while (!rest.empty()) {
    TaskPtr next = rest.back();
    rest.pop_back();
    if (next == nullptr || next->done || next->wanted) {
      continue;
    }
    next->wanted = true;
    scheduler.wanted.emplace(next->sequence, next);
    rest.insert(rest.end(), next->predecessors.begin(), next->predecessors.end());
  }
}

void WantAll() {
  for (const auto& [sequence, task] : scheduler.pending) {
    Want(task);
  }
}

bool Conflict(const Task& a, const Task& b) {
  for (const Access& x : a.accesses) {
    for (const Access& y : b.accesses) {
      if ((x.write || y.write) && x.begin < y.end && y.begin < x.end) {
        return true;
      }
    }
  }
  return false;
}

bool Follows(const Task& task, const Task& earlier) {
  std::set<const Task*> seen;
  std::vector<const Task*> rest = {&task};
  while (!rest.empty()) {
    const Task* next = rest.back();
    rest.pop_back();
    if (next == &earlier) {
      return true;
    }
    for (const TaskPtr& before : next->predecessors) {
      if (before->sequence >= earlier.sequence && seen.insert(before.get()).second) {
        rest.push_back(before.get());
      }
    }
  }
  return false;
}

// "late": the pending task, submitted after `task` and not ordered after it, that touches the same
// bytes.
TaskPtr Spoiler(const Task& task) {
  if (task.accesses.empty()) {
    return nullptr;
  }
  auto next = scheduler.pending.upper_bound(task.sequence);
  for (int i = 0; i < kLookAhead && next != scheduler.pending.end(); ++i, ++next) {
    if (!next->second->wanted && Conflict(task, *next->second) && !Follows(*next->second, task)) {
      return next->second;
    }
  }
  return nullptr;
}

TaskPtr ChooseWanted() {
  auto choose = [](auto begin, auto end) -> TaskPtr {
    for (auto i = begin; i != end; ++i) {
      if (Runnable(*i->second)) {
        return i->second;
      }
    }
    return nullptr;
  };
  return TheOrder() == Order::kLate ? choose(scheduler.wanted.rbegin(), scheduler.wanted.rend())
                                    : choose(scheduler.wanted.begin(), scheduler.wanted.end());
}

// The thread of "eager" and "late".
void RunWanted() {
  std::unique_lock<std::mutex> hold(lock);
  while (true) {
    TaskPtr task = ChooseWanted();
    if (task != nullptr && TheOrder() == Order::kLate) {
      if (TaskPtr spoiler = Spoiler(*task)) {
        Want(spoiler);
        continue;
      }
    }
    if (task != nullptr) {
      scheduler.stuck = false;
      Run(task);
      continue;
    }
    if (!scheduler.wanted
             .empty()) {  // what is left waits for a value in memory: anything may write it
      WantAll();
      if (ChooseWanted() == nullptr) {
        scheduler.stuck = true;
        scheduler.changed.notify_all();
        scheduler.changed.wait_for(hold, milliseconds(1));
      }
      continue;
    }
    scheduler.stuck = true;
    scheduler.changed.notify_all();
    if (scheduler.pending.empty()) {
      scheduler.changed.wait(hold);
      continue;
    }
    const uint64_t calls = scheduler.calls;
    const bool silent = scheduler.changed.wait_for(hold, kSilence) == std::cv_status::timeout;
    if (silent && calls == scheduler.calls && scheduler.waiting_calls == 0) {
      WantAll();
    }
  }
}

void StartExecutor() {
  if (!scheduler.executor_started && TheOrder() != Order::kFifo) {
    scheduler.executor_started = true;
    std::thread(RunWanted).detach();
  }
}

std::vector<TaskPtr> PendingOf(const Context* context) {
  std::vector<TaskPtr> tasks;
  for (const auto& [sequence, task] : scheduler.pending) {
    if (context == nullptr || task->context.get() == context) {
      tasks.push_back(task);
    }
  }
  return tasks;
}

}  // namespace

std::mutex& lock = scheduler.lock;

Order TheOrder() {
  static const Order order = [] {
    const char* text = std::getenv("GPUSAN_FAKE_CUDA_ORDER");
    if (text != nullptr && std::strcmp(text, "eager") == 0) {
      return Order::kEager;
    }
    return text != nullptr && std::strcmp(text, "late") == 0 ? Order::kLate : Order::kFifo;
  }();
  return order;
}

int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Lane::~Lane() {
  if (queue != nullptr) {
    queue->closed = true;
    scheduler.changed.notify_all();
  }
}

void Submit(Lane& lane, const TaskPtr& task, const std::vector<TaskPtr>& predecessors) {
  task->sequence = ++scheduler.last_sequence;
  for (const TaskPtr& before : predecessors) {
    if (before == nullptr || before->done ||
        std::find(task->predecessors.begin(), task->predecessors.end(), before) !=
            task->predecessors.end()) {
      continue;
    }
    task->predecessors.push_back(before);
    task->unmet += 1;
    before->successors.push_back(task);
  }
  scheduler.pending.emplace(task->sequence, task);
  scheduler.calls += 1;
  StartExecutor();
  if (TheOrder() == Order::kFifo) {
    if (lane.queue == nullptr) {
      lane.queue = std::make_shared<Lane::Queue>();
      std::thread(RunLane, lane.queue).detach();
    }
    lane.queue->tasks.push_back(task);
    scheduler.changed.notify_all();
  } else if (TheOrder() == Order::kEager) {
    scheduler.stuck = false;
    Want(task);
    scheduler.changed.notify_all();
    while (!task->done && !scheduler.stuck) {
      scheduler.changed.wait(lock);
    }
  } else {
    scheduler.changed.notify_all();
  }
}

void Wait(const std::vector<TaskPtr>& tasks) {
  scheduler.calls += 1;
  for (const TaskPtr& task : tasks) {
    if (TheOrder() == Order::kLate) {
      Want(task);
    }
  }
  scheduler.waiting_calls += 1;
  scheduler.changed.notify_all();
  for (const TaskPtr& task : tasks) {
    while (task != nullptr && !task->done) {
      scheduler.changed.wait(lock);
    }
  }
  scheduler.waiting_calls -= 1;
}

void WaitForContext(const Context* context) { Wait(PendingOf(context)); }

bool Poll(const TaskPtr& task) {
  if (task == nullptr || task->done) {
    return true;
  }
  if (TheOrder() == Order::kLate) {
    Want(task);
    scheduler.calls += 1;
    scheduler.changed.notify_all();
  }
  return false;
}

bool PollContext(const Context* context) {
  bool done = true;
  for (const TaskPtr& task : PendingOf(context)) {
    done = Poll(task) && done;
  }
  return done;
}

void Changed() { scheduler.changed.notify_all(); }

}  // namespace fake
