//! What Python sees: the class `Program`, and the functions that it puts into a message class.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use pyo3::{PyTraverseError, PyVisit};

use crate::counts::{self, Places};
use crate::cursor::{Kind, Outcome};
use crate::objects::{self, Classes};
use crate::program::{
    Absent, Base, Front, Label, Layout, Newer, Plain, Program, Slot, Tagged, Version,
};
use crate::python::{Borrowed, Class, Ints, Owned, Uuids};
use crate::shape;
use crate::walk;
use crate::write;

/// The rows of `kproto.codec.dialect.layout`.
pub(crate) type SlotRow = (usize, String, u8, usize);
pub(crate) type LayoutRow = (
    usize,
    bool,
    Vec<SlotRow>,
    Vec<(i32, SlotRow)>,
    Vec<i32>,
    Vec<(usize, bool)>,
    usize,
);
pub(crate) type VersionRow = (i32, usize, Option<usize>);

/// The compiled reader and writer of one message class.
///
/// `reader` and `writer` give the functions that the class puts in place of its own methods.
#[pyclass(frozen, name = "Program", module = "kproto.codec._core")]
pub struct PyProgram {
    pub(crate) program: Program,
    pub(crate) classes: Classes,
    fallback: Fallback,
    /// The buffer that messages are written to, used again from one to the next.
    buffer: Cell<Vec<u8>>,
}

/// What decides about anything that is not plain: the functions of the Python engine.
#[derive(FromPyObject)]
struct Fallback {
    /// `(data) -> message`, or raises DecodeError.
    #[pyo3(item)]
    from_bytes: Py<PyAny>,
    /// `(body, version) -> message`, or raises DecodeError.
    #[pyo3(item)]
    from_body: Py<PyAny>,
    /// `(message, version) -> bytes`, or raises EncodeError.
    #[pyo3(item)]
    to_bytes: Py<PyAny>,
    /// `(message, version) -> bytes`, or raises EncodeError.
    #[pyo3(item)]
    to_body: Py<PyAny>,
}

// SAFETY: used with the GIL held alone; the module refuses to load where there is none.
unsafe impl Sync for PyProgram {}

#[pymethods]
impl PyProgram {
    /// Compiles the layouts of a message class. Raises ValueError where its instances are not laid
    /// out in memory as is expected: then Python has to read and write it.
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        front: (String, String, Option<i32>),
        layouts: Vec<LayoutRow>,
        versions: Vec<VersionRow>,
        head: Option<VersionRow>,
        classes: Vec<Bound<'_, PyAny>>,
        raw_tagged_field: Bound<'_, PyAny>,
        uuid: Bound<'_, PyAny>,
        fallback: Fallback,
    ) -> PyResult<Self> {
        let set = py.import("msgspec.structs")?.getattr("force_setattr")?;
        let bind = |make: &Bound<'_, PyAny>| {
            Class::bind(make, &set)?
                .ok_or_else(|| PyValueError::new_err(format!("{make} is laid out in another way")))
        };
        let program = program_from(front, layouts, versions, head)?;
        let mut bound = classes.iter().map(bind).collect::<PyResult<Vec<_>>>()?;
        for layout in program.layouts.iter().filter(|layout| layout.width == 0) {
            if let (Some(class), Some(make)) =
                (bound.get_mut(layout.class), classes.get(layout.class))
            {
                class.share(make.call0()?);
            }
        }
        let classes = Classes {
            classes: bound,
            raw_tagged_field: bind(&raw_tagged_field)?,
            ints: Ints::new().map_err(|_| PyErr::fetch(py))?,
            uuids: Uuids::new(uuid)?,
        };
        check(&program, &classes)?;
        Ok(Self {
            program,
            classes,
            fallback,
            buffer: Cell::new(Vec::new()),
        })
    }

    /// The function `from_bytes(data)`.
    fn from_bytes(slf: Py<Self>, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        function(py, slf, &raw const FROM_BYTES.0)
    }

    /// The function `from_body(body, version)`.
    fn from_body(slf: Py<Self>, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        function(py, slf, &raw const FROM_BODY.0)
    }

    /// The method `to_bytes(version=None)`.
    fn to_bytes(slf: Py<Self>, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        method(py, slf, &raw const TO_BYTES.0)
    }

    /// The method `to_body(version=None)`.
    fn to_body(slf: Py<Self>, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        method(py, slf, &raw const TO_BODY.0)
    }

    /// Reads the fields of `version` (-1: the head of a newer one) that begin at `start`: the
    /// message and where it ends, or None where the diagnostic reader has to.
    fn read<'py>(
        &self,
        py: Python<'py>,
        version: i32,
        data: &Bound<'py, PyBytes>,
        start: usize,
    ) -> PyResult<Option<(Bound<'py, PyAny>, usize)>> {
        let Some(version) = self.program.numbered(version) else {
            return Ok(None);
        };
        match objects::read(
            &self.program,
            &self.classes,
            version,
            data.as_bytes(),
            start,
        ) {
            // SAFETY: the reference is handed over.
            Ok((made, end)) => Ok(Some((
                unsafe { Bound::from_owned_ptr(py, made.into_raw()) },
                end,
            ))),
            Err(fault) if fault.kind == Kind::Raised => Err(PyErr::fetch(py)),
            Err(_) => Ok(None),
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        for class in &self.classes.classes {
            class.traverse(&visit)?;
        }
        let Fallback {
            from_bytes,
            from_body,
            to_bytes,
            to_body,
        } = &self.fallback;
        [from_bytes, from_body, to_bytes, to_body]
            .into_iter()
            .try_for_each(|each| visit.call(each))
    }
}

