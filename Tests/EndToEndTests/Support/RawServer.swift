import Foundation
import PinholeCrypto
import PinholeModel
import PinholeRuntime

/// A server whose every connection runs a script on a thread of its own.
///
/// Sendable: the descriptor is constant, the count is guarded by `lock`.
final class RawServer: @unchecked Sendable {
    /// What a connection does; its number counts from 0.
    typealias Script = @Sendable (Connection, Int) throws -> Void

    /// Where it listens.
    let port: UInt16
    private let descriptor: Int32
    private let accepts: Bool
    private let lock = NSLock()
    private var count = 0

    /// A port that is taken, and refuses every connection until another program listens there.
    ///
    /// A program that cannot take a port from the kernel gets this one: nobody else takes it before the program does, as
    /// long as the value lives.
    static func refusing() throws -> RawServer { try RawServer(backlog: nil, nil) }

    /// Listens and accepts until it is let go.
    ///
    /// - Parameters:
    ///   - backlog: How many connections may wait to be accepted; `nil` to refuse all.
    ///   - script: What each connection does; `nil` to accept none.
    /// - Throws: ``ConnectionFailure`` when there is no port.
    init(backlog: Int32? = 128, _ script: Script?) throws {
        accepts = script != nil
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && backlog.map { listen(descriptor, $0) == 0 } ?? true
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw ConnectionFailure.broken(errno) }
        port = UInt16(bigEndian: address.sin_port)
        guard let script else { return }
        Thread.detachNewThread { [weak self] in
            var number = 0
            while case let accepted = Glibc.accept(descriptor, nil, nil), accepted >= 0 {
                self?.countOne()
                let current = number
                number += 1
                Thread.detachNewThread {
                    let connection = Connection(taking: accepted)
                    try? script(connection, current)
                    connection.close()
                }
            }
            Glibc.close(descriptor)
        }
    }

    deinit {
        stop()
        if !accepts { Glibc.close(descriptor) }
    }

    /// The number of connections that were accepted.
    var accepted: Int {
        lock.lock()
        defer { lock.unlock() }
        return count
    }

    /// Accepts nothing more.
    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func countOne() {
        lock.lock()
        count += 1
        lock.unlock()
    }
}

/// What a ``RawServer`` needs to speak TLS: a CA of its own and a certificate by it.
struct ServerTLS: Sendable {
    /// What the proxy has to trust.
    let root: Certificate
    /// What is presented.
    let identity: Identity
    private let context: TLSContext

    /// Makes a certificate for one host.
    init(
        _ host: PinholeModel.Host = VirtualHostName.shop,
        _ versions: ClosedRange<TLSVersion> = .tls12 ... .tls13
    ) throws {
        let now = LoopClock().now()
        let authority = try OriginAuthorityMaker.make(host, now: now)
        root = authority.root
        identity = authority.identity
        context = try TLSContext(acceptingVersions: versions)
    }

    /// Shakes hands; sessions are resumed within `scope` alone.
    func accept(_ connection: Connection, scope: String = "test") throws {
        try connection.accept(identity, context, scope: scope)
    }
}
