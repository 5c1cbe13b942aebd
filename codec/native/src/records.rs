//! The records of many batches at once, into Arrow columns, without the GIL.
//!
//! A batch with a record that does not fit ends there, and that is said. Headers of records are
//! passed over: the offsets topic has none.

use crc32c::crc32c;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batches::{Batch, Record, batch_behind};
use crate::codes::Codes;
use crate::cursor::{Cursor, Fault, Kind, Outcome};
use crate::memory::{Loan, Slices};
use crate::text::copy_text;

/// The type of a key that is too short to have one.
const NO_TYPE: i16 = -1;
/// The code of a key that is null.
const NO_KEY: i32 = -1;

const DAMAGED: Fault = Fault::new(Kind::Truncated, 0);
const BEYOND: Fault = Fault::new(Kind::Odd, 0);

/// Offsets and bytes, and a byte a record for validity.
struct Blobs<'m> {
    offsets: &'m mut [i32],
    data: &'m mut [u8],
    valid: &'m mut [u8],
}

impl<'m> Blobs<'m> {
    fn new(slices: &mut Slices<'m>) -> Self {
        Self {
            offsets: slices.numbers(),
            data: slices.output(),
            valid: slices.output(),
        }
    }

    /// The bytes of an entry that was stored.
    #[inline(always)]
    fn get(&self, row: usize) -> Option<&[u8]> {
        let [start, end] = *self.offsets.get(row..)?.first_chunk::<2>()?;
        self.data.get(start as usize..end as usize)
    }

    /// Stores an entry with what `copy` writes, which gives how many bytes that were.
    #[inline(always)]
    fn put(
        &mut self,
        row: usize,
        raw: Option<&[u8]>,
        copy: impl Fn(&mut [u8], &[u8]) -> Option<usize>,
    ) -> Outcome<()> {
        let entry = self
            .offsets
            .get_mut(row..)
            .and_then(<[i32]>::first_chunk_mut::<2>);
        let [start, end] = entry.ok_or(BEYOND)?;
        *self.valid.get_mut(row).ok_or(BEYOND)? = u8::from(raw.is_some());
        *end = *start;
        if let Some(raw) = raw {
            let to = self.data.get_mut(*start as usize..).ok_or(BEYOND)?;
            let size = copy(to, raw).ok_or(BEYOND)?;
            *end = i32::try_from(size)
                .ok()
                .and_then(|size| start.checked_add(size))
                .ok_or(BEYOND)?;
        }
        Ok(())
    }
}

/// Each key once, with its record type and the group that it names.
struct Keys<'m> {
    key: Blobs<'m>,
    kind: &'m mut [i16],
    group: Blobs<'m>,
    codes: Codes,
    /// How many there are so far.
    count: usize,
}

impl<'m> Keys<'m> {
    fn new(slices: &mut Slices<'m>) -> Self {
        Self {
            key: Blobs::new(slices),
            kind: slices.numbers(),
            group: Blobs::new(slices),
            codes: Codes::new(),
            count: 0,
        }
    }

    /// The code of a key.
    #[inline(always)]
    fn code(&mut self, key: &[u8]) -> Outcome<i32> {
        let stored = &self.key;
        let (code, new) = self
            .codes
            .of_bytes(key, |code| stored.get(code as usize) == Some(key));
        if new {
            self.add(code as usize, key)?;
        }
        Ok(code as i32)
    }

    fn add(&mut self, code: usize, key: &[u8]) -> Outcome<()> {
        let (kind, group) = named(key);
        self.key.put(code, Some(key), copy)?;
        self.group.put(code, group, copy_text)?;
        *self.kind.get_mut(code).ok_or(BEYOND)? = kind;
        self.count = code + 1;
        Ok(())
    }
}

/// The columns that are filled, a row a record.
struct Records<'m> {
    batch: &'m mut [i32],
    offset: &'m mut [i64],
    timestamp: &'m mut [i64],
    /// Codes of keys, or `NO_KEY`.
    key: &'m mut [i32],
    value: Blobs<'m>,
    keys: Keys<'m>,
    /// How many rows there are so far.
    rows: usize,
}