/// Every number in a program is one of something that is there.
fn check(program: &Program, classes: &Classes) -> PyResult<()> {
    let fits = |layout: &Layout| {
        let fields = classes.classes.get(layout.class).map_or(0, Class::fields);
        slots(layout).all(|slot| slot.field < fields)
            && layout.absent.iter().all(|absent| absent.field < fields)
    };
    if program.layouts.iter().all(fits) {
        return check_layouts(program);
    }
    Err(PyValueError::new_err(
        "a layout names a field or a class that is not there",
    ))
}

/// A layout comes after those that it uses, so that walking one ends.
pub(crate) fn check_layouts(program: &Program) -> PyResult<()> {
    let fits = |layout: &Layout| {
        slots(layout).all(|slot| slot.base != Base::Struct || slot.element < layout.id)
    };
    let mut versions = program.versions.iter().chain(&program.head);
    if program.layouts.iter().all(fits) && versions.all(|v| v.layout < program.layouts.len()) {
        return Ok(());
    }
    Err(PyValueError::new_err(
        "a layout or a version names a layout that is not there",
    ))
}

fn slots(layout: &Layout) -> impl Iterator<Item = &Slot> {
    layout
        .slots
        .iter()
        .chain(layout.tagged.iter().map(|tagged| &tagged.slot))
}

/// Where messages of one definition end; reads no value.
#[pyclass(frozen, name = "Shape", module = "kproto.codec._core")]
pub struct PyShape {
    program: Program,
    places: Places,
}

#[pymethods]
impl PyShape {
    #[new]
    fn new(
        front: (String, String, Option<i32>),
        layouts: Vec<LayoutRow>,
        versions: Vec<VersionRow>,
        head: Option<VersionRow>,
    ) -> PyResult<Self> {
        let program = program_from(front, layouts, versions, head)?;
        check_layouts(&program)?;
        let places = Places::new(&program);
        Ok(Self { program, places })
    }

