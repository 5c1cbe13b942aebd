//! What a message looks like in each of its versions, as tables of plain numbers: what the walker
//! and the writer run. Made from `kproto.codec.dialect.layout.Layout`.

/// What one value, or one element of an array, is on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    Bool,
    Int8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Int64,
    Float64,
    Uuid,
    String,
    ModifiedUtf8,
    Utf16,
    Bytes,
    Struct,
}

impl Base {
    /// The base of a name of the dialect, or of an encoding.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "bool" => Self::Bool,
            "int8" => Self::Int8,
            "int16" => Self::Int16,
            "uint16" => Self::Uint16,
            "int32" => Self::Int32,
            "uint32" => Self::Uint32,
            "int64" => Self::Int64,
            "float64" => Self::Float64,
            "uuid" => Self::Uuid,
            "string" => Self::String,
            "modified-utf-8" => Self::ModifiedUtf8,
            "utf-16" => Self::Utf16,
            "bytes" | "records" => Self::Bytes,
            "struct" => Self::Struct,
            _ => return None,
        })
    }
}

/// The commonest fields, which are read without a look at anything else in their slot: none of them
/// compact, nullable or optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    String,
    Int32,
    Int32s,
    No,
}

/// One field in one layout.
#[derive(Clone, Debug)]
pub struct Slot {
    pub plain: Plain,
    /// The field's number among those of its class.
    pub field: usize,
    pub base: Base,
    pub array: bool,
    /// Null is allowed: of the array, where it is one.
    pub nullable: bool,
    /// Lengths and counts are unsigned varints of value + 1 (KIP-482).
    pub compact: bool,
    /// The message may end before this field.
    pub optional: bool,
    /// The layout of the struct, where the base is one.
    pub element: usize,
}

impl Slot {
    /// The slot, with `plain` as the other fields have it.
    #[must_use]
    pub fn marked(self) -> Self {
        let plain = match (self.base, self.array) {
            _ if self.compact || self.nullable || self.optional => Plain::No,
            (Base::String, false) => Plain::String,
            (Base::Int32, false) => Plain::Int32,
            (Base::Int32, true) => Plain::Int32s,
            _ => Plain::No,
        };
        Self { plain, ..self }
    }
}

/// A field with a tag (KIP-482).
#[derive(Clone, Debug)]
pub struct Tagged {
    pub tag: i32,
    pub slot: Slot,
}

/// A field that this version does not have.
#[derive(Clone, Debug)]
pub struct Absent {
    pub field: usize,
    /// A value other than the default may be dropped when this version is written.
    pub ignorable: bool,
}

/// The fields of a message, or of one of its structs, in one version or several.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Every field is plain, and there is one at least.
    pub plain: bool,
    /// This layout's number.
    pub id: usize,
    /// The number of the class that holds the fields; 0 is the message's.
    pub class: usize,
    /// A tag section follows the fields.
    pub flexible: bool,
    pub slots: Vec<Slot>,
    pub tagged: Vec<Tagged>,
    /// Tags that the definition uses in other versions only; Kafka refuses them.
    pub foreign: Vec<i32>,
    pub absent: Vec<Absent>,
    /// The fewest bytes that a value takes.
    pub width: usize,
}

impl Layout {
    /// The layout, with `plain` as the other fields have it.
    #[must_use]
    pub fn marked(self) -> Self {
        let plain = self.slots.iter().all(|slot| slot.plain != Plain::No);
        Self {
            plain: plain && !self.flexible && self.width > 0,
            ..self
        }
    }
}

/// What comes before the fields; see `kproto.codec.dialect.framing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Front {
    None,
    Version,
    RecordType(i16),
    Version32,
}

/// What a version above the highest known one means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newer {
    Refuse,
    Clamp,
    Head,
}

/// One version of a message.
#[derive(Clone, Copy, Debug)]
pub struct Version {
    pub number: i32,
    pub layout: usize,
    /// The field that holds the latest version that the sender supports, where a version above it
    /// is refused (Kafka Streams).
    pub latest: Option<usize>,
}

/// A message definition: its layouts, and which version has which.
#[derive(Clone, Debug)]
pub struct Program {
    pub front: Front,
    pub newer: Newer,
    pub layouts: Vec<Layout>,
    /// Ascending and without a gap.
    pub versions: Vec<Version>,
    /// How the head of a newer version is read (`Newer::Head`).
    pub head: Option<Version>,
}

/// What the bytes in front of a message say.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// The version that is there; of a record type the highest.
    pub version: i32,
    /// The version whose layout is read.
    pub read_as: Version,
    /// Where the fields begin.
    pub start: usize,
}

impl Program {
    pub fn lowest(&self) -> i32 {
        self.versions.first().map_or(0, |version| version.number)
    }

    pub fn highest(&self) -> Option<Version> {
        self.versions.last().copied()
    }

    /// The version of that number; -1 is the head of a newer one (`kproto.codec.dialect.layout.HEAD`).
    pub fn numbered(&self, number: i32) -> Option<Version> {
        if number == -1 {
            self.head
        } else {
            self.version(number)
        }
    }

    /// The version of that number.
    #[inline(always)]
    pub fn version(&self, number: i32) -> Option<Version> {
        let index = usize::try_from(number.wrapping_sub(self.lowest())).ok()?;
        self.versions.get(index).copied()
    }
}

/// How many bytes come before the fields.
pub const fn header_bytes(front: Front) -> usize {
    match front {
        Front::None | Front::Version32 => 0,
        Front::Version | Front::RecordType(_) => 2,
    }
}
