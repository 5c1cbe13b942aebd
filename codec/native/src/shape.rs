//! The sink that keeps nothing: could some bytes be this message, and where would it end?

use crate::cursor::{Cursor, Fault, Kind, Outcome};
use crate::program::{Base, Layout, Program, Slot, Version};
use crate::walk::{Room, Sink, read_fields};

/// Where a message of that version ends whose fields begin at `start`.
pub fn end(program: &Program, version: Version, data: &[u8], start: usize) -> Outcome<usize> {
    let layout = program
        .layouts
        .get(version.layout)
        .ok_or(Fault::new(Kind::Odd, start))?;
    let mut cursor = Cursor::new(data, start);
    read_fields(program, layout, &mut cursor, &mut Nothing, ())?;
    Ok(cursor.pos())
}

struct Nothing;

impl Sink for Nothing {
    type Place = ();

    fn field(&mut self, (): (), _: &Layout, _: &Slot) {}
    fn element(&mut self, (): (), _: usize) {}
    fn boolean(&mut self, (): (), _: bool) -> Outcome<()> {
        Ok(())
    }
    fn int(&mut self, (): (), _: Base, _: i64) -> Outcome<()> {
        Ok(())
    }
    fn float(&mut self, (): (), _: f64) -> Outcome<()> {
        Ok(())
    }
    fn uuid(&mut self, (): (), _: [u8; 16]) -> Outcome<()> {
        Ok(())
    }
    fn text(&mut self, (): (), _: Base, _: &[u8], _: usize) -> Outcome<()> {
        Ok(())
    }
    fn bytes(&mut self, (): (), _: &[u8]) -> Outcome<()> {
        Ok(())
    }
    fn null(&mut self, (): (), _: &Slot) -> Outcome<()> {
        Ok(())
    }
    fn present(&mut self, (): (), _: &Slot) {}
    fn array(&mut self, (): (), _: &Slot, _: usize, _: Room) -> Outcome<()> {
        Ok(())
    }
    fn int32s(&mut self, (): (), _: &Slot, _: &[u8], _: usize) -> Outcome<()> {
        Ok(())
    }
    fn begin(&mut self, (): (), _: &Layout) -> Outcome<()> {
        Ok(())
    }
    fn nothing(&mut self, (): (), _: &Layout) -> Outcome<()> {
        Ok(())
    }
    fn missing(&mut self, (): (), _: &Layout, _: &Slot) -> Outcome<()> {
        Ok(())
    }
    fn tags(&mut self, (): (), _: &Layout) -> Outcome<()> {
        Ok(())
    }
    fn unknown_tag(&mut self, (): (), _: &Layout, _: i32, _: &[u8]) -> Outcome<()> {
        Ok(())
    }
    fn end(&mut self, (): (), _: &Layout) -> Outcome<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Front, Newer, Plain};

    fn slot(field: usize, base: Base, array: bool, element: usize) -> Slot {
        Slot {
            plain: Plain::No,
            field,
            base,
            array,
            nullable: false,
            compact: false,
            optional: false,
            element,
        }
        .marked()
    }

    fn layout(id: usize, slots: Vec<Slot>, width: usize) -> Layout {
        let (tagged, foreign, absent) = (vec![], vec![], vec![]);
        Layout {
            plain: false,
            id,
            class: id,
            flexible: false,
            slots,
            tagged,
            foreign,
            absent,
            width,
        }
        .marked()
    }

    /// An array of (string, array of int32), as in an assignment.
    fn program() -> Program {
        let topic = layout(
            0,
            vec![
                slot(0, Base::String, false, 0),
                slot(1, Base::Int32, true, 0),
            ],
            6,
        );
        let message = layout(1, vec![slot(0, Base::Struct, true, 0)], 4);
        let version = Version {
            number: 0,
            layout: 1,
            latest: None,
        };
        Program {
            front: Front::Version,
            newer: Newer::Clamp,
            layouts: vec![topic, message],
            versions: vec![version],
            head: None,
        }
    }

    const ASSIGNMENT: &[u8] = b"\0\0\0\x01\0\x01a\0\0\0\x02\0\0\0\0\0\0\0\x07";

    #[test]
    fn a_whole_message_ends_at_its_end() {
        let program = program();
        assert_eq!(
            end(&program, program.versions[0], ASSIGNMENT, 0),
            Ok(ASSIGNMENT.len())
        );
    }

    #[test]
    fn every_cut_is_refused_within_the_bytes() {
        let program = program();
        for cut in 0..ASSIGNMENT.len() {
            let fault = end(&program, program.versions[0], &ASSIGNMENT[..cut], 0).unwrap_err();
            assert!(fault.at <= cut, "{fault:?} of {cut} bytes");
        }
    }

    #[test]
    fn a_count_beyond_the_bytes_is_refused_where_it_stands() {
        let program = program();
        let fault = end(&program, program.versions[0], b"\x7f\xff\xff\xff\0\x01a", 0).unwrap_err();
        assert_eq!(fault, Fault::new(Kind::CountExceedsInput, 0));
    }
}
