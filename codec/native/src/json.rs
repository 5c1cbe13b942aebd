//! The sink for Kafka's JSON form: the text of messages that are as a conforming writer writes them.
//!
//! What is written is what `kproto.inspector.reports.message_report` says of such a message. A message of which
//! anything else would have to be said is refused as odd, and Python reads it again: bytes that a
//! writer would not have written (the sink follows what it would have), unknown tags, values that
//! the rules of `kproto.codec.read.deviations` find odd. Two of these rules are here, since whole clients
//! break them in every message: what is not in order, and what is empty rather than null.

use crate::cursor::{Fault, Kind, Outcome};
use crate::program::{Base, Layout, Program, Slot};
use crate::walk::{Room, Sink, read_fields};

/// What a field is asked, besides its type; see `kproto.inspector.reports.compiled_lines`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Nothing,
    /// A topic's name.
    Name,
    /// Names of topics, in order.
    Names,
    /// Numbers of partitions, in order.
    Numbers,
    /// Structs with the name of a topic, in order of it.
    Entries,
    Generation,
    Rack,
    UserData,
    ProtocolType,
    Protocol,
    Metadata,
    Assignment,
    /// Bytes of a member, which Python opens.
    Closed,
}

impl Rule {
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "" => Self::Nothing,
            "name" => Self::Name,
            "names" => Self::Names,
            "numbers" => Self::Numbers,
            "entries" => Self::Entries,
            "generation" => Self::Generation,
            "rack" => Self::Rack,
            "user data" => Self::UserData,
            "protocol type" => Self::ProtocolType,
            "protocol" => Self::Protocol,
            "metadata" => Self::Metadata,
            "assignment" => Self::Assignment,
            "closed" => Self::Closed,
            _ => return None,
        })
    }
}

/// How one field of a class is written.
pub struct Field {
    /// Its name in JSON, quoted, with the colon.
    pub label: Vec<u8>,
    /// Its name in paths.
    pub name: String,
    pub rule: Rule,
    /// The text of its default, where it may be tagged: a value that need not be written is odd.
    pub default: Option<Vec<u8>>,
}

/// A message definition, with what is needed to write its messages as JSON.
pub struct Form {
    pub program: Program,
    pub name: String,
    /// Apache Kafka's Java client sorts what is in order.
    pub sorted: bool,
    /// By class and field.
    pub fields: Vec<Vec<Field>>,
}

/// What deviates without making a message odd. The order is that of their codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    Unsorted,
    EmptyNotNull,
    EmptyRack,
    Prefixed,
    StickyUnderCooperative,
    StickyInAssignment,
}

pub struct Note {
    pub offset: usize,
    pub style: Style,
    pub path: String,
    pub count: usize,
}

/// Bytes in a message, by their place.
#[derive(Clone, Copy)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn of<'a>(&self, data: &'a [u8]) -> &'a [u8] {
        data.get(self.start..self.end).unwrap_or_default()
    }
}

/// Bytes that a member wrote into a stored group, and whose they are.
pub struct Payload {
    pub member: usize,
    pub rule: Rule,
    pub content: Span,
}

/// What was met beside the text.
#[derive(Default)]
pub struct Found {
    pub notes: Vec<Note>,
    pub payloads: Vec<Payload>,
    pub user_data: Option<Span>,
    pub protocol_type: Option<Span>,
    pub protocol: Option<Span>,
}

const ODD: Fault = Fault::new(Kind::Odd, 0);

/// Appends the JSON of the message that is all of `data`, whose fields begin at `start`.
pub fn write(
    form: &Form,
    layout: usize,
    data: &[u8],
    start: usize,
    out: &mut Vec<u8>,
) -> Outcome<Found> {
    let layout = form.program.layouts.get(layout).ok_or(ODD)?;
    let mut cursor = crate::cursor::Cursor::new(data, start);
    let mut sink = Text {
        form,
        data,
        out,
        found: Found::default(),
        pos: start,
        odd: false,
        frames: Vec::new(),
    };
    let place = sink.struct_at(Place::new(usize::MAX, 0));
    read_fields(&form.program, layout, &mut cursor, &mut sink, place)?;
    if sink.odd || cursor.pos() != data.len() || sink.pos != data.len() {
        return Err(ODD);
    }
    let mut found = sink.found;
    found.notes.sort_by_key(|note| (note.offset, note.style));
    Ok(found)
}

/// A struct, or a field of one; of an array's element the array's.
#[derive(Clone, Copy)]
struct Place {
    class: usize,
    field: usize,
    compact: bool,
    tagged: bool,
}

