//! Python objects, and nothing else: the only module of the decoder and the encoder with `unsafe`.
//!
//! Everything here runs with the interpreter attached (the GIL held), which each entry point of
//! `entry` guarantees. Three kinds of reference:
//!
//! - `Owned`: one strong reference, given back when dropped.
//! - `Borrowed<'a>`: a live object that somebody else keeps alive for `'a`.
//! - `Spot`: memory that holds one reference or null, inside an object that is being built and
//!   that nobody else has seen: a slot of a struct, or an item of a tuple.
//!
//! What is relied on in msgspec is where a struct keeps its fields. `Class::bind` finds that out by
//! looking at an instance, so a release of msgspec that changes it is noticed, not trusted.
#![allow(unsafe_code)]

use std::ffi::c_long;
use std::marker::PhantomData;
use std::mem::{self, size_of};
use std::ptr::{self, NonNull};
use std::slice;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::cursor::{Fault, Kind, Outcome};

// -- references

/// One strong reference.
#[repr(transparent)]
pub struct Owned(NonNull<ffi::PyObject>);

// SAFETY: references are counted only with the GIL held, and the module refuses to load where
// there is none.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: `Owned` holds exactly one reference, and gives it back once.
        unsafe { ffi::Py_DECREF(self.0.as_ptr()) }
    }
}

impl Owned {
    /// Takes over a new reference that a function of CPython returned; null means that it raised.
    #[inline(always)]
    unsafe fn new(object: *mut ffi::PyObject) -> Outcome<Self> {
        NonNull::new(object).map(Self).ok_or(RAISED)
    }

    #[inline(always)]
    pub fn into_raw(self) -> *mut ffi::PyObject {
        let raw = self.0.as_ptr();
        mem::forget(self);
        raw
    }

    #[inline(always)]
    pub fn borrowed(&self) -> Borrowed<'_> {
        Borrowed(self.0, PhantomData)
    }
}

const RAISED: Fault = Fault {
    kind: Kind::Raised,
    at: 0,
};

/// A live object.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Borrowed<'a>(NonNull<ffi::PyObject>, PhantomData<&'a ()>);

impl<'a> Borrowed<'a> {
    /// A reference that CPython lent to the caller for `'a`: an argument of a call.
    ///
    /// # Safety
    /// `object` is a live object for all of `'a`.
    #[inline(always)]
    pub unsafe fn lent(object: *mut ffi::PyObject) -> Option<Self> {
        NonNull::new(object).map(|object| Self(object, PhantomData))
    }

    #[inline(always)]
    pub fn as_ptr(self) -> *mut ffi::PyObject {
        self.0.as_ptr()
    }

    #[inline(always)]
    fn type_ptr(self) -> *mut ffi::PyTypeObject {
        // SAFETY: every live object has a type.
        unsafe { ffi::Py_TYPE(self.0.as_ptr()) }
    }

    #[inline(always)]
    pub fn is(self, other: Borrowed<'_>) -> bool {
        self.0 == other.0
    }

    /// None.
    pub fn none(_: Python<'a>) -> Self {
        // SAFETY: None is not null, and lives as long as the interpreter.
        Self(
            unsafe { NonNull::new_unchecked(ffi::Py_None()) },
            PhantomData,
        )
    }

    #[inline(always)]
    pub fn is_none(self) -> bool {
        // SAFETY: None lives as long as the interpreter.
        self.0.as_ptr() == unsafe { ffi::Py_None() }
    }

    #[inline(always)]
    pub fn new_ref(self) -> Owned {
        // SAFETY: the object is live.
        unsafe { ffi::Py_INCREF(self.0.as_ptr()) };
        Owned(self.0)
    }

    /// True or False; None for anything else.
    #[inline(always)]
    pub fn as_bool(self) -> Option<bool> {
        // SAFETY: True and False live as long as the interpreter.
        unsafe {
            if self.0.as_ptr() == ffi::Py_True() {
                Some(true)
            } else if self.0.as_ptr() == ffi::Py_False() {
                Some(false)
            } else {
                None
            }
        }
    }

