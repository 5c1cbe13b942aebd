//! The one writer: a message's fields to bytes, as a `Layout` says.
//!
//! It writes what is plain: values of exactly the types that reading gives. Anything else (an int
//! of a subclass, a list, a value that does not fit, a field that would be lost) is `Kind::Odd`, and
//! the Python writer decides. No code of a value's own runs while a message is written, but for the
//! property `bytes` of `uuid.UUID` itself.

use crate::cursor::{Fault, Kind, MAX_STRING, Outcome};
use crate::objects::{Classes, DATA, TAG};
use crate::program::{Base, Front, Layout, Program, Slot, Version};
use crate::python::{Borrowed, Fields};

const ODD: Fault = Fault {
    kind: Kind::Odd,
    at: 0,
};

/// Writes `message` as `version`, with the version field where `header`, behind what is in
/// `out`.
pub fn write(
    program: &Program,
    classes: &Classes,
    version: Version,
    message: Borrowed<'_>,
    header: bool,
    out: &mut Vec<u8>,
) -> Outcome<()> {
    let layout = program.layouts.get(version.layout).ok_or(ODD)?;
    let fields = fields_of(classes, layout, message)?;
    if header {
        match program.front {
            Front::Version => {
                let number = i16::try_from(version.number).map_err(|_| ODD)?;
                out.extend_from_slice(&number.to_be_bytes());
            }
            Front::RecordType(key) => out.extend_from_slice(&key.to_be_bytes()),
            Front::None | Front::Version32 => {}
        }
    }
    if program.front == Front::Version32 {
        check_own_version(version, layout, fields)?;
    }
    let mut writer = Writer {
        program,
        classes,
        out,
    };
    writer.fields(layout, fields)
}

/// The message's first field is the version that it is written as, and its latest supported
/// version, where it has one that matters, is not below.
fn check_own_version(version: Version, layout: &Layout, fields: Fields<'_, '_>) -> Outcome<()> {
    let int = |field: usize| fields.get(field).and_then(Borrowed::as_int).ok_or(ODD);
    let own = layout.slots.first().ok_or(ODD)?.field;
    let wanted = i64::from(version.number);
    if int(own)? != wanted {
        return Err(ODD);
    }
    match version.latest {
        Some(latest) if int(latest)? < wanted => Err(ODD),
        _ => Ok(()),
    }
}

fn fields_of<'a, 'c>(
    classes: &'c Classes,
    layout: &Layout,
    object: Borrowed<'a>,
) -> Outcome<Fields<'a, 'c>> {
    let class = classes.classes.get(layout.class).ok_or(ODD)?;
    class.fields_of(object).ok_or(ODD)
}

struct Writer<'w> {
    program: &'w Program,
    classes: &'w Classes,
    out: &'w mut Vec<u8>,
}