impl Place {
    fn new(class: usize, field: usize) -> Self {
        Self {
            class,
            field,
            compact: false,
            tagged: false,
        }
    }
}

/// A struct that is being written.
struct Frame {
    empty: bool,
    /// In the tag section, the last tag.
    tags: Option<i32>,
    array: Option<Array>,
    tagged: Option<Tagged>,
}

/// An array that is being written, and how far it is.
struct Array {
    place: Place,
    /// How many elements were begun.
    count: usize,
    /// What is in order.
    keys: Vec<Span>,
}

/// A tagged field that is being written.
struct Tagged {
    place: Place,
    /// Where its text begins.
    text: usize,
    /// Where its size says that it ends.
    end: usize,
}

struct Text<'a> {
    form: &'a Form,
    data: &'a [u8],
    out: &'a mut Vec<u8>,
    found: Found,
    /// Where a conforming writer would be.
    pos: usize,
    odd: bool,
    frames: Vec<Frame>,
}

impl<'a> Text<'a> {
    fn of(&self, place: Place) -> Option<&'a Field> {
        self.form.fields.get(place.class)?.get(place.field)
    }

    fn rule(&self, place: Place) -> Rule {
        self.of(place).map_or(Rule::Closed, |field| field.rule)
    }

    /// The place of a part of the message.
    fn span(&self, raw: &[u8]) -> Span {
        let start = raw.as_ptr() as usize - self.data.as_ptr() as usize;
        Span {
            start,
            end: start + raw.len(),
        }
    }

    fn struct_at(&mut self, place: Place) -> Place {
        self.out.push(b'{');
        self.frames.push(Frame {
            empty: true,
            tags: None,
            array: None,
            tagged: None,
        });
        place
    }

    /// Passes over exactly these bytes.
    fn expect(&mut self, bytes: &[u8]) -> Outcome<()> {
        let end = self.pos + bytes.len();
        if self.data.get(self.pos..end) != Some(bytes) {
            return Err(ODD);
        }
        self.pos = end;
        Ok(())
    }

    /// Passes over the shortest length, or count, that there is for `size`.
    fn length(&mut self, size: usize, compact: bool, plain: usize) {
        self.pos += if compact {
            varint_size(size + 1)
        } else {
            plain
        };
    }

    /// Passes over a varint that is as short as can be.
    fn varint(&mut self) -> Option<usize> {
        let mut value = 0;
        for shift in (0..28).step_by(7) {
            let byte = usize::from(*self.data.get(self.pos)?);
            self.pos += 1;
            value |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                return (byte != 0 || shift == 0).then_some(value);
            }
        }
        None
    }

    /// Ends what the last field began.
    fn close(&mut self) -> Outcome<()> {
        let Some(frame) = self.frames.last_mut() else {
            return Err(ODD);
        };
        let (array, tagged) = (frame.array.take(), frame.tagged.take());
        if let Some(array) = array {
            self.out.push(b']');
            self.check_order(&array)?;
        }
        if let Some(tagged) = tagged {
            let default = self
                .of(tagged.place)
                .and_then(|field| field.default.as_ref());
            let text = self.out.get(tagged.text..).ok_or(ODD)?;
            if self.pos != tagged.end || default.is_none_or(|default| default == text) {
                return Err(ODD);
            }
        }
        Ok(())
    }

    /// Whether names of topics are in order, and each of them there once.
    fn check_order(&mut self, array: &Array) -> Outcome<()> {
        let name = |span: &Span| span.of(self.data);
        let mut unsorted = None;
        let mut count = 0;
        for (index, pair) in array.keys.windows(2).enumerate() {
            let [before, after] = pair else { continue };
            match name(after).cmp(name(before)) {
                std::cmp::Ordering::Greater => {}
                std::cmp::Ordering::Equal => return Err(ODD),
                std::cmp::Ordering::Less => {
                    count += 1;
                    unsorted = unsorted.or(Some((index + 1, after.start - SHORT)));
                }
            }
        }
        let Some((index, offset)) = unsorted else {
            return Ok(());
        };
        let mut names: Vec<_> = array.keys.iter().map(name).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair.first() == pair.get(1)) {
            return Err(ODD);
        }
        if self.form.sorted {
            let within = if self.rule(array.place) == Rule::Entries {
                ".topic"
            } else {
                ""
            };
            self.note_unsorted(array.place, index, within, offset, count)?;
        }
        Ok(())
    }

    /// Begins an array of so many elements.
    fn list(&mut self, at: Place, count: usize) -> Outcome<Place> {
        self.length(count, at.compact, LONG);
        self.out.push(b'[');
        let frame = self.frames.last_mut().ok_or(ODD)?;
        frame.array = Some(Array {
            place: at,
            count: 0,
            keys: Vec::new(),
        });
        Ok(at)
    }

    fn note_unsorted(
        &mut self,
        place: Place,
        index: usize,
        within: &str,
        offset: usize,
        count: usize,
    ) -> Outcome<()> {
        let mut path = self.path()?;
        let name = self.of(place).map_or("", |field| &field.name);
        path.push_str(&format!("{name}[{index}]{within}"));
        self.found.notes.push(Note {
            offset,
            style: Style::Unsorted,
            path,
            count,
        });
        Ok(())
    }

    /// What is written before the names of fields of the innermost struct.
    fn path(&self) -> Outcome<String> {
        let outer = self.frames.len().saturating_sub(1);
        let mut path = String::new();
        for frame in self.frames.iter().take(outer) {
            let array = frame.array.as_ref().ok_or(ODD)?;
            let name = self.of(array.place).map_or("", |field| &field.name);
            path.push_str(&format!("{name}[{}].", array.count.saturating_sub(1)));
        }
        Ok(path)
    }

    /// Text with the number of its UTF-16 units in front.
    fn utf16(&mut self, at: Place, raw: &[u8]) -> Outcome<()> {
        let count = i32::try_from(raw.len() / 2).map_err(|_| ODD)?;
        self.expect(&count.to_be_bytes())?;
        self.expect(raw)?;
        if self.rule(at) != Rule::Nothing {
            return Err(ODD);
        }
        let units = raw
            .chunks_exact(2)
            .map(|each| u16::from_be_bytes([each[0], each[1]]));
        let text: Result<String, _> = char::decode_utf16(units).collect();
        write_text(self.out, text.map_err(|_| ODD)?.as_bytes())
    }

    fn note_empty(&mut self, place: Place, style: Style, offset: usize) -> Outcome<()> {
        if self.frames.len() != 1 || place.compact {
            return Err(ODD);
        }
        self.found.notes.push(Note {
            offset,
            style,
            path: self
                .of(place)
                .map_or_else(String::new, |field| field.name.clone()),
            count: 1,
        });
        Ok(())
    }

    /// The array of structs that the innermost struct is an element of.
    fn entries(&mut self) -> Option<&mut Array> {
        let outer = self.frames.len().checked_sub(2)?;
        self.frames.get_mut(outer)?.array.as_mut()
    }

    fn member(&self) -> usize {
        let outer = self.frames.len().checked_sub(2);
        let array = outer.and_then(|outer| self.frames.get(outer)?.array.as_ref());
        array.map_or(0, |array| array.count.saturating_sub(1))
    }
}

