"""What servers say of their own time."""
import json

from console_lab import audit
from console_stage import expect, test


@test
def reads_what_servers_say_of_their_time(stage):
    browser = stage.fresh()
    cases = {
        "": [],
        "db;dur=53.2;desc=\"the orders\", cache;desc=hit": [{"name": "db", "duration": 53.2, "description": "the orders"}, {"name": "cache", "description": "hit"}],
        "miss,,;dur=1, a b;dur=2,total;dur=123.4": [{"name": "miss"}, {"name": "total", "duration": 123.4}],
        "a;DUR=1;dur=2;desc=\"x;\\\"y\\\", z\";desc=no": [{"name": "a", "duration": 1, "description": "x;\"y\", z"}],
        "a; dur = 5 ; other=7": [{"name": "a", "duration": 5}],
        "a;dur=\"4\"": [{"name": "a", "duration": 4}],
        "a;dur=x;desc=\"open, b": [{"name": "a", "description": "open, b"}],
        "a;dur=-1": [{"name": "a"}],
        "a;desc=\"ends\\": [{"name": "a", "description": "ends"}],
    }
    for text, expected in cases.items():
        found = browser.evaluate(f"import('/js/detail/server-timing.js').then((it) => JSON.parse(JSON.stringify(it.serverTiming({json.dumps(text)}))))")
        expect(found == expected, f"{text}: {found}")
    stages = browser.evaluate("""import('/js/detail/waterfall.js').then((it) => [
        {queue: 1, dns: 2, connect: 3, tls: 4, requestEnded: 15, firstByte: 20, total: 30}, {connect: 3, setUpBefore: 3, requestEnded: 1, firstByte: 9, total: 10},
        {requestEnded: 9, firstByte: 4, total: 12}, {dns: 4, total: 10}, {queue: 2}].map((timings) => it.stagesOf(timings).bars.map((bar) => [bar.name, bar.start, bar.length])))""")
    expect(stages == [
        [["queue", 0, 1], ["dns", 1, 2], ["connect", 3, 3], ["tls", 6, 4], ["send", 10, 5], ["wait", 15, 5], ["receive", 20, 10]],
        [["connect", 0, 3], ["send", 3, 1], ["wait", 4, 8], ["receive", 12, 1]],
        [["send", 0, 4], ["wait", 4, 0], ["receive", 4, 8]], [["dns", 0, 4], ["wait", 4, 6]], [["queue", 0, 2]]], f"stages: {stages}")
    stage.open("timed")
    browser.wait("document.querySelectorAll('.waterfall .server-timing tr').length === 3")
    text = browser.evaluate("document.querySelector('.waterfall .server-timing').innerText")
    expect("db: the orders" in text and "21 ms" in text and "cache" in text, f"the detail: {text}")
    stage.shoot("server-timing-detail")
    audit(stage, "server-timing-detail")
