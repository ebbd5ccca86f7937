package import PinholeModel

/// Puts a ClientHello together from the records of a client, as they come and without consuming them.
///
/// Each look continues behind the records that earlier looks have read, so a client that sends byte after byte costs no
/// more than one that sends all at once. The reader accepts the records that OpenSSL accepts. ``join(_:)`` bounds the
/// memory of small ones.
package struct ClientHelloReader: Sendable {
    /// The number of empty records that may follow each other, as in OpenSSL (`MAX_EMPTY_RECORDS`).
    private static let mostEmpty = 32
    /// The most content of a record (RFC 8446 §5.1).
    private static let recordSize = 1 << 14

    /// The number of bytes in the records that were read.
    private var read = 0
    /// The number of these bytes that ``join(_:)`` has removed.
    private var removed = 0
    /// The number of bytes in the content of the records that were read.
    private var content = 0
    /// The first four bytes of the content, or as many as there are.
    private var start: [UInt8] = []
    /// The number of empty records at the end of those that were read.
    private var emptyCount = 0

    /// Creates a reader that has seen no bytes.
    package init() {}

    /// The most bytes that wait for the rest of a ClientHello if each look is followed by ``join(_:)``.
    ///
    /// These are the message, the headers that were not removed yet, and a record that is not complete.
    package static func room(_ limits: Limits) -> Int { limits.clientHelloBytes + 2 * recordSize + 64 }

    /// Looks at all bytes received so far.
    ///
    /// After every result but `needsMore`, the reader begins anew.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, from the first one, including those of earlier looks.
    ///   - limits: The limits, which include the largest ClientHello.
    /// - Returns: The kind of the bytes. Only `needsMore` can change when more bytes come.
    package mutating func read(_ bytes: ArraySlice<UInt8>, limits: Limits) -> Peek {
        let peek = look(at: bytes, limits)
        if peek != .needsMore { self = Self() }
        return peek
    }

    /// Replaces the records that were read by large ones if their headers take more room than a record.
    ///
    /// A usual ClientHello stays as it came, also for a server to which it is relayed.
    ///
    /// - Parameter bytes: The bytes of the last look.
    package mutating func join(_ bytes: inout ByteQueue) {
        let records = read - removed
        guard records - content > Self.recordSize else { return }
        var joined = ByteQueue()
        let message = Self.content(of: bytes.slice(records))
        for first in stride(from: 0, to: message.count, by: Self.recordSize) {
            let part = message[first..<min(first + Self.recordSize, message.count)]
            joined.append([22, 3, 1, UInt8(part.count >> 8), UInt8(part.count & 0xff)])
            joined.append(part)
        }
        removed = read - joined.count
        bytes.consume(records)
        joined.append(bytes.slice())
        bytes = joined
    }

    private mutating func look(at bytes: ArraySlice<UInt8>, _ limits: Limits) -> Peek {
        var cursor = ByteCursor(bytes.dropFirst(read - removed))
        while true {
            switch Self.nextRecord(&cursor) {
            case .refused(.notTLS) where read > 0:
                return .malformed("Another record came before the end of the ClientHello.")
            case .refused(let peek): return peek
            case .incomplete(let part):
                // An incomplete record is looked at too, so that wrong bytes are refused early.
                let start = start + part.prefix(4 - start.count)
                guard case .refused(let peek) = Self.length(of: start[...], limits) else { return .needsMore }
                return peek
            case .fragment(let fragment):
                read = bytes.count + removed - cursor.rest.count
                content += fragment.count
                start += fragment.prefix(4 - start.count)
                emptyCount = fragment.isEmpty ? emptyCount + 1 : 0
            }
            switch Self.length(of: start[...], limits) {
            case .refused(let peek): return peek
            case .bytes(let length) where content >= 4 + length:
                let message = Self.content(of: bytes.prefix(read - removed))
                return ClientHello.record(message.prefix(4 + length).dropFirst(4)).map { .clientHello($0) }
                    ?? .malformed("The ClientHello ends inside one of its parts.")
            case .bytes, .unknown: break
            }
            guard emptyCount <= Self.mostEmpty else {
                return .malformed("More than \(Self.mostEmpty) empty records follow each other.")
            }
            guard read < limits.clientHelloRecords else {
                return .malformed("The ClientHello is not complete after \(read) bytes of records.")
            }
        }
    }

    /// Returns the content of complete records.
    private static func content(of records: ArraySlice<UInt8>) -> [UInt8] {
        var cursor = ByteCursor(records)
        var content: [UInt8] = []
        while case .fragment(let fragment) = nextRecord(&cursor) { content += fragment }
        return content
    }

    private enum Record {
        case incomplete(ArraySlice<UInt8>)
        case fragment(ArraySlice<UInt8>)
        case refused(Peek)
    }

    /// Reads a record of the handshake (RFC 8446 §5.1).
    private static func nextRecord(_ cursor: inout ByteCursor) -> Record {
        // Anything other than type 22 and major version 3 is not TLS, including an SSLv2 hello.
        guard let type = cursor.byte() else { return .incomplete([]) }
        guard type == 22 else { return .refused(.notTLS) }
        guard let major = cursor.byte() else { return .incomplete([]) }
        guard major == 3 else { return .refused(.notTLS) }
        guard cursor.byte() != nil, let length = cursor.number(2) else { return .incomplete([]) }
        guard length <= recordSize else {
            let text = "A handshake record has at most 16384 bytes; this one states \(length)."
            return .refused(.malformed(text))
        }
        return cursor.bytes(length).map { .fragment($0) } ?? .incomplete(cursor.rest)
    }

    private enum Length {
        case unknown
        case bytes(Int)
        case refused(Peek)
    }

    /// Reads the first four bytes of the handshake message that the records carry (RFC 8446 §4), or as many as came.
    private static func length(of start: ArraySlice<UInt8>, _ limits: Limits) -> Length {
        var cursor = ByteCursor(start)
        guard let type = cursor.byte() else { return .unknown }
        guard type == 1 else {
            let text = "Expected a ClientHello (1), but a handshake message of type \(type) came."
            return .refused(.malformed(text))
        }
        guard let length = cursor.number(3) else { return .unknown }
        guard length <= limits.clientHelloBytes else {
            let text = "The ClientHello states \(length) bytes; at most \(limits.clientHelloBytes) are read."
            return .refused(.malformed(text))
        }
        return .bytes(length)
    }
}