/// Bytes of the length of a string that is not compact, and of bytes or an array.
const SHORT: usize = 2;
const LONG: usize = 4;

fn varint_size(value: usize) -> usize {
    match value {
        0..0x80 => 1,
        0x80..0x4000 => 2,
        0x4000..0x20_0000 => 3,
        0x20_0000..0x1000_0000 => 4,
        _ => 5,
    }
}

impl Sink for Text<'_> {
    type Place = Place;

    fn field(&mut self, _: Place, layout: &Layout, slot: &Slot) -> Place {
        let mut place = Place {
            compact: slot.compact,
            ..Place::new(layout.class, slot.field)
        };
        self.odd |= self.close().is_err();
        let mut end = None;
        if let Some(last) = self.frames.last().and_then(|frame| frame.tags) {
            place.tagged = true;
            let tag = self.varint().and_then(|tag| i32::try_from(tag).ok());
            end = self.varint().map(|size| self.pos + size);
            self.odd |= end.is_none() || tag <= Some(last);
            if let Some(frame) = self.frames.last_mut() {
                frame.tags = tag;
            }
        }
        let label = self.of(place).map_or(&[][..], |field| &field.label);
        if let Some(frame) = self.frames.last_mut() {
            if !frame.empty {
                self.out.push(b',');
            }
            frame.empty = false;
            self.out.extend_from_slice(label);
            frame.tagged = end.map(|end| Tagged {
                place,
                text: self.out.len(),
                end,
            });
        }
        place
    }

    fn element(&mut self, at: Place, index: usize) -> Place {
        if index > 0 {
            self.out.push(b',');
        }
        if let Some(array) = self
            .frames
            .last_mut()
            .and_then(|frame| frame.array.as_mut())
        {
            array.count = index + 1;
        }
        at
    }

    fn boolean(&mut self, _: Place, value: bool) -> Outcome<()> {
        self.expect(&[u8::from(value)])?;
        self.out
            .extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn int(&mut self, at: Place, base: Base, value: i64) -> Outcome<()> {
        self.pos += match base {
            Base::Int8 => 1,
            Base::Int16 | Base::Uint16 => 2,
            Base::Int32 | Base::Uint32 => 4,
            _ => 8,
        };
        if self.rule(at) == Rule::Generation && value < -1 {
            return Err(ODD);
        }
        write_int(self.out, value);
        Ok(())
    }

    fn float(&mut self, _: Place, _: f64) -> Outcome<()> {
        Err(ODD)
    }

    fn uuid(&mut self, _: Place, value: [u8; 16]) -> Outcome<()> {
        self.pos += value.len();
        self.out.push(b'"');
        write_base64(self.out, &value, URL_SAFE, false);
        self.out.push(b'"');
        Ok(())
    }

    fn text(&mut self, at: Place, base: Base, raw: &[u8], start: usize) -> Outcome<()> {
        match base {
            Base::Utf16 => return self.utf16(at, raw),
            // Of other characters it has forms of its own.
            Base::ModifiedUtf8 if !raw.is_ascii() || raw.contains(&0) => return Err(ODD),
            _ => self.length(raw.len(), at.compact, SHORT),
        }
        let span = self.span(raw);
        if span.start != self.pos {
            return Err(ODD);
        }
        self.pos = span.end;
        match self.rule(at) {
            Rule::Name => {
                is_name(raw)?;
                if let Some(Rule::Entries) = self
                    .entries()
                    .map(|array| array.place)
                    .map(|at| self.rule(at))
                    && let Some(array) = self.entries()
                {
                    array.keys.push(span);
                }
            }
            Rule::Names => {
                is_name(raw)?;
                let frame = self.frames.last_mut().ok_or(ODD)?;
                frame.array.as_mut().ok_or(ODD)?.keys.push(span);
            }
            Rule::Rack if raw.is_empty() => self.note_empty(at, Style::EmptyRack, start)?,
            Rule::ProtocolType => self.found.protocol_type = Some(span),
            Rule::Protocol => self.found.protocol = Some(span),
            _ => {}
        }
        write_text(self.out, raw)
    }

    fn bytes(&mut self, at: Place, raw: &[u8]) -> Outcome<()> {
        self.length(raw.len(), at.compact, LONG);
        let span = self.span(raw);
        if span.start != self.pos {
            return Err(ODD);
        }
        self.pos = span.end;
        match self.rule(at) {
            Rule::UserData if raw.is_empty() => {
                self.note_empty(at, Style::EmptyNotNull, span.start - LONG)?;
            }
            Rule::UserData if self.frames.len() == 1 && !at.compact => {
                self.found.user_data = Some(span);
            }
            rule @ (Rule::Metadata | Rule::Assignment) if !raw.is_empty() => {
                let member = self.member();
                self.found.payloads.push(Payload {
                    member,
                    rule,
                    content: span,
                });
            }
            Rule::UserData | Rule::Metadata => return Err(ODD),
            Rule::Closed if !raw.is_empty() => return Err(ODD),
            _ => {}
        }
        self.out.push(b'"');
        write_base64(self.out, raw, STANDARD, true);
        self.out.push(b'"');
        Ok(())
    }

    fn null(&mut self, at: Place, slot: &Slot) -> Outcome<()> {
        match self.rule(at) {
            Rule::Name | Rule::Names | Rule::Numbers | Rule::Entries => return Err(ODD),
            _ => {}
        }
        let bytes: &[u8] = match slot.base {
            _ if slot.compact => &[0],
            _ if slot.array => &[0xff; LONG],
            Base::Struct if at.tagged => &[0],
            Base::Struct => &[0xff],
            Base::String => &[0xff; SHORT],
            _ => &[0xff; LONG],
        };
        self.expect(bytes)?;
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn present(&mut self, _: Place, slot: &Slot) {
        if slot.nullable {
            self.odd |= self.expect(&[1]).is_err();
        }
    }

    fn array(&mut self, at: Place, _: &Slot, count: usize, _: Room) -> Outcome<Place> {
        self.list(at, count)
    }

    fn int32s(&mut self, at: Place, _: &Slot, raw: &[u8], _: usize) -> Outcome<()> {
        let array = self.list(at, raw.len() / LONG)?;
        self.pos += raw.len();
        let start = self.span(raw).start;
        let numbers = raw.chunks_exact(LONG).map(|each| match each.try_into() {
            Ok(each) => i32::from_be_bytes(each),
            Err(_) => 0,
        });
        if self.rule(array) == Rule::Numbers {
            let (mut before, mut unsorted, mut count) = (None, None, 0);
            for (index, number) in numbers.clone().enumerate() {
                if number < 0 || before == Some(number) {
                    return Err(ODD);
                }
                if before > Some(number) {
                    count += 1;
                    unsorted = unsorted.or(Some(index));
                }
                before = Some(number);
            }
            if before.is_none() {
                return Err(ODD);
            }
            if let Some(index) = unsorted {
                let mut sorted: Vec<_> = numbers.clone().collect();
                sorted.sort_unstable();
                if sorted.windows(2).any(|pair| pair.first() == pair.get(1)) {
                    return Err(ODD);
                }
                if self.form.sorted {
                    self.note_unsorted(array, index, "", start + LONG * index, count)?;
                }
            }
        }
        for (index, number) in numbers.enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            write_int(self.out, i64::from(number));
        }
        Ok(())
    }

    fn begin(&mut self, at: Place, _: &Layout) -> Outcome<Place> {
        Ok(self.struct_at(at))
    }

    fn nothing(&mut self, _: Place, _: &Layout) -> Outcome<()> {
        Err(ODD)
    }

    fn missing(&mut self, _: Place, _: &Layout, _: &Slot) -> Outcome<()> {
        Err(ODD)
    }

    fn tags(&mut self, _: Place, _: &Layout) -> Outcome<()> {
        self.close()?;
        self.varint().ok_or(ODD)?;
        self.frames.last_mut().ok_or(ODD)?.tags = Some(-1);
        Ok(())
    }

    fn unknown_tag(&mut self, _: Place, _: &Layout, _: i32, _: &[u8]) -> Outcome<()> {
        Err(ODD)
    }

    fn end(&mut self, _: Place, _: &Layout) -> Outcome<()> {
        self.close()?;
        self.frames.pop();
        self.out.push(b'}');
        Ok(())
    }
}

