//! The lines of a block of a log in which digits stand as bytes are written; see
//! `kproto.capture.text.prefilter`, whose classes and signs these are.

use aho_corasick::AhoCorasick;
use memchr::{memchr_iter, memchr2_iter, memrchr};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The classes of hex digits, and of all that is in a list of numbers.
const DIGIT: u8 = b'h';
const IN_LISTS: &[u8] = b"hx +";
/// What begins a list.
const BRACKETS: (u8, u8) = (b'[', b'{');

/// What tells an id from a message.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Ids {
    /// How many digits an id has.
    lengths: Vec<usize>,
    /// How a message begins.
    message: Vec<u8>,
    /// Bytes of which none is beside an id.
    not_before: Vec<u8>,
    not_behind: Vec<u8>,
    /// What none of the four bytes before an id is.
    call: u8,
}

/// Finds lines by the digits in them.
#[pyclass(frozen, name = "Digits", module = "kproto.codec._core")]
pub struct PyDigits {
    classes: [u8; 256],
    /// Whether a byte may be in a sign or in a word of digits.
    in_signs: [bool; 256],
    in_lists: [bool; 256],
    signs: AhoCorasick,
    /// The fewest bytes of a sign, of a word of digits, and of a list.
    sign: usize,
    word: usize,
    list: usize,
    ids: Ids,
}

#[pymethods]
impl PyDigits {
    /// `classes` has the class of each byte; `signs` are written in classes, and stay in a line.
    /// A word of so many digits is a sign, too, unless it is an id, and so is a list of so many
    /// bytes, or one that goes on on the next line.
    #[new]
    fn new(
        classes: [u8; 256],
        signs: Vec<Vec<u8>>,
        word: usize,
        list: usize,
        ids: Ids,
    ) -> PyResult<Self> {
        let automaton =
            AhoCorasick::new(&signs).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let in_sign = |class| class == DIGIT || signs.iter().any(|sign| sign.contains(&class));
        Ok(Self {
            classes,
            in_signs: classes.map(in_sign),
            in_lists: classes.map(|class| IN_LISTS.contains(&class)),
            signs: automaton,
            sign: signs.iter().map(Vec::len).min().unwrap_or(usize::MAX),
            word,
            list,
            ids,
        })
    }

    /// The positions of lines that may hold bytes, and of those that hold ids, once for each.
    fn lines(&self, block: &[u8]) -> (Vec<usize>, Vec<usize>) {
        let (mut lines, mut ids) = (Line::of(block), Line::of(block));
        let least = self.sign.min(self.word);
        let mut classes = Vec::new();
        let mut end = 0;
        // Whatever is as long as a sign has one of the bytes that are so far apart.
        let mut at = least - 1;
        while at < block.len() {
            if !self.is_in_sign(block[at]) {
                at += least;
                continue;
            }
            let is_outside = |byte: &u8| !self.is_in_sign(*byte);
            let before = block[end..at].iter().rposition(is_outside);
            let start = before.map_or(end, |before| end + before + 1);
            let behind = block[at..].iter().position(is_outside);
            end = behind.map_or(block.len(), |behind| at + behind);
            if end - start >= self.sign {
                classes.clear();
                classes.extend(block[start..end].iter().map(|byte| self.class(*byte)));
                if self.signs.is_match(&classes) {
                    lines.add(start);
                }
            }
            if end - start >= self.word {
                self.words(block, start, end, &mut lines, &mut ids);
            }
            at = end + least;
        }
        let mut lists = Line::of(block);
        for at in memchr2_iter(BRACKETS.0, BRACKETS.1, block) {
            if self.is_list(&block[at + 1..]) {
                lists.add(at);
            }
        }
        lines.starts.append(&mut lists.starts);
        (lines.starts, ids.starts)
    }

    /// How many lines end between two positions.
    #[staticmethod]
    fn line_ends(block: &[u8], start: usize, end: usize) -> usize {
        block
            .get(start..end)
            .map_or(0, |lines| memchr_iter(b'\n', lines).count())
    }
}

impl PyDigits {
    fn class(&self, byte: u8) -> u8 {
        self.classes[usize::from(byte)]
    }

