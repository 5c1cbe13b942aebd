//! Commits summed up for each key, in one pass in the order of the log; see
//! `kproto.pipeline.tables.commits`, which has the same in Python.
//!
//! A sum of one commit is a sum like any other, so that sums can be summed up as well.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::codes::Codes;
use crate::memory::Loan;

/// int64 of a sum.
const NUMBERS: usize = 37;
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
    second_gap_ms,
    known_offset,
    known_at,
    first_known,
    first_known_at,
    rewound_gap_ms,
    rewound_deleted,
    again,
    jump_at,
    jump_from,
    jump_to,
    recent_at,
    recent_offset,
    before_at,
    before_offset,
    day_at,
    day_offset,
    day_commits,
    day_rewinds,
    eve_at,
    eve_offset,
    eve_commits,
    eve_rewinds,
);

/// From which gap on a pause is one, by how much an offset has to fall, and for how long the first
/// commit of a stretch is kept: the pace of now, and that of a day, are reckoned from it.
#[derive(Clone, Copy)]
struct Limits {
    pause_ms: i64,
    rewind: i64,
    stretch: i64,
    day: i64,
}

impl Sum {
    fn of_commit(offset: i64, time: i64) -> Self {
        let is_known = offset >= 0;
        let known = |number: i64| if is_known { number } else { UNKNOWN };
        let timed = |number: i64| {
            if is_known && time >= 0 {
                number
            } else {
                UNKNOWN
            }
        };
        let counted = i64::from(is_known && time >= 0);
        Self {
            committed_offset: offset,
            first: time,
            last: time,
            commits: i64::from(is_known),
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
            second_gap_ms: 0,
            known_offset: known(offset),
            known_at: known(time),
            first_known: known(offset),
            first_known_at: known(time),
            rewound_gap_ms: 0,
            rewound_deleted: 0,
            again: 0,
            jump_at: UNKNOWN,
            jump_from: UNKNOWN,
            jump_to: UNKNOWN,
            recent_at: timed(time),
            recent_offset: timed(offset),
            before_at: UNKNOWN,
            before_offset: UNKNOWN,
            day_at: timed(time),
            day_offset: timed(offset),
            day_commits: counted,
            day_rewinds: 0,
            eve_at: UNKNOWN,
            eve_offset: UNKNOWN,
            eve_commits: 0,
            eve_rewinds: 0,
        }
    }

    /// Adds what comes next; `before` is the last time of what was added before it.
    fn add(&mut self, next: &Self, before: i64, limits: Limits) {
        self.add_gap(next, before, limits);
        self.add_same(next);
        let rewinds = self.add_steps(next, limits);
        self.add_stretches(next, limits);
        self.add_days(next, rewinds, limits);
        if self.first < 0 || (0..self.first).contains(&next.first) {
            self.first = next.first.max(UNKNOWN);
        }
        self.last = self.last.max(next.last);
        self.commits = self.commits.wrapping_add(next.commits);
        self.highest_offset = self.highest_offset.max(next.highest_offset);
        self.committed_offset = next.committed_offset;
        if next.first_known >= 0 {
            (self.known_offset, self.known_at) = (next.known_offset, next.known_at);
            if self.first_known < 0 {
                (self.first_known, self.first_known_at) = (next.first_known, next.first_known_at);
            }
        }
    }

