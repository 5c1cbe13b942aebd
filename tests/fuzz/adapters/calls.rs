//! A correct client of a few lines: what `kproto conform --init rust` asks to be filled in.

use crate::{Failure, Message, Partitions};

pub const CLIENT: &str = "my-client";
pub const RELEASE: &str = "1.0";
pub const NAMES: [&str; 2] = ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"];

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, size: i32) -> Result<&'a [u8], Failure> {
        let size = usize::try_from(size)?;
        if size > self.0.len() {
            return Err(Failure::Refused(format!("{size} bytes, {} left", self.0.len())));
        }
        let (taken, rest) = self.0.split_at(size);
        self.0 = rest;
        Ok(taken)
    }

    fn int16(&mut self) -> Result<i32, Failure> {
        Ok(i16::from_be_bytes(self.take(2)?.try_into()?).into())
    }

    fn int32(&mut self) -> Result<i32, Failure> {
        Ok(i32::from_be_bytes(self.take(4)?.try_into()?))
    }

    fn text(&mut self) -> Result<String, Failure> {
        let size = self.int16()?;
        Ok(String::from_utf8_lossy(self.take(size)?).into_owned())
    }

    fn list<T>(&mut self, item: fn(&mut Self) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
        let count = usize::try_from(self.int32()?)?;
        (0..count).map(|_| item(self)).collect()
    }

    fn user_data(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let size = self.int32()?;
        Ok(if size < 0 { None } else { Some(self.take(size)?.to_vec()) })
    }

    fn entry(&mut self) -> Result<Partitions, Failure> {
        Ok(Partitions { topic: self.text()?, partitions: self.list(Self::int32)? })
    }
}

pub fn decode(name: &str, data: &[u8]) -> Result<Message, Failure> {
    let mut reader = Reader(data);
    let version = reader.int16()?;
    if version < 0 {
        return Err(Failure::Refused(format!("version {version}")));
    }
    let mut message = Message { version: Some(version as i16), ..Message::default() };
    if name == NAMES[1] {
        message.assigned_partitions = Some(reader.list(Reader::entry)?);
        message.user_data = Some(reader.user_data()?);
    } else {
        message.topics = Some(reader.list(Reader::text)?);
        message.user_data = Some(reader.user_data()?);
        if version >= 1 {
            message.owned_partitions = Some(reader.list(Reader::entry)?);
        }
        if version >= 2 {
            message.generation_id = Some(reader.int32()?);
        }
        if version >= 3 {
            let size = reader.int16()?;
            let bytes = if size < 0 { None } else { Some(reader.take(size)?) };
            message.rack_id = Some(bytes.map(|it| String::from_utf8_lossy(it).into_owned()));
        }
    }
    message.remainder = Some(reader.0.to_vec());
    Ok(message)
}

fn text(data: &mut Vec<u8>, text: &str) -> Result<(), Failure> {
    data.extend(i16::try_from(text.len())?.to_be_bytes());
    data.extend(text.as_bytes());
    Ok(())
}

fn int32(data: &mut Vec<u8>, number: i32) {
    data.extend(number.to_be_bytes());
}

fn entries(data: &mut Vec<u8>, entries: &[Partitions]) -> Result<(), Failure> {
    int32(data, i32::try_from(entries.len())?);
    for entry in entries {
        text(data, &entry.topic)?;
        int32(data, i32::try_from(entry.partitions.len())?);
        entry.partitions.iter().for_each(|&partition| int32(data, partition));
    }
    Ok(())
}

fn blob(data: &mut Vec<u8>, user_data: &Option<Vec<u8>>) -> Result<(), Failure> {
    match user_data {
        None => int32(data, -1),
        Some(bytes) => {
            int32(data, i32::try_from(bytes.len())?);
            data.extend(bytes);
        }
    }
    Ok(())
}

pub fn encode(name: &str, version: i16, message: Message) -> Result<Vec<u8>, Failure> {
    if !(0..=3).contains(&version) {
        return Err(Failure::Refused(format!("version {version}")));
    }
    let mut data = version.to_be_bytes().to_vec();
    let user_data = message.user_data.unwrap_or_default();
    if name == NAMES[1] {
        entries(&mut data, &message.assigned_partitions.unwrap_or_default())?;
        blob(&mut data, &user_data)?;
        return Ok(data);
    }
    let topics = message.topics.unwrap_or_default();
    int32(&mut data, i32::try_from(topics.len())?);
    for topic in &topics {
        text(&mut data, topic)?;
    }
    blob(&mut data, &user_data)?;
    if version >= 1 {
        entries(&mut data, &message.owned_partitions.unwrap_or_default())?;
    }
    if version >= 2 {
        int32(&mut data, message.generation_id.unwrap_or(-1));
    }
    if version >= 3 {
        match message.rack_id.flatten() {
            None => data.extend((-1i16).to_be_bytes()),
            Some(rack) => text(&mut data, &rack)?,
        }
    }
    Ok(data)
}
