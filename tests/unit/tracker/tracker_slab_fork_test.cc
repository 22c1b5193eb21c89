// Slabs in the child of a fork, whatever the parent's other threads were about.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <thread>

#include "tracker/base/slab.h"

namespace gpusan {
namespace {

struct Node {
  Node* next_free = nullptr;
  std::atomic<uint64_t> value{0};
};

// Stays inside of what an ending thread does with its objects, under the lock of all slabs.
struct Busy {
  std::atomic<bool> inside{false};
  std::atomic<bool> leave{false};

  static void Take(void* self, void*) {
    Busy& busy = *static_cast<Busy*>(self);
    busy.inside.store(true);
    while (!busy.leave.load()) std::this_thread::yield();
  }
  static void Reset(void*) {}
};

TEST_CASE("a child of fork makes and deletes objects while a thread of the parent's ends") {
  auto before = std::make_unique<Slab<Node>>();
  Node* kept = before->New();
  Busy busy;
  const unsigned number = NumberSlab(&busy, {&Busy::Take, &Busy::Reset});
  REQUIRE(number != 0);
  std::thread ending([&] {
    SlabLists* lists = MakeSlabLists();
    lists->of[number].first = &busy;
  });
  while (!busy.inside.load()) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // ends what waits for ever
    ResetSlabsAfterFork();
    auto* after = new Slab<Node>;
    Node* made = after->New();
    after->Delete(made);
    before->Delete(kept);
    _exit(after->New() == made && before->New() == kept ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  busy.leave.store(true);
  ending.join();
  ForgetSlab(number);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

}  // namespace
}  // namespace gpusan
