#include "paths.h"

#include "cli.h"
#include "files.h"
#include "scan.h"

#include <lcc.h>

#include <stdlib.h>
#include <string.h>

/* Matrices, at most: the library's. */
enum { MATRICES = 32 };

/* What is read: all weights in their order, and where each matrix begins. */
typedef struct {
    double *weights;
    size_t count;
    size_t capacity;
    size_t begins[MATRICES];
    size_t widths[MATRICES + 1];
    size_t matrices;
    int given;
} network_text;

static int push(network_text *n, double weight)
{
    double *weights = make_room_for_one(n->weights, n->count, &n->capacity, sizeof *weights);
    if (weights == NULL) {
        return EXIT_FAILED;
    }
    n->weights = weights;
    n->weights[n->count] = weight;
    n->count++;
    return 0;
}

/* One row; its length must be that of those before. */
static int read_row(json_scan *scan, network_text *n, size_t *width)
{
    size_t count = 0;
    int first = 1;
    (void)scan_open(scan, '[');
    while (scan_element(scan, &first)) {
        double weight = 0.0;
        if (scan_number(scan, &weight) == 0 && push(n, weight) != 0) {
            return EXIT_FAILED;
        }
        count++;
    }
    if (scan->error == NULL && (count == 0 || (*width != 0 && count != *width))) {
        scan->error = count == 0 ? "a row without weights" : "a row of another length";
    }
    *width = count;
    return 0;
}

static int read_matrix(json_scan *scan, network_text *n)
{
    size_t width = n->matrices == 0 ? 0 : n->widths[n->matrices];
    size_t rows = 0;
    int first = 1;
    int code = 0;
    if (n->matrices == MATRICES) {
        scan->error = "more than 32 matrices";
        return 0;
    }
    n->begins[n->matrices] = n->count;
    (void)scan_open(scan, '[');
    while (code == 0 && scan_element(scan, &first)) {
        code = read_row(scan, n, &width);
        rows++;
    }
    if (scan->error == NULL && rows == 0) {
        scan->error = "a matrix without rows";
    }
    n->widths[n->matrices] = width;
    n->matrices++;
    n->widths[n->matrices] = rows;
    return code;
}

static int walk(json_scan *scan, network_text *n)
{
    char key[16];
    int first = 1;
    int code = 0;
    (void)scan_open(scan, '{');
    while (code == 0 && scan_member(scan, &first, key, sizeof key)) {
        int element = 1;
        if (strcmp(key, "weights") != 0) {
            scan_skip(scan);
            continue;
        }
        if (n->given) {
            scan->error = "\"weights\" that were there before";
            break;
        }
        n->given = 1;
        (void)scan_open(scan, '[');
        while (code == 0 && scan_element(scan, &element)) {
            code = read_matrix(scan, n);
        }
    }
    return code;
}

static int sum(path_sums *sums, const char *path, const network_text *n)
{
    const double *weights[MATRICES];
    size_t widest = 1;
    size_t k;
    for (k = 0; k <= n->matrices; k++) {
        widest = n->widths[k] > widest ? n->widths[k] : widest;
    }
    for (k = 0; k < n->matrices; k++) {
        weights[k] = n->weights + n->begins[k];
    }
    sums->matrices = n->matrices;
    sums->inputs = n->widths[0];
    sums->last = n->widths[n->matrices - 1];
    sums->paths = allocate(2 * widest, sizeof *sums->paths);
    return sums->paths == NULL
               ? EXIT_FAILED
               : checked(path, lcc_theory_paths_f64(weights, n->widths, n->matrices, sums->paths,
                                                    2 * widest, &sums->variation));
}

int paths_read(path_sums *sums, const char *path)
{
    network_text n;
    json_scan scan;
    size_t length = 0;
    unsigned char *bytes = file_read(path, &length);
    int code;
    memset(sums, 0, sizeof *sums);
    memset(&n, 0, sizeof n);
    if (bytes == NULL) {
        return EXIT_FAILED;
    }
    scan_begin(&scan, (const char *)bytes, length);
    code = walk(&scan, &n);
    if (code == 0 && !scan_end(&scan)) {
        code = fail("%s: line %lu: %s", path, (unsigned long)scan_line(&scan), scan.error);
    } else if (code == 0 && n.matrices == 0) {
        code = fail("%s: no \"weights\"", path);
    }
    THEN(code, sum(sums, path, &n));
    free(n.weights);
    free(bytes);
    return code;
}

void paths_free(path_sums *sums)
{
    free(sums->paths);
    sums->paths = NULL;
}
