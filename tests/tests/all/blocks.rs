//! Blocks of a network's coordinates, which its mass is made of.

use lcc_core::network::Blocks;
use lcc_core::network::architecture::Architecture;

/// Every coordinate is in one block, also where a unit has more than fits into one, and those of a unit stay together.
#[test]
fn every_coordinate_is_in_one_block() {
    for (inputs, widths, outputs, linear, extra) in [
        (3, [2, 0, 0, 0], 1, true, 4),
        (8, [20, 0, 0, 0], 1, true, 12),
        (100, [3, 40, 0, 0], 2, false, 0),
        (33, [5, 5, 5, 5], 3, true, 1),
        (32, [1, 0, 0, 0], 1, true, 0),
        (70, [0, 0, 0, 0], 4, true, 2),
    ] {
        let architecture = Architecture { inputs, widths, outputs, linear };
        let dim = architecture.dim() + extra;
        let blocks = Blocks::of(&architecture, dim);
        let all: Vec<usize> = (0..dim).collect();
        let (mut seen, mut packed) = (vec![0; dim], 0);
        for block in blocks.iter() {
            let mut own = [usize::MAX; 64];
            block.gather(&all, &mut own);
            let own = &own[..block.len];
            own.iter().for_each(|k| seen[*k] += 1);
            assert_eq!(block.packed, block.len * (block.len + 1) / 2);
            packed += block.packed;
            let unit = |k: usize| match architecture.layer(0) {
                Some(layer) if k < layer.biases_at => Some(k / inputs),
                Some(layer) => Some(k - layer.biases_at).filter(|unit| *unit < layer.units),
                None => None,
            };
            assert!(own.iter().all(|k| unit(*k) == unit(own[0])), "{own:?}");
        }
        assert_eq!(seen, vec![1; dim]);
        assert_eq!(blocks.packed(), Some(packed));
    }
}
