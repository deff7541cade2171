#include "memory.h"

#include "../port.h"

/* From the linker script. */
extern uint32_t link_data_from[], link_data[], link_data_end[];
extern uint32_t link_bss[], link_bss_end[];
extern uint32_t link_stack_low[], link_stack_top[];

enum { PAINT = 0x5AFE57AC };

size_t port_stack(void)
{
    const volatile uint32_t *p = link_stack_low;
    while (p < link_stack_top && *p == PAINT) {
        p++;
    }
    return (size_t)((uintptr_t)link_stack_top - (uintptr_t)p);
}

void start(void)
{
    volatile uint32_t *to;
    const uint32_t *from = link_data_from;
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0) - 128;
    for (to = link_data; to < link_data_end; to++) {
        *to = *from++;
    }
    for (to = link_bss; to < link_bss_end; to++) {
        *to = 0;
    }
    for (to = link_stack_low; (uintptr_t)to < here; to++) {
        *to = PAINT;
    }
    port_exit(program());
}
