//! The sink that counts what a walk meets: coverage, for campaigns.
//!
//! Each field of each layout has four counts, so that libFuzzer sees which layouts, nulls, empty
//! values and element numbers an input reaches, without an instrumented binary.

use crate::cursor::{Cursor, Fault, Kind, Outcome};
use crate::program::{Base, Layout, Program, Slot, Version};
use crate::walk::{Room, Sink, read_fields};

const PLAIN: usize = 0;
const NULL: usize = 1;
const EMPTY: usize = 2; // also zero and false
const OTHER: usize = 3; // negative, not ASCII
const EVENTS: usize = 4;

/// Where the counts of each layout begin, and how many there are of all.
pub struct Places {
    first: Vec<usize>,
    pub total: usize,
}

impl Places {
    pub fn new(program: &Program) -> Self {
        let mut total = 0;
        let first = program.layouts.iter().map(|layout| {
            let first = total;
            let slots = layout
                .slots
                .iter()
                .chain(layout.tagged.iter().map(|tagged| &tagged.slot));
            let fields = slots.map(|slot| slot.field + 1).max().unwrap_or(0);
            total += EVENTS * (fields + 1); // one more for the struct itself
            first
        });
        let first = first.collect();
        Self { first, total }
    }
}

/// Walks a message of that version whose fields begin at `start`, and raises `counts`.
pub fn count(
    program: &Program,
    places: &Places,
    version: Version,
    data: &[u8],
    start: usize,
    counts: &mut [u8],
) -> Outcome<usize> {
    let layout = program
        .layouts
        .get(version.layout)
        .ok_or(Fault::new(Kind::Odd, start))?;
    let mut cursor = Cursor::new(data, start);
    let mut sink = Counts { places, counts };
    let place = sink.begin(0, layout)?;
    read_fields(program, layout, &mut cursor, &mut sink, place)?;
    Ok(cursor.pos())
}

struct Counts<'c> {
    places: &'c Places,
    counts: &'c mut [u8],
}

impl Counts<'_> {
    /// Raises a count; one that is full stays full.
    #[inline(always)]
    fn raise(&mut self, at: usize, event: usize) -> Outcome<()> {
        if let Some(count) = self.counts.get_mut(at + event) {
            *count = count.saturating_add(1);
        }
        Ok(())
    }
}

impl Sink for Counts<'_> {
    /// Where the counts of a field begin, or of a struct.
    type Place = usize;

    fn field(&mut self, at: usize, _: &Layout, slot: &Slot) -> usize {
        at + EVENTS * (slot.field + 1)
    }
    fn element(&mut self, at: usize, _: usize) -> usize {
        at
    }
    fn boolean(&mut self, at: usize, value: bool) -> Outcome<()> {
        self.raise(at, if value { PLAIN } else { EMPTY })
    }
    fn int(&mut self, at: usize, _: Base, value: i64) -> Outcome<()> {
        self.raise(at, [OTHER, EMPTY, PLAIN][(value.signum() + 1) as usize])
    }
    fn float(&mut self, at: usize, value: f64) -> Outcome<()> {
        self.raise(at, if value.is_finite() { PLAIN } else { OTHER })
    }
    fn uuid(&mut self, at: usize, value: [u8; 16]) -> Outcome<()> {
        self.raise(at, if value == [0; 16] { EMPTY } else { PLAIN })
    }
    fn text(&mut self, at: usize, _: Base, raw: &[u8], _: usize) -> Outcome<()> {
        let kind = if raw.is_ascii() { PLAIN } else { OTHER };
        self.raise(at, if raw.is_empty() { EMPTY } else { kind })
    }
    fn bytes(&mut self, at: usize, raw: &[u8]) -> Outcome<()> {
        self.raise(at, if raw.is_empty() { EMPTY } else { PLAIN })
    }
    fn null(&mut self, at: usize, _: &Slot) -> Outcome<()> {
        self.raise(at, NULL)
    }
    fn present(&mut self, _: usize, _: &Slot) {}
    fn array(&mut self, at: usize, _: &Slot, count: usize, _: Room) -> Outcome<usize> {
        if count == 0 {
            self.raise(at, EMPTY)?;
        }
        Ok(at)
    }
    fn int32s(&mut self, at: usize, _: &Slot, raw: &[u8], _: usize) -> Outcome<()> {
        if raw.is_empty() {
            self.raise(at, EMPTY)?;
        }
        raw.chunks_exact(4).try_for_each(|number| {
            self.raise(at, if number[0] & 0x80 == 0 { PLAIN } else { OTHER })
        })
    }
    fn begin(&mut self, _: usize, layout: &Layout) -> Outcome<usize> {
        let first = self
            .places
            .first
            .get(layout.id)
            .copied()
            .unwrap_or(usize::MAX / 2);
        self.raise(first, PLAIN)?;
        Ok(first)
    }
    fn nothing(&mut self, _: usize, _: &Layout) -> Outcome<()> {
        Ok(())
    }
    fn missing(&mut self, at: usize, layout: &Layout, slot: &Slot) -> Outcome<()> {
        let place = self.field(at, layout, slot);
        self.raise(place, NULL)
    }
    fn tags(&mut self, at: usize, _: &Layout) -> Outcome<()> {
        self.raise(at, EMPTY)
    }
    fn unknown_tag(&mut self, at: usize, _: &Layout, _: i32, _: &[u8]) -> Outcome<()> {
        self.raise(at, OTHER)
    }
    fn end(&mut self, _: usize, _: &Layout) -> Outcome<()> {
        Ok(())
    }
}