/// What a batch says of its records.
#[derive(Clone, Copy)]
struct Common {
    number: usize,
    count: i64,
    base_offset: i64,
    timestamp: i64,
    /// Every record has the batch's timestamp.
    same_time: bool,
}

/// The columns of the batches that are read, a row a batch.
struct Batches<'m> {
    position: &'m mut [i64],
    base_offset: &'m mut [i64],
    producer: &'m mut [i64],
    is_transactional: &'m mut [u8],
}

impl<'m> Batches<'m> {
    fn new(slices: &mut Slices<'m>) -> Self {
        Self {
            position: slices.numbers(),
            base_offset: slices.numbers(),
            producer: slices.numbers(),
            is_transactional: slices.output(),
        }
    }

    fn put(&mut self, row: usize, position: usize, batch: &Batch<'_>) -> Outcome<()> {
        *self.position.get_mut(row).ok_or(BEYOND)? = position as i64;
        *self.base_offset.get_mut(row).ok_or(BEYOND)? = batch.base_offset;
        *self.producer.get_mut(row).ok_or(BEYOND)? = batch.producer;
        *self.is_transactional.get_mut(row).ok_or(BEYOND)? = u8::from(batch.is_transactional);
        Ok(())
    }
}

impl<'m> Records<'m> {
    fn new(slices: &mut Slices<'m>) -> Self {
        Self {
            batch: slices.numbers(),
            offset: slices.numbers(),
            timestamp: slices.numbers(),
            key: slices.numbers(),
            value: Blobs::new(slices),
            keys: Keys::new(slices),
            rows: 0,
        }
    }

    /// The records of a batch; `DAMAGED` where one does not fit, or something follows them. Those
    /// before it stay.
    fn batch(&mut self, batch: Common, data: &[u8]) -> Outcome<()> {
        let mut cursor = Cursor::new(data, 0);
        for _ in 0..batch.count {
            self.record(batch, &mut cursor)?;
            self.rows += 1;
        }
        if cursor.left() == 0 {
            Ok(())
        } else {
            Err(DAMAGED)
        }
    }

    #[inline(always)]
    fn record(&mut self, batch: Common, cursor: &mut Cursor<'_>) -> Outcome<()> {
        let row = self.rows;
        let record = Record::next(cursor)?;
        self.value.put(row, record.value, copy)?;
        let code = record.key.map_or(Ok(NO_KEY), |key| self.keys.code(key))?;
        let time = if batch.same_time {
            0
        } else {
            record.time_delta
        };
        let offset = batch.base_offset.wrapping_add(record.offset_delta);
        *self.key.get_mut(row).ok_or(BEYOND)? = code;
        *self.batch.get_mut(row).ok_or(BEYOND)? = batch.number as i32;
        *self.offset.get_mut(row).ok_or(BEYOND)? = offset;
        *self.timestamp.get_mut(row).ok_or(BEYOND)? = batch.timestamp.wrapping_add(time);
        Ok(())
    }
}

#[inline(always)]
fn copy(to: &mut [u8], raw: &[u8]) -> Option<usize> {
    to.get_mut(..raw.len())?.copy_from_slice(raw);
    Some(raw.len())
}

/// The record type of a key, and the group that every key begins with.
fn named(key: &[u8]) -> (i16, Option<&[u8]>) {
    let mut cursor = Cursor::new(key, 0);
    let kind = cursor.i16().unwrap_or(NO_TYPE);
    let size = cursor
        .i16()
        .ok()
        .and_then(|size| usize::try_from(size).ok());
    (kind, size.and_then(|size| cursor.take(size, 0).ok()))
}

/// Where a batch's records begin and end, how many there are, the base offset, the base timestamp,
/// and 1 where all have that timestamp.
const NUMBERS: usize = 6;

