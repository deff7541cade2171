/* What the ABI does with input that no correct program gives it: a specific status each, nothing
 * written, nothing lost. Once in either precision. */
#include "check.h"
#include <math.h>

#define IMPL "bad_input.inc"
#include "both.inc"

static void statuses(void) {
    int32_t status;
    CHECK(strcmp(lcc_status_message(LCC_OK), lcc_status_message(12345)) != 0);
    for (status = -300; status < 300; status++) {
        const char *message = lcc_status_message(status);
        CHECK(message != NULL && strlen(message) > 4 && message[strlen(message) - 1] != ' ');
    }
}

static void versions(void) {
    CHECK(strcmp(lcc_version(), LCC_VERSION) == 0);
    CHECK(lcc_version_number() == LCC_VERSION_NUMBER);
    CHECK(LCC_VERSION_NUMBER ==
          LCC_VERSION_MAJOR * 1000000 + LCC_VERSION_MINOR * 1000 + LCC_VERSION_PATCH);
    CHECK(lcc_abi_version() == LCC_ABI_VERSION);
    CHECK((lcc_capabilities() & LCC_CAPABILITY_F32) && (lcc_capabilities() & LCC_CAPABILITY_F64));
}

static void names(void) {
    int32_t code = 77, k;
    for (k = 0; lcc_activation_name(k) != NULL; k++) {
        STATUS(lcc_activation_from_name(lcc_activation_name(k), &code), LCC_OK);
        CHECK(code == k);
    }
    CHECK(k == 11 && lcc_activation_name(-1) == NULL);
    for (k = 0; lcc_method_name(k) != NULL; k++) {
        STATUS(lcc_method_from_name(lcc_method_name(k), &code), LCC_OK);
        CHECK(code == k);
    }
    CHECK(k >= 3);
    for (k = 0; lcc_output_name(k) != NULL; k++) {
        CHECK(strlen(lcc_output_name(k)) > 4);
    }
    CHECK(k >= 8 && lcc_output_name(-1) == NULL && strcmp(lcc_output_name(LCC_OUTPUT_POISSON), "poisson") == 0);
    for (k = 0; lcc_scales_name(k) != NULL; k++) {
    }
    CHECK(k == 3 && lcc_scales_name(-1) == NULL && strcmp(lcc_scales_name(LCC_SCALES_KNOWN), "known") == 0);
    code = 77;
    STATUS(lcc_activation_from_name("tan", &code), LCC_ERROR_NAME);
    STATUS(lcc_activation_from_name("", &code), LCC_ERROR_NAME);
    STATUS(lcc_activation_from_name("a name that is longer than any name there could ever be", &code),
           LCC_ERROR_NAME);
    STATUS(lcc_activation_from_name(NULL, &code), LCC_ERROR_NULL);
    STATUS(lcc_activation_from_name("tanh", NULL), LCC_ERROR_NULL);
    STATUS(lcc_method_from_name("no-such-method", &code), LCC_ERROR_NAME);
    CHECK(code == 77);
    STATUS(lcc_method_reads(LCC_METHOD_SPLIT_HMC, "langevin_step", &code), LCC_OK);
    CHECK(code == 0 && lcc_method_reads(LCC_METHOD_LANGEVIN, "langevin_step", &code) == LCC_OK && code == 1);
    STATUS(lcc_inference_reads(LCC_INFERENCE_MAP, "leapfrogs", &code), LCC_OK);
    CHECK(code == 0 && lcc_inference_reads(LCC_INFERENCE_CHAINS, "leapfrogs", &code) == LCC_OK && code == 1);
    STATUS(lcc_output_reads(LCC_OUTPUT_POISSON, "size", &code), LCC_OK);
    CHECK(code == 0 && lcc_output_reads(LCC_OUTPUT_NEGATIVE_BINOMIAL, "size", &code) == LCC_OK && code == 1);
    STATUS(lcc_method_reads(18, "inner", &code), LCC_ERROR_METHOD);
    STATUS(lcc_inference_reads(-1, "draws", &code), LCC_ERROR_METHOD);
    STATUS(lcc_output_reads(13, "size", &code), LCC_ERROR_OUTPUT);
    STATUS(lcc_output_reads(0, "a_name_of_more_bytes_than_any_member_has", &code), LCC_ERROR_NAME);
    STATUS(lcc_output_reads(0, NULL, &code), LCC_ERROR_NULL);
}

static void layouts(void) {
    size_t offset = 77, bytes = 77;
    STATUS(lcc_layout("lcc_dat_f64", NULL, &offset, &bytes), LCC_ERROR_NAME);
    STATUS(lcc_layout("lcc_data_f64x", NULL, &offset, &bytes), LCC_ERROR_NAME);
    STATUS(lcc_layout("", NULL, &offset, &bytes), LCC_ERROR_NAME);
    STATUS(lcc_layout("lcc_data_f64", "z", &offset, &bytes), LCC_ERROR_NAME);
    STATUS(lcc_layout(NULL, NULL, &offset, &bytes), LCC_ERROR_NULL);
    STATUS(lcc_layout("lcc_data_f64", NULL, NULL, &bytes), LCC_ERROR_NULL);
    STATUS(lcc_layout("lcc_data_f64", NULL, &offset, NULL), LCC_ERROR_NULL);
    CHECK(offset == 77 && bytes == 77);
    STATUS(lcc_layout("lcc_data_f64", NULL, &offset, &bytes), LCC_OK);
    CHECK(offset == 0 && bytes == sizeof(lcc_data_f64));
    STATUS(lcc_layout("lcc_data_f64", "row_stride", &offset, &bytes), LCC_OK);
    CHECK(offset == offsetof(lcc_data_f64, row_stride) && bytes == sizeof(size_t));
    STATUS(lcc_layout("lcc_certificates_f32", "entries", &offset, &bytes), LCC_OK);
    CHECK(offset == offsetof(lcc_certificates_f32, entries) && bytes == 16 * sizeof(lcc_certificate_f32));
    STATUS(lcc_layout("lcc_progress", "draws", &offset, &bytes), LCC_OK);
    CHECK(offset == offsetof(lcc_progress, draws) && bytes == sizeof(uint64_t));
}

int main(void) {
    statuses();
    versions();
    names();
    layouts();
    run_f64();
    run_f32();
    return failures != 0;
}
