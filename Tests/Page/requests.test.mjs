// What pages compute of requests, rules and timings.
import assert from "node:assert/strict";
import test from "node:test";
import { page } from "./page.mjs";

test("fills in variables once", async () => {
  const { namesIn, unknownIn, filled } = await page("parts/compose/variables.js");
  assert.deepEqual(namesIn("a {{b}} {{ c.d-e }} {{}} {{1}}"), ["b", "c.d-e"]);
  assert.deepEqual(unknownIn({ method: "", url: "{{a}}", fields: [], body: "{{b}}", encoding: "base64" }, { a: "1" }), []);
  const made = filled({ method: "", url: "{{a}}{{b}}", fields: [], body: "", encoding: "text" }, { a: "{{b}}", b: "2" });
  assert.equal(made.url, "{{b}}2", "a value is not filled in again");
});

test("says what rules changed", async () => {
  // The capture has a changed body as sent on; after a manual edit, it may have either version.
  const { changesOfResponse, recordedOfResponse } = await page("parts/detail/rule-hits.js");
  const said = [
    [{ rule: "both", kind: "rewriteResponse", effect: "changed status 200 to 410" }, { rule: "both", kind: "rewriteResponse", effect: "changed the body to 13 bytes" }],
    [{ rule: "hold", kind: "breakpoint", effect: "continued with changed status 200 to 404, fields" }],
    [{ rule: "hold", kind: "breakpoint", effect: "continued with changed method GET to PUT, fields" }],
    [{ rule: "ask", kind: "askProgram", effect: "continued with changed fields" }],
    [{ rule: "up", kind: "rewriteRequest", effect: "changed the body to 9 bytes" }],
  ].map((hits) => [changesOfResponse(hits, false), changesOfResponse(hits, false) && recordedOfResponse(hits)]);
  assert.deepEqual(said, [
    ["Rules changed this on its way to the client: status 200 to 410 (both); the body to 13 bytes (both)", "Below is what was sent on."],
    ["A rule changed this on its way to the client: status 200 to 404, fields (hold)", ""], ["", ""],
    ["A rule changed this on its way to the client: fields (ask; of the request or the response)", ""], ["", ""]]);
});

test("writes filters of an exchange", async () => {
  const { filterLike } = await page("parts/rules/breakpoint-rules.js");
  assert.deepEqual([
    { method: "GET", scheme: "https", host: "a.test", port: 8443, path: "/a?b" }, { method: "X", scheme: "http", host: 'a"b', path: "/r\ufffd\ufffd?c" },
  ].map((item) => filterLike(item)), ['method == GET & host == "a.test" & port == 8443 & path == "/a"', 'method == "X" & host == "a\\"b" & path startswith "/r"']);
  assert.equal(filterLike({ method: "GET", scheme: "https", host: "a.test", path: "/a?b?c" }, true),
    'method == GET & host == "a.test" & path == "/a" & query == "b?c"');
});

test("switches rules off in their text", async () => {
  const { switched } = await page("parts/rules/rule-json.js");
  const texts = ['{"do": "setJSON", "set": [{"at": "/x", "value": {"enabled": true}}]}', '{"x": {"enabled": true}, "enabled" : true, "y": "enabled"}',
    '{"name": "\\"enabled\\": true", "enabled": false}', "{}"];
  assert.deepEqual(texts.map((text) => switched(text, false)), [
    '{"do": "setJSON", "set": [{"at": "/x", "value": {"enabled": true}}], "enabled": false}',
    '{"x": {"enabled": true}, "enabled" : false, "y": "enabled"}', texts[2], '{"enabled": false}']);
});

test("changes members of a rule in its text", async () => {
  const { withMember, memberOf, elementsIn, membersIn } = await page("parts/rules/rule-json.js");
  const text = '{\n  "do":"mock",\n  "seed": 12345678901234567890 ,\n  "body": "}\\" ,"\n}';
  const rest = ',\n  "seed": 12345678901234567890 ,\n  "body": "}\\" ,"\n}';
  assert.deepEqual([withMember(text, "do", '"block"'), withMember(text, "do", undefined), withMember(text, "body", undefined), withMember(text, "status", "404"),
    withMember('{"a": [1, {"b": 2}]}', "c", "[]"), memberOf(text, "seed"), elementsIn('[1, "a,]", {"x": [2 ]}]'), membersIn('{"a": 1, "a": 2}') ?? null, membersIn("[]") ?? null,
    withMember('{"a": 1}', "a", undefined), withMember(" { } ", "a", "1")], [
    `{\n  "do":"block"${rest}`, `{\n  ${rest.slice(4)}`, '{\n  "do":"mock",\n  "seed": 12345678901234567890\n}',
    `{\n  "do":"mock"${rest.slice(0, -2)},\n  "status": 404\n}`, '{"a": [1, {"b": 2}], "c": []}', "12345678901234567890",
    ["1", '"a,]"', '{"x": [2 ]}'], null, null, "{}", ' {"a": 1} ']);
});

