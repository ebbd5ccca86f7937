package import PinholeModel

/// The kind of the first bytes of a tunnel.
package enum Peek: Sendable, Equatable {
    /// The bytes may become a ClientHello; more are needed.
    case needsMore
    /// The bytes are not TLS.
    case notTLS
    /// The bytes contain a whole ClientHello, with these offers.
    case clientHello(ClientHelloRecord)
    /// The bytes begin like TLS but are no ClientHello; the text says why.
    case malformed(String)
}

/// Reads the first message of a TLS client (RFC 8446 §4.1.2) without consuming it.
///
/// Only the parts that the proxy needs for its decisions are read. The TLS library gets the same bytes and
/// checks every detail. So unknown parts are skipped, and a malformed list is read as empty.
package enum ClientHello {
    /// Looks at all bytes received so far.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, from the first one.
    ///   - limits: The limits, which include the largest ClientHello.
    /// - Returns: The kind of the bytes. Only `needsMore` can change when more bytes come.
    package static func peek(_ bytes: ArraySlice<UInt8>, limits: Limits = Limits()) -> Peek {
        var reader = ClientHelloReader()
        return reader.read(bytes, limits: limits)
    }

    /// Reads the body of the message; `nil` if it ends inside one of its parts.
    static func record(_ body: ArraySlice<UInt8>) -> ClientHelloRecord? {
        var cursor = ByteCursor(body)
        guard let legacyVersion = cursor.uint16(), cursor.bytes(32) != nil, cursor.vector(1) != nil,
            let suites = cursor.vector(2), let suiteNumbers = numbers(suites), cursor.vector(1) != nil
        else { return nil }
        var record = ClientHelloRecord()
        record.cipherSuites = suiteNumbers
        // RFC 5246 §7.4.1.2: the extensions may be missing altogether.
        if !cursor.isAtEnd {
            guard let extensions = cursor.vector(2), read(extensions, into: &record) else { return nil }
        }
        if record.versions.isEmpty { record.versions = [legacyVersion] }
        return record
    }

    private static func read(_ extensions: ArraySlice<UInt8>, into record: inout ClientHelloRecord) -> Bool {
        var cursor = ByteCursor(extensions)
        while !cursor.isAtEnd {
            guard let type = cursor.uint16(), let body = cursor.vector(2) else { return false }
            guard !isGrease(type) else { continue }
            record.extensions.append(type)
            var inner = ByteCursor(body)
            switch type {
            case 0: record.serverName = serverName(&inner)
            case 10: record.groups = inner.vector(2).flatMap(numbers) ?? []
            case 13: record.signatureSchemes = inner.vector(2).flatMap(numbers) ?? []
            case 16: record.applicationProtocols = protocols(&inner)
            case 51: record.keyShares = keyShares(&inner)
            case 43: record.versions = inner.vector(1).flatMap(numbers) ?? []
            default: break
            }
        }
        return true
    }

    /// The host_name in server_name (RFC 6066 §3); `nil` if it is no DNS name.
    private static func serverName(_ cursor: inout ByteCursor) -> String? {
        guard let list = cursor.vector(2) else { return nil }
        var names = ByteCursor(list)
        while let type = names.byte(), let name = names.vector(2) {
            guard type == 0 else { continue }
            return (try? Host(String(decoding: name, as: UTF8.self)))?.name
        }
        return nil
    }

    /// The names in application_layer_protocol_negotiation (RFC 7301 §3.1).
    private static func protocols(_ cursor: inout ByteCursor) -> [String] {
        guard let list = cursor.vector(2) else { return [] }
        var names = ByteCursor(list)
        var protocols: [String] = []
        while let name = names.vector(1) {
            // GREASE uses names of two equal bytes here (RFC 8701 §2).
            guard !name.isEmpty, !isGreaseName(name) else { continue }
            protocols.append(String(decoding: name, as: UTF8.self))
        }
        return protocols
    }

    /// The groups in key_share (RFC 8446 §4.2.8), without the reserved ones of RFC 8701.
    private static func keyShares(_ cursor: inout ByteCursor) -> [UInt16] {
        guard let list = cursor.vector(2) else { return [] }
        var entries = ByteCursor(list)
        var groups: [UInt16] = []
        while let group = entries.uint16(), entries.vector(2) != nil {
            if !isGrease(group) { groups.append(group) }
        }
        return groups
    }

    private static func isGreaseName(_ name: ArraySlice<UInt8>) -> Bool {
        var cursor = ByteCursor(name)
        return name.count == 2 && cursor.uint16().map(isGrease) ?? false
    }

    /// The numbers in a list without the reserved ones of RFC 8701; `nil` if the number of bytes is odd.
    private static func numbers(_ list: ArraySlice<UInt8>) -> [UInt16]? {
        guard list.count.isMultiple(of: 2) else { return nil }
        var cursor = ByteCursor(list)
        var numbers: [UInt16] = []
        while let number = cursor.uint16() {
            if !isGrease(number) { numbers.append(number) }
        }
        return numbers
    }

    /// Whether a value is a GREASE value, 0x?A?A, which clients send to keep servers tolerant (RFC 8701 §2).
    private static func isGrease(_ number: UInt16) -> Bool {
        number & 0x0f0f == 0x0a0a && number >> 8 == number & 0xff
    }
}
