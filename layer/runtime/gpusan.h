/* gpusan.h: what a program tells gpusan, and what it learns from it. C and C++.
 *
 * The functions do nothing in a process without gpusan: the program neither links with gpusan nor
 * needs it. They find gpusan when it is preloaded, as 'gpusan run' does; link with -ldl where the C
 * library is older than 2.34. They may be called at any time and on any thread. The first call of a
 * source file looks gpusan up.
 */
#ifndef GPUSAN_H
#define GPUSAN_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* So that findings name the line of the caller. */
#define GPUSAN_INLINE static inline __attribute__((always_inline))

#define GPUSAN_INTERFACE_VERSION 1u

enum gpusan_api { GPUSAN_API_OPENCL = 1, GPUSAN_API_CUDA = 2, GPUSAN_API_VULKAN = 3 };

enum gpusan_severity { GPUSAN_NOTE = 0, GPUSAN_WARNING = 1, GPUSAN_ERROR = 2 };

/* A finding. The texts are valid during the callback. Later versions add members at the end. */
struct gpusan_finding {
  size_t size; /* of this struct [bytes] */
  int severity;
  int32_t thread;    /* that made the call */
  const char* check; /* "race" */
  const char* call;  /* "clEnqueueWriteBuffer"; empty where there is none */
  const char* what;
  const char* why;
  const char* fix;
};

/* Flags of gpusan_pool_create: addresses in no block are invalid. Without it, nothing is known
 * about them. */
#define GPUSAN_POOL_EXACT 1u
/* Flags of gpusan_block_alloc: the allocator hands the block out with content, such as zeros. */
#define GPUSAN_BLOCK_WRITTEN 1u
/* Instead of a stream. */
#define GPUSAN_NO_STREAM UINT64_MAX

typedef void (*gpusan_callback)(const struct gpusan_finding* finding, void* user);

/* The functions of gpusan. Later versions add members at the end and change none. */
struct gpusan_functions {
  size_t size; /* of this struct [bytes] */
  void (*name_object)(int api, uint64_t handle, const char* name);
  void (*order_signal)(int api, uint64_t queue, const void* tag);
  void (*order_wait)(int api, uint64_t queue, const void* tag);
  void (*ignore_begin)(void);
  void (*ignore_end)(void);
  uint64_t (*check_nothing_live)(void);
  uint64_t (*finding_count)(void);
  void (*set_callback)(gpusan_callback callback, void* user);
  uint64_t (*take_findings)(gpusan_callback callback, void* user);
  uint64_t (*pool_create)(int api, uint64_t memory, uint32_t flags);
  void (*pool_destroy)(uint64_t pool);
  void (*block_alloc)(uint64_t pool, uint64_t address, size_t bytes, uint64_t stream,
                      uint32_t flags);
  void (*block_free)(uint64_t pool, uint64_t address, uint64_t stream);
  void (*block_use)(uint64_t pool, uint64_t address, uint64_t stream);
};

/* The one symbol that gpusan exports for this file. Returns NULL for a version that it lacks. */
typedef const struct gpusan_functions* (*gpusan_interface_function)(uint32_t version);

/* NULL in a process without gpusan. */
static inline const struct gpusan_functions* gpusan_get_functions(void) {
  static const struct gpusan_functions* functions = NULL;
  static int known = 0;
  if (__atomic_load_n(&known, __ATOMIC_ACQUIRE) == 0) {
    gpusan_interface_function get = NULL;
    void* symbol = dlsym(NULL /* RTLD_DEFAULT */, "gpusan_interface");
    __builtin_memcpy(&get, &symbol, sizeof(get));
    __atomic_store_n(&functions, get != NULL ? get(GPUSAN_INTERFACE_VERSION) : NULL,
                     __ATOMIC_RELEASE);
    __atomic_store_n(&known, 1, __ATOMIC_RELEASE);
  }
  return __atomic_load_n(&functions, __ATOMIC_ACQUIRE);
}

/* Whether the functions below do anything. */
static inline int gpusan_is_present(void) { return gpusan_get_functions() != NULL; }

/* Names an object in findings. `handle` is a cl_mem, CUstream, VkBuffer, ... or an address in CUDA
 * memory, as an integer. The name is copied, and lasts as long as the object. */
static inline void gpusan_name_object(int api, uint64_t handle, const char* name) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->name_object(api, handle, name);
}

/* Order that gpusan cannot see, because it comes about outside of the API: a flag in shared memory,
 * another process, another library. gpusan_order_signal marks the point after all commands that the
 * queue or stream has by now. gpusan_order_wait with the same tag orders all later commands of a
 * queue after that point. With queue 0 the host has waited: all later commands of the process are
 * ordered after it. A wait for a tag that was not signaled does nothing. For OpenCL queues and
 * streams that CUDA calls have created. */
static inline void gpusan_order_signal(int api, uint64_t queue, const void* tag) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->order_signal(api, queue, tag);
}
static inline void gpusan_order_wait(int api, uint64_t queue, const void* tag) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->order_wait(api, queue, tag);
}

