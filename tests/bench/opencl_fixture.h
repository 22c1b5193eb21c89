// What the OpenCL benches share: a context, an in-order queue, a kernel with four buffer arguments,
// and the gate.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <array>
#include <memory>
#include <vector>

namespace bench {

// Prints the call and its code and exits with 1. A bench of failing calls would measure something
// else.
[[noreturn]] void Fail(const char* call, cl_int code);

inline void Check(cl_int code, const char* call) {
  if (__builtin_expect(code != CL_SUCCESS, 0)) Fail(call, code);
}

// Everything is released on destruction, so that a leak check of the process stays silent. One
// thread uses it.
class Fixture {
 public:
  static constexpr size_t kBufferBytes = 1024;
  static constexpr size_t kImageSide = 16;    // texels, RGBA8
  static constexpr size_t kHostBytes = 4096;  // of the host block that transfers read

  // The first device of the first platform. Buffers and image are written once, so no kernel reads
  // what nothing wrote.
  Fixture();
  ~Fixture();
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  cl_command_queue NewQueue() const;  // in-order; the caller releases it
  cl_kernel NewKernel() const;        // its arguments are the four buffers; the caller releases it
  cl_mem NewBuffer() const;           // kBufferBytes, never written; the caller releases it
  cl_mem NewImage() const;            // kImageSide squared, RGBA8; the caller releases it
  void WriteBuffer(cl_mem buffer) const;  // all of it, blocking

  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
  cl_mem image = nullptr;
  std::array<cl_mem, 4> buffers{};
  std::unique_ptr<unsigned char[]> host;  // kHostBytes
};

// Buffers that are merely alive, released on destruction.
class LiveBuffers {
 public:
  LiveBuffers(const Fixture& fixture, size_t count);
  ~LiveBuffers();
  LiveBuffers(const LiveBuffers&) = delete;
  LiveBuffers& operator=(const LiveBuffers&) = delete;

 private:
  std::vector<cl_mem> buffers_;
};

// Holds an in-order queue back from Close to Open with a barrier that waits for a user event: what
// is enqueued in between is accepted and not executed, so no worker thread competes with the timed
// one for the core, the caches or the driver's locks. A gate that is not `enabled` only drains.
class Gate {
 public:
  Gate(cl_context context, cl_command_queue queue, bool enabled)
      : context_(context), queue_(queue), enabled_(enabled) {}

  void Close();
  void Open();  // lets the commands run and waits for the last one

 private:
  cl_context context_;
  cl_command_queue queue_;
  bool enabled_;
  cl_event user_event_ = nullptr;
};

}  // namespace bench
