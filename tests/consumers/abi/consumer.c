/* What a C program asks before anything else. */
#include <lcc.h>

#include <stdio.h>

int main(void)
{
    if (lcc_abi_version() != LCC_ABI_VERSION) {
        fprintf(stderr, "this program was made for ABI %d of LCC; the library has %u\n", LCC_ABI_VERSION,
                (unsigned)lcc_abi_version());
        return 3;
    }
    return 0;
}
