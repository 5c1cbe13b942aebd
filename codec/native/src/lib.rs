//! The compiled core of kproto's codec: one walker that runs programs made from layouts, with a
//! sink for message objects, one for Arrow columns and one for shapes alone; and one writer.
//!
//! ```text
//! entry ── what Python calls
//!   ├── walk ──> objects ── python    a message into objects
//!   ├── walk ──> shape                where a message ends
//!   ├── walk ──> counts               what a walk meets, for campaigns
//!   ├── write ── python               a message's fields into bytes
//!   └── program, cursor               what they run, what they read from
//!
//! columns ── walk, text, memory       columns of bytes into Arrow columns
//! records ── batches, codes, memory   record batches into Arrow columns
//! ledger ── sums, codes, memory       commits summed up by their keys, and what interrupts them
//! lines ── batches, json ── walk      records of the offsets topic into JSON
//! batches                             record batches, one by one
//! fingerprints ── memory              what members say, as bytes that can be compared
//! codes                               a number for each distinct value
//! literals                            the next of many literals in a text
//! digits                              lines of a log in which digits stand as bytes are written
//! packets                             packets of a capture, and the TCP segments in them
//! executions ── edges                 mutated messages through all of them; no release has it
//! ```
//!
//! It reads and writes what is plain. Whatever it finds odd goes to the diagnostic reader and the
//! Python writer, so that there is one place for errors.

mod batches;
mod codes;
mod columns;
pub mod counts;
pub mod cursor;
mod digits;
#[cfg(feature = "executions")]
mod edges;
mod entry;
#[cfg(feature = "executions")]
mod executions;
mod fingerprints;
mod json;
mod ledger;
mod lines;
mod literals;
mod memory;
mod objects;
mod packets;
pub mod program;
mod python;
mod records;
pub mod shape;
mod sums;
pub mod text;
pub mod walk;
mod write;

use pyo3::prelude::*;

/// The compiled core; see `kproto.codec.runtime.engine`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    #[cfg(Py_GIL_DISABLED)]
    return Err(pyo3::exceptions::PyImportError::new_err(
        "kproto's compiled core does not support free-threaded Python",
    ));
    #[cfg(not(Py_GIL_DISABLED))]
    {
        module.add_class::<entry::PyProgram>()?;
        module.add_class::<entry::PyShape>()?;
        module.add_class::<entry::PyShapes>()?;
        module.add_class::<columns::PyColumnProgram>()?;
        module.add_class::<ledger::CommitSums>()?;
        module.add_class::<lines::PyLines>()?;
        module.add_class::<literals::PyLiterals>()?;
        module.add_class::<digits::PyDigits>()?;
        #[cfg(feature = "executions")]
        {
            module.add_class::<executions::Mutations>()?;
            module.add_function(wrap_pyfunction!(edges::edges, module)?)?;
        }
        packets::register(module)?;
        records::register(module)?;
        fingerprints::register(module)
    }
}
