//! The sum of the commits of a partition; see `kproto.pipeline.audit.commit_sum`, which has the same
//! in Python.
//!
//! A sum of one commit is a sum like any other, so that sums can be summed up as well.

/// int64 of a sum.
pub const NUMBERS: usize = 39;
/// What is not known.
pub const UNKNOWN: i64 = -1;

/// Declares the numbers of a sum once, in the order in which they are read and written.
macro_rules! sum {
    ($($field:ident),* $(,)?) => {
        /// Times in microseconds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Sum {
            $(pub $field: i64),*
        }

        impl Sum {
            pub fn of_numbers(&[$($field),*]: &[i64; NUMBERS]) -> Self {
                Self { $($field),* }
            }

            pub fn numbers(&self) -> [i64; NUMBERS] {
                [$(self.$field),*]
            }
        }
    };
}

sum!(
    committed_offset,
    first,
    last,
    commits,
    first_offset,
    highest_offset,
    same_since,
    same_commits,
    longest_gap_ms,
    pauses,
    rewinds,
    rewound_at,
    rewound_from,
    rewound_to,
    second_gap_ms,
    known_offset,
    known_at,
    first_known,
    first_known_at,
    rewound_gap_ms,
    rewound_deleted,
    again,
    jump_at,
    jump_from,
    jump_to,
    recent_at,
    recent_offset,
    before_at,
    before_offset,
    day_at,
    day_offset,
    day_commits,
    day_rewinds,
    eve_at,
    eve_offset,
    eve_commits,
    eve_rewinds,
    jump_gap_ms,
    jump_deleted,
);

/// From which gap on a pause is one, by how much an offset has to fall, and for how long the first
/// commit of a stretch is kept: the pace of now, and that of a day, are reckoned from it.
#[derive(Clone, Copy)]
pub struct Limits {
    pub pause_ms: i64,
    pub rewind: i64,
    pub stretch: i64,
    pub day: i64,
}

impl Sum {
    pub fn of_commit(offset: i64, time: i64) -> Self {
        let is_known = offset >= 0;
        let known = |number: i64| if is_known { number } else { UNKNOWN };
        let timed = |number: i64| {
            if is_known && time >= 0 {
                number
            } else {
                UNKNOWN
            }
        };
        let counted = i64::from(is_known && time >= 0);
        Self {
            committed_offset: offset,
            first: time,
            last: time,
            commits: i64::from(is_known),
            first_offset: offset,
            highest_offset: offset,
            same_since: time,
            same_commits: 1,
            longest_gap_ms: 0,
            pauses: 0,
            rewinds: 0,
            rewound_at: UNKNOWN,
            rewound_from: UNKNOWN,
            rewound_to: UNKNOWN,
            second_gap_ms: 0,
            known_offset: known(offset),
            known_at: known(time),
            first_known: known(offset),
            first_known_at: known(time),
            rewound_gap_ms: 0,
            rewound_deleted: 0,
            again: 0,
            jump_at: UNKNOWN,
            jump_from: UNKNOWN,
            jump_to: UNKNOWN,
            recent_at: timed(time),
            recent_offset: timed(offset),
            before_at: UNKNOWN,
            before_offset: UNKNOWN,
            day_at: timed(time),
            day_offset: timed(offset),
            day_commits: counted,
            day_rewinds: 0,
            eve_at: UNKNOWN,
            eve_offset: UNKNOWN,
            eve_commits: 0,
            eve_rewinds: 0,
            jump_gap_ms: 0,
            jump_deleted: 0,
        }
    }