/// The length of a topic's name, as `codec.read.deviations` has it.
const MAX_NAME: usize = 249;

/// A name of which no rule says anything: asked more strictly than there.
fn is_name(raw: &[u8]) -> Outcome<()> {
    let is_legal = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    let is_folder = raw == b"." || raw == b"..";
    if raw.is_empty() || raw.len() > MAX_NAME || raw.starts_with(b"__") || is_folder {
        return Err(ODD);
    }
    if raw.iter().all(is_legal) {
        Ok(())
    } else {
        Err(ODD)
    }
}

// -- JSON

pub fn write_int(out: &mut Vec<u8>, value: i64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

/// A time in milliseconds since 1970 as ISO 8601 has it, in UTC; null for that of a record without.
///
/// A calendar of 400 years that begin in March, so that a leap day is the last day of a year; as
/// `kproto.inspector.shapes.shape.iso_time`.
pub fn write_time(out: &mut Vec<u8>, milliseconds: i64) {
    if milliseconds == NO_TIME {
        return out.extend_from_slice(b"null");
    }
    let (days, rest) = (
        milliseconds.div_euclid(DAY),
        milliseconds.rem_euclid(DAY) as u64,
    );
    let (era, day) = (
        (days + 719_468).div_euclid(146_097),
        (days + 719_468).rem_euclid(146_097) as u64,
    );
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = 400 * era + year as i64 + i64::from(month >= 10);
    out.push(b'"');
    match year {
        0..=9_999 => {}
        _ => out.push(if year < 0 { b'-' } else { b'+' }),
    }
    if year.unsigned_abs() > 9_999 {
        write_int(out, year.abs());
    } else {
        write_digits::<4>(out, year.unsigned_abs());
    }
    out.push(b'-');
    write_digits::<2>(out, (month + 2) % 12 + 1);
    out.push(b'-');
    write_digits::<2>(out, day);
    out.push(b'T');
    write_digits::<2>(out, rest / 3_600_000);
    out.push(b':');
    write_digits::<2>(out, rest / 60_000 % 60);
    out.push(b':');
    write_digits::<2>(out, rest / 1_000 % 60);
    out.push(b'.');
    write_digits::<3>(out, rest % 1_000);
    out.extend_from_slice(b"Z\"");
}

const NO_TIME: i64 = -1;
const DAY: i64 = 86_400_000;

/// A number of so many digits.
fn write_digits<const COUNT: usize>(out: &mut Vec<u8>, value: u64) {
    let mut digits = [b'0'; COUNT];
    let mut rest = value;
    for digit in digits.iter_mut().rev() {
        *digit += (rest % 10) as u8;
        rest /= 10;
    }
    out.extend_from_slice(&digits);
}

/// Bytes that stand for themselves between quotes.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0x20;
    while byte < 0x7f {
        plain[byte] = byte != b'"' as usize && byte != b'\\' as usize;
        byte += 1;
    }
    plain
};

