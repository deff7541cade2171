/* lcc fit: fits a regression. */
#ifndef FIT_H
#define FIT_H

int fit_command(int argc, char **argv);

#endif
