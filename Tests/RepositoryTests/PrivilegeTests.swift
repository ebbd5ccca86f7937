import Testing

@Suite("Privileges")
struct PrivilegeTests {
    /// What becomes another user, or changes settings of the whole system.
    private static let forbidden = [
        "setuid(", "seteuid(", "setresuid(", "setgid(", "cap_set_proc(", "pkexec", "gsettings",
        "networksetup",
    ]

    private static func findings(in file: SourceFile) -> [Finding] {
        file.lines.indices.flatMap { index in
            let line = file.lines[index].trimmingPrefix { $0 == " " }
            return line.hasPrefix("//")
                ? []
                : forbidden.filter(line.contains).map { Finding(file, line: index, "calls \($0)") }
        }
    }

    @Test("nothing asks for rights, and no setting of the system is changed")
    func sources() throws {
        #expect(try Repository.swiftFiles(below: "Sources").flatMap(Self.findings) == [])
    }

    @Test("a call is seen, and a comment is none")
    func seen() {
        let file = SourceFile(path: "A.swift", text: "// setuid\nsetuid(0)")
        #expect(Self.findings(in: file).count == 1)
    }
}
