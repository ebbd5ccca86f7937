import PinholeModel

/// A TLSA record (RFC 6698 §2, names of RFC 7218).
package struct TLSARecord: Hashable, Sendable {
    /// The certificate that a record's data must match, and the additional checks.
    package enum Usage: UInt8, Hashable, Sendable, CaseIterable {
        /// PKIX-TA: a CA of the PKIX-valid chain must match.
        case pkixTA = 0
        /// PKIX-EE: the leaf of a PKIX-valid chain must match.
        case pkixEE = 1
        /// DANE-TA: the matching certificate is the anchor.
        case daneTA = 2
        /// DANE-EE: only the leaf must match.
        case daneEE = 3
    }

    /// The part of the certificate that is compared.
    package enum Selector: UInt8, Hashable, Sendable, CaseIterable {
        /// The whole certificate.
        case certificate = 0
        /// The SubjectPublicKeyInfo.
        case spki = 1
    }

    /// The form of the compared data.
    package enum Matching: UInt8, Hashable, Sendable, CaseIterable {
        /// The data themselves.
        case full = 0
        /// Their SHA-256.
        case sha256 = 1
        /// Their SHA-512.
        case sha512 = 2

        /// The length of the data in bytes; `nil` for any length.
        package var length: Int? {
            switch self {
            case .full: nil
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    /// The certificate usage (RFC 6698 §2.1.1).
    package let usage: Usage
    /// The part of the certificate that is matched (RFC 6698 §2.1.2).
    package let selector: Selector
    /// The matching type.
    package let matching: Matching
    /// The certificate association data.
    package let data: [UInt8]

    /// Creates a record; `nil` if the data do not have the length of the digest.
    package init?(_ usage: Usage, _ selector: Selector, _ matching: Matching, data: [UInt8]) {
        guard !data.isEmpty, matching.length.map({ $0 == data.count }) ?? true else { return nil }
        self.usage = usage
        self.selector = selector
        self.matching = matching
        self.data = data
    }

    /// Whether the data match `certificate`.
    package func matches(_ certificate: CertificateFacts) -> Bool {
        switch (selector, matching) {
        case (.certificate, .full): data == certificate.der
        case (.certificate, .sha256): data == certificate.sha256
        case (.certificate, .sha512): data == certificate.sha512
        case (.spki, .full): data == certificate.spki
        case (.spki, .sha256): data == certificate.spkiSHA256
        case (.spki, .sha512): data == certificate.spkiSHA512
        }
    }
}

extension TLSARecord: CustomStringConvertible {
    /// Reads a record in presentation form, alone or after owner, TTL and class.
    ///
    /// - Parameter text: `3 1 1 8755CDAA…` or `_443._tcp.example.com. 3600 IN TLSA 3 1 1 8755CDAA…`; the
    ///   names of RFC 7218 (`DANE-EE SPKI SHA2-256`) are understood, as are parentheses.
    /// - Throws: ``PolicyFailure`` when the text is no record, or has undefined values.
    package init(_ text: some StringProtocol) throws(PolicyFailure) {
        var words = text.split { $0.isWhitespace || $0 == "(" || $0 == ")" }[...]
        if let type = words.firstIndex(where: { $0.uppercased() == "TLSA" }) { words = words[(type + 1)...] }
        guard words.count >= 4 else {
            throw PolicyFailure(
                "“\(text)” is no TLSA record: expected usage, selector, matching type and data, “3 1 1 8755CDAA…”"
            )
        }
        let fields = words.prefix(3).map { String($0) }
        let usage = try Self.field(
            fields[0],
            "usage",
            ["PKIX-TA": Usage.pkixTA, "PKIX-EE": .pkixEE, "DANE-TA": .daneTA, "DANE-EE": .daneEE]
        )
        let selector = try Self.field(
            fields[1],
            "selector",
            ["Cert": Selector.certificate, "SPKI": .spki]
        )
        let matching = try Self.field(
            fields[2],
            "matching type",
            ["Full": Matching.full, "SHA2-256": .sha256, "SHA2-512": .sha512]
        )
        guard let data = Hexadecimal.decode(words.dropFirst(3).joined()) else {
            throw PolicyFailure("the data of the TLSA record “\(text)” are no hexadecimal digits in pairs")
        }
        guard let record = TLSARecord(usage, selector, matching, data: data) else {
            throw PolicyFailure(
                "the data of the TLSA record “\(text)” are \(ChainText.count(data.count, "byte")):"
                    + " expected \(matching.length.map { "\($0)" } ?? "some") for matching type \(matching.rawValue)"
            )
        }
        self = record
    }

    /// The record in presentation form: `3 1 1 8755cdaa…`.
    package var description: String {
        "\(usage.rawValue) \(selector.rawValue) \(matching.rawValue) \(Hexadecimal.encode(data))"
    }

    private static func field<Value: RawRepresentable<UInt8>>(
        _ text: String,
        _ what: String,
        _ names: [String: Value]
    ) throws(PolicyFailure) -> Value {
        if let number = UInt8(text), let value = Value(rawValue: number) { return value }
        if let named = names.first(where: { $0.key.lowercased() == text.lowercased() }) { return named.value }
        let known = names.sorted { $0.value.rawValue < $1.value.rawValue }
            .map { "\($0.value.rawValue) (\($0.key))" }.joined(separator: ", ")
        throw PolicyFailure("“\(text)” is no \(what) of a TLSA record: expected \(known)")
    }
}
