//! Every test of the core, as one program: the kernels are generic and would be compiled again for
//! each test program. `cargo test -p lcc-tests --test all all:: special::` runs one file.

mod activation;
mod auto;
mod ball;
mod calibration_greedy;
mod calibration_joint;
mod calibration_network;
mod calibration_regressor;
mod certificate;
mod certificate_draws;
mod coupling;
mod coupling_identities;
mod coupling_reduced;
mod coupling_rho;
mod diagnostics;
mod greedy_bayes;
mod greedy_forms;
mod join;
mod langevin_bias;
mod likelihood;
mod linalg;
mod posterior;
mod predict;
mod prequential;
mod prior;
mod regressor;
mod relaxed;
mod reverse_diffusion;
mod sampler_exact;
mod sampler_object;
mod smc;
mod smc_object;
mod special;
mod stream;
mod tempering;
mod theory;
