//! The sums of the commits of all partitions, in the order of the log, and the rebalances that a
//! commit comes after; see `kproto.pipeline.tables.commits`, and `python_sums`, which has the same
//! in Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::HashSet;

use crate::codes::Codes;
use crate::memory::{Loan, Slices};
use crate::records::value_at;
use crate::sums::{Limits, NUMBERS, Sum, UNKNOWN};

/// int64 of an interruption.
const FIELDS: usize = 9;
/// The row of an interruption after which there is no commit so far.
const NO_ROW: i64 = -1;
/// The offset of a commit that deletes one; every other one is of a commit, negative ones too.
const DELETED: i64 = i64::MIN;

/// Texts and numbers in one stretch of memory, each entry once.
struct Names {
    codes: Codes,
    data: Vec<u8>,
    ends: Vec<usize>,
}

impl Names {
    fn new() -> Self {
        Self {
            codes: Codes::new(),
            data: Vec::new(),
            ends: vec![0],
        }
    }

    fn get(&self, code: u32) -> Option<&[u8]> {
        let [start, end] = *self.ends.get(code as usize..)?.first_chunk()?;
        self.data.get(start..end)
    }

    /// The code of a name, which is a new one where the name is.
    fn code(&mut self, name: &[u8]) -> u32 {
        let (data, ends) = (&self.data, &self.ends);
        let same = |code: u32| {
            let range = ends.get(code as usize..).and_then(<[_]>::first_chunk);
            range.is_some_and(|&[start, end]| data.get(start..end) == Some(name))
        };
        let (code, is_new) = self.codes.of_bytes(name, same);
        if is_new {
            self.data.extend_from_slice(name);
            self.ends.push(self.data.len());
        }
        code
    }

    fn find(&self, name: &[u8]) -> Option<u32> {
        self.codes
            .find_bytes(name, |code| self.get(code) == Some(name))
    }
}

/// What is known of a partition that a group commits.
struct Entry {
    group: u32,
    /// None before its first commit.
    sum: Option<Sum>,
    /// The last time of what was added last.
    before: i64,
    /// Offset and time of the last commit that deleted nothing.
    last: Option<(i64, i64)>,
    /// The batch that `steps` is of: in another one, no step was passed so far.
    batch: u32,
    /// How many rebalances of the batch came before its last commit.
    steps: u32,
}

impl Entry {
    fn add(&mut self, next: &Sum, limits: Limits) {
        match &mut self.sum {
            Some(sum) => sum.add(next, self.before, limits),
            None => self.sum = Some(*next),
        }
        self.before = next.last;
    }

    /// The fields of an interruption: the entry; offset and time of the commit before, and of the
    /// one that its pace is reckoned from (times -1: not known); the row of the commit after; how
    /// many steps there are, the first and the last.
    fn interruption(
        &self,
        number: i32,
        row: i64,
        (count, first, last): (i64, i64, i64),
    ) -> Option<[i64; FIELDS]> {
        let ((offset, at), sum) = (self.last?, self.sum.as_ref()?);
        let (base_at, base) = if sum.recent_at >= 0 && at > sum.recent_at {
            (sum.recent_at, sum.recent_offset)
        } else {
            (sum.before_at, sum.before_offset)
        };
        let base_at = if at > base_at { base_at } else { UNKNOWN };
        let number = i64::from(number);
        Some([number, offset, at, base, base_at, row, count, first, last])
    }
}

/// The rebalances of a batch: the groups, in whose order they are, and their places in the log.
struct Steps<'a> {
    groups: &'a [i32],
    positions: &'a [i64],
    /// A byte each: whether members read on what stays with them.
    keeps: &'a [u8],
    /// The partitions that such a rebalance moved.
    moved: HashSet<(u32, u32)>,
}

