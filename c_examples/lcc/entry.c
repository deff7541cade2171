/* Builds without cargo start here. */
#include "cli.h"

int main(int argc, char **argv)
{
    return lcc_main(argc, argv);
}
