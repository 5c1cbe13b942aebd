//! The sink that fills Arrow columns.
//!
//! A place is a column and the index of an element in it: a row, or an element of an array. What an
//! entry is follows from the one before it (text and lists are between `offsets[e]` and
//! `offsets[e + 1]`), so that writing an entry again undoes the first time. Therefore a struct
//! begins with the defaults of fields that may not come, a tagged field that comes twice overwrites
//! itself, and what was stored of a row that turns out to be malformed is overwritten as well.
//!
//! Every store is checked. The caller gives memory for whatever the bytes can hold; a store outside
//! of it is `Kind::Odd`, and no verdict about a row.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::cursor::{Cursor, Fault, Kind, Outcome};
use crate::entry::{LayoutRow, VersionRow, check_layouts, program_from, version_of};
use crate::memory::{Loan, Slices, swap_each, swap_wide};
use crate::program::{Base, Front, Layout, Program, Slot, Version};
use crate::text::copy_text;
use crate::walk::{Room, Sink, plain_string, read_fields, read_label};

const BEYOND: Fault = Fault::new(Kind::Odd, 0);

// -- which columns there are

/// What the entries of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Values of so many bytes.
    Fixed(usize),
    Text,
    Bytes,
    /// Arrays; the number of the column of their elements.
    List(usize),
    Struct,
}

/// A value that is not in the message.
#[derive(Clone, Copy, Debug)]
enum Value {
    Bits(i64),
    /// No bytes or no elements, or null.
    Empty {
        valid: bool,
    },
    Valid(bool),
}

#[derive(Clone, Copy, Debug)]
struct Put {
    column: usize,
    value: Value,
}

/// The columns of unknown tagged fields: the list, and their tags and data.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    list: usize,
    tag: usize,
    data: usize,
}

#[derive(Debug)]
struct Column {
    shape: Shape,
    nullable: bool,
    /// Where the unknown tagged fields of a struct go.
    unknown: Option<Unknown>,
    /// What an entry is where there is no value: null, and zero or nothing below it.
    blank: Vec<Put>,
    /// What an entry is where the message has no such field.
    default: Vec<Put>,
}

/// (shape, nullable, children, default: None for null, else a number, the list of the unknown tagged
/// fields with the columns of tag and data)
type ColumnRow = (
    String,
    bool,
    Vec<usize>,
    Option<i64>,
    Option<(usize, usize, usize)>,
);

fn column_of(row: ColumnRow, number: usize, before: &[Column]) -> PyResult<Column> {
    let (name, nullable, children, default, unknown) = row;
    let unknown = unknown.map(|(list, tag, data)| Unknown { list, tag, data });
    if children.iter().any(|&child| child >= number) {
        return Err(PyValueError::new_err("a column comes before those in it"));
    }
    let shape = match name.as_str() {
        "list" => Shape::List(children.first().copied().unwrap_or(number)),
        "struct" => Shape::Struct,
        "string" => Shape::Text,
        "bytes" | "records" => Shape::Bytes,
        "bool" | "int8" => Shape::Fixed(1),
        "int16" => Shape::Fixed(2),
        "uint16" | "int32" => Shape::Fixed(4),
        "uint32" | "int64" | "float64" => Shape::Fixed(8),
        "uuid" => Shape::Fixed(16),
        _ => return Err(PyValueError::new_err(format!("no column of {name}"))),
    };
    let put = |value| {
        vec![Put {
            column: number,
            value,
        }]
    };
    let below = |of: fn(&Column) -> &Vec<Put>, valid: bool| {
        let own = Put {
            column: number,
            value: Value::Valid(valid),
        };
        let children = children.iter().filter_map(|&child| before.get(child));
        own_if(nullable, own)
            .chain(children.flat_map(of).copied())
            .collect::<Vec<_>>()
    };
    let (blank, default) = match (shape, default) {
        (Shape::Fixed(_), number) => (put(Value::Bits(0)), put(Value::Bits(number.unwrap_or(0)))),
        (Shape::Struct, None) => (below(|c| &c.blank, false), below(|c| &c.blank, false)),
        (Shape::Struct, Some(_)) => (below(|c| &c.blank, false), below(|c| &c.default, true)),
        (_, default) => (
            put(Value::Empty { valid: false }),
            put(Value::Empty {
                valid: default.is_some(),
            }),
        ),
    };
    Ok(Column {
        shape,
        nullable,
        unknown,
        blank,
        default,
    })
}

