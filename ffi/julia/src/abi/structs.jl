# Generated from the headers of include by gen/generate.jl: do not edit.

# Mirrors of the header's structs; T is the precision. Their layout is checked at load.

struct Progress
    done::UInt64
    total::UInt64
    draws::UInt64
    gradients::UInt64
    warming::UInt32
    reserved::UInt32
end

struct ProbeOptions
    struct_size::UInt32
    coupling::Int32
    reduced::UInt32
    lemma3::UInt32
    warmup::UInt32
    draws::UInt32
    leapfrogs::UInt32
    ascent::UInt32
    portable::UInt32
    reserved::UInt32
    seed::UInt64
end

struct ModelInfo
    bytes::UInt64
    attachment::UInt64
    inputs::UInt32
    neurons::UInt32
    draws::UInt32
    precision::UInt32
    activation::Int32
    output::Int32
    categories::UInt32
    reference::UInt32
    exposure::UInt32
    linear::UInt32
    linearised::UInt32
    widths::NTuple{4,UInt32}
    values::UInt32
    temperature::Cfloat
    reserved::UInt32
end

struct StreamInfo
    rows::UInt64
    inputs::UInt32
    neurons::UInt32
    draws::UInt32
    weighted::UInt32
end

struct Data{T<:Union{Float32,Float64}}
    x::Ptr{T}
    y::Ptr{T}
    n::Csize_t
    d::Csize_t
    row_stride::Csize_t
    column_stride::Csize_t
end

struct Remark{T<:Union{Float32,Float64}}
    remark::Int32
    column::UInt32
    rows::UInt64
    value::T
end

struct BnnOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    method::Int32
    widths::NTuple{4,UInt32}
    activation::Int32
    output::Int32
    categories::UInt32
    reference::UInt32
    exposure::UInt32
    linear::UInt32
    scales::Int32
    standardise::UInt32
    chains::UInt32
    lanes::UInt32
    start_steps::UInt32
    ascent_steps::UInt32
    warmup::UInt32
    draws::UInt32
    keep::UInt32
    leapfrogs::UInt32
    drop::UInt32
    trace_rows::UInt32
    portable::UInt32
    first_chain::UInt32
    batch::UInt32
    rank::UInt32
    pairs::UInt32
    halving::UInt32
    minibatches::UInt32
    penalty::Int32
    barker::UInt32
    full::UInt32
    optimiser::Int32
    average::UInt32
    seed::UInt64
    drop_below::T
    target_accept::T
    jitter::T
    first_step::T
    noise::T
    tail::T
    noise_shape::T
    noise_rate::T
    floor::T
    size::T
    input_scale::T
    bias_scale::T
    hidden_scale::T
    outer_scale::T
    linear_scale::T
    intercept_sd::T
    dropout::T
    mixture::T
    wide::T
    narrow::T
    prune::T
    rate::T
    delay::T
    step::T
    decay::T
end

struct Problem{T<:Union{Float32,Float64}}
    struct_size::UInt32
    posterior::Int32
    activation::Int32
    prior::Int32
    signs::Int32
    neurons::UInt32
    scale::T
    alpha::T
    outer::T
    beta::T
    density::Ptr{Cvoid}
    densities::Ptr{Cvoid}
    context::Ptr{Cvoid}
    dim::Csize_t
    gradient::UInt32
    reserved::UInt32
    network::Ptr{BnnOptions{T}}
    frame::Ptr{T}
    start::Ptr{T}
    starts::Csize_t
end

struct Draws{T<:Union{Float32,Float64}}
    data::Ptr{T}
    chains::Csize_t
    draws::Csize_t
    chain_stride::Csize_t
    draw_stride::Csize_t
end

struct Summary{T<:Union{Float32,Float64}}
    mean::T
    sd::T
    q5::T
    median::T
    q95::T
    mcse_mean::T
    mcse_sd::T
    ess_bulk::T
    ess_tail::T
    rhat::T
end

struct LooRow{T<:Union{Float32,Float64}}
    elpd::T
    mcse::T
    k::T
    lpd::T
    p_waic::T
end

struct Loo{T<:Union{Float32,Float64}}
    rows::Csize_t
    bad::Csize_t
    k_limit::T
    k_max::T
    elpd::T
    elpd_error::T
    mcse::T
    p::T
    p_error::T
    elpd_waic::T
    elpd_waic_error::T
    p_waic::T
    p_waic_error::T
