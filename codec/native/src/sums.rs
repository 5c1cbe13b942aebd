//! Commits summed up for each key, in one pass in the order of the log; see
//! `kproto.pipeline.tables.commits`, which has the same in Python.
//!
//! A sum of one commit is a sum like any other, so that sums can be summed up as well.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::codes::Codes;
use crate::memory::Loan;

/// int64 of a sum.
const NUMBERS: usize = 14;
/// What is not known.
const UNKNOWN: i64 = -1;

/// Declares the numbers of a sum once, in the order in which they are read and written.
macro_rules! sum {
    ($($field:ident),* $(,)?) => {
        /// Times in microseconds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        struct Sum {
            $($field: i64),*
        }

        impl Sum {
            fn of_numbers(&[$($field),*]: &[i64; NUMBERS]) -> Self {
                Self { $($field),* }
            }

            fn numbers(&self) -> [i64; NUMBERS] {
                [$(self.$field),*]
            }
        }
    };
}

sum!(
    committed_offset,
    first,
    last,
    commits,
    first_offset,
    highest_offset,
    same_since,
    same_commits,
    longest_gap_ms,
    pauses,
    rewinds,
    rewound_at,
    rewound_from,
    rewound_to,
);

/// From which gap on a pause is one, and by how much an offset has to fall.
#[derive(Clone, Copy)]
struct Limits {
    pause_ms: i64,
    rewind: i64,
}

impl Sum {
    fn of_commit(offset: i64, time: i64) -> Self {
        Self {
            committed_offset: offset,
            first: time,
            last: time,
            commits: i64::from(offset >= 0),
            first_offset: offset,
            highest_offset: offset,
            same_since: time,
            same_commits: 1,
            longest_gap_ms: 0,
            pauses: 0,
            rewinds: 0,
            rewound_at: UNKNOWN,
            rewound_from: UNKNOWN,
            rewound_to: UNKNOWN,
        }
    }

    /// Adds what comes next; `before` is the last time of what was added before it.
    fn add(&mut self, next: &Self, before: i64, limits: Limits) {
        self.add_gap(next, before, limits);
        self.add_same(next);
        self.add_rewinds(next, limits);
        if self.first < 0 || (0..self.first).contains(&next.first) {
            self.first = next.first.max(UNKNOWN);
        }
        self.last = self.last.max(next.last);
        self.commits = self.commits.wrapping_add(next.commits);
        self.highest_offset = self.highest_offset.max(next.highest_offset);
        self.committed_offset = next.committed_offset;
    }

    fn add_gap(&mut self, next: &Self, before: i64, limits: Limits) {
        let known = next.first >= 0 && before >= 0;
        let gap = if known {
            next.first.saturating_sub(before).max(0) / 1000
        } else {
            0
        };
        self.longest_gap_ms = self.longest_gap_ms.max(next.longest_gap_ms).max(gap);
        let pauses = next.pauses + i64::from(gap >= limits.pause_ms);
        self.pauses = self.pauses.wrapping_add(pauses);
    }

    /// Since when, and how often, the last offset was committed again.
    fn add_same(&mut self, next: &Self) {
        let goes_on = next.first_offset == self.committed_offset
            && next.same_commits == next.commits
            && next.first_offset == next.committed_offset
            && next.first_offset >= 0;
        if goes_on {
            self.same_commits = self.same_commits.wrapping_add(next.same_commits);
        } else {
            (self.same_since, self.same_commits) = (next.same_since, next.same_commits);
        }
    }

    fn add_rewinds(&mut self, next: &Self, limits: Limits) {
        let highest = self.committed_offset.wrapping_sub(limits.rewind);
        let here = (0..=highest).contains(&next.first_offset);
        if next.rewinds > 0 {
            self.rewound_at = next.rewound_at;
            self.rewound_from = next.rewound_from;
            self.rewound_to = next.rewound_to;
        } else if here {
            self.rewound_at = next.first;
            self.rewound_from = self.committed_offset;
            self.rewound_to = next.first_offset;
        }
        let rewinds = next.rewinds + i64::from(here);
        self.rewinds = self.rewinds.wrapping_add(rewinds);
    }
}

/// A key's sum so far.
struct Kept {
    key: i64,
    row: usize,
    sum: Sum,
    /// The last time of what was added last.
    before: i64,
}

