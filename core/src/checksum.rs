//! The checksum of images: CRC-32 as in zip and Ethernet (reflected polynomial 0x04C11DB7).
//!
//! ```
//! assert_eq!(lcc_core::checksum::crc32(&[b"1234", b"56789"]), 0xCBF4_3926);
//! ```

use crc::{CRC_32_ISO_HDLC, Crc, NoTable};

// Without a table: 8 steps a byte, no kilobyte of flash.
const CRC: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// The CRC-32 of the parts, one after another.
pub fn crc32(parts: &[&[u8]]) -> u32 {
    let mut digest = CRC.digest();
    for part in parts {
        digest.update(part);
    }
    digest.finalize()
}