    /// The value of an int, of no subclass of it, that fits.
    #[inline(always)]
    pub fn as_int(self) -> Option<i64> {
        if self.type_ptr() != &raw mut ffi::PyLong_Type {
            return None;
        }
        if let Some(value) = compact_int(self.0) {
            return Some(value);
        }
        let mut overflow = 0;
        // SAFETY: it is an int; this neither raises nor runs code for one.
        let value =
            unsafe { ffi::PyLong_AsLongLongAndOverflow(self.0.as_ptr(), &raw mut overflow) };
        (overflow == 0).then_some(value)
    }

    /// The value of a float, of no subclass of it.
    #[inline(always)]
    pub fn as_float(self) -> Option<f64> {
        if self.type_ptr() != &raw mut ffi::PyFloat_Type {
            return None;
        }
        // SAFETY: it is a float.
        Some(unsafe { ffi::PyFloat_AS_DOUBLE(self.0.as_ptr()) })
    }

    /// The UTF-8 of a str, of no subclass of it; None, too, where it has none (a lone surrogate).
    #[inline(always)]
    pub fn as_utf8(self) -> Option<&'a [u8]> {
        if self.type_ptr() != &raw mut ffi::PyUnicode_Type {
            return None;
        }
        let object = self.0.as_ptr();
        // SAFETY: it is a str. What these point to belongs to the str, which lives for `'a` and
        // never changes.
        unsafe {
            if ffi::PyUnicode_IS_COMPACT_ASCII(object) != 0 {
                let size = (*object.cast::<ffi::PyASCIIObject>()).length;
                let data = object.cast::<u8>().add(size_of::<ffi::PyASCIIObject>());
                return Some(slice::from_raw_parts(data, usize::try_from(size).ok()?));
            }
            let mut size = 0;
            let data = ffi::PyUnicode_AsUTF8AndSize(object, &raw mut size);
            if data.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            Some(slice::from_raw_parts(
                data.cast(),
                usize::try_from(size).ok()?,
            ))
        }
    }

    /// The content of a bytes object, of no subclass of it.
    #[inline(always)]
    pub fn as_bytes(self) -> Option<&'a [u8]> {
        if self.type_ptr() != &raw mut ffi::PyBytes_Type {
            return None;
        }
        // SAFETY: it is a bytes object, which lives for `'a` and never changes.
        unsafe {
            let data = ffi::PyBytes_AS_STRING(self.0.as_ptr()).cast();
            let size = usize::try_from(ffi::Py_SIZE(self.0.as_ptr())).ok()?;
            Some(slice::from_raw_parts(data, size))
        }
    }

    /// The items of a tuple, of no subclass of it.
    #[inline(always)]
    pub fn as_tuple(self) -> Option<&'a [Borrowed<'a>]> {
        if self.type_ptr() != &raw mut ffi::PyTuple_Type {
            return None;
        }
        // SAFETY: it is a tuple, which keeps its items for `'a`. A tuple that anybody can hold has
        // no null among its items, and `Borrowed` has the layout of a pointer that is not null.
        unsafe {
            let tuple = self.0.as_ptr().cast::<ffi::PyTupleObject>();
            let size = usize::try_from(ffi::Py_SIZE(self.0.as_ptr())).ok()?;
            Some(slice::from_raw_parts(
                (&raw const (*tuple).ob_item).cast(),
                size,
            ))
        }
    }

    /// Whether the two are equal, where that can be told without running code of theirs.
    pub fn plainly_equals(self, other: Borrowed<'_>) -> Option<bool> {
        if let (Some(one), Some(two)) = (self.as_float(), other.as_float()) {
            return Some(one == two); // not even the same NaN equals itself
        }
        if self.is(other) {
            return Some(true);
        }
        if self.is_none() || other.is_none() {
            return Some(false);
        }
        if self.type_ptr() != other.type_ptr() {
            return None;
        }
        if let (Some(one), Some(two)) = (self.as_int(), other.as_int()) {
            return Some(one == two);
        }
        if let (Some(one), Some(two)) = (self.as_utf8(), other.as_utf8()) {
            return Some(one == two);
        }
        if let (Some(one), Some(two)) = (self.as_bytes(), other.as_bytes()) {
            return Some(one == two);
        }
        if let (Some(one), Some(two)) = (self.as_bool(), other.as_bool()) {
            return Some(one == two);
        }
        match (self.as_tuple(), other.as_tuple()) {
            (Some(one), Some(two)) if one.is_empty() || two.is_empty() => {
                Some(one.len() == two.len())
            }
            _ => None,
        }
    }
}

