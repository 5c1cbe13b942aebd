//! Records of the offsets topic as lines of JSON, from the bytes of a log segment.
//!
//! ```text
//! lines ── batches that are whole and plain, their records one by one
//!   └── json       key, value, and what members wrote in it
//!         └── the methods of a Python object, for what is inside of that and not known here
//! ```
//!
//! What the lines look like is `kproto.inspector.shapes.decoded`' business, which makes those of all
//! records that are handed back from here; `kproto.inspector.reports.compiled_lines` has the names, the
//! rules and the texts.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use pyo3::{PyTraverseError, PyVisit};

use crate::batches::{self, Batch};
use crate::cursor::{Cursor, Fault, Kind, Outcome};
use crate::entry::{LayoutRow, VersionRow, check_layouts, program_from};
use crate::json::{self, Field, Form, Found, Note, Payload, Rule, Style, write_int, write_time};
use crate::program::Version;
use crate::shape;
use crate::walk;

const ODD: Fault = Fault::new(Kind::Odd, 0);
/// Python raised an error, which is still to be fetched.
const RAISED: Fault = Fault::new(Kind::Raised, 0);

/// A message of more bytes may be too large to be judged, which Python decides.
const LARGE: usize = 1 << 20;
/// How much is written before it is handed over.
const ENOUGH: usize = 1 << 18;
/// A batch of more records is Python's, which holds the line of one at a time.
const MOST_RECORDS: i32 = 8192;

type FieldRow = (String, String, String, Option<Vec<u8>>);
type FormRow = (
    String,
    bool,
    (String, String, Option<i32>),
    Vec<LayoutRow>,
    Vec<VersionRow>,
    Option<VersionRow>,
    Vec<Vec<FieldRow>>,
);

/// Writes the lines of records. It holds no state but what it was made of.
#[pyclass(frozen, name = "Lines", module = "kproto.codec._core")]
pub struct PyLines {
    /// Key and value, by record type, as far as Python was asked; None for Python's own.
    kinds: RwLock<HashMap<i16, Option<Arc<Pair>>>>,
    subscription: Form,
    assignment: Form,
    sticky: Form,
    tasks: Form,
    texts: Told,
    inside: Py<PyAny>,
}

/// The text before a deviation's offset, and after its count.
type Texts = (Vec<u8>, Vec<u8>);

/// What Python says in the cases that are known here.
#[derive(FromPyObject)]
struct Told {
    /// The deviations, by `Style`.
    #[pyo3(item)]
    styles: Vec<Texts>,
    /// Behind sticky's user data with a number in front.
    #[pyo3(item)]
    prefixed: Vec<u8>,
    /// The deviation of a subscription of version 0 that is labelled 1 and so on, and the error with
    /// which it ends, without its offset.
    #[pyo3(item)]
    mislabelled: Vec<(Vec<u8>, Vec<u8>, Vec<u8>)>,
}

/// The forms of key and value.
type Pair = (Form, Form);

/// What is found out record by record.
struct Work<'py> {
    py: Python<'py>,
    raised: Option<PyErr>,
}

#[pymethods]
impl PyLines {
    /// `consumer` are the forms of a subscription, an assignment, sticky's user data and that of
    /// Kafka Streams in an assignment; `inside` gives those of keys and values, and opens what is
    /// not known here.
    #[new]
    fn new(
        consumer: (FormRow, FormRow, FormRow, FormRow),
        texts: Told,
        inside: Py<PyAny>,
    ) -> PyResult<Self> {
        Ok(Self {
            kinds: RwLock::default(),
            subscription: form_of(consumer.0)?,
            assignment: form_of(consumer.1)?,
            sticky: form_of(consumer.2)?,
            tasks: form_of(consumer.3)?,
            texts,
            inside,
        })
    }

