import Foundation
import PinholeLock
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeRuntime

/// Real connections of real processes.
@Suite("ClientFinder")
struct ClientFinderTests {
    /// A listener on 127.0.0.1, and a connection that was accepted there.
    private final class Server {
        let descriptor: Int32
        let address: SocketAddress

        init() throws {
            let any = SocketAddress(try #require(IPAddress("127.0.0.1")), port: 0)
            let listener = socket(any.family, Int32(SOCK_STREAM.rawValue), 0)
            let isListening =
                any.withSystemAddress { bind(listener, $0, $1) } == 0 && listen(listener, 8) == 0
            try #require(isListening)
            descriptor = listener
            address = try #require(Socket.localAddress(of: listener))
        }

        deinit { close(descriptor) }

        /// Waits for a connection, and hands it out with its ends.
        func connection() throws -> (descriptor: Int32, ends: ConnectionEnds) {
            let accepted = accept(descriptor, nil, nil)
            try #require(accepted >= 0)
            let peer = Socket(taking: dup(accepted)).peerAddress
            return (accepted, ConnectionEnds(local: try #require(peer), remote: address))
        }
    }

    private static func found(_ ends: ConnectionEnds, by finder: ClientFinder) async -> ClientProcess? {
        await withCheckedContinuation { continuation in
            finder.find(ends) { continuation.resume(returning: $0) }
        }
    }

    @Test("finds a child process that connects, and no process after its end")
    func child() async throws {
        let server = try Server()
        let finder = ClientFinder(clock: LoopClock())
        let invocation = Invocation(
            "bash",
            ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(server.address.port); read -r line <&3"]
        )
        let ends = try await SpawnedProcess.run(invocation) { process in
            let (descriptor, ends) = try server.connection()
            defer { close(descriptor) }
            let found = try #require(await Self.found(ends, by: finder))
            #expect(found.pid == process.identifier && found.name == "bash")
            #expect(found.path?.hasSuffix("/bash") == true)
            return ends
        }
        #expect(await Self.found(ends, by: finder) == nil)
    }

    @Test("finds the process that connected, although its child has the socket too")
    func forked() async throws {
        let server = try Server()
        let finder = ClientFinder(clock: LoopClock())
        let script =
            "exec 3<>/dev/tcp/127.0.0.1/\(server.address.port); (echo ready >&3; read -r line <&3; exit 0) & wait"
        try await SpawnedProcess.run(Invocation("bash", ["-c", script])) { process in
            let (descriptor, ends) = try server.connection()
            defer { close(descriptor) }
            var byte: UInt8 = 0
            #expect(recv(descriptor, &byte, 1, 0) == 1, "the child runs")
            #expect(try #require(await Self.found(ends, by: finder)).pid == process.identifier)
        }
    }

    @Test("answers many at once, each with its own, and each once")
    func many() async throws {
        let server = try Server()
        let finder = ClientFinder(clock: LoopClock())
        let own = ProcessInfo.processInfo.processIdentifier
        for _ in 0..<3 {
            var sockets: [Int32] = []
            defer { for socket in sockets { close(socket) } }
            var all: [ConnectionEnds] = []
            for _ in 0..<8 {
                let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                let isConnected = server.address.withSystemAddress { connect(client, $0, $1) } == 0
                try #require(isConnected)
                let (accepted, ends) = try server.connection()
                sockets += [client, accepted]
                all.append(ends)
            }
            let found = await withTaskGroup(of: Int32?.self) { group in
                for ends in all { group.addTask { await Self.found(ends, by: finder)?.pid } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(found == Array(repeating: own, count: 8))
        }
    }

    @Test("at the end every question is answered before anything else happens")
    func finish() async throws {
        let server = try Server()
        let finder = ClientFinder(clock: LoopClock())
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = server.address.withSystemAddress { connect(client, $0, $1) } == 0
        try #require(isConnected)
        let (accepted, ends) = try server.connection()
        defer { for socket in [client, accepted] { close(socket) } }
        let found = Lock<[Int32?]>([])
        // The first answer begins a rest, in which the next questions would wait.
        _ = await Self.found(ends, by: finder)
        for _ in 0..<3 { finder.find(ends) { process in found.withLock { $0.append(process?.pid) } } }
        await withCheckedContinuation { continuation in finder.finish { continuation.resume() } }
        let own = ProcessInfo.processInfo.processIdentifier
        // The questions are about one socket, and only the last one is answered with the program.
        #expect(found.withLock(\.count) == 3 && found.withLock { $0.contains(own) })
        await withCheckedContinuation { continuation in finder.finish { continuation.resume() } }
    }

    @Test("a connection of another machine has no process")
    func unknown() async throws {
        let server = try Server()
        let peer = SocketAddress(try #require(IPAddress("192.0.2.1")), port: 4711)
        let finder = ClientFinder(clock: LoopClock())
        let ends = ConnectionEnds(local: peer, remote: server.address)
        #expect(await Self.found(ends, by: finder) == nil)
    }
}
