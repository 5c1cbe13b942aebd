//! A position in the bytes of one message. Every read is checked against their end.

/// Why bytes were refused; the order is that of `kproto.codec.errors.ErrorKind`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    Truncated = 1,
    NegativeLength,
    CountExceedsInput,
    NullNotAllowed,
    StringTooLong,
    VarintTooLong,
    UnsupportedVersion,
    UnknownRecordType,
    BadTaggedField,
    /// Legal but not plain, or not for this sink: the diagnostic reader decides.
    Odd = 254,
    /// Python raised an error, and it is still set.
    Raised = 255,
}

/// A refusal: its kind, and the offset of the first byte of the primitive that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: Kind,
    pub at: usize,
}

impl Fault {
    #[cold]
    pub const fn new(kind: Kind, at: usize) -> Self {
        Self { kind, at }
    }
}

pub type Outcome<T> = Result<T, Fault>;

/// The most elements that Kafka reads into one array.
pub const MAX_ELEMENTS: usize = 1_000_000;
/// The most bytes that Kafka reads into one string.
pub const MAX_STRING: usize = 32_767;
/// The most fields that Kafka reads from one tag section.
pub const MAX_TAGS: usize = 10_000;

/// It holds the bytes that are left, so that a read is one comparison. The position is made of them
/// where somebody asks, which is mostly for a fault.
#[derive(Clone)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    /// The position behind the last byte.
    end: usize,
}

macro_rules! fixed {
    ($($name:ident: $type:ty),*) => {
        $(
            #[inline(always)]
            pub fn $name(&mut self) -> Outcome<$type> {
                Ok(<$type>::from_be_bytes(self.array()?))
            }
        )*
    };
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    pub fn new(data: &'a [u8], pos: usize) -> Self {
        match data.get(pos..) {
            Some(rest) => Self::behind(rest, data.len()),
            None => Self::behind(&[], pos),
        }
    }

    /// The cursor at the start of `rest`, whose end is at position `end`.
    #[inline(always)]
    pub const fn behind(rest: &'a [u8], end: usize) -> Self {
        Self { rest, end }
    }

    /// The bytes that are left.
    #[inline(always)]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The position behind the last of them.
    #[inline(always)]
    pub const fn end(&self) -> usize {
        self.end
    }

    #[inline(always)]
    pub const fn pos(&self) -> usize {
        self.end.wrapping_sub(self.rest.len())
    }

    #[inline(always)]
    pub const fn left(&self) -> usize {
        self.rest.len()
    }

    /// Goes on at a position behind this one.
    #[inline(always)]
    pub fn skip_to(&mut self, pos: usize) {
        let skipped = pos.wrapping_sub(self.pos());
        self.rest = self.rest.get(skipped..).unwrap_or_default();
    }

    /// The next `N` bytes.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self) -> Outcome<[u8; N]> {
        match self.rest.split_first_chunk() {
            Some((chunk, rest)) => {
                self.rest = rest;
                Ok(*chunk)
            }
            None => Err(Fault::new(Kind::Truncated, self.pos())),
        }
    }

    fixed!(i8: i8, i16: i16, u16: u16, i32: i32, u32: u32, i64: i64, f64: f64);

    /// The next `size` bytes of the primitive that begins at `start`.
    #[inline(always)]
    pub fn take(&mut self, size: usize, start: usize) -> Outcome<&'a [u8]> {
        match self.rest.split_at_checked(size) {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(taken)
            }
            None => Err(Fault::new(Kind::Truncated, start)),
        }
    }

    /// An unsigned varint, wrapped to int32 as Kafka does (`ByteUtils.readUnsignedVarint`).
    #[inline(always)]
    pub fn varint(&mut self) -> Outcome<i32> {
        match self.rest.split_first() {
            Some((&byte, rest)) if byte < 0x80 => {
                self.rest = rest;
                Ok(i32::from(byte))
            }
            _ => {
                let (value, size) = long_varint(self.rest, self.pos())?;
                self.rest = self.rest.get(size..).unwrap_or_default();
                Ok(value)
            }
        }
    }

    /// A length or count; None for null. A compact one is a varint of the length plus one.
    #[inline(always)]
    pub fn length(&mut self, prefix: Prefix, nullable: bool) -> Outcome<Option<usize>> {
        let start = self.pos();
        let size = match prefix {
            Prefix::Int16 => i32::from(self.i16()?),
            Prefix::Int32 => self.i32()?,
            // In int32, as Java subtracts: the least of all becomes the greatest.
            Prefix::Varint => self.varint()?.wrapping_sub(1),
        };
        if let Ok(size) = usize::try_from(size) {
            return Ok(Some(size));
        }
        if nullable {
            return Ok(None);
        }
        let kind = if size == -1 {
            Kind::NullNotAllowed
        } else {
            Kind::NegativeLength
        };
        Err(Fault::new(kind, start))
    }
}

