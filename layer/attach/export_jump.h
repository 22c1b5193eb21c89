// Exported functions that only jump to the address in a slot, so that the target sees the program's
// own return address.
#pragma once

#if defined(__x86_64__)
#define GPUSAN_JUMP(slot) "jmp *" #slot "(%rip)\n"
#elif defined(__aarch64__)
#define GPUSAN_JUMP(slot) "adrp x16, " #slot "\nldr x16, [x16, :lo12:" #slot "]\nbr x16\n"
#else
#error "exported symbols need a jump for this architecture"
#endif
// At namespace scope. `slot`: a hidden variable with C linkage that holds the address.
#define GPUSAN_EXPORT_JUMP(name, slot)                              \
  asm(".text\n.globl " #name "\n.type " #name ", @function\n" #name \
      ":\n" GPUSAN_JUMP(slot) ".size " #name ", .-" #name "\n");
