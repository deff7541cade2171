//! Whether this machine draws what every other does: a short run of each sampler, in both precisions.

use crate::engine::{Memory, Number};
use crate::fault::{Fault, at};
use crate::text::checksum;
use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::sampler::{self, Column, Method, Sampler, SamplerOptions};
use lcc_core::simd::Isa;

/// The checksums of the draws in double and in single precision, in the order of [`Method::ALL`]: those of
/// tests/golden/bits.txt.
const GOLDEN: [[u64; 2]; 18] = [
    [0x4653_e79a_a802_7b02, 0x55fb_730d_5baf_c7d5],
    [0x82a8_a975_f741_775b, 0x7e5d_743c_54d2_8f01],
    [0xda52_0ec0_d7b4_b406, 0x6d33_8f55_a524_ff6f],
    [0xed01_f184_fda1_a33c, 0x5019_16d1_a6ed_4f24],
    [0x91ca_9e05_cf69_223d, 0x3906_c86a_b9a7_0cc6],
    [0xda1c_a87e_d37a_58ff, 0xdad0_eef5_c36a_89cc],
    [0xfdd0_878e_f532_f91b, 0x5d5f_945a_7916_6b48],
    [0xecf6_4329_008b_e222, 0xa440_a968_5f9b_c0b4],
    [0x8967_b8e2_f30c_5019, 0x3aa5_99ae_1208_305c],
    [0x2245_fd75_fb68_d33a, 0xb789_e49b_91d2_89bc],
    [0x4947_108b_0666_8192, 0xc518_05f8_ae54_f8b6],
    [0x35a1_2cf2_c2f3_ca2a, 0x12e6_513c_1479_c037],
    [0x26f4_c886_0713_6809, 0x1260_9fe3_1103_b50b],
    [0x8be0_a70d_015f_3eba, 0xef78_11b6_92f4_4dfd],
    [0x0eac_791c_8819_2b7a, 0x7dd3_f841_ec29_bb54],
    [0x7df4_9900_abeb_3dd9, 0x4a44_7ab2_15be_aea3],
    [0x1f86_d716_540a_ffd2, 0xe637_00dd_1438_b1a6],
    [0x287f_d0db_b3e5_e54e, 0xa0c5_e962_960c_2c1e],
];
const ROWS: usize = 30;
const CHAINS: u32 = 5;
const DRAWS: u32 = 30;
const BUDGET: u64 = 5000;

/// One run.
#[derive(Clone, Copy, Debug)]
pub struct SelfTest {
    /// The sampler.
    pub method: &'static str,
    /// 32 or 64.
    pub bits: u32,
    /// The checksum of what it drew.
    pub drawn: u64,
    /// What it should have been.
    pub golden: u64,
}

/// The checksum of what one sampler draws: the bytes of its first two columns, lowest first.
fn draws<T: Number + sampler::Compiled>(
    method: Method,
    bytes: fn(T) -> Vec<u8>,
) -> Result<u64, Fault> {
    let doing = method.name();
    let number = |k: usize, by: f64, less: f64| T::lit(k as f64 / by - less);
    let x: Vec<T> =
        (0..2 * ROWS).map(|i| number((i / 2 * 7 + i % 2 * 3) % 11, 8.0, 0.625)).collect();
    let y: Vec<T> = (0..ROWS).map(|i| number(i * 5 % 9, 4.0, 1.0)).collect();
    let inputs = Inputs::row_major(&x, ROWS, 2).map_err(at(doing))?;
    let data = Dataset::new(inputs, &y).map_err(at(doing))?;
    let ball = method.needs_ball();
    let prior = if ball { Prior::l1_ball(T::ONE) } else { Prior::gaussian(T::ONE) };
    let prior = prior.map_err(at(doing))?;
    let problem = Problem::greedy(data, Activation::Tanh, prior, T::lit(0.5)).map_err(at(doing))?;
    let options = SamplerOptions {
        method: method.into(),
        chains: CHAINS,
        warmup: 50,
        draws: DRAWS,
        stored: DRAWS,
        ..SamplerOptions::default()
    };
    let mut memory = Memory::new(Sampler::size(&options, &problem).map_err(at(doing))?);
    let mut own =
        Sampler::init(memory.bytes(), &options, Isa::detect(), &problem).map_err(at(doing))?;
    while own.step(&problem, BUDGET).map_err(at(doing))? == sampler::Progress::Running {}
    let mut all = Vec::new();
    for column in [0, 1] {
        let draws = own.draws(Column::Weight(column));
        let draws = draws.ok_or_else(|| Fault::failed(format!("{doing}: no draws")))?;
        for chain in 0..draws.chains() {
            (0..draws.draws()).for_each(|draw| all.extend(bytes(draws.at(chain, draw))));
        }
    }
    Ok(checksum([all.as_slice()]))
}

/// Runs all of them.
pub fn self_test() -> Result<Vec<SelfTest>, Fault> {
    let mut all = Vec::new();
    for bits in [64, 32] {
        for (method, golden) in Method::ALL.iter().zip(&GOLDEN) {
            let drawn = match bits {
                64 => draws::<f64>(*method, |v| v.to_le_bytes().to_vec())?,
                _ => draws::<f32>(*method, |v| v.to_le_bytes().to_vec())?,
            };
            let golden = golden[usize::from(bits == 32)];
            all.push(SelfTest { method: method.name(), bits, drawn, golden });
        }
    }
    Ok(all)
}
