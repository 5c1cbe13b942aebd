//! The next of many literals in a text, found in one pass; see `kproto.capture.text.prefilter`.

use aho_corasick::{AhoCorasick, Input, MatchKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A set of literals, numbered in the order in which they were given.
#[pyclass(name = "Literals", module = "kproto.codec._core", frozen)]
pub struct PyLiterals {
    automaton: AhoCorasick,
}

#[pymethods]
impl PyLiterals {
    #[new]
    fn new(literals: Vec<Vec<u8>>) -> PyResult<Self> {
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostFirst)
            .build(literals)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { automaton })
    }

    /// The position and the number of the first literal from `start` on; None if there is none.
    fn find(&self, text: &[u8], start: usize) -> Option<(usize, usize)> {
        let rest = text.get(start..)?;
        let found = self.automaton.find(Input::new(rest))?;
        Some((start + found.start(), found.pattern().as_usize()))
    }
}
