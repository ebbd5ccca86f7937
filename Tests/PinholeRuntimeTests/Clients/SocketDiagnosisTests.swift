import Glibc
import PinholeModel
import Testing

@testable import PinholeRuntime

/// What the kernel says of sockets of this process.
@Suite("SocketDiagnosis")
struct SocketDiagnosisTests {
    /// A connection within this process: its client's end, and both addresses as the server sees them.
    private final class Connection {
        let client: Int32
        let server: Int32
        let ends: ConnectionEnds

        /// Connects to a listener, by a socket of another family where `mapped` says so.
        init(to text: String, isMapped: Bool = false) throws {
            let address = SocketAddress(try #require(IPAddress(text)), port: 0)
            let listener = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            let isListening =
                address.withSystemAddress { bind(listener, $0, $1) } == 0 && listen(listener, 1) == 0
            try #require(isListening)
            let bound = try #require(Socket.localAddress(of: listener))
            let target =
                isMapped ? SocketAddress(try #require(IPAddress("::ffff:\(text)")), port: bound.port) : bound
            let client = socket(target.family, Int32(SOCK_STREAM.rawValue), 0)
            let isConnected = target.withSystemAddress { connect(client, $0, $1) } == 0
            try #require(isConnected)
            let server = accept(listener, nil, nil)
            let peer = Socket(taking: dup(server)).peerAddress
            let local = Socket.localAddress(of: server)
            (self.client, self.server) = (client, server)
            ends = ConnectionEnds(local: try #require(peer), remote: try #require(local))
        }

        deinit {
            close(client)
            close(server)
        }

        /// The number of the client's socket.
        var inode: UInt32 {
            var facts = stat()
            fstat(client, &facts)
            return UInt32(truncatingIfNeeded: facts.st_ino)
        }
    }

    @Test(
        "finds the client's end, of IPv4, of IPv6, and of IPv4 in a socket of IPv6",
        arguments: [("127.0.0.1", false), ("127.0.0.7", false), ("127.0.0.1", true), ("::1", false)]
    )
    func found(address: String, isMapped: Bool) throws {
        let connection = try Connection(to: address, isMapped: isMapped)
        let owner = try SocketDiagnosis().owner(of: connection.ends)
        #expect(owner == SocketOwner(inode: connection.inode, user: geteuid()))
    }

    @Test("finds no process for a missing connection or for a listener, and goes on")
    func notFound() throws {
        let connection = try Connection(to: "127.0.0.1")
        let diagnosis = try SocketDiagnosis()
        let ends = connection.ends
        let nowhere = SocketAddress(ends.local.address, port: 1)
        #expect(diagnosis.owner(of: ConnectionEnds(local: ends.local, remote: nowhere)) == nil)
        #expect(diagnosis.owner(of: ConnectionEnds(local: ends.remote, remote: nowhere)) == nil)
        #expect(diagnosis.owner(of: ends)?.inode == connection.inode)
    }
}
