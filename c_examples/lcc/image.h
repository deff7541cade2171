/* Asking the library for a model image: room for what its size query says, then the writing. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t bytes;         /* of the image at most, and of the scratch: of the size query */
    size_t scratch_bytes;
    unsigned char *image;
    void *scratch;
    void *base;
    size_t written; /* by the library */
} image_room;

/* Room for both, `status` being the size query's. 0 or EXIT_FAILED after a message that names `what`. */
int image_begin(image_room *room, int32_t status, const char *what);

/* Hands the image over, `status` being the writer's. 0 or EXIT_FAILED after a message. */
int image_end(image_room *room, int32_t status, const char *what, unsigned char **image,
              size_t *bytes);

/* Gives the room up. */
void image_drop(image_room *room);

#endif
