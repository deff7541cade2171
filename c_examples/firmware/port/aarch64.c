/* AArch64 without an operating system: entry at EL1, FPU, the system counter, semihosting. */
#include "../port.h"
#include "memory.h"
#include "semihost.h"

uintptr_t semihost(uintptr_t operation, const void *block)
{
    register uintptr_t x0 __asm__("x0") = operation;
    register const void *x1 __asm__("x1") = block;
    __asm__ volatile("hlt #0xf000" : "+r"(x0) : "r"(x1) : "memory");
    return x0;
}

/* In nanoseconds, which is instructions where the emulator takes one for each. */
uint64_t port_clock(void)
{
    uint64_t ticks;
    uint64_t frequency;
    __asm__ volatile("isb\n mrs %0, cntvct_el0" : "=r"(ticks));
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    return ticks * (1000000000 / frequency);
}

__attribute__((used)) static void fault_handler(void)
{
    static const char message[] = "fault\n";
    const char *c;
    for (c = message; *c != '\0'; c++) {
        port_put(*c);
    }
    port_exit(2);
}

/* Sixteen vectors of 128 bytes; whatever comes is a fault. */
extern const char link_vectors[];
__asm__(".section .text.vectors, \"ax\"\n"
        ".balign 2048\n"
        "link_vectors:\n"
        ".rept 16\n"
        "    b fault_handler\n"
        ".balign 128\n"
        ".endr\n"
        ".text\n");

__attribute__((used)) static void begin(void)
{
    __asm__ volatile("msr vbar_el1, %0\n isb" ::"r"(link_vectors));
    start();
}

/* The stack and the FPU, before any C. */
__asm__(".section .text.start, \"ax\"\n"
        ".global reset_handler\n"
        "reset_handler:\n"
        "    ldr x0, =link_stack_top\n"
        "    mov sp, x0\n"
        "    mov x0, #(3 << 20)\n"
        "    msr cpacr_el1, x0\n"
        "    isb\n"
        "    b begin\n");
