"""A client author's own functions as a `Subject`, for the pytest plugin.

    subject_of(my_decode, errors=MyError)

`decode(name, data)` returns the value as a mapping, or a `Read` with version and remainder; for
messages without a version in front (requests, sticky user data) it is given their version too,
`decode(name, data, version)`, and a decoder that does not take one is not asked about those.
`encode(name, version, value)` returns bytes. Values are in Kafka's JSON form, except that bytes may
be bytes. `errors` are the documented refusals, NotImplementedError says that there is no API for
the question, and any other exception is a fault. The cost of a call is measured in this process.
"""

from __future__ import annotations

import time
import tracemalloc
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping
from copy import deepcopy
from inspect import signature
from typing import Any, TypeAlias

from ..subject import (
    Cost,
    Failed,
    Failure,
    JsonObject,
    Read,
    ReadAnswer,
    Refused,
    Subject,
    Unsupported,
    WriteAnswer,
    Written,
)
from .cases import known_names

try:
    import resource
except ImportError:  # Windows: what Python itself allocates is measured all the same
    resource = None  # type: ignore[assignment]


def measured(call: Callable[[], object]) -> Cost:
    """Return seconds, and bytes at the peak: of Python's allocator, or of the process if it grew by
    more.

    The process's own peak includes what extensions in C or Rust take, but only if it is a new one.
    """
    outside = _resident_peak()
    already = tracemalloc.is_tracing()
    if not already:
        tracemalloc.start(1)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    start = time.perf_counter()
    try:
        call()
    finally:
        seconds = time.perf_counter() - start
        peak = tracemalloc.get_traced_memory()[1]
        if not already:
            tracemalloc.stop()
    return Cost(seconds, max(peak - before, _resident_peak() - outside))


def _resident_peak() -> int:
    if resource is None:
        return 0
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * 1024


Decode: TypeAlias = Callable[..., "Read | Mapping[str, Any]"]
Encode: TypeAlias = Callable[[str, int, JsonObject], bytes]
Errors: TypeAlias = "type[Exception] | tuple[type[Exception], ...]"


def subject_of(
    decode: Decode | None = None,
    encode: Encode | None = None,
    *,
    errors: Errors = ValueError,
    names: Collection[str] = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment"),
) -> Subject:
    """Return a subject of a decoder, an encoder, or both, for the messages of these names.

    Raises ValueError for names of no message, TypeError for objects that are no functions or no
    errors.
    """
    if not all(_is_error(error) for error in _each(errors)):
        raise TypeError(f"the errors are {errors!r}, not a class of exceptions or a tuple of such")
    if decode is not None and not (_takes(decode, 2) or _takes(decode, 3)):
        raise TypeError("a decoder takes (name, data) or (name, data, version)")
    if encode is not None and not _takes(encode, 3):
        raise TypeError("an encoder takes (name, version, value)")
    return _Functions(decode, encode, errors, frozenset(known_names(names)))


def _each(errors: Errors) -> tuple[type[Exception], ...]:
    return errors if isinstance(errors, tuple) else (errors,)


def _is_error(candidate: object) -> bool:
    return isinstance(candidate, type) and issubclass(candidate, BaseException)


def _takes(function: Callable[..., Any], count: int, *, unsaid: bool = True) -> bool:
    """Return whether a function can be called with so many arguments; `unsaid` for one in C that
    does not say.
    """
    try:
        signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        return unsaid
    return True


class _Functions:
    def __init__(
        self,
        decode: Decode | None,
        encode: Encode | None,
        errors: Errors,
        names: frozenset[str],
    ) -> None:
        self._decode = decode
        self._encode = encode
        self._errors = errors
        self._names = names
        self._takes_version = decode is not None and _takes(decode, 3, unsaid=False)
        self._wants_version = decode is not None and not _takes(decode, 2)

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes with the decoder (see `Subject`)."""
        if self._decode is None or name not in self._names:
            return Unsupported(f"no decoder of {name}")
        function = self._decode
        more = () if version is None and not self._wants_version else (version,)
        if more and not self._takes_version:
            return Unsupported("a decoder that takes no version")
        answer = self._called(lambda: function(name, data, *more))
        if isinstance(answer, Read):
            return answer._replace(value=_plain(answer.value))
        if isinstance(answer, Mapping):
            return Read(_plain(answer))
        if isinstance(answer, Refused | Unsupported | Failed):
            return answer
        return Failed(Failure.LIE, f"{answer!r:.60} is neither a mapping nor a Read")

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value with the encoder (see `Subject`)."""
        if self._encode is None or name not in self._names:
            return Unsupported(f"no encoder of {name}")
        function = self._encode
        own = deepcopy(value)  # the author may change it
        answer = self._called(lambda: function(name, version, own))
        if isinstance(answer, bytes | bytearray | memoryview):
            return Written(bytes(answer))
        if isinstance(answer, Refused | Unsupported | Failed):
            return answer
        return Failed(Failure.LIE, f"{answer!r:.60} is not bytes")

    def _called(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except self._errors as error:
            return Refused(f"{type(error).__name__}: {error}", _documented(error, self._errors))
        except NotImplementedError as error:
            return Unsupported(str(error))
        except MemoryError as error:
            return Failed(Failure.MEMORY, f"MemoryError: {error}")
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever else gets out is the finding
            return Failed(Failure.CRASH, f"{type(error).__name__}: {error}")

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Return that there is no API for it."""
        return Unsupported("functions that read or write")

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return what reading with the decoder takes (see `Subject`)."""
        return measured(lambda: self.decode(name, data, version))


def _documented(error: Exception, errors: Errors) -> str:
    """Return the documented error that an exception is: a subclass counts as its base."""
    return next(known.__name__ for known in _each(errors) if isinstance(error, known))


def _plain(value: Any) -> Any:
    """Return a value with bytes as base64 and sequences as lists."""
    if isinstance(value, bytes | bytearray | memoryview):
        return b64encode(value).decode()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