fn own_if(nullable: bool, own: Put) -> impl Iterator<Item = Put> {
    nullable.then_some(own).into_iter()
}

// -- their memory

/// The memory of one column, where it has it: one offset more than elements; validity is a byte an
/// element. Nothing where the column has no such buffer.
#[derive(Default)]
struct Buffers<'a> {
    offsets: &'a mut [i32],
    values: &'a mut [u8],
    validity: &'a mut [u8],
    /// Bytes of a value of fixed size.
    width: usize,
    /// The column of an array's elements.
    element: usize,
}

impl<'a> Buffers<'a> {
    /// None where the memory does not fit the column, or is more than int32 can count.
    fn new(column: &Column, slices: &mut Slices<'a>) -> Option<Self> {
        let (offsets, values, validity) = (slices.numbers(), slices.output(), slices.output());
        let (width, element) = match column.shape {
            Shape::Fixed(width) => (width, 0),
            Shape::List(element) => (0, element),
            _ => (0, 0),
        };
        let room = match column.shape {
            Shape::Fixed(width) => values.len() / width,
            Shape::Struct => validity.len(),
            Shape::Text | Shape::Bytes | Shape::List(_) => offsets.len().checked_sub(1)?,
        };
        let fits =
            values.len() <= i32::MAX as usize && (validity.len() >= room || !column.nullable);
        fits.then_some(Self {
            offsets,
            values,
            validity,
            width,
            element,
        })
    }

    #[inline(always)]
    fn mark(&mut self, index: u32, valid: bool) {
        // A column that has no validity is never null; one that has it has it for every element.
        if let Some(flag) = self.validity.get_mut(index as usize) {
            *flag = u8::from(valid);
        }
    }

    /// Where the entry begins, and where it ends.
    #[inline(always)]
    fn entry(&mut self, index: u32) -> Outcome<&mut [i32; 2]> {
        let at = index as usize;
        let entry = self.offsets.get_mut(at..at + 2);
        entry.and_then(<[i32]>::first_chunk_mut).ok_or(BEYOND)
    }

    /// Ends the entry `size` elements after it began; gives where it began. There are fewer than
    /// 2^31 of them; were there more, the place of the next would be negative, and in no memory.
    #[inline(always)]
    fn sized(&mut self, index: u32, size: usize) -> Outcome<u32> {
        let [start, end] = self.entry(index)?;
        *end = start.wrapping_add(size as i32);
        Ok(*start as u32)
    }

    #[inline(always)]
    fn text(&mut self, index: u32, raw: &[u8]) -> Outcome<()> {
        let at = index as usize;
        let entry = self.offsets.get_mut(at..at + 2);
        let entry = entry.and_then(<[i32]>::first_chunk_mut::<2>);
        let [start, end] = entry.ok_or(BEYOND)?;
        let to = self.values.get_mut(*start as usize..).ok_or(BEYOND)?;
        *end = *start + copy_text(to, raw).ok_or(BEYOND)? as i32; // the memory ends below 2^31
        self.mark(index, true);
        Ok(())
    }

    #[inline(always)]
    fn bytes(&mut self, index: u32, raw: &[u8]) -> Outcome<()> {
        let start = self.sized(index, raw.len())? as usize;
        let to = self
            .values
            .get_mut(start..)
            .and_then(|to| to.get_mut(..raw.len()));
        to.ok_or(BEYOND)?.copy_from_slice(raw);
        self.mark(index, true);
        Ok(())
    }

    #[inline(always)]
    fn fixed<const N: usize>(&mut self, index: u32, value: [u8; N]) -> Outcome<()> {
        let at = N * index as usize;
        let place = self.values.get_mut(at..at + N);
        *place.and_then(<[u8]>::first_chunk_mut).ok_or(BEYOND)? = value;
        Ok(())
    }

    fn bits(&mut self, index: u32, value: i64) -> Outcome<()> {
        match self.width {
            1 => self.fixed(index, (value as i8).to_ne_bytes()),
            2 => self.fixed(index, (value as i16).to_ne_bytes()),
            4 => self.fixed(index, (value as i32).to_ne_bytes()),
            8 => self.fixed(index, value.to_ne_bytes()),
            _ => self.fixed(index, i128::from(value).to_ne_bytes()),
        }
    }
}

// -- the sink

