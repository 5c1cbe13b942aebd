//! The one walker: it reads a message as a `Layout` says and hands each value to a `Sink`.
//!
//! The rules of Kafka's own readers are here and in `cursor`; what becomes of the values is the
//! sink's business. Errors carry the kind and the offset that the diagnostic reader gives.

use crate::cursor::{Cursor, Fault, Kind, MAX_ELEMENTS, MAX_STRING, MAX_TAGS, Outcome, Prefix};
use crate::program::{Base, Front, Label, Layout, Newer, Plain, Program, Slot, header_bytes};

/// Takes the values of one message, in the order of its bytes.
///
/// `Place` says where a value goes: a struct, a field of it, or an element of an array.
pub trait Sink {
    type Place: Copy;

    /// The place of a field of the struct at `at`.
    fn field(&mut self, at: Self::Place, layout: &Layout, slot: &Slot) -> Self::Place;
    /// The place of an element of the array at `at`.
    fn element(&mut self, at: Self::Place, index: usize) -> Self::Place;

    fn boolean(&mut self, at: Self::Place, value: bool) -> Outcome<()>;
    /// An integer of any width.
    fn int(&mut self, at: Self::Place, base: Base, value: i64) -> Outcome<()>;
    fn float(&mut self, at: Self::Place, value: f64) -> Outcome<()>;
    fn uuid(&mut self, at: Self::Place, value: [u8; 16]) -> Outcome<()>;
    /// The bytes of a string, which need not be valid; `start` is where its length is.
    fn text(&mut self, at: Self::Place, base: Base, raw: &[u8], start: usize) -> Outcome<()>;
    fn bytes(&mut self, at: Self::Place, raw: &[u8]) -> Outcome<()>;
    /// Null instead of a string, bytes, an array or a struct.
    fn null(&mut self, at: Self::Place, slot: &Slot) -> Outcome<()>;
    /// A nullable struct is there.
    fn present(&mut self, at: Self::Place, slot: &Slot);

    /// An array begins; gives its place. `room` is how many bytes are left for its elements.
    fn array(
        &mut self,
        at: Self::Place,
        slot: &Slot,
        count: usize,
        room: Room,
    ) -> Outcome<Self::Place>;
    /// An array of int32 whose elements begin at `start`, four bytes each.
    fn int32s(&mut self, at: Self::Place, slot: &Slot, raw: &[u8], start: usize) -> Outcome<()>;

    /// Reads the elements of an array of strings that are not compact, none of which may be null.
    #[inline(always)]
    fn strings(
        &mut self,
        array: Self::Place,
        cursor: &mut Cursor<'_>,
        count: usize,
    ) -> Outcome<()> {
        for index in 0..count {
            let place = self.element(array, index);
            let (start, raw) = plain_string(cursor)?;
            self.text(place, Base::String, raw, start)?;
        }
        Ok(())
    }

    /// A struct begins; gives its place.
    fn begin(&mut self, at: Self::Place, layout: &Layout) -> Outcome<Self::Place>;
    /// A struct that takes no bytes in this version.
    fn nothing(&mut self, at: Self::Place, layout: &Layout) -> Outcome<()>;
    /// The message ended before this optional field of the struct at `at`.
    fn missing(&mut self, at: Self::Place, layout: &Layout, slot: &Slot) -> Outcome<()>;
    /// The tag section of the struct at `at` begins.
    fn tags(&mut self, at: Self::Place, layout: &Layout) -> Outcome<()>;
    /// A tagged field that the definition does not know.
    fn unknown_tag(
        &mut self,
        at: Self::Place,
        layout: &Layout,
        tag: i32,
        raw: &[u8],
    ) -> Outcome<()>;
    /// All fields of the struct at `at` that this version has were read.
    fn end(&mut self, at: Self::Place, layout: &Layout) -> Outcome<()>;
}

/// What bounds an array: the bytes that are left, and the fewest that one element takes.
#[derive(Clone, Copy)]
pub struct Room {
    pub left: usize,
    pub smallest: usize,
    pub start: usize,
}

