"""Another checkout of this repository as the package `kproto`, for a process that is compared with
this one's code."""

from __future__ import annotations

from pathlib import Path


def as_package(tree: Path, folder: Path) -> Path:
    """Return a folder that, in PYTHONPATH, makes `tree` the package kproto; it is made in `folder`.

    A package with an `__init__.py` goes before the installed one, a link to the checkout alone,
    which has none at its root, does not.
    """
    package = folder / "kproto"
    package.mkdir(parents=True)
    inits = tree.absolute() / "package"
    for part in (*tree.absolute().iterdir(), *(inits.iterdir() if inits.is_dir() else ())):
        if part.is_dir() or part.suffix == ".py":
            (package / part.name).symlink_to(part)
    if not (package / "__init__.py").exists():
        (package / "__init__.py").touch()
    return folder
