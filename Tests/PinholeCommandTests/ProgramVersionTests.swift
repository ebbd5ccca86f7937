import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("ProgramVersion")
struct ProgramVersionTests {
    @Test("one line says version, commit, its day and the kind of the build")
    func line() {
        #expect(
            ProgramVersion.text(commit: "0123456789ab", date: "2026-11-23")
                == "pinhole \(ProgramVersion.number) (commit 0123456789ab of 2026-11-23, debug build)"
        )
    }

    @Test("a build that was not told its commit says so")
    func unknownCommit() {
        #expect(
            ProgramVersion.text(commit: "", date: "")
                == "pinhole \(ProgramVersion.number) (unknown commit, debug build)"
        )
    }
}
