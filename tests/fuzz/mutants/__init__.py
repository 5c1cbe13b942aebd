"""Faulty decoders and encoders, each with one real bug: what the kit has to find."""