/* Findings that calls of this thread cause between the two are not reported. Regions may be nested.
 * The calls are followed all the same. */
static inline void gpusan_ignore_begin(void) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->ignore_begin();
}
static inline void gpusan_ignore_end(void) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->ignore_end();
}

/* Reports everything that is still allocated as a leak: nothing may be live now. Returns the number
 * of findings. */
static inline uint64_t gpusan_check_nothing_live(void) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  return gpusan != NULL ? gpusan->check_nothing_live() : 0;
}

/* The number of findings of this process so far, repetitions included. */
static inline uint64_t gpusan_finding_count(void) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  return gpusan != NULL ? gpusan->finding_count() : 0;
}

/* Calls `callback` for each finding that is written in full, on the thread that reports it. The
 * callback must not call the GPU API. NULL removes the callback. */
static inline void gpusan_set_callback(gpusan_callback callback, void* user) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->set_callback(callback, user);
}

/* Calls `callback` on this thread for each finding that was written in full since the last call, in
 * order, and returns their number. The first call only begins to keep findings, 1,000 at most. For
 * test frameworks: what is taken behind a test is of this test. */
static inline uint64_t gpusan_take_findings(gpusan_callback callback, void* user) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  return gpusan != NULL ? gpusan->take_findings(callback, user) : 0;
}

/* The functions, if they include those of pools: an older gpusan has none. */
static inline const struct gpusan_functions* gpusan_get_pool_functions(void) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  return gpusan != NULL && gpusan->size >= sizeof(struct gpusan_functions) ? gpusan : NULL;
}

/* Allocators of the program. A pool divides one live allocation of the API into blocks: the
 * allocation that begins at `memory`, a CUdeviceptr or an SVM pointer as an integer. gpusan then
 * checks each block as an allocation of its own: its size, uses after its release, unwritten bytes,
 * leaks, and the order between its users and those of the blocks that had the same bytes before.
 *
 * gpusan_pool_create returns 0, with which the functions below do nothing, if gpusan is absent or
 * does not know the allocation. A pool ends with gpusan_pool_destroy or with its allocation, and
 * its blocks with it. */
GPUSAN_INLINE uint64_t gpusan_pool_create(int api, uint64_t memory, uint32_t flags) {
  const struct gpusan_functions* gpusan = gpusan_get_pool_functions();
  return gpusan != NULL ? gpusan->pool_create(api, memory, flags) : 0;
}
GPUSAN_INLINE void gpusan_pool_destroy(uint64_t pool) {
  const struct gpusan_functions* gpusan = gpusan_get_pool_functions();
  if (gpusan != NULL && pool != 0) gpusan->pool_destroy(pool);
}

/* The pool hands out a block. Its bytes count as unwritten, except with GPUSAN_BLOCK_WRITTEN. With
 * a stream (a CUstream that the program created, or a cl_command_queue) the memory belongs to the
 * block from this point of the stream on, as with cuMemAllocAsync: uses on other streams have to be
 * ordered after it. With GPUSAN_NO_STREAM any use may follow. A block over a live one ends the
 * pool. */
GPUSAN_INLINE void gpusan_block_alloc(uint64_t pool, uint64_t address, size_t bytes,
                                      uint64_t stream, uint32_t flags) {
  const struct gpusan_functions* gpusan = gpusan_get_pool_functions();
  if (gpusan != NULL && pool != 0) gpusan->block_alloc(pool, address, bytes, stream, flags);
}
/* The pool takes the block at `address` back. With a stream, all uses have to be ordered before
 * this point of it, except those of gpusan_block_use. */
GPUSAN_INLINE void gpusan_block_free(uint64_t pool, uint64_t address, uint64_t stream) {
  const struct gpusan_functions* gpusan = gpusan_get_pool_functions();
  if (gpusan != NULL && pool != 0) gpusan->block_free(pool, address, stream);
}
/* The stream uses the block, and the pool hands its bytes out again only after the work that the
 * stream has when the block is freed (record_stream of PyTorch). */
GPUSAN_INLINE void gpusan_block_use(uint64_t pool, uint64_t address, uint64_t stream) {
  const struct gpusan_functions* gpusan = gpusan_get_pool_functions();
  if (gpusan != NULL && pool != 0) gpusan->block_use(pool, address, stream);
}

/* Debuggers: gpusan calls this function of its own for each finding that is written in full. Set a
 * breakpoint there; 'gpusan run --gdb' does. `text` is the finding in a few lines. */
void __gpusan_on_report(const char* text, const struct gpusan_finding* finding);

#ifdef __cplusplus
}

/* Ignores the findings of this thread as long as it lives. */
class GpusanIgnoreRegion {
 public:
  GpusanIgnoreRegion() { gpusan_ignore_begin(); }
  ~GpusanIgnoreRegion() { gpusan_ignore_end(); }
  GpusanIgnoreRegion(const GpusanIgnoreRegion&) = delete;
  GpusanIgnoreRegion& operator=(const GpusanIgnoreRegion&) = delete;
};
#endif

#endif /* GPUSAN_H */