#[derive(Clone, Copy)]
struct Place {
    column: usize,
    /// No column has more than int32 can count, and a sum of such numbers cannot overflow.
    index: u32,
}

/// The fields of a layout are numbered by their columns, and its class is that of the struct.
struct Columns<'a, 'm> {
    definition: &'a Definition,
    memory: Vec<Buffers<'m>>,
}

impl<'m> Columns<'_, 'm> {
    #[inline(always)]
    fn at(&mut self, at: Place) -> Outcome<&mut Buffers<'m>> {
        self.memory.get_mut(at.column).ok_or(BEYOND)
    }

    #[inline(always)]
    fn put(&mut self, puts: &[Put], index: u32) -> Outcome<()> {
        for put in puts {
            let buffers = self.memory.get_mut(put.column).ok_or(BEYOND)?;
            match put.value {
                Value::Bits(bits) => buffers.bits(index, bits)?,
                Value::Empty { valid } => {
                    buffers.sized(index, 0)?;
                    buffers.mark(index, valid);
                }
                Value::Valid(valid) => buffers.mark(index, valid),
            }
        }
        Ok(())
    }

    /// What every field holds that the layout does not have, or that may not come.
    #[inline(always)]
    fn open(&mut self, layout: &Layout, index: u32) -> Outcome<()> {
        let definition = self.definition;
        self.put(definition.openings.get(layout.id).ok_or(BEYOND)?, index)
    }

    /// Begins a list of so many elements; gives the place of the first.
    #[inline(always)]
    fn list(&mut self, at: Place, count: usize) -> Outcome<Place> {
        let buffers = self.at(at)?;
        buffers.mark(at.index, true);
        let start = buffers.sized(at.index, count)?;
        Ok(Place {
            column: buffers.element,
            index: start,
        })
    }

    fn blank(&mut self, row: u32) -> Outcome<()> {
        let definition = self.definition;
        self.put(&definition.columns.last().ok_or(BEYOND)?.blank, row)
    }
}

impl Sink for Columns<'_, '_> {
    type Place = Place;

    #[inline(always)]
    fn field(&mut self, at: Place, _: &Layout, slot: &Slot) -> Place {
        Place {
            column: slot.field,
            index: at.index,
        }
    }

    #[inline(always)]
    fn element(&mut self, at: Place, index: usize) -> Place {
        Place {
            column: at.column,
            index: at.index.wrapping_add(index as u32),
        }
    }

    fn boolean(&mut self, at: Place, value: bool) -> Outcome<()> {
        self.at(at)?.fixed(at.index, [u8::from(value)])
    }

    #[inline(always)]
    fn int(&mut self, at: Place, base: Base, value: i64) -> Outcome<()> {
        let buffers = self.at(at)?;
        match base {
            Base::Int8 => buffers.fixed(at.index, (value as i8).to_ne_bytes()),
            Base::Int16 => buffers.fixed(at.index, (value as i16).to_ne_bytes()),
            Base::Int32 | Base::Uint16 => buffers.fixed(at.index, (value as i32).to_ne_bytes()),
            _ => buffers.fixed(at.index, value.to_ne_bytes()),
        }
    }

    fn float(&mut self, at: Place, value: f64) -> Outcome<()> {
        self.at(at)?.fixed(at.index, value.to_ne_bytes())
    }

    fn uuid(&mut self, at: Place, value: [u8; 16]) -> Outcome<()> {
        self.at(at)?.fixed(at.index, value)
    }

    #[inline(always)]
    fn text(&mut self, at: Place, _: Base, raw: &[u8], _: usize) -> Outcome<()> {
        self.at(at)?.text(at.index, raw)
    }

    #[inline(always)]
    fn bytes(&mut self, at: Place, raw: &[u8]) -> Outcome<()> {
        self.at(at)?.bytes(at.index, raw)
    }

    #[inline(always)]
    fn null(&mut self, at: Place, slot: &Slot) -> Outcome<()> {
        if slot.array || slot.base != Base::Struct {
            let buffers = self.at(at)?;
            buffers.sized(at.index, 0)?;
            buffers.mark(at.index, false);
            return Ok(());
        }
        let definition = self.definition;
        self.put(
            &definition.columns.get(at.column).ok_or(BEYOND)?.blank,
            at.index,
        )
    }

