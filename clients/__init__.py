"""What each client and release writes, reads, supports and gets wrong: data with evidence.

| where             | what                                                                        |
|-------------------|-----------------------------------------------------------------------------|
| `clients.json`    | what clients and releases write, and can do                                 |
| `readers.json`    | what readers did with inputs, as `kproto conform --matrix` measured it      |
| `reader_rules`    | the decoders of clients, as rules and a walk through bytes                  |
| `readers`         | predictions for other bytes, from both                                      |
"""
