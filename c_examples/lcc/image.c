#include "image.h"

#include "cli.h"
#include "view.h"

#include <stdlib.h>

void image_drop(image_room *room)
{
    free(room->image);
    free(room->base);
    room->image = NULL;
    room->base = NULL;
}

int image_begin(image_room *room, int32_t status, const char *what)
{
    room->image = NULL;
    room->base = NULL;
    room->written = 0;
    if (status < 0) {
        return library_failed(what, status);
    }
    room->image = allocate(room->bytes, 1);
    room->scratch = memory_aligned(room->scratch_bytes, &room->base);
    if (room->image == NULL || room->scratch == NULL) {
        image_drop(room);
        return EXIT_FAILED;
    }
    return 0;
}

int image_end(image_room *room, int32_t status, const char *what, unsigned char **image,
              size_t *bytes)
{
    if (status < 0) {
        image_drop(room);
        return library_failed(what, status);
    }
    *image = room->image;
    *bytes = room->written;
    room->image = NULL;
    image_drop(room);
    return 0;
}