    /// Adds what comes next; `before` is the last time of what was added before it.
    pub fn add(&mut self, next: &Self, before: i64, limits: Limits) {
        self.add_gap(next, before, limits);
        self.add_same(next);
        let rewinds = self.add_steps(next, limits);
        self.add_stretches(next, limits);
        self.add_days(next, rewinds, limits);
        if self.first < 0 || (0..self.first).contains(&next.first) {
            self.first = next.first.max(UNKNOWN);
        }
        self.last = self.last.max(next.last);
        self.commits = self.commits.wrapping_add(next.commits);
        self.highest_offset = self.highest_offset.max(next.highest_offset);
        self.committed_offset = next.committed_offset;
        if next.first_known >= 0 {
            (self.known_offset, self.known_at) = (next.known_offset, next.known_at);
            if self.first_known < 0 {
                (self.first_known, self.first_known_at) = (next.first_known, next.first_known_at);
            }
        }
    }

    fn add_gap(&mut self, next: &Self, before: i64, limits: Limits) {
        let gap = gap_ms(before, next.first);
        for gap in [next.longest_gap_ms, next.second_gap_ms, gap] {
            if gap > self.longest_gap_ms {
                self.second_gap_ms = self.longest_gap_ms;
                self.longest_gap_ms = gap;
            } else {
                self.second_gap_ms = self.second_gap_ms.max(gap);
            }
        }
        let pauses = next.pauses + i64::from(gap >= limits.pause_ms);
        self.pauses = self.pauses.wrapping_add(pauses);
    }

    /// Since when, and how often, the last offset was committed again.
    fn add_same(&mut self, next: &Self) {
        let goes_on = next.first_offset == self.committed_offset
            && next.same_commits == next.commits
            && next.first_offset == next.committed_offset
            && next.first_offset >= 0;
        if goes_on {
            self.same_commits = self.same_commits.wrapping_add(next.same_commits);
        } else {
            (self.same_since, self.same_commits) = (next.same_since, next.same_commits);
        }
    }

    /// Adds the steps back and forth between the last offset that was not deleted and the next
    /// ones, and returns how many of them went back.
    fn add_steps(&mut self, next: &Self, limits: Limits) -> i64 {
        let is_step = self.known_offset >= 0 && next.first_known >= 0;
        let step = next.first_known.saturating_sub(self.known_offset);
        let here = is_step && step <= -limits.rewind;
        let gap = gap_ms(self.known_at, next.first_known_at);
        let is_deleted = i64::from(self.committed_offset < 0 || next.first_offset < 0);
        if next.rewinds > 0 {
            self.rewound_at = next.rewound_at;
            self.rewound_from = next.rewound_from;
            self.rewound_to = next.rewound_to;
            self.rewound_gap_ms = next.rewound_gap_ms;
            self.rewound_deleted = next.rewound_deleted;
        } else if here {
            self.rewound_at = next.first_known_at;
            self.rewound_from = self.known_offset;
            self.rewound_to = next.first_known;
            self.rewound_gap_ms = gap;
            self.rewound_deleted = is_deleted;
        }
        let again = if here { step.saturating_neg() } else { 0 };
        self.again = self.again.wrapping_add(again).wrapping_add(next.again);
        if is_step && step > 0 && step >= self.jump() {
            self.jump_at = next.first_known_at;
            self.jump_from = self.known_offset;
            self.jump_to = next.first_known;
            self.jump_gap_ms = gap;
            self.jump_deleted = is_deleted;
        }
        if next.jump_to >= 0 && next.jump() >= self.jump() {
            self.jump_at = next.jump_at;
            self.jump_from = next.jump_from;
            self.jump_to = next.jump_to;
            self.jump_gap_ms = next.jump_gap_ms;
            self.jump_deleted = next.jump_deleted;
        }
        let rewinds = next.rewinds + i64::from(here);
        self.rewinds = self.rewinds.wrapping_add(rewinds);
        rewinds
    }

    /// By how much the offset rose most at once.
    fn jump(&self) -> i64 {
        self.jump_to.saturating_sub(self.jump_from)
    }