    fn present(&mut self, at: Place, _: &Slot) {
        if let Some(buffers) = self.memory.get_mut(at.column) {
            buffers.mark(at.index, true);
        }
    }

    #[inline(always)]
    fn array(&mut self, at: Place, _: &Slot, count: usize, _: Room) -> Outcome<Place> {
        self.list(at, count)
    }

    #[inline(always)]
    fn int32s(&mut self, at: Place, _: &Slot, raw: &[u8], _: usize) -> Outcome<()> {
        let array = self.list(at, raw.len() / 4)?;
        let start = 4 * array.index as usize;
        let values = &mut self.at(array)?.values;
        let to = values.get_mut(start..start + raw.len()).ok_or(BEYOND)?;
        swap(to, raw).ok_or(BEYOND)
    }

    #[inline(always)]
    fn strings(&mut self, array: Place, cursor: &mut Cursor<'_>, count: usize) -> Outcome<()> {
        let Buffers {
            offsets, values, ..
        } = self.at(array)?;
        let (first, ends) = offsets
            .get_mut(array.index as usize..)
            .and_then(<[i32]>::split_first_mut)
            .ok_or(BEYOND)?;
        let mut at = usize::try_from(*first).map_err(|_| BEYOND)?;
        let mut ends = ends.iter_mut();
        for _ in 0..count {
            let (_, raw) = plain_string(cursor)?;
            at += values
                .get_mut(at..)
                .and_then(|to| copy_text(to, raw))
                .ok_or(BEYOND)?;
            *ends.next().ok_or(BEYOND)? = at as i32; // the memory ends below 2^31
        }
        Ok(())
    }

    #[inline(always)]
    fn begin(&mut self, at: Place, layout: &Layout) -> Outcome<Place> {
        self.open(layout, at.index)?;
        Ok(at)
    }

    fn nothing(&mut self, at: Place, layout: &Layout) -> Outcome<()> {
        self.open(layout, at.index)
    }

    fn missing(&mut self, at: Place, _: &Layout, slot: &Slot) -> Outcome<()> {
        let definition = self.definition;
        self.put(
            &definition.columns.get(slot.field).ok_or(BEYOND)?.default,
            at.index,
        )
    }

    /// The list of unknown ones, which `open` has left alone, begins.
    fn tags(&mut self, at: Place, layout: &Layout) -> Outcome<()> {
        let Unknown { list, .. } = self.definition.unknown(layout)?;
        let list = self.memory.get_mut(list).ok_or(BEYOND)?;
        list.mark(at.index, true);
        list.sized(at.index, 0).map(drop)
    }

    fn unknown_tag(&mut self, at: Place, layout: &Layout, tag: i32, raw: &[u8]) -> Outcome<()> {
        let unknown = self.definition.unknown(layout)?;
        let list = self.memory.get_mut(unknown.list).ok_or(BEYOND)?;
        let [_, end] = list.entry(at.index)?;
        let index = *end as u32;
        *end += 1;
        let tags = self.memory.get_mut(unknown.tag).ok_or(BEYOND)?;
        tags.fixed(index, tag.to_ne_bytes())?;
        self.memory
            .get_mut(unknown.data)
            .ok_or(BEYOND)?
            .bytes(index, raw)
    }

    #[inline(always)]
    fn end(&mut self, _: Place, _: &Layout) -> Outcome<()> {
        Ok(())
    }
}

/// Copies int32 of the wire; None where there is not as much room as there are bytes.
#[inline(always)]
fn swap(to: &mut [u8], raw: &[u8]) -> Option<()> {
    if to.len() != raw.len() {
        return None;
    }
    if raw.len() >= WIDE {
        swap_wide(to, raw);
    } else {
        swap_each(to, raw);
    }
    Some(())
}

/// Bytes from which it pays to look what the processor can do.
const WIDE: usize = 64;

// -- rows

/// A column of bytes: the rows that are read, and no offset above `limit`.
struct Rows<'a> {
    data: &'a [u8],
    offsets: &'a [u8],
    wide: bool,
    validity: Option<&'a [u8]>,
    first: usize,
    count: usize,
    limit: usize,
    /// Which of the rows from `first` on are read; None for all.
    chosen: Option<&'a [i32]>,
}

