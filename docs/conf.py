"""How `make docs` builds the site from this folder, without a network."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed
from pathlib import Path

from sphinx.ext.autodoc.mock import MockFinder  # type: ignore[attr-defined]

sys.meta_path.insert(0, MockFinder(["pyspark"]))  # the site is the same without Spark
sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "kproto"
author = "the kproto authors"
copyright = author  # noqa: A001 - Sphinx's name
release = version = installed("kproto")

extensions = ["myst_parser", "sphinx.ext.autodoc", "fields", "open_in_page", "links", "made"]
exclude_patterns = ["_ext", "ci"]
nitpicky = True
smartquotes = False  # -- is an option
default_role = "code"  # what is in backquotes in a docstring
# Without a page: classes of other projects, type variables, and what is not public.
nitpick_ignore_regex = [("py:.*", r"(?!kproto\b).*"), ("py:.*", r"kproto\.\w+\.([a-z]\w*\.)+\w+")]
suppress_warnings = ["ref.python"]  # two rooms have a `Finding`; `links` leads to that of the room

myst_enable_extensions = ["attrs_inline", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"kproto {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["copy.js"]
html_search_scorer = str(Path(__file__).parent / "_static" / "scorer.js")
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # it is fetched page by page, which a folder cannot answer
html_theme_options: dict[str, object] = {"top_of_page_buttons": []}
pygments_style = "friendly"
pygments_dark_style = "github-dark"

linkcheck_anchors = False
