//! The counters of a core that was compiled with `-C passes=sancov-module`: one byte for each
//! branch, which the compiled code raises. Without them there are none, and this does nothing.
#![allow(unsafe_code)]

use std::ptr;
use std::slice;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

static START: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
static SIZE: AtomicUsize = AtomicUsize::new(0);
/// Of each counter, the classes of counts that an execution has reached, a bit each.
static REACHED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Compiled code calls this when it is loaded.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    START.store(start, Ordering::Relaxed);
    SIZE.store(stop.addr() - start.addr(), Ordering::Relaxed);
}

/// Compiled code calls this, too; where the branches are in the code is of no interest here.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_pcs_init(_: *const usize, _: *const usize) {}

fn counters() -> &'static mut [u8] {
    let start = START.load(Ordering::Relaxed);
    if start.is_null() {
        return &mut [];
    }
    // SAFETY: the memory is the counters' own and lives as long as the library. Compiled code
    // raises them by plain stores, on this thread: the GIL is held.
    unsafe { slice::from_raw_parts_mut(start, SIZE.load(Ordering::Relaxed)) }
}

/// Sets all counters to zero.
pub fn clear() {
    counters().fill(0);
}

/// Whether the execution since `clear` has reached a branch, or has passed one so many times, as
/// none before it did.
pub fn are_new() -> bool {
    let counters = counters();
    if counters.is_empty() {
        return false;
    }
    let mut reached = REACHED.lock().unwrap_or_else(PoisonError::into_inner);
    reached.resize(counters.len(), 0);
    let mut are_new = false;
    let (words, rest) = counters.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        if u64::from_ne_bytes(*word) != 0 {
            are_new |= note(word, &mut reached[8 * index..]);
        }
    }
    are_new | note(rest, &mut reached[8 * words.len()..])
}

fn note(counts: &[u8], reached: &mut [u8]) -> bool {
    let mut is_new = false;
    for (&count, classes) in counts.iter().zip(reached) {
        let class = class(count);
        is_new |= *classes & class != class;
        *classes |= class;
    }
    is_new
}

/// The bit of a count: 1, 2, 3, 4 and more, 8, 16, 32, 128.
const fn class(count: u8) -> u8 {
    match count {
        0 => 0,
        1..=3 => 1 << (count - 1),
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        _ => 128,
    }
}

/// How many branches the executions of this process have reached.
#[pyfunction]
pub fn edges() -> usize {
    let reached = REACHED.lock().unwrap_or_else(PoisonError::into_inner);
    reached.iter().filter(|&&classes| classes != 0).count()
}
