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
//! ```
//!
//! It reads and writes what is plain. Whatever it finds odd goes to the diagnostic reader and the
//! Python writer, so that there is one place for errors.

pub mod counts;
pub mod cursor;
mod entry;
mod objects;
pub mod program;
mod python;
pub mod shape;
pub mod walk;
mod write;

use pyo3::prelude::*;

/// The compiled core; see `kproto.codec.core`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    #[cfg(Py_GIL_DISABLED)]
    return Err(pyo3::exceptions::PyImportError::new_err(
        "kproto's compiled core does not support free-threaded Python",
    ));
    #[cfg(not(Py_GIL_DISABLED))]
    {
        module.add_class::<entry::PyProgram>()?;
        module.add_class::<entry::PyShape>()
    }
}
