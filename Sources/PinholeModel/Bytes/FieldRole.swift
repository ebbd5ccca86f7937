/// The part that a header field plays for a proxy, by its name.
///
/// The role is found once, when a field is added. Later decisions then compare a number instead of a name.
public enum FieldRole: UInt8, Sendable {
    /// A field that the proxy forwards without reading it.
    case other
    case connection
    case contentLength
    case host
    case keepAlive
    case proxyAuthorization
    case proxyConnection
    case te
    case transferEncoding
    case upgrade

    /// The bit of the role's name (``FieldLines/bit(_:_:)``); no bit for ``other``.
    @inlinable
    @inline(__always)
    var bit: UInt64 {
        switch self {
        case .other: 0
        case .connection: FieldLines.bit(10, 0x63)
        case .contentLength: FieldLines.bit(14, 0x63)
        case .host: FieldLines.bit(4, 0x68)
        case .keepAlive: FieldLines.bit(10, 0x6b)
        case .proxyAuthorization: FieldLines.bit(19, 0x70)
        case .proxyConnection: FieldLines.bit(16, 0x70)
        case .te: FieldLines.bit(2, 0x74)
        case .transferEncoding: FieldLines.bit(17, 0x74)
        case .upgrade: FieldLines.bit(7, 0x75)
        }
    }

    /// The bits of the names of all roles.
    @inlinable
    @inline(__always)
    static var bits: UInt64 {
        connection.bit | contentLength.bit | host.bit | keepAlive.bit | proxyAuthorization.bit
            | proxyConnection.bit
            | te.bit | transferEncoding.bit | upgrade.bit
    }

    /// Finds the role of a field.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that hold the name, in any case.
    ///   - start: The place of the name.
    ///   - length: The length of the name, which is not 0.
    @usableFromInline
    init(of bytes: Span<UInt8>, at start: Int, length: Int) {
        // Most names differ in their length or their first letter.
        switch (length, bytes[start] | 0x20) {
        case (2, 0x74): self.init(.te, if: "te", bytes, start)
        case (4, 0x68): self.init(.host, if: "host", bytes, start)
        case (7, 0x75): self.init(.upgrade, if: "upgrade", bytes, start)
        case (10, 0x63): self.init(.connection, if: "connection", bytes, start)
        case (10, 0x6b): self.init(.keepAlive, if: "keep-alive", bytes, start)
        case (14, 0x63): self.init(.contentLength, if: "content-length", bytes, start)
        case (16, 0x70): self.init(.proxyConnection, if: "proxy-connection", bytes, start)
        case (17, 0x74): self.init(.transferEncoding, if: "transfer-encoding", bytes, start)
        case (19, 0x70): self.init(.proxyAuthorization, if: "proxy-authorization", bytes, start)
        default: self = .other
        }
    }

    @usableFromInline
    init(_ role: FieldRole, if name: StaticString, _ bytes: Span<UInt8>, _ start: Int) {
        self = CaseFolding.isSpelled(name, bytes, start..<start + name.utf8CodeUnitCount) ? role : .other
    }
}
