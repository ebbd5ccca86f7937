/// An IPv4 or IPv6 address, without a zone.
package struct IPAddress: Hashable, Sendable {
    /// The address in network order: 4 bytes (IPv4) or 16 bytes (IPv6).
    package let bytes: [UInt8]

    /// Creates an address from 4 or 16 bytes in network order; `nil` for any other count.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses dotted-quad IPv4 (RFC 3986 §3.2.2: four decimal octets, no leading zero) or
    /// IPv6 text (RFC 4291 §2.2), without brackets or zone.
    package init?(_ text: some StringProtocol) { self.init(utf8: Array(text.utf8)[...]) }

    /// Parses an address in UTF-8.
    init?(utf8 text: ArraySlice<UInt8>) {
        guard let bytes = text.contains(Self.colon) ? Self.version6(text) : Self.version4(text) else {
            return nil
        }
        self.bytes = bytes
    }

    /// The address 127.0.0.1.
    package static let loopback = IPAddress(loopback: ())

    private init(loopback: ()) { bytes = [127, 0, 0, 1] }

    /// Whether this is an IPv6 address.
    package var isVersion6: Bool { bytes.count == 16 }

    /// The IPv4 address inside an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`), else itself.
    package var unmapped: IPAddress {
        let prefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        guard isVersion6, bytes.starts(with: prefix) else { return self }
        return IPAddress(bytes: Array(bytes[12...])) ?? self
    }

    /// Whether packets to the address stay on this machine.
    ///
    /// These are 127.0.0.0/8, ::1, and the unspecified address, which Linux connects to the machine itself.
    package var isLoopback: Bool {
        let plain = unmapped
        guard plain.isVersion6 else { return plain.bytes[0] == 127 || plain.isUnspecified }
        return plain.isUnspecified || (plain.bytes.dropLast().allSatisfy { $0 == 0 } && plain.bytes[15] == 1)
    }

    /// Whether the address is 0.0.0.0 or ::.
    package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether the address stands for many hosts: multicast, or the IPv4 broadcast address.
    package var isMulticast: Bool {
        let plain = unmapped
        if plain.isVersion6 { return plain.bytes[0] == 0xff }
        return plain.bytes[0] & 0xf0 == 0xe0 || plain.bytes.allSatisfy { $0 == 0xff }
    }

    /// Whether the address is link-local, in `fe80::/10`, and therefore useless without a zone.
    package var isLinkLocal6: Bool { isVersion6 && bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80 }

    private static let colon: UInt8 = 0x3a
    private static let dot: UInt8 = 0x2e

    private static func version4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var octet = 0
        var digits = 0
        for byte in text {
            if byte == dot {
                guard digits > 0, bytes.count < 3 else { return nil }
                bytes.append(UInt8(octet))
                (octet, digits) = (0, 0)
                continue
            }
            guard (0x30...0x39).contains(byte), digits == 0 || octet > 0 else { return nil }
            octet = octet * 10 + Int(byte - 0x30)
            digits += 1
            guard octet <= 255 else { return nil }
        }
        guard digits > 0, bytes.count == 3 else { return nil }
        return bytes + [UInt8(octet)]
    }

    private static func version6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard
            let gap = zip(text.indices, text.indices.dropFirst()).first(where: {
                text[$0] == colon && text[$1] == colon
            })
        else { return groups(text).flatMap { $0.count == 16 ? $0 : nil } }
        let front = text[..<gap.0]
        let back = text[gap.1...].dropFirst()
        // A dotted quad is the last 32 bits, so there is none before the gap.
        guard !front.contains(dot), let before = front.isEmpty ? [] : groups(front),
            let after = back.isEmpty ? [] : groups(back),
            before.count + after.count <= 14
        else { return nil }
        return before + [UInt8](repeating: 0, count: 16 - before.count - after.count) + after
    }

    /// Parses hexadecimal groups separated by single colons; the last group may be a dotted-quad IPv4 address.
    private static func groups(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: colon, omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(dot) {
                guard let quad = version4(part) else { return nil }
                bytes += quad
                continue
            }
            guard (1...4).contains(part.count), part.allSatisfy(isHexDigit),
                let group = UInt16(String(decoding: part, as: UTF8.self), radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(group & 0xff)]
        }
        return bytes.count <= 16 ? bytes : nil
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension IPAddress: CustomStringConvertible {
    /// The canonical text: dotted quad, or RFC 5952 (lower case, longest run of zeros as `::`).
    package var description: String {
        guard isVersion6 else { return bytes.map(String.init).joined(separator: ".") }
        if unmapped != self { return "::ffff:\(unmapped)" }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        let gap = longestZeroRun(in: groups)
        let text = { (range: Range<Int>) in
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        return gap.isEmpty ? text(0..<8) : "\(text(0..<gap.lowerBound))::\(text(gap.upperBound..<8))"
    }

    private func longestZeroRun(in groups: [UInt16]) -> Range<Int> {
        var best = 0..<0
        var start = 0
        for index in groups.indices {
            if groups[index] != 0 { start = index + 1 }
            if index + 1 - start > max(best.count, 1) { best = start..<index + 1 }
        }
        return best
    }
}