    fn add_stretches(&mut self, next: &Self, limits: Limits) {
        let is_one =
            |left: i64, right: i64| left >= 0 && left / limits.stretch == right / limits.stretch;
        if next.recent_at < 0 {
            return;
        }
        if next.before_at < 0 {
            if !is_one(self.recent_at, next.recent_at) {
                (self.before_at, self.before_offset) = (self.recent_at, self.recent_offset);
                (self.recent_at, self.recent_offset) = (next.recent_at, next.recent_offset);
            }
            return;
        }
        let is_first = next.before_at == next.first_known_at;
        (self.before_at, self.before_offset) = if is_first && is_one(self.recent_at, next.before_at)
        {
            (self.recent_at, self.recent_offset)
        } else {
            (next.before_at, next.before_offset)
        };
        (self.recent_at, self.recent_offset) = (next.recent_at, next.recent_offset);
    }

    /// As `add_stretches`, with the commits from the first one of a day on, and of them those that
    /// went back; `rewinds` are those of the next part and of the step to it.
    fn add_days(&mut self, next: &Self, rewinds: i64, limits: Limits) {
        let is_one = |left: i64, right: i64| left >= 0 && left / limits.day == right / limits.day;
        if self.day_at >= 0 {
            self.day_commits = self.day_commits.wrapping_add(next.commits);
            self.day_rewinds = self.day_rewinds.wrapping_add(rewinds);
        }
        if self.eve_at >= 0 {
            self.eve_commits = self.eve_commits.wrapping_add(next.commits);
            self.eve_rewinds = self.eve_rewinds.wrapping_add(rewinds);
        }
        if next.day_at < 0 {
            return;
        }
        let joins_first = next.eve_at == next.first_known_at && is_one(self.day_at, next.eve_at);
        if next.eve_at >= 0 && !joins_first {
            self.eve_at = next.eve_at;
            self.eve_offset = next.eve_offset;
            self.eve_commits = next.eve_commits;
            self.eve_rewinds = next.eve_rewinds;
        } else if next.eve_at >= 0 || !is_one(self.day_at, next.day_at) {
            self.eve_at = self.day_at;
            self.eve_offset = self.day_offset;
            self.eve_commits = self.day_commits;
            self.eve_rewinds = self.day_rewinds;
        } else {
            return;
        }
        self.day_at = next.day_at;
        self.day_offset = next.day_offset;
        self.day_commits = next.day_commits;
        self.day_rewinds = next.day_rewinds;
    }
}

/// The milliseconds between two times in microseconds; 0 where one of them is not known.
fn gap_ms(earlier: i64, later: i64) -> i64 {
    if earlier >= 0 && later >= 0 {
        later.saturating_sub(earlier).max(0) / 1000
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        pause_ms: 10,
        rewind: 5,
        stretch: 5_000,
        day: 10_000,
    };

    fn folded(parts: &[Sum]) -> Sum {
        let (first, rest) = parts.split_first().expect("there is one");
        let mut before = first.last;
        rest.iter().fold(*first, |mut sum, next| {
            sum.add(next, before, LIMITS);
            before = next.last;
            sum
        })
    }

    #[test]
    fn sums_of_sums_are_those_of_the_commits() {
        let commits = [
            (7, 1000),
            (7, 2000),
            (9, 30_000),
            (1, 31_000),
            (-1, 32_000),
            (1, 40_000),
        ];
        let all = commits.map(|(offset, time)| Sum::of_commit(offset, time));
        let whole = folded(&all);
        let parts: Vec<Sum> = all.chunks(2).map(folded).collect();
        assert_eq!(whole, folded(&parts));
        let numbers = whole.numbers();
        assert_eq!(
            numbers[..14],
            [1, 1000, 40_000, 5, 7, 9, 40_000, 1, 28, 1, 1, 31_000, 9, 1]
        );
        assert_eq!(
            numbers[14..],
            [
                8, 1, 40_000, 7, 1000, 1, 0, 8, 30_000, 7, 9, 40_000, 1, 30_000, 9, 40_000, 1, 1,
                0, 30_000, 9, 3, 1, 28, 0
            ]
        );
    }
}
