//! The decoder of ../../go/planted.go, with the same faults, for libFuzzer as cargo-fuzz drives it.
#![no_main]

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Mutex;

use libfuzzer_sys::fuzz_target;

static MET: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());

/// Writes a name to the file that MET names, once a process.
fn fault(name: &'static str) {
    if MET.lock().unwrap().insert(name) {
        let path = std::env::var("MET").unwrap();
        let mut file = std::fs::File::options()
            .append(true)
            .create(true)
            .open(path)
            .unwrap();
        writeln!(file, "{name}").unwrap();
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, size: i32) -> Option<&'a [u8]> {
        let size = usize::try_from(size).ok()?;
        let taken = self.0.get(..size)?;
        self.0 = &self.0[size..];
        Some(taken)
    }

    fn int16(&mut self) -> Option<i32> {
        let bytes = self.take(2)?;
        Some(i16::from_be_bytes(bytes.try_into().unwrap()).into())
    }

    fn int32(&mut self) -> Option<i32> {
        let bytes = self.take(4)?;
        Some(i32::from_be_bytes(bytes.try_into().unwrap()))
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let size = self.int16()?;
        self.take(size)
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        for _ in 0..self.int32()? {
            items.push(item(self)?);
        }
        Some(items)
    }
}

struct Entry<'a> {
    topic: &'a [u8],
    partitions: Vec<i32>,
}

fn entry<'a>(reader: &mut Reader<'a>) -> Option<Entry<'a>> {
    Some(Entry {
        topic: reader.text()?,
        partitions: reader.list(Reader::int32)?,
    })
}

/// Reads a subscription.
fn subscription(data: &[u8]) -> Option<()> {
    let mut reader = Reader(data);
    let version = reader.int16()?;
    let topics = reader.list(Reader::text)?;
    let size = reader.int32()?;
    let user_data = if size < 0 {
        &[][..]
    } else {
        reader.take(size)?
    };
    in_fields(version, &topics, user_data);
    if version < 1 {
        return Some(());
    }
    let owned = reader.list(entry)?;
    let generation = if version >= 2 { reader.int32()? } else { -1 };
    let mut rack = &[][..];
    if version >= 3 {
        let size = reader.int16()?;
        if size >= 0 {
            rack = reader.take(size)?;
        }
    }
    in_later_fields(version, &topics, &owned, generation, rack);
    in_combinations(version, &topics, &owned, generation, user_data);
    if rack == b"a" && generation == 1 && user_data == [1] {
        fault("rack a, generation 1 and user data of a one");
    }
    if reader.0.len() == 11 {
        fault("eleven bytes left over");
    }
    Some(())
}

fn in_fields(version: i32, topics: &[&[u8]], user_data: &[u8]) {
    if version < 0 && !topics.is_empty() {
        fault("a topic in a negative version");
    }
    if topics.len() == 3 && topics[1].starts_with(b"zq") {
        fault("the second of three topics begins with zq");
    }
    if version == 1 && topics.len() > 1 && topics[0] == topics[1] && !topics[0].is_empty() {
        fault("a topic twice in version 1");
    }
    if user_data.len() > 1 && user_data[0] == user_data[1] && user_data[0] != 0 {
        fault("two equal bytes in user data");
    }
    if user_data.len() == 23 {
        fault("user data of 23 bytes");
    }
    if user_data.starts_with(b"\xca\xfe\xba\xbe") {
        fault("user data that begins with cafebabe");
    }
    if !user_data.is_empty() && topics.first() == Some(&user_data) {
        fault("user data that is the first topic");
    }
    if topics.len() == 9 {
        fault("nine topics");
    }
    if topics.contains(&&b"__consumer_offsets"[..]) {
        fault("a topic of the broker's own");
    }
    if topics.iter().any(|topic| topic.len() == 249) {
        fault("a topic of 249 bytes");
    }
    if topics.len() == 4 && !topics.is_sorted() {
        fault("four topics out of order");
    }
}

fn in_later_fields(version: i32, topics: &[&[u8]], owned: &[Entry], generation: i32, rack: &[u8]) {
    if owned.iter().any(|entry| entry.partitions.is_empty()) {
        fault("an owned topic without partitions");
    }
    if owned
        .iter()
        .any(|entry| entry.partitions.contains(&i32::MAX))
    {
        fault("the largest partition");
    }
    if owned.windows(2).any(|pair| pair[0].topic == pair[1].topic) {
        fault("an owned topic twice");
    }
    if owned
        .iter()
        .map(|entry| entry.partitions.len())
        .sum::<usize>()
        == 7
    {
        fault("seven partitions in all");
    }
    if generation == 77777 {
        fault("generation 77777");
    }
    if version >= 3 && !rack.is_empty() && topics.first() == Some(&rack) {
        fault("a rack that is a topic");
    }
    if rack == b"eu-west" {
        fault("rack eu-west");
    }
    if version > 3 && owned.len() > 1 {
        fault("two owned topics in a newer version");
    }
}

fn in_combinations(
    version: i32,
    topics: &[&[u8]],
    owned: &[Entry],
    generation: i32,
    user_data: &[u8],
) {
    if owned.len() > 2 && owned[0].topic == owned[2].topic && owned[0].topic != owned[1].topic {
        fault("the first owned topic again as the third");
    }
    if owned
        .iter()
        .map(|entry| entry.partitions.len())
        .eq([2, 0, 1])
    {
        fault("two, no and one partition");
    }
    if generation > 255 && user_data.starts_with(&generation.to_be_bytes()) {
        fault("user data that begins with the generation");
    }
    let is_beside = owned.iter().any(|entry| !topics.contains(&entry.topic));
    if version == 1 && topics.len() == 2 && is_beside {
        fault("an owned topic beside the two topics of version 1");
    }
}

fuzz_target!(|data: &[u8]| {
    let _ = subscription(data);
});
