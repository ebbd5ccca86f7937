import COpenSSL
import PinholeModel

/// The data that OpenSSL's callbacks read and write while a call of the engine runs.
///
/// The channel lies at a fixed address, which the BIO and the `SSL` point to. The queues are lent to it for
/// one call; outside of calls both pointers are `nil`.
struct TLSChannel {
    /// The encrypted bytes that the peer sent, lent for one call.
    var input: UnsafeMutablePointer<ByteQueue>?
    /// The queue for encrypted bytes to the peer, lent for one call.
    var output: UnsafeMutablePointer<ByteQueue>?
    /// Whether the peer's stream has ended.
    var isAtEnd = false
    /// The last alert that the peer sent.
    var alertReceived: Alert?
    /// The last alert that this side sent.
    var alertSent: Alert?
    /// The protocol that the engine selects as a server; `nil` to select none.
    var applicationProtocol: [UInt8]?
    /// The judge of the server's chain, in a client.
    var judge: ServerJudge?
    /// The result of the judge.
    var verification: ChainVerification?
    /// The question that is answered outside of the handshake; `nil` if ``judge`` decides.
    var deliberation: TLSDeliberation?
    /// Whether the server asked for a client certificate.
    var requestedClientCertificate = false
    /// The SignedCertificateTimestampList that the server sent with its chain.
    var signedTimestamps: [UInt8]?
    /// The newest session that the server offered for resumption.
    var session: TLSSession?
    /// Whether the engine is a server that may still receive early data.
    var awaitsEarlyData = false
    /// The early data that was received and not yet taken.
    var earlyData: [UInt8] = []
    /// The OCSP response that the engine staples as a server.
    var stapled: [UInt8]?
    /// Receives key log lines.
    var keyLog: (@Sendable (String) -> Void)?
}

/// A custom BIO: libssl reads from and writes to the engine's queues and never sees a descriptor.
enum TLSChannelBIO {
    /// Creates a BIO over `channel`.
    ///
    /// The channel has to outlive the BIO.
    static func make(over channel: UnsafeMutablePointer<TLSChannel>) -> OpaquePointer? {
        guard let bio = method.flatMap({ BIO_new($0) }) else { return nil }
        BIO_set_data(bio, channel)
        BIO_set_init(bio, 1)
        return bio
    }

    /// The method table.
    ///
    /// The table is written once, at its first use, and then only read.
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "pinhole") else {
            return nil
        }
        BIO_meth_set_read(method) { bio, buffer, count in
            guard let bio, let buffer, let channel = TLSChannelBIO.channel(of: bio) else { return -1 }
            return TLSChannelBIO.read(bio, channel, UnsafeMutableRawPointer(buffer), Int(count))
        }
        BIO_meth_set_write(method) { bio, buffer, count in
            guard let bio, let buffer, let channel = TLSChannelBIO.channel(of: bio),
                let output = channel.pointee.output
            else { return -1 }
            let bytes = UnsafeRawBufferPointer(start: buffer, count: Int(count))
            output.pointee.append(capacity: bytes.count) { room in
                room.withUnsafeMutableBufferPointer { target, initialized in
                    UnsafeMutableRawBufferPointer(target).copyMemory(from: bytes)
                    initialized = bytes.count
                }
            }
            return count
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()

    private static func channel(of bio: OpaquePointer) -> UnsafeMutablePointer<TLSChannel>? {
        BIO_get_data(bio)?.assumingMemoryBound(to: TLSChannel.self)
    }

    private static func read(
        _ bio: OpaquePointer,
        _ channel: UnsafeMutablePointer<TLSChannel>,
        _ buffer: UnsafeMutableRawPointer,
        _ capacity: Int
    ) -> Int32 {
        pinhole_BIO_clear_retry_flags(bio)
        guard let input = channel.pointee.input, !input.pointee.isEmpty else {
            if channel.pointee.isAtEnd { return 0 }
            pinhole_BIO_set_retry_read(bio)
            return -1
        }
        let count = min(capacity, input.pointee.count)
        input.pointee.bytes.withUnsafeBytes { source in
            buffer.copyMemory(from: UnsafeRawPointer(source.baseAddress.unsafelyUnwrapped), byteCount: count)
        }
        input.pointee.consume(count)
        return Int32(count)
    }
}