end

struct Parameter{T<:Union{Float32,Float64}}
    name::Ptr{UInt8}
    constraint::Int32
    size::UInt32
    count::Csize_t
    lower::T
    upper::T
end

struct GradientCheck{T<:Union{Float32,Float64}}
    points::Csize_t
    outside::Csize_t
    first_outside::Csize_t
    unequal::Csize_t
    wrong::Csize_t
    unchecked::Csize_t
    point::Csize_t
    coordinate::Csize_t
    gradient::T
    difference::T
    error::T
    relative::T
end

struct SamplerOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    method::Int32
    coupling::Int32
    reduced::UInt32
    reference::Int32
    antithetic::UInt32
    chains::UInt32
    lanes::UInt32
    warmup::UInt32
    draws::UInt32
    stored::UInt32
    leapfrogs::UInt32
    inner::UInt32
    fresh::UInt32
    burn_in::UInt32
    levels::UInt32
    portable::UInt32
    inner_method::Int32
    first_chain::UInt32
    fixed::UInt32
    seed::UInt64
    target_accept::T
    total_time::T
    jitter::T
    short_steps::T
    langevin_step::T
    diffusion_time::T
end

struct SmcOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    ladder::Int32
    particles::UInt32
    lanes::UInt32
    stages::UInt32
    moves::UInt32
    leapfrogs::UInt32
    adapt::UInt32
    portable::UInt32
    reference::Int32
    seed::UInt64
    share::T
    first::T
    target_accept::T
    total_time::T
    jitter::T
end

struct Climb{T<:Union{Float32,Float64}}
    gradients::UInt64
    stages::UInt32
    done::UInt32
    temperature::T
end

struct Evidence{T<:Union{Float32,Float64}}
    families::UInt64
    log::T
    standard_error::T
end

struct Stage{T<:Union{Float32,Float64}}
    temperature::T
    ess::T
    acceptance::T
    step::T
end

struct Predicted{T<:Union{Float32,Float64}}
    log_likelihood::T
    mean::T
end

struct Average{T<:Union{Float32,Float64}}
    mean::T
    variance::T
    standard_error::T
end

struct TemperingOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    chains::UInt32
    lanes::UInt32
    temperatures::UInt32
    moves::UInt32
    warmup::UInt32
    draws::UInt32
    stored::UInt32
    leapfrogs::UInt32
    portable::UInt32
    seed::UInt64
    target_accept::T
    total_time::T
    jitter::T
end

struct Rung{T<:Union{Float32,Float64}}
    temperature::T
    acceptance::T
    swap::T
    step::T
end

struct WarmupOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    ascents::UInt32
    ascent_steps::UInt32
    chains::UInt32
    rounds::UInt32
    leapfrogs::UInt32
    seed::UInt64
end

struct AutoOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    chains::UInt32
    lanes::UInt32
    pilot::UInt32
    warmup::UInt32
    draws::UInt32
    portable::UInt32
    ess::UInt32
    seed::UInt64
    max_gradients::UInt64
end

struct Choice{T<:Union{Float32,Float64}}
    choice::UInt32
    verdict::UInt32
    stages::UInt32
    strays::UInt32
    particles::UInt32
    coordinate::UInt32
    uncentred::UInt32
    cause::UInt32
    families::UInt64
    overlap::T
    rhat::T
    spread::T
    disagreement::T
    shift::T
    stretch::T
    effective::T
    log_evidence::T
    log_evidence_error::T
end

struct Certificate{T<:Union{Float32,Float64}}
    kind::Int32
    status::Int32
    value::T
    threshold::T
    error::T
end

struct Certificates{T<:Union{Float32,Float64}}
    struct_size::UInt32
    count::UInt32
    conclusion::Int32
    probes::UInt32
    prior::Int32
    coupling::Int32
    scale::T
    selection::T
    fingerprint::UInt64
    entries::NTuple{16,Certificate{T}}
end

