"""Answers the questions of `kproto conform` with the two calls in calls.py."""

import base64
import json
import sys

import calls

HELLO = {
    "ok": True,
    "protocol": 1,
    "client": calls.CLIENT,
    "release": calls.RELEASE,
    "names": calls.NAMES,
    "ops": ["decode", "encode"],
}


def answer(question):
    """Return the answer to a question, without its id."""
    if question["op"] == "hello":
        return HELLO
    try:
        if question["op"] == "decode":
            return read(question)
        value = dict(question["value"])
        if value.get("userData") is not None:
            value["userData"] = base64.b64decode(value["userData"])
        data = calls.encode(question["name"], question["version"], value)
        return {"ok": True, "hex": data.hex()}
    except NotImplementedError as error:
        return {"ok": False, "unsupported": True, "error": str(error)}
    except calls.REFUSALS as error:
        return {"ok": False, "error": f"{type(error).__name__}: {error}"}


def read(question):
    """Return the answer to a question to decode."""
    result = {"ok": True, **calls.decode(question["name"], bytes.fromhex(question["hex"]))}
    if result["value"].get("userData") is not None:
        user_data = base64.b64encode(result["value"]["userData"]).decode()
        result["value"] = {**result["value"], "userData": user_data}
    if "remainder" in result:
        result["remainder"] = bytes(result["remainder"]).hex()
    return result


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], **answer(question)}), flush=True)
