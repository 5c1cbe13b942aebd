//! The packets of a block of a `.pcap` file; see `kproto.capture.packets.pcap_files`.
//!
//! Most packets are TCP right in IPv4 right in Ethernet: their segments are found here, all others
//! by `kproto.capture.packets.layers`.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

const HEADER: usize = 16;
const ETHERNET: u32 = 1;
const IP: usize = 14;
const TCP: usize = IP + 20;
const TCP_PROTOCOL: u8 = 6;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_packets, module)?)
}

/// How the numbers in front of each packet are written, and what one may be.
struct Shape {
    little: bool,
    ticks: f64,
    limit: usize,
}

impl Shape {
    fn number(&self, block: &[u8], at: usize) -> Option<u32> {
        let bytes = *block.get(at..)?.first_chunk::<4>()?;
        Some(if self.little {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        })
    }

    /// The time in milliseconds and the bytes of the packet at a position; None where it is not
    /// all there, or is larger than the limit.
    fn packet<'b>(&self, block: &'b [u8], at: usize) -> Option<(f64, &'b [u8])> {
        let seconds = self.number(block, at)?;
        let fraction = self.number(block, at + 4)?;
        let size = self.number(block, at + 8)? as usize;
        let start = at + HEADER;
        let data = block.get(start..start.checked_add(size)?)?;
        let moment = f64::from(seconds) + f64::from(fraction) / self.ticks;
        (size <= self.limit).then(|| (thousandths(moment * 1000.0), data))
    }
}

/// A number rounded to three digits, as Python does.
fn thousandths(number: f64) -> f64 {
    format!("{number:.3}").parse().unwrap_or(number)
}

/// The classes of the objects that are made: `Packet`, `Segment` and `Endpoint`.
type Classes<'py> = (Bound<'py, PyType>, Bound<'py, PyType>, Bound<'py, PyType>);

/// Makes objects of named tuples, and each end of a connection once.
struct Maker<'py> {
    py: Python<'py>,
    new: Bound<'py, PyAny>,
    classes: Classes<'py>,
    ends: HashMap<[u8; 6], Bound<'py, PyAny>>,
}

impl<'py> Maker<'py> {
    fn end(&mut self, address: [u8; 4], port: [u8; 2]) -> PyResult<Bound<'py, PyAny>> {
        let [a, b, c, d] = address;
        let place = [a, b, c, d, port[0], port[1]];
        if let Some(end) = self.ends.get(&place) {
            return Ok(end.clone());
        }
        let fields = (PyBytes::new(self.py, &address), u16::from_be_bytes(port));
        let end = self.new.call1((&self.classes.2, fields))?;
        self.ends.insert(place, end.clone());
        Ok(end)
    }

    fn segment(&mut self, packet: &[u8]) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(plain) = plain(packet) else {
            return Ok(None);
        };
        let source = self.end(plain.addresses[0], plain.ports[0])?;
        let target = self.end(plain.addresses[1], plain.ports[1])?;
        let data = PyBytes::new(self.py, plain.data);
        let [sequence, acknowledgment] = plain.numbers;
        let fields = (
            source,
            target,
            sequence,
            acknowledgment,
            plain.flags,
            data,
            0,
        );
        Ok(Some(self.new.call1((&self.classes.1, fields))?))
    }
}

/// A segment that needs no look at options, extensions or tunnels.
#[derive(Debug, PartialEq)]
struct Plain<'b> {
    addresses: [[u8; 4]; 2],
    ports: [[u8; 2]; 2],
    numbers: [u32; 2],
    flags: u8,
    data: &'b [u8],
}

