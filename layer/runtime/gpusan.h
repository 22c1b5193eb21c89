/* gpusan.h: functions by which a program controls gpusan and reads its findings. C and C++.
 *
 * The functions work if gpusan is preloaded, as by 'gpusan run'. In other processes they do
 * nothing, so that the program does not link with gpusan. Link with -ldl if the C library is older
 * than 2.34. All functions are thread-safe and may be called at any time. The first call in a
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

/* Inlined, so that findings name the line of the caller. */
#define GPUSAN_INLINE static inline __attribute__((always_inline))

#define GPUSAN_INTERFACE_VERSION 1u

enum gpusan_api { GPUSAN_API_OPENCL = 1, GPUSAN_API_CUDA = 2, GPUSAN_API_VULKAN = 3 };

enum gpusan_severity { GPUSAN_NOTE = 0, GPUSAN_WARNING = 1, GPUSAN_ERROR = 2 };

/* A finding. The texts are valid during the callback. Later versions add members at the end. */
struct gpusan_finding {
  size_t size;       /* of this struct [bytes] */
  int severity;      /* enum gpusan_severity */
  int32_t thread;    /* id of the thread that made the call */
  const char* check; /* "race" */
  const char* call;  /* "clEnqueueWriteBuffer"; empty if the finding belongs to no call */
  const char* what;
  const char* why;
  const char* fix;
};

/* Flag of gpusan_pool_create: a use of an address in no block is an error. Without the flag, gpusan
 * does not check such addresses. */
#define GPUSAN_POOL_EXACT 1u
/* Flag of gpusan_block_alloc: the block has content, such as zeros. */
#define GPUSAN_BLOCK_WRITTEN 1u
/* A value for parameters `stream`: the call has no position in a stream. */
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

/* The type of gpusan_interface, the one symbol that gpusan exports for this file. Returns NULL for
 * an unknown version. */
typedef const struct gpusan_functions* (*gpusan_interface_function)(uint32_t version);

/* Returns NULL in a process without gpusan. */
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

/* Returns whether gpusan is in the process. */
static inline int gpusan_is_present(void) { return gpusan_get_functions() != NULL; }

/* Gives an object a name, which findings show. `handle` is a cl_mem, CUstream, VkBuffer, ... or an
 * address in CUDA memory, as an integer. Copies the name, and keeps it as long as the object lives.
 */
static inline void gpusan_name_object(int api, uint64_t handle, const char* name) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->name_object(api, handle, name);
}

/* Declare an order that the API does not create: by a flag in shared memory, by another process, by
 * another library. gpusan_order_signal marks the point after all commands that the queue or stream
 * has now. gpusan_order_wait with the same tag orders all later commands of a queue after that
 * point. In gpusan_order_wait, queue 0 is the host: all later commands of the process are ordered
 * after the point. A wait for a tag without a signal does nothing. Work for OpenCL queues, and for
 * CUDA streams that the program created. */
static inline void gpusan_order_signal(int api, uint64_t queue, const void* tag) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->order_signal(api, queue, tag);
}
static inline void gpusan_order_wait(int api, uint64_t queue, const void* tag) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->order_wait(api, queue, tag);
}

/* gpusan does not report findings about calls of this thread between begin and end. It still tracks
 * the calls. Regions may be nested. */
static inline void gpusan_ignore_begin(void) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->ignore_begin();
}
static inline void gpusan_ignore_end(void) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->ignore_end();
}

/* Reports everything that is still allocated as a leak. Returns the number of findings. */
static inline uint64_t gpusan_check_nothing_live(void) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  return gpusan != NULL ? gpusan->check_nothing_live() : 0;
}

/* Returns the number of findings of this process so far, with repetitions. */
static inline uint64_t gpusan_finding_count(void) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  return gpusan != NULL ? gpusan->finding_count() : 0;
}

/* Sets a function that gpusan calls for each finding that it writes in full, on the thread that
 * reports the finding. The callback must not call the GPU API. NULL removes the callback. */
static inline void gpusan_set_callback(gpusan_callback callback, void* user) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  if (gpusan != NULL) gpusan->set_callback(callback, user);
}

