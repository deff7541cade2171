/* Learns through losses of power. Two slots of storage take turns: the newest checkpoint is never written over, so
 * one that was torn by a loss of power costs a few steps and nothing else. */
#include "configure.h"
#include "port.h"
#include "port/text.h"
#include "sizes.h"

/* At the start of a slot. */
struct head {
    uint32_t sequence;
    uint32_t inverse; /* ~sequence: a torn head is none */
    uint32_t length;
    uint32_t reserved;
};

static _Alignas(16) unsigned char memory[POWERLOSS_MEMORY];
static struct {
    struct head head;
    unsigned char bytes[POWERLOSS_CHECKPOINT];
} image;
static unsigned char model[POWERLOSS_MODEL];

static uint32_t sequence;
static lcc_network_f32 *network;

/* The number of the checkpoint in a slot, 0 if there is none. */
static uint32_t number(int slot)
{
    struct head head;
    if (port_read(slot, 0, &head, sizeof head) != 0 || head.sequence != ~head.inverse ||
        head.length != sizeof image.bytes) {
        return 0;
    }
    return head.sequence;
}

static int restore(int slot)
{
    const uint32_t own = number(slot);
    if (own == 0 || port_read(slot, 0, &image, sizeof image) != 0 ||
        lcc_restore(memory, sizeof memory, image.bytes, sizeof image.bytes) != LCC_OK) {
        return 0;
    }
    network = (lcc_network_f32 *)(void *)memory;
    sequence = own;
    return 1;
}

/* Goes on from the newest checkpoint that is whole. */
static int resume(void)
{
    const int newest = number(1) > number(0);
    int k;
    for (k = 0; k < PORT_SLOTS; k++) {
        const int slot = k == 0 ? newest : 1 - newest;
        if (restore(slot)) {
            text("resumed from checkpoint ");
            text_unsigned(sequence);
            text("\n");
            return 1;
        }
        text("slot ");
        text_unsigned((uint64_t)slot);
        text(" holds no whole checkpoint\n");
    }
    return 0;
}

/* Writes page by page into the slot that does not hold the newest checkpoint. The parity of its number names the
 * slot, so the next checkpoint after a torn one goes where the torn one lies. */
static void save(void)
{
    const unsigned char *bytes = (const unsigned char *)&image;
    size_t at;
    sequence++;
    check(lcc_checkpoint(network, image.bytes, sizeof image.bytes), "checkpoint");
    image.head.sequence = sequence;
    image.head.inverse = ~sequence;
    image.head.length = sizeof image.bytes;
    for (at = 0; at < sizeof image; at += PORT_PAGE) {
        const size_t length = sizeof image - at < PORT_PAGE ? sizeof image - at : PORT_PAGE;
        if (port_write_page((int)(sequence % 2), at / PORT_PAGE, bytes + at, length) != 0) {
            text("the storage failed\n");
            port_exit(1);
        }
    }
    text("checkpoint ");
    text_unsigned(sequence);
    text("\n");
}

int program(void)
{
    const lcc_data_f32 data = train_rows(POWERLOSS_ROWS);
    lcc_network_options_f32 options;
    size_t length = 0;
    int32_t status;
    unsigned steps = 0;

    if (!resume()) {
        check(configure_powerloss(&options), "options");
        check(lcc_network_init_f32(memory, sizeof memory, &options, &data, &network), "init");
    }
    do {
        status = lcc_network_step_f32(network, &data, 300);
        check(status, "step");
        if (++steps % 8 == 0) {
            save();
        }
    } while (status == LCC_RUNNING);
    check(lcc_network_write_model_f32(network, model, sizeof model, &length), "model");
    report_hash("hash", hash_bytes(HASH_EMPTY, model, length));
    report("checkpoint_bytes", sizeof image);
    report("stack", port_stack());
    return 0;
}
