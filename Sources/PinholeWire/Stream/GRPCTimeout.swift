/// The timeout of a gRPC client: `grpc-timeout`, with at most eight digits and a unit.
package enum GRPCTimeout {
    /// Reads the duration in a field's value.
    ///
    /// - Returns: The duration; `nil` if the value is none.
    package static func duration(_ text: String) -> Duration? {
        guard let unit = text.last, (2...9).contains(text.utf8.count), let count = Int64(text.dropLast()),
            count >= 0
        else { return nil }
        return switch unit {
        case "H": .seconds(count * 3600)
        case "M": .seconds(count * 60)
        case "S": .seconds(count)
        case "m": .milliseconds(count)
        case "u": .microseconds(count)
        case "n": .nanoseconds(count)
        default: nil
        }
    }
}