/// What the bytes in front of a message say; a fault where no layout follows from that.
#[inline(always)]
pub fn read_label(program: &Program, data: &[u8]) -> Outcome<Label> {
    let mut cursor = Cursor::new(data, 0);
    let unsupported = Fault::new(Kind::UnsupportedVersion, 0);
    let number = match program.front {
        Front::None => return Err(unsupported),
        Front::Version => i32::from(cursor.i16()?),
        Front::Version32 => cursor.i32()?, // it is a field as well
        Front::RecordType(key) => {
            if cursor.i16()? != key {
                return Err(Fault::new(Kind::UnknownRecordType, 0));
            }
            program.highest().ok_or(unsupported)?.number
        }
    };
    let read_as = match program.version(number) {
        Some(version) => version,
        None => newer(program, number).ok_or(unsupported)?,
    };
    Ok(Label {
        version: number,
        read_as,
        start: header_bytes(program.front),
    })
}

#[cold]
fn newer(program: &Program, number: i32) -> Option<crate::program::Version> {
    let highest = program
        .highest()
        .filter(|highest| number > highest.number)?;
    match program.newer {
        Newer::Refuse => None,
        Newer::Clamp => Some(highest),
        Newer::Head => program.head,
    }
}

/// Where reading ended; of a fault its kind, and where that is.
///
/// The functions that are not inlined take what a cursor consists of and give this, in two
/// registers: a cursor that they were lent would be in memory, and every read would wait for the
/// store of the one before it.
#[derive(Clone, Copy)]
struct Ended {
    fault: Option<Kind>,
    at: usize,
}

impl Ended {
    #[inline(always)]
    fn of(read: Outcome<()>, cursor: &Cursor<'_>) -> Self {
        match read {
            Ok(()) => Self {
                fault: None,
                at: cursor.pos(),
            },
            Err(Fault { kind, at }) => Self {
                fault: Some(kind),
                at,
            },
        }
    }

    #[inline(always)]
    fn moved(self, cursor: &mut Cursor<'_>) -> Outcome<()> {
        match self.fault {
            None => {
                cursor.skip_to(self.at);
                Ok(())
            }
            Some(kind) => Err(Fault { kind, at: self.at }),
        }
    }
}

/// Reads the fields of the struct at `at`.
#[inline(always)]
pub fn read_fields<S: Sink>(
    program: &Program,
    layout: &Layout,
    cursor: &mut Cursor<'_>,
    sink: &mut S,
    at: S::Place,
) -> Outcome<()> {
    fields(cursor.rest(), cursor.end(), program, layout, sink, at).moved(cursor)
}

fn fields<S: Sink>(
    rest: &[u8],
    end: usize,
    program: &Program,
    layout: &Layout,
    sink: &mut S,
    at: S::Place,
) -> Ended {
    let mut cursor = Cursor::behind(rest, end);
    let read = each_field(program, layout, &mut cursor, sink, at);
    Ended::of(read, &cursor)
}

#[inline(always)]
fn each_field<S: Sink>(
    program: &Program,
    layout: &Layout,
    cursor: &mut Cursor<'_>,
    sink: &mut S,
    at: S::Place,
) -> Outcome<()> {
    for (index, slot) in layout.slots.iter().enumerate() {
        let place = sink.field(at, layout, slot);
        if slot.plain != Plain::No {
            read_plain(slot, cursor, sink, place)?;
            continue;
        }
        if slot.optional && cursor.left() == 0 {
            for rest in layout.slots.get(index..).unwrap_or_default() {
                sink.missing(at, layout, rest)?;
            }
            break;
        }
        read_slot(program, slot, cursor, sink, place, false)?;
    }
    if layout.flexible {
        tags(cursor.rest(), cursor.end(), program, layout, sink, at).moved(cursor)?;
    }
    sink.end(at, layout)
}

