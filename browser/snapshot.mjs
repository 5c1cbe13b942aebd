// Writes the memory of a Python that has started and imported what every view needs, so that the
// page does not do that again.
//
//     node snapshot.mjs PYODIDE STDLIB_ZIP MODULES SNAPSHOT
//
// Pyodide calls this experimental: a snapshot fits the very Pyodide, and the very archive of the
// standard library, that it was made with; both lie beside it. It holds no compiled extension, since
// the addresses of these are known only to JavaScript: so neither msgspec nor what imports it. The
// seed of hashes is in it, too; it is the same for everybody.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodideFolder, stdlib, modules, snapshot] = process.argv.slice(2).map((place) => path.resolve(place));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodideFolder, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: pyodideFolder, stdLibURL: stdlib, _makeSnapshot: true });
pyodide.FS.mkdirTree("/modules");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: modules }, "/modules");
pyodide.runPython(`
import sys
sys.path.insert(0, "/modules")

import argparse, base64, bisect, bz2, contextlib, csv, dataclasses, datetime, decimal, difflib, enum
import functools, gzip, hashlib, heapq, html, importlib.metadata, importlib.resources, inspect, io
import itertools, json, logging, lzma, math, operator, os, pathlib, random, re, select, shutil, signal
import socket, statistics, string, struct, tempfile, textwrap, tomllib, traceback, types, typing
import unicodedata, uuid, xml.etree.ElementTree, zipfile, zlib, zoneinfo

import rich.console, rich.table, rich.text, rich.padding, rich.progress
import dpkt, jinja2, typing_extensions
`);
fs.writeFileSync(snapshot, pyodide.makeMemorySnapshot());