/* Calls `callback` on this thread for each finding that gpusan has written in full since the last
 * call, in order. Returns their number. The first call passes no findings: from then on gpusan
 * keeps findings for the next call, 1,000 at most. A test framework calls it after each test. */
static inline uint64_t gpusan_take_findings(gpusan_callback callback, void* user) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  return gpusan != NULL ? gpusan->take_findings(callback, user) : 0;
}

/* Returns NULL if gpusan is absent, or is too old to have functions for pools. */
static inline const struct gpusan_functions* gpusan_get_pool_functions(void) {
  const struct gpusan_functions* gpusan = gpusan_get_functions();
  return gpusan != NULL && gpusan->size >= sizeof(struct gpusan_functions) ? gpusan : NULL;
}

/* Allocators of the program. A pool divides one live allocation of the API into blocks. gpusan then
 * checks each block as an allocation of its own: its size, uses after its release, unwritten bytes,
 * leaks, and the order between its users and the users of earlier blocks with the same bytes.
 *
 * gpusan_pool_create creates a pool for the allocation that begins at `memory`, a CUdeviceptr or an
 * SVM pointer as an integer. Returns 0 if gpusan is absent or does not track the allocation. The
 * functions below do nothing for pool 0. A pool and its blocks end with gpusan_pool_destroy, or
 * with the allocation. */
GPUSAN_INLINE uint64_t gpusan_pool_create(int api, uint64_t memory, uint32_t flags) {
  const struct gpusan_functions* gpusan = gpusan_get_pool_functions();
  return gpusan != NULL ? gpusan->pool_create(api, memory, flags) : 0;
}
GPUSAN_INLINE void gpusan_pool_destroy(uint64_t pool) {
  const struct gpusan_functions* gpusan = gpusan_get_pool_functions();
  if (gpusan != NULL && pool != 0) gpusan->pool_destroy(pool);
}

/* The allocator hands out a block. The bytes of the block are unwritten, unless `flags` has
 * GPUSAN_BLOCK_WRITTEN. With a stream (a CUstream that the program created, or a cl_command_queue)
 * the block exists from this point of the stream on, as with cuMemAllocAsync: uses on other streams
 * must be ordered after this point. With GPUSAN_NO_STREAM uses need no such order. A block that
 * overlaps a live block ends the pool. */
GPUSAN_INLINE void gpusan_block_alloc(uint64_t pool, uint64_t address, size_t bytes,
                                      uint64_t stream, uint32_t flags) {
  const struct gpusan_functions* gpusan = gpusan_get_pool_functions();
  if (gpusan != NULL && pool != 0) gpusan->block_alloc(pool, address, bytes, stream, flags);
}
/* The allocator takes the block at `address` back. With a stream, all uses of the block must be
 * ordered before this point of the stream, except uses on streams of gpusan_block_use. */
GPUSAN_INLINE void gpusan_block_free(uint64_t pool, uint64_t address, uint64_t stream) {
  const struct gpusan_functions* gpusan = gpusan_get_pool_functions();
  if (gpusan != NULL && pool != 0) gpusan->block_free(pool, address, stream);
}
/* Declares that the stream uses the block. The allocator must hand the bytes out again only after
 * the work that the stream has when the block is freed (record_stream of PyTorch). */
GPUSAN_INLINE void gpusan_block_use(uint64_t pool, uint64_t address, uint64_t stream) {
  const struct gpusan_functions* gpusan = gpusan_get_pool_functions();
  if (gpusan != NULL && pool != 0) gpusan->block_use(pool, address, stream);
}

/* gpusan calls this function of its own for each finding that it writes in full. Set a breakpoint
 * there in a debugger, as 'gpusan run --gdb' does. `text` is the finding in a few lines. */
void __gpusan_on_report(const char* text, const struct gpusan_finding* finding);

#ifdef __cplusplus
}

/* Hides the findings of this thread as long as the object lives. */
class GpusanIgnoreRegion {
 public:
  GpusanIgnoreRegion() { gpusan_ignore_begin(); }
  ~GpusanIgnoreRegion() { gpusan_ignore_end(); }
  GpusanIgnoreRegion(const GpusanIgnoreRegion&) = delete;
  GpusanIgnoreRegion& operator=(const GpusanIgnoreRegion&) = delete;
};
#endif

#endif /* GPUSAN_H */