/// The value of an int of one digit, read in place.
#[cfg(not(Py_3_12))]
#[inline(always)]
fn compact_int(object: NonNull<ffi::PyObject>) -> Option<i64> {
    // SAFETY: CPython 3.11: an int has as many digits of 30 bits as its size says, negative for a
    // negative value; one of size 0 still has room for a digit.
    unsafe {
        let size = ffi::Py_SIZE(object.as_ptr());
        let digit = i64::from(
            *object
                .as_ptr()
                .cast::<u8>()
                .add(size_of::<ffi::PyVarObject>())
                .cast::<u32>(),
        );
        matches!(size, -1..=1).then(|| size as i64 * digit)
    }
}

/// The value of an int of one digit, read in place.
#[cfg(all(Py_3_12, not(Py_3_14)))]
#[inline(always)]
fn compact_int(object: NonNull<ffi::PyObject>) -> Option<i64> {
    // SAFETY: CPython 3.12 and 3.13: a tag whose lowest two bits are 1 less the sign and whose
    // bits from the third on are the number of digits, then digits of 30 bits, one at least.
    unsafe {
        let tag = object
            .as_ptr()
            .cast::<u8>()
            .add(size_of::<ffi::PyObject>())
            .cast::<usize>();
        let digit = i64::from(*tag.add(1).cast::<u32>());
        (*tag < 16).then(|| (1 - (*tag & 3) as i64) * digit)
    }
}

/// Later releases are asked.
#[cfg(Py_3_14)]
#[inline(always)]
fn compact_int(_: NonNull<ffi::PyObject>) -> Option<i64> {
    None
}

// -- new objects

/// `PyLong_FromLong` is the quicker one for ints of one digit.
#[inline(always)]
fn new_int(value: i64) -> Outcome<Owned> {
    // SAFETY: the interpreter is attached, and a new reference comes back.
    unsafe {
        Owned::new(match c_long::try_from(value) {
            Ok(value) => ffi::PyLong_FromLong(value),
            Err(_) => ffi::PyLong_FromLongLong(value),
        })
    }
}

/// Ints from -16 to 1023, made once.
pub struct Ints(Vec<Owned>);

const LEAST_KEPT: i64 = -16;
const MOST_KEPT: i64 = 1023;

impl Ints {
    pub fn new() -> Outcome<Self> {
        Ok(Self(
            (LEAST_KEPT..=MOST_KEPT)
                .map(new_int)
                .collect::<Outcome<_>>()?,
        ))
    }

    #[inline(always)]
    pub fn get(&self, value: i64) -> Outcome<Owned> {
        let index = value.wrapping_sub(LEAST_KEPT);
        match usize::try_from(index)
            .ok()
            .and_then(|index| self.0.get(index))
        {
            Some(kept) => Ok(kept.borrowed().new_ref()),
            None => new_int(value),
        }
    }
}

pub fn none() -> Owned {
    // SAFETY: None is a live object.
    unsafe { ffi::Py_INCREF(ffi::Py_None()) };
    // SAFETY: None is not null, and the reference was counted.
    unsafe { Owned(NonNull::new_unchecked(ffi::Py_None())) }
}

pub fn boolean(value: bool) -> Outcome<Owned> {
    // SAFETY: the interpreter is attached, and a new reference comes back.
    unsafe { Owned::new(ffi::PyBool_FromLong(value.into())) }
}

pub fn float(value: f64) -> Outcome<Owned> {
    // SAFETY: the interpreter is attached, and a new reference comes back.
    unsafe { Owned::new(ffi::PyFloat_FromDouble(value)) }
}

pub fn bytes(raw: &[u8]) -> Outcome<Owned> {
    // SAFETY: the bytes are copied; their number fits, since they are in memory.
    unsafe {
        Owned::new(ffi::PyBytes_FromStringAndSize(
            raw.as_ptr().cast(),
            raw.len() as ffi::Py_ssize_t,
        ))
    }
}