fn batches(
    data: &[u8],
    numbers: &[u8],
    broken: &mut [u8],
    records: &mut Records<'_>,
) -> Outcome<()> {
    for (number, (row, broken)) in numbers.chunks_exact(8 * NUMBERS).zip(broken).enumerate() {
        let mut row = row
            .chunks_exact(8)
            .map(|raw| raw.try_into().map_or(0, i64::from_ne_bytes));
        let mut next = || row.next().unwrap_or(0);
        let (start, end) = (next() as usize, next() as usize);
        let (count, base_offset, timestamp) = (next(), next(), next());
        let batch = Common {
            number,
            count,
            base_offset,
            timestamp,
            same_time: next() != 0,
        };
        *broken = match records.batch(batch, data.get(start..end).ok_or(BEYOND)?) {
            Err(BEYOND) => return Err(BEYOND),
            read => u8::from(read.is_err()),
        };
    }
    Ok(())
}

/// Reads batches up to the first that is not plain; gives how many, and how many bytes these are.
fn plain_batches(
    data: &[u8],
    batches: &mut Batches<'_>,
    records: &mut Records<'_>,
) -> Outcome<(usize, usize)> {
    let (mut number, mut at) = (0, 0);
    while let Some(batch) = Batch::at(data, at) {
        let first = records.rows;
        let common = Common {
            number,
            count: i64::from(batch.count),
            base_offset: batch.base_offset,
            timestamp: batch.timestamp,
            same_time: batch.same_time,
        };
        if !batch.is_control {
            match records.batch(common, batch.records) {
                Ok(()) => {}
                Err(BEYOND) => return Err(BEYOND),
                Err(_) => {
                    records.rows = first; // what has been stored since is overwritten
                    break;
                }
            }
        }
        batches.put(number, at, &batch)?;
        number += 1;
        at += batch.size;
    }
    Ok((number, at))
}

// -- what Python sees

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_batches, module)?)?;
    module.add_function(wrap_pyfunction!(read_plain_batches, module)?)?;
    module.add_function(wrap_pyfunction!(read_transactions, module)?)?;
    module.add_function(wrap_pyfunction!(next_batch, module)?)?;
    module.add_function(wrap_pyfunction!(checksums, module)?)
}

fn no_room(_: Fault) -> PyErr {
    PyValueError::new_err("there is not memory enough for the records")
}

/// Reads batches whose headers have been read; gives the numbers of records and of keys.
///
/// `numbers` has six int64 for each batch: where its records begin and end in `data`, how many
/// there are, base offset, base timestamp, and 1 where all have that timestamp. Where a batch's
/// records could not be read to their end, or something follows them, its byte in `broken` is 1.
#[pyfunction]
fn read_batches(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    numbers: &Bound<'_, PyAny>,
    broken: &Bound<'_, PyAny>,
    columns: Vec<Bound<'_, PyAny>>,
) -> PyResult<(usize, usize)> {
    let mut loan = Loan::default();
    loan.input(Some(data))?;
    loan.input(Some(numbers))?;
    loan.output(Some(broken))?;
    for column in &columns {
        loan.output(Some(column))?;
    }
    let mut slices = loan.slices()?;
    let (data, numbers, broken) = (slices.input(), slices.input(), slices.output());
    let mut records = Records::new(&mut slices);
    py.detach(|| batches(data, numbers, broken, &mut records))
        .map_err(no_room)?;
    Ok((records.rows, records.keys.count))
}

/// Reads batches up to the first that is not plain; gives records, keys, batches, and how many
/// bytes.
///
/// Plain: of magic 2, whole, with a right checksum, not compressed, and with as many records as
/// they say. Nearly all are. A mark has no records. `batches` are the columns of batches: where in
/// these bytes each begins, its base offset and its producer, as int64, and a byte that is 1 for
/// one of a transaction.
#[pyfunction]
fn read_plain_batches(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    batches: Vec<Bound<'_, PyAny>>,
    columns: Vec<Bound<'_, PyAny>>,
) -> PyResult<(usize, usize, usize, usize)> {
    let mut loan = Loan::default();
    loan.input(Some(data))?;
    for column in batches.iter().chain(&columns) {
        loan.output(Some(column))?;
    }
    let mut slices = loan.slices()?;
    let data = slices.input();
    let mut batches = Batches::new(&mut slices);
    let mut records = Records::new(&mut slices);
    let read = py.detach(|| plain_batches(data, &mut batches, &mut records));
    let (count, size) = read.map_err(no_room)?;
    Ok((records.rows, records.keys.count, count, size))
}

