/* Cortex-M, any of them: vector table, FPU, SysTick as a clock, semihosting. */
#include "../port.h"
#include "memory.h"
#include "semihost.h"

/* Clock of SysTick. In the emulator an instruction takes a nanosecond (-icount shift=0). */
#ifndef PORT_MHZ
#define PORT_MHZ 25
#endif

uintptr_t semihost(uintptr_t operation, const void *block)
{
    register uintptr_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

/* SysTick: 24 bits that count down, and the interrupt that counts how often they ran out. */
#define SYSTICK ((volatile uint32_t *)0xE000E010)
static volatile uint32_t rounds;

void systick_handler(void);
void systick_handler(void)
{
    rounds++;
}

uint64_t port_clock(void)
{
    uint32_t high;
    uint32_t low;
    do {
        high = rounds;
        low = SYSTICK[2];
    } while (high != rounds);
    return ((uint64_t)high * 0x1000000 + (0xFFFFFF - low)) * 1000 / PORT_MHZ;
}

void fault_handler(void);
void fault_handler(void)
{
    static const char message[] = "fault\n";
    const char *c;
    for (c = message; *c != '\0'; c++) {
        port_put(*c);
    }
    port_exit(2);
}

void reset_handler(void);
void reset_handler(void)
{
#ifdef __ARM_FP
    /* The FPU on, for all. */
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20;
    __asm__ volatile("dsb\n isb" ::: "memory");
#endif
    SYSTICK[1] = 0xFFFFFF;
    SYSTICK[2] = 0;
    SYSTICK[0] = 7; /* the CPU's clock, interrupt, on */
    start();
}

extern uint32_t link_stack_top[];
typedef void (*handler)(void);

/* The stack, and the first fifteen exceptions. A board adds its interrupts behind them. */
__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    handler exceptions[15];
} vectors = {link_stack_top,
             {reset_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, 0, 0,
              0, 0, fault_handler, fault_handler, 0, fault_handler, systick_handler}};
