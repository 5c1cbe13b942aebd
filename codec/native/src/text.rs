//! Text as Java reads it: what is no UTF-8 becomes U+FFFD, by Java's rule for how many.

const REPLACEMENT: [u8; 3] = [0xef, 0xbf, 0xbd];

/// Copies a string to the start of `to`; gives how many bytes it takes there, at most three times
/// as many as in `raw`. None where `to` is too small.
#[inline(always)]
pub fn copy_text(to: &mut [u8], raw: &[u8]) -> Option<usize> {
    if copy_bytes(to, raw)? {
        Some(raw.len())
    } else {
        copy_other_text(to, raw)
    }
}

/// Copies bytes to the start of `to`; gives whether all of them are ASCII.
#[inline(always)]
fn copy_bytes(to: &mut [u8], raw: &[u8]) -> Option<bool> {
    let to = to.get_mut(..raw.len())?;
    // Most names are short: a few words in a line are quicker than a call. The commonest sizes are
    // asked for first.
    let seen = match raw.len() {
        16.. => match raw.len() {
            16..=32 => ends(to, raw, both)?,
            33..=64 => ends(to, raw, all_four)?,
            _ => many(to, raw)?,
        },
        8.. => ends(to, raw, u64::from_ne_bytes)?,
        4.. => ends(to, raw, |word| u32::from_ne_bytes(word).into())?,
        _ => few(to, raw),
    };
    Some(seen & 0x8080_8080_8080_8080 == 0)
}

/// Copies the first `N` bytes and the last, which overlap; gives the bits of both.
#[inline(always)]
fn ends<const N: usize>(to: &mut [u8], raw: &[u8], bits: impl Fn([u8; N]) -> u64) -> Option<u64> {
    let (first, last) = (*raw.first_chunk::<N>()?, *raw.last_chunk::<N>()?);
    *to.first_chunk_mut::<N>()? = first;
    *to.last_chunk_mut::<N>()? = last;
    Some(bits(first) | bits(last))
}

#[inline(always)]
fn both(word: [u8; 16]) -> u64 {
    let bits = u128::from_ne_bytes(word);
    bits as u64 | (bits >> 64) as u64
}

#[inline(always)]
fn all_four(words: [u8; 32]) -> u64 {
    let mut seen = 0;
    for at in [0, 8, 16, 24] {
        seen |= words[at..]
            .first_chunk()
            .map_or(0, |word| u64::from_ne_bytes(*word));
    }
    seen
}

#[inline(always)]
fn few(to: &mut [u8], raw: &[u8]) -> u64 {
    let mut seen = 0;
    for (byte, byte_to) in raw.iter().zip(to) {
        *byte_to = *byte;
        seen |= byte;
    }
    u64::from(seen)
}

fn many(to: &mut [u8], raw: &[u8]) -> Option<u64> {
    let mut seen = ends(to, raw, both)?;
    let (mut raw, mut to) = (raw, to);
    while let (Some((word, rest)), Some((word_to, rest_to))) = (
        raw.split_first_chunk::<16>(),
        to.split_first_chunk_mut::<16>(),
    ) {
        *word_to = *word;
        seen |= both(*word);
        (raw, to) = (rest, rest_to);
    }
    Some(seen)
}

#[cold]
fn copy_other_text(to: &mut [u8], raw: &[u8]) -> Option<usize> {
    if std::str::from_utf8(raw).is_ok() {
        return Some(raw.len()); // it has been copied
    }
    let text = repaired(raw);
    to.get_mut(..text.len())?.copy_from_slice(&text);
    Some(text.len())
}

/// The longest start of a sequence that could have become a character is one U+FFFD, as in Python;
/// but a surrogate (`ed a0..bf`, with the continuation byte behind it, if there is one) is one as
/// well (`sun.nio.cs.UTF_8`).
fn repaired(raw: &[u8]) -> Vec<u8> {
    let mut made = Vec::with_capacity(raw.len().saturating_mul(3));
    let mut rest = raw;
    while let Some(chunk) = rest.utf8_chunks().next() {
        made.extend_from_slice(chunk.valid().as_bytes());
        rest = rest.get(chunk.valid().len()..).unwrap_or_default();
        if !chunk.invalid().is_empty() {
            made.extend_from_slice(&REPLACEMENT);
            let bad = match rest {
                [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..] => 3,
                [0xed, 0xa0..=0xbf, ..] => 2,
                _ => chunk.invalid().len(),
            };
            rest = rest.get(bad..).unwrap_or_default();
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(raw: &[u8]) -> String {
        let mut to = vec![0; 3 * raw.len()];
        let size = copy_text(&mut to, raw).expect("there is room");
        String::from_utf8(to[..size].to_vec()).expect("it is UTF-8")
    }

    #[test]
    fn utf_8_stays() {
        for text in [
            "",
            "a",
            "orders",
            "exactly8",
            "a-topic-name",
            "käse",
            "𝄞",
            "a longer näme",
        ] {
            assert_eq!(copied(text.as_bytes()), text);
        }
    }

    #[test]
    fn what_is_none_is_counted_as_java_does() {
        // new String(bytes, UTF_8) of Java 17
        assert_eq!(copied(b"a\xffb"), "a\u{fffd}b");
        assert_eq!(copied(b"\xed\xa0\x80b"), "\u{fffd}b");
        assert_eq!(copied(b"\xed\xa0b"), "\u{fffd}b");
        assert_eq!(copied(b"\xed\xa0"), "\u{fffd}");
        assert_eq!(copied(b"\xed"), "\u{fffd}");
        assert_eq!(copied(b"\xf0\x9f\x98"), "\u{fffd}");
        assert_eq!(copied(b"\xe0\x80\x80"), "\u{fffd}\u{fffd}\u{fffd}");
        assert_eq!(copied(b"\xc0\xafz"), "\u{fffd}\u{fffd}z");
    }

    #[test]
    fn a_target_that_is_too_small_is_refused() {
        assert_eq!(copy_text(&mut [0; 4], b"abcde"), None);
        assert_eq!(copy_text(&mut [0; 5], b"abcd\xff"), None);
        assert_eq!(copy_bytes(&mut [0; 8], b"abcdefgh"), Some(true));
    }
}
