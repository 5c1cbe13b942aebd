"""Captured frames as the history of their groups.

What members and their coordinator say to each other tells what the coordinator then writes into
the offsets topic. From a packet capture, or frames in JSON lines, the same records are made, so
that the same audit reads them.

    calls            requests to a coordinator, its answers, and what it writes because of them
    classic          classic groups: who joined, who leads, who was given what
    broker_assigned  consumer and Streams groups: members, and what they are told to have
    source           a whole capture: its records, and an account of what made none

What no frame says stays empty: nothing is made up.
"""