impl Steps<'_> {
    /// How many of these steps interrupted a partition, the first and the last of them.
    fn interrupting(&self, entry: u32, from: u32, to: u32) -> (i64, i64, i64) {
        let (mut count, mut first, mut last) = (0, UNKNOWN, UNKNOWN);
        for step in from..to {
            let keeps = self.keeps.get(step as usize).is_some_and(|&byte| byte != 0);
            if keeps && !self.moved.contains(&(step, entry)) {
                continue;
            }
            if count == 0 {
                first = i64::from(step);
            }
            (count, last) = (count + 1, i64::from(step));
        }
        (count, first, last)
    }
}

/// The commits of a batch, in the order of the log.
struct Rows<'a> {
    /// The number of each key.
    entries: &'a [i32],
    codes: &'a [i32],
    offsets: &'a [i64],
    times: &'a [i64],
    positions: &'a [i64],
}

/// See the module.
#[pyclass(module = "kproto.codec._core")]
pub struct CommitSums {
    keys: Names,
    groups: Names,
    entries: Vec<Entry>,
    /// The entries of each group.
    of_groups: Vec<Vec<u32>>,
    batch: u32,
    limits: Limits,
}

impl CommitSums {
    fn entry_of(&mut self, group: &[u8], topic: &[u8], partition: i32, name: &mut Vec<u8>) -> u32 {
        write_name(name, group, topic, partition);
        let number = self.keys.code(name);
        if number as usize == self.entries.len() {
            let group = self.groups.code(group);
            if group as usize == self.of_groups.len() {
                self.of_groups.push(Vec::new());
            }
            if let Some(entries) = self.of_groups.get_mut(group as usize) {
                entries.push(number);
            }
            self.entries.push(Entry {
                group,
                sum: None,
                before: UNKNOWN,
                last: None,
                batch: 0,
                steps: 0,
            });
        }
        number
    }

    /// Adds a batch, and returns the interruptions: of rows, and of the partitions of groups with
    /// steps that no row comes after.
    fn take(&mut self, rows: &Rows<'_>, steps: &Steps<'_>, waiting: &[i32]) -> Option<Vec<i64>> {
        self.batch = self.batch.checked_add(1)?;
        let mut waits: HashSet<u32> = waiting.iter().map(|&entry| entry as u32).collect();
        // Of each group: its first step, the next one, and the end of its steps.
        let mut spans = vec![(0_u32, 0_u32, 0_u32); self.of_groups.len()];
        for (number, &group) in steps.groups.iter().enumerate() {
            let span = spans.get_mut(usize::try_from(group).ok()?)?;
            if span.2 == 0 {
                (span.0, span.1) = (number as u32, number as u32);
            }
            span.2 = number as u32 + 1;
        }
        let mut events = Vec::new();
        let columns = rows.codes.iter().zip(rows.offsets).zip(rows.times);
        for (row, ((&code, &offset), &time)) in columns.enumerate() {
            let number = *rows.entries.get(usize::try_from(code).ok()?)?;
            let entry = self.entries.get_mut(usize::try_from(number).ok()?)?;
            let next = Sum::of_commit(offset.max(UNKNOWN), time);
            let span = spans.get_mut(entry.group as usize)?;
            if offset != DELETED && (span.2 > 0 || !waits.is_empty()) {
                let position = *rows.positions.get(row)?;
                while span.1 < span.2 && *steps.positions.get(span.1 as usize)? < position {
                    span.1 += 1;
                }
                let from = if entry.batch == self.batch {
                    entry.steps
                } else {
                    span.0
                };
                (entry.batch, entry.steps) = (self.batch, span.1);
                if entry.last.is_some() {
                    let is_waiting = !waits.is_empty() && waits.remove(&(number as u32));
                    if from < span.1 || is_waiting {
                        let range = steps.interrupting(number as u32, from, span.1);
                        if range.0 > 0 || is_waiting {
                            events.extend(entry.interruption(number, row as i64, range)?);
                        }
                    }
                }
            }
            if offset != DELETED {
                entry.last = Some((offset, time));
            }
            entry.add(&next, self.limits);
        }
        self.open_ends(&spans, steps, &mut events)?;
        Some(events)
    }

