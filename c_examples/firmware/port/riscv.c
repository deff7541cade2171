/* RISC-V in machine mode: entry, traps, the counter of instructions, semihosting. */
#include "../port.h"
#include "memory.h"
#include "semihost.h"

/* The three instructions that make an ebreak a semihosting call; uncompressed, and side by side. */
uintptr_t semihost(uintptr_t operation, const void *block)
{
    register uintptr_t a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = block;
    __asm__ volatile(".option push\n .option norvc\n .balign 16\n"
                     " slli zero, zero, 0x1f\n ebreak\n srai zero, zero, 0x7\n .option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return a0;
}

uint64_t port_clock(void)
{
    uint32_t high;
    uint32_t low;
    uint32_t again;
    do {
        __asm__ volatile("csrr %0, minstreth" : "=r"(high));
        __asm__ volatile("csrr %0, minstret" : "=r"(low));
        __asm__ volatile("csrr %0, minstreth" : "=r"(again));
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

__attribute__((aligned(4), used)) static void trap_handler(void)
{
    static const char message[] = "trap\n";
    const char *c;
    for (c = message; *c != '\0'; c++) {
        port_put(*c);
    }
    port_exit(2);
}

__attribute__((used)) static void begin(void)
{
    __asm__ volatile("csrw mtvec, %0" ::"r"(trap_handler));
    start();
}

__attribute__((naked, section(".text.start"), used)) void reset_handler(void);
void reset_handler(void)
{
    __asm__ volatile(".option push\n .option norelax\n la gp, __global_pointer$\n .option pop\n"
                     " la sp, link_stack_top\n tail begin");
}
