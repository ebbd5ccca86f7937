import Glibc
import PinholeTestKit
import Testing

@testable import PinholeFiles

@Suite("FileGuard")
struct FileGuardTests {
    /// Ann has the account 1000 with a group of her own; Eve has 1001.
    private let ann = FileGuard(accounts: [1000, 0], groups: [1000])

    private func fault(
        owner: UInt32 = 1000,
        group: UInt32 = 1000,
        mode: UInt32,
        isFolder: Bool = false,
        _ privacy: FileGuard.Privacy
    ) -> FileFault? {
        let facts = FileGuard.Facts(owner: owner, group: group, mode: mode, isFolder: isFolder)
        return ann.fault(of: facts, "it's", privacy, holding: "what counts")
    }

    @Test("secret files are readable by their owner only")
    func secret() {
        #expect(fault(mode: 0o600, .secret) == nil && fault(owner: 0, mode: 0o400, .secret) == nil)
        for mode: UInt32 in [0o640, 0o604, 0o620, 0o602, 0o644, 0o666] {
            #expect(fault(mode: mode, .secret)?.remedy == "chmod 600 'it'\\''s'", "\(mode)")
        }
        #expect(fault(mode: 0o755, isFolder: true, .secret)?.remedy == "chmod 700 'it'\\''s'")
    }

    @Test("a protected file may be writable by its owner and by the owner's own group")
    func unalterable() {
        #expect(fault(mode: 0o644, .unalterable) == nil && fault(mode: 0o664, .unalterable) == nil)
        #expect(fault(group: 100, mode: 0o664, .unalterable)?.remedy == "chmod go-w 'it'\\''s'")
        #expect(fault(mode: 0o666, .unalterable) != nil)
        #expect(fault(owner: 0, group: 0, mode: 0o1777, isFolder: true, .unalterable) != nil)
    }

    @Test("in a sticky folder other users cannot replace our files")
    func irreplaceable() {
        #expect(fault(owner: 0, group: 0, mode: 0o1777, isFolder: true, .irreplaceable) == nil)
        #expect(fault(mode: 0o777, isFolder: true, .irreplaceable) != nil)
    }

    @Test(
        "another account's file is refused in every mode, with the command that takes it over",
        arguments: [FileGuard.Privacy.secret, .unalterable, .irreplaceable]
    )
    func foreign(_ privacy: FileGuard.Privacy) {
        let fault = fault(owner: 1001, mode: 0o600, privacy)
        #expect(fault?.problem.hasPrefix("it's belongs to another account (") == true)
        #expect(fault?.remedy.contains("sudo chown 1000 'it'\\''s' && chmod ") == true)
    }

    @Test("the target of a link is checked, and a device passes")
    func descriptors() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("secret", to: "file")
        let link = directory.file("link")
        #expect(symlink(file, link) == 0)
        try FileGuard.current.check(link, .secret, holding: "it")
        chmod(file, 0o640)
        let fault = #expect(throws: FileFault.self) {
            try FileGuard.current.check(link, .secret, holding: "it")
        }
        #expect(fault?.problem.contains("has the mode 0640") == true)
        try FileGuard.current.check("/dev/null", .secret, holding: "it")
        try FileGuard.current.check(directory.file("none"), .secret, holding: "it")
    }

    @Test("a file of another account is refused", .enabled(if: geteuid() == 0))
    func foreignFile() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("", to: "file")
        #expect(chown(file, 12345, 12345) == 0)
        #expect(throws: FileFault.self) { try FileGuard.current.check(file, .secret, holding: "it") }
    }
}
