"""Packet captures: from the packets of a file to the frames of each TCP connection."""
