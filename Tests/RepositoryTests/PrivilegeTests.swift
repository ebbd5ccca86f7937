import Testing

@Suite("Privileges")
struct PrivilegeTests {
    /// What becomes another user, or changes settings of the whole system.
    private static let forbidden = [
        "setuid(", "seteuid(", "setresuid(", "setgid(", "cap_set_proc(", "pkexec", "gsettings",
        "networksetup", "of: \"sudo\"",
    ]
    /// The one place that asks for the rights of root, after the user has confirmed the changes.
    private static let asking = "Sources/PinholeCommand/Commands/Attach/AttachHelper.swift"

    private static func findings(in file: SourceFile) -> [Finding] {
        file.lines.indices.flatMap { index in
            let line = file.lines[index].trimmingPrefix { $0 == " " }
            return line.hasPrefix("//")
                ? []
                : forbidden.filter(line.contains).map { Finding(file, line: index, "calls \($0)") }
        }
    }

    @Test("nothing but pinhole attach asks for rights, and no setting of the system is changed")
    func sources() throws {
        let files = try Repository.swiftFiles(below: "Sources")
        #expect(files.filter { $0.path != Self.asking }.flatMap(Self.findings) == [])
        #expect(try #require(files.first { $0.path == Self.asking }.map(Self.findings)).count == 1)
    }

    @Test("a call is seen, and a comment is none")
    func seen() {
        let file = SourceFile(path: "A.swift", text: "// setuid\nsetuid(0)")
        #expect(Self.findings(in: file).count == 1)
    }
}