struct NetworkOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    neurons::UInt32
    chains::UInt32
    lanes::UInt32
    warmup::UInt32
    draws::UInt32
    keep::UInt32
    activation::Int32
    gaussian::UInt32
    standardise::UInt32
    starts::UInt32
    start_steps::UInt32
    drop::UInt32
    leapfrogs::UInt32
    early_leapfrogs::UInt32
    mass::Int32
    mass_updates::UInt32
    trace_rows::UInt32
    portable::UInt32
    first_chain::UInt32
    seed::UInt64
    drop_below::T
    target_accept::T
    jitter::T
    first_step::T
    largest_step::T
    input_scale::T
    outer_scale::T
    linear_scale::T
    intercept_sd::T
    noise_shape::T
    noise_rate::T
end

struct NetworkDiagnosis{T<:Union{Float32,Float64}}
    rhat_max::T
    ess_bulk_min::T
    ess_tail_min::T
    acceptance::T
    e_bfmi_min::T
    divergences::UInt64
    gradients::UInt64
    chains_used::UInt32
    chains_dropped::UInt32
end

struct NetworkChain{T<:Union{Float32,Float64}}
    log_likelihood::T
    acceptance::T
    e_bfmi::T
    divergences::UInt64
    dropped::UInt32
    reserved::UInt32
end

struct BnnChoice{T<:Union{Float32,Float64}}
    candidate::UInt32
    rows::UInt32
    ahead::T
    error::T
end

struct BnnDiagnosis{T<:Union{Float32,Float64}}
    rhat_max::T
    ess_bulk_min::T
    acceptance::T
    luck_rms::T
    luck_median::T
    divergences::UInt64
    gradients::UInt64
    coordinates::UInt64
    chains_used::UInt32
    chains_dropped::UInt32
end

struct BnnMode{T<:Union{Float32,Float64}}
    log_joint::T
    log_evidence::T
    distance_squared::T
    steps::T
    error::T
end

struct BnnChanges{T<:Union{Float32,Float64}}
    temperature::T
    step::T
    variance::T
    skewness::T
    kurtosis::T
end

struct GreedyOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    activation::Int32
    prior::Int32
    form::Int32
    levels::UInt32
    particles::UInt32
    moves::UInt32
    lanes::UInt32
    either_sign::UInt32
    standardise::UInt32
    intercept::UInt32
    refit::UInt32
    keep::UInt32
    follow::UInt32
    portable::UInt32
    reserved::UInt32
    seed::UInt64
    scale::T
    outer::T
    alpha::T
    beta::T
    ridge::T
    holdout::T
end

struct GreedyLevel{T<:Union{Float32,Float64}}
    log_evidence::T
    evidence_error::T
    acceptance::T
    alpha::T
    rmse::T
    rmse_held_out::T
    coefficient::T
    families::UInt32
    stages::UInt32
end

struct RelaxedOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    method::Int32
    activation::Int32
    levels::UInt32
    starts::UInt32
    steps::UInt32
    lanes::UInt32
    standardise::UInt32
    intercept::UInt32
    portable::UInt32
    seed::UInt64
    outer::T
    radius::T
end

struct RelaxedLevel{T<:Union{Float32,Float64}}
    error::T
    bound::T
    gap::T
    variation::T
end

struct VaeOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    observed::Int32
    activation::Int32
    latent::UInt32
    widths::NTuple{4,UInt32}
    steps::UInt32
    batch::UInt32
    seed::UInt64
    rate::T
    noise::T
    largest::T
end

struct VaeShape{T<:Union{Float32,Float64}}
    columns::UInt64
    latent::UInt64
    parameters::UInt64
    scratch::UInt64
    observed::Int32
    reserved::UInt32
    noise::T
end

struct VaeBound{T<:Union{Float32,Float64}}
    bound::T
    error::T
    kl::T
end

struct Prediction{T<:Union{Float32,Float64}}
    mean::T
    sd::T
    lower::T
    upper::T
end

struct Score{T<:Union{Float32,Float64}}
    log_density::T
    pit::T
    crps::T
end

struct Evaluation{T<:Union{Float32,Float64}}
    rmse::T
    log_likelihood::T
    coverage::T
    width::T
    crps::T
end

struct Spread{T<:Union{Float32,Float64}}
    aleatoric::T
    epistemic::T
end

struct ClassFacts{T<:Union{Float32,Float64}}
    entropy::T
    mutual_information::T
    top::T
end

