"""Read, write, inspect, test and audit the bytes that Kafka consumers exchange inside a group.

>>> import kproto
>>> kproto.codec.ConsumerProtocolSubscription(topics=["orders"]).to_bytes(version=0).hex()
'00000000000100066f7264657273ffffffff'
>>> kproto.decode("00000000000100066f7264657273ffffffff").message.topics
('orders',)

A subpackage is imported when it is first used, so that `import kproto` costs almost nothing. To a
type checker, `kproto.codec` and `kproto.schemas` are known that way; the others it knows where they
are imported by name: `import kproto.fuzz`.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as type checkers know it; importing typing would be most of the cost
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    # The others would have every user's type checker read their libraries. `import kproto.fuzz`
    # gives the types of one.
    from . import codec as codec
    from . import schemas as schemas

    __version__: str

_SUBPACKAGES = (
    "browser", "capture", "clients", "cluster", "codec", "fuzz", "history", "inspector", "pages",
    "pipeline", "rebalance", "schemas", "tools",
)  # fmt: skip
_FUNCTIONS = {"decode": "inspector.views.notebook"}
"""What is called without its room, by the module that has it."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    value_of, _ = late_names(__name__, {**dict.fromkeys(_SUBPACKAGES, ""), **_FUNCTIONS})
    return value_of(name)


def __dir__() -> list[str]:
    return sorted({*globals(), "__version__", *_SUBPACKAGES, *_FUNCTIONS})


def late_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package that imports a name when it is first
    used. `homes` has the module of each name, as it is called inside of the package; "" says
    that the name is a module.
    """
    from importlib import import_module  # late: `import kproto` imports nothing else

    def value_of(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = import_module(f".{homes[name] or name}", package)
        value = getattr(home, name) if homes[name] else home
        setattr(import_module(package), name, value)
        return value

    return value_of, lambda: sorted(homes)


def import_light(module: str, late: Mapping[str, Mapping[str, object]]) -> None:
    """Import a module of others without the modules in `late`, which few calls use: each is
    imported when it is first used.

    `late` has what the module takes from each while it is imported: a value, or None for a function
    that imports its module when it is called. For any other name the module is imported at once.
    """
    from importlib import import_module

    class Late(type(sys)):  # type: ignore[misc]  # it is types.ModuleType
        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):  # the import system asks for them
                raise AttributeError(name)
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
            return getattr(import_module(self.__name__), name)

    def late_function(home: Late, name: str) -> Callable[..., Any]:
        def function(*values: Any, **options: Any) -> Any:
            return home.__getattr__(name)(*values, **options)

        return function

    stand_ins = {name: Late(name) for name in late if name not in sys.modules}
    for home, stand_in in stand_ins.items():
        for name, value in late[home].items():
            setattr(stand_in, name, late_function(stand_in, name) if value is None else value)
    sys.modules.update(stand_ins)
    try:
        import_module(module)
    finally:
        for home, stand_in in stand_ins.items():
            if sys.modules.get(home) is stand_in:
                del sys.modules[home]


def _version() -> str:
    """Return the version of the installed distribution, which pyproject.toml declares."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version(__name__)
    except PackageNotFoundError:
        raise AttributeError(f"{__name__} is not installed, so that it has no version") from None
    globals()["__version__"] = number
    return number