/// Reads a field of which `Slot::plain` says all.
#[inline(always)]
fn read_plain<S: Sink>(
    slot: &Slot,
    cursor: &mut Cursor<'_>,
    sink: &mut S,
    at: S::Place,
) -> Outcome<()> {
    match slot.plain {
        Plain::String => {
            let (start, raw) = plain_string(cursor)?;
            sink.text(at, Base::String, raw, start)
        }
        Plain::Int32s => {
            let start = cursor.pos();
            let count = cursor.length(Prefix::Int32, false)?.unwrap_or(0);
            read_int32s(slot, (count, start), cursor, sink, at)
        }
        Plain::Int32 => sink.int(at, Base::Int32, i64::from(cursor.i32()?)),
        Plain::No => Err(Fault::new(Kind::Odd, cursor.pos())),
    }
}

#[inline(always)]
fn read_slot<S: Sink>(
    program: &Program,
    slot: &Slot,
    cursor: &mut Cursor<'_>,
    sink: &mut S,
    at: S::Place,
    tagged: bool,
) -> Outcome<()> {
    if slot.array {
        return array(cursor.rest(), cursor.end(), program, slot, sink, at).moved(cursor);
    }
    match slot.base {
        Base::String | Base::ModifiedUtf8 | Base::Utf16 => {
            read_text(slot, cursor, sink, at, slot.nullable)
        }
        Base::Bytes => {
            let start = cursor.pos();
            match cursor.length(prefix(slot, Prefix::Int32), slot.nullable)? {
                Some(size) => sink.bytes(at, cursor.take(size, start)?),
                None => sink.null(at, slot),
            }
        }
        Base::Struct if slot.nullable => {
            let there = if tagged {
                cursor.varint()? > 0 // an int in Java: five bytes can make it negative
            } else {
                cursor.i8()? >= 0
            };
            if there {
                sink.present(at, slot);
                read_struct(program, slot, cursor, sink, at)
            } else {
                sink.null(at, slot)
            }
        }
        Base::Struct => {
            sink.present(at, slot);
            read_struct(program, slot, cursor, sink, at)
        }
        _ => read_fixed(slot.base, cursor, sink, at),
    }
}

#[inline(always)]
fn prefix(slot: &Slot, plain: Prefix) -> Prefix {
    if slot.compact { Prefix::Varint } else { plain }
}

#[inline(always)]
fn read_fixed<S: Sink>(
    base: Base,
    cursor: &mut Cursor<'_>,
    sink: &mut S,
    at: S::Place,
) -> Outcome<()> {
    let value = match base {
        Base::Int32 => i64::from(cursor.i32()?),
        Base::Int64 => cursor.i64()?,
        Base::Int16 => i64::from(cursor.i16()?),
        Base::Uint16 => i64::from(cursor.u16()?),
        Base::Uint32 => i64::from(cursor.u32()?),
        Base::Int8 => i64::from(cursor.i8()?),
        Base::Bool => return sink.boolean(at, cursor.i8()? != 0),
        Base::Float64 => return sink.float(at, cursor.f64()?),
        Base::Uuid => return sink.uuid(at, cursor.array()?),
        Base::String | Base::ModifiedUtf8 | Base::Utf16 | Base::Bytes | Base::Struct => {
            return Err(Fault::new(Kind::Odd, cursor.pos()));
        }
    };
    sink.int(at, base, value)
}

#[inline(always)]
fn read_text<S: Sink>(
    slot: &Slot,
    cursor: &mut Cursor<'_>,
    sink: &mut S,
    at: S::Place,
    nullable: bool,
) -> Outcome<()> {
    let start = cursor.pos();
    let size = match slot.base {
        Base::ModifiedUtf8 => usize::from(cursor.u16()?),
        // Kafka Streams takes a negative count for none (`TaskId.readFrom`).
        Base::Utf16 => usize::try_from(cursor.i32()?)
            .unwrap_or(0)
            .saturating_mul(2),
        _ => match cursor.length(prefix(slot, Prefix::Int16), nullable)? {
            None => return sink.null(at, slot),
            Some(size) if size > MAX_STRING => {
                return Err(Fault::new(Kind::StringTooLong, start));
            }
            Some(size) => size,
        },
    };
    let raw = cursor.take(size, start)?;
    sink.text(at, slot.base, raw, start)
}

