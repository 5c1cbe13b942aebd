//! The memory that Python lends for one call: Arrow buffers and numpy arrays, as slices.
//!
//! The only unsafe code of columns, records and fingerprints. What comes out are slices of the
//! length that Python says, so that every access after this is checked.
#![allow(unsafe_code)]

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Buffers that are read, and buffers that are written, held until the call is over.
#[derive(Default)]
pub struct Loan {
    inputs: Vec<Option<PyUntypedBuffer>>,
    outputs: Vec<Option<PyUntypedBuffer>>,
}

/// The slices of a loan, in the order in which they were lent. None is an empty one.
pub struct Slices<'a> {
    inputs: std::vec::IntoIter<&'a [u8]>,
    outputs: std::vec::IntoIter<&'a mut [u8]>,
}

impl<'a> Slices<'a> {
    pub fn input(&mut self) -> &'a [u8] {
        self.inputs.next().unwrap_or_default()
    }

    /// The next buffer that is read, as numbers.
    pub fn numbers_read<T: Number>(&mut self) -> &'a [T] {
        // SAFETY: every pattern of bits is a `T`; `align_to` sees to alignment and length.
        match unsafe { self.input().align_to::<T>() } {
            ([], numbers, _) => numbers,
            _ => &[],
        }
    }

    pub fn output(&mut self) -> &'a mut [u8] {
        self.outputs.next().unwrap_or_default()
    }

    /// The next buffer that is written, as numbers.
    pub fn numbers<T: Number>(&mut self) -> &'a mut [T] {
        numbers(self.output())
    }
}

impl Loan {
    pub fn input(&mut self, object: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.inputs.push(object.map(buffer_of).transpose()?);
        Ok(())
    }

    pub fn output(&mut self, object: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let buffer = object.map(buffer_of).transpose()?;
        if buffer.as_ref().is_some_and(PyUntypedBuffer::readonly) {
            return Err(PyValueError::new_err(
                "a buffer that may be written to is needed",
            ));
        }
        self.outputs.push(buffer);
        Ok(())
    }

    /// Raises ValueError where a buffer that is written overlaps with another one.
    pub fn slices(&mut self) -> PyResult<Slices<'_>> {
        let ranges = |buffers: &[Option<PyUntypedBuffer>], written: bool| -> Vec<Range> {
            let held = buffers
                .iter()
                .flatten()
                .filter(|buffer| buffer.len_bytes() > 0);
            held.map(|buffer| Range::of(buffer, written)).collect()
        };
        let mut all = ranges(&self.inputs, false);
        all.extend(ranges(&self.outputs, true));
        if overlap(&mut all) {
            return Err(PyValueError::new_err(
                "a buffer that is written overlaps with another",
            ));
        }
        // SAFETY: each buffer is contiguous, exported by its owner for as long as `self` holds it,
        // and of that length. No slice that is written overlaps with another slice, as was just
        // checked, and `self` is borrowed for their lifetime, so that there is one set of them.
        // That nobody else writes to the memory during the call is the contract of the callers:
        // Arrow buffers never change, and the arrays that are written are made for the call.
        let inputs: Vec<&[u8]> = self
            .inputs
            .iter()
            .map(|buffer| match buffer {
                Some(buffer) if buffer.len_bytes() > 0 => unsafe {
                    std::slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.len_bytes())
                },
                _ => &[],
            })
            .collect();
        // SAFETY: as above; and the owner said that the memory may be written to.
        let outputs: Vec<&mut [u8]> = self
            .outputs
            .iter()
            .map(|buffer| match buffer {
                Some(buffer) if buffer.len_bytes() > 0 => unsafe {
                    std::slice::from_raw_parts_mut(buffer.buf_ptr().cast(), buffer.len_bytes())
                },
                _ => Default::default(),
            })
            .collect();
        Ok(Slices {
            inputs: inputs.into_iter(),
            outputs: outputs.into_iter(),
        })
    }
}

fn buffer_of(object: &Bound<'_, PyAny>) -> PyResult<PyUntypedBuffer> {
    let buffer = PyUntypedBuffer::get(object)?;
    if buffer.is_c_contiguous() {
        Ok(buffer)
    } else {
        Err(PyValueError::new_err("a contiguous buffer is needed"))
    }
}

struct Range {
    start: usize,
    end: usize,
    written: bool,
}

impl Range {
    fn of(buffer: &PyUntypedBuffer, written: bool) -> Self {
        let start = buffer.buf_ptr().addr();
        Self {
            start,
            end: start + buffer.len_bytes(),
            written,
        }
    }
}

/// Whether a range that is written overlaps with any other.
fn overlap(ranges: &mut [Range]) -> bool {
    ranges.sort_unstable_by_key(|range| range.start);
    let (mut read_to, mut written_to) = (0, 0);
    for range in ranges {
        if range.start < written_to || (range.written && range.start < read_to) {
            return true;
        }
        let end = if range.written {
            &mut written_to
        } else {
            &mut read_to
        };
        *end = range.end.max(*end);
    }
    false
}

/// Integers of which every pattern of bits is one.
pub trait Number: Copy {}
impl Number for i16 {}
impl Number for i32 {}
impl Number for i64 {}

/// Bytes as numbers; none of them where the memory is not aligned for these.
fn numbers<T: Number>(bytes: &mut [u8]) -> &mut [T] {
    // SAFETY: every pattern of bits is a `T`; `align_to_mut` sees to alignment and length.
    match unsafe { bytes.align_to_mut::<T>() } {
        ([], numbers, _) => numbers,
        _ => &mut [],
    }
}

/// Copies as many int32 of the wire as both have, with the widest instructions there are.
pub fn swap_wide(to: &mut [u8], raw: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { swap_avx2(to, raw) };
    }
    swap_each(to, raw);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn swap_avx2(to: &mut [u8], raw: &[u8]) {
    swap_each(to, raw);
}

/// As many int32 as both have.
#[inline(always)]
pub fn swap_each(to: &mut [u8], raw: &[u8]) {
    let (to, raw) = (to.as_chunks_mut::<4>().0, raw.as_chunks::<4>().0);
    for (one_to, one) in to.iter_mut().zip(raw) {
        *one_to = i32::from_be_bytes(*one).to_ne_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any_overlap(ranges: &[(usize, usize, bool)]) -> bool {
        let ranges = ranges.iter().map(|&(start, end, written)| Range {
            start,
            end,
            written,
        });
        overlap(&mut ranges.collect::<Vec<_>>())
    }

    #[test]
    fn what_is_written_overlaps_with_nothing() {
        assert!(!any_overlap(&[
            (0, 8, false),
            (0, 8, false),
            (8, 9, true),
            (9, 12, true)
        ]));
        assert!(any_overlap(&[(4, 8, true), (0, 5, false)]));
        assert!(any_overlap(&[(4, 8, false), (0, 5, true)]));
        assert!(any_overlap(&[(0, 9, true), (2, 3, true)]));
        assert!(any_overlap(&[
            (0, 90, false),
            (2, 3, false),
            (50, 51, true)
        ]));
    }

    #[test]
    fn memory_that_is_not_aligned_holds_no_numbers() {
        let mut words = [0x0101_0101_i32; 3];
        let bytes = numbers::<i32>(&mut []);
        assert!(bytes.is_empty());
        // SAFETY: the bytes of the words.
        let bytes = unsafe { words.align_to_mut::<u8>().1 };
        assert_eq!(numbers::<i32>(&mut bytes[1..9]).len(), 0);
        assert_eq!(numbers::<i32>(&mut bytes[4..11]), [0x0101_0101]);
    }
}
