#include "judge.h"

#include "port.h"
#include "port/text.h"
#include "rows.h"

#include <lcc.h>

/* Newton's iteration, so that a number on the display costs no library. */
float root(float x)
{
    float y = x > 1.0f ? x : 1.0f;
    int k;
    for (k = 0; k < 40; k++) {
        y = 0.5f * (y + x / y);
    }
    return y;
}

uint64_t judge(const unsigned char *image, size_t length, unsigned char *scratch, size_t bytes)
{
    uint64_t hash = HASH_EMPTY;
    uint64_t cost = 0;
    float squares = 0.0f;
    unsigned inside = 0;
    int i;
    for (i = 0; i < ROWS_TEST; i++) {
        const lcc_data_f32 row = {&rows_test_x[i * ROWS_INPUTS], NULL, 1, ROWS_INPUTS, ROWS_INPUTS, 1};
        const float y = rows_test_y[i];
        const uint64_t before = port_clock();
        lcc_prediction_f32 p;
        check(lcc_model_predict_f32(image, length, &row, 0.9f, scratch, bytes, &p, 1), "predict");
        cost += port_clock() - before;
        hash = hash_bytes(hash, &p, sizeof p);
        squares += (y - p.mean) * (y - p.mean);
        inside += p.lower <= y && y <= p.upper;
        if (i < 3) {
            text("NOx ");
            text_decimal(p.mean, 1);
            text(" mg/m3, in [");
            text_decimal(p.lower, 1);
            text(", ");
            text_decimal(p.upper, 1);
            text("] with probability .9; measured ");
            text_decimal(y, 1);
            text("\n");
        }
    }
    text("error (RMSE) ");
    text_decimal(root(squares / ROWS_TEST), 3);
    text(", ");
    text_unsigned(inside);
    text(" of 100 rows inside\n");
    report("instructions_prediction", cost / ROWS_TEST);
    report("rmse_thousandths", (uint32_t)(1000.0f * root(squares / ROWS_TEST)));
    report("covered_percent", inside);
    return hash;
}
