/* A soft sensor: predicts with a model that lies in flash. */
#include "judge.h"
#include "model.table.h"
#include "port.h"
#include "port/text.h"
#include "sizes.h"

#include <lcc.h>

static _Alignas(16) unsigned char scratch[PREDICT_SCRATCH];

int program(void)
{
    size_t length;
    const unsigned char *image = model_image(&length);
    const uint64_t hash = judge(image, length, scratch, sizeof scratch);
    report_hash("hash", hash);
    report("stack", port_stack());
    return 0;
}