    /// Writes the records of the batches at `at`, for as long as they are plain ones, and until
    /// there is enough of it: what was made, how many bytes, batches and records of it.
    ///
    /// What was made is a list of bytes, which are lines with `front` at their beginnings, and of
    /// records that have to be written otherwise: batch position, base offset, producer id, offset,
    /// timestamp, key, value.
    fn write<'py>(
        &self,
        py: Python<'py>,
        data: &[u8],
        at: usize,
        front: &[u8],
    ) -> PyResult<(Bound<'py, PyList>, usize, usize, usize)> {
        let made = PyList::empty(py);
        let mut work = Work { py, raised: None };
        let mut out = Vec::with_capacity(ENOUGH + (ENOUGH >> 2));
        let (mut end, mut batches, mut records) = (at, 0, 0);
        let mut written = 0;
        while written < ENOUGH {
            let Some(batch) = plain_batch(data, end) else {
                break;
            };
            let Ok(parts) = records_of(&batch) else {
                break;
            };
            for record in &parts {
                let before = out.len();
                match self.line(&mut work, record, front, &mut out) {
                    Ok(()) => {}
                    Err(RAISED) => return Err(work.raised.take().unwrap_or_else(no_error)),
                    Err(_) => {
                        out.truncate(before);
                        hand_over(&made, &mut out, &mut written)?;
                        let key = record.key.map(|raw| PyBytes::new(py, raw));
                        let value = record.value.map(|raw| PyBytes::new(py, raw));
                        let (base, producer) = (batch.base_offset, batch.producer);
                        made.append((
                            end - at,
                            base,
                            producer,
                            record.offset,
                            record.timestamp,
                            key,
                            value,
                        ))?;
                    }
                }
            }
            batches += 1;
            records += parts.len();
            end += batch.size;
            if out.len() > ENOUGH {
                hand_over(&made, &mut out, &mut written)?;
            }
        }
        hand_over(&made, &mut out, &mut written)?;
        Ok((made, end - at, batches, records))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.inside)
    }
}

/// Makes an object of what was written, without the last line's end.
fn hand_over(made: &Bound<'_, PyList>, out: &mut Vec<u8>, written: &mut usize) -> PyResult<()> {
    if let Some((_, lines)) = out.split_last() {
        made.append(PyBytes::new(made.py(), lines))?;
        *written += out.len();
        out.clear();
    }
    Ok(())
}

#[cold]
fn no_error() -> PyErr {
    PyValueError::new_err("no error was raised")
}

fn form_of(row: FormRow) -> PyResult<Form> {
    let (name, sorted, front, layouts, versions, head, classes) = row;
    let program = program_from(front, layouts, versions, head)?;
    check_layouts(&program)?;
    let field = |(camel, name, rule, default): FieldRow| {
        let rule =
            Rule::named(&rule).ok_or_else(|| PyValueError::new_err(format!("no rule: {rule}")))?;
        let label = format!("\"{camel}\":").into_bytes();
        Ok(Field {
            label,
            name,
            rule,
            default,
        })
    };
    let class = |rows: Vec<FieldRow>| rows.into_iter().map(field).collect::<PyResult<_>>();
    Ok(Form {
        program,
        name,
        sorted,
        fields: classes.into_iter().map(class).collect::<PyResult<_>>()?,
    })
}

// -- batches

struct Record<'a> {
    offset: i64,
    timestamp: i64,
    key: Option<&'a [u8]>,
    value: Option<&'a [u8]>,
}

/// A batch whose records have lines that tell nothing of a transaction.
fn plain_batch(data: &[u8], at: usize) -> Option<Batch<'_>> {
    Batch::at(data, at).filter(|batch| !batch.is_transactional && !batch.is_control)
}

/// All records of a batch; odd where there are too many, one does not fit or has headers, or
/// something follows them.
fn records_of<'a>(batch: &Batch<'a>) -> Outcome<Vec<Record<'a>>> {
    if !(0..=MOST_RECORDS).contains(&batch.count) {
        return Err(ODD);
    }
    let mut cursor = Cursor::new(batch.records, 0);
    let mut records = Vec::new();
    for _ in 0..batch.count {
        let record = batches::Record::next(&mut cursor)?;
        // The library reads attributes as a varint.
        if record.attributes < 0 || !record.has_no_headers() {
            return Err(ODD);
        }
        let later = if batch.same_time {
            0
        } else {
            record.time_delta
        };
        let offset = batch.base_offset.checked_add(record.offset_delta);
        records.push(Record {
            offset: offset.ok_or(ODD)?,
            timestamp: batch.timestamp.checked_add(later).ok_or(ODD)?,
            key: record.key,
            value: record.value,
        });
    }
    if cursor.left() > 0 {
        return Err(ODD);
    }
    Ok(records)
}

// -- records

const REST: &[u8] = b",\"remainder\":\"\",\"deviations\":[";