    fn open_ends(
        &self,
        spans: &[(u32, u32, u32)],
        steps: &Steps<'_>,
        events: &mut Vec<i64>,
    ) -> Option<()> {
        for (span, entries) in spans.iter().zip(&self.of_groups) {
            if span.2 == 0 {
                continue;
            }
            for &number in entries {
                let entry = self.entries.get(number as usize)?;
                let from = if entry.batch == self.batch {
                    entry.steps
                } else {
                    span.0
                };
                if entry.last.is_none() {
                    continue;
                }
                let range = steps.interrupting(number, from, span.2);
                if range.0 > 0 {
                    events.extend(entry.interruption(number as i32, NO_ROW, range)?);
                }
            }
        }
        Some(())
    }
}

/// Group, topic and partition as bytes that no others have.
fn write_name(name: &mut Vec<u8>, group: &[u8], topic: &[u8], partition: i32) {
    name.clear();
    name.extend_from_slice(&(group.len() as u32).to_ne_bytes());
    name.extend_from_slice(&partition.to_ne_bytes());
    name.extend_from_slice(group);
    name.extend_from_slice(topic);
}

/// Columns of Arrow's: offsets and bytes of groups and topics, and the partitions.
struct Columns<'a> {
    group: (&'a [u8], &'a [u8]),
    topic: (&'a [u8], &'a [u8]),
    partition: &'a [i32],
}

impl<'a> Columns<'a> {
    fn of(slices: &mut Slices<'a>) -> Self {
        Self {
            group: (slices.input(), slices.input()),
            topic: (slices.input(), slices.input()),
            partition: slices.numbers_read(),
        }
    }

    fn rows(&self) -> impl Iterator<Item = Option<(&'a [u8], &'a [u8], i32)>> {
        let (group, topic) = (self.group, self.topic);
        self.partition
            .iter()
            .enumerate()
            .map(move |(row, &partition)| {
                let group = value_at(group.0, group.1, row)?;
                Some((group, value_at(topic.0, topic.1, row)?, partition))
            })
    }
}

fn lent<'py>(buffers: &[Option<Bound<'py, PyAny>>]) -> PyResult<Loan> {
    let mut loan = Loan::default();
    for buffer in buffers {
        loan.input(buffer.as_ref())?;
    }
    Ok(loan)
}

/// A number (int32) for each row of the columns, in their order.
fn each_number<'py>(
    py: Python<'py>,
    names: &[Option<Bound<'py, PyAny>>],
    mut number: impl FnMut(&[u8], &[u8], i32) -> i32,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut loan = lent(names)?;
    let columns = Columns::of(&mut loan.slices()?);
    let mut numbers = Vec::with_capacity(4 * columns.partition.len());
    for row in columns.rows() {
        let (group, topic, partition) = row.ok_or_else(outside)?;
        numbers.extend_from_slice(&number(group, topic, partition).to_ne_bytes());
    }
    Ok(PyBytes::new(py, &numbers))
}

fn outside() -> PyErr {
    PyValueError::new_err("a value lies outside of the columns")
}