    fn is_in_sign(&self, byte: u8) -> bool {
        self.in_signs[usize::from(byte)]
    }

    /// Adds the line of every long word of digits between two positions.
    fn words(&self, block: &[u8], start: usize, end: usize, lines: &mut Line, ids: &mut Line) {
        let mut at = start;
        for part in block[start..end].split(|byte| self.class(*byte) != DIGIT) {
            let until = at + part.len();
            if part.len() >= self.word {
                if self.is_id(block, at, until) {
                    ids.add(at);
                } else {
                    lines.add(at);
                }
            }
            at = until + 1;
        }
    }

    /// As `_is_id` of `prefilter.py`.
    fn is_id(&self, block: &[u8], start: usize, end: usize) -> bool {
        let (ids, front) = (&self.ids, &block[..start]);
        let call = &front[start.saturating_sub(4)..];
        ids.lengths.contains(&(end - start))
            && !block[start..].starts_with(&ids.message)
            && !front
                .last()
                .is_some_and(|byte| ids.not_before.contains(byte))
            && !call.contains(&ids.call)
            && !block
                .get(end)
                .is_some_and(|byte| ids.not_behind.contains(byte))
    }

    /// Whether the bytes behind a bracket are a long list, or one that goes on on the next line.
    fn is_list(&self, rest: &[u8]) -> bool {
        let inside = rest.iter().take(self.list);
        let size = inside
            .take_while(|byte| self.in_lists[usize::from(**byte)])
            .count();
        let rest = &rest[size..];
        let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
        size == self.list || rest.is_empty() || rest[0] == b'\n'
    }
}

/// The beginnings of lines, of which the last one is known.
struct Line<'b> {
    block: &'b [u8],
    starts: Vec<usize>,
    searched: usize,
}

impl<'b> Line<'b> {
    fn of(block: &'b [u8]) -> Self {
        let starts = Vec::new();
        Self {
            block,
            starts,
            searched: 0,
        }
    }

    /// Adds the line of a position, which is behind those so far.
    fn add(&mut self, at: usize) {
        let last = self.starts.last().copied().unwrap_or(0);
        let end = memrchr(b'\n', &self.block[self.searched..at]);
        self.starts
            .push(end.map_or(last, |end| self.searched + end + 1));
        self.searched = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits() -> PyDigits {
        let mut classes = [b'?'; 256];
        for (class, members) in [
            (b'h', "0123456789abcdefABCDEF"),
            (b' ', " ,:-"),
            (b'\n', "\n"),
        ] {
            for member in members.bytes() {
                classes[usize::from(member)] = class;
            }
        }
        let ids = Ids {
            lengths: vec![8],
            message: b"000".to_vec(),
            not_before: b"q".to_vec(),
            not_behind: b".".to_vec(),
            call: b'(',
        };
        PyDigits::new(classes, vec![b"hh hh hh".to_vec()], 6, 5, ids).expect("it is made")
    }

    #[test]
    fn words_signs_and_ids_are_found() {
        let block = b"x\n00112233 1\nq12345678\n12345678.\nx abcdefab x\n10:11:12\n1:1:1:1:1\n";
        let (lines, ids) = digits().lines(block);
        let line = |number: usize| {
            let ends = memchr_iter(b'\n', block).map(|end| end + 1);
            ends.take(number).last().unwrap_or(0)
        };
        assert_eq!(lines, [2, 3, 5].map(line));
        assert_eq!(ids, [1, 4].map(line));
    }

    #[test]
    fn lists_are_found() {
        for (block, is_list) in [
            (&b"x [1, 2,"[..], true),
            (b"x [1, 2]", false),
            (b"[1\n", true),
            (b"{\r\n", true),
            (b"[\r", true),
            (b"[\rx", false),
        ] {
            assert_eq!(
                digits().lines(block).0.len(),
                usize::from(is_list),
                "{block:?}"
            );
        }
    }

    #[test]
    fn line_ends_are_counted() {
        assert_eq!(PyDigits::line_ends(b"\n\na\n", 1, 4), 2);
        assert_eq!(PyDigits::line_ends(b"\n", 1, 4), 0);
    }
}
