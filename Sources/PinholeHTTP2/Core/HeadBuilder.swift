import PinholeModel

/// Gathers the fields of a head while they are decoded.
struct HeadBuilder {
    /// Why a head is not kept.
    enum Excess: Equatable {
        /// More bytes than the limit.
        case bytes
        /// More fields than the limit.
        case fields
    }

    private(set) var fields = HeaderFields()
    /// Names, values and 32 for each field (RFC 9113 §6.5.2).
    private(set) var size = 0
    private(set) var excess: Excess?

    /// What a field counts beyond its bytes.
    static let fieldOverhead = 32

    /// Begins a new head.
    mutating func begin() {
        fields = HeaderFields()
        fields.reserveCapacity(512)
        size = 0
        excess = nil
    }

    /// Adds a field unless the head is beyond a limit.
    mutating func append(
        name: Span<UInt8>,
        value: Span<UInt8>,
        isNeverIndexed: Bool,
        _ limits: HTTP2Limits
    ) {
        guard excess == nil else { return }
        size += name.count + value.count + Self.fieldOverhead
        if size > limits.headBytes {
            excess = .bytes
        } else if fields.count == limits.fieldCount {
            excess = .fields
        } else {
            return fields.append(name: name, value: value, isNeverIndexed: isNeverIndexed)
        }
        fields = HeaderFields()
    }

    /// Hands out the fields.
    mutating func take() -> HeaderFields {
        defer { fields = HeaderFields() }
        return fields
    }
}
