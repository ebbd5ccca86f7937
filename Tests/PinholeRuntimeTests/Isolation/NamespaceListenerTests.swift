import Glibc
import PinholeTestKit
import Testing

@testable import PinholeRuntime

@Suite("The gate of a namespace")
struct NamespaceListenerTests {
    @Test("descriptors come through, and the other side waits until they are served")
    func descriptors() async throws {
        let directory = try TemporaryDirectory()
        let gate = try NamespaceListener(in: directory.path)
        async let arrival = gate.receive()
        let channel = try LocalChannel(to: gate.path)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(channel.send([1], ends))
        guard case .sockets(let sockets) = await arrival else {
            Issue.record("no sockets came")
            return
        }
        let (reading, writing) = (try #require(sockets.listeners.first), sockets.names)
        #expect(sockets.listeners.count == 1 && !ends.contains(reading))
        var byte: UInt8 = 7
        #expect(write(writing, &byte, 1) == 1)
        byte = 0
        #expect(read(reading, &byte, 1) == 1 && byte == 7)
        for descriptor in [reading, writing] { close(descriptor) }
        gate.open()
        #expect(channel.receive()?.bytes == [1])
    }

    @Test("a reason comes through")
    func failure() async throws {
        let directory = try TemporaryDirectory()
        let gate = try NamespaceListener(in: directory.path)
        async let arrival = gate.receive()
        #expect(try LocalChannel(to: gate.path).send(Array("no nft".utf8)))
        guard case .failed("no nft") = await arrival else {
            Issue.record("the reason did not come")
            return
        }
    }

    @Test("a closed listener ends its waits")
    func closed() async throws {
        let directory = try TemporaryDirectory()
        let gate = try NamespaceListener(in: directory.path)
        async let arrival = gate.receive()
        gate.close()
        guard case .nobody = await arrival else {
            Issue.record("somebody came")
            return
        }
    }

    @Test("a path that is too long for a socket is refused")
    func longPath() throws {
        #expect(throws: SystemFailure.self) {
            try NamespaceListener(in: "/tmp/" + String(repeating: "a", count: 200))
        }
    }
}