/// As `_plain_segment` of `layers.py`.
fn plain(packet: &[u8]) -> Option<Plain<'_>> {
    let front = packet.first_chunk::<{ TCP + 20 }>()?;
    let part = |at: usize| [front[at], front[at + 1]];
    let address = |at: usize| [front[at], front[at + 1], front[at + 2], front[at + 3]];
    let is_plain = part(12) == [8, 0] && front[IP] == 0x45 && front[IP + 9] == TCP_PROTOCOL;
    if !is_plain || u16::from_be_bytes(part(IP + 6)) & 0x3fff != 0 {
        return None;
    }
    let start = TCP + usize::from(front[TCP + 12] >> 4) * 4;
    let end = IP + usize::from(u16::from_be_bytes(part(IP + 2)));
    if start < TCP + 20 {
        return None;
    }
    Some(Plain {
        addresses: [address(IP + 12), address(IP + 16)],
        ports: [part(TCP), part(TCP + 2)],
        numbers: [address(TCP + 4), address(TCP + 8)].map(u32::from_be_bytes),
        flags: front[TCP + 13],
        data: packet.get(start..end)?,
    })
}

/// Returns the packets in a block that are all there, up to one that is larger than `limit`, and
/// where the next one begins.
#[pyfunction]
#[pyo3(signature = (block, little, ticks, link_type, limit, classes))]
fn read_packets<'py>(
    py: Python<'py>,
    block: &[u8],
    little: bool,
    ticks: f64,
    link_type: u32,
    limit: usize,
    classes: Classes<'py>,
) -> PyResult<(Vec<Bound<'py, PyAny>>, usize)> {
    let shape = Shape {
        little,
        ticks,
        limit,
    };
    let mut maker = Maker {
        py,
        new: py.get_type::<PyTuple>().getattr("__new__")?,
        classes,
        ends: HashMap::new(),
    };
    let mut packets = Vec::new();
    let mut at = 0;
    while let Some((moment, data)) = shape.packet(block, at) {
        let segment = match link_type {
            ETHERNET => maker.segment(data)?,
            _ => None,
        };
        let fields = (moment, link_type, PyBytes::new(py, data), segment);
        packets.push(maker.new.call1((&maker.classes.0, fields))?);
        at += HEADER + data.len();
    }
    Ok((packets, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(data: &[u8]) -> Vec<u8> {
        let size = 40 + data.len() as u16;
        let mut bytes = [&[0; 12][..], &[8, 0, 0x45, 0], &size.to_be_bytes()].concat();
        bytes.extend([0, 0, 0x40, 0, 64, TCP_PROTOCOL, 0, 0]);
        bytes.extend([10, 0, 0, 1, 10, 0, 0, 2, 0x23, 0x84, 0x10, 0]);
        bytes.extend([0, 0, 0, 7, 0, 0, 0, 9, 0x50, 0x18, 0, 0, 0, 0, 0, 0]);
        bytes.extend(data);
        bytes
    }

    #[test]
    fn padding_is_left_out() {
        let bytes = [packet(b"abc"), vec![0; 3]].concat();
        let plain = plain(&bytes).unwrap();
        assert_eq!(plain.data, b"abc");
        assert_eq!((plain.numbers, plain.flags), ([7, 9], 0x18));
        assert_eq!(plain.ports, [[0x23, 0x84], [0x10, 0]]);
    }

    #[test]
    fn what_is_cut_or_split_is_not_plain() {
        let whole = packet(b"abc");
        assert_eq!(plain(&whole[..whole.len() - 1]), None);
        for (at, byte) in [
            (12, 9),
            (14, 0x46),
            (20, 0x20),
            (23, 17),
            (46, 0x40),
            (46, 0xf0),
        ] {
            let mut other = whole.clone();
            other[at] = byte;
            assert_eq!(plain(&other), None, "{at}");
        }
    }

    #[test]
    fn times_are_rounded() {
        let block = [
            &1_700_000_000u32.to_le_bytes()[..],
            &123_456_789u32.to_le_bytes(),
            &[1, 0, 0, 0, 1, 0, 0, 0, 7],
        ]
        .concat();
        let shape = |limit| Shape {
            little: true,
            ticks: 1e9,
            limit,
        };
        let (moment, data) = shape(9).packet(&block, 0).unwrap();
        assert_eq!((moment, data), (1_700_000_000_123.457, &[7][..]));
        assert_eq!(shape(0).packet(&block, 0), None);
        assert_eq!(shape(9).packet(&block[..16], 0), None);
    }
}
