"""What each client and release writes, reads, supports and gets wrong: data with evidence.

| data                | what                                                                 |
|---------------------|----------------------------------------------------------------------|
| `clients.json`      | what clients and releases write (`catalog`)                          |
| `abilities.json`    | what clients can do, and the test that showed it (`catalog`)         |
| `plans.json`        | the plans that tests have carried out, with which clients            |
| `readers.json`      | what clients did with inputs, as `kproto conform --matrix` measured  |
| `consequences.json` | what a deviation means, who writes it, what becomes of its readers   |
| `groups.json`       | what real consumers did with it in a group, and print (`group_runs`) |
| `faults.toml`       | known faults that make groups rebalance, by release (`faults`)       |
| `errors.toml`       | errors as clients print them, and what they mean (`error_pages`)     |
| `settings.toml`     | names and defaults of settings, by client and release (`settings`)   |
| `reports.json`      | what others have reported of clients, as questions to them           |

`reader_rules` are models of the clients' decoders; `readers` predicts by them and by what was
measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import late_names

if TYPE_CHECKING:
    from .consequences import meaning_for_group as meaning_for_group

__getattr__, __dir__ = late_names(__name__, {"meaning_for_group": "consequences"})
