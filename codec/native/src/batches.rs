//! Record batches of magic 2 (KIP-98), one by one: the header of 61 bytes, and the records behind
//! it, whose numbers are zigzag varints. Nothing of it is trusted.

use crc32c::crc32c;

use crate::cursor::{Cursor, Fault, Kind, Outcome};

/// Bytes of a batch's header.
const HEADER: usize = 61;
/// Bytes in front of what a batch's length counts.
const UNCOUNTED: usize = 12;
/// Where the part of a batch begins that its checksum is of.
const CHECKED: usize = 21;
/// Bytes of a record behind its length: attributes, two deltas, two lengths, number of headers.
const SMALLEST_RECORD: i64 = 6;

// Bits of a batch's attributes.
const COMPRESSION: i16 = 0x07;
const LOG_APPEND_TIME: i16 = 0x08;
const TRANSACTIONAL: i16 = 0x10;
const CONTROL: i16 = 0x20;

const DAMAGED: Fault = Fault::new(Kind::Truncated, 0);

/// A batch that is whole, with a right checksum, and not compressed.
pub struct Batch<'a> {
    pub size: usize,
    pub count: i32,
    pub base_offset: i64,
    pub timestamp: i64,
    /// Every record has the batch's timestamp.
    pub same_time: bool,
    pub producer: i64,
    pub is_transactional: bool,
    /// It holds no records, but a mark such as the end of a transaction.
    pub is_control: bool,
    pub records: &'a [u8],
}

impl<'a> Batch<'a> {
    /// The batch at a position; None where there is none of magic 2, or it is damaged, compressed,
    /// or cut off.
    pub fn at(data: &'a [u8], position: usize) -> Option<Self> {
        let data = data.get(position..)?;
        let mut header = Cursor::new(data.get(..HEADER)?, 0);
        let base_offset = header.i64().ok()?;
        let length = usize::try_from(header.i32().ok()?).ok()?;
        header.skip_to(16);
        let magic = header.i8().ok()?;
        let checksum = header.u32().ok()?;
        let flags = header.i16().ok()?;
        if base_offset < 0 || magic != 2 || flags & COMPRESSION != 0 || length < HEADER - UNCOUNTED
        {
            return None;
        }
        let whole = data.get(..length + UNCOUNTED)?;
        if crc32c(whole.get(CHECKED..)?) != checksum {
            return None;
        }
        let same_time = flags & LOG_APPEND_TIME != 0;
        header.skip_to(if same_time { 35 } else { 27 }); // the latest timestamp, or the first
        let timestamp = header.i64().ok()?;
        header.skip_to(43);
        let producer = header.i64().ok()?;
        header.skip_to(57);
        Some(Self {
            size: whole.len(),
            count: header.i32().ok()?,
            base_offset,
            timestamp,
            same_time,
            producer,
            is_transactional: flags & TRANSACTIONAL != 0,
            is_control: flags & CONTROL != 0,
            records: whole.get(HEADER..)?,
        })
    }

    /// The type of the mark in a control batch, -1 for none; None where it is not written as
    /// brokers do, with numbers of one byte in front of its key.
    pub fn mark(&self) -> Option<i16> {
        match self.records {
            [_, 0, 0, 0, 8, _, _, high, low, ..] => Some(i16::from_be_bytes([*high, *low])),
            [_, 0, 0, 0, 8, ..] => Some(-1),
            _ => None,
        }
    }
}

/// A record as it is written: time and offset count from those of its batch.
pub struct Record<'a> {
    pub attributes: i8,
    pub time_delta: i64,
    pub offset_delta: i64,
    pub key: Option<&'a [u8]>,
    pub value: Option<&'a [u8]>,
    /// Its headers, with their number in front.
    pub headers: Cursor<'a>,
}

impl<'a> Record<'a> {
    /// The next record.
    #[inline(always)]
    pub fn next(cursor: &mut Cursor<'a>) -> Outcome<Self> {
        let size = zigzag(cursor)?;
        if size < SMALLEST_RECORD {
            return Err(DAMAGED);
        }
        let size = usize::try_from(size).map_err(|_| DAMAGED)?;
        let mut cursor = Cursor::new(cursor.take(size, 0)?, 0);
        Ok(Self {
            attributes: cursor.i8()?,
            time_delta: zigzag(&mut cursor)?,
            offset_delta: zigzag(&mut cursor)?,
            key: blob(&mut cursor)?,
            value: blob(&mut cursor)?,
            headers: cursor,
        })
    }

    /// Whether it has no headers, and ends behind their number.
    #[inline(always)]
    pub const fn has_no_headers(&self) -> bool {
        matches!(self.headers.rest(), [0])
    }
}

/// A signed varint of at most ten bytes.
#[inline(always)]
fn zigzag(cursor: &mut Cursor<'_>) -> Outcome<i64> {
    let mut value = 0u64;
    for shift in (0..70).step_by(7) {
        let byte = cursor.i8()? as u8;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok((value >> 1) as i64 ^ -((value & 1) as i64));
        }
    }
    Err(DAMAGED)
}

/// Bytes with a varint length in front; a negative one is null.
#[inline(always)]
fn blob<'a>(cursor: &mut Cursor<'a>) -> Outcome<Option<&'a [u8]>> {
    match usize::try_from(zigzag(cursor)?) {
        Ok(size) => cursor.take(size, 0).map(Some),
        Err(_) => Ok(None),
    }
}

/// The first batch at or behind `target`, going from the batch at the start from length to length;
/// None where there is something on the way that is no batch.
pub fn batch_behind(data: &[u8], target: usize) -> Option<usize> {
    let mut at = 0;
    while at < target && data.len().saturating_sub(at) > 16 {
        let mut header = Cursor::new(data, at);
        let base_offset = header.i64().ok()?;
        let length = usize::try_from(header.i32().ok()?).ok()?;
        header.skip_to(at + 16);
        let magic = header.i8().ok()?;
        if base_offset < 0 || length < 14 || !(0..=2).contains(&magic) {
            return None;
        }
        at += UNCOUNTED + length;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Outcome<i64> {
        zigzag(&mut Cursor::new(bytes, 0))
    }

    #[test]
    fn numbers_are_zigzag_varints() {
        assert_eq!(read(&[0]), Ok(0));
        assert_eq!(read(&[1]), Ok(-1));
        assert_eq!(read(&[2]), Ok(1));
        assert_eq!(read(&[0xac, 0x02]), Ok(150));
        let most = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(read(&most), Ok(i64::MAX));
        assert!(read(&[0x80; 11]).is_err());
        assert!(read(&[0x80]).is_err());
    }
}
