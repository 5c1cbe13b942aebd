"""The errors of a connection to a cluster: each is one line, which names no secret."""

from __future__ import annotations


class ClusterError(Exception):
    """Raised where a cluster cannot be asked, or does not answer. The text is one line: what
    failed, where, and what to do."""


class ConfigError(ClusterError):
    """Raised for a client configuration that cannot be used."""


class Unreachable(ClusterError):
    """Raised where a broker cannot be connected to, closes the connection, or does not answer in
    time."""


class Silent(Unreachable):
    """Raised where a broker does not answer in time."""


class NotKafka(ClusterError):
    """Raised where the other side does not speak Kafka's protocol, or not on this port."""


class AuthenticationFailed(ClusterError):
    """Raised where the broker refuses the principal, or cannot prove that it knows the password."""


class Unsupported(ClusterError):
    """Raised where a broker does not know a request, in any version that kproto writes."""


class Denied(ClusterError):
    """Raised where an ACL is missing; the text names the operation and the resource."""


class NoSuchGroup(ClusterError):
    """Raised where the cluster has no group of that name."""
