import Glibc
import PinholeFiles
import PinholeLock
import PinholeSession
import PinholeTestKit
import Testing

@testable import PinholeCommand

/// The undo files, in a temporary folder and with a shell script in the place of nft.
@Suite("AttachUndo")
struct AttachUndoTests {
    /// The error of nft for a table that does not exist.
    private static let missing = "echo 'Error: No such file or directory' >&2; exit 1"
    private static let refusal = "echo 'Error: Operation not permitted' >&2; exit 1"

    private let directory: TemporaryDirectory
    private let folder: String
    private let nft: String
    private let undo: AttachUndo

    init() throws {
        directory = try TemporaryDirectory(prefix: "pinhole-undo")
        folder = directory.file("run")
        nft = directory.file("nft")
        undo = AttachUndo(folder: folder, nft: nft, patience: .zero)
        try Folder.make(at: folder)
        try setNft("exit 0")
    }

    private func setNft(_ body: String) throws {
        try File.write(Array("#!/bin/sh\n\(body)\n".utf8), to: nft)
        chmod(nft, 0o755)
    }

    /// A plan whose cgroup would be a folder of the temporary one.
    private func plan(_ pid: Int32) -> AttachPlan {
        let origin = ControlGroup(folder: directory.path, level: 0)
        return AttachPlan(pid: pid, started: 1, origin: origin, port: 1, port6: nil)
    }

    private func exists(_ name: String) -> Bool { File.exists(at: "\(folder)/\(name)") }

    /// Writes the undo file of a killed process.
    private func leave(_ pid: Int32, withGroup: Bool) throws {
        let plan = plan(pid)
        try File.write(Array("\(plan.group.folder)\n".utf8), to: "\(folder)/\(plan.name)")
        if withGroup { try Folder.make(at: plan.group.folder) }
    }

    /// Begins without changes; returns what was told.
    private func begin(_ plan: AttachPlan?) async throws -> [String] {
        var told: [String] = []
        let file = try await undo.begin(plan) { name, failure in
            told.append(failure.map { "\(name): \($0.message)" } ?? name)
        } _: { _ in
        }
        if let file { close(file) }
        return told
    }

    @Test("the undo file exists while the changes are made, and ends with them")
    func whole() async throws {
        let plan = plan(12)
        let seen = Lock("")
        let file = try await undo.begin(plan) { _, _ in
        } _: { plan in
            seen.withLock { $0 = File.text(of: "\(folder)/\(plan.name)") ?? "" }
        }
        #expect(seen.withLock { $0 } == "\(plan.group.folder)\n")
        let failure = await #expect(throws: CommandFailure.self) { try await begin(plan) }
        #expect(failure?.message == "another pinhole attach is attached to the process 12")
        #expect(try await begin(nil) == [], "a locked file is left alone")
        try await undo.end(plan)
        #expect(!exists("pinhole-12"))
        if let file { close(file) }
    }

    @Test("undo files and processes name the remains of killed processes, without attached processes")
    func remains() throws {
        try leave(12, withGroup: false)
        try leave(13, withGroup: false)
        try File.write([], to: "\(folder)/pinhole-14")
        let processes = directory.file("proc")
        for (number, group, command) in [
            (13, "0::/user.slice/pinhole-13\n", "client\0"), (15, "1:cpu:/\n0::/pinhole-15\n", "client\0"),
            (16, "0::/pinhole-16/inner\n", "client\0"), (17, "0::/\n", "pinhole\0attached\0--process\013\0"),
        ] {
            try Folder.make(at: "\(processes)/\(number)")
            try File.write(Array(group.utf8), to: "\(processes)/\(number)/cgroup")
            try File.write(Array(command.utf8), to: "\(processes)/\(number)/cmdline")
        }
        #expect(undo.remains(processes: processes) == ["pinhole-12", "pinhole-15", "pinhole-16"])
    }