impl<'a> Rows<'a> {
    /// The bytes of the row that is read as the `number`th, or None for null, and where it ends; an
    /// error where they are outside of the column's. `behind` is where the one before ends.
    #[inline(always)]
    fn get(&self, number: usize, behind: usize) -> Result<(Option<&'a [u8]>, usize), ()> {
        let (place, start) = match self.chosen {
            None => (self.first + number, behind),
            Some(chosen) => {
                let row = *chosen.get(number).ok_or(())?;
                let place = self.first + usize::try_from(row).map_err(|_| ())?;
                (place, self.offset(place)?)
            }
        };
        let end = self.offset(place + 1)?;
        if end > self.limit {
            return Err(());
        }
        let bytes = self.data.get(start..end).ok_or(())?;
        match self.validity {
            Some(bits) if bits.get(place >> 3).ok_or(())? >> (place & 7) & 1 == 0 => {
                Ok((None, end))
            }
            _ => Ok((Some(bytes), end)),
        }
    }

    #[inline(always)]
    fn offset(&self, place: usize) -> Result<usize, ()> {
        let offset = if self.wide {
            let at = self.offsets.get(8 * place..).and_then(<[u8]>::first_chunk);
            i64::from_ne_bytes(*at.ok_or(())?)
        } else {
            let at = self.offsets.get(4 * place..).and_then(<[u8]>::first_chunk);
            i64::from(i32::from_ne_bytes(*at.ok_or(())?))
        };
        usize::try_from(offset).map_err(|_| ())
    }
}

/// What became of a row.
#[derive(Default)]
struct Verdict {
    flags: u8,
    version: i32,
    schema_version: i32,
    left: i32,
    error: u8,
    error_offset: i32,
}

const HAS_VALUE: u8 = 1;
const HAS_VERSION: u8 = 2;
const HAS_SCHEMA_VERSION: u8 = 4;

/// A column each of what became of the rows.
struct Status<'m> {
    flags: &'m mut [u8],
    versions: &'m mut [i32],
    schema_versions: &'m mut [i32],
    left: &'m mut [i32],
    errors: &'m mut [u8],
    error_offsets: &'m mut [i32],
}

impl<'m> Status<'m> {
    fn new(slices: &mut Slices<'m>) -> Self {
        Self {
            flags: slices.output(),
            versions: slices.numbers(),
            schema_versions: slices.numbers(),
            left: slices.numbers(),
            errors: slices.output(),
            error_offsets: slices.numbers(),
        }
    }

    /// The columns of so many rows, no longer; None where they are shorter.
    fn of(self, count: usize) -> Option<Self> {
        Some(Self {
            flags: self.flags.get_mut(..count)?,
            versions: self.versions.get_mut(..count)?,
            schema_versions: self.schema_versions.get_mut(..count)?,
            left: self.left.get_mut(..count)?,
            errors: self.errors.get_mut(..count)?,
            error_offsets: self.error_offsets.get_mut(..count)?,
        })
    }

    #[inline(always)]
    fn set(&mut self, row: usize, verdict: &Verdict) -> Option<()> {
        *self.flags.get_mut(row)? = verdict.flags;
        *self.versions.get_mut(row)? = verdict.version;
        *self.schema_versions.get_mut(row)? = verdict.schema_version;
        *self.left.get_mut(row)? = verdict.left;
        *self.errors.get_mut(row)? = verdict.error;
        if verdict.error != 0 {
            *self.error_offsets.get_mut(row)? = verdict.error_offset; // else memory stays untouched
        }
        Some(())
    }
}

/// A message definition, its columns, and the versions to try where there is no version field.
struct Definition {
    program: Program,
    bodies: Vec<Version>,
    columns: Vec<Column>,
    /// Of each layout what `Columns::open` puts.
    openings: Vec<Vec<Put>>,
}

impl Definition {
    fn unknown(&self, layout: &Layout) -> Outcome<Unknown> {
        self.columns
            .get(layout.class)
            .and_then(|column| column.unknown)
            .ok_or(BEYOND)
    }

    #[inline(always)]
    fn message(
        &self,
        sink: &mut Columns<'_, '_>,
        version: Version,
        row: u32,
        cursor: &mut Cursor<'_>,
    ) -> Outcome<()> {
        let layout = self.program.layouts.get(version.layout).ok_or(BEYOND)?;
        sink.open(layout, row)?;
        read_fields(
            &self.program,
            layout,
            cursor,
            sink,
            Place {
                column: 0,
                index: row,
            },
        )
    }

