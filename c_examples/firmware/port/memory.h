/* Memory as the linker script lays it out, and what has to happen before and after the program. */
#ifndef MEMORY_H
#define MEMORY_H

/* Copies .data, clears .bss, paints the free stack, runs the program and ends. */
void start(void);

#endif