    @Test("a failed change is undone, and its reason is reported")
    func failedChange() async throws {
        let reason = CommandFailure(.couldNotRun, "read-only")
        let failure = await #expect(throws: CommandFailure.self) {
            _ = try await undo.begin(plan(12)) { _, _ in
            } _: { _ throws(CommandFailure) in
                throw reason
            }
        }
        #expect(failure == reason)
        #expect(!exists("pinhole-12"))
    }

    @Test("changes of a killed process are undone once")
    func left() async throws {
        try leave(12, withGroup: false)
        #expect(try await begin(nil) == ["pinhole-12"])
        #expect(try await begin(nil) == [])
    }

    @Test("a folder that others can enter is refused")
    func open() async throws {
        chmod(folder, 0o750)
        let failure = await #expect(throws: CommandFailure.self) { try await begin(nil) }
        #expect(failure?.message.contains("belongs to another user or is open to others") == true)
    }

    @Test(
        "a folder of another user is refused, and its files are not used",
        .enabled(if: geteuid() == 0, "root")
    )
    func foreign() async throws {
        try leave(12, withGroup: false)
        #expect(chown(folder, 65534, 65534) == 0)
        let failure = await #expect(throws: CommandFailure.self) { try await begin(plan(13)) }
        #expect(failure?.message.contains("belongs to another user") == true)
        #expect(exists("pinhole-12") && !exists("pinhole-13"))
    }

    @Test("a link in the place of the folder is refused")
    func link() async throws {
        #expect(rename(folder, directory.file("other")) == 0)
        #expect(symlink(directory.file("other"), folder) == 0)
        let failure = await #expect(throws: CommandFailure.self) { try await begin(nil) }
        #expect(failure?.message.hasPrefix("could not open \(folder)") == true)
    }

    @Test("a link in the place of an undo file is not followed")
    func linkedFile() async throws {
        let target = directory.file("target")
        try File.write(Array("kept".utf8), to: target)
        #expect(symlink(target, "\(folder)/pinhole-12") == 0)
        #expect(try await begin(nil) == [])
        await #expect(throws: CommandFailure.self) { try await begin(plan(12)) }
        #expect(File.text(of: target) == "kept")
    }

    @Test("an undo file that cannot be used stops the attachment to its own process only")
    func passedOver() async throws {
        // The folder is no cgroup, so nothing in it is touched.
        try leave(12, withGroup: true)
        try leave(13, withGroup: false)
        let group = plan(12).group.folder
        try File.write(Array("kept".utf8), to: "\(group)/cgroup.procs")
        let message = "could not remove the cgroup \(group): Operation not supported"
        #expect(try await begin(plan(14)) == ["pinhole-12: \(message)", "pinhole-13"])
        let failure = await #expect(throws: CommandFailure.self) { try await begin(plan(12)) }
        #expect(failure?.message == message)
        #expect(exists("pinhole-12") && File.text(of: "\(group)/cgroup.procs") == "kept")
    }

    @Test("a cgroup that somebody else made is refused and stays")
    func foreignGroup() async throws {
        let plan = plan(12)
        try Folder.make(at: plan.group.folder)
        let failure = await #expect(throws: CommandFailure.self) { try await begin(plan) }
        #expect(failure?.message.contains("exists already") == true)
        #expect(File.exists(at: plan.group.folder) && !exists("pinhole-12"))
    }

    @Test("a table that no longer exists is no failure")
    func noTable() async throws {
        try setNft(Self.missing)
        try leave(12, withGroup: false)
        #expect(try await begin(nil) == ["pinhole-12"])
        #expect(!exists("pinhole-12"))
    }

    @Test("any other failure of nft keeps the undo file", arguments: [refusal, "exit 1"])
    func refused(body: String) async throws {
        try setNft(body)
        try leave(12, withGroup: false)
        let told = try await begin(nil)
        #expect(told.count == 1 && told.first?.contains("nft did not remove the table pinhole-12") == true)
        #expect(exists("pinhole-12"))
    }

    @Test("an nft that cannot be started keeps the undo file")
    func noNft() async throws {
        unlink(nft)
        try leave(12, withGroup: false)
        let told = try await begin(nil)
        #expect(told.count == 1 && told.first?.contains("nft did not remove the table pinhole-12") == true)
        #expect(exists("pinhole-12"))
    }

    @Test("a start time is read behind any name")
    func startTime() {
        let line = "7 (a) b (c) S 1 7 7 0 -1 4194304 1 0 0 0 1 2 0 0 20 0 1 0 4711 1000 10"
        #expect(StartTime.read(line) == 4711)
        #expect(StartTime.read("7 (a) S 1") == nil && StartTime.read("") == nil)
        #expect(StartTime.of(getpid()) != nil && StartTime.of(-1) == nil)
    }
}