test("reads Server-Timing", async () => {
  const { serverTiming } = await page("parts/detail/server-timing.js");
  for (const [text, expected] of [
    ["", []],
    ['db;dur=53.2;desc="the orders", cache;desc=hit', [{ name: "db", duration: 53.2, description: "the orders" }, { name: "cache", description: "hit" }]],
    ["miss,,;dur=1, a b;dur=2,total;dur=123.4", [{ name: "miss" }, { name: "total", duration: 123.4 }]],
    ['a;DUR=1;dur=2;desc="x;\\"y\\", z";desc=no', [{ name: "a", duration: 1, description: 'x;"y", z' }]],
    ["a; dur = 5 ; other=7", [{ name: "a", duration: 5 }]],
    ['a;dur="4"', [{ name: "a", duration: 4 }]],
    ['a;dur=x;desc="open, b', [{ name: "a", description: "open, b" }]],
    ["a;dur=-1", [{ name: "a" }]],
    ['a;desc="ends\\', [{ name: "a", description: "ends" }]],
  ]) assert.deepEqual(JSON.parse(JSON.stringify(serverTiming(text))), expected, text);
});

test("splits the time of an exchange into stages", async () => {
  const { stagesOf } = await page("parts/detail/waterfall.js");
  const stages = [
    { queue: 1, dns: 2, connect: 3, tls: 4, requestEnded: 15, firstByte: 20, total: 30 }, { connect: 3, setUpBefore: 3, requestEnded: 1, firstByte: 9, total: 10 },
    { requestEnded: 9, firstByte: 4, total: 12 }, { dns: 4, total: 10 }, { queue: 2 },
  ].map((timings) => stagesOf(timings).bars.map((bar) => [bar.name, bar.start, bar.length]));
  assert.deepEqual(stages, [
    [["queue", 0, 1], ["dns", 1, 2], ["connect", 3, 3], ["tls", 6, 4], ["send", 10, 5], ["wait", 15, 5], ["receive", 20, 10]],
    [["connect", 0, 3], ["send", 3, 1], ["wait", 4, 8], ["receive", 12, 1]],
    [["send", 0, 4], ["wait", 4, 0], ["receive", 4, 8]], [["dns", 0, 4], ["wait", 4, 6]], [["queue", 0, 2]]]);
});

test("refuses command lines of curl that need more than a page", async () => {
  const { looksLikeCurl, readCurl } = await page("parts/compose/curl-reader.js");
  const { Problem } = await page("core/problem.js");
  assert.ok(!looksLikeCurl("http://curl.example/"), "a URL is no command");
  for (const [line, reason] of [
    ["curl -d @secret.json http://a.test/", "-d reads the file secret.json"], ["curl -F 'a=@photo.png' http://a.test/", "-F reads the file photo.png"],
    ["curl --data-binary @- http://a.test/", "standard input"], ["curl -T file http://a.test/", "cannot read files"],
    ["curl -b jar.txt http://a.test/", "reads cookies from the file jar.txt"], ["curl http://a.test/ http://b.test/", "several URLs"],
    ["curl -X", "-X has no value"], ["curl -s", "no URL"],
    ["curl --frobnicate http://a.test/", "--frobnicate is an option that is not read here"], ["curl http://a.test/[1-9]", "several requests"],
    ['curl -d "$(date)" http://a.test/', "would run a command"], ["curl -d $[1+1] http://a.test/", "would run a command"],
    ["curl http://a.test/ > >(tee log)", "would run a command here (>(…)"], ["curl -d @<(date) http://a.test/", "would run a command"],
    ["curl -d ~/secret http://a.test/", "home folder"], ["curl --constructor http://a.test/", "--constructor is an option that is not read here"],
    ["curl 'http://a.test/", "has no end"], ["curl -u name http://a.test/", "ask for a password"],
    ["curl --digest -u a:b http://a.test/", "response of the server first"], ["curl -d a=1 --next http://a.test/", "several requests"],
    ['curl ^"http://a.test/^" ^\n  -H ^"a: b^"', "Windows"],
  ]) {
    assert.ok(looksLikeCurl(line), line);
    assert.throws(() => readCurl(line), (error) => Problem.of(error).sentence.includes(reason), line);
  }
});

test("reads letters whose last byte is a space in ISO 8859-1", async () => {
  const { readCurl } = await page("parts/compose/curl-reader.js");
  assert.equal(readCurl("curl http://a.test/voilà/~mia/à").request.url, "http://a.test/voilà/~mia/à");
});

test("knows which hosts patterns pass through, as the proxy does", async () => {
  const { isCovered } = await page("core/host-patterns.js");
  const covered = [
    [["a.test"], "A.test", 443], [["*.a.test"], "x.y.a.test", 1], [["*.a.test"], "a.test", 1], [["a.test:8443"], "a.test", 443], [["*:8443"], "b.test", 8443],
    [["[::1]:443"], "::1", 443], [["::1"], "::1", 80], [["192.0.2.*"], "192.0.2.9", 80], [["*", "!a.test"], "a.test", 443], [["a.test"], "aXtest", 443],
  ].map((one) => isCovered(...one));
  assert.deepEqual(covered, [true, true, false, false, true, true, true, true, false, false]);
});