    #[inline(always)]
    fn row(&self, sink: &mut Columns<'_, '_>, row: u32, data: &[u8]) -> Outcome<Verdict> {
        let mut verdict = Verdict {
            flags: HAS_VALUE,
            ..Verdict::default()
        };
        let read = if self.bodies.is_empty() {
            self.labelled(sink, row, data, &mut verdict)
        } else {
            self.body(sink, row, data, &mut verdict)
        };
        let end = match read {
            Ok(end) => end,
            Err(fault) if matches!(fault.kind, Kind::Odd | Kind::Raised) => return Err(fault),
            Err(fault) => {
                sink.blank(row)?;
                verdict.error = fault.kind as u8;
                verdict.error_offset = fault.at as i32;
                fault.at
            }
        };
        verdict.left = data.len().saturating_sub(end) as i32;
        Ok(verdict)
    }

    /// A message with its version in front.
    #[inline(always)]
    fn labelled(
        &self,
        sink: &mut Columns<'_, '_>,
        row: u32,
        data: &[u8],
        verdict: &mut Verdict,
    ) -> Outcome<usize> {
        let label = match read_label(&self.program, data) {
            Ok(label) => label,
            Err(fault) => {
                if fault.kind == Kind::UnsupportedVersion {
                    verdict.version = number(self.program.front, data)?;
                    verdict.flags |= HAS_VERSION;
                }
                return Err(fault);
            }
        };
        verdict.version = label.version;
        verdict.flags |= HAS_VERSION;
        if label.read_as.number >= 0 {
            verdict.schema_version = label.read_as.number;
            verdict.flags |= HAS_SCHEMA_VERSION;
        }
        let mut cursor = Cursor::new(data, label.start);
        self.message(sink, label.read_as, row, &mut cursor)?;
        if let Some(latest) = label.read_as.latest {
            let values = &sink.memory.get(latest).ok_or(BEYOND)?.values;
            let value = values
                .get(4 * row as usize..)
                .and_then(<[u8]>::first_chunk)
                .ok_or(BEYOND)?;
            if i32::from_ne_bytes(*value) < label.version {
                return Err(Fault::new(Kind::UnsupportedVersion, 0));
            }
        }
        Ok(cursor.pos())
    }

    /// A body, by the first version that reads it.
    fn body(
        &self,
        sink: &mut Columns<'_, '_>,
        row: u32,
        data: &[u8],
        verdict: &mut Verdict,
    ) -> Outcome<usize> {
        verdict.flags |= HAS_VERSION | HAS_SCHEMA_VERSION;
        let mut read = Err(BEYOND);
        for &version in &self.bodies {
            verdict.version = version.number;
            verdict.schema_version = version.number;
            let mut cursor = Cursor::new(data, 0);
            read = self
                .message(sink, version, row, &mut cursor)
                .map(|()| cursor.pos());
            if !matches!(read, Err(Fault { kind, .. }) if kind != Kind::Odd) {
                break;
            }
        }
        read
    }

    /// Reads all rows; an error is the first that lies outside of the column's bytes.
    fn rows(
        &self,
        rows: &Rows<'_>,
        memory: Vec<Buffers<'_>>,
        status: Status<'_>,
    ) -> Outcome<Option<usize>> {
        let mut sink = Columns {
            definition: self,
            memory,
        };
        let Ok(mut start) = rows.offset(rows.first) else {
            return Ok(Some(0));
        };
        let mut status = status.of(rows.count).ok_or(BEYOND)?;
        for row in 0..u32::try_from(rows.count).map_err(|_| BEYOND)? {
            let Ok((data, end)) = rows.get(row as usize, start) else {
                return Ok(Some(row as usize));
            };
            start = end;
            let verdict = match data {
                Some(data) => self.row(&mut sink, row, data)?,
                None => {
                    sink.blank(row)?;
                    Verdict::default()
                }
            };
            status.set(row as usize, &verdict).ok_or(BEYOND)?;
        }
        Ok(None)
    }
}

/// The version field of a message that is refused for it.
fn number(front: Front, data: &[u8]) -> Outcome<i32> {
    let mut cursor = Cursor::new(data, 0);
    if front == Front::Version32 {
        cursor.i32()
    } else {
        cursor.i16().map(i32::from)
    }
}

// -- what Python sees

/// The compiled reader of columns of one message class.
#[pyclass(frozen, name = "ColumnProgram", module = "kproto.codec._core")]
pub struct PyColumnProgram(Definition);