fn bytes_of(py: Python<'_>, numbers: impl Iterator<Item = i64>) -> Bound<'_, PyBytes> {
    PyBytes::new(py, &numbers.flat_map(i64::to_ne_bytes).collect::<Vec<_>>())
}

type Buffers<'py> = Vec<Option<Bound<'py, PyAny>>>;

#[pymethods]
impl CommitSums {
    /// `limits` are the milliseconds of a pause, by how much an offset falls in a rewind, and the
    /// microseconds of a stretch and of a day.
    #[new]
    fn new(limits: (i64, i64, i64, i64)) -> Self {
        let (pause_ms, rewind, stretch, day) = limits;
        Self {
            keys: Names::new(),
            groups: Names::new(),
            entries: Vec::new(),
            of_groups: Vec::new(),
            batch: 0,
            limits: Limits {
                pause_ms,
                rewind,
                stretch: stretch.max(1),
                day: day.max(1),
            },
        }
    }

    /// How many partitions there are.
    fn __len__(&self) -> usize {
        self.entries.len()
    }

    /// The numbers of partitions, as int32; new ones follow in the order in which they come.
    /// `names` are the offsets (int32) and the bytes of groups and of topics, and the partitions.
    fn numbers<'py>(
        &mut self,
        py: Python<'py>,
        names: Buffers<'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut name = Vec::new();
        each_number(py, &names, |group, topic, partition| {
            self.entry_of(group, topic, partition, &mut name) as i32
        })
    }

    /// The same of partitions that may not be known: -1 for one that is not.
    fn find<'py>(&self, py: Python<'py>, names: Buffers<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut name = Vec::new();
        each_number(py, &names, |group, topic, partition| {
            write_name(&mut name, group, topic, partition);
            self.keys.find(&name).map_or(-1, |number| number as i32)
        })
    }

    /// The numbers of groups, -1 for one that has not committed.
    fn groups(&self, names: Vec<String>) -> Vec<i64> {
        let number = |name: &String| self.groups.find(name.as_bytes()).map_or(-1, i64::from);
        names.iter().map(number).collect()
    }

    /// Adds commits in the order of the log, and gives the interruptions (see `Entry::interruption`).
    ///
    /// `rows` are the numbers of keys (int32), the key of each commit (int32), offsets (the
    /// least int64: deleted), times (-1: not known) and places in the log. `steps` are the rebalances, sorted by
    /// group and place: groups (int32), places, a byte each for those that let members read on,
    /// and what these moved: steps and partitions (int32). `waiting` (int32) are partitions of
    /// which the next commit is an interruption, whatever the steps.
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        rows: Buffers<'py>,
        steps: Buffers<'py>,
        waiting: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut loan = lent(&rows)?;
        for buffer in &steps {
            loan.input(buffer.as_ref())?;
        }
        loan.input(Some(&waiting))?;
        let mut slices = loan.slices()?;
        let rows = Rows {
            entries: slices.numbers_read(),
            codes: slices.numbers_read(),
            offsets: slices.numbers_read(),
            times: slices.numbers_read(),
            positions: slices.numbers_read(),
        };
        let (groups, positions) = (slices.numbers_read(), slices.numbers_read());
        let keeps = slices.input();
        let pairs = slices.numbers_read::<i32>().iter();
        let moved = pairs.zip(slices.numbers_read::<i32>());
        let steps = Steps {
            groups,
            positions,
            keeps,
            moved: moved
                .map(|(&step, &entry)| (step as u32, entry as u32))
                .collect(),
        };
        let waiting = slices.numbers_read();
        let events = py
            .detach(|| self.take(&rows, &steps, waiting))
            .ok_or_else(outside)?;
        Ok(bytes_of(py, events.into_iter()))
    }

    /// Adds sums that others have made, 39 int64 each, of the partitions with these numbers.
    fn add_sums(&mut self, numbers: &Bound<'_, PyAny>, sums: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut loan = lent(&[Some(numbers.clone()), Some(sums.clone())])?;
        let mut slices = loan.slices()?;
        let numbers = slices.numbers_read::<i32>();
        let sums = slices.numbers_read::<i64>().as_chunks::<NUMBERS>().0;
        for (&number, sum) in numbers.iter().zip(sums) {
            let entry = usize::try_from(number).ok();
            let entry = entry.and_then(|number| self.entries.get_mut(number));
            let entry = entry.ok_or_else(outside)?;
            let next = Sum::of_numbers(sum);
            if next.known_offset >= 0 {
                entry.last = Some((next.known_offset, next.known_at));
            }
            entry.add(&next, self.limits);
        }
        Ok(())
    }

    /// The numbers of the partitions that have commits, and their sums, 39 int64 each.
    fn sums<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, Bound<'py, PyBytes>) {
        let sums = self.entries.iter().enumerate();
        let sums = sums.filter_map(|(number, entry)| entry.sum.as_ref().map(|sum| (number, sum)));
        let numbers = bytes_of(py, sums.clone().map(|(number, _)| number as i64));
        (
            numbers,
            bytes_of(py, sums.flat_map(|(_, sum)| sum.numbers())),
        )
    }
}
