package import PinholeModel

/// How a call of gRPC ended: `grpc-status`, `grpc-message` and `grpc-status-details-bin`.
package struct GRPCStatus: Sendable, Equatable {
    /// The code; `nil` where the value is no number.
    package var code: Int?
    /// The message, percent-decoded.
    package var message: String?
    /// What the server says beyond that.
    package var details: GRPCStatusDetails?

    /// The names of the codes, from 0.
    private static let names = [
        "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
        "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
        "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
    ]

    /// Reads trailers, or the head of a response that has nothing else.
    ///
    /// - Parameter fields: The fields.
    package init?(_ fields: HeaderFields) {
        guard let status = fields.first("grpc-status") else { return nil }
        code = Int(status).flatMap { $0 >= 0 ? $0 : nil }
        message = fields.first("grpc-message").map { Self.decode($0.utf8) }
        details = GRPCStatusDetails(fields)
    }

    /// The name of the code.
    package var name: String? { code.flatMap(Self.name) }

    /// The name of a code; `nil` for one that nobody has defined.
    package static func name(of code: Int) -> String? { names.indices.contains(code) ? names[code] : nil }

    /// Percent-decodes; what is no valid escape stands as it came, as the protocol asks for.
    private static func decode(_ text: some Sequence<UInt8>) -> String {
        let bytes = Array(text)
        var decoded: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if bytes[position] == 0x25, position + 2 < bytes.count,
                let high = Character(Unicode.Scalar(bytes[position + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(bytes[position + 2])).hexDigitValue
            {
                decoded.append(UInt8(high << 4 | low))
                position += 3
            } else {
                decoded.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