/// Producer and base offset of a batch of a transaction, and the type of its mark, None for one
/// with records.
type Part = (i64, i64, Option<i16>);

/// Reads the headers of batches from `at` on, up to the first that is not plain; gives the parts of
/// transactions, and how many bytes, batches and records were passed, of which records are not
/// counted.
#[pyfunction]
fn read_transactions(py: Python<'_>, data: &[u8], at: usize) -> (Vec<Part>, usize, usize, usize) {
    py.detach(|| {
        let (mut parts, mut end, mut count) = (Vec::new(), at, 0);
        while let Some(batch) = Batch::at(data, end) {
            if batch.is_transactional {
                let mark = batch.mark();
                if batch.is_control && mark.is_none() {
                    break;
                }
                parts.push((
                    batch.producer,
                    batch.base_offset,
                    mark.filter(|_| batch.is_control),
                ));
            }
            end += batch.size;
            count += 1;
        }
        (parts, end - at, count, 0)
    })
}

/// The first batch at or behind `target`, going from the batch that `data` begins with from length
/// to length. -1 where there is something on the way that is no batch; the size of `data` or more
/// where the next one is not in these bytes.
#[pyfunction]
fn next_batch(data: &Bound<'_, PyAny>, target: usize) -> PyResult<i64> {
    let mut loan = Loan::default();
    loan.input(Some(data))?;
    let found = batch_behind(loan.slices()?.input(), target);
    Ok(found.map_or(-1, |at| at as i64))
}

/// Writes the CRC-32C of each of `made.size` values, as int64: of the bytes between two int32
/// offsets, from that at `first` on.
#[pyfunction]
fn checksums(
    py: Python<'_>,
    offsets: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    first: usize,
    made: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let mut loan = Loan::default();
    loan.input(Some(offsets))?;
    loan.input(Some(data))?;
    loan.output(Some(made))?;
    let mut slices = loan.slices()?;
    let (offsets, data, made) = (slices.input(), slices.input(), slices.numbers::<i64>());
    let done = py.detach(|| {
        for (row, made) in made.iter_mut().enumerate() {
            *made = i64::from(crc32c(value_at(offsets, data, first + row)?));
        }
        Some(())
    });
    done.ok_or_else(|| PyValueError::new_err("a value lies outside of the column's bytes"))
}

/// The value between two int32 offsets of Arrow's; None where it lies outside of the data.
#[inline(always)]
pub fn value_at<'a>(offsets: &[u8], data: &'a [u8], place: usize) -> Option<&'a [u8]> {
    let at = |place: usize| {
        let offset = offsets.get(4 * place..).and_then(<[u8]>::first_chunk)?;
        usize::try_from(i32::from_ne_bytes(*offset)).ok()
    };
    data.get(at(place)?..at(place + 1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_its_type_and_group() {
        assert_eq!(named(b""), (NO_TYPE, None));
        assert_eq!(named(b"\0\x02\0"), (2, None));
        assert_eq!(named(b"\0\x01\0\x01gx"), (1, Some(&b"g"[..])));
        assert_eq!(named(b"\0\x01\0\x03g"), (1, None));
        assert_eq!(named(b"\0\x01\xff\xff"), (1, None));
    }

    #[test]
    fn a_value_lies_inside() {
        let offsets: Vec<u8> = [0i32, 2, 9, 1]
            .iter()
            .flat_map(|at| at.to_ne_bytes())
            .collect();
        let value = |place| value_at(&offsets, b"abcd", place);
        assert_eq!(
            (value(0), value(1), value(2), value(3)),
            (Some(&b"ab"[..]), None, None, None)
        );
    }
}
