import Foundation
import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeTestKit

/// A server whose every connection runs a script on a thread of its own.
///
/// Sendable: the count is guarded by `lock`.
final class RawServer: @unchecked Sendable {
    /// What a connection does; its number counts from 0.
    typealias Script = @Sendable (Connection, Int) throws -> Void

    private let listener: LoopbackListener
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
    /// - Throws: When there is no port.
    init(backlog: Int32? = 128, _ script: Script?) throws {
        let listener = try LoopbackListener(backlog: backlog)
        self.listener = listener
        guard let script else { return }
        Thread.detachNewThread { [weak self] in
            var number = 0
            while let accepted = listener.accept() {
                self?.countOne()
                let current = number
                number += 1
                Thread.detachNewThread {
                    let connection = Connection(taking: accepted)
                    try? script(connection, current)
                    connection.close()
                }
            }
        }
    }

    deinit { stop() }

    /// Where it listens.
    var port: UInt16 { listener.port }

    /// The number of connections that were accepted.
    var accepted: Int {
        lock.lock()
        defer { lock.unlock() }
        return count
    }

    /// Accepts nothing more.
    func stop() { listener.stop() }

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