/// A string that is neither compact nor null, and where it begins.
#[inline(always)]
pub fn plain_string<'a>(cursor: &mut Cursor<'a>) -> Outcome<(usize, &'a [u8])> {
    let start = cursor.pos();
    let size = cursor.length(Prefix::Int16, false)?.unwrap_or(0);
    Ok((start, cursor.take(size, start)?))
}

/// Structs of plain fields, most often a topic and its partitions: without a call for each.
#[inline(always)]
fn read_plain_structs<S: Sink>(
    layout: &Layout,
    cursor: &mut Cursor<'_>,
    sink: &mut S,
    array: S::Place,
    count: usize,
) -> Outcome<()> {
    for index in 0..count {
        let place = sink.element(array, index);
        let at = sink.begin(place, layout)?;
        for slot in &layout.slots {
            let place = sink.field(at, layout, slot);
            read_plain(slot, cursor, sink, place)?;
        }
        sink.end(at, layout)?;
    }
    Ok(())
}

fn array<S: Sink>(
    rest: &[u8],
    end: usize,
    program: &Program,
    slot: &Slot,
    sink: &mut S,
    at: S::Place,
) -> Ended {
    let mut cursor = Cursor::behind(rest, end);
    let read = read_array(program, slot, &mut cursor, sink, at);
    Ended::of(read, &cursor)
}

#[inline(always)]
fn read_array<S: Sink>(
    program: &Program,
    slot: &Slot,
    cursor: &mut Cursor<'_>,
    sink: &mut S,
    at: S::Place,
) -> Outcome<()> {
    let start = cursor.pos();
    let Some(count) = cursor.length(prefix(slot, Prefix::Int32), slot.nullable)? else {
        return sink.null(at, slot);
    };
    if slot.base == Base::Int32 {
        return read_int32s(slot, (count, start), cursor, sink, at);
    }
    let array = begin_array(program, slot, (count, start), cursor, sink, at)?;
    match slot.base {
        Base::Struct => {
            let layout = program.layouts.get(slot.element);
            if let Some(layout) = layout.filter(|layout| layout.plain) {
                return read_plain_structs(layout, cursor, sink, array, count);
            }
            for index in 0..count {
                let place = sink.element(array, index);
                read_struct(program, slot, cursor, sink, place)?;
            }
            Ok(())
        }
        Base::String if !slot.compact => sink.strings(array, cursor, count),
        Base::String | Base::ModifiedUtf8 | Base::Utf16 => {
            for index in 0..count {
                let place = sink.element(array, index);
                read_text(slot, cursor, sink, place, false)?;
            }
            Ok(())
        }
        Base::Bytes => {
            for index in 0..count {
                let place = sink.element(array, index);
                let start = cursor.pos();
                let size = cursor
                    .length(prefix(slot, Prefix::Int32), false)?
                    .unwrap_or(0);
                sink.bytes(place, cursor.take(size, start)?)?;
            }
            Ok(())
        }
        _ => {
            for index in 0..count {
                let place = sink.element(array, index);
                read_fixed(slot.base, cursor, sink, place)?;
            }
            Ok(())
        }
    }
}

#[inline(always)]
fn begin_array<S: Sink>(
    program: &Program,
    slot: &Slot,
    (count, start): (usize, usize),
    cursor: &Cursor<'_>,
    sink: &mut S,
    at: S::Place,
) -> Outcome<S::Place> {
    check_count(count, start, cursor)?;
    sink.array(
        at,
        slot,
        count,
        Room {
            left: cursor.left(),
            smallest: smallest(program, slot),
            start,
        },
    )
}

