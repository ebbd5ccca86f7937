import Foundation
import PinholeModel
import PinholeStore
import Testing

@Suite("Rotation of a capture")
struct CaptureRotationTests {
    private static func numbers(_ path: String) throws -> [Int64] {
        try CaptureReader(path: path).traffic(order: .oldestFirst, limit: 100).map(\.id)
    }

    @Test("ended exchanges move with their bodies; open ones stay, and their end is recorded in place")
    func parts() throws {
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record([.flow(.sample(1))])
        for id in Int64(2)...4 { store.record([.exchange(try .sample(id))]) }
        var running = try ExchangeRecord.sample(5)
        running.outcome = nil
        running.timings.ended = nil
        store.record([.exchange(running)])
        store.flush()

        let rotation = CaptureRotation(of: scratch.capture, at: 1, keeping: nil)
        let part = try #require(try rotation.rotateIfDue(now: epoch))
        #expect(part.path == scratch.capture + ".20260102T030405Z" && part.entries == 3)
        #expect(try Self.numbers(scratch.capture) == [5])
        let moved = try CaptureReader(path: part.path)
        let exchanges = try moved.exchanges(order: .oldestFirst, limit: 9)
        #expect(exchanges.count == 3)
        let first = try #require(try moved.exchange(exchanges[0].id))
        #expect(first.response?.body.inline == Array("hello".utf8))
        #expect(try moved.flow(first.flow)?.client == FlowRecord.sample(1).client)

        #expect(try rotation.rotateIfDue(now: epoch) == nil)
        store.record([.exchange(try .sample(5)), .exchange(try .sample(6))])
        store.close()
        #expect(try Self.numbers(scratch.capture) == [5, 6])
        let second = try #require(try rotation.rotateIfDue(now: epoch))
        #expect(second.path == part.path + "-2" && second.entries == 2)
        // What the last part left does not make the next one.
        let more = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        more.record([.exchange(try .sample(7))])
        more.close()
        let larger = CaptureRotation(of: scratch.capture, at: second.left, keeping: nil)
        #expect(try larger.rotateIfDue(now: epoch, beyond: second.left) == nil)
        #expect(CaptureRotation.parts(of: scratch.capture) == [part.path, second.path])
        #expect(try larger.rotateIfDue(now: epoch)?.entries == 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(files.allSatisfy { !$0.contains("rotating") }, "\(files)")
    }

    @Test("a rotation that is given up, or was killed, leaves the capture whole and no file")
    func cancelled() throws {
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record([.flow(.sample(1)), .exchange(try .sample(2))])
        store.close()
        try Data("left by a killed process".utf8).write(
            to: URL(fileURLWithPath: scratch.capture + ".rotating")
        )
        let rotation = CaptureRotation(of: scratch.capture, at: 1, keeping: nil)
        #expect(throws: CaptureFailure.self) { try rotation.rotateIfDue(now: epoch) { true } }
        #expect(try Self.numbers(scratch.capture) == [2])
        #expect(CaptureRotation.parts(of: scratch.capture).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: scratch.capture + ".rotating"))
        #expect(try rotation.rotateIfDue(now: epoch)?.entries == 1)
    }

    @Test("rows moved before a kill leave the capture, unless the list is another one's or truncated")
    func killed() throws {
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record([.flow(.sample(1)), .exchange(try .sample(2)), .exchange(try .sample(3))])
        store.close()
        let rotation = CaptureRotation(of: scratch.capture, at: 1 << 40, keeping: nil)
        let list = scratch.capture + ".moving"
        let name = ".20260102T030405Z"
        try Data().write(to: URL(fileURLWithPath: scratch.capture + name))
        let created = epoch.microseconds
        for text in [
            "\(created + 1)\n\(name)\n2\n.", "\(created)\n.none\n2\n.", "\(created)\n\(name)\n2", "",
            "\n\n\n.",
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: list))
            #expect(try rotation.rotateIfDue(now: epoch) == nil)
            #expect(try Self.numbers(scratch.capture) == [2, 3], "\(text)")
            #expect(!FileManager.default.fileExists(atPath: list))
        }
        try Data("\(created)\n\(name)\n2,99\n.".utf8).write(to: URL(fileURLWithPath: list))
        #expect(try rotation.rotateIfDue(now: epoch) == nil)
        #expect(try Self.numbers(scratch.capture) == [3])
        #expect(!FileManager.default.fileExists(atPath: list))
    }

    @Test("a small capture stays, and only the newest files are kept")
    func limits() throws {
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let other = scratch.capture + ".notes"
        try Data().write(to: URL(fileURLWithPath: other))
        for second in Int64(0)..<4 {
            let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
            store.record([.flow(.sample(store.nextID()))])
            store.record([.exchange(try .sample(store.nextID()))])
            store.close()
            let now = epoch + .seconds(second)
            #expect(
                try CaptureRotation(of: scratch.capture, at: 1 << 30, keeping: 2).rotateIfDue(now: now) == nil
            )
            #expect(try CaptureRotation(of: scratch.capture, at: 1, keeping: 2).rotateIfDue(now: now) != nil)
        }
        let kept = CaptureRotation.parts(of: scratch.capture).map { $0.suffix(16) }
        #expect(kept == ["20260102T030407Z", "20260102T030408Z"])
        #expect(FileManager.default.fileExists(atPath: other))
    }
}