/// A varint and how many bytes it takes. It takes no cursor, which would then have to be in memory.
fn long_varint(rest: &[u8], start: usize) -> Outcome<(i32, usize)> {
    let mut value = 0u64;
    for number in 0..5 {
        let Some(&byte) = rest.get(number) else {
            return Err(Fault::new(Kind::Truncated, start));
        };
        value |= u64::from(byte & 0x7f) << (7 * number);
        if byte < 0x80 {
            return Ok((value as u32 as i32, number + 1));
        }
    }
    Err(Fault::new(Kind::VarintTooLong, start))
}

/// How a length or count is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    Int16,
    Int32,
    Varint,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_past_the_end_names_where_the_primitive_began() {
        let mut cursor = Cursor::new(&[0, 1, 2], 1);
        assert_eq!(cursor.i32(), Err(Fault::new(Kind::Truncated, 1)));
        assert_eq!(cursor.i16(), Ok(0x0102));
        assert_eq!(cursor.i8(), Err(Fault::new(Kind::Truncated, 3)));
        assert_eq!(cursor.take(0, 3), Ok(&[][..]));
    }

    #[test]
    fn a_position_past_the_end_reads_nothing() {
        let mut cursor = Cursor::new(&[1, 2], 7);
        assert_eq!(cursor.left(), 0);
        assert_eq!(cursor.varint(), Err(Fault::new(Kind::Truncated, 7)));
        assert_eq!(cursor.i16(), Err(Fault::new(Kind::Truncated, 7)));
        assert_eq!(cursor.take(1, 7), Err(Fault::new(Kind::Truncated, 7)));
    }

    #[test]
    fn varints_wrap_to_int32() {
        let read = |bytes: &[u8]| Cursor::new(bytes, 0).varint();
        assert_eq!(read(&[0x7f]), Ok(127));
        assert_eq!(read(&[0x80, 0x01]), Ok(128));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0x0f]), Ok(-1));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0x7f]), Ok(-1));
        assert_eq!(read(&[0xff; 5]), Err(Fault::new(Kind::VarintTooLong, 0)));
        assert_eq!(read(&[0xff; 4]), Err(Fault::new(Kind::Truncated, 0)));
    }

    #[test]
    fn the_least_compact_length_becomes_the_greatest() {
        let least = [0x80, 0x80, 0x80, 0x80, 0x08];
        let length = Cursor::new(&least, 0).length(Prefix::Varint, false);
        assert_eq!(length, Ok(Some(0x7fff_ffff)));
    }

    #[test]
    fn null_is_minus_one_and_other_negative_lengths_are_refused() {
        let read = |size: i16, nullable| {
            Cursor::new(&size.to_be_bytes(), 0).length(Prefix::Int16, nullable)
        };
        assert_eq!(read(-1, true), Ok(None));
        assert_eq!(read(-9, true), Ok(None));
        assert_eq!(read(-1, false), Err(Fault::new(Kind::NullNotAllowed, 0)));
        assert_eq!(read(-9, false), Err(Fault::new(Kind::NegativeLength, 0)));
    }
}