    /// Whether `data` has the fields of `version` from `start` on, and where they end; where they
    /// do not fit, the offset of what cannot be read.
    fn end(&self, version: i32, data: &[u8], start: usize) -> (bool, usize) {
        let found = self.program.numbered(version);
        match found.map(|found| shape::end(&self.program, found, data, start)) {
            Some(Ok(end)) => (true, end),
            Some(Err(fault)) => (false, fault.at),
            None => (false, start),
        }
    }

    /// How many counts `count` raises at most.
    #[getter]
    fn places(&self) -> usize {
        self.places.total
    }

    /// Walks as `end` does and raises counts, a byte each, by what it meets; gives where it ends,
    /// None where the bytes do not fit.
    fn count(
        &self,
        counts: &Bound<'_, PyByteArray>,
        version: i32,
        data: &[u8],
        start: usize,
    ) -> Option<usize> {
        let found = self.program.numbered(version)?;
        // SAFETY: the GIL is held, and the walk runs no code of Python's that could resize it.
        let counts = unsafe { counts.as_bytes_mut() };
        counts::count(&self.program, &self.places, found, data, start, counts).ok()
    }
}

/// Shapes, each with some of its versions.
#[pyclass(frozen, name = "Shapes", module = "kproto.codec._core")]
pub struct PyShapes {
    shapes: Vec<(Py<PyShape>, Vec<Version>)>,
}

#[pymethods]
impl PyShapes {
    #[new]
    fn new(shapes: Vec<(Py<PyShape>, Vec<i32>)>) -> Self {
        let shapes = shapes
            .into_iter()
            .map(|(shape, versions)| {
                let numbered = |version| shape.get().program.numbered(version);
                let versions = versions.into_iter().filter_map(numbered).collect();
                (shape, versions)
            })
            .collect();
        Self { shapes }
    }

    /// The numbers of the shapes one version of which has all of `data` as its fields.
    fn whole(&self, data: &[u8]) -> Vec<usize> {
        let is_whole = |shape: &Py<PyShape>, versions: &[Version]| {
            let program = &shape.get().program;
            let is_end = |&version| shape::end(program, version, data, 0) == Ok(data.len());
            versions.iter().any(is_end)
        };
        let numbered = self.shapes.iter().enumerate();
        numbered
            .filter(|(_, (shape, versions))| is_whole(shape, versions))
            .map(|(number, _)| number)
            .collect()
    }
}

// -- from Python's rows

pub(crate) fn program_from(
    (kind, newer, api_key): (String, String, Option<i32>),
    layouts: Vec<LayoutRow>,
    versions: Vec<VersionRow>,
    head: Option<VersionRow>,
) -> PyResult<Program> {
    let layouts = layouts
        .into_iter()
        .enumerate()
        .map(|(id, row)| layout_of(id, row));
    Ok(Program {
        front: front_of(&kind, api_key.unwrap_or(0))?,
        newer: newer_of(&newer)?,
        layouts: layouts.collect::<PyResult<_>>()?,
        versions: versions.into_iter().map(version_of).collect(),
        head: head.map(version_of),
    })
}

fn front_of(kind: &str, api_key: i32) -> PyResult<Front> {
    Ok(match kind {
        "none" => Front::None,
        "version" => Front::Version,
        "record-type" => Front::RecordType(api_key as i16),
        "version32" => Front::Version32,
        _ => return Err(PyValueError::new_err(format!("no framing: {kind}"))),
    })
}

fn newer_of(newer: &str) -> PyResult<Newer> {
    Ok(match newer {
        "refuse" => Newer::Refuse,
        "clamp" | "accept" => Newer::Clamp,
        "head" => Newer::Head,
        _ => {
            return Err(PyValueError::new_err(format!(
                "no meaning of newer versions: {newer}"
            )));
        }
    })
}

pub(crate) fn version_of((number, layout, latest): VersionRow) -> Version {
    Version {
        number,
        layout,
        latest,
    }
}

