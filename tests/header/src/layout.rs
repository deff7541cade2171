//! Layout asserts for the header: sizes and offsets as Rust has them, on targets with 64-bit pointers.

use std::fmt::Write;

macro_rules! layouts {
    ($($module:path: $($name:ident { $($field:ident),* })*;)*) => {
        vec![$($({
            use $module as module;
            (
                stringify!($name),
                size_of::<module::$name>(),
                vec![$((stringify!($field), std::mem::offset_of!(module::$name, $field))),*],
            )
        }),*),*]
    };
}

/// The structs of one precision.
macro_rules! twins {
    ($precision:ident: $data:ident $problem:ident $draws:ident $summary:ident $sampler:ident
     $smc:ident $climb:ident $evidence:ident $stage:ident $average:ident $tempering:ident $rung:ident
     $auto:ident $report:ident $certificate:ident $certificates:ident $network:ident $diagnosis:ident
     $greedy:ident $level:ident $prequential:ident $forecast:ident $losses:ident $online:ident
     $relaxed:ident $fit:ident $chain:ident $prediction:ident $score:ident $evaluation:ident
     $stream:ident $streamed:ident) => {
        layouts! {
            lcc::$precision::data: $data { x, y, n, d, row_stride, column_stride };
            lcc::$precision::problem: $problem {
                struct_size, posterior, activation, prior, signs, neurons, scale, alpha, outer, beta
            };
            lcc::$precision::draws:
                $draws { data, chains, draws, chain_stride, draw_stride }
                $summary { mean, q5, mcse_mean, ess_bulk, rhat };
            lcc::$precision::sampler: $sampler {
                struct_size, method, chains, stored, leapfrogs, burn_in, portable, seed,
                target_accept, langevin_step
            };
            lcc::$precision::smc:
                $smc {
                    struct_size, ladder, particles, stages, adapt, portable, seed, share, first,
                    target_accept, jitter
                }
                $climb { gradients, stages, done, temperature };
            lcc::$precision::particles:
                $evidence { families, log, standard_error }
                $stage { temperature, ess, acceptance, step }
                $average { mean, variance, standard_error };
            lcc::$precision::tempering:
                $tempering {
                    struct_size, chains, temperatures, draws, portable, seed, target_accept, jitter
                }
                $rung { temperature, acceptance, swap, step };
            lcc::$precision::auto:
                $auto { struct_size, chains, pilot, draws, portable, seed }
                $report { choice, verdict, families, overlap, rhat, log_evidence_error };
            lcc::$precision::certificate:
                $certificate { kind, status, value, threshold, error }
                $certificates {
                    struct_size, count, conclusion, probes, prior, coupling, scale, selection,
                    fingerprint, entries
                };
            lcc::$precision::network:
                $network {
                    struct_size, neurons, keep, activation, drop, mass, portable, seed, drop_below,
                    input_scale, noise_rate
                };
            lcc::$precision::greedy_bayes:
                $greedy {
                    struct_size, activation, form, levels, keep, portable, seed, scale, alpha,
                    holdout
                }
                $level { log_evidence, rmse, coefficient, families, stages };
            lcc::$precision::prequential:
                $prequential {
                    struct_size, activation, form, levels, keep, portable, seed, scale, alpha, noise
                }
                $forecast { location, scale, nu, sd, lower, upper }
                $losses { rows, squared, log }
                $online { log_evidence, ess, fit, resamplings };
            lcc::$precision::relaxed:
                $relaxed { struct_size, method, levels, steps, portable, seed, radius }
                $fit { error, bound, gap, variation };
            lcc::$precision::diagnosis:
                $diagnosis { rhat_max, acceptance, divergences, gradients, chains_dropped }
                $chain { log_likelihood, acceptance, e_bfmi, divergences, dropped };
            lcc::$precision::prediction:
                $prediction { mean, sd, lower, upper }
                $score { log_density, pit, crps }
                $evaluation { rmse, log_likelihood, coverage, width, crps };
            lcc::$precision::stream:
                $stream { struct_size, draws, weighted, portable, forgetting, noise_rows, linear_sd }
                $streamed { log_density, pit };
        }
    };
}

/// The text of the asserts.
pub(crate) fn asserts() -> String {
    let mut all = layouts! {
        lcc::certificate: lcc_probe_options {
            struct_size, coupling, reduced, lemma3, warmup, draws, leapfrogs, portable, seed
        };
        lcc::sampler: lcc_progress { done, total, draws, gradients, warming };
        lcc::stream: lcc_stream_info { rows, inputs, neurons, draws, weighted };
        lcc::model: lcc_model_info { bytes, inputs, neurons, draws, precision, activation };
    };
    all.extend(twins!(f64: lcc_data_f64 lcc_problem_f64 lcc_draws_f64 lcc_summary_f64
        lcc_sampler_options_f64 lcc_smc_options_f64 lcc_climb_f64 lcc_evidence_f64
        lcc_stage_f64 lcc_average_f64 lcc_tempering_options_f64 lcc_rung_f64
        lcc_auto_options_f64 lcc_choice_f64 lcc_certificate_f64
        lcc_certificates_f64 lcc_network_options_f64 lcc_network_diagnosis_f64
        lcc_greedy_options_f64 lcc_greedy_level_f64
        lcc_prequential_options_f64 lcc_forecast_f64 lcc_losses_f64 lcc_prequential_level_f64
        lcc_relaxed_options_f64 lcc_relaxed_level_f64
        lcc_network_chain_f64 lcc_prediction_f64 lcc_score_f64 lcc_evaluation_f64
        lcc_stream_options_f64 lcc_stream_score_f64));
    all.extend(twins!(f32: lcc_data_f32 lcc_problem_f32 lcc_draws_f32 lcc_summary_f32
        lcc_sampler_options_f32 lcc_smc_options_f32 lcc_climb_f32 lcc_evidence_f32
        lcc_stage_f32 lcc_average_f32 lcc_tempering_options_f32 lcc_rung_f32
        lcc_auto_options_f32 lcc_choice_f32 lcc_certificate_f32
        lcc_certificates_f32 lcc_network_options_f32 lcc_network_diagnosis_f32
        lcc_greedy_options_f32 lcc_greedy_level_f32
        lcc_prequential_options_f32 lcc_forecast_f32 lcc_losses_f32 lcc_prequential_level_f32
        lcc_relaxed_options_f32 lcc_relaxed_level_f32
        lcc_network_chain_f32 lcc_prediction_f32 lcc_score_f32 lcc_evaluation_f32
        lcc_stream_options_f32 lcc_stream_score_f32));
    let mut out = String::from(
        "/* The layout that the library was built with, where pointers have 64 bits. */\n\
         #if defined(__cplusplus)\n#define LCC_ASSERT_(what) static_assert(what, #what)\n\
         #elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n\
         #define LCC_ASSERT_(what) _Static_assert(what, #what)\n\
         #endif\n#if defined(LCC_ASSERT_) && UINTPTR_MAX == 0xffffffffffffffff\n",
    );
    for (name, size, fields) in all {
        writeln!(out, "LCC_ASSERT_(sizeof({name}) == {size});").expect("string");
        for (field, offset) in fields {
            writeln!(out, "LCC_ASSERT_(offsetof({name}, {field}) == {offset});").expect("string");
        }
    }
    out.push_str("#endif\n");
    out
}
