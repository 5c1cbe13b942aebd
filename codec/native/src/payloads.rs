//! What the payloads of all members of a group's record say together; see
//! `kproto.pipeline.audit.payloads`.
//!
//! Most records are in order: every payload can be read, no partition is assigned twice, and a
//! member claims nothing but what it is assigned. Of any other record nothing is said here.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::cursor::{Cursor, MAX_ELEMENTS, Outcome, Prefix};

const LAST_VERSION: i16 = 3;

/// A partition of a topic, and the number of a member.
type Held<'a> = (&'a [u8], i32, usize);

/// What the members say, collected member by member.
#[derive(Default)]
struct Said<'a> {
    versions: Vec<i16>,
    topics: Vec<&'a [u8]>,
    subscribed: Vec<u8>,
    assigned: Vec<Held<'a>>,
    claimed: Vec<Held<'a>>,
    all_claim: bool,
}

/// The number of elements of an array; None where Kafka refuses it.
fn count(cursor: &mut Cursor<'_>) -> Option<usize> {
    let found = cursor.length(Prefix::Int32, false).ok()??;
    (found <= MAX_ELEMENTS).then_some(found)
}

/// The name of a topic, as the bytes of ASCII text; None where it is any other.
fn name<'a>(cursor: &mut Cursor<'a>) -> Option<&'a [u8]> {
    let size = cursor.length(Prefix::Int16, false).ok()??;
    let name = cursor.take(size, 0).ok()?;
    name.is_ascii().then_some(name)
}

fn partitions<'a>(cursor: &mut Cursor<'a>, member: usize, held: &mut Vec<Held<'a>>) -> Option<()> {
    for _ in 0..count(cursor)? {
        let topic = name(cursor)?;
        for _ in 0..count(cursor)? {
            let number = cursor.i32().ok().filter(|&number| number >= 0)?;
            held.push((topic, number, member));
        }
    }
    Some(())
}

fn skip(cursor: &mut Cursor<'_>, prefix: Prefix) -> Outcome<()> {
    let size = cursor.length(prefix, true)?.unwrap_or(0);
    cursor.take(size, 0).map(drop)
}

impl<'a> Said<'a> {
    fn subscription(&mut self, payload: &'a [u8], member: usize) -> Option<()> {
        let mut cursor = Cursor::new(payload, 0);
        let version = cursor.i16().ok().filter(|&version| version >= 0)?;
        for _ in 0..count(&mut cursor)? {
            self.topics.push(name(&mut cursor)?);
        }
        self.subscribed.extend(payload.get(2..cursor.pos())?);
        skip(&mut cursor, Prefix::Int32).ok()?;
        let before = self.claimed.len();
        if version >= 1 {
            partitions(&mut cursor, member, &mut self.claimed)?;
        }
        if version >= 2 {
            cursor.i32().ok()?;
        }
        if version >= LAST_VERSION {
            skip(&mut cursor, Prefix::Int16).ok()?;
        }
        self.versions.push(version);
        self.all_claim &= self.claimed.len() > before;
        Some(())
    }

    /// A member without an assignment has none of the bytes of one.
    fn assignment(&mut self, payload: &'a [u8], member: usize) -> Option<()> {
        if payload.is_empty() {
            return Some(());
        }
        let mut cursor = Cursor::new(payload, 0);
        cursor.i16().ok().filter(|&version| version >= 0)?;
        partitions(&mut cursor, member, &mut self.assigned)?;
        skip(&mut cursor, Prefix::Int32).ok()
    }

