"""Marks what passes, answers one path itself, and lets nothing private leave.

    pinhole proxy --interceptor 'python3 docs/examples/interceptors/mark.py'

Each line of standard input is a question, each line of standard output the answer with the same id.
"""

import json
import sys


def answer(question):
    request = question["request"]
    if question["at"] == "request":
        if request["path"] == "/teapot":
            return {"answer": {"status": 418, "fields": [["Content-Type", "text/plain"]], "body": "short and stout\n"}}
        if "secret" in request.get("body", ""):
            return {"drop": True}
        fields = [field for field in request["fields"] if field[0].lower() != "cookie"]
        return {"request": {"fields": fields + [["X-Seen-By", "mark.py"]]}}
    response = question["response"]
    if "body" not in response:
        return {}
    return {"response": {"body": response["body"].replace("pinhole", "PINHOLE")}}


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], **answer(question)}), flush=True)
