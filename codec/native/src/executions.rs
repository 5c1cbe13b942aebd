//! Mutated messages through the reader and the writer in one loop: `make executions`. Only builds
//! with the feature `executions` have it.
//!
//! Every execution asks: do the walk over shapes and the reader of objects end at the same place,
//! or fail with the same fault? Is what was read written, read again, and written as the same bytes?
//! Where the core is compiled with counters at its branches, an input that reaches a new one is
//! given back.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::cursor::{Fault, Kind};
use crate::edges;
use crate::entry::PyProgram;
use crate::objects;
use crate::program::Version;
use crate::shape;
use crate::write;

/// A message, and where its fields begin and end.
struct Seed {
    body: Vec<u8>,
    places: Vec<usize>,
}

/// Random numbers: xorshift64*.
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        (drawn as usize * bound) >> 32
    }
}

/// Lengths, counts, markers and varints at which readers differ, and text that is not UTF-8.
const EDGES: &[&[u8]] = &[
    b"\0",
    b"\x01",
    b"\x02",
    b"\x7f",
    b"\x80",
    b"\xff",
    b"\0\0",
    b"\0\x01",
    b"\x7f\xff",
    b"\x80\0",
    b"\x80\x01",
    b"\xff\x7f",
    b"\xff\xfe",
    b"\xff\xff",
    b"\0\0\0\0",
    b"\0\0\0\x01",
    b"\0\0\x80\0",
    b"\x7f\xff\xff\xff",
    b"\x80\0\0\0",
    b"\xff\xff\xff\xfe",
    b"\xff\xff\xff\xff",
    b"\x80\x80\x80\x80\x08",
    b"\x80\x80\x80\x80\x10",
    b"\x80\xff\xff\xff\x4e",
    b"\xff\xff\xff\xff\x07",
    b"\xff\xff\xff\xff\x0f",
    b"\xff\xff\xff\xff\x7f",
    b"\x80\x80\x80\x80\x80",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xed\xbf\xbf",
    b"\xf4\x90\x80\x80",
    b"\xf0\x9d\x84\x9e",
    b"\xe0\x80",
];

/// What many executions gave: how many bodies were read and written, how many the core left to
/// Python, the differences with what they are, and the bodies that reached new branches.
type Tally<'py> = (
    u64,
    u64,
    u64,
    Vec<(Bound<'py, PyBytes>, String)>,
    Vec<Bound<'py, PyBytes>>,
);

/// Bodies of one message in one version, and changes of them.
#[pyclass(name = "Mutations", module = "kproto.codec._core")]
pub struct Mutations {
    seeds: Vec<Seed>,
    chance: Chance,
    data: Vec<u8>,
    written: Vec<u8>,
    again: Vec<u8>,
}

#[pymethods]
impl Mutations {
    #[new]
    fn new() -> Self {
        Self {
            seeds: Vec::new(),
            chance: Chance::new(0),
            data: Vec::new(),
            written: Vec::new(),
            again: Vec::new(),
        }
    }

    /// Adds a body to those that are changed; its fields begin and end at `places`, ascending.
    fn add(&mut self, body: Vec<u8>, places: Vec<usize>) {
        self.seeds.push(Seed { body, places });
    }

    /// Draws from this seed from now on.
    fn reseed(&mut self, seed: u64) {
        self.chance = Chance::new(seed);
    }

    /// So many changed bodies.
    fn bodies<'py>(&mut self, py: Python<'py>, count: usize) -> Vec<Bound<'py, PyBytes>> {
        (0..count)
            .map(|_| {
                self.mutate();
                PyBytes::new(py, &self.data)
            })
            .collect()
    }

    /// Puts so many changed bodies through the core as `version`; None where there is none such.
    fn run<'py>(
        &mut self,
        py: Python<'py>,
        program: &PyProgram,
        version: i32,
        count: usize,
    ) -> Option<Tally<'py>> {
        let version = program.program.numbered(version)?;
        let (mut read, mut written, mut left) = (0, 0, 0);
        let (mut differences, mut discoveries) = (Vec::new(), Vec::new());
        for _ in 0..count {
            self.mutate();
            edges::clear();
            match self.execute(program, version) {
                Ok(Reached::Refused) => {}
                Ok(Reached::LeftToPython) => left += 1,
                Ok(Reached::Read) => read += 1,
                Ok(Reached::Written) => {
                    read += 1;
                    written += 1;
                }
                Err(difference) => {
                    drop(PyErr::take(py)); // where Python raised one
                    differences.push((PyBytes::new(py, &self.data), difference));
                }
            }
            if edges::are_new() {
                discoveries.push(PyBytes::new(py, &self.data));
            }
        }
        Some((read, written, left, differences, discoveries))
    }
}

