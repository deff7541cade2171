//! The order in which rows are dealt: SplitMix64 (Steele, Lea and Flood 2014), and shuffles by it.

/// Its state.
pub(crate) struct Dealer(pub(crate) u64);

impl Dealer {
    /// The next number in [0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 2.0_f64.powi(-53)
    }
}

/// 0 to count - 1 in a random order (Fisher and Yates 1938).
pub(crate) fn order(seed: u64, count: usize) -> Vec<usize> {
    let mut dealer = Dealer(seed);
    let mut order: Vec<usize> = (0..count).collect();
    for i in (2..=count).rev() {
        let other = (dealer.uniform() * i as f64) as usize;
        order.swap(i - 1, other);
    }
    order
}
