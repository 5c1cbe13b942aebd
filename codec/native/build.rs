//! Passes on which CPython is compiled for: `Py_3_12` and the like.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