/// A str of UTF-8; odd where it is none.
#[inline(always)]
pub fn text(raw: &[u8], start: usize) -> Outcome<Owned> {
    if raw.len() < 2 || !is_ascii(raw) {
        return other_text(raw, start);
    }
    // SAFETY: a new str of that many ASCII characters has room for that many bytes behind its
    // head, and a zero; nobody else has seen it.
    unsafe {
        let made = Owned::new(ffi::PyUnicode_New(raw.len() as ffi::Py_ssize_t, 127))?;
        let data = made
            .0
            .as_ptr()
            .cast::<u8>()
            .add(size_of::<ffi::PyASCIIObject>());
        ptr::copy_nonoverlapping(raw.as_ptr(), data, raw.len());
        Ok(made)
    }
}

/// Whether no byte is above 127, eight at a time.
#[inline(always)]
fn is_ascii(raw: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let (words, rest) = raw.as_chunks::<8>();
    let mut seen = 0;
    for word in words {
        seen |= u64::from_ne_bytes(*word);
    }
    let mut last = 0;
    for byte in rest {
        last |= byte;
    }
    seen & HIGH == 0 && last < 0x80
}

fn other_text(raw: &[u8], start: usize) -> Outcome<Owned> {
    // SAFETY: the bytes are read only during the call.
    let made = unsafe {
        ffi::PyUnicode_DecodeUTF8(
            raw.as_ptr().cast(),
            raw.len() as ffi::Py_ssize_t,
            ptr::null(),
        )
    };
    // SAFETY: a new reference, or null with an error set.
    unsafe { Owned::new(made) }.map_err(|_| clear_decode_error(start))
}

/// A str of UTF-16, high byte first, in which a surrogate may lack its pair.
pub fn utf16(raw: &[u8], start: usize) -> Outcome<Owned> {
    let mut big_endian = 1;
    // SAFETY: the bytes are read only during the call.
    let made = unsafe {
        ffi::PyUnicode_DecodeUTF16(
            raw.as_ptr().cast(),
            raw.len() as ffi::Py_ssize_t,
            c"surrogatepass".as_ptr(),
            &raw mut big_endian,
        )
    };
    // SAFETY: a new reference, or null with an error set.
    unsafe { Owned::new(made) }.map_err(|_| clear_decode_error(start))
}

#[cold]
fn clear_decode_error(start: usize) -> Fault {
    // SAFETY: the interpreter is attached and an error is set.
    unsafe {
        if ffi::PyErr_ExceptionMatches(ffi::PyExc_UnicodeDecodeError) == 0 {
            return RAISED;
        }
        ffi::PyErr_Clear();
    }
    Fault::new(Kind::Odd, start)
}

// -- objects that are being built

/// Where references go: `len` of them side by side, or one, in an object that nobody has seen.
#[derive(Clone, Copy)]
pub struct Spot {
    first: NonNull<*mut ffi::PyObject>,
    len: usize,
}

impl Spot {
    /// The one reference to what is being built, which is on the caller's stack.
    pub fn root(root: &mut Root) -> Self {
        Self {
            first: NonNull::from(&mut root.0),
            len: 1,
        }
    }

    /// Puts `value` here, in place of what a tagged field that came twice left.
    #[inline(always)]
    pub fn put(self, value: Owned) {
        // SAFETY: the spot is inside an object that its root keeps alive and nobody else sees, and
        // it holds null or a reference of its own.
        unsafe {
            let before = self.first.as_ptr().replace(value.into_raw());
            if !before.is_null() {
                ffi::Py_DECREF(before);
            }
        }
    }

    pub fn is_empty(self) -> bool {
        // SAFETY: as in `put`.
        unsafe { (*self.first.as_ptr()).is_null() }
    }

    /// Puts a new tuple here and gives its items' place.
    #[inline(always)]
    pub fn put_tuple(self, len: usize) -> Outcome<Self> {
        // SAFETY: a new tuple, whose items are null until they are put; the length is bounded by
        // that of a message.
        let tuple = unsafe { Owned::new(ffi::PyTuple_New(len as ffi::Py_ssize_t))? };
        let object = tuple.0.as_ptr().cast::<ffi::PyTupleObject>();
        self.put(tuple);
        // SAFETY: the tuple is alive: it was just put.
        let first = unsafe { NonNull::new_unchecked((&raw mut (*object).ob_item).cast()) };
        Ok(Self { first, len })
    }