/// The last step that one body reached.
enum Reached {
    Refused,
    LeftToPython,
    Read,
    Written,
}

impl Mutations {
    fn execute(&mut self, program: &PyProgram, version: Version) -> Result<Reached, String> {
        let (definition, classes) = (&program.program, &program.classes);
        let walked = shape::end(definition, version, &self.data, 0);
        let message = match (
            walked,
            objects::read(definition, classes, version, &self.data, 0),
        ) {
            (Ok(end), Ok((message, stop))) if end == stop => message,
            (
                _,
                Err(Fault {
                    kind: Kind::Odd, ..
                }),
            ) => return Ok(Reached::LeftToPython),
            (Err(walk), Err(read)) if walk == read => return Ok(Reached::Refused),
            (walk, read) => {
                let read = read.map(|(_, stop)| stop);
                return Err(format!("the walk gives {walk:?}, the reader {read:?}"));
            }
        };
        let write = |message, out: &mut Vec<u8>| {
            out.clear();
            write::write(definition, classes, version, message, false, out)
        };
        match write(message.borrowed(), &mut self.written) {
            Ok(()) => {}
            Err(Fault {
                kind: Kind::Odd, ..
            }) => return Ok(Reached::Read),
            Err(fault) => return Err(format!("the writer gives {fault:?}")),
        }
        let (copy, stop) = objects::read(definition, classes, version, &self.written, 0)
            .map_err(|fault| format!("what was written is refused: {fault:?}"))?;
        if stop != self.written.len() {
            return Err(format!("of what was written {stop} bytes are read"));
        }
        match write(copy.borrowed(), &mut self.again) {
            Ok(()) if self.again == self.written => Ok(Reached::Written),
            second => Err(format!("written anew it is not the same: {second:?}")),
        }
    }

    /// Makes `data` a change of one of the seeds: one to four edits, most of them at a field.
    fn mutate(&mut self) {
        let Self {
            seeds,
            chance,
            data,
            ..
        } = self;
        let Some(seed) = seeds.get(chance.below(seeds.len())) else {
            return;
        };
        data.clear();
        data.extend_from_slice(&seed.body);
        for _ in 0..[1, 1, 2, 4][chance.below(4)] {
            let (start, end) = span(seed, data.len(), chance);
            let edge = EDGES[chance.below(EDGES.len())];
            match chance.below(9) {
                0 => data.truncate(start),
                1 | 2 => overwrite(data, start, edge),
                3 => drop(data.splice(start..start, edge.iter().copied())),
                4 => drop(data.drain(start..end)),
                5 => data.extend_from_within(start..end),
                6 => {
                    let other = &seeds[chance.below(seeds.len())];
                    let (from, to) = span(other, other.body.len(), chance);
                    data.splice(start..end, other.body[from..to].iter().copied());
                }
                7 => {
                    let twice = data[start..end].to_vec();
                    data.splice(start..start, twice);
                }
                _ => {
                    if let Some(byte) = data.get_mut(start) {
                        *byte = match chance.below(3) {
                            0 => byte.wrapping_add(1),
                            1 => byte.wrapping_sub(1),
                            _ => *byte ^ 1 << chance.below(8),
                        };
                    }
                }
            }
        }
    }
}

fn overwrite(data: &mut [u8], start: usize, edge: &[u8]) {
    for (byte, &value) in data.iter_mut().skip(start).zip(edge) {
        *byte = value;
    }
}

/// A field or several, or one to four bytes anywhere; within `size` bytes.
fn span(seed: &Seed, size: usize, chance: &mut Chance) -> (usize, usize) {
    let (start, end) = if seed.places.is_empty() || chance.below(4) == 0 {
        let start = chance.below(size + 1);
        (start, start + [1, 1, 2, 4][chance.below(4)])
    } else {
        let first = chance.below(seed.places.len());
        let last = (first + 1 + chance.below(3)).min(seed.places.len() - 1);
        (seed.places[first], seed.places[last])
    };
    (start.min(size), end.min(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_draws_the_same_bodies() {
        let draw = || {
            let mut mutations = Mutations::new();
            mutations.add(
                b"\0\0\0\x01\0\x01a\xff\xff\xff\xff".to_vec(),
                vec![0, 4, 7, 11],
            );
            mutations.reseed(7);
            let drawn = (0..1000).map(|_| {
                mutations.mutate();
                mutations.data.clone()
            });
            drawn.collect::<Vec<_>>()
        };
        let bodies = draw();
        assert_eq!(bodies, draw());
        let distinct: std::collections::HashSet<_> = bodies.iter().collect();
        assert!(distinct.len() > 500);
    }
}