fn slot_of(row: SlotRow) -> PyResult<Slot> {
    let (field, base, flags, element) = row;
    let base =
        Base::named(&base).ok_or_else(|| PyValueError::new_err(format!("no type: {base}")))?;
    Ok(Slot {
        plain: Plain::No,
        field,
        base,
        array: flags & 1 != 0,
        nullable: flags & 2 != 0,
        compact: flags & 4 != 0,
        optional: flags & 8 != 0,
        element,
    }
    .marked())
}

fn layout_of(id: usize, row: LayoutRow) -> PyResult<Layout> {
    let (class, flexible, slots, tagged, foreign, absent, width) = row;
    let tagged = tagged.into_iter().map(|(tag, row)| {
        Ok(Tagged {
            tag,
            slot: slot_of(row)?,
        })
    });
    Ok(Layout {
        plain: false,
        id,
        class,
        flexible,
        slots: slots.into_iter().map(slot_of).collect::<PyResult<_>>()?,
        tagged: tagged.collect::<PyResult<_>>()?,
        foreign,
        absent: absent
            .into_iter()
            .map(|(field, ignorable)| Absent { field, ignorable })
            .collect(),
        width,
    }
    .marked())
}

// -- the functions of a message class

struct Method(ffi::PyMethodDef);

// SAFETY: CPython only reads it.
unsafe impl Sync for Method {}

type Fast = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *const *mut ffi::PyObject,
    ffi::Py_ssize_t,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

const fn definition(
    name: &'static std::ffi::CStr,
    call: Fast,
    doc: &'static std::ffi::CStr,
) -> Method {
    Method(ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionFastWithKeywords: call,
        },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS as c_int,
        ml_doc: doc.as_ptr(),
    })
}

static FROM_BYTES: Method = definition(
    c"from_bytes",
    from_bytes,
    c"from_bytes(data)\n--\n\nRead a message of any version; see VersionedMessage.from_bytes.",
);
static FROM_BODY: Method = definition(
    c"from_body",
    from_body,
    c"from_body(body, version)\n--\n\nRead a body as `version`; see Message.from_body.",
);
static TO_BYTES: Method = definition(
    c"to_bytes",
    to_bytes,
    c"to_bytes($self, version=None)\n--\n\nReturn the message with its header; see VersionedMessage.to_bytes.",
);
static TO_BODY: Method = definition(
    c"to_body",
    to_body,
    c"to_body($self, version=None)\n--\n\nReturn the fields alone; see Message.to_body.",
);

/// A builtin function whose `self` is the program.
fn function<'py>(
    py: Python<'py>,
    program: Py<PyProgram>,
    method: *const ffi::PyMethodDef,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the definition is static; the function takes a reference to the program of its own.
    unsafe {
        let made = ffi::PyCFunction_NewEx(method.cast_mut(), program.as_ptr(), ptr::null_mut());
        Bound::from_owned_ptr_or_err(py, made)
    }
}

/// The same, bound to an instance when it is looked up on one.
fn method<'py>(
    py: Python<'py>,
    program: Py<PyProgram>,
    method: *const ffi::PyMethodDef,
) -> PyResult<Bound<'py, PyAny>> {
    let function = function(py, program, method)?;
    // SAFETY: a new reference comes back, which has taken one of the function.
    unsafe { Bound::from_owned_ptr_or_err(py, PyInstanceMethod_New(function.as_ptr())) }
}

unsafe extern "C" {
    /// A builtin has no `__get__`; this gives it one (`cpython/classobject.h`).
    fn PyInstanceMethod_New(function: *mut ffi::PyObject) -> *mut ffi::PyObject;
}

/// The arguments of a call, by position and by name; `N` at most.
struct Arguments<const N: usize>([*mut ffi::PyObject; N]);

