import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("ProgramVersion")
struct ProgramVersionTests {
    @Test("one line says version, commit, its day, the kind of the build and the TLS library")
    func line() {
        #expect(
            ProgramVersion.text(
                commit: "0123456789ab",
                date: "2026-11-23",
                library: "OpenSSL 3.5.4",
                kind: "debug"
            )
                == "pinhole \(ProgramVersion.number) (commit 0123456789ab of 2026-11-23, debug build), OpenSSL 3.5.4"
        )
    }

    @Test("a build without a known commit says so")
    func unknownCommit() {
        #expect(
            ProgramVersion.text(commit: "", date: "", library: "OpenSSL 3.5.4", kind: "debug")
                == "pinhole \(ProgramVersion.number) (unknown commit, debug build), OpenSSL 3.5.4"
        )
    }
}
