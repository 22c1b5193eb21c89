# A dynamic program of 32 bits without a C library: writes a line and ends with 3.
        .text
        .globl  _start
_start:
        call    1f
1:      pop     %ecx
        add     $text - 1b, %ecx
        mov     $4, %eax
        mov     $1, %ebx
        mov     $size, %edx
        int     $0x80
        mov     $1, %eax
        mov     $3, %ebx
        int     $0x80
text:   .ascii  "32 bits here\n"
        .set    size, . - text
        .section .note.GNU-stack,"",@progbits
