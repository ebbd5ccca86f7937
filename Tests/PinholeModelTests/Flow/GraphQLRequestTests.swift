import Testing

@testable import PinholeModel

@Suite("GraphQL requests")
struct GraphQLRequestTests {
    private static func told(_ request: GraphQLRequest) -> [String] {
        request.operations.map { "\($0.type ?? "-") \($0.name ?? "-")" }
    }

    @Test(
        "the operations of a body have type and name",
        arguments: [
            (#"{"query": "query GetOrder($id: ID! = \"}\") { order(id: $id) { id } }"}"#, ["query GetOrder"]),
            (#"{"query": "{ me { name } }"}"#, ["query -"]),
            (
                ##"{"query": "# mutation X {\n mutation Pay @live(if: true) { pay(in: {text: \"a { b\"}) { id } }"}"##,
                ["mutation Pay"]
            ),
            (
                #"{"query": "query A { a } fragment F on T { query { b } } subscription B($x: In = {y: [1]}) { c }"}"#,
                ["query A", "subscription B"]
            ),
            (#"{"query": "query A { a } mutation B { b }", "operationName": "B"}"#, ["mutation B"]),
            (#"[{"query": "query A { a }"}, {"query": "query B { b }"}]"#, ["query A", "query B"]),
            (
                #"{"operationName": "Feed", "extensions": {"persistedQuery": {"sha256Hash": "0"}}}"#,
                ["- Feed"]
            ),
            (
                #"{"id": "1", "type": "subscribe", "payload": {"query": "subscription S { s }"}}"#,
                ["subscription S"]
            ),
            ("query Plain { a(text: \"\"\"block \" } \"\"\") { b } }", ["query Plain"]),
            (#"{"query": "shoes", "page": 2}"#, []), (#"{"queries": []}"#, []), ("", []), ("{", []),
            ("query", []), ("queryable=1", []), ("query=mutation Pay{a}", ["mutation Pay"]),
            ("query of a shop", []),
            ("query @live { a }", ["query -"]), (#"{"query": 1, "operationName": "A"}"#, []),
            ("\u{feff}{\"query\":1}", []), ("\u{feff}{\"query\":\"{a}\"}", ["query -"]),
            (#"{"\u0071uery": "mutation M { a }"}"#, ["mutation M"]),
            (#"{"payload": {}, "query": "mutation M { a }"}"#, ["mutation M"]),
            ("operationName=B&%71uery=query+A%7Ba%7D+mutation+B%7Bb%7D", ["mutation B"]),
            (
                "--x\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n"
                    + #"{"query": "mutation Up($file: Upload!) { up }"}"# + "\r\n--x\r\n\r\n--x--",
                ["mutation Up"]
            ),
            ("--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n{}\r\n--x--", []),
        ] as [(String, [String])]
    )
    func bodies(_ body: String, _ expected: [String]) {
        #expect(Self.told(GraphQLRequest(path: "/", bodies: [Array(body.utf8)])) == expected)
    }

    @Test("an unreadable body differs from a body without operations")
    func unreadable() {
        func isComplete(_ body: String) -> Bool {
            GraphQLRequest(path: "/", bodies: [Array(body.utf8)]).isComplete
        }
        #expect(isComplete(#"{"a": 1}"#) && isComplete("text") && isComplete("{"))
        #expect(!isComplete(#"{"query": "{a}", "query": "mutation M {a}"}"#))
        #expect(!isComplete(#"{"query": "{a}""#))
        #expect(!isComplete(#"{"query": "{a}", "v": ""# + String(repeating: "x", count: 8 << 20) + #""}"#))
    }

    @Test(
        "the operations of a URL have type and name, and a query of another kind has none",
        arguments: [
            ("/graphql?query=query%20Who(%24id%3AID!)%7Bme%7Bname%7D%7D&operationName=Who", ["query Who"]),
            ("/graphql?query=%7Bme%7Bid%7D%7D", ["query -"]), ("/search?query=red+shoes", []), ("/", []),
            ("/graphql?query=mutation+M+%7Ba%7D", ["mutation M"]),
            ("/graphql?a=1&%71uery=mutation+M+%7Ba%7D", ["mutation M"]),
        ] as [(String, [String])]
    )
    func urls(_ path: String, _ expected: [String]) {
        #expect(Self.told(GraphQLRequest(path: path)) == expected)
    }
}
