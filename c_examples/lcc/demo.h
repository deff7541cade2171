/* The demonstration: a network learns the NOx of a gas turbine. */
#ifndef DEMO_H
#define DEMO_H

int demo_command(int argc, char **argv);

#endif