/// A string in quotes, in ASCII; odd if it is not UTF-8.
pub fn write_text(out: &mut Vec<u8>, raw: &[u8]) -> Outcome<()> {
    out.push(b'"');
    if raw.iter().all(|&byte| PLAIN[usize::from(byte)]) {
        out.extend_from_slice(raw);
    } else {
        let text = std::str::from_utf8(raw).map_err(|_| ODD)?;
        for char in text.chars() {
            write_char(out, char);
        }
    }
    out.push(b'"');
    Ok(())
}

#[cold]
fn write_char(out: &mut Vec<u8>, char: char) {
    let short = match char {
        '"' => b'"',
        '\\' => b'\\',
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        '\u{8}' => b'b',
        '\u{c}' => b'f',
        ' '..='~' => return out.push(char as u8),
        _ => {
            for unit in char.encode_utf16(&mut [0; 2]) {
                out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
            }
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn write_base64(out: &mut Vec<u8>, raw: &[u8], letters: &[u8; 64], padded: bool) {
    let letter = |bits: u32| letters[(bits & 0x3f) as usize];
    let whole = raw.chunks_exact(3);
    let rest = whole.remainder();
    out.reserve(raw.len().div_ceil(3) * 4);
    for each in whole {
        let bits = u32::from(each[0]) << 16 | u32::from(each[1]) << 8 | u32::from(each[2]);
        let four = [bits >> 18, bits >> 12, bits >> 6, bits].map(letter);
        out.extend_from_slice(&four);
    }
    let bits = match *rest {
        [first] => u32::from(first) << 16,
        [first, second] => u32::from(first) << 16 | u32::from(second) << 8,
        _ => return,
    };
    let four = [bits >> 18, bits >> 12, bits >> 6].map(letter);
    out.extend_from_slice(&four[..=rest.len()]);
    if padded {
        out.extend_from_slice(&b"=="[rest.len() - 1..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base64(raw: &[u8]) -> String {
        let mut out = Vec::new();
        write_base64(&mut out, raw, STANDARD, true);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_vectors_of_rfc_4648() {
        let vectors = [
            "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
        ];
        for (size, expected) in vectors.into_iter().enumerate() {
            assert_eq!(base64(&b"foobar"[..size]), expected);
        }
    }

    #[test]
    fn numbers_at_their_ends() {
        for value in [0, 7, -1, 10, i64::MAX, i64::MIN] {
            let mut out = Vec::new();
            write_int(&mut out, value);
            assert_eq!(out, value.to_string().as_bytes());
        }
    }

    #[test]
    fn times_are_those_of_java_s_instant() {
        let times = [
            (0, "\"1970-01-01T00:00:00.000Z\""),
            (951_782_399_999, "\"2000-02-28T23:59:59.999Z\""),
            (951_868_799_999, "\"2000-02-29T23:59:59.999Z\""),
            (253_402_300_800_000, "\"+10000-01-01T00:00:00.000Z\""),
            (-62_167_219_200_001, "\"-0001-12-31T23:59:59.999Z\""),
            (i64::MAX, "\"+292278994-08-17T07:12:55.807Z\""),
            (i64::MIN, "\"-292275055-05-16T16:47:04.192Z\""),
            (-1, "null"),
        ];
        for (milliseconds, text) in times {
            let mut out = Vec::new();
            write_time(&mut out, milliseconds);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }

    #[test]
    fn text_is_ascii_whatever_is_in_it() {
        let mut out = Vec::new();
        write_text(&mut out, "a\"\\\n\u{1b}\u{7f}é\u{1f600}".as_bytes()).unwrap();
        assert_eq!(out, br#""a\"\\\n\u001b\u007f\u00e9\ud83d\ude00""#);
        assert_eq!(write_text(&mut out, b"\xff"), Err(ODD));
    }
}
