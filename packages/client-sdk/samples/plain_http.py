"""python3 plain_http.py "http://127.0.0.1:4680/?token=…" "What to do"

Runs a task, follows it, answers its approvals, and takes back what was written. Any language that speaks HTTP can do
this: there is nothing here but Python's own library.
"""

import json
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

address = urlsplit(sys.argv[1])
task = sys.argv[2] if len(sys.argv) > 2 else "List what we sold last week"
base = f"{address.scheme}://{address.netloc}/api"
token = parse_qs(address.query)["token"][0]


def open_route(method, path, body=None, timeout=600):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        return urlopen(Request(base + path, data, headers, method=method), timeout=timeout)
    except HTTPError as refused:
        failure = json.load(refused)
        raise SystemExit(f"{failure['kind']}: {failure['message']}")


def ask(method, path, body=None):
    with open_route(method, path, body) as answer:
        return json.load(answer)


def events(path, after):
    """Each event from the cursor on; a stream that breaks is taken up again behind the last row."""
    while True:
        try:
            with open_route("GET", f"{path}?after={after}", timeout=45) as stream:
                for line in stream:
                    if line.startswith(b"data: "):
                        event = json.loads(line[6:])
                        after = event.get("cursor", after)
                        yield event
        except (HTTPException, URLError, OSError):
            pass
        time.sleep(0.5)


workspace = ask("GET", "/workspaces")["workspaces"][0]
here = f"/workspaces/{workspace['workspaceId']}"
page = ask("GET", f"{here}/files?limit=5")
print(f"{workspace['name']}: {page['total']} files, such as {', '.join(f['path'] for f in page['files'])}")

session_id = ask("POST", f"{here}/sessions", {})["sessionId"]
session = f"{here}/sessions/{session_id}"
ask("POST", f"{session}/messages", {"text": task, "toolset": "workspace", "approve": "ask"})

shown = ""  # of the message under way


def show(text):
    global shown
    print(text[len(shown) :], end="", flush=True)
    shown = text


for event in events(f"{session}/events", 0):
    if event["type"] == "text-delta":
        show(shown + event["text"])
    if event["type"] == "text-so-far":
        show(event["text"])
    if event["type"] == "run-lost":
        raise SystemExit(event["message"])
    if event["type"] != "row":
        continue
    body = event["row"]["body"]
    if body["type"] == "retry":
        shown = ""  # the message begins again
    if body["type"] == "assistant_message":
        show(body["text"])  # whole: it may have been written before this stream was opened
        shown = ""
    if body["type"] == "call-start":
        print(f"\n{body['label']}")
    if body["type"] == "approval":
        # A product shows the changes to a person and asks; this one says yes.
        decided = ask("POST", f"{here}/approvals/{body['approval_id']}", {"decision": "approved", "by": "the sample"})
        print(f"Approved: {decided['approval']['label']} ({len(decided['approval']['changes'])} changes)")
    if body["type"] == "run-end" and body["reason"] != "waiting":
        print(f"\n{body['reason']}: {body['closing']}")
        break

for change_set in ask("GET", f"{here}/change-sets")["changeSets"]:
    if change_set["isStanding"] and change_set.get("sessionId") == session_id:
        undone = ask("POST", f"{here}/undo", {"changeSetId": change_set["changeSetId"]})
        print(f"Undone: {', '.join(f['path'] for f in undone['files'])}")
