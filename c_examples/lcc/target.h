/* What the target is: real numbers, classes or counts, and the output of the network that goes with it. As the
 * user says; else guessed from the values, which is told together with how to change it. */
#ifndef TARGET_H
#define TARGET_H

#include "encode.h"

#include <stdint.h>

typedef enum { TARGET_REAL, TARGET_CLASSES, TARGET_COUNTS } target_kind;

typedef struct {
    target_kind kind;
    int32_t output; /* LCC_OUTPUT_; of classes, -1 until their number is known */
    int guessed;
    int open;    /* real numbers whose noise is for short fits to choose */
    double ahead; /* nats by which they prefer the output to student-t on held-out rows; 0: they do not */
    double error; /* of that */
    int whole; /* real numbers that are whole and not below 0: they might be counts or classes */
} target_choice;

/* What --output names: an output of the library, or regression, classes or counts; guessed where `given` is NULL,
 * from rows that have their target in this column: classes where it holds words, exactly two values, or whole
 * numbers 0 or 1 to K, K at most 20, each of them common; counts where there is an exposure; else real numbers. 0 or
 * an exit code after a message. */
int target_choose(const char *given, const char *exposure, const row_list *from, size_t column,
                  target_choice *out);

/* Settles the output of classes, once their number is known. 0 or an exit code after a message. */
int target_settle(target_choice *choice, const schema *columns);

/* 0 where every y is what the output can be; EXIT_FAILED after a message that names the cell. */
int target_check(const target_choice *choice, const dataset *rows);

/* One line: what y is taken for, and where that was guessed, how to say otherwise. */
void target_say(const target_choice *choice, const schema *columns, char *text, size_t capacity);

#endif