impl PyLines {
    fn kind(&self, work: &mut Work<'_>, number: i16) -> Outcome<Option<Arc<Pair>>> {
        if let Some(known) = self.kinds.read().map_err(|_| ODD)?.get(&number) {
            return Ok(known.clone());
        }
        let asked = self.inside.bind(work.py).call_method1("forms", (number,));
        let rows: PyResult<Option<(FormRow, FormRow)>> = asked.and_then(|rows| rows.extract());
        let made = rows.and_then(|rows| {
            let made = rows.map(|(key, value)| Ok((form_of(key)?, form_of(value)?)));
            made.transpose()
        });
        let kind = made.map_err(|error| work.raise(error))?.map(Arc::new);
        let mut kinds = self.kinds.write().map_err(|_| ODD)?;
        kinds.insert(number, kind.clone());
        Ok(kind)
    }

    fn line(
        &self,
        work: &mut Work<'_>,
        record: &Record<'_>,
        front: &[u8],
        out: &mut Vec<u8>,
    ) -> Outcome<()> {
        let key = record.key.ok_or(ODD)?;
        let number = Cursor::new(key, 0).i16()?;
        let kind = self.kind(work, number)?.ok_or(ODD)?;
        let (key_form, value_form) = &*kind;
        out.extend_from_slice(front);
        out.extend_from_slice(b",\"offset\":");
        write_int(out, record.offset);
        out.extend_from_slice(b",\"time\":");
        write_time(out, record.timestamp);
        out.extend_from_slice(b",\"key\":");
        self.message(key_form, key, out)?;
        out.extend_from_slice(b"},\"value\":");
        match record.value {
            None => out.extend_from_slice(b"null"),
            Some(data) => {
                let found = self.message(value_form, data, out)?;
                self.opened_in_group(work, data, &found, out)?;
                out.push(b'}');
            }
        }
        out.extend_from_slice(b"}\n");
        Ok(())
    }

    /// A key or value, but for the bracket at its end.
    fn message(&self, form: &Form, data: &[u8], out: &mut Vec<u8>) -> Outcome<Found> {
        if data.len() > LARGE {
            return Err(ODD);
        }
        let version = label(form, data)?;
        out.extend_from_slice(b"{\"name\":\"");
        out.extend_from_slice(form.name.as_bytes());
        out.extend_from_slice(b"\",\"version\":");
        write_int(out, i64::from(version.number));
        out.extend_from_slice(b",\"schemaVersion\":");
        write_int(out, i64::from(version.number));
        out.extend_from_slice(b",\"message\":");
        let found = json::write(form, version.layout, data, 2, out)?;
        out.extend_from_slice(REST);
        self.notes(&found.notes, out);
        out.extend_from_slice(b"],\"error\":null");
        Ok(found)
    }