    /// The place of one item.
    #[inline(always)]
    pub fn item(self, index: usize) -> Self {
        assert!(index < self.len);
        // SAFETY: the index is below the number of items.
        Self {
            first: unsafe { self.first.add(index) },
            len: 1,
        }
    }

    /// Puts a new tuple of ints here, from big-endian int32, and gives it too.
    #[inline(always)]
    pub fn put_int32s(self, raw: &[u8], ints: &Ints) -> Outcome<Owned> {
        let (numbers, _) = raw.as_chunks::<4>();
        let items = self.put_tuple(numbers.len())?;
        for (index, number) in numbers.iter().enumerate() {
            let value = ints.get(i64::from(i32::from_be_bytes(*number)))?;
            // SAFETY: the index is below the number of items, and these are null: they were just
            // made.
            unsafe { items.first.add(index).write(value.into_raw()) };
        }
        // SAFETY: here is the tuple that was put above.
        Ok(
            unsafe { Borrowed(NonNull::new_unchecked(*self.first.as_ptr()), PhantomData) }
                .new_ref(),
        )
    }

    /// Puts a new instance of `class` here, no field of which is set, and gives its place.
    #[inline(always)]
    pub fn put_instance(self, class: &Class) -> Outcome<Self> {
        // SAFETY: `bind` has seen that the type allocates itself with `tp_alloc` alone, that its
        // memory is zero then, and that an instance whose fields are null can be freed.
        let instance = unsafe { Owned::new((class.allocate)(class.type_ptr, 0))? };
        let object = instance.0;
        self.put(instance);
        Ok(Self {
            first: object.cast(),
            len: class.words,
        })
    }

    /// The place of a field of the instance that begins here.
    #[inline(always)]
    pub fn field(self, class: &Class, field: usize) -> Self {
        let word = class
            .words_of_fields
            .get(field)
            .copied()
            .unwrap_or(usize::MAX);
        self.item(word)
    }
}

impl Spot {
    /// Appends `value` to the list here, a new one where there is none.
    pub fn append(self, value: Owned) -> Outcome<()> {
        if self.is_empty() {
            // SAFETY: a new reference comes back.
            self.put(unsafe { Owned::new(ffi::PyList_New(0))? });
        }
        // SAFETY: here is the list that was put above; it takes a reference of its own.
        let failed = unsafe { ffi::PyList_Append(*self.first.as_ptr(), value.0.as_ptr()) };
        if failed == 0 { Ok(()) } else { Err(RAISED) }
    }

    /// Puts the items of the list here as a tuple.
    pub fn list_to_tuple(self) -> Outcome<()> {
        // SAFETY: here is a list, that `append` put.
        self.put(unsafe { Owned::new(ffi::PyList_AsTuple(*self.first.as_ptr()))? });
        Ok(())
    }
}

/// The class `uuid.UUID`: made of 16 bytes, and asked for them.
pub struct Uuids {
    /// Gives the UUID of 16 bytes.
    make: Owned,
    /// `UUID.bytes.fget`, which gives the bytes of a UUID.
    bytes: Owned,
    class: *mut ffi::PyTypeObject,
    _class: Owned,
}

// SAFETY: as `Class`.
unsafe impl Send for Uuids {}
// SAFETY: as `Class`.
unsafe impl Sync for Uuids {}

impl Uuids {
    /// `make` gives the UUID of 16 bytes.
    pub fn new(make: Bound<'_, PyAny>) -> PyResult<Self> {
        let class = make
            .py()
            .import("uuid")?
            .getattr("UUID")?
            .cast_into::<PyType>()?;
        Ok(Self {
            make: owned(make),
            bytes: owned(class.getattr("bytes")?.getattr("fget")?),
            class: class.as_type_ptr(),
            _class: owned(class.into_any()),
        })
    }

    pub fn make(&self, raw: [u8; 16]) -> Outcome<Owned> {
        call(&self.make, bytes(&raw)?.borrowed())
    }

