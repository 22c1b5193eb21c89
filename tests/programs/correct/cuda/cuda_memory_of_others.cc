// Memory that gpusan does not see being allocated or written, and the workspace of a library.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <string>

#include "common/cuda.h"

// Functions of the driver as a program has them that reads the driver's symbol table by itself: no
// tool that stands in front of the driver sees the calls. nullptr: there is no such symbol, or it
// is not found this way.
static void* UnhookedSymbol(const char* library, const char* name) {
  void* handle = dlopen(library, RTLD_NOW);
  link_map* map = nullptr;
  if (handle == nullptr || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return nullptr;
  const ElfW(Sym)* symbols = nullptr;
  const char* strings = nullptr;
  const uint32_t* table = nullptr;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB) symbols = (const ElfW(Sym)*)entry->d_un.d_ptr;
    if (entry->d_tag == DT_STRTAB) strings = (const char*)entry->d_un.d_ptr;
    if (entry->d_tag == DT_GNU_HASH) table = (const uint32_t*)entry->d_un.d_ptr;
  }
  if (symbols == nullptr || strings == nullptr || table == nullptr) return nullptr;
  const uint32_t buckets = table[0], first = table[1], words = table[2];
  const uint32_t* bucket = (const uint32_t*)((const ElfW(Addr)*)(table + 4) + words);
  const uint32_t* chain = bucket + buckets;
  uint32_t hash = 5381;
  for (const char* at = name; *at != 0; ++at) hash = hash * 33 + (unsigned char)*at;
  uint32_t symbol = bucket[hash % buckets];
  if (symbol < first) return nullptr;
  for (;; ++symbol) {
    const uint32_t here = chain[symbol - first];
    if ((here | 1) == (hash | 1) && strcmp(strings + symbols[symbol].st_name, name) == 0)
      return (void*)(map->l_addr + symbols[symbol].st_value);
    if ((here & 1) != 0) return nullptr;
  }
}

// Memory of all kinds is allocated where nobody looks, as by a library that finds the driver's
// functions by itself, and freed by the program, used before or not.
template <typename Function>
static Function* Unhooked(const char* name) {
  void* symbol = UnhookedSymbol("libcuda.so.1", name);
  NEEDS(symbol != nullptr);
  return (Function*)symbol;
}

static void MemoryAllocatedUnseen() {
  auto* allocate = Unhooked<CUresult(CUdeviceptr*, size_t)>("cuMemAlloc_v2");
  auto* allocate_pinned = Unhooked<CUresult(void**, size_t, unsigned)>("cuMemHostAlloc");
  auto* enroll = Unhooked<CUresult(void*, size_t, unsigned)>("cuMemHostRegister_v2");
  auto* allocate_ordered = Unhooked<CUresult(CUdeviceptr*, size_t, CUstream)>("cuMemAllocAsync");
  auto* release = Unhooked<CUresult(CUdeviceptr)>("cuMemFree_v2");
  CUstream stream = NewStream();
  static char result[4096];
  char* block = (char*)aligned_alloc(4096, 4096);
  for (int round = 0; round < 4; ++round) {
    const bool used = round % 2 != 0;
    CUdeviceptr memory;
    OK(allocate(&memory, 4096));
    if (used) {
      OK(cuMemsetD8(memory, 3, 4096));
      OK(cuMemcpyDtoH(result, memory, 4096));
      CHECK(result[4095] == 3);
    }
    OK(cuMemFree(memory));
    // The address is allocated where nobody looks when a watched call has freed it.
    memory = NewMemory(4096);
    OK(cuMemFree(memory));
    OK(allocate(&memory, 4096));
    OK(cuMemFree(memory));
    // ... and the reverse, and in other pieces.
    memory = NewMemory(8192);
    OK(release(memory));
    OK(allocate(&memory, 4096));
    CUdeviceptr second;
    OK(allocate(&second, 4096));
    OK(cuMemFree(second));
    OK(cuMemFree(memory));
    void* pinned;
    OK(allocate_pinned(&pinned, 4096, 0));
    if (used) {
      CUdeviceptr copy = NewZeros(4096);
      OK(cuMemcpyDtoHAsync(pinned, copy, 4096, stream));
      OK(cuStreamSynchronize(stream));
      OK(cuMemFree(copy));
    }
    OK(cuMemFreeHost(pinned));
    OK(enroll(block, 4096, 0));
    OK(cuMemHostUnregister(block));
    if (!Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)) continue;
    memory = NewMemory(4096);
    OK(cuMemFree(memory));
    OK(allocate_ordered(&memory, 4096, stream));
    if (used) OK(cuMemsetD8Async(memory, 3, 4096, stream));
    OK(cuMemFreeAsync(memory, stream));
    OK(cuStreamSynchronize(stream));
    OK(allocate_ordered(&memory, 4096, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemFree(memory));
  }
  free(block);
  Release(stream);
}

// Memory that another device fills, a network card: the driver is only told that it has to be
// careful with copies of it. Nobody sees it being written.
static void MemoryForOtherDevices() {
  static char result[4096];
  CUdeviceptr memory = NewMemory(4096);
  unsigned careful = 1;
  OK(cuPointerSetAttribute(&careful, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  OK(cuMemcpyDtoH(result, memory, 4096));
  Release(memory);
}

// A kernel of a library, which may be linked statically, gets the addresses of three parts of its
// workspace. The second is empty and lies far behind the workspace, in no memory, the third in a
// block that was freed. The kernel accesses no byte of either.
static const char kHeader[] = R"(
.version 7.0
.target sm_75
.address_size 64

)";
static const char kCopy[] = R"((
  .param .u64 in, .param .u64 out, .param .u64 more, .param .u32 count)
{
  .reg .pred %p;
  .reg .b32 %r<3>;
  .reg .b64 %a<5>;
  .reg .f32 %f;
  mov.u32 %r0, %tid.x;
  ld.param.u32 %r1, [count];
  setp.ge.u32 %p, %r0, %r1;
  @%p bra END;
  ld.param.u64 %a0, [in];
  ld.param.u64 %a1, [out];
  ld.param.u64 %a2, [more];
  mul.wide.u32 %a3, %r0, 4;
  add.u64 %a4, %a0, %a3;
  ld.global.f32 %f, [%a4];
  add.u64 %a4, %a1, %a3;
  st.global.f32 [%a4], %f;
  add.u64 %a4, %a2, %a3;
  st.global.f32 [%a4], %f;
END:
  ret;
}
)";

static void Launch(const std::string& name) {
  CUmodule module;
  CUfunction copy;
  OK(cuModuleLoadData(&module, (kHeader + (".visible .entry " + name) + kCopy).c_str()));
  OK(cuModuleGetFunction(&copy, module, name.c_str()));
  CUdeviceptr workspace = NewZeros(4096), freed = NewMemory(1 << 20);
  OK(cuMemFree(freed));
  CUdeviceptr behind = workspace + 0x7000000000, inside = freed + 131328;
  int count = 0;
  void* arguments[] = {&workspace, &behind, &inside, &count};
  OK(cuLaunchKernel(copy, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(workspace));
  OK(cuModuleUnload(module));
}

static void PartsOfAWorkspace() {
  Launch("_ZN8cusparse4copyEPKfPfS2_i");
  Launch("_ZN3cub4scanIfEEvPKfPfPji");
  Launch("_Z11getrf_pivotI13getrf_params_IfLi4EEEvPKfPfPji");  // of cuSOLVER
}

int main() {
  Open();
  MemoryAllocatedUnseen();
  MemoryForOtherDevices();
  PartsOfAWorkspace();
  Close();
}
