//! What members say besides who claims what, as bytes that can be compared; see
//! `kproto.pipeline.tables.fingerprints`.
//!
//! A subscription whose claim is the assignment beside it says its topics and what follows the
//! generation; any other says all of its bytes.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::cursor::{Cursor, Outcome, Prefix};
use crate::memory::Loan;
use crate::records::value_at;

/// What the bytes of a subscription are compared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Form {
    AsTheyStand,
    ClaimsWhatItHas,
    AndEmptyUserData,
}

const FIRST_WITH_CLAIM: i16 = 1;
const FIRST_WITH_GENERATION: i16 = 2;

/// A column of bytes or text, of whose values some may be null.
struct Values<'a> {
    offsets: &'a [u8],
    data: &'a [u8],
    /// A byte a value, or nothing.
    validity: &'a [u8],
    first: usize,
}

impl<'a> Values<'a> {
    fn get(&self, row: usize) -> Option<&'a [u8]> {
        value_at(self.offsets, self.data, self.first + row)
    }

    fn is_null(&self, row: usize) -> bool {
        self.validity.get(row) == Some(&0)
    }
}

/// What is written: bytes, and where each value ends.
struct Out<'m> {
    offsets: &'m mut [i32],
    data: &'m mut [u8],
    size: usize,
}

impl Out<'_> {
    fn raw(&mut self, raw: &[u8]) -> Option<()> {
        let end = self.size + raw.len();
        self.data.get_mut(self.size..end)?.copy_from_slice(raw);
        self.size = end;
        Some(())
    }

    /// Bytes with their length in front.
    fn sized(&mut self, raw: &[u8]) -> Option<()> {
        self.raw(&i32::try_from(raw.len()).ok()?.to_ne_bytes())?;
        self.raw(raw)
    }

    fn end(&mut self, row: usize) -> Option<()> {
        *self.offsets.get_mut(row)? = i32::try_from(self.size).ok()?;
        Some(())
    }
}

fn skip_strings(
    cursor: &mut Cursor<'_>,
    behind: impl Fn(&mut Cursor<'_>) -> Outcome<()>,
) -> Outcome<()> {
    for _ in 0..cursor.i32()? {
        let size = cursor.length(Prefix::Int16, false)?.unwrap_or(0);
        cursor.take(size, 0)?;
        behind(cursor)?;
    }
    Ok(())
}

/// Where the topics of a subscription with a claim end.
fn topics_end(version: i16, subscription: &[u8]) -> Option<usize> {
    let mut cursor = Cursor::new(subscription, 2);
    skip_strings(&mut cursor, |_| Ok(())).ok()?;
    (version >= FIRST_WITH_CLAIM).then_some(cursor.pos())
}

/// The partitions of an assignment, in its order.
fn partitions(assignment: &[u8]) -> Option<&[u8]> {
    let mut cursor = Cursor::new(assignment, 2);
    let numbers = |cursor: &mut Cursor<'_>| {
        let count = cursor.length(Prefix::Int32, false)?.unwrap_or(0);
        cursor.take(count.saturating_mul(4), 0).map(drop)
    };
    skip_strings(&mut cursor, numbers).ok()?;
    assignment.get(2..cursor.pos())
}

/// How a subscription is compared, where its topics end, and where the fields behind the generation
/// begin, which newer versions add to; None where it is compared as it is.
fn parts(subscription: &[u8], assignment: &[u8]) -> Option<(Form, usize, usize)> {
    let version = Cursor::new(subscription, 0).i16().ok()?;
    let topics = topics_end(version, subscription)?;
    let given = partitions(assignment)?;
    let mut cursor = Cursor::new(subscription, topics);
    let user_data = cursor.i32().ok()?;
    if user_data < -1 {
        return None;
    }
    cursor
        .take(usize::try_from(user_data).unwrap_or(0), 0)
        .ok()?;
    let claim = cursor.take(given.len(), 0).ok()?;
    let generation = if version >= FIRST_WITH_GENERATION {
        cursor.i32().ok()?
    } else {
        -1
    };
    let more = version <= FIRST_WITH_GENERATION && cursor.left() > 0;
    if claim != given || generation < -1 || more {
        return None;
    }
    let form = if user_data == 0 {
        Form::AndEmptyUserData
    } else {
        Form::ClaimsWhatItHas
    };
    Some((form, topics, cursor.pos()))
}

/// What a member says besides its claim, with what it is given.
fn say(subscription: &[u8], assignment: &[u8], out: &mut Out<'_>) -> Option<Form> {
    out.sized(assignment)?;
    let Some((form, topics, rest)) = parts(subscription, assignment) else {
        out.raw(&[Form::AsTheyStand as u8])?;
        out.sized(subscription)?;
        return Some(Form::AsTheyStand);
    };
    out.raw(&[form as u8])?;
    out.sized(subscription.get(..topics)?)?;
    out.sized(subscription.get(rest..)?)?;
    Some(form)
}

// -- what Python sees

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(member_fingerprints, module)?)?;
    module.add_function(wrap_pyfunction!(join_columns, module)?)
}

/// (offsets, data, a byte a value for validity or None, the place of the first value)
type Row<'py> = (
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    usize,
);

