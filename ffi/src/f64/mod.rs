//! The functions and structs in double precision.

pub mod activation;
pub mod auto;
pub mod bnn;
pub mod bnn_options;
pub mod certificate;
pub mod conjugate;
pub mod coupling;
pub mod data;
pub mod diagnosis;
pub mod draws;
pub mod forecast;
pub mod greedy_bayes;
pub mod layouts;
pub mod network;
pub mod particles;
pub mod prediction;
pub mod prequential;
pub mod problem;
pub mod record;
pub mod relaxed;
pub mod sampler;
pub mod smc;
pub mod stream;
pub mod tempering;
pub mod theory;
pub mod warmup;