    /// The bytes of a UUID, of no subclass of it.
    pub fn bytes(&self, value: Borrowed<'_>) -> Outcome<Option<[u8; 16]>> {
        if value.type_ptr() != self.class {
            return Ok(None);
        }
        let bytes = call(&self.bytes, value)?;
        Ok(bytes
            .borrowed()
            .as_bytes()
            .and_then(|raw| raw.try_into().ok()))
    }
}

fn call(function: &Owned, argument: Borrowed<'_>) -> Outcome<Owned> {
    // SAFETY: both are live; a new reference comes back.
    unsafe {
        Owned::new(ffi::PyObject_CallOneArg(
            function.0.as_ptr(),
            argument.0.as_ptr(),
        ))
    }
}

/// What is being built; null before anything is.
pub struct Root(*mut ffi::PyObject);

impl Root {
    pub const fn new() -> Self {
        Self(ptr::null_mut())
    }

    /// What was built.
    pub fn finish(mut self) -> Outcome<Owned> {
        let object = mem::replace(&mut self.0, ptr::null_mut());
        // SAFETY: the root holds one reference, or null where nothing was built.
        NonNull::new(object)
            .map(Owned)
            .ok_or(Fault::new(Kind::Odd, 0))
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        if let Some(object) = NonNull::new(self.0) {
            drop(Owned(object)); // frees all that was put into it
        }
    }
}

// -- message classes

/// A message class, or one of its structs: where an instance keeps each field.
pub struct Class {
    type_ptr: *mut ffi::PyTypeObject,
    allocate: ffi::allocfunc,
    /// The size of an instance, in words.
    words: usize,
    /// For each field, in the class's order, the word of an instance that refers to it.
    words_of_fields: Vec<usize>,
    /// For each field what it holds where a version lacks it.
    pub defaults: Vec<Owned>,
    /// The one value of a struct that takes no bytes, where a version has such.
    blank: Option<Owned>,
    class: Py<PyType>,
}

// SAFETY: the pointers are to a type that `class` keeps alive; everything in here is used only with
// the GIL held, and the module refuses to load where there is none.
unsafe impl Send for Class {}
// SAFETY: as above; nothing changes after `bind`.
unsafe impl Sync for Class {}

impl Class {
    /// Finds out where the instances that `make` makes keep their fields; None where that is not as
    /// expected.
    ///
    /// `make` takes no arguments and gives a new instance with every field at its default; `set` is
    /// `msgspec.structs.force_setattr`.
    pub fn bind(make: &Bound<'_, PyAny>, set: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let blank = make.call0()?;
        let class = &blank.get_type();
        let names = class.getattr("__struct_fields__")?.cast_into::<PyTuple>()?;
        let type_ptr = class.as_type_ptr();
        // SAFETY: a type object that `class` keeps alive.
        let (flags, basic, item, alloc) = unsafe {
            let flags = ffi::PyType_GetFlags(type_ptr);
            (
                (flags),
                (*type_ptr).tp_basicsize,
                (*type_ptr).tp_itemsize,
                (*type_ptr).tp_alloc,
            )
        };
        let (Some(allocate), Ok(size)) = (alloc, usize::try_from(basic)) else {
            return Ok(None);
        };
        if flags & ffi::Py_TPFLAGS_HAVE_GC != 0 || item != 0 || size % size_of::<usize>() != 0 {
            return Ok(None);
        }
        let words = size / size_of::<usize>();
        let defaults = names
            .iter()
            .map(|name| {
                Ok(owned(
                    blank.getattr(name.cast_into::<pyo3::types::PyString>()?)?,
                ))
            })
            .collect::<PyResult<Vec<_>>>()?;
        let Some(words_of_fields) = probe(&make.call0()?, &names, set, words)? else {
            return Ok(None);
        };
        let bound = Self {
            type_ptr,
            allocate,
            words,
            words_of_fields,
            defaults,
            blank: None,
            class: class.clone().unbind(),
        };
        Ok(bound.builds(&blank, &names)?.then_some(bound))
    }