impl<const N: usize> Arguments<N> {
    /// None where there are too many or one has another name: the caller says so.
    #[inline(always)]
    unsafe fn parse(
        arguments: *const *mut ffi::PyObject,
        count: ffi::Py_ssize_t,
        names: *mut ffi::PyObject,
        known: [&std::ffi::CStr; N],
    ) -> Option<Self> {
        let count = count as usize;
        let mut found = [ptr::null_mut(); N];
        if count > N {
            return None;
        }
        for (index, slot) in found.iter_mut().enumerate().take(count) {
            // SAFETY: CPython hands over `count` arguments.
            *slot = unsafe { *arguments.add(index) };
        }
        if names.is_null() {
            return Some(Self(found));
        }
        // SAFETY: a tuple of str; the values follow the arguments by position.
        unsafe {
            for index in 0..ffi::PyTuple_GET_SIZE(names) {
                let name = ffi::PyTuple_GET_ITEM(names, index);
                let place = known.iter().position(|known| {
                    ffi::PyUnicode_CompareWithASCIIString(name, known.as_ptr()) == 0
                })?;
                if !found[place].is_null() {
                    return None;
                }
                found[place] = *arguments.add(count + index as usize);
            }
        }
        Some(Self(found))
    }
}

#[cold]
unsafe fn wrong_arguments(text: &std::ffi::CStr) -> *mut ffi::PyObject {
    // SAFETY: the interpreter is attached.
    unsafe { ffi::PyErr_SetString(ffi::PyExc_TypeError, text.as_ptr()) };
    ptr::null_mut()
}

/// The program that a function belongs to.
///
/// # Safety
/// `object` is the `self` of a function that `function` made, alive during the call.
#[inline(always)]
unsafe fn program_of<'a>(py: Python<'a>, object: *mut ffi::PyObject) -> &'a PyProgram {
    // SAFETY: it is a `Program`, a frozen class, which the function keeps alive during the call.
    unsafe {
        let program: &Bound<'_, PyAny> = Bound::ref_from_ptr(py, &*ptr::from_ref(&object));
        let program: *const PyProgram = program.cast_unchecked::<PyProgram>().get();
        &*program
    }
}

unsafe extern "C" fn from_bytes(
    slf: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with the interpreter attached and live arguments.
    unsafe {
        let py = Python::assume_attached();
        let this = program_of(py, slf);
        let Some(Arguments([data])) = Arguments::parse(arguments, count, names, [c"data"]) else {
            return wrong_arguments(c"from_bytes() takes one argument: data");
        };
        let Some(object) = Borrowed::lent(data) else {
            return wrong_arguments(c"from_bytes() takes one argument: data");
        };
        match object.as_bytes().map(|data| this.labelled(data)) {
            Some(Ok(message)) => message.into_raw(),
            Some(Err(fault)) if fault.kind == Kind::Raised => ptr::null_mut(),
            _ => again(&this.fallback.from_bytes, object, None),
        }
    }
}

unsafe extern "C" fn from_body(
    slf: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with the interpreter attached and live arguments.
    unsafe {
        let py = Python::assume_attached();
        let this = program_of(py, slf);
        let parsed = Arguments::parse(arguments, count, names, [c"body", c"version"]);
        let Some(Arguments([body, version])) = parsed else {
            return wrong_arguments(c"from_body() takes two arguments: body and version");
        };
        let (Some(body), Some(version)) = (Borrowed::lent(body), Borrowed::lent(version)) else {
            return wrong_arguments(c"from_body() takes two arguments: body and version");
        };
        let data = body.as_bytes();
        let found = version
            .as_int()
            .and_then(|number| i32::try_from(number).ok());
        let found = found.and_then(|number| this.program.version(number));
        if let (Some(data), Some(found), false) = (data, found, this.is_version32()) {
            match objects::read(&this.program, &this.classes, found, data, 0) {
                Ok((message, _)) => return message.into_raw(),
                Err(fault) if fault.kind == Kind::Raised => return ptr::null_mut(),
                Err(_) => {}
            }
        }
        again(&this.fallback.from_body, body, Some(version))
    }
}

unsafe extern "C" fn to_bytes(
    slf: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as `write_with`.
    unsafe { write_with(slf, arguments, count, names, true) }
}