impl Writer<'_> {
    fn fields(&mut self, layout: &Layout, fields: Fields<'_, '_>) -> Outcome<()> {
        for absent in &layout.absent {
            if !absent.ignorable && !at_default(fields, absent.field)? {
                return Err(ODD);
            }
        }
        for slot in &layout.slots {
            self.slot(slot, fields.get(slot.field).ok_or(ODD)?, false)?;
        }
        if layout.flexible {
            return self.tags(layout, fields);
        }
        if let Some(unknown) = unknown_field(self.classes, layout) {
            // Unknown tagged fields would be lost.
            let unknown = fields
                .get(unknown)
                .and_then(Borrowed::as_tuple)
                .ok_or(ODD)?;
            if !unknown.is_empty() {
                return Err(ODD);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn slot(&mut self, slot: &Slot, value: Borrowed<'_>, tagged: bool) -> Outcome<()> {
        if value.is_none() {
            return self.null(slot, tagged);
        }
        if slot.array {
            return self.array(slot, value);
        }
        if slot.base == Base::Struct && slot.nullable {
            self.out.push(1);
        }
        self.value(slot, value)
    }

    fn null(&mut self, slot: &Slot, tagged: bool) -> Outcome<()> {
        if !slot.nullable {
            return Err(ODD);
        }
        match slot.base {
            Base::Struct if !slot.array => self.out.push(if tagged { 0 } else { 0xff }),
            _ if slot.compact => self.out.push(0),
            Base::String if !slot.array => self.out.extend_from_slice(&[0xff; 2]),
            _ => self.out.extend_from_slice(&[0xff; 4]),
        }
        Ok(())
    }

    /// One value, or one element of an array.
    #[inline(always)]
    fn value(&mut self, slot: &Slot, value: Borrowed<'_>) -> Outcome<()> {
        match slot.base {
            Base::String => {
                let raw = value
                    .as_utf8()
                    .filter(|raw| raw.len() <= MAX_STRING)
                    .ok_or(ODD)?;
                if slot.compact {
                    self.varint(raw.len() as u32 + 1);
                } else {
                    self.out
                        .extend_from_slice(&(raw.len() as u16).to_be_bytes());
                }
                self.out.extend_from_slice(raw);
                Ok(())
            }
            Base::Struct => {
                let layout = self.program.layouts.get(slot.element).ok_or(ODD)?;
                let fields = fields_of(self.classes, layout, value)?;
                self.fields(layout, fields)
            }
            Base::Bytes => {
                let raw = value.as_bytes().ok_or(ODD)?;
                self.size(slot, raw.len())?;
                self.out.extend_from_slice(raw);
                Ok(())
            }
            Base::Bool => {
                self.out.push(value.as_bool().ok_or(ODD)?.into());
                Ok(())
            }
            Base::Float64 => {
                self.out
                    .extend_from_slice(&value.as_float().ok_or(ODD)?.to_be_bytes());
                Ok(())
            }
            Base::ModifiedUtf8 | Base::Utf16 => self.other_text(slot.base, value),
            Base::Uuid => {
                let raw = self.classes.uuids.bytes(value)?.ok_or(ODD)?;
                self.out.extend_from_slice(&raw);
                Ok(())
            }
            _ => self.int(slot.base, value),
        }
    }

    #[inline(always)]
    fn int(&mut self, base: Base, value: Borrowed<'_>) -> Outcome<()> {
        let value = value.as_int().ok_or(ODD)?;
        macro_rules! put {
            ($type:ty) => {
                self.out
                    .extend_from_slice(&<$type>::try_from(value).map_err(|_| ODD)?.to_be_bytes())
            };
        }
        match base {
            Base::Int8 => put!(i8),
            Base::Int16 => put!(i16),
            Base::Uint16 => put!(u16),
            Base::Int32 => put!(i32),
            Base::Uint32 => put!(u32),
            Base::Int64 => put!(i64),
            _ => return Err(ODD),
        }
        Ok(())
    }

    /// ASCII without U+0000 is the same in modified UTF-8; in UTF-16 each character is two bytes.
    fn other_text(&mut self, base: Base, value: Borrowed<'_>) -> Outcome<()> {
        let raw = value.as_utf8().ok_or(ODD)?;
        if !raw.iter().all(|&byte| 0 < byte && byte < 0x80) {
            return Err(ODD);
        }
        if base == Base::ModifiedUtf8 {
            let size = u16::try_from(raw.len()).map_err(|_| ODD)?;
            self.out.extend_from_slice(&size.to_be_bytes());
            self.out.extend_from_slice(raw);
        } else {
            let count = i32::try_from(raw.len()).map_err(|_| ODD)?;
            self.out.extend_from_slice(&count.to_be_bytes());
            self.out.extend(raw.iter().flat_map(|&byte| [0, byte]));
        }
        Ok(())
    }

    fn array(&mut self, slot: &Slot, value: Borrowed<'_>) -> Outcome<()> {
        let items = value.as_tuple().ok_or(ODD)?;
        self.size(slot, items.len())?;
        if slot.base == Base::Int32 {
            return self.int32s(items);
        }
        for item in items {
            if item.is_none() {
                return Err(ODD);
            }
            self.value(slot, *item)?;
        }
        Ok(())
    }

    fn int32s(&mut self, items: &[Borrowed<'_>]) -> Outcome<()> {
        // Room for all of them at once: a push of each would look for it each time.
        let start = self.out.len();
        self.out.resize(start + 4 * items.len(), 0);
        let (places, _) = self.out.get_mut(start..).ok_or(ODD)?.as_chunks_mut();
        for (place, item) in places.iter_mut().zip(items) {
            let value = item.as_int().ok_or(ODD)?;
            *place = i32::try_from(value).map_err(|_| ODD)?.to_be_bytes();
        }
        Ok(())
    }

    /// A count, or a length of bytes.
    fn size(&mut self, slot: &Slot, size: usize) -> Outcome<()> {
        let size = i32::try_from(size)
            .ok()
            .filter(|&size| size < i32::MAX)
            .ok_or(ODD)?;
        if slot.compact {
            self.varint(size as u32 + 1);
        } else {
            self.out.extend_from_slice(&size.to_be_bytes());
        }
        Ok(())
    }

    fn varint(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.out.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.out.push(value as u8);
    }

    /// The tag section of a struct, tags ascending: known fields that are not at their default, and
    /// the unknown ones.
    fn tags(&mut self, layout: &Layout, fields: Fields<'_, '_>) -> Outcome<()> {
        let unknown = unknown_field(self.classes, layout).and_then(|field| fields.get(field));
        let unknown = unknown.and_then(Borrowed::as_tuple).ok_or(ODD)?;
        if layout.tagged.is_empty() && unknown.is_empty() {
            self.out.push(0);
            return Ok(());
        }
        let mut section = self.unknown_tags(layout, unknown)?;
        for tagged in &layout.tagged {
            if !at_default(fields, tagged.slot.field)? {
                let value = fields.get(tagged.slot.field).ok_or(ODD)?;
                let mut data = Vec::new();
                let mut inner = Writer {
                    out: &mut data,
                    ..*self
                };
                inner.slot(&tagged.slot, value, true)?;
                section.push((tagged.tag, data));
            }
        }
        section.sort_by_key(|&(tag, _)| tag);
        self.varint(u32::try_from(section.len()).map_err(|_| ODD)?);
        for (tag, data) in section {
            self.varint(tag as u32);
            self.varint(u32::try_from(data.len()).map_err(|_| ODD)?);
            self.out.extend_from_slice(&data);
        }
        Ok(())
    }

    /// Unknown tags ascend, and are none of the definition's own.
    fn unknown_tags(
        &self,
        layout: &Layout,
        unknown: &[Borrowed<'_>],
    ) -> Outcome<Vec<(i32, Vec<u8>)>> {
        let mut section = Vec::with_capacity(unknown.len());
        let mut last = -1;
        for field in unknown {
            let field = self.classes.raw_tagged_field.fields_of(*field).ok_or(ODD)?;
            let tag = field.get(TAG).and_then(Borrowed::as_int).ok_or(ODD)?;
            let tag = i32::try_from(tag)
                .ok()
                .filter(|&tag| tag > last)
                .ok_or(ODD)?;
            let known = layout.tagged.iter().any(|known| known.tag == tag);
            if known || layout.foreign.contains(&tag) {
                return Err(ODD);
            }
            last = tag;
            let data = field.get(DATA).and_then(Borrowed::as_bytes).ok_or(ODD)?;
            section.push((tag, data.to_vec()));
        }
        Ok(section)
    }
}

/// The last field of a class that has more than its layout's fields: `unknown_tagged_fields`.
fn unknown_field(classes: &Classes, layout: &Layout) -> Option<usize> {
    let fields = classes.classes.get(layout.class)?.fields();
    let named = layout.slots.len() + layout.tagged.len() + layout.absent.len();
    (fields > named).then(|| fields - 1)
}

fn at_default(fields: Fields<'_, '_>, field: usize) -> Outcome<bool> {
    let value = fields.get(field).ok_or(ODD)?;
    let default = fields.default(field).ok_or(ODD)?;
    value.plainly_equals(default).ok_or(ODD)
}