/// The sum of each key, in the order of their first rows.
fn folded(keys: &[i64], parts: impl Iterator<Item = Sum>, limits: Limits) -> Vec<Kept> {
    let mut codes = Codes::new();
    let mut kept: Vec<Kept> = Vec::new();
    for (row, (&key, next)) in keys.iter().zip(parts).enumerate() {
        let same = |code: u32| kept.get(code as usize).is_some_and(|each| each.key == key);
        let (code, new) = codes.of_number(key, same);
        if new {
            kept.push(Kept {
                key,
                row,
                sum: next,
                before: next.last,
            });
        } else if let Some(each) = kept.get_mut(code as usize) {
            each.sum.add(&next, each.before, limits);
            each.before = next.last;
        }
    }
    kept
}

// -- what Python sees

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sum_commits, module)?)
}

/// Sums up commits, or sums of commits, by their keys, and gives of each key the row that has it
/// first, and its sum of 14 numbers.
///
/// All are int64, given and returned, in the order of the log: a key for each commit or sum; in
/// `parts` the offsets (-1: deleted) and the times (-1: not known) of commits, or 14 numbers for
/// each sum. `limits` are the milliseconds of a pause, and by how much an offset falls in a rewind.
#[pyfunction]
fn sum_commits<'py>(
    py: Python<'py>,
    keys: &Bound<'_, PyAny>,
    parts: Vec<Bound<'_, PyAny>>,
    limits: (i64, i64),
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let mut loan = Loan::default();
    loan.input(Some(keys))?;
    for part in &parts {
        loan.input(Some(part))?;
    }
    let mut slices = loan.slices()?;
    let keys = slices.numbers_read::<i64>();
    let inputs: Vec<&[i64]> = parts.iter().map(|_| slices.numbers_read()).collect();
    let (pause_ms, rewind) = limits;
    let limits = Limits { pause_ms, rewind };
    let kept = py.detach(|| match *inputs {
        [offsets, times] => {
            let commits = offsets.iter().zip(times);
            let each = commits.map(|(&offset, &time)| Sum::of_commit(offset, time));
            folded(keys, each, limits)
        }
        [sums] => folded(keys, sums.as_chunks().0.iter().map(Sum::of_numbers), limits),
        _ => Vec::new(),
    });
    let rows = kept.iter().map(|each| each.row as i64);
    let sums = kept.iter().flat_map(|each| each.sum.numbers());
    Ok((bytes_of(py, rows), bytes_of(py, sums)))
}

fn bytes_of(py: Python<'_>, numbers: impl Iterator<Item = i64>) -> Bound<'_, PyBytes> {
    PyBytes::new(py, &numbers.flat_map(i64::to_ne_bytes).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        pause_ms: 10,
        rewind: 5,
    };

    #[test]
    fn sums_of_sums_are_those_of_the_commits() {
        let commits = [
            (7, 1000),
            (7, 2000),
            (9, 30_000),
            (1, 31_000),
            (-1, -1),
            (1, 40_000),
        ];
        let all = commits.map(|(offset, time)| Sum::of_commit(offset, time));
        let keys = [0; 6];
        let whole = folded(&keys, all.into_iter(), LIMITS);
        let parts = all
            .chunks(2)
            .flat_map(|part| folded(&keys, part.iter().copied(), LIMITS))
            .map(|kept| kept.sum);
        let again = folded(&keys, parts, LIMITS);
        assert_eq!((whole.len(), again.len()), (1, 1));
        assert_eq!(whole[0].sum, again[0].sum);
        assert_eq!(
            whole[0].sum.numbers(),
            [1, 1000, 40_000, 5, 7, 9, 40_000, 1, 28, 1, 1, 31_000, 9, 1]
        );
    }

    #[test]
    fn keys_stand_in_the_order_of_their_first_rows() {
        let keys = [5, -3, 5, 0, -3];
        let commits = (0..5).map(|number| Sum::of_commit(number, 1000 * number));
        let found = folded(&keys, commits, LIMITS);
        let rows: Vec<_> = found.iter().map(|each| (each.key, each.row)).collect();
        assert_eq!(rows, [(5, 0), (-3, 1), (0, 3)]);
        assert_eq!(found[0].sum.commits, 2);
    }
}