unsafe extern "C" fn to_body(
    slf: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as `write_with`.
    unsafe { write_with(slf, arguments, count, names, false) }
}

/// # Safety
/// CPython calls it, with the interpreter attached and live arguments.
#[inline(always)]
unsafe fn write_with(
    slf: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
    header: bool,
) -> *mut ffi::PyObject {
    // SAFETY: as the caller promises.
    unsafe {
        let py = Python::assume_attached();
        let this = program_of(py, slf);
        let parsed = Arguments::parse(arguments, count, names, [c"self", c"version"]);
        let Some(Arguments([message, version])) = parsed else {
            return wrong_arguments(c"the only argument is a version");
        };
        let Some(message) = Borrowed::lent(message) else {
            return wrong_arguments(c"a message is needed");
        };
        let version = Borrowed::lent(version).filter(|version| !version.is_none());
        let found = match version {
            None => this.program.highest(),
            Some(version) => version
                .as_int()
                .and_then(|number| i32::try_from(number).ok())
                .and_then(|number| this.program.version(number)),
        };
        if let Some(found) = found {
            match this.written(found, message, header) {
                Ok(bytes) => return bytes.into_raw(),
                Err(fault) if fault.kind == Kind::Raised => return ptr::null_mut(),
                Err(_) => {}
            }
        }
        let function = if header {
            &this.fallback.to_bytes
        } else {
            &this.fallback.to_body
        };
        again(
            function,
            message,
            Some(version.unwrap_or_else(|| Borrowed::none(py))),
        )
    }
}

impl PyProgram {
    fn is_version32(&self) -> bool {
        self.program.front == Front::Version32
    }

    /// The message of bytes with a header.
    #[inline(always)]
    fn labelled(&self, data: &[u8]) -> Outcome<Owned> {
        let Label {
            version,
            read_as,
            start,
        } = walk::read_label(&self.program, data)?;
        let (message, _) = objects::read(&self.program, &self.classes, read_as, data, start)?;
        match read_as.latest {
            None => Ok(message),
            Some(latest) => self.not_above_latest(message, version, latest),
        }
    }

    /// Kafka Streams refuses a version above the latest one, which is written beside it.
    fn not_above_latest(&self, message: Owned, version: i32, latest: usize) -> Outcome<Owned> {
        let odd = crate::cursor::Fault::new(Kind::Odd, 0);
        let class = self.classes.classes.first().ok_or(odd)?;
        let fields = class.fields_of(message.borrowed()).ok_or(odd)?;
        let latest = fields.get(latest).and_then(Borrowed::as_int).ok_or(odd)?;
        if latest < i64::from(version) {
            Err(odd)
        } else {
            Ok(message)
        }
    }

    #[inline(always)]
    fn written(&self, version: Version, message: Borrowed<'_>, header: bool) -> Outcome<Owned> {
        let mut out = self.buffer.take();
        out.clear();
        let done = write::write(
            &self.program,
            &self.classes,
            version,
            message,
            header,
            &mut out,
        );
        let made = done.and_then(|()| crate::python::bytes(&out));
        if out.capacity() <= KEPT_BUFFER {
            self.buffer.set(out);
        }
        made
    }
}

/// What the Python engine gives for these arguments, or raises.
#[cold]
fn again(
    function: &Py<PyAny>,
    first: Borrowed<'_>,
    second: Option<Borrowed<'_>>,
) -> *mut ffi::PyObject {
    // SAFETY: all are live; the arguments end at the first null.
    unsafe {
        ffi::PyObject_CallFunctionObjArgs(
            function.as_ptr(),
            first.as_ptr(),
            second.map_or(ptr::null_mut(), Borrowed::as_ptr),
            ptr::null_mut::<ffi::PyObject>(),
        )
    }
}

/// A buffer above this is given back after the message that needed it.
const KEPT_BUFFER: usize = 1 << 20;