    fn add_gap(&mut self, next: &Self, before: i64, limits: Limits) {
        let gap = gap_ms(before, next.first);
        for gap in [next.longest_gap_ms, next.second_gap_ms, gap] {
            if gap > self.longest_gap_ms {
                self.second_gap_ms = self.longest_gap_ms;
                self.longest_gap_ms = gap;
            } else {
                self.second_gap_ms = self.second_gap_ms.max(gap);
            }
        }
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

    /// Adds the steps back and forth between the last offset that was not deleted and the next
    /// ones, and returns how many of them went back.
    fn add_steps(&mut self, next: &Self, limits: Limits) -> i64 {
        let is_step = self.known_offset >= 0 && next.first_known >= 0;
        let step = next.first_known.saturating_sub(self.known_offset);
        let here = is_step && step <= -limits.rewind;
        if next.rewinds > 0 {
            self.rewound_at = next.rewound_at;
            self.rewound_from = next.rewound_from;
            self.rewound_to = next.rewound_to;
            self.rewound_gap_ms = next.rewound_gap_ms;
            self.rewound_deleted = next.rewound_deleted;
        } else if here {
            self.rewound_at = next.first_known_at;
            self.rewound_from = self.known_offset;
            self.rewound_to = next.first_known;
            self.rewound_gap_ms = gap_ms(self.known_at, next.first_known_at);
            let is_deleted = self.committed_offset < 0 || next.first_offset < 0;
            self.rewound_deleted = i64::from(is_deleted);
        }
        let again = if here { step.saturating_neg() } else { 0 };
        self.again = self.again.wrapping_add(again).wrapping_add(next.again);
        if is_step && step > 0 && step >= self.jump() {
            self.jump_at = next.first_known_at;
            self.jump_from = self.known_offset;
            self.jump_to = next.first_known;
        }
        if next.jump_to >= 0 && next.jump() >= self.jump() {
            self.jump_at = next.jump_at;
            self.jump_from = next.jump_from;
            self.jump_to = next.jump_to;
        }
        let rewinds = next.rewinds + i64::from(here);
        self.rewinds = self.rewinds.wrapping_add(rewinds);
        rewinds
    }

    /// By how much the offset rose most at once.
    fn jump(&self) -> i64 {
        self.jump_to.saturating_sub(self.jump_from)
    }

    fn add_stretches(&mut self, next: &Self, limits: Limits) {
        let is_one =
            |left: i64, right: i64| left >= 0 && left / limits.stretch == right / limits.stretch;
        if next.recent_at < 0 {
            return;
        }
        if next.before_at < 0 {
            if !is_one(self.recent_at, next.recent_at) {
                (self.before_at, self.before_offset) = (self.recent_at, self.recent_offset);
                (self.recent_at, self.recent_offset) = (next.recent_at, next.recent_offset);
            }
            return;
        }
        let is_first = next.before_at == next.first_known_at;
        (self.before_at, self.before_offset) = if is_first && is_one(self.recent_at, next.before_at)
        {
            (self.recent_at, self.recent_offset)
        } else {
            (next.before_at, next.before_offset)
        };
        (self.recent_at, self.recent_offset) = (next.recent_at, next.recent_offset);
    }

    /// As `add_stretches`, with the commits from the first one of a day on, and of them those that
    /// went back; `rewinds` are those of the next part and of the step to it.
    fn add_days(&mut self, next: &Self, rewinds: i64, limits: Limits) {
        let is_one = |left: i64, right: i64| left >= 0 && left / limits.day == right / limits.day;
        if self.day_at >= 0 {
            self.day_commits = self.day_commits.wrapping_add(next.commits);
            self.day_rewinds = self.day_rewinds.wrapping_add(rewinds);
        }
        if self.eve_at >= 0 {
            self.eve_commits = self.eve_commits.wrapping_add(next.commits);
            self.eve_rewinds = self.eve_rewinds.wrapping_add(rewinds);
        }
        if next.day_at < 0 {
            return;
        }
        let joins_first = next.eve_at == next.first_known_at && is_one(self.day_at, next.eve_at);
        if next.eve_at >= 0 && !joins_first {
            self.eve_at = next.eve_at;
            self.eve_offset = next.eve_offset;
            self.eve_commits = next.eve_commits;
            self.eve_rewinds = next.eve_rewinds;
        } else if next.eve_at >= 0 || !is_one(self.day_at, next.day_at) {
            self.eve_at = self.day_at;
            self.eve_offset = self.day_offset;
            self.eve_commits = self.day_commits;
            self.eve_rewinds = self.day_rewinds;
        } else {
            return;
        }
        self.day_at = next.day_at;
        self.day_offset = next.day_offset;
        self.day_commits = next.day_commits;
        self.day_rewinds = next.day_rewinds;
    }
}

/// The milliseconds between two times in microseconds; 0 where one of them is not known.
fn gap_ms(earlier: i64, later: i64) -> i64 {
    if earlier >= 0 && later >= 0 {
        later.saturating_sub(earlier).max(0) / 1000
    } else {
        0
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
/// first, and its sum of 37 numbers.
///
/// All are int64, given and returned, in the order of the log: a key for each commit or sum; in
/// `parts` the offsets (-1: deleted) and the times (-1: not known) of commits, or 37 numbers for
/// each sum. `limits` are the milliseconds of a pause, by how much an offset falls in a rewind, and
/// the microseconds of a stretch and of a day.
#[pyfunction]
fn sum_commits<'py>(
    py: Python<'py>,
    keys: &Bound<'_, PyAny>,
    parts: Vec<Bound<'_, PyAny>>,
    limits: (i64, i64, i64, i64),
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let mut loan = Loan::default();
    loan.input(Some(keys))?;
    for part in &parts {
        loan.input(Some(part))?;
    }
    let mut slices = loan.slices()?;
    let keys = slices.numbers_read::<i64>();
    let inputs: Vec<&[i64]> = parts.iter().map(|_| slices.numbers_read()).collect();
    let (pause_ms, rewind, stretch, day) = limits;
    let limits = Limits {
        pause_ms,
        rewind,
        stretch: stretch.max(1),
        day: day.max(1),
    };
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
        stretch: 5_000,
        day: 10_000,
    };

    #[test]
    fn sums_of_sums_are_those_of_the_commits() {
        let commits = [
            (7, 1000),
            (7, 2000),
            (9, 30_000),
            (1, 31_000),
            (-1, 32_000),
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
        let numbers = whole[0].sum.numbers();
        assert_eq!(
            numbers[..14],
            [1, 1000, 40_000, 5, 7, 9, 40_000, 1, 28, 1, 1, 31_000, 9, 1]
        );
        assert_eq!(
            numbers[14..],
            [
                8, 1, 40_000, 7, 1000, 1, 0, 8, 30_000, 7, 9, 40_000, 1, 30_000, 9, 40_000, 1, 1,
                0, 30_000, 9, 3, 1
            ]
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