struct ClassEvaluation{T<:Union{Float32,Float64}}
    accuracy::T
    log_likelihood::T
    brier::T
    ranked::T
    calibration::T
    coverage::T
    set_size::T
    entropy::T
    mutual_information::T
end

struct Thinned{T<:Union{Float32,Float64}}
    rms::T
    largest::T
end

struct StreamOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    draws::UInt32
    lanes::UInt32
    weighted::UInt32
    portable::UInt32
    reserved::UInt32
    forgetting::T
    noise_forgetting::T
    weight_forgetting::T
    noise_rows::T
    outer_sd::T
    intercept_sd::T
    linear_sd::T
end

struct StreamScore{T<:Union{Float32,Float64}}
    log_density::T
    pit::T
end

struct Forecast{T<:Union{Float32,Float64}}
    location::T
    scale::T
    nu::T
    sd::T
    lower::T
    upper::T
end

struct PrequentialOptions{T<:Union{Float32,Float64}}
    struct_size::UInt32
    activation::Int32
    prior::Int32
    form::Int32
    levels::UInt32
    particles::UInt32
    moves::UInt32
    lanes::UInt32
    either_sign::UInt32
    intercept::UInt32
    keep::UInt32
    portable::UInt32
    seed::UInt64
    scale::T
    outer::T
    alpha::T
    beta::T
    ess::T
    noise::T
end

struct Losses{T<:Union{Float32,Float64}}
    rows::UInt64
    squared::T
    log::T
end

struct PrequentialLevel{T<:Union{Float32,Float64}}
    log_evidence::T
    ess::T
    acceptance::T
    fit::T
    resamplings::UInt64
end

