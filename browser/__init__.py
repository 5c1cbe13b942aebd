"""The page where one pastes: kproto itself in a browser's WebAssembly, with nothing to install.

| file | what it is |
|---|---|
| `web/` | the page: HTML, style, and JavaScript that shows what `--json` prints |
| `answers.py` | runs in the browser: a command line in, its exit status and output out |
| `downloads.toml` | Pyodide and the wheels for WebAssembly, with versions and hashes |
| `downloads.py` | fetches these through npm and pip |
| `build.py` | `make page`: the folder that is served, and the page that is one file |
| `compile.mjs` | compiles the modules with the Python that runs them, Pyodide's |

The page has no decoder of its own. Each view is a command line of kproto that runs in a worker, on
files that exist only in the worker's memory; the page shows the JSON that the command prints, and
prints the command line beside it.
"""