    fn notes(&self, notes: &[Note], out: &mut Vec<u8>) {
        for (index, note) in notes.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            if let Some((front, back)) = self.texts.styles.get(note.style as usize) {
                out.extend_from_slice(front);
                write_int(out, note.offset as i64);
                out.extend_from_slice(b",\"path\":\"");
                out.extend_from_slice(note.path.as_bytes());
                out.extend_from_slice(b"\",\"count\":");
                write_int(out, note.count as i64);
                out.extend_from_slice(back);
            }
        }
    }

    // -- what members wrote

    fn opened_in_group(
        &self,
        work: &mut Work<'_>,
        data: &[u8],
        found: &Found,
        out: &mut Vec<u8>,
    ) -> Outcome<()> {
        if found.payloads.is_empty() {
            return Ok(());
        }
        let around = Around {
            protocol_type: found.protocol_type.map_or(&[][..], |span| span.of(data)),
            protocol: found.protocol.map_or(&[][..], |span| span.of(data)),
        };
        let mut any = false;
        for payload in &found.payloads {
            let before = out.len();
            let between: &[u8] = if any { b"," } else { b",\"opened\":[" };
            out.extend_from_slice(between);
            out.extend_from_slice(b"{\"path\":\"members[");
            write_int(out, payload.member as i64);
            out.extend_from_slice(b"].");
            out.extend_from_slice(match payload.rule {
                Rule::Metadata => b"subscription\",",
                _ => b"assignment\",",
            });
            if self.opened(work, data, payload, around, out)? {
                any = true;
            } else {
                out.truncate(before);
            }
        }
        if any {
            out.push(b']');
        }
        Ok(())
    }

    /// What a member said or was given; false if nothing is known to be inside.
    fn opened(
        &self,
        work: &mut Work<'_>,
        data: &[u8],
        payload: &Payload,
        around: Around<'_>,
        out: &mut Vec<u8>,
    ) -> Outcome<bool> {
        let content = payload.content.of(data);
        let before = out.len();
        if around.protocol_type == b"consumer" {
            let form = match payload.rule {
                Rule::Metadata => &self.subscription,
                _ => &self.assignment,
            };
            match self.consumer_s(work, form, payload.rule, content, around, out) {
                Ok(()) => return Ok(true),
                Err(RAISED) => return Err(RAISED),
                Err(_) => out.truncate(before),
            }
        }
        let kind = match payload.rule {
            Rule::Metadata => "metadata",
            _ => "assignment",
        };
        let said = work.ask(&self.inside, "opened", kind, content, around)?;
        let said: Bound<'_, PyBytes> = said.extract().map_err(|_| ODD)?;
        out.extend_from_slice(said.as_bytes());
        Ok(!said.as_bytes().is_empty())
    }

    /// A subscription or an assignment of a consumer, behind its path.
    fn consumer_s(
        &self,
        work: &mut Work<'_>,
        form: &Form,
        rule: Rule,
        content: &[u8],
        around: Around<'_>,
        out: &mut Vec<u8>,
    ) -> Outcome<()> {
        if content.len() > LARGE {
            return Err(ODD);
        }
        let version = label(form, content)?;
        write_name(form, version, out);
        let before = out.len();
        let (mut found, mislabelled) = match json::write(form, version.layout, content, 2, out) {
            Ok(found) => (found, None),
            Err(_) => {
                out.truncate(before);
                self.mislabelled(form, version, content, out)?
            }
        };
        let mut inside = Vec::new();
        if let Some(span) = found.user_data {
            let user = UserData {
                raw: span.of(content),
                offset: span.start - 4,
                rule,
                around,
            };
            self.user_data(work, &user, &mut found.notes, &mut inside)?;
            found.notes.sort_by_key(|note| (note.offset, note.style));
        }
        out.extend_from_slice(b",\"deviations\":[");
        if let Some((deviation, front, back)) = mislabelled {
            out.extend_from_slice(deviation);
            if !found.notes.is_empty() {
                out.push(b',');
            }
            self.notes(&found.notes, out);
            out.extend_from_slice(b"],\"error\":");
            out.extend_from_slice(front);
            write_int(out, content.len() as i64);
            out.extend_from_slice(back);
        } else {
            self.notes(&found.notes, out);
            out.extend_from_slice(b"],\"error\":null");
        }
        out.extend_from_slice(b",\"opened\":[");
        out.extend_from_slice(&inside);
        out.extend_from_slice(b"]}");
        Ok(())
    }

    /// A subscription of version 0 under a higher label, which is what some clients write.
    fn mislabelled(
        &self,
        form: &Form,
        version: Version,
        content: &[u8],
        out: &mut Vec<u8>,
    ) -> Outcome<(Found, Mislabelled<'_>)> {
        let index = usize::try_from(version.number - 1).map_err(|_| ODD)?;
        let texts = self.texts.mislabelled.get(index).ok_or(ODD)?;
        if form.name != self.subscription.name {
            return Err(ODD);
        }
        let oldest = form.program.version(0).ok_or(ODD)?;
        let before = out.len();
        let found = json::write(form, oldest.layout, content, 2, out)?;
        out.truncate(before);
        out.extend_from_slice(b"null");
        Ok((found, Some(texts)))
    }

    /// What is known here, where nothing else can be meant; all else is opened in Python, but never
    /// what deviates.
    fn user_data(
        &self,
        work: &mut Work<'_>,
        user: &UserData<'_>,
        notes: &mut Vec<Note>,
        out: &mut Vec<u8>,
    ) -> Outcome<()> {
        out.extend_from_slice(b"{\"path\":\"user_data\",");
        let before = out.len();
        let said = match user.around.protocol {
            b"stream" => self.tasks_s(user, out),
            _ => self.sticky_s(user, out),
        };
        if let Ok(style) = said {
            notes.extend(style.map(|style| Note {
                offset: user.offset,
                style,
                path: "user_data".to_owned(),
                count: 1,
            }));
            return Ok(());
        }
        out.truncate(before);
        let said = work.ask(
            &self.inside,
            "user_data",
            user.kind(),
            user.raw,
            user.around,
        )?;
        let said: Bound<'_, PyBytes> = said.extract().map_err(|_| ODD)?;
        if said.as_bytes().is_empty() {
            return Err(ODD);
        }
        out.extend_from_slice(said.as_bytes());
        Ok(())
    }

    fn sticky_s(&self, user: &UserData<'_>, out: &mut Vec<u8>) -> Outcome<Option<Style>> {
        let style = match (user.rule, user.around.protocol) {
            (Rule::Metadata, b"sticky") => None,
            (Rule::Metadata, b"cooperative-sticky") => Some(Style::StickyUnderCooperative),
            (Rule::Assignment, b"sticky" | b"cooperative-sticky") => {
                Some(Style::StickyInAssignment)
            }
            _ => return Err(ODD),
        };
        let raw = user.raw;
        // Not what may be a generation as well, and no text.
        let generation = raw.len() <= 4 && style == Some(Style::StickyUnderCooperative);
        if generation || raw.first() != Some(&0) {
            return Err(ODD);
        }
        let program = &self.sticky.program;
        // With an int16 in front as well, which one client writes in subscriptions.
        let starts = if user.rule == Rule::Metadata && raw.starts_with(b"\0\x01") {
            0..=2
        } else {
            0..=0
        };
        let mut fitting = starts.step_by(2).flat_map(|start| {
            let fits = move |version: &&Version| {
                shape::end(program, **version, raw, start) == Ok(raw.len())
            };
            let versions = program.versions.iter().filter(fits);
            versions.map(move |version| (start, *version))
        });
        let (Some((start, version)), None) = (fitting.next(), fitting.next()) else {
            return Err(ODD);
        };
        self.inner(&self.sticky, version, raw.get(start..).ok_or(ODD)?, out)?;
        if start > 0 {
            out.pop();
            out.extend_from_slice(&self.texts.prefixed);
            return Ok(Some(Style::Prefixed));
        }
        Ok(style)
    }

    /// What Kafka Streams gives a member.
    fn tasks_s(&self, user: &UserData<'_>, out: &mut Vec<u8>) -> Outcome<Option<Style>> {
        if user.rule != Rule::Assignment || user.raw.first() != Some(&0) {
            return Err(ODD);
        }
        let version = label(&self.tasks, user.raw)?;
        self.inner(&self.tasks, version, user.raw, out)?;
        Ok(None)
    }

    /// A message in user data, behind its path.
    fn inner(&self, form: &Form, version: Version, raw: &[u8], out: &mut Vec<u8>) -> Outcome<()> {
        write_name(form, version, out);
        let found = json::write(form, version.layout, raw, 0, out)?;
        if !found.notes.is_empty() {
            return Err(ODD);
        }
        out.extend_from_slice(b",\"deviations\":[],\"error\":null,\"opened\":[]}");
        Ok(())
    }
}