# Every struct with its name in C.
const MIRRORS = Pair{Symbol,Type}[
    :lcc_progress => Progress,
    :lcc_probe_options => ProbeOptions,
    :lcc_model_info => ModelInfo,
    :lcc_stream_info => StreamInfo,
    :lcc_data_f64 => Data{Float64},
    :lcc_data_f32 => Data{Float32},
    :lcc_remark_f64 => Remark{Float64},
    :lcc_remark_f32 => Remark{Float32},
    :lcc_bnn_options_f64 => BnnOptions{Float64},
    :lcc_bnn_options_f32 => BnnOptions{Float32},
    :lcc_problem_f64 => Problem{Float64},
    :lcc_problem_f32 => Problem{Float32},
    :lcc_draws_f64 => Draws{Float64},
    :lcc_draws_f32 => Draws{Float32},
    :lcc_summary_f64 => Summary{Float64},
    :lcc_summary_f32 => Summary{Float32},
    :lcc_loo_row_f64 => LooRow{Float64},
    :lcc_loo_row_f32 => LooRow{Float32},
    :lcc_loo_f64 => Loo{Float64},
    :lcc_loo_f32 => Loo{Float32},
    :lcc_parameter_f64 => Parameter{Float64},
    :lcc_parameter_f32 => Parameter{Float32},
    :lcc_gradient_check_f64 => GradientCheck{Float64},
    :lcc_gradient_check_f32 => GradientCheck{Float32},
    :lcc_sampler_options_f64 => SamplerOptions{Float64},
    :lcc_sampler_options_f32 => SamplerOptions{Float32},
    :lcc_smc_options_f64 => SmcOptions{Float64},
    :lcc_smc_options_f32 => SmcOptions{Float32},
    :lcc_climb_f64 => Climb{Float64},
    :lcc_climb_f32 => Climb{Float32},
    :lcc_evidence_f64 => Evidence{Float64},
    :lcc_evidence_f32 => Evidence{Float32},
    :lcc_stage_f64 => Stage{Float64},
    :lcc_stage_f32 => Stage{Float32},
    :lcc_predicted_f64 => Predicted{Float64},
    :lcc_predicted_f32 => Predicted{Float32},
    :lcc_average_f64 => Average{Float64},
    :lcc_average_f32 => Average{Float32},
    :lcc_tempering_options_f64 => TemperingOptions{Float64},
    :lcc_tempering_options_f32 => TemperingOptions{Float32},
    :lcc_rung_f64 => Rung{Float64},
    :lcc_rung_f32 => Rung{Float32},
    :lcc_warmup_options_f64 => WarmupOptions{Float64},
    :lcc_warmup_options_f32 => WarmupOptions{Float32},
    :lcc_auto_options_f64 => AutoOptions{Float64},
    :lcc_auto_options_f32 => AutoOptions{Float32},
    :lcc_choice_f64 => Choice{Float64},
    :lcc_choice_f32 => Choice{Float32},
    :lcc_certificate_f64 => Certificate{Float64},
    :lcc_certificate_f32 => Certificate{Float32},
    :lcc_certificates_f64 => Certificates{Float64},
    :lcc_certificates_f32 => Certificates{Float32},
    :lcc_network_options_f64 => NetworkOptions{Float64},
    :lcc_network_options_f32 => NetworkOptions{Float32},
    :lcc_network_diagnosis_f64 => NetworkDiagnosis{Float64},
    :lcc_network_diagnosis_f32 => NetworkDiagnosis{Float32},
    :lcc_network_chain_f64 => NetworkChain{Float64},
    :lcc_network_chain_f32 => NetworkChain{Float32},
    :lcc_bnn_choice_f64 => BnnChoice{Float64},
    :lcc_bnn_choice_f32 => BnnChoice{Float32},
    :lcc_bnn_diagnosis_f64 => BnnDiagnosis{Float64},
    :lcc_bnn_diagnosis_f32 => BnnDiagnosis{Float32},
    :lcc_bnn_mode_f64 => BnnMode{Float64},
    :lcc_bnn_mode_f32 => BnnMode{Float32},
    :lcc_bnn_changes_f64 => BnnChanges{Float64},
    :lcc_bnn_changes_f32 => BnnChanges{Float32},
    :lcc_greedy_options_f64 => GreedyOptions{Float64},
    :lcc_greedy_options_f32 => GreedyOptions{Float32},
    :lcc_greedy_level_f64 => GreedyLevel{Float64},
    :lcc_greedy_level_f32 => GreedyLevel{Float32},
    :lcc_relaxed_options_f64 => RelaxedOptions{Float64},
    :lcc_relaxed_options_f32 => RelaxedOptions{Float32},
    :lcc_relaxed_level_f64 => RelaxedLevel{Float64},
    :lcc_relaxed_level_f32 => RelaxedLevel{Float32},
    :lcc_vae_options_f64 => VaeOptions{Float64},
    :lcc_vae_options_f32 => VaeOptions{Float32},
    :lcc_vae_shape_f64 => VaeShape{Float64},
    :lcc_vae_shape_f32 => VaeShape{Float32},
    :lcc_vae_bound_f64 => VaeBound{Float64},
    :lcc_vae_bound_f32 => VaeBound{Float32},
    :lcc_prediction_f64 => Prediction{Float64},
    :lcc_prediction_f32 => Prediction{Float32},
    :lcc_score_f64 => Score{Float64},
    :lcc_score_f32 => Score{Float32},
    :lcc_evaluation_f64 => Evaluation{Float64},
    :lcc_evaluation_f32 => Evaluation{Float32},
    :lcc_spread_f64 => Spread{Float64},
    :lcc_spread_f32 => Spread{Float32},
    :lcc_class_facts_f64 => ClassFacts{Float64},
    :lcc_class_facts_f32 => ClassFacts{Float32},
    :lcc_class_evaluation_f64 => ClassEvaluation{Float64},
    :lcc_class_evaluation_f32 => ClassEvaluation{Float32},
    :lcc_thinned_f64 => Thinned{Float64},
    :lcc_thinned_f32 => Thinned{Float32},
    :lcc_stream_options_f64 => StreamOptions{Float64},
    :lcc_stream_options_f32 => StreamOptions{Float32},
    :lcc_stream_score_f64 => StreamScore{Float64},
    :lcc_stream_score_f32 => StreamScore{Float32},
    :lcc_forecast_f64 => Forecast{Float64},
    :lcc_forecast_f32 => Forecast{Float32},
    :lcc_prequential_options_f64 => PrequentialOptions{Float64},
    :lcc_prequential_options_f32 => PrequentialOptions{Float32},
    :lcc_losses_f64 => Losses{Float64},
    :lcc_losses_f32 => Losses{Float32},
    :lcc_prequential_level_f64 => PrequentialLevel{Float64},
    :lcc_prequential_level_f32 => PrequentialLevel{Float32},
]
