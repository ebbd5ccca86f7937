import PinholeModel
import PinholeRules
import PinholeSession
import Testing

@testable import PinholeCommand

@Suite("Rules in one line")
struct RuleLineTests {
    private static func isRule(_ json: String) throws -> Bool {
        _ = try Rule(JSONValue(parsing: Array(json.utf8)), number: 1, path: "rule")
        return true
    }

    @Test(
        "a line is the rule that config.json would have",
        arguments: [
            ("mock /users/* status=503", #"{"do": "mock", "when": "path ~ /users/*", "status": 503}"#),
            ("mock * body='a b' name=\"it's\"", #"{"do": "mock", "body": "a b", "name": "it's"}"#),
            ("delay seconds=2.5", #"{"do": "delay", "seconds": 2.5}"#),
            (
                "block *.ads.test with=404 enabled=false",
                #"{"do": "block", "when": "host ~ *.ads.test", "with": 404, "enabled": false}"#
            ),
            (
                "rewriteResponse 'method == POST & path ~ /x*' set='A: 1' set='B: 2' status=201",
                #"{"do": "rewriteResponse", "when": "method == POST & path ~ /x*", "set": ["A: 1", "B: 2"], "status": 201}"#
            ),
            (
                #"rewriteRequest api.test url='{"find": "a", "with": "b"}' removeQuery='["x","y"]'"#,
                #"{"do": "rewriteRequest", "when": "host == api.test", "url": [{"find": "a", "with": "b"}], "removeQuery": ["x", "y"]}"#
            ),
            (
                #"rewriteResponse /p setJSON='{"at": "/price", "value": 1}'"#,
                #"{"do": "rewriteResponse", "when": "path == /p", "setJSON": [{"at": "/price", "value": 1}]}"#
            ),
            ("throttle asset preset=3G", #"{"do": "throttle", "when": "asset", "preset": "3G"}"#),
            (#"{"do": "noCaching"}"#, #"{"do": "noCaching"}"#),
        ]
    )
    func lines(_ line: String, _ json: String) throws {
        #expect(try RuleLine.json(of: line) == json)
        if !json.contains("3G") { #expect(try Self.isRule(json)) }
    }

    @Test(
        "a mistake is reported with the expected form and the nearest word",
        arguments: [
            (
                "mok /x",
                "expected a kind of rule, a pattern and keys, such as mock /users/* status=503, found “mok”; to fix it: write “mock”"
            ),
            ("", "found nothing; to fix it: pinhole rules kinds"),
            ("mock /x stauts=5", "found “stauts=5”; to fix it: write “status=…”"),
            ("mock /x status=many", "status: expected a number, found “many”"),
            ("mock /x enabled=yes", "enabled: expected true or false, found “yes”"),
            ("mock /x status=200 status=201", "status: expected one value, found several"),
            ("mock 'x", "expected a second '"),
            ("rewriteRequest * url=x", "url: expected JSON, '{\"find\": …"),
            ("mock a..b", "expected a pattern such as /users/*"), ("{", "JSON"),
        ]
    )
    func mistakes(_ line: String, _ message: String) {
        #expect { try RuleLine.json(of: line) } throws: { "\($0)".contains(message) }
    }

    @Test(
        "a pattern is a part of a URL, or a filter",
        arguments: [
            ("*", nil), ("all", nil), ("/a", "path == /a"), ("/a/*", "path ~ /a/*"),
            ("/a?b=c", #"path == /a & query == "b=c""#), ("/a?b=*", #"path == /a & query ~ "b=*""#),
            ("api.test", "host == api.test"), ("*.test:8443", "host ~ *.test:8443"),
            ("localhost", "host == localhost"),
            ("localhost:3000/x", "host ~ localhost:3000 & path == /x"), ("[::1]:80", "host ~ [::1]:80"),
            ("https://api.test/v1/*", "scheme == https & host == api.test & path ~ /v1/*"),
            ("https://api.test/a?b=c", #"scheme == https & host == api.test & path == /a & query == "b=c""#),
            ("method == PUT", "method == PUT"), ("grpc", "grpc"), ("@mine", "@mine"), ("~u x", "~u x"),
        ]
    )
    func patterns(_ pattern: String, _ filter: String?) throws {
        #expect(try RulePattern(pattern).filter == filter)
    }

    @Test("a path that begins with ~/ is one of the user's home")
    func home() throws {
        let home = try #require(ProcessEnvironment.variables["HOME"])
        #expect(try RuleShorthand.mock("/x=200@~/a.txt").json.contains(#""file": "\#(home)/a.txt""#))
        #expect(try RuleShorthand.map("/x/*=~/www/").json.contains(#""folder": "\#(home)/www/""#))
    }

    @Test(
        "short forms are rules of the ordinary kinds",
        arguments: [
            ("--mock", "/x=503", #"{"do": "mock", "when": "path == /x", "status": 503}"#),
            (
                "--mock", "/x=200:json=[1]",
                #"{"do": "mock", "when": "path == /x", "status": 200, "fields": ["Content-Type: application/json"], "body": "[1]"}"#
            ),
            (
                "--mock", #"/x?a=1=200={"b":"c=404"}"#,
                #"{"do": "mock", "when": "path == /x & query == \"a=1\"", "status": 200, "fields": ["Content-Type: application/json"], "body": "{\"b\":\"c=404\"}"}"#
            ),
            (
                "--mock", "api.test=200:text/csv@a.csv",
                #"{"do": "mock", "when": "host == api.test", "status": 200, "fields": ["Content-Type: text/csv"], "file": "a.csv"}"#
            ),
            (
                "--mock", "/x=200:text=@a.txt",
                #"{"do": "mock", "when": "path == /x", "status": 200, "fields": ["Content-Type: text/plain; charset=utf-8"], "file": "a.txt"}"#
            ),
            (
                "--mock", "/x=200:text/html; charset=latin1@a.html",
                #"{"do": "mock", "when": "path == /x", "status": 200, "fields": ["Content-Type: text/html; charset=latin1"], "file": "a.html"}"#
            ),
            (
                "--mock", "/x=200:text/plain;charset=utf-8; format=flowed=a=b;c=d",
                #"{"do": "mock", "when": "path == /x", "status": 200, "fields": ["Content-Type: text/plain;charset=utf-8; format=flowed"], "body": "a=b;c=d"}"#
            ),
            (
                "--mock", "status == 5xx & /a=204",
                #"{"do": "mock", "when": "status == 5xx & /a", "status": 204}"#
            ),
            (
                "--map", "/api/*=http://127.0.0.1:3000",
                #"{"do": "mapRemote", "when": "path ~ /api/*", "to": "http://127.0.0.1:3000"}"#
            ),
            (
                "--map", "/api/*=http://127.0.0.1:3000/v2",
                #"{"do": "mapRemote", "when": "path ~ /api/*", "to": "http://127.0.0.1:3000/v2", "from": "/api"}"#
            ),
            (
                "--map", "/app.js?v=1=./app.js",
                #"{"do": "mapLocal", "when": "path == /app.js & query == \"v=1\"", "file": "./app.js"}"#
            ),
            (
                "--map", "/static/*=/tmp/",
                #"{"do": "mapLocal", "when": "path ~ /static/*", "folder": "/tmp/", "from": "/static"}"#
            ),
            ("--header", "*=X-A: b=c", #"{"do": "rewriteRequest", "set": ["X-A: b=c"]}"#),
            (
                "--header", "api.test=Cookie:",
                #"{"do": "rewriteRequest", "when": "host == api.test", "remove": ["Cookie"]}"#
            ),
        ]
    )
    func short(_ flag: String, _ text: String, _ json: String) throws {
        let line =
            switch flag {
            case "--mock": try RuleShorthand.mock(text)
            case "--map": try RuleShorthand.map(text)
            default: try RuleShorthand.header(text)
            }
        #expect(line.json == json)
        // The pattern of this line is looked at by the filter language alone.
        if !json.contains("204") { #expect(try Self.isRule(line.json)) }
    }

    @Test("a short form that cannot be read shows its notation")
    func wrong() {
        for (text, notation) in [
            ("/x", "PATTERN=STATUS"), ("/x=20", "PATTERN=STATUS"), ("=200", "PATTERN=STATUS"),
        ] {
            #expect { try RuleShorthand.mock(text) } throws: { "\($0)".contains(notation) }
        }
        #expect { try RuleShorthand.map("/s/*=nosuch") } throws: {
            "\($0)".contains("a file or folder that is there") && "\($0)".contains("“nosuch”")
        }
        #expect { try RuleShorthand.map("/x=") } throws: { "\($0)".contains("PATTERN=URL") }
        #expect { try RuleShorthand.header("/x=y") } throws: { "\($0)".contains("PATTERN=NAME: VALUE") }
    }
}