/// (offsets, values, validity)
type BufferRow<'py> = (
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
);
/// (validity, offsets, whether these are int64, data)
type SourceRow<'py> = (
    Option<Bound<'py, PyAny>>,
    Bound<'py, PyAny>,
    bool,
    Option<Bound<'py, PyAny>>,
);

#[pymethods]
impl PyColumnProgram {
    /// Compiles layouts whose fields are numbered by their columns. Of the columns, those in a
    /// struct or list come before it; the last is the message. `bodies` are the versions to try
    /// where there is no version field.
    #[new]
    fn new(
        front: (String, String, Option<i32>),
        layouts: Vec<LayoutRow>,
        versions: Vec<VersionRow>,
        head: Option<VersionRow>,
        bodies: Vec<VersionRow>,
        columns: Vec<ColumnRow>,
    ) -> PyResult<Self> {
        let program = program_from(front, layouts, versions, head)?;
        check_layouts(&program)?;
        let mut made: Vec<Column> = Vec::with_capacity(columns.len());
        for (number, row) in columns.into_iter().enumerate() {
            let column = column_of(row, number, &made)?;
            made.push(column);
        }
        let openings = program
            .layouts
            .iter()
            .map(|layout| opening(layout, &made))
            .collect();
        let bodies = bodies.into_iter().map(version_of).collect();
        Ok(Self(Definition {
            program,
            bodies,
            columns: made,
            openings,
        }))
    }

    /// Reads `count` rows of a column from row `first` on, without the GIL.
    ///
    /// `source` is the column as Arrow has it in memory; no offset may be above `limit`. `buffers`
    /// has memory for each column, `status` the columns flags, version, schema version, bytes left,
    /// error and error offset. `chosen` are the numbers, from `first` on, of the `count` rows that
    /// are read, as int32; without it they follow each other. Returns None, or the first of them
    /// that lies outside of the column's bytes, where reading stops.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (source, first, count, limit, buffers, status, chosen=None))]
    fn read(
        &self,
        py: Python<'_>,
        source: SourceRow<'_>,
        first: usize,
        count: usize,
        limit: usize,
        buffers: Vec<BufferRow<'_>>,
        status: Vec<Bound<'_, PyAny>>,
        chosen: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Option<usize>> {
        let (validity, offsets, wide, data) = source;
        let has_validity = validity.is_some();
        let mut loan = Loan::default();
        loan.input(validity.as_ref())?;
        loan.input(Some(&offsets))?;
        loan.input(data.as_ref())?;
        loan.input(chosen.as_ref())?;
        for (offsets, values, validity) in &buffers {
            loan.output(offsets.as_ref())?;
            loan.output(values.as_ref())?;
            loan.output(validity.as_ref())?;
        }
        for column in &status {
            loan.output(Some(column))?;
        }
        let mut slices = loan.slices()?;
        let validity = slices.input();
        let rows = Rows {
            validity: has_validity.then_some(validity),
            offsets: slices.input(),
            wide,
            data: slices.input(),
            first,
            count,
            limit,
            chosen: chosen.is_some().then(|| slices.numbers_read()),
        };
        let Self(definition) = self;
        let memory: Option<Vec<_>> = definition
            .columns
            .iter()
            .map(|column| Buffers::new(column, &mut slices))
            .collect();
        let memory = memory.filter(|memory| memory.len() == buffers.len());
        let memory =
            memory.ok_or_else(|| PyValueError::new_err("the memory is not of the columns"))?;
        let status = Status::new(&mut slices);
        py.detach(|| definition.rows(&rows, memory, status))
            .map_err(|_| {
                PyRuntimeError::new_err(
                    "a column holds more than there is memory for: a defect of kproto",
                )
            })
    }
}

fn opening(layout: &Layout, columns: &[Column]) -> Vec<Put> {
    let absent = layout.absent.iter().map(|absent| absent.field);
    let tagged = layout.tagged.iter().map(|tagged| tagged.slot.field);
    let owner = columns.get(layout.class);
    let unknown = owner
        .and_then(|column| column.unknown)
        .filter(|_| !layout.flexible);
    let fields = absent
        .chain(tagged)
        .chain(unknown.map(|unknown| unknown.list));
    fields
        .filter_map(|field| columns.get(field))
        .flat_map(|column| column.default.clone())
        .collect()
}
