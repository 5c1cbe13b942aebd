//! Codes: a number for each distinct value, from 0 on, in the order in which they come.
//!
//! A hash table of codes alone: the values stay where they are, and the caller compares them.

use std::hash::{BuildHasher, RandomState};

/// No value has this code.
const FREE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    code: u32,
}

pub struct Codes {
    /// A power of two of them, at most half of them taken.
    slots: Vec<Slot>,
    count: u32,
    /// So that nobody can write values that all have one hash.
    seed: u64,
}

impl Codes {
    pub fn new() -> Self {
        Self {
            slots: vec![
                Slot {
                    hash: 0,
                    code: FREE
                };
                1 << 10
            ],
            count: 0,
            seed: RandomState::new().hash_one(0),
        }
    }

    /// The code of some bytes, and whether it is a new one. `same` is whether the bytes are those of
    /// a code.
    #[inline(always)]
    pub fn of_bytes(&mut self, bytes: &[u8], same: impl Fn(u32) -> bool) -> (u32, bool) {
        self.of_hash(self.hash(bytes), same)
    }

    /// The code of some bytes; None where they have none.
    pub fn find_bytes(&self, bytes: &[u8], same: impl Fn(u32) -> bool) -> Option<u32> {
        let hash = (self.hash(bytes) >> 32) as u32;
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots.get(at).filter(|slot| slot.code != FREE)?;
            if slot.hash == hash && same(slot.code) {
                return Some(slot.code);
            }
            at = (at + 1) & mask;
        }
    }

    #[inline(always)]
    fn hash(&self, bytes: &[u8]) -> u64 {
        let mut hash = self.seed ^ bytes.len() as u64;
        if let Some(last) = bytes.last_chunk() {
            for word in bytes.as_chunks().0 {
                hash = mixed(hash ^ u64::from_ne_bytes(*word));
            }
            hash ^= u64::from_ne_bytes(*last);
        } else {
            for byte in bytes {
                hash = hash.rotate_left(8) ^ u64::from(*byte);
            }
        }
        mixed(hash)
    }

    #[inline(always)]
    fn of_hash(&mut self, hash: u64, same: impl Fn(u32) -> bool) -> (u32, bool) {
        let hash = (hash >> 32) as u32;
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            // The mask keeps the place inside, so that this never ends the loop.
            let Some(slot) = self.slots.get_mut(at) else {
                return (FREE, false);
            };
            if slot.code == FREE {
                let code = self.count;
                *slot = Slot { hash, code };
                self.count += 1;
                if self.count as usize * 2 > self.slots.len() {
                    self.grow();
                }
                return (code, true);
            }
            if slot.hash == hash && same(slot.code) {
                return (slot.code, false);
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let size = 2 * self.slots.len();
        let empty = Slot {
            hash: 0,
            code: FREE,
        };
        let old = std::mem::replace(&mut self.slots, vec![empty; size]);
        for taken in old.into_iter().filter(|slot| slot.code != FREE) {
            let mut at = taken.hash as usize & (size - 1);
            while self.slots.get(at).is_some_and(|slot| slot.code != FREE) {
                at = (at + 1) & (size - 1);
            }
            if let Some(slot) = self.slots.get_mut(at) {
                *slot = taken;
            }
        }
    }
}

/// Both halves of the product with a large odd number, so that every bit counts for every other.
#[inline(always)]
fn mixed(hash: u64) -> u64 {
    let product = u128::from(hash) * 0x9e37_79b9_7f4a_7c15;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bytes_have_one_code() {
        let texts: Vec<Vec<u8>> = (0..5000_u32)
            .map(|n| format!("{}{n}", "x".repeat(n as usize % 40)).into_bytes())
            .chain([
                vec![],
                vec![0],
                vec![0; 2],
                vec![0; 8],
                vec![0; 9],
                vec![0; 16],
            ])
            .collect();
        let mut codes = Codes::new();
        for round in [true, false] {
            for (number, text) in texts.iter().enumerate() {
                let found = codes.of_bytes(text, |code| texts[code as usize] == *text);
                assert_eq!(found, (number as u32, round));
                let same = |code: u32| texts[code as usize] == *text;
                assert_eq!(codes.find_bytes(text, same), Some(number as u32));
            }
        }
        assert_eq!(codes.find_bytes(b"no text", |_| false), None);
    }
}
