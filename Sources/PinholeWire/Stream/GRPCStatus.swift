package import PinholeModel

/// The end of a gRPC call: `grpc-status`, `grpc-message` and `grpc-status-details-bin`.
package struct GRPCStatus: Sendable, Equatable {
    /// The code; `nil` if the value is no number.
    package var code: Int?
    /// The message with percent-encoding removed; `nil` if there is none.
    package var message: String?
    /// The details of `grpc-status-details-bin`; `nil` if there are none.
    package var details: GRPCStatusDetails?

    /// Reads trailers, or the head of a response without body and trailers; `nil` if there is no `grpc-status`.
    package init?(_ fields: HeaderFields) {
        guard let status = fields.first("grpc-status") else { return nil }
        code = Int(status).flatMap { $0 >= 0 ? $0 : nil }
        // An escape that is not valid stays unchanged, as the protocol requires.
        message = fields.first("grpc-message").map {
            String(decoding: PercentCoding.decode($0.utf8), as: UTF8.self)
        }
        details = GRPCStatusDetails(fields)
    }

    /// The name of the code; `nil` if it is unknown.
    package var name: String? { code.flatMap(Self.name) }

    /// The name of a code; `nil` if gRPC does not define it.
    package static func name(of code: Int) -> String? { ProtocolStatus.grpcName(of: Int64(code)) }
}
