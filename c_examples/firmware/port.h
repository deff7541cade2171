/* What the programs of this folder ask of the machine they run on. A new board is a new file in port/. */
#ifndef PORT_H
#define PORT_H

#include <stddef.h>
#include <stdint.h>

/* One character to whoever is listening. */
void port_put(char c);

/* Ends the program: 0 is success. A board without a debugger stays in a loop. */
void port_exit(int code);

/* Instructions (in the emulator), cycles (on a board) or nanoseconds (on a computer) since the start. */
uint64_t port_clock(void);

/* The deepest the stack has been since the start, in bytes; 0 where it was not painted. */
size_t port_stack(void);

/* Storage that outlives a loss of power: two slots, written a page at a time. Return 0 on success. */
enum { PORT_SLOTS = 2, PORT_PAGE = 256 };
int port_write_page(int slot, size_t page, const void *bytes, size_t length);
int port_read(int slot, size_t offset, void *bytes, size_t length);

/* The program: called with memory cleared, data copied and the stack painted. Its value goes to port_exit. */
int program(void);

#endif
