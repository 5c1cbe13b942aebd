"""Other people's decoders as judges of the same bytes.

An oracle answers what another implementation makes of some bytes: its verdict, its value, the
bytes it leaves unread. Each one states plainly when it cannot be had on this machine.
"""
