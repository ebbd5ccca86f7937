"""The storage of the mock for the page Compose: collections, sets of variables, and the history."""
from mock_breakpoints import Refusal

FILE = "/var/lib/pinhole/capture.sqlite.compose.json"


class Library:
    def __init__(self):
        self.collections, self.environments, self.history = [], [], []
        self.count = 0

    def listing(self):
        return {"collections": self.collections, "environments": self.environments, "history": self.history,
                "file": FILE, "historyFile": FILE.replace(".json", "-history.json")}

    def answer(self, parts, body):
        """Changes the library as the control API does."""
        match parts:
            case ["PUT", "collections", collection, name]:
                is_new = body.pop("isNew", False)
                found = named(self.collections, collection)
                if not found:
                    found = {"name": collection, "requests": []}
                    self.collections.append(found)
                request = named(found["requests"], name)
                if request and is_new:
                    raise Refusal(409, "the name is taken", f"another request has the name “{name}”")
                if request:
                    request.clear()
                else:
                    request = {}
                    found["requests"].append(request)
                request.update(body, name=name)
            case ["PATCH", "collections", collection, name]:
                requests = required(self.collections, collection)["requests"]
                request = required(requests, name)
                at = requests.index(request)
                requests.remove(request)
                request["name"] = body.get("name", name)
                if "collection" in body:
                    goal = named(self.collections, body["collection"])
                    if not goal:
                        goal = {"name": body["collection"], "requests": []}
                        self.collections.append(goal)
                    requests, at = goal["requests"], len(goal["requests"])
                requests.insert(body.get("at", at), request)
            case ["DELETE", "collections", collection, name]:
                requests = required(self.collections, collection)["requests"]
                requests.remove(required(requests, name))
            case ["PATCH", "collections", collection]:
                required(self.collections, collection)["name"] = body["name"]
            case ["DELETE", "collections", collection]:
                self.collections.remove(required(self.collections, collection))
            case ["PUT", "environments", name]:
                found = named(self.environments, name)
                if found:
                    found["variables"] = body["variables"]
                else:
                    self.environments.append({"name": name, "variables": body["variables"]})
            case ["DELETE", "environments", name]:
                self.environments.remove(required(self.environments, name))
            case ["POST", "history"]:
                self.count += 1
                self.history.insert(0, {"id": self.count, "at": "2026-11-21T16:44:32.000Z", **body})
            case ["DELETE", "history"]:
                self.history.clear()
            case ["DELETE", "history", number]:
                self.history = [one for one in self.history if one["id"] != int(number)]
            case _:
                raise Refusal(404, "not found", "There is nothing here")
        return self.listing()


def named(things, name):
    return next((one for one in things if one["name"] == name), None)


def required(things, name):
    found = named(things, name)
    if not found:
        raise Refusal(404, "not found", f"nothing has the name “{name}” (any more)")
    return found