/// As Kafka: an element takes a byte at least.
#[inline(always)]
fn check_count(count: usize, start: usize, cursor: &Cursor<'_>) -> Outcome<()> {
    if count > cursor.left() || count > MAX_ELEMENTS {
        return Err(Fault::new(Kind::CountExceedsInput, start));
    }
    Ok(())
}

#[inline(always)]
fn read_int32s<S: Sink>(
    slot: &Slot,
    (count, start): (usize, usize),
    cursor: &mut Cursor<'_>,
    sink: &mut S,
    at: S::Place,
) -> Outcome<()> {
    check_count(count, start, cursor)?;
    let (first, left) = (cursor.pos(), cursor.left());
    match cursor.take(4 * count, first) {
        Ok(raw) => sink.int32s(at, slot, raw, first),
        Err(_) => Err(Fault::new(Kind::Truncated, first + left / 4 * 4)),
    }
}

/// The fewest bytes that an element takes.
#[inline(always)]
fn smallest(program: &Program, slot: &Slot) -> usize {
    match slot.base {
        Base::Struct => program
            .layouts
            .get(slot.element)
            .map_or(1, |layout| layout.width),
        Base::Int64 | Base::Float64 => 8,
        Base::Int32 | Base::Uint32 | Base::Utf16 => 4,
        Base::Int16 | Base::Uint16 | Base::ModifiedUtf8 => 2,
        Base::Int8 | Base::Bool => 1,
        Base::Uuid => 16,
        Base::String if slot.compact => 1,
        Base::String => 2,
        Base::Bytes if slot.compact => 1,
        Base::Bytes => 4,
    }
}

#[inline(always)]
fn read_struct<S: Sink>(
    program: &Program,
    slot: &Slot,
    cursor: &mut Cursor<'_>,
    sink: &mut S,
    at: S::Place,
) -> Outcome<()> {
    let Some(layout) = program.layouts.get(slot.element) else {
        return Err(Fault::new(Kind::Odd, cursor.pos()));
    };
    if layout.width == 0 {
        return sink.nothing(at, layout);
    }
    let place = sink.begin(at, layout)?;
    read_fields(program, layout, cursor, sink, place)
}

fn tags<S: Sink>(
    rest: &[u8],
    end: usize,
    program: &Program,
    layout: &Layout,
    sink: &mut S,
    at: S::Place,
) -> Ended {
    let mut cursor = Cursor::behind(rest, end);
    let read = read_tags(program, layout, &mut cursor, sink, at);
    Ended::of(read, &cursor)
}

#[inline(always)]
fn read_tags<S: Sink>(
    program: &Program,
    layout: &Layout,
    cursor: &mut Cursor<'_>,
    sink: &mut S,
    at: S::Place,
) -> Outcome<()> {
    let start = cursor.pos();
    let count = cursor.varint()?;
    sink.tags(at, layout)?;
    if count == 0 {
        return Ok(());
    }
    match usize::try_from(count) {
        Ok(count) if count <= cursor.left().min(MAX_TAGS) => {}
        _ => return Err(Fault::new(Kind::BadTaggedField, start)),
    }
    for _ in 0..count {
        let start = cursor.pos();
        let tag = cursor.varint()?;
        if let Some(known) = layout.tagged.iter().find(|known| known.tag == tag) {
            cursor.varint()?; // Kafka does not look at the size of a field that it knows
            let place = sink.field(at, layout, &known.slot);
            read_slot(program, &known.slot, cursor, sink, place, true)?;
        } else if layout.foreign.contains(&tag) {
            return Err(Fault::new(Kind::BadTaggedField, start));
        } else {
            let start = cursor.pos();
            let size = cursor.varint()?;
            match usize::try_from(size) {
                Ok(size) if size <= cursor.left() => {
                    let raw = cursor.take(size, start)?;
                    sink.unknown_tag(at, layout, tag, raw)?;
                }
                _ => return Err(Fault::new(Kind::BadTaggedField, start)),
            }
        }
    }
    Ok(())
}
