#include "c_array.h"

#include <string.h>

/* The file's name without folders and ending, as an identifier. */
static void identifier(const char *path, char *name, size_t capacity)
{
    const char *from = path;
    const char *c;
    size_t used = 0;
    for (c = path; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\') {
            from = c + 1;
        }
    }
    if (!((*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z'))) {
        name[used++] = 'm';
        name[used++] = '_';
    }
    for (; *from != '\0' && *from != '.' && used + 1 < capacity; from++) {
        int letter = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') ||
                     (*from >= '0' && *from <= '9');
        name[used++] = letter ? *from : '_';
    }
    name[used] = '\0';
}

void c_array_write(FILE *out, const char *path, const unsigned char *bytes, size_t length)
{
    char name[64];
    size_t i;
    identifier(path, name, sizeof name);
    fprintf(out,
            "/* A model written by lcc fit: %lu bytes, read where they lie by lcc_model_*. */\n"
            "#ifndef LCC_MODEL_%s\n#define LCC_MODEL_%s\n\n"
            "static const unsigned char %s[%lu] = {",
            (unsigned long)length, name, name, name, (unsigned long)length);
    for (i = 0; i < length; i++) {
        fprintf(out, i % 16 == 0 ? "\n    %u," : " %u,", bytes[i]);
    }
    fputs("\n};\n\n#endif\n", out);
}
