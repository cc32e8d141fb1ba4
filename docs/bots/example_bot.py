"""A bot for Gauntlet in sixty lines, with nothing but Python: it takes every challenge and plays any legal move.

GAUNTLET_TOKEN=gauntlet_... python3 example_bot.py http://127.0.0.1:8000 [file that remembers the last event]
"""

import http.client
import json
import os
import random
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

SITE = urlsplit(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
MEMORY = Path(sys.argv[2] if len(sys.argv) > 2 else "last-event.txt")
HEADERS = {"Authorization": f"Bearer {os.environ['GAUNTLET_TOKEN']}", "Content-Type": "application/json"}


def connect(patience):
    kind = http.client.HTTPSConnection if SITE.scheme == "https" else http.client.HTTPConnection
    return kind(SITE.hostname, SITE.port, timeout=patience)


def post(path, **data):
    """Send an answer or a move; tries again while the site is away or asks for patience."""
    while True:
        try:
            connection = connect(patience=30)
            connection.request("POST", f"/api/v1/bot/{path}", json.dumps(data), HEADERS)
            answer = connection.getresponse()
            body = answer.read()
            if answer.status == 429 or answer.status >= 500:
                time.sleep(float(answer.headers.get("Retry-After", 1)))
                continue
            if answer.status >= 400:  # stale, illegal or too late: the next event says how it goes on
                print("refused:", json.loads(body).get("detail"), flush=True)
            return
        except OSError:
            time.sleep(1)


def choose(turn):
    """The whole of its wits: turn["view"] is all that the seat may know, for a better choice."""
    return random.choice(turn["legal"])


def handle(event):
    if event["kind"] == "reset":  # we do not know what we missed: this is all that waits for us now
        for challenge in event["challenges"]:
            handle({**challenge, "kind": "challenge"})
        for turn in event["turns"]:
            handle({**turn, "kind": "turn"})
    elif event["kind"] == "challenge":
        post(f"challenges/{event['id']}/accept/")
    elif event["kind"] == "turn" and not event.get("past"):
        post(f"matches/{event['match']}/move/", ply=event["ply"], move=choose(event))
    elif event["kind"] == "match.over":
        print("over:", event["match"], "place", event["rank"], flush=True)


def listen():
    """Everything since the last event we dealt with, then whatever comes."""
    seen = MEMORY.read_text().strip() if MEMORY.exists() else ""
    connection = connect(patience=30)  # an empty line comes every few seconds
    connection.request("GET", f"/api/v1/bot/stream/?since={seen}", headers=HEADERS)
    answer = connection.getresponse()
    if answer.status != 200:
        raise OSError(f"{answer.status} {answer.read().decode(errors='replace')}")
    for line in answer:
        event = json.loads(line) if line.strip() else {"kind": "silence"}
        if event["kind"] == "closed" and event["code"] == "restart":
            return
        if event["kind"] == "closed":  # another program has taken over, or we are no longer wanted
            sys.exit(f"closed: {event['code']}")
        handle(event)
        if "seq" in event:
            MEMORY.write_text(str(event["seq"]))


while True:
    try:
        listen()
    except (OSError, http.client.HTTPException, ValueError) as error:
        print("again in a second:", error, flush=True)
    time.sleep(1)