    /// Whether an instance that is put together here is one for the class, and an empty one can be
    /// freed.
    fn builds(&self, blank: &Bound<'_, PyAny>, names: &Bound<'_, PyTuple>) -> PyResult<bool> {
        let build = |fill: bool| -> Outcome<Owned> {
            let mut root = Root::new();
            let place = Spot::root(&mut root).put_instance(self)?;
            if !(0..self.words_of_fields.len()).all(|field| place.field(self, field).is_empty()) {
                return Err(Fault::new(Kind::Odd, 0));
            }
            if fill {
                for (field, default) in self.defaults.iter().enumerate() {
                    place.field(self, field).put(default.borrowed().new_ref());
                }
            }
            root.finish()
        };
        let (Ok(empty), Ok(filled)) = (build(false), build(true)) else {
            return Ok(false);
        };
        drop(empty);
        let filled = bound(blank.py(), filled);
        for (name, default) in names.iter().zip(&self.defaults) {
            let value = filled.getattr(name.cast_into::<pyo3::types::PyString>()?)?;
            if value.as_ptr() != default.borrowed().as_ptr() {
                return Ok(false);
            }
        }
        filled.eq(blank)
    }

    /// Has one instance stand for all that take no bytes: messages may hold many.
    pub fn share(&mut self, blank: Bound<'_, PyAny>) {
        self.blank = Some(owned(blank));
    }

    pub fn shared(&self) -> Option<Owned> {
        self.blank.as_ref().map(|blank| blank.borrowed().new_ref())
    }

    pub fn fields(&self) -> usize {
        self.words_of_fields.len()
    }

    /// The field of `instance`; None where it is no instance of this very class.
    #[inline(always)]
    pub fn fields_of<'a>(&self, instance: Borrowed<'a>) -> Option<Fields<'a, '_>> {
        (instance.type_ptr() == self.type_ptr).then_some(Fields {
            instance,
            class: self,
        })
    }

    /// Visits what this keeps alive, for Python's collector.
    pub fn traverse(&self, visit: &pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        visit.call(&self.class)
    }
}

/// The fields of one instance.
#[derive(Clone, Copy)]
pub struct Fields<'a, 'c> {
    instance: Borrowed<'a>,
    class: &'c Class,
}

impl<'a> Fields<'a, '_> {
    /// One field; None where it was deleted.
    #[inline(always)]
    pub fn get(self, field: usize) -> Option<Borrowed<'a>> {
        let word = *self.class.words_of_fields.get(field)?;
        let first = self.instance.0.as_ptr().cast::<*mut ffi::PyObject>();
        // SAFETY: `bind` has found that instances of the class keep a reference, or null, in this
        // word; the instance keeps it alive, since messages are immutable.
        unsafe { Borrowed::lent(*first.add(word)) }
    }

    pub fn default(self, field: usize) -> Option<Borrowed<'a>>
    where
        Self: 'a,
    {
        let default = self.class.defaults.get(field)?;
        Some(Borrowed(default.0, PhantomData))
    }
}

/// For each field the word of an instance that changes with it; None where that is not one each.
fn probe(
    instance: &Bound<'_, PyAny>,
    names: &Bound<'_, PyTuple>,
    set: &Bound<'_, PyAny>,
    words: usize,
) -> PyResult<Option<Vec<usize>>> {
    let object = instance.py().import("builtins")?.getattr("object")?;
    let marks = (0..names.len())
        .map(|_| object.call0())
        .collect::<PyResult<Vec<_>>>()?;
    for (name, mark) in names.iter().zip(&marks) {
        set.call1((instance, name, mark))?;
    }
    // SAFETY: an instance is `words` words long, as its type says, and this one is alive.
    let memory = unsafe { slice::from_raw_parts(instance.as_ptr().cast::<usize>(), words) };
    let found = marks.iter().map(|mark| {
        let mut holding = (0..words).filter(|&word| memory[word] == mark.as_ptr() as usize);
        holding.next().filter(|_| holding.next().is_none())
    });
    Ok(found.collect())
}

fn owned(object: Bound<'_, PyAny>) -> Owned {
    // SAFETY: `into_ptr` gives a reference away, and it is not null.
    unsafe { Owned(NonNull::new_unchecked(object.into_ptr())) }
}

fn bound<'py>(py: Python<'py>, object: Owned) -> Bound<'py, PyAny> {
    // SAFETY: the reference is handed over.
    unsafe { Bound::from_owned_ptr(py, object.into_raw()) }
}
