// The environment of the programs that a process under `gpusan run` starts. A program that dropped
// or replaced gpusan's variables gets them back. A program into which the library cannot be loaded
// does not get the variables that name the library, and a tool that the CUDA driver loads by such
// a variable does not get that variable.
//
// One `gpusan run` may start another one, whose variables stay. Outside of `gpusan run`, in
// processes with raised privileges, and before RememberRun, environments stay as they are.
// Everything here but RememberRun allocates nothing and takes no lock, so that the child of a vfork
// can call it.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace gpusan {

// Keeps the values of gpusan's variables. The library's constructor calls it. With
// `follow_children` unset, programs do not get back what was dropped.
void RememberRun(bool follow_children);

// The environment for one program.
class ChildEnvironment {
 public:
  struct Variable;

  // `file` is the path to execute; nullptr if it is not known. `given` is the environment that the
  // program chose. Both must stay valid.
  ChildEnvironment(const char* file, char* const* given);

  // The size of the buffer for Build [bytes]; 0 if the environment stays as it is.
  size_t bytes() const { return bytes_; }
  // Returns the environment, which is in the buffer and refers to the strings of `given`.
  char* const* Build(void* buffer) const;

 private:
  // Whether the variable may name the library.
  bool MayName(const Variable& variable) const;
  bool IsMissing(const Variable& variable) const;

  char* const* const given_;
  bool loads_ = true;       // whether the library can be loaded into the program
  bool gives_way_ = false;  // the program is a tool that injects a library of its own
  size_t missing_ = 0;
  size_t bytes_ = 0;
};

// Whether the environment names the library, so that a program that gets it is followed.
bool IsFollowed(char* const* environment);

// Write lines to the log of the command (report/record/attach_log.h). They do nothing outside of
// `gpusan run`, and for programs that get the environment of another run. `file` is the path, which
// may be nullptr. LogExec returns whether it wrote the line.
bool LogExec(const char* file, char* const* environment);
void LogFailedExec();
void LogSpawned(pid_t child, const char* file, char* const* environment);
void LogShell(const char* command);

}  // namespace gpusan

// Declares `result`, the environment for `file`, in the frame of the caller.
#define GPUSAN_CHILD_ENVIRONMENT(result, file, given)          \
  const gpusan::ChildEnvironment result##_change(file, given); \
  char* const* const result = result##_change.bytes() == 0     \
                                  ? (given)                    \
                                  : result##_change.Build(alloca(result##_change.bytes()))