/// What is said of a wrong label: the deviation, and the error in front of its offset and behind it.
type Mislabelled<'a> = Option<&'a (Vec<u8>, Vec<u8>, Vec<u8>)>;

/// The version that the label says, if it is one that is known.
fn label(form: &Form, data: &[u8]) -> Outcome<Version> {
    let label = walk::read_label(&form.program, data)?;
    if label.version == label.read_as.number {
        Ok(label.read_as)
    } else {
        Err(ODD)
    }
}

fn write_name(form: &Form, version: Version, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"name\":\"");
    out.extend_from_slice(form.name.as_bytes());
    out.extend_from_slice(b"\",\"version\":");
    write_int(out, i64::from(version.number));
    out.extend_from_slice(b",\"message\":");
}

/// What a stored group says of its members' bytes; empty where it says nothing.
#[derive(Clone, Copy)]
struct Around<'a> {
    protocol_type: &'a [u8],
    protocol: &'a [u8],
}

struct UserData<'a> {
    raw: &'a [u8],
    /// Where its length is.
    offset: usize,
    rule: Rule,
    around: Around<'a>,
}

impl UserData<'_> {
    fn kind(&self) -> &'static str {
        match self.rule {
            Rule::Metadata => "user data of a subscription",
            _ => "user data of an assignment",
        }
    }
}

impl<'py> Work<'py> {
    fn raise(&mut self, error: PyErr) -> Fault {
        self.raised = Some(error);
        RAISED
    }

    /// What a method of the Python object says of some bytes.
    fn ask(
        &mut self,
        object: &Py<PyAny>,
        method: &str,
        kind: &str,
        content: &[u8],
        around: Around<'_>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let py = self.py;
        let name = |raw: &[u8]| {
            let text = std::str::from_utf8(raw)
                .ok()
                .filter(|text| !text.is_empty());
            text.map(|text| PyString::new(py, text))
        };
        let arguments = (
            kind,
            PyBytes::new(py, content),
            name(around.protocol_type),
            name(around.protocol),
        );
        let said = object.bind(py).call_method1(method, arguments);
        said.map_err(|error| self.raise(error))
    }
}
