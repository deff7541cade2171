//! The layout of every public struct of one precision.

use crate::layouts::{Layout, layouts};

/// Every struct whose name ends in _f64, in the header's order.
pub static LAYOUTS: &[Layout] = layouts![
    super::data::lcc_data_f64 { x y n d row_stride column_stride };
    super::bnn_options::lcc_bnn_options_f64;
    super::problem::lcc_problem_f64 {
        struct_size posterior activation prior signs neurons scale alpha outer beta density densities context
        dim gradient reserved network frame start starts
    };
    super::draws::lcc_draws_f64 { data chains draws chain_stride draw_stride };
    super::draws::lcc_summary_f64 {
        mean sd q5 median q95 mcse_mean mcse_sd ess_bulk ess_tail rhat
    };
    super::loo::lcc_loo_row_f64 { elpd mcse k lpd p_waic };
    super::loo::lcc_loo_f64 {
        rows bad k_limit k_max elpd elpd_error mcse p p_error elpd_waic elpd_waic_error p_waic p_waic_error
    };
    super::transform::lcc_parameter_f64 { name constraint size count lower upper };
    super::check::lcc_gradient_check_f64 {
        points outside first_outside unequal wrong unchecked point coordinate gradient difference error relative
    };
    super::sampler::lcc_sampler_options_f64;
    super::smc::lcc_smc_options_f64;
    super::smc::lcc_climb_f64 { gradients stages done temperature };
    super::particles::lcc_evidence_f64 { families log standard_error };
    super::particles::lcc_stage_f64 { temperature ess acceptance step };
    super::particles::lcc_predicted_f64 { log_likelihood mean };
    super::particles::lcc_average_f64 { mean variance standard_error };
    super::tempering::lcc_tempering_options_f64;
    super::tempering::lcc_rung_f64 { temperature acceptance swap step };
    super::warmup::lcc_warmup_options_f64;
    super::auto::lcc_auto_options_f64;
    super::auto::lcc_choice_f64 {
        choice verdict stages strays particles coordinate uncentred cause families overlap rhat spread disagreement shift
        stretch effective log_evidence log_evidence_error
    };
    super::certificate::lcc_certificate_f64 { kind status value threshold error };
    super::certificate::lcc_certificates_f64 {
        struct_size count conclusion probes prior coupling scale selection fingerprint entries
    };
    super::network::lcc_network_options_f64;
    super::diagnosis::lcc_network_diagnosis_f64 {
        rhat_max ess_bulk_min ess_tail_min acceptance e_bfmi_min divergences gradients chains_used
        chains_dropped
    };
    super::diagnosis::lcc_network_chain_f64 {
        log_likelihood acceptance e_bfmi divergences dropped reserved
    };
    super::bnn::lcc_bnn_diagnosis_f64 {
        rhat_max ess_bulk_min acceptance luck_rms luck_median divergences gradients coordinates
        chains_used chains_dropped
    };
    super::bnn::lcc_bnn_mode_f64 { log_joint log_evidence distance_squared steps error };
    super::data::lcc_remark_f64 { remark column rows value };
    super::bnn::lcc_bnn_choice_f64 { candidate rows ahead error };
    super::bnn::lcc_bnn_changes_f64 { temperature step variance skewness kurtosis };
    super::greedy_bayes::lcc_greedy_options_f64;
    super::greedy_bayes::lcc_greedy_level_f64 {
        log_evidence evidence_error acceptance alpha rmse rmse_held_out coefficient families stages
    };
    super::relaxed::lcc_relaxed_options_f64;
    super::relaxed::lcc_relaxed_level_f64 { error bound gap variation };
    super::vae::lcc_vae_options_f64;
    super::vae::lcc_vae_bound_f64 { bound error kl };
    super::vae::lcc_vae_shape_f64 { columns latent parameters scratch observed reserved noise };
    super::prediction::lcc_prediction_f64 { mean sd lower upper };
    super::prediction::lcc_score_f64 { log_density pit crps };
    super::prediction::lcc_spread_f64 { aleatoric epistemic };
    super::prediction::lcc_class_facts_f64 { entropy mutual_information top };
    super::prediction::lcc_class_evaluation_f64 {
        accuracy log_likelihood brier ranked calibration coverage set_size entropy mutual_information
    };
    super::prediction::lcc_evaluation_f64 { rmse log_likelihood coverage width crps };
    super::prediction::lcc_thinned_f64 { rms largest };
    super::stream::lcc_stream_options_f64;
    super::stream::lcc_stream_score_f64 { log_density pit };
    super::prequential::lcc_prequential_options_f64;
    super::forecast::lcc_forecast_f64 { location scale nu sd lower upper };
    super::forecast::lcc_losses_f64 { rows squared log };
    super::prequential::lcc_prequential_level_f64 { log_evidence ess acceptance fit resamplings };
];