fn lend(loan: &mut Loan, (offsets, data, validity, _): &Row<'_>) -> PyResult<()> {
    loan.input(offsets.as_ref())?;
    loan.input(data.as_ref())?;
    loan.input(validity.as_ref())
}

fn outside() -> PyErr {
    PyValueError::new_err("a value lies outside of the column's bytes")
}

/// Writes what each member says besides its claim, with what it is given: `offsets` has one more
/// int32 than there are members, `kinds` a byte for each.
#[pyfunction]
fn member_fingerprints(
    py: Python<'_>,
    subscriptions: Row<'_>,
    assignments: Row<'_>,
    offsets: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    kinds: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let mut loan = Loan::default();
    lend(&mut loan, &subscriptions)?;
    lend(&mut loan, &assignments)?;
    loan.output(Some(offsets))?;
    loan.output(Some(data))?;
    loan.output(Some(kinds))?;
    let mut slices = loan.slices()?;
    let [subscriptions, assignments] = [subscriptions.3, assignments.3].map(|first| {
        let (offsets, data, validity) = (slices.input(), slices.input(), slices.input());
        Values {
            offsets,
            data,
            validity,
            first,
        }
    });
    let mut out = Out {
        offsets: slices.numbers(),
        data: slices.output(),
        size: 0,
    };
    let kinds = slices.output();
    let done = py.detach(|| {
        out.end(0)?;
        for (row, kind) in kinds.iter_mut().enumerate() {
            *kind = say(subscriptions.get(row)?, assignments.get(row)?, &mut out)? as u8;
            out.end(row + 1)?;
        }
        Some(())
    });
    done.ok_or_else(outside)
}

/// Writes the values of each of `rows` rows of these columns, one behind the other, each with its
/// length, -1 for null.
#[pyfunction]
fn join_columns(
    py: Python<'_>,
    columns: Vec<Row<'_>>,
    rows: usize,
    offsets: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let mut loan = Loan::default();
    for column in &columns {
        lend(&mut loan, column)?;
    }
    loan.output(Some(offsets))?;
    loan.output(Some(data))?;
    let mut slices = loan.slices()?;
    let firsts = columns.iter().map(|column| column.3);
    let columns: Vec<Values<'_>> = firsts
        .map(|first| {
            let (offsets, data, validity) = (slices.input(), slices.input(), slices.input());
            Values {
                offsets,
                data,
                validity,
                first,
            }
        })
        .collect();
    let mut out = Out {
        offsets: slices.numbers(),
        data: slices.output(),
        size: 0,
    };
    let done = py.detach(|| {
        out.end(0)?;
        for row in 0..rows {
            for column in &columns {
                if column.is_null(row) {
                    out.raw(&(-1i32).to_ne_bytes())?;
                } else {
                    out.sized(column.get(row)?)?;
                }
            }
            out.end(row + 1)?;
        }
        Some(())
    });
    done.ok_or_else(outside)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &[u8] = b"\0\0\0\0\0\x01\0\x01t\0\0\0\x01\0\0\0\x05";

    fn subscription(version: u8, user_data: &[u8], rest: &[u8]) -> Vec<u8> {
        [
            &[0, version][..],
            b"\0\0\0\x01\0\x01t",
            user_data,
            &GIVEN[2..],
            rest,
        ]
        .concat()
    }

    fn form(subscription: &[u8], assignment: &[u8]) -> Form {
        parts(subscription, assignment).map_or(Form::AsTheyStand, |(form, ..)| form)
    }

    #[test]
    fn a_claim_of_what_is_given_is_left_out() {
        let null = b"\xff\xff\xff\xff";
        let claims = subscription(2, null, b"\0\0\0\x07");
        assert_eq!(
            parts(&claims, GIVEN),
            Some((Form::ClaimsWhatItHas, 9, claims.len()))
        );
        let empty = subscription(1, b"\0\0\0\0", b"");
        assert_eq!(form(&empty, GIVEN), Form::AndEmptyUserData);
        let rack = subscription(3, null, b"\xff\xff\xff\xff\0\x01r");
        assert_eq!(
            parts(&rack, GIVEN),
            Some((Form::ClaimsWhatItHas, 9, rack.len() - 3))
        );
        let newer = subscription(4, null, b"\0\0\0\x07\xff\xff\0\0\0\x02");
        assert_eq!(
            parts(&newer, GIVEN),
            Some((Form::ClaimsWhatItHas, 9, newer.len() - 6))
        );
    }

    #[test]
    fn any_other_is_compared_as_it_stands() {
        let null = b"\xff\xff\xff\xff";
        assert_eq!(form(b"", GIVEN), Form::AsTheyStand);
        assert_eq!(form(&subscription(0, null, b""), GIVEN), Form::AsTheyStand);
        assert_eq!(
            form(&subscription(2, null, b"\0\0\0\x07more"), GIVEN),
            Form::AsTheyStand
        );
        assert_eq!(
            form(&subscription(2, null, b"\xff\xff\xff\xfe"), GIVEN),
            Form::AsTheyStand
        );
        let other = [&GIVEN[..GIVEN.len() - 1], b"\x06"].concat();
        assert_eq!(form(&subscription(1, null, b""), &other), Form::AsTheyStand);
        assert_eq!(
            form(&subscription(1, null, b""), &GIVEN[..9]),
            Form::AsTheyStand
        );
    }
}
