// dlsym and dlvsym: ask for a substitute, else jump to the real function as if the program had called it.
#if defined(__x86_64__)

.macro STUB name
  .globl \name
  .type \name, @function
\name:
  .cfi_startproc
  endbr64
  push %rdi
  .cfi_adjust_cfa_offset 8
  push %rsi
  .cfi_adjust_cfa_offset 8
  push %rdx
  .cfi_adjust_cfa_offset 8
  call gpusan_substitute_\name
  pop %rdx
  .cfi_adjust_cfa_offset -8
  pop %rsi
  .cfi_adjust_cfa_offset -8
  pop %rdi
  .cfi_adjust_cfa_offset -8
  test %rax, %rax
  jz 1f
  cmp $1, %rax  // kNotFound
  jne 2f
  xor %eax, %eax
2:
  ret
1:
  mov gpusan_real_\name(%rip), %r11
  jmp *%r11
  .cfi_endproc
  .size \name, . - \name
.endm

#elif defined(__aarch64__)

.macro STUB name
  .globl \name
  .type \name, %function
\name:
  .cfi_startproc
  hint #34  // bti c
  stp x29, x30, [sp, #-48]!
  .cfi_def_cfa_offset 48
  .cfi_offset x29, -48
  .cfi_offset x30, -40
  mov x29, sp
  stp x0, x1, [sp, #16]
  str x2, [sp, #32]
  bl gpusan_substitute_\name
  mov x9, x0
  ldp x0, x1, [sp, #16]
  ldr x2, [sp, #32]
  ldp x29, x30, [sp], #48
  .cfi_restore x29
  .cfi_restore x30
  .cfi_def_cfa_offset 0
  cbz x9, 1f
  cmp x9, #1  // kNotFound
  csel x0, xzr, x9, eq
  ret
1:
  adrp x16, gpusan_real_\name
  ldr x16, [x16, #:lo12:gpusan_real_\name]
  br x16
  .cfi_endproc
  .size \name, . - \name
.endm

#else
#error "dlsym stub: architecture not supported"
#endif

  .text
  STUB dlsym
  STUB dlvsym

  .section .note.GNU-stack, "", %progbits
