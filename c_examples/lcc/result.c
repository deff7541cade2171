#include "result.h"

#include <string.h>

int result_takes_stdout(const char *json)
{
    return json != NULL && strcmp(json, "-") == 0;
}

int result_open(outputs *files, const char *json, FILE **out)
{
    *out = NULL;
    if (json == NULL) {
        return 0;
    }
    if (result_takes_stdout(json)) {
        *out = stdout;
        return 0;
    }
    return outputs_add(files, json, out);
}
