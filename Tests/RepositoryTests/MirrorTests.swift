import Testing

@Suite("Mirror")
struct MirrorTests {
    @Test("every source file has its test file")
    func mirrored() throws {
        let findings = MirrorRule.findings(
            sources: try Repository.swiftFiles(below: "Sources"),
            tests: try Repository.swiftFiles(below: "Tests")
        )
        #expect(findings == [])
    }

    private let source = SourceFile(path: "Sources/PinholeWire/HTTP1/Head.swift", text: "struct Head {}")
    private let test = SourceFile(path: "Tests/PinholeWireTests/HTTP1/HeadTests.swift", text: "")

    @Test("a file with its test is let be")
    func tested() {
        #expect(MirrorRule.findings(sources: [source], tests: [test], exceptions: [:], untested: []) == [])
    }

    @Test("a file without a test is seen")
    func untested() {
        let elsewhere = SourceFile(path: "Tests/PinholeModelTests/HeadTests.swift", text: "")
        #expect(
            MirrorRule.findings(sources: [source], tests: [elsewhere], exceptions: [:], untested: []).count
                == 1
        )
    }

    @Test("a part of a type may be tested with the whole", arguments: ["Head", "HeadFields"])
    func part(name: String) {
        let part = SourceFile(path: "Sources/PinholeWire/HTTP1/Head+Fields.swift", text: "extension Head {}")
        let test = SourceFile(path: "Tests/PinholeWireTests/\(name)Tests.swift", text: "")
        #expect(MirrorRule.findings(sources: [part], tests: [test], exceptions: [:], untested: []) == [])
    }

    @Test("an exception that is not needed is seen")
    func staleExceptions() {
        let exceptions = ["PinholeWire/HTTP1/Head.swift": "why"]
        #expect(MirrorRule.findings(sources: [source], tests: [], exceptions: exceptions, untested: []) == [])
        #expect(
            MirrorRule.findings(sources: [source], tests: [test], exceptions: exceptions, untested: []).count
                == 1
        )
        #expect(MirrorRule.findings(sources: [], tests: [], exceptions: exceptions, untested: []).count == 1)
    }

    @Test("an exception that names a test file is seen when there is none")
    func seenThrough() {
        let other = SourceFile(path: "Tests/PinholeWireTests/HTTP1ReaderTests.swift", text: "")
        let findings = { tests in
            MirrorRule.findings(
                sources: [source],
                tests: tests,
                exceptions: ["PinholeWire/HTTP1/Head.swift": "HTTP1ReaderTests"],
                untested: []
            )
        }
        #expect(findings([other]) == [])
        #expect(findings([]).count == 1)
    }

    @Test("a target that has tests is not untested")
    func untestedTarget() {
        let findings = { tests in
            MirrorRule.findings(sources: [source], tests: tests, exceptions: [:], untested: ["PinholeWire"])
        }
        #expect(findings([]) == [])
        #expect(findings([test]).count == 1)
    }

    @Test("a file that declares nothing needs no test, nor does one of another target")
    func nothing() {
        let empty = SourceFile(
            path: "Sources/PinholeWire/A.swift",
            text: "\n// Nothing.\nimport PinholeModel\n"
        )
        let shell = SourceFile(path: "Sources/PinholeRuntime/A.swift", text: "struct A {}")
        #expect(MirrorRule.findings(sources: [empty, shell], tests: [], exceptions: [:], untested: []) == [])
    }
}
