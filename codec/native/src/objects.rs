//! The sink that builds message objects.
//!
//! Every object is stored in its parent as soon as it exists, so that an error needs one release,
//! of the root. What is not plain (text that is not UTF-8) is `Kind::Odd`: the diagnostic reader
//! reads the message again.

use std::ops::Range;

use crate::cursor::{Cursor, Fault, Kind, Outcome};
use crate::program::{Base, Layout, Program, Slot, Version};
use crate::python::{self, Class, Ints, Owned, Root, Spot, Uuids};
use crate::walk::{Room, Sink, read_fields};

/// The classes of a message definition; the first is the message's own.
pub struct Classes {
    pub classes: Vec<Class>,
    /// `RawTaggedField`, for tags that the definition does not know.
    pub raw_tagged_field: Class,
    pub ints: Ints,
    pub uuids: Uuids,
}

pub const TAG: usize = 0; // the fields of RawTaggedField
pub const DATA: usize = 1;

/// Reads a message whose fields begin at `start`; gives it and where it ends.
pub fn read(
    program: &Program,
    classes: &Classes,
    version: Version,
    data: &[u8],
    start: usize,
) -> Outcome<(Owned, usize)> {
    let odd = Fault::new(Kind::Odd, start);
    let layout = program.layouts.get(version.layout).ok_or(odd)?;
    let mut cursor = Cursor::new(data, start);
    let mut root = Root::new();
    let mut sink = Objects {
        classes,
        data,
        last: None,
    };
    let place = Spot::root(&mut root).put_instance(class_of(classes, layout)?)?;
    read_fields(program, layout, &mut cursor, &mut sink, place)?;
    Ok((root.finish()?, cursor.pos()))
}

#[inline(always)]
fn class_of<'c>(classes: &'c Classes, layout: &Layout) -> Outcome<&'c Class> {
    classes
        .classes
        .get(layout.class)
        .ok_or(Fault::new(Kind::Odd, 0))
}

struct Objects<'m> {
    classes: &'m Classes,
    data: &'m [u8],
    /// The last array of int32, and where its elements are: a member most often owns the same
    /// partitions of one topic as of the next, and one tuple does for both.
    last: Option<(Range<usize>, Owned)>,
}

impl Sink for Objects<'_> {
    type Place = Spot;

    #[inline(always)]
    fn field(&mut self, at: Spot, layout: &Layout, slot: &Slot) -> Spot {
        at.field(&self.classes.classes[layout.class], slot.field)
    }

    #[inline(always)]
    fn element(&mut self, at: Spot, index: usize) -> Spot {
        at.item(index)
    }

    #[inline(always)]
    fn boolean(&mut self, at: Spot, value: bool) -> Outcome<()> {
        at.put(python::boolean(value)?);
        Ok(())
    }

    #[inline(always)]
    fn int(&mut self, at: Spot, _: Base, value: i64) -> Outcome<()> {
        at.put(self.classes.ints.get(value)?);
        Ok(())
    }

    fn float(&mut self, at: Spot, value: f64) -> Outcome<()> {
        at.put(python::float(value)?);
        Ok(())
    }

    fn uuid(&mut self, at: Spot, value: [u8; 16]) -> Outcome<()> {
        at.put(self.classes.uuids.make(value)?);
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, at: Spot, base: Base, raw: &[u8], start: usize) -> Outcome<()> {
        at.put(match base {
            Base::String => python::text(raw, start)?,
            Base::Utf16 => python::utf16(raw, start)?,
            _ if raw.is_ascii() => python::text(raw, start)?,
            _ => return Err(Fault::new(Kind::Odd, start)),
        });
        Ok(())
    }

    fn bytes(&mut self, at: Spot, raw: &[u8]) -> Outcome<()> {
        at.put(python::bytes(raw)?);
        Ok(())
    }

    #[inline(always)]
    fn null(&mut self, at: Spot, _: &Slot) -> Outcome<()> {
        at.put(python::none());
        Ok(())
    }

    fn present(&mut self, _: Spot, _: &Slot) {}

    /// A tuple of what the bytes that are left can hold: where they cannot, reading on would fail,
    /// after it had taken eight bytes of memory for each of an element's.
    #[inline(always)]
    fn array(&mut self, at: Spot, _: &Slot, count: usize, room: Room) -> Outcome<Spot> {
        if count * room.smallest > room.left {
            return Err(Fault::new(Kind::Odd, room.start));
        }
        at.put_tuple(count)
    }

    #[inline(always)]
    fn int32s(&mut self, at: Spot, _: &Slot, raw: &[u8], start: usize) -> Outcome<()> {
        if let Some((range, tuple)) = &self.last
            && self.data.get(range.clone()) == Some(raw)
        {
            at.put(tuple.borrowed().new_ref());
            return Ok(());
        }
        let tuple = at.put_int32s(raw, &self.classes.ints)?;
        self.last = Some((start..start + raw.len(), tuple));
        Ok(())
    }

    #[inline(always)]
    fn begin(&mut self, at: Spot, layout: &Layout) -> Outcome<Spot> {
        at.put_instance(class_of(self.classes, layout)?)
    }

    fn nothing(&mut self, at: Spot, layout: &Layout) -> Outcome<()> {
        let shared = class_of(self.classes, layout)?.shared();
        at.put(shared.ok_or(Fault::new(Kind::Odd, 0))?);
        Ok(())
    }

    fn missing(&mut self, at: Spot, layout: &Layout, slot: &Slot) -> Outcome<()> {
        let class = class_of(self.classes, layout)?;
        put_default(at, class, slot.field)
    }

    fn tags(&mut self, _: Spot, _: &Layout) -> Outcome<()> {
        Ok(())
    }

    /// Collected in a list until the section's end, whose length nobody knows yet.
    fn unknown_tag(&mut self, at: Spot, layout: &Layout, tag: i32, raw: &[u8]) -> Outcome<()> {
        let class = class_of(self.classes, layout)?;
        let mut root = Root::new();
        let place = Spot::root(&mut root).put_instance(&self.classes.raw_tagged_field)?;
        let made = &self.classes.raw_tagged_field;
        place
            .field(made, TAG)
            .put(self.classes.ints.get(i64::from(tag))?);
        place.field(made, DATA).put(python::bytes(raw)?);
        at.field(class, class.fields() - 1).append(root.finish()?)
    }

    #[inline(always)]
    fn end(&mut self, at: Spot, layout: &Layout) -> Outcome<()> {
        let class = class_of(self.classes, layout)?;
        for absent in &layout.absent {
            put_default(at, class, absent.field)?;
        }
        for tagged in &layout.tagged {
            if at.field(class, tagged.slot.field).is_empty() {
                put_default(at, class, tagged.slot.field)?;
            }
        }
        if class.fields() > layout.slots.len() + layout.absent.len() + layout.tagged.len() {
            // The last field holds the unknown tagged fields.
            let unknown = at.field(class, class.fields() - 1);
            if unknown.is_empty() {
                put_default(at, class, class.fields() - 1)?;
            } else {
                unknown.list_to_tuple()?;
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn put_default(at: Spot, class: &Class, field: usize) -> Outcome<()> {
    let default = class.defaults.get(field).ok_or(Fault::new(Kind::Odd, 0))?;
    at.field(class, field).put(default.borrowed().new_ref());
    Ok(())
}