    /// Whether nothing is assigned twice, or claimed twice, and claims are parts of assignments.
    fn in_order(&mut self) -> bool {
        self.assigned.sort_unstable();
        self.claimed.sort_unstable();
        let twice = |held: &[Held<'_>]| {
            held.windows(2)
                .any(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1))
        };
        let mut assigned = self.assigned.iter();
        !twice(&self.assigned)
            && !twice(&self.claimed)
            && self
                .claimed
                .iter()
                .all(|claim| assigned.any(|held| held == claim))
    }

    fn into_python<'py>(mut self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let given = PyDict::new(py);
        for of_topic in self.assigned.chunk_by(|one, other| one.0 == other.0) {
            if let [.., (topic, highest, _)] = of_topic {
                given.set_item(text(topic), (of_topic.len(), highest))?;
            }
        }
        self.versions.sort_unstable();
        self.versions.dedup();
        self.topics.sort_unstable();
        self.topics.dedup();
        (
            PyTuple::new(py, self.versions)?,
            PyTuple::new(py, self.topics.iter().map(|topic| text(topic)))?,
            given,
            self.all_claim,
            PyBytes::new(py, &self.subscribed),
        )
            .into_pyobject(py)
    }
}

/// ASCII is UTF-8.
fn text(name: &[u8]) -> &str {
    std::str::from_utf8(name).unwrap_or_default()
}

fn read<'a>(subscriptions: &[&'a [u8]], assignments: &[&'a [u8]]) -> Option<Said<'a>> {
    let mut said = Said {
        all_claim: true,
        ..Said::default()
    };
    for (member, (subscription, assignment)) in subscriptions.iter().zip(assignments).enumerate() {
        said.subscription(subscription, member)?;
        said.assignment(assignment, member)?;
    }
    said.in_order().then_some(said)
}

// -- what Python sees

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(payload_summary, module)?)
}

/// The fields of `PayloadSummary` for the payloads of a record's members, of each a subscription
/// and an assignment; None where they are not in order.
#[pyfunction]
fn payload_summary<'py>(
    py: Python<'py>,
    subscriptions: Vec<Bound<'py, PyBytes>>,
    assignments: Vec<Bound<'py, PyBytes>>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    read(&bytes(&subscriptions), &bytes(&assignments))
        .map(|said| said.into_python(py))
        .transpose()
}

fn bytes<'a>(payloads: &'a [Bound<'_, PyBytes>]) -> Vec<&'a [u8]> {
    payloads.iter().map(|payload| payload.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &[u8] = b"\0\0\0\0\0\x01\0\x01t\0\0\0\x02\0\0\0\x05\0\0\0\x03\xff\xff\xff\xff";
    const CLAIMS: &[u8] =
        b"\0\x01\0\0\0\x01\0\x01t\xff\xff\xff\xff\0\0\0\x01\0\x01t\0\0\0\x01\0\0\0\x05";
    const CLAIMS_NOTHING: &[u8] = b"\0\0\0\0\0\x01\0\x01t\xff\xff\xff\xff";

    #[test]
    fn who_claims_part_of_what_it_has_is_in_order() {
        let said = read(&[CLAIMS], &[GIVEN]).unwrap();
        assert_eq!(said.assigned, [(&b"t"[..], 3, 0), (&b"t"[..], 5, 0)]);
        assert!(said.all_claim);
        let said = read(&[CLAIMS, CLAIMS_NOTHING], &[GIVEN, b""]).unwrap();
        assert!(!said.all_claim);
        assert_eq!(said.versions, [1, 0]);
    }

    #[test]
    fn who_claims_or_has_what_another_one_has_is_not() {
        assert!(read(&[CLAIMS, CLAIMS_NOTHING], &[b"", GIVEN]).is_none());
        assert!(read(&[CLAIMS, CLAIMS], &[GIVEN, b""]).is_none());
        assert!(read(&[CLAIMS_NOTHING; 2], &[GIVEN; 2]).is_none());
    }

    #[test]
    fn what_kafka_refuses_is_not() {
        for cut in 0..CLAIMS.len() {
            assert!(read(&[&CLAIMS[..cut]], &[GIVEN]).is_none());
        }
        for cut in 1..GIVEN.len() {
            assert!(read(&[CLAIMS_NOTHING], &[&GIVEN[..cut]]).is_none());
        }
    }
}
