"""Marks what passes, answers one path itself, and lets nothing private leave.

    pinhole proxy --interceptor 'python3 docs/examples/interceptors/mark.py'

Each line of standard input is a question, each line of standard output the answer with the same id.
"""

import json
import sys


def answer(question):
    if question["at"] == "request":
        request = question["request"]
        if request["path"] == "/teapot":
            return {"respond": {"status": 418, "fields": [["Content-Type", "text/plain"]], "body": "short and stout\n"}}
        if "secret" in request.get("body", ""):
            return {"drop": True, "note": "it holds a secret"}
        fields = [field for field in request["fields"] if field[0].lower() != "cookie"]
        return {"request": {"fields": fields + [["X-Seen-By", "mark.py"]]}}
    if question["at"] == "response":
        body = question["response"].get("body", "")
        if "teapot" in body:
            return {"response": {"body": body.replace("teapot", "TEAPOT")}}
    # Whatever else is asked, "hello" for one, goes on as it is.
    return {}


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], **answer(question)}), flush=True)
